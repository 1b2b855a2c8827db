package bolt

import (
	"context"
	"encoding/binary"
	"errors"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// Check runs bbolt's own integrity check.
func (s *Store) Check() error {
	return s.db.View(func(tx *bbolt.Tx) error {
		var errs []error
		for err := range tx.Check() {
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
}

// PageBytes is the size of the file's pages, AllocStep the step of its growth, Format its version,
// and GroupSize the maximum number of updates per commit.
const (
	PageBytes = pageBytes
	AllocStep = allocStep
	Format    = fileFormat
	GroupSize = groupSize
)

// Commits returns the number of transactions that have changed the file since its creation.
func (s *Store) Commits() (n int, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		n = tx.ID()
		return nil
	})
	return n, err
}

// SetMaxSize makes every commit fail that needs a longer file; 0 removes the limit.
func (s *Store) SetMaxSize(bytes int) { s.db.MaxSize = bytes }

// UpdateRejected submits a write that the overlay accepts and the file rejects.
func (s *Store) UpdateRejected(ctx context.Context) error {
	_, err := s.submit(ctx, func(tx *tx) error {
		tx.set(bucketMeta, nil, []byte("a key is needed"))
		return nil
	})
	return err
}

// UseUpAspects leaves numbers only for the given number of new aspect names.
func (s *Store) UseUpAspects(left uint32) {
	_, _ = s.submit(context.Background(), func(tx *tx) error {
		tx.counters.aspect = 1<<16 - 1 - left
		tx.set(bucketMeta, []byte("test"), []byte{1}) // a change, so that the group is committed
		return nil
	})
}

// Waiting returns the number of queued updates.
func (s *Store) Waiting() int {
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	return len(s.queue.small.waiting) + len(s.queue.large.waiting)
}

// Poison puts the store into the state after a commit with an unknown outcome.
func (s *Store) Poison(err error) {
	_, _ = s.submit(context.Background(), func(*tx) error {
		s.poisoned = err
		return nil
	})
}

// SetFormat sets the format number of a file.
func SetFormat(path string, format uint64) error {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketNames[bucketMeta]).Put(formatKey, binary.AppendUvarint(nil, format))
	})
	return errors.Join(err, db.Close())
}

// Words is a dictionary for codec tests.
type Words struct{ texts []string }

func (w *Words) text(_ dictionary, number uint32) (string, bool) {
	if number == 0 || int(number) > len(w.texts) {
		return "", false
	}
	return w.texts[number-1], true
}

func (w *Words) number(text string) (uint32, error) {
	w.texts = append(w.texts, text)
	return uint32(len(w.texts)), nil
}

// EncodeRow and the following methods give tests access to the binary forms.
func (w *Words) EncodeRow(rec *model.Record) ([]byte, error) { return encodeRow(rec, w.number) }

func (w *Words) DecodeRow(raw []byte) (rec model.Record, err error) {
	err = decodeRow(raw, &rec, w)
	return rec, err
}

func (w *Words) EncodeEntry(entry *store.Entry) ([]byte, error) {
	return encodeEntry(entry, entryPlaces{urn: 1}, 1, w.number)
}

func (w *Words) DecodeEntry(raw []byte) (store.Entry, error) {
	entry, _, err := decodeEntry(raw, w)
	return entry, err
}

// DecodeSmall runs the decoders of the index values.
func DecodeSmall(raw []byte) error {
	_, err := decodeMembers(raw)
	_, runErr := decodeRun(raw)
	_, rowErr := rowRun(raw)
	_, countErr := decodeCount(raw)
	return errors.Join(err, runErr, rowErr, countErr)
}

// KeysRead returns the number of keys that Edges reads for a query.
func (s *Store) KeysRead(ctx context.Context, q graph.Query) (keys int, err error) {
	err = s.listEdges(ctx, q, func(l *edgeListing) error {
		left := q.Limit
		err := l.run(ctx, q.After, func(edgeFound) (bool, error) {
			left--
			return left > 0, nil
		})
		keys = l.wanted.keys
		return err
	})
	return keys, err
}

// MakeFormat converts the file to an older format, without the buckets of later formats.
func MakeFormat(path string, format uint64) error {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for b := bucketsOf(format); b < bucketCount; b++ {
			if err := tx.DeleteBucket(bucketNames[b]); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, db.Close(), SetFormat(path, format))
}

// EdgeKey returns the key of an edge by numbers; ParseEdge decodes keys and values.
func EdgeKey(source, destination, owner uint64, relation, aspect uint32, incoming byte) []byte {
	return edgeLink{source: source, destination: destination, owner: owner, relation: relation, aspect: aspect}.key(incoming)
}

func ParseEdge(key, value []byte, w *Words) (numbers [5]uint64, e model.Edge, err error) {
	link, _, err := parseLink(key)
	_, valueErr := decodeEdge(value, &e, w)
	_, listErr := decodeLinks(value, 1, 1)
	numbers = [5]uint64{link.source, link.destination, link.owner, uint64(link.relation), uint64(link.aspect)}
	return numbers, e, errors.Join(err, valueErr, listErr)
}

// Path returns the path of the file.
func (s *Store) Path() string { return s.db.Path() }

// TailBytes returns the size of the values of entries in memory.
func (s *Store) TailBytes() int {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return s.log.bytes
}

// IdleViews returns the number of idle read transactions.
func (s *Store) IdleViews() int {
	s.views.mu.Lock()
	defer s.views.mu.Unlock()
	return len(s.views.idle)
}

// View runs fn while a read transaction is open.
func (s *Store) View(ctx context.Context, fn func()) error {
	return s.view(ctx, func(source) error {
		fn()
		return nil
	})
}

// PendingHistory returns the number of writes of history rows that a transaction holds until its
// commit.
func PendingHistory(t store.Tx) (n int) {
	for _, block := range t.(*tx).overlay.buckets[bucketHistory].blocks {
		n += len(block)
	}
	return n
}
