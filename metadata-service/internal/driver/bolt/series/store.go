// Package series is the embedded driver of the time series: a folder with one bbolt file per index.
// keys.go describes the contents of a file, [Store] its creation and replacement.
//
// A write is one bbolt transaction of its index, with one sync. After a failed commit the index is
// readable but its durability is unknown; the next write first copies the readable contents to a
// new file. Damage of a file affects only its index.
//
// Each index has a file of its own because a bbolt file never shrinks. The size of a file is the
// true size of its index. Compaction copies one index to a new file during reads and writes, and
// then replaces the old file. Time series do not compete with the main store for its writer.
package series

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config tunes a Store. The zero value suits nearly all installations.
type Config struct {
	// LockTimeout is how long opening an index waits for another process to release its file; 2 s
	// when 0.
	LockTimeout time.Duration
	// MapBytes is the address space reserved for each index; 256 MiB when 0. It uses no memory.
	// When a file grows beyond it, one write waits for all current readers.
	MapBytes int
}

var _ timeseries.Store = (*Store)(nil)

// Store is the embedded driver of the timeseries port: a folder with one file per index,
// <index>.db. The size of a file is the space its index occupies, a compaction rewrites one file,
// and writers of different indices share nothing, not even the main store. It is safe for
// concurrent use.
//
// Files are opened at their first use and stay open. There are as many as pairs of entity type and
// time-series aspect. To create or replace a file, the store writes <index>.tmp, syncs it, renames
// it, and syncs the folder, so a crash leaves either the state before or the state after.
type Store struct {
	dir string
	cfg Config

	condition disk.Condition

	mu      sync.Mutex
	indices map[string]*index
	shut    bool

	closing sync.Once
	closed  error
}

const (
	fileSuffix = ".db"
	tempSuffix = ".tmp"
	// compactSuffix is the suffix of the file that a compaction writes.
	compactSuffix = ".compact"
)

// Open opens the folder and creates it if it is absent. Only this process may use the folder.
func Open(dir string, cfg Config) (*Store, error) {
	if cfg.LockTimeout == 0 {
		cfg.LockTimeout = 2 * time.Second
	}
	if cfg.MapBytes == 0 {
		cfg.MapBytes = 256 << 20
	}
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("open time-series folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open time-series folder: %w", err)
	}
	s := &Store{dir: dir, cfg: cfg, indices: map[string]*index{}}
	for _, entry := range entries {
		if err := s.adopt(entry.Name()); err != nil {
			return nil, fmt.Errorf("open time-series folder: %w", err)
		}
	}
	return s, nil
}

// adopt registers an index file, and removes a partial file left by a crash. It ignores other
// files.
func (s *Store) adopt(file string) error {
	for _, suffix := range []string{tempSuffix, compactSuffix} {
		if name, ok := strings.CutSuffix(file, suffix); ok && timeseries.CheckIndex(name) == nil {
			return os.Remove(filepath.Join(s.dir, file))
		}
	}
	if name, ok := strings.CutSuffix(file, fileSuffix); ok && timeseries.CheckIndex(name) == nil {
		s.indices[name] = newIndex(s, name, true)
	}
	return nil
}

// Close waits for the writes and reads in progress and releases all files. All later calls fail
// with fault.Unavailable. Close may be called more than once.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.mu.Lock()
		s.shut = true
		s.mu.Unlock()
		for _, x := range s.indices {
			if err := x.close(); err != nil && s.closed == nil {
				s.closed = fmt.Errorf("close time-series index %s: %w", x.name, err)
			}
		}
	})
	return s.closed
}

// Apply implements timeseries.Store.
func (s *Store) Apply(ctx context.Context, index string, batch timeseries.Batch) error {
	x, err := s.index(ctx, index, batch.Upserts())
	if err != nil {
		return err
	}
	if err := batch.Check(); err != nil {
		return err
	}
	if x == nil {
		return nil
	}
	err = wrap("write", index, dbfile.Translate(x.apply(ctx, batch)))
	s.note(ctx, err)
	return err
}

// Condition reports whether the last write of an index became durable.
func (s *Store) Condition() disk.State { return s.condition.State() }

// note ignores errors that do not concern the disk: an ended context and a closed store.
func (s *Store) note(ctx context.Context, err error) {
	s.noteDamage(err)
	if ctx.Err() == nil && !errors.Is(err, errShut) {
		s.condition.Note(err)
	}
}

func (s *Store) noteDamage(err error) {
	if isDamage(err) {
		s.condition.Damaged(err)
	}
}

// isDamage reports whether an error is due to a damaged page or value.
func isDamage(err error) bool {
	return dbfile.IsDamage(err) || errors.Is(err, errCorrupt)
}

// Compact implements timeseries.Store. It needs free disk space for a copy of the contents of the
// index.
func (s *Store) Compact(ctx context.Context, index string) (int64, error) {
	x, err := s.index(ctx, index, false)
	if err != nil || x == nil {
		return 0, err
	}
	freed, err := x.compact(ctx)
	err = wrap("compact", index, dbfile.Translate(err))
	s.noteDamage(err)
	return freed, err
}

// Applied implements timeseries.Store.
func (s *Store) Applied(ctx context.Context, index string) (applied uint64, err error) {
	err = s.view(ctx, index, func(v view) error {
		applied = v.counter(appliedKey)
		return nil
	})
	return applied, err
}

// Find implements timeseries.Store.
func (s *Store) Find(ctx context.Context, index string, q timeseries.Query) (found []timeseries.Document, err error) {
	matcher, err := q.Matcher()
	if err != nil {
		return nil, err
	}
	err = s.view(ctx, index, func(v view) error {
		found, err = v.find(ctx, &q, matcher)
		return err
	})
	return found, err
}

// Count implements timeseries.Store.
func (s *Store) Count(ctx context.Context, index string, q timeseries.Query) (n int64, err error) {
	matcher, err := q.Matcher()
	if err != nil {
		return 0, err
	}
	err = s.view(ctx, index, func(v view) error {
		n, err = v.count(ctx, &q, matcher)
		return err
	})
	return n, err
}

// Latest implements timeseries.Store.
func (s *Store) Latest(ctx context.Context, index string, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	latest := make(map[urn.URN]timeseries.Document, len(urns))
	err := s.view(ctx, index, func(v view) error { return v.latest(ctx, urns, latest) })
	if err != nil {
		return nil, err
	}
	return latest, nil
}

// Sizes implements timeseries.Store.
func (s *Store) Sizes(ctx context.Context) ([]timeseries.Size, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	indices, err := s.list()
	if err != nil {
		return nil, err
	}
	sizes := make([]timeseries.Size, 0, len(indices))
	for _, x := range indices {
		size, exists, err := x.size()
		if err != nil {
			return nil, wrap("measure", x.name, err)
		}
		if exists {
			sizes = append(sizes, size)
		}
	}
	return sizes, nil
}

// list returns the indices ordered by name, including those about to be created.
func (s *Store) list() ([]*index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return nil, closedError()
	}
	return slices.SortedFunc(maps.Values(s.indices), func(a, b *index) int {
		return strings.Compare(a.name, b.name)
	}), nil
}

// index returns an index. It returns nil when the index is absent and create is false.
func (s *Store) index(ctx context.Context, name string, create bool) (*index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return nil, closedError()
	}
	if err := timeseries.CheckIndex(name); err != nil {
		return nil, err
	}
	x := s.indices[name]
	if x == nil && create {
		x = newIndex(s, name, false)
		s.indices[name] = x
	}
	return x, nil
}

// view runs fn on one state of an index, or not at all when the index is absent.
func (s *Store) view(ctx context.Context, name string, fn func(view) error) error {
	x, err := s.index(ctx, name, false)
	if err != nil || x == nil {
		return err
	}
	err = wrap("read", name, x.view(fn))
	s.noteDamage(err)
	return err
}

// errShut is the cause of errors after Close.
var errShut = errors.New("closed")

func closedError() error {
	return fault.Wrap(errShut, fault.Unavailable, "the time-series store is closed")
}

func wrap(verb, index string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s time-series index %s: %w", verb, index, err)
}
