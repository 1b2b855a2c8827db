package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config tunes a Store. The zero value suits nearly all installations.
type Config struct {
	// LockTimeout is how long Open waits for another process to release the file; 2 s when 0.
	LockTimeout time.Duration
	// MapBytes is the address space reserved for the file at open; 1 GiB when 0. It uses no memory.
	// When the file grows beyond it, one write waits for all current readers.
	MapBytes int
}

// Store is the embedded driver of the store port. It is safe for concurrent use.
type Store struct {
	db     *bbolt.DB
	format uint64           // format of the file when it was opened
	names  *dictionaryCache // committed entries
	queue  queue
	log    logTail
	views  viewPool

	nodes nodeCache

	condition disk.Condition
	opened    os.FileInfo // the open file, to notice that its path leads elsewhere

	// stuck is closed after a fault while a transaction began: bbolt then still holds its locks, and
	// each further transaction, also the one that closes the file, would wait for ever.
	stuck     chan struct{}
	stuckOnce sync.Once

	// The writer goroutine owns these fields.
	counters  counters
	pace      pace
	largeNext bool // a small update opened the last group, so a large one may open the next
	// smallUntil is the time until which large updates yield to small ones, see longGroup.
	smallUntil time.Time
	poisoned   error // set when the outcome of a commit is unknown; all later writes are refused
	txNotEnded bool  // a transaction could not be ended, so closing the file would block

	closing sync.Once
	closed  error
}

var _ store.Store = (*Store)(nil)

// Close executes the queued updates, waits for readers and releases the file. All later calls fail
// with fault.Unavailable. Close may be called several times; each call returns the same result.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.queue.close()
		select {
		case <-s.queue.drained:
		case <-s.stuck:
		}
		s.log.close()
		if s.isStuck() {
			return // the end of the process releases the file
		}
		s.views.pause()
		if s.txNotEnded {
			return // likewise
		}
		if err := s.db.Close(); err != nil {
			s.closed = fmt.Errorf("close store %s: %w", s.db.Path(), err)
		}
	})
	return s.closed
}

func (s *Store) isStuck() bool {
	select {
	case <-s.stuck:
		return true
	default:
		return false
	}
}

// begin starts a transaction of bbolt. After a fault in one it starts no further one.
func (s *Store) begin(writable bool) (tx *bbolt.Tx, err error) {
	if s.isStuck() {
		return nil, &dbfile.DamageError{Path: s.db.Path(), Reason: "it could not be read when a transaction began; the process has to be restarted"}
	}
	returned := false
	defer func() {
		if !returned {
			s.stuckOnce.Do(func() { close(s.stuck) })
		}
	}()
	tx, err = s.db.Begin(writable)
	returned = true
	return tx, err
}

// checkInPlace refuses writes to a file whose path leads to no file or to another one: nothing would
// be left of them after the end of the process.
func (s *Store) checkInPlace() error {
	now, err := os.Stat(s.db.Path())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(s.opened, now) {
		return fault.New(fault.Unavailable, "the file %s was removed or replaced while the service has it open, so no write would be durable; put it back into its place, or restart the service with a restored one", s.db.Path())
	}
	return nil
}

// Condition reports whether the last transaction became durable. It is quick, and works after
// Close.
func (s *Store) Condition() disk.State { return s.condition.State() }

// Get implements store.Reader.
func (s *Store) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	records := make([]*model.Record, len(keys))
	err := s.view(ctx, func(src source) (err error) {
		rows := rowReader{src: src}
		for i, key := range keys {
			if err := ctx.Err(); err != nil {
				return err
			}
			if records[i], err = rows.read(key, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return records, nil
}

// Row implements store.Reader.
func (s *Store) Row(ctx context.Context, key store.Key, row int64) (rec *model.Record, err error) {
	err = s.view(ctx, func(src source) (err error) {
		rec, err = readRow(src, key, row)
		return err
	})
	return rec, err
}

// Rows implements store.Reader.
func (s *Store) Rows(ctx context.Context, key store.Key) (rows []int64, err error) {
	err = s.view(ctx, func(src source) (err error) {
		rows, err = readRows(src, key)
		return err
	})
	return rows, err
}

// Aspects implements store.Reader.
func (s *Store) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	lists := make([][]model.Record, len(urns))
	err := s.view(ctx, func(src source) (err error) {
		for i, u := range urns {
			if err := ctx.Err(); err != nil {
				return err
			}
			if lists[i], err = readAspects(src, u, names); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return lists, nil
}

// RowSizes implements store.Reader.
func (s *Store) RowSizes(ctx context.Context, key store.Key, rows ...int64) ([]int64, error) {
	sizes := make([]int64, len(rows))
	err := s.view(ctx, func(src source) error {
		reader := rowReader{src: src}
		for i, row := range rows {
			raw, err := reader.raw(key, row)
			if err != nil {
				return err
			}
			sizes[i] = int64(len(raw))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sizes, nil
}

// AspectSizes implements store.Reader.
func (s *Store) AspectSizes(ctx context.Context, urns []urn.URN, names ...string) ([]int64, error) {
	names = distinct(names)
	sizes := make([]int64, len(urns))
	err := s.view(ctx, func(src source) (err error) {
		for i, u := range urns {
			if err := ctx.Err(); err != nil {
				return err
			}
			if sizes[i], err = readAspectSizes(src, u, names); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sizes, nil
}

// Scan implements store.Scanner. It reads a long listing in several short transactions: an entity
// created or deleted meanwhile may be included or missing.
func (s *Store) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	return inSteps(q.Limit, q.After, func(after urn.URN, limit int) (page []urn.URN, err error) {
		part := q
		part.After, part.Limit = after, limit
		err = s.view(ctx, func(src source) error {
			page = scanURNs(src, part)
			return nil
		})
		return page, err
	})
}

// inSteps reads a listing of URNs page by page, so no read transaction stays open for long. The
// pages of the file that a writer frees can be reused only after the read transaction ends.
func inSteps(limit int, after urn.URN, read func(after urn.URN, limit int) ([]urn.URN, error)) ([]urn.URN, error) {
	const step = 4096
	if limit <= 0 {
		limit = defaultLimit
	}
	var found []urn.URN
	for left := limit; left > 0; left = limit - len(found) {
		part := min(left, step)
		page, err := read(after, part)
		if err != nil {
			return nil, err
		}
		found = append(found, page...)
		if len(page) < part {
			break
		}
		after = page[len(page)-1]
	}
	return found, nil
}

// Count implements store.Scanner. It reads a stored counter.
func (s *Store) Count(ctx context.Context, entityType string) (n int, err error) {
	err = s.view(ctx, func(src source) (err error) {
		n, err = readCount(src, entityType)
		return err
	})
	return n, err
}

// view runs fn on the current committed state.
func (s *Store) view(ctx context.Context, fn func(source) error) error {
	return s.read(ctx, func(v *view) error { return fn(v) })
}

// read is view for functions that need the cursors of the file.
func (s *Store) read(ctx context.Context, fn func(*view) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := dbfile.Guard(s.db.Path(), func() error { return s.onView(fn) })
	s.noteDamage(err)
	return translate(err)
}

// noteDamage records damage of a page or a value for Condition.
func (s *Store) noteDamage(err error) {
	if isDamage(err) {
		s.condition.Damaged(err)
	}
}

func closedError() error {
	return fault.New(fault.Unavailable, "the store is closed")
}

// translate replaces errors of bbolt, which callers of this package must not depend on.
func translate(err error) error {
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return closedError()
	}
	return err
}
