package memory

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var _ timeseries.Store = (*Timeseries)(nil)

// Timeseries keeps time-series indices in memory. Each index is an immutable sorted list that a
// writer replaces as a whole. Readers never wait, and a write takes time proportional to the size
// of the index, which suits tests and demonstrations.
type Timeseries struct {
	write   sync.Mutex // serialises Apply, Truncate and Close
	indices atomic.Pointer[map[string]*tsIndex]
}

// tsIndex is one state of an index; it never changes.
type tsIndex struct {
	applied  uint64
	bytes    int64
	plain    []*timeseries.Document // by time, then id
	exploded []*timeseries.Document
}

// NewTimeseries returns an empty store.
func NewTimeseries() *Timeseries {
	t := &Timeseries{}
	t.indices.Store(&map[string]*tsIndex{})
	return t
}

// Close drops all documents; later calls fail with fault.Unavailable.
func (t *Timeseries) Close() error {
	t.write.Lock()
	defer t.write.Unlock()
	t.indices.Store(nil)
	return nil
}

// Apply implements timeseries.Store.
func (t *Timeseries) Apply(ctx context.Context, index string, batch timeseries.Batch) error {
	t.write.Lock()
	defer t.write.Unlock()
	state, err := t.state(ctx, index)
	if err != nil {
		return err
	}
	if err := batch.Check(); err != nil {
		return err
	}
	if batch.Sequence <= state.applied || (!batch.Upserts() && !t.exists(index)) {
		return nil
	}
	next, err := state.apply(ctx, batch)
	if err != nil {
		return err
	}
	t.replace(index, next)
	return nil
}

// Compact implements timeseries.Store. It always frees 0 bytes, since erased documents take no
// space.
func (t *Timeseries) Compact(ctx context.Context, index string) (int64, error) {
	_, err := t.state(ctx, index)
	return 0, err
}

// Applied implements timeseries.Store.
func (t *Timeseries) Applied(ctx context.Context, index string) (uint64, error) {
	state, err := t.state(ctx, index)
	if err != nil {
		return 0, err
	}
	return state.applied, nil
}

// Find implements timeseries.Store.
func (t *Timeseries) Find(ctx context.Context, index string, q timeseries.Query) ([]timeseries.Document, error) {
	state, err := t.state(ctx, index)
	if err != nil {
		return nil, err
	}
	var found []timeseries.Document
	err = state.walk(ctx, q, func(d *timeseries.Document) bool {
		if !tsBehind(d, q) {
			return true
		}
		found = append(found, *tsClone(d))
		return len(found) != q.Limit
	})
	return found, err
}

// Count implements timeseries.Store.
func (t *Timeseries) Count(ctx context.Context, index string, q timeseries.Query) (int64, error) {
	state, err := t.state(ctx, index)
	if err != nil {
		return 0, err
	}
	var n int64
	err = state.walk(ctx, q, func(*timeseries.Document) bool { n++; return true })
	return n, err
}

// Latest implements timeseries.Store.
func (t *Timeseries) Latest(ctx context.Context, index string, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	state, err := t.state(ctx, index)
	if err != nil || len(urns) == 0 {
		return map[urn.URN]timeseries.Document{}, err
	}
	latest := make(map[urn.URN]timeseries.Document, len(urns))
	err = state.walk(ctx, timeseries.Query{URNs: urns}, func(d *timeseries.Document) bool {
		if _, seen := latest[d.URN]; !seen {
			latest[d.URN] = *tsClone(d)
		}
		return len(latest) < len(urns)
	})
	return latest, err
}

// Sizes implements timeseries.Store. Bytes counts texts and numbers, not the memory of Go's
// structures.
func (t *Timeseries) Sizes(ctx context.Context) ([]timeseries.Size, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	indices := t.indices.Load()
	if indices == nil {
		return nil, tsClosed()
	}
	sizes := make([]timeseries.Size, 0, len(*indices))
	for name, state := range *indices {
		sizes = append(sizes, timeseries.Size{Index: name, Bytes: state.bytes, Documents: state.count()})
	}
	slices.SortFunc(sizes, func(a, b timeseries.Size) int { return strings.Compare(a.Index, b.Index) })
	return sizes, nil
}

// state returns the current state of an index, which is empty for an absent index.
func (t *Timeseries) state(ctx context.Context, index string) (*tsIndex, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	indices := t.indices.Load()
	if indices == nil {
		return nil, tsClosed()
	}
	if err := timeseries.CheckIndex(index); err != nil {
		return nil, err
	}
	if state, ok := (*indices)[index]; ok {
		return state, nil
	}
	return &tsIndex{}, nil
}

func tsClosed() error { return fault.New(fault.Unavailable, "the time-series store is closed") }

// exists and replace require the write lock.
func (t *Timeseries) exists(index string) bool {
	_, ok := (*t.indices.Load())[index]
	return ok
}

func (t *Timeseries) replace(index string, state *tsIndex) {
	next := maps.Clone(*t.indices.Load())
	next[index] = state
	t.indices.Store(&next)
}
