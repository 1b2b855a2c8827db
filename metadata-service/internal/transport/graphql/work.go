package graphql

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The budgets of package document bound what a request may ask; how much there
// is to read for it depends on the data, and lists in lists multiply. So what a
// request reads is counted, too.

// maxWork is how much one request may read. An entity counts as one and one
// more for each KiB of it, a document and a relationship as one, a search and a
// look at the relationships of an entity as the number below, what they are given to
// look for, and what they find.
// The dearest page a client asks in one request stays below a tenth.
const maxWork = 300_000

const (
	searchWork = 20
	walkWork   = 5
)

// valuesPerWork is how many values that the request gives count as one: of filters, and
// of other lists that are looked through. One variable may hold thousands and be used
// in hundreds of fields.
const valuesPerWork = 10

// filterWork counts what filters hold. Each criterion is looked up by itself, and counts
// as one.
func filterWork(filters ...search.Filter) int {
	size := search.SizeOf(filters...)
	return size.Criteria + size.Values/valuesPerWork
}

// What a request weighs, in bytes of memory, as measured with pages of thousands of
// entries: each entry that is listed, each entity that is read, and each byte of what
// is read of it, which is decoded and made into values of the schema.
const (
	entryBytes  = 256
	entityBytes = 5 << 10
	readFactor  = 5
	valueBytes  = 200 // of a variable, once it is decoded
)

// mostEntries is what the entries that are asked for weigh at most. Few pages are as
// full as they may be; what is found adds to the weight when it is.
const mostEntries = 8 << 20

// readStep is how many entities are read between two weighings.
const readStep = 200

// work is what is left for a request. Resolvers run side by side.
type work struct {
	left   atomic.Int64
	volume atomic.Int64 // of the answer
	asks   *document.Document
}

type workKey struct{}

func withWork(ctx context.Context, d *document.Document) context.Context {
	w := &work{asks: d}
	w.left.Store(maxWork)
	w.volume.Store(maxVolume)
	return context.WithValue(ctx, workKey{}, w)
}

// spend takes from what is left for the request.
func spend(ctx context.Context, n int) error {
	w, ok := ctx.Value(workKey{}).(*work)
	if ok && w.left.Add(-int64(n)) < 0 {
		return fault.New(fault.TooLarge, "the request reads too much: ask for fewer entities at a time, for less of each, or with shorter lists")
	}
	return nil
}

// counted is a read within the work of the request: what it takes at least, and
// then what it finds.
func counted[T any](ctx context.Context, least int, size func(T) int, read func() (T, error)) (T, error) {
	var none T
	if err := spend(ctx, least); err != nil {
		return none, err
	}
	found, err := read()
	if err != nil {
		return none, err
	}
	n := size(found)
	if err := take(ctx, entryBytes*int64(n)); err != nil {
		return none, err
	}
	return found, spend(ctx, n)
}

// take adds to the weight of a query. A mutation has changed something when it
// reads: what it did must be told, so it is never refused there.
func take(ctx context.Context, weight int64) error {
	w, ok := ctx.Value(workKey{}).(*work)
	if ok && w.asks.Kind() == ast.Mutation {
		return nil
	}
	return admission.Take(ctx, weight)
}

// noMore is the size of what is one however large.
func noMore[T any](T) int { return 0 }

// search is catalog.Search within the work of the request.
func (a *api) search(ctx context.Context, q discover.SearchQuery) (discover.SearchPage, error) {
	return counted(ctx, searchWork+filterWork(q.Filter)+filterWork(q.And...), func(p discover.SearchPage) int { return len(p.Hits) }, func() (discover.SearchPage, error) {
		return a.Discover.Search(ctx, q)
	})
}

// searchLineage is catalog.SearchLineage within the work of the request, without
// facets and paths when nobody asks for them.
func (a *api) searchLineage(ctx context.Context, q discover.LineageQuery, want selection.Fields) (discover.LineagePage, error) {
	q.WithoutPaths = want["searchResults"].Of("SearchAcrossLineageResult")["paths"] == nil
	if want["facets"] == nil {
		q.Facets, q.PropertyFacets = []string{}, false
	}
	return counted(ctx, searchWork+filterWork(q.Filter)+filterWork(q.And...), lineageWork, func() (discover.LineagePage, error) { return a.Discover.SearchLineage(ctx, q) })
}

// lineageWork counts hits, and what their paths hold.
func lineageWork(p discover.LineagePage) int {
	n := len(p.Hits)
	for i := range p.Hits {
		for _, path := range p.Hits[i].Paths {
			n += len(path)
		}
	}
	return n
}

// walk is catalog.Relationships within the work of the request.
func (a *api) walk(ctx context.Context, q discover.RelationshipQuery) (graph.Page, error) {
	return counted(ctx, walkWork+len(q.Types)/valuesPerWork, func(p graph.Page) int { return len(p.Edges) }, func() (graph.Page, error) {
		return a.Discover.Relationships(ctx, q)
	})
}

// paths is catalog.PathsOf within the work of the request.
func (a *api) paths(ctx context.Context, u urn.URN) ([]string, error) {
	return counted(ctx, 1, func(paths []string) int { return len(paths) }, func() ([]string, error) {
		return a.Discover.PathsOf(ctx, u)
	})
}

// version is catalog.Aspect within the work of the request.
func (a *api) version(ctx context.Context, u urn.URN, aspect string, version int64) (catalog.Aspect, error) {
	return counted(ctx, 1, func(found catalog.Aspect) int { return len(found.Value) / 1024 }, func() (catalog.Aspect, error) {
		return a.Catalog.Aspect(ctx, u, aspect, version)
	})
}

// documents is statistics.Events within the work of the request.
func (a *api) documents(ctx context.Context, q statistics.Query) ([]statistics.Event, error) {
	return counted(ctx, 1, func(found []statistics.Event) int { return len(found) }, func() ([]statistics.Event, error) {
		return a.Statistics.Events(ctx, q)
	})
}

// entities is catalog.Entities within the work and the weight of the request. What
// the actor may not read is left out.
func (a *api) entities(ctx context.Context, q catalog.EntityQuery, urns ...urn.URN) ([]catalog.Entity, error) {
	if err := spend(ctx, len(urns)+len(q.Aspects)/valuesPerWork); err != nil {
		return nil, err
	}
	q.Visible = true
	if len(urns) <= readStep {
		return a.weighed(ctx, q, urns)
	}
	found := make([]catalog.Entity, 0, len(urns))
	for part := range slices.Chunk(urns, readStep) {
		read, err := a.weighed(ctx, q, part)
		if err != nil {
			return nil, err
		}
		found = append(found, read...)
	}
	return found, nil
}

func (a *api) weighed(ctx context.Context, q catalog.EntityQuery, urns []urn.URN) ([]catalog.Entity, error) {
	if err := take(ctx, entityBytes*int64(len(urns))); err != nil {
		return nil, err
	}
	found, err := a.Catalog.Entities(ctx, urns, q)
	if err != nil {
		return nil, err
	}
	size := 0
	for i := range found {
		for j := range found[i].Aspects {
			size += len(found[i].Aspects[j].Value)
		}
	}
	if err := take(ctx, readFactor*int64(size)); err != nil {
		return nil, err
	}
	return found, spend(ctx, size/1024)
}
