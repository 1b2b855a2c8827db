// Package indexing keeps the search index equal to the store: it follows the
// change log, builds everything anew when the index cannot go on from where it
// is, restores parts on request, and proves that index and graph hold what the
// store says.
package indexing

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Index is what a search driver has to offer to be kept: an index that can be
// filled anew and compared.
type Index interface {
	search.Index
	search.Rebuilder
	search.Auditor
}

// Config is what an Indexer works with. All fields are required.
type Config struct {
	Registry *model.Registry
	Store    store.Store
	Graph    graph.Reader
	Index    Index
	Now      func() time.Time
	Log      *slog.Logger
}

// Indexer follows the log as the sink "search". It is safe for concurrent use.
type Indexer struct {
	Config
	builder *document.Builder
	types   []string // that are searched

	// unsafe is set while the content is not what its position says: a rebuild is due, and no
	// snapshot may be taken. The follower goes on from start then: a rebuild reads the store
	// later, and so all that came before.
	unsafe atomic.Bool
	start  uint64
	saved  atomic.Uint64

	applying sync.Mutex // held from reading the store to having applied what was read

	mu       sync.Mutex
	progress Progress
	late     map[dependency]bool // what a rebuild may have missed; nil while there is none

	work    sync.WaitGroup
	settled chan struct{} // closed when the rebuild that New began has ended the first time
	stop    context.CancelFunc
}

// dependency names the documents that hold a URN in a field.
type dependency struct {
	field string
	urn   urn.URN
}

// longestReplay is how many changes an index catches up with one by one; with
// more it is sooner built anew.
const longestReplay = 200_000

// New makes an Indexer. When the index cannot go on from where it is, it begins
// to build it anew in the background; small stores are done before New returns.
func New(ctx context.Context, cfg Config) (*Indexer, error) {
	x := &Indexer{Config: cfg, builder: document.NewBuilder(cfg.Registry, cfg.Store), settled: make(chan struct{}), stop: func() {}}
	for _, s := range document.Schemas(cfg.Registry) {
		x.types = append(x.types, s.EntityType)
	}
	why, err := x.needsRebuild(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		x.saved.Store(cfg.Index.Applied())
		close(x.settled)
		return x, nil
	}
	last, _ := cfg.Store.Last()
	x.unsafe.Store(true)
	x.start = last
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	x.stop = stop
	x.work.Go(func() { x.recover(running, why) })
	select {
	case <-x.settled:
	case <-time.After(patience):
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), x.Close())
	}
	return x, nil
}

// patience is how long New waits for a rebuild, retryPause how long a rebuild
// that failed waits for another try.
const (
	patience   = 2 * time.Second
	retryPause = time.Minute
)

// Settle waits until the index holds what it is to hold, as far as the follower
// has come: for the end of the rebuild that New began, if any. The error says
// why that failed.
func (x *Indexer) Settle(ctx context.Context) error {
	select {
	case <-x.settled:
		return x.Progress().Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// recover rebuilds until it has gone well or ctx ends.
func (x *Indexer) recover(ctx context.Context, why string) {
	first := sync.OnceFunc(func() { close(x.settled) })
	for {
		err := x.Rebuild(ctx, why)
		first()
		if err == nil || ctx.Err() != nil {
			return
		}
		x.Log.ErrorContext(ctx, "building the search index anew failed", "retry_in", retryPause, "error", err)
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return
		}
	}
}

// needsRebuild tells why the index cannot follow the log from where it is,
// empty when it can.
func (x *Indexer) needsRebuild(ctx context.Context) (string, error) {
	if why := x.Index.Stale(); why != "" {
		return why, nil
	}
	first, err := x.Store.First(ctx)
	if err != nil {
		return "", err
	}
	last, _ := x.Store.Last()
	applied := x.Index.Applied()
	switch {
	case applied > last:
		return "the index is ahead of the store, which is an older copy", nil
	case applied == last:
		return "", nil
	case first == 0 || applied+1 < first:
		return "the changes since the last snapshot are no longer kept", nil
	case last-applied > longestReplay:
		return "there are many changes since the last snapshot", nil
	}
	return "", nil
}

// Name implements projection.Sink.
func (x *Indexer) Name() string { return "search" }

// Durable implements projection.Sink.
func (x *Indexer) Durable() bool { return true }

// Applied implements projection.Keeper. While the index has to be built anew it
// is a sequence whose changes the rebuild reads.
func (x *Indexer) Applied() uint64 {
	if x.unsafe.Load() {
		return x.start
	}
	return x.Index.Applied()
}

// Save implements projection.Keeper. An index that is being built anew, having
// been of no use, keeps what it had.
func (x *Indexer) Save(ctx context.Context) (uint64, error) {
	if x.unsafe.Load() {
		return x.saved.Load(), nil
	}
	applied := x.Index.Applied()
	if err := x.Index.Save(ctx); err != nil {
		return x.saved.Load(), err
	}
	x.saved.Store(applied)
	return applied, nil
}

// Close ends a rebuild that is under way; it begins again with the next start.
func (x *Indexer) Close() error {
	x.stop()
	x.work.Wait()
	return nil
}

// Apply implements projection.Sink.
func (x *Indexer) Apply(ctx context.Context, entries []store.Entry) error {
	x.applying.Lock()
	defer x.applying.Unlock()
	changed, depend := x.changed(entries)
	for _, d := range depend {
		if err := x.dependents(ctx, d, changed.add); err != nil {
			return err
		}
	}
	last, urns := entries[len(entries)-1].Sequence, changed.urns
	// What hangs on a change high in a hierarchy can be a large part of the catalog.
	for len(urns) > chunk {
		if err := x.refresh(ctx, x.Index.Applied(), urns[:chunk]); err != nil {
			return err
		}
		urns = urns[chunk:]
	}
	return x.refresh(ctx, last, urns)
}

// chunk is how many documents are built at a time.
const chunk = 2000

// set lists URNs once each, in the order they came.
type set struct {
	urns []urn.URN
	seen map[urn.URN]bool
}

func newSet(size int) *set { return &set{seen: make(map[urn.URN]bool, size)} }

func (s *set) add(u urn.URN) {
	if !s.seen[u] {
		s.seen[u] = true
		s.urns = append(s.urns, u)
	}
}

// changed lists the entities that entries name, and what depends on them.
func (x *Indexer) changed(entries []store.Entry) (*set, []dependency) {
	urns := newSet(len(entries))
	var depend []dependency
	asked := map[dependency]bool{}
	for i := range entries {
		e := &entries[i]
		if e.Kind == store.Document || e.Kind == store.DocumentsErased {
			continue
		}
		urns.add(e.URN)
		if e.Kind == store.Touched {
			continue
		}
		x.builder.Forget(e.URN)
		for _, field := range x.builder.Dependents(e.URN, e.Aspect) {
			if d := (dependency{field, e.URN}); !asked[d] {
				asked[d] = true
				depend = append(depend, d)
			}
		}
	}
	x.remember(depend)
	return urns, depend
}

// remember keeps what a rebuild in progress has to look at again: it may have
// read what a document depends on before a change, and put the document after
// the change had been carried out.
func (x *Indexer) remember(depend []dependency) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.late == nil {
		return
	}
	for _, d := range depend {
		x.late[d] = true
	}
}

// dependents visits the entities whose documents hold a URN in a field.
func (x *Indexer) dependents(ctx context.Context, d dependency, visit func(urn.URN)) error {
	q := search.Query{
		Types: x.types, Filter: search.Filter{{{Field: d.field, Values: []string{string(d.urn)}}}},
		Sort: []search.Sort{{Field: "urn"}}, Size: chunk,
	}
	for {
		page, err := x.Index.Search(ctx, q)
		if err != nil {
			return err
		}
		for _, h := range page.Hits {
			visit(h.URN)
		}
		if !page.More {
			return nil
		}
		q.After = &page.Hits[len(page.Hits)-1].Cursor
	}
}

// refresh builds the documents of some entities and applies them.
func (x *Indexer) refresh(ctx context.Context, sequence uint64, urns []urn.URN) error {
	changes := make([]search.Change, len(urns))
	parts := min(runtime.GOMAXPROCS(0), len(urns)/minPart)
	if parts < 2 {
		if err := x.build(ctx, urns, changes); err != nil {
			return err
		}
		return x.Index.Apply(ctx, sequence, changes)
	}
	var work sync.WaitGroup
	errs := make([]error, parts)
	for i := range parts {
		from, to := i*len(urns)/parts, (i+1)*len(urns)/parts
		work.Go(func() { errs[i] = x.build(ctx, urns[from:to], changes[from:to]) })
	}
	work.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return errs[i]
	}
	return x.Index.Apply(ctx, sequence, changes)
}

// minPart is how many documents make a goroutine of their own worth while.
const minPart = 32

func (x *Indexer) build(ctx context.Context, urns []urn.URN, changes []search.Change) error {
	_, docs, err := x.documents(ctx, x.builder, urns)
	if err != nil {
		return err
	}
	for i, u := range urns {
		changes[i] = search.Change{URN: u, Document: docs[i]}
	}
	return nil
}

// documents builds the documents of some entities, in order.
func (x *Indexer) documents(ctx context.Context, b *document.Builder, urns []urn.URN) ([]document.Source, []*search.Document, error) {
	sources, err := x.sources(ctx, urns)
	if err != nil {
		return nil, nil, err
	}
	docs, err := b.Build(ctx, sources)
	return sources, docs, err
}

func (x *Indexer) sources(ctx context.Context, urns []urn.URN) ([]document.Source, error) {
	records, err := x.Store.Aspects(ctx, urns)
	if err != nil {
		return nil, err
	}
	sources := make([]document.Source, len(urns))
	for i, u := range urns {
		sources[i] = document.Source{URN: u, Records: records[i]}
	}
	return sources, nil
}
