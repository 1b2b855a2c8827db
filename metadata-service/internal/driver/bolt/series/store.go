// Package series is the embedded driver of the time series: a folder with one
// bbolt file for each index. What a file holds is told beside its buckets
// (keys.go), how a file comes into being and is replaced at [Store].
//
// A write is one bbolt transaction of its index, with one sync. A commit that
// fails leaves the index readable and in doubt; the next write first copies what
// is read to a new file. Damage of a file is an error of its index alone.
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

// Config tunes a Store. The zero value is right for nearly everybody.
type Config struct {
	// LockTimeout is how long opening an index waits for another process to let go of its file; 2 s when 0.
	LockTimeout time.Duration
	// MapBytes is the address space reserved for each index; 256 MiB when 0. It costs no memory.
	// Growing beyond it makes one write wait for the readers of that moment.
	MapBytes int
}

var _ timeseries.Store = (*Store)(nil)

// Store is the embedded driver of the timeseries port: a folder with one
// file per index, <index>.db. The size of a file is what its index occupies, a
// truncation writes one file anew, and writers of different indices share
// nothing, the main store included. It is safe for concurrent use.
//
// Files are opened at their first use and stay open; there are as many as there
// are pairs of entity type and time-series aspect. A file comes into being, and
// is replaced, by writing <index>.tmp, syncing it, renaming it, and syncing the
// folder, so that a crash leaves either the state before or the one after.
type Store struct {
	dir string
	cfg Config

	condition disk.Condition

	mu      sync.Mutex
	indices map[string]*tsIndex
	shut    bool

	closing sync.Once
	closed  error
}

const (
	tsFileSuffix = ".db"
	tsTempSuffix = ".tmp"
)

// Open opens the folder, which is made if it is absent. It must belong
// to this process alone.
func Open(dir string, cfg Config) (*Store, error) {
	if cfg.LockTimeout == 0 {
		cfg.LockTimeout = 2 * time.Second
	}
	if cfg.MapBytes == 0 {
		cfg.MapBytes = 256 << 20
	}
	if err := tsMakeFolder(dir); err != nil {
		return nil, fmt.Errorf("open time-series folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open time-series folder: %w", err)
	}
	t := &Store{dir: dir, cfg: cfg, indices: map[string]*tsIndex{}}
	for _, entry := range entries {
		if err := t.adopt(entry.Name()); err != nil {
			return nil, fmt.Errorf("open time-series folder: %w", err)
		}
	}
	return t, nil
}

// adopt takes up an index file, or clears away what a crash left half written.
// Other files are none of our business.
func (t *Store) adopt(file string) error {
	if name, ok := strings.CutSuffix(file, tsTempSuffix); ok && timeseries.CheckIndex(name) == nil {
		return os.Remove(filepath.Join(t.dir, file))
	}
	if name, ok := strings.CutSuffix(file, tsFileSuffix); ok && timeseries.CheckIndex(name) == nil {
		t.indices[name] = newTSIndex(t, name, true)
	}
	return nil
}

// Close waits for the writes and reads in progress and releases all files.
func (t *Store) Close() error {
	t.closing.Do(func() {
		t.mu.Lock()
		t.shut = true
		t.mu.Unlock()
		for _, x := range t.indices {
			if err := x.close(); err != nil && t.closed == nil {
				t.closed = fmt.Errorf("close time-series index %s: %w", x.name, err)
			}
		}
	})
	return t.closed
}

// Apply implements timeseries.Store.
func (t *Store) Apply(ctx context.Context, index string, batch timeseries.Batch) error {
	x, err := t.index(ctx, index, batch.Upserts())
	if err != nil {
		return err
	}
	if err := batch.Check(); err != nil {
		return err
	}
	if x == nil {
		return nil
	}
	err = tsWrap("write", index, dbfile.Translate(x.apply(ctx, batch)))
	t.note(ctx, err)
	return err
}

// Condition tells whether the last write of an index could be made durable.
func (t *Store) Condition() disk.State { return t.condition.State() }

// note passes over what says nothing about the disk: a caller that left, and a
// store that is closed.
func (t *Store) note(ctx context.Context, err error) {
	t.noteDamage(err)
	if ctx.Err() == nil && !errors.Is(err, errTSShut) {
		t.condition.Note(err)
	}
}

func (t *Store) noteDamage(err error) {
	if isDamage(err) {
		t.condition.Damaged(err)
	}
}

// isDamage tells whether an error is due to a damaged page or value.
func isDamage(err error) bool {
	return dbfile.IsDamage(err) || errors.Is(err, errTSCorrupt)
}

// Truncate implements timeseries.Store. It needs room on the disk for a copy of
// what stays.
func (t *Store) Truncate(ctx context.Context, index string, end int64) (int64, error) {
	x, err := t.index(ctx, index, false)
	if err != nil || x == nil {
		return 0, err
	}
	gone, err := x.truncate(ctx, end)
	return gone, tsWrap("truncate", index, dbfile.Translate(err))
}

// Applied implements timeseries.Store.
func (t *Store) Applied(ctx context.Context, index string) (applied uint64, err error) {
	err = t.view(ctx, index, func(v tsView) error {
		applied = v.counter(tsApplied)
		return nil
	})
	return applied, err
}

// Find implements timeseries.Store.
func (t *Store) Find(ctx context.Context, index string, q timeseries.Query) (found []timeseries.Document, err error) {
	matcher, err := q.Matcher()
	if err != nil {
		return nil, err
	}
	err = t.view(ctx, index, func(v tsView) error {
		found, err = v.find(ctx, &q, matcher)
		return err
	})
	return found, err
}

// Count implements timeseries.Store.
func (t *Store) Count(ctx context.Context, index string, q timeseries.Query) (n int64, err error) {
	matcher, err := q.Matcher()
	if err != nil {
		return 0, err
	}
	err = t.view(ctx, index, func(v tsView) error {
		n, err = v.count(ctx, &q, matcher)
		return err
	})
	return n, err
}

// Latest implements timeseries.Store.
func (t *Store) Latest(ctx context.Context, index string, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	latest := make(map[urn.URN]timeseries.Document, len(urns))
	err := t.view(ctx, index, func(v tsView) error { return v.latest(ctx, urns, latest) })
	if err != nil {
		return nil, err
	}
	return latest, nil
}

// Sizes implements timeseries.Store.
func (t *Store) Sizes(ctx context.Context) ([]timeseries.Size, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	indices, err := t.list()
	if err != nil {
		return nil, err
	}
	sizes := make([]timeseries.Size, 0, len(indices))
	for _, x := range indices {
		size, exists, err := x.size()
		if err != nil {
			return nil, tsWrap("measure", x.name, err)
		}
		if exists {
			sizes = append(sizes, size)
		}
	}
	return sizes, nil
}

// list gives the indices by name, those about to come into being included.
func (t *Store) list() ([]*tsIndex, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut {
		return nil, tsClosed()
	}
	return slices.SortedFunc(maps.Values(t.indices), func(a, b *tsIndex) int {
		return strings.Compare(a.name, b.name)
	}), nil
}

// index finds an index, nil when it is absent and not to be created.
func (t *Store) index(ctx context.Context, name string, create bool) (*tsIndex, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut {
		return nil, tsClosed()
	}
	if err := timeseries.CheckIndex(name); err != nil {
		return nil, err
	}
	x := t.indices[name]
	if x == nil && create {
		x = newTSIndex(t, name, false)
		t.indices[name] = x
	}
	return x, nil
}

// view runs fn on one state of an index, not at all when the index is absent.
func (t *Store) view(ctx context.Context, name string, fn func(tsView) error) error {
	x, err := t.index(ctx, name, false)
	if err != nil || x == nil {
		return err
	}
	err = tsWrap("read", name, x.view(fn))
	t.noteDamage(err)
	return err
}

// errTSShut is the cause of errors after Close.
var errTSShut = errors.New("closed")

func tsClosed() error {
	return fault.Wrap(errTSShut, fault.Unavailable, "the time-series store is closed")
}

func tsWrap(verb, index string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s time-series index %s: %w", verb, index, err)
}
