package indexing

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

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
	applied, err := x.Index.Applied(ctx)
	if err != nil {
		return err
	}
	// A large part of the catalog can depend on a change high in a hierarchy.
	for len(urns) > chunk {
		if err := x.refresh(ctx, applied, urns[:chunk]); err != nil {
			return err
		}
		urns = urns[chunk:]
	}
	return x.refresh(ctx, last, urns)
}

// chunk is the number of search documents built at a time.
const chunk = 2000

// urnSet is a list of distinct URNs, in the order of their addition.
type urnSet struct {
	urns []urn.URN
	seen map[urn.URN]bool
}

func newURNSet(size int) *urnSet { return &urnSet{seen: make(map[urn.URN]bool, size)} }

func (s *urnSet) add(u urn.URN) {
	if !s.seen[u] {
		s.seen[u] = true
		s.urns = append(s.urns, u)
	}
}

// changed lists the entities that entries name, and the dependencies on them.
func (x *Indexer) changed(entries []store.Entry) (*urnSet, []dependency) {
	urns := newURNSet(len(entries))
	var depend []dependency
	asked := map[dependency]bool{}
	for i := range entries {
		e := &entries[i]
		if e.Kind == store.Document || e.Kind == store.DocumentsErased || e.Kind == store.Message {
			continue
		}
		urns.add(e.URN)
		if e.Kind == store.Touched {
			continue
		}
		x.builder.Invalidate(e.URN)
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

// remember records the dependencies that a running rebuild must process again: it may have read the
// data of a search document before a change, and stored the document after the change was applied.
func (x *Indexer) remember(depend []dependency) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.changedMeanwhile == nil {
		return
	}
	for _, d := range depend {
		x.changedMeanwhile[d] = true
	}
}

// dependents visits the entities whose search documents contain a URN in a field.
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

// refresh builds the search documents of some entities and applies them.
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
		work.Go(func() {
			errs[i] = background.Protect(func() error { return x.build(ctx, urns[from:to], changes[from:to]) })
		})
	}
	work.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return errs[i]
	}
	return x.Index.Apply(ctx, sequence, changes)
}

// minPart is the number of search documents from which a goroutine of its own is worthwhile.
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

// documents builds the search documents of some entities, in their order.
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

// Documents builds the search documents of some entities as the index holds them, in their order,
// nil for entities without one.
func (x *Indexer) Documents(ctx context.Context, urns []urn.URN) ([]*search.Document, error) {
	_, docs, err := x.documents(ctx, x.builder, urns)
	return docs, err
}
