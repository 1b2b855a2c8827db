package graphql

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The budgets of package document bound the text of a request. The amount of data to read for it
// depends on the catalog, and nested lists multiply. So a request has a read budget, too.

// DefaultMaxReadCost is the default read budget of one request. An entity costs 1, and 1 more for
// each KiB of it. A time-series document and a relationship cost 1. A search and a look-up of
// relationships cost the constants below, plus the size of their filters and of their results.
// The most expensive page that a client loads in one request stays below a tenth of the budget.
const DefaultMaxReadCost = 300_000

const (
	searchCost       = 20
	relationshipCost = 5
)

// costTime is the processor time for a read cost of 1. The index, lineage and timelines
// additionally reserve time for the work they find.
const costTime = 5 * time.Microsecond

// rootCosts are the costs of fields of Query that are known before execution. A document with
// several of them is heavy from its start, so they do not run concurrently.
var rootCosts = map[string]int{
	"getTimeline": 200, "getSchemaBlame": 200, "getSchemaVersionList": 200,
	"search": 100, "searchAcrossEntities": 100, "scrollAcrossEntities": 100, "semanticSearch": 100, "semanticSearchAcrossEntities": 100,
	"searchAcrossLineage": 100, "scrollAcrossLineage": 100, "aggregateAcrossEntities": 100,
}

// rootCost adds up the costs of the fields of an operation. A fragment counts once, as its fields
// are executed once.
func rootCost(set ast.SelectionSet, entered map[*ast.FragmentDefinition]bool) int {
	cost := 0
	for _, selected := range set {
		switch selected := selected.(type) {
		case *ast.Field:
			cost += rootCosts[selected.Name]
		case *ast.InlineFragment:
			cost += rootCost(selected.SelectionSet, entered)
		case *ast.FragmentSpread:
			if !entered[selected.Definition] {
				entered[selected.Definition] = true
				cost += rootCost(selected.Definition.SelectionSet, entered)
			}
		}
	}
	return cost
}

// valuesPerUnit is the number of values in a request, in filters and other lists, that cost 1
// together. One variable may hold thousands of values, and hundreds of fields may use it.
const valuesPerUnit = 10

// filterCost returns the cost of filters. Each criterion is a separate look-up and costs 1.
func filterCost(filters ...search.Filter) int {
	size := search.SizeOf(filters...)
	return size.Criteria + size.Values/valuesPerUnit
}

// Memory in bytes, measured with pages of thousands of entries: for each listed entry, for each
// entity that is read, and the factor for each byte of its aspects, which are decoded and
// converted to values of the schema. The catalog reserves memory for the encoded aspects.
const (
	entryBytes    = 256
	entityBytes   = 5 << 10
	decodedFactor = 4
	valueBytes    = 200 // for a value of a variable, decoded
)

// maxEntryBytes bounds the memory that is reserved for requested entries before they are read.
// Few pages are full; memory for the actual entries is reserved when they are found.
const maxEntryBytes = 8 << 20

// maxReadBytes bounds the encoded aspects of one batch, regardless of the available memory.
const maxReadBytes = 256 << 20

// readBatch is the number of entities that are read between two reservations of memory.
const readBatch = 200

// readBudget is the remaining budget of a request for reading and for its response. It is safe
// for concurrent use, as resolvers run concurrently.
type readBudget struct {
	remaining     atomic.Int64
	responseBytes atomic.Int64 // of the response
	document      *document.Document
}

type readBudgetKey struct{}

func (e *Engine) withReadBudget(ctx context.Context, d *document.Document) context.Context {
	w := &readBudget{document: d}
	w.remaining.Store(int64(e.api.MaxReadCost))
	w.responseBytes.Store(maxResponseBytes)
	if d.Kind() == ast.Mutation {
		// A mutation reads after it has changed something, and the client must learn the outcome.
		ctx = admission.Exempt(ctx)
	}
	return context.WithValue(ctx, readBudgetKey{}, w)
}

// charge takes n from the read budget of the request and reserves processor time for it. It
// returns fault.TooLarge when the budget is exhausted, and the error of package admission when
// the reservation is refused. Without a budget in ctx it does nothing.
func charge(ctx context.Context, n int) error {
	w, ok := ctx.Value(readBudgetKey{}).(*readBudget)
	if !ok {
		return nil
	}
	if w.remaining.Add(-int64(n)) < 0 {
		return fault.New(fault.TooLarge, "the request reads too much: ask for fewer entities at a time, for less of each, or with shorter lists")
	}
	return admission.Work(ctx, costTime*time.Duration(n))
}

// readWithinBudget calls read within the read budget of the request. It charges least before the
// call, and the size of the result after it.
func readWithinBudget[T any](ctx context.Context, least int, size func(T) int, read func() (T, error)) (T, error) {
	var none T
	if err := charge(ctx, least); err != nil {
		return none, err
	}
	found, err := read()
	if err != nil {
		return none, err
	}
	n := size(found)
	if err := admission.Reserve(ctx, entryBytes*int64(n)); err != nil {
		return none, err
	}
	return found, charge(ctx, n)
}

// noExtraCost is the size function of results that cost nothing beyond the least cost.
func noExtraCost[T any](T) int { return 0 }

// search calls discover.Service.Search within the read budget of the request.
func (a *api) search(ctx context.Context, q discover.SearchQuery) (discover.SearchPage, error) {
	return readWithinBudget(ctx, searchCost+filterCost(q.Filter)+filterCost(q.And...), func(p discover.SearchPage) int { return len(p.Hits) }, func() (discover.SearchPage, error) {
		return a.Discover.Search(ctx, q)
	})
}

// searchLineage calls discover.Service.SearchLineage within the read budget of the request. It
// omits facets and paths that the document does not select.
func (a *api) searchLineage(ctx context.Context, q discover.LineageQuery, want selection.Fields) (discover.LineagePage, error) {
	q.WithoutPaths = want["searchResults"].Of("SearchAcrossLineageResult")["paths"] == nil
	if want["facets"] == nil {
		q.Facets, q.PropertyFacets = []string{}, false
	}
	return readWithinBudget(ctx, searchCost+filterCost(q.Filter)+filterCost(q.And...), lineageCost, func() (discover.LineagePage, error) { return a.Discover.SearchLineage(ctx, q) })
}

// lineageCost counts the hits and the entities in their paths.
func lineageCost(p discover.LineagePage) int {
	n := len(p.Hits)
	for i := range p.Hits {
		for _, path := range p.Hits[i].Paths {
			n += len(path)
		}
	}
	return n
}

// relationshipPage calls discover.Service.Relationships within the read budget of the request.
func (a *api) relationshipPage(ctx context.Context, q discover.RelationshipQuery) (graph.Page, error) {
	return readWithinBudget(ctx, relationshipCost+len(q.Types)/valuesPerUnit, func(p graph.Page) int { return len(p.Edges) }, func() (graph.Page, error) {
		return a.Discover.Relationships(ctx, q)
	})
}

// paths calls discover.Service.PathsOf within the read budget of the request.
func (a *api) paths(ctx context.Context, u urn.URN) ([]string, error) {
	return readWithinBudget(ctx, 1, func(paths []string) int { return len(paths) }, func() ([]string, error) {
		return a.Discover.PathsOf(ctx, u)
	})
}

// version calls catalog.Service.Aspect within the read budget of the request.
func (a *api) version(ctx context.Context, u urn.URN, aspect string, version int64) (catalog.Aspect, error) {
	return readWithinBudget(ctx, 1, func(found catalog.Aspect) int { return len(found.Value) / 1024 }, func() (catalog.Aspect, error) {
		found, err := a.Catalog.Aspect(ctx, u, aspect, version, catalog.Omitted)
		if err != nil {
			return catalog.Aspect{}, err
		}
		return found, admission.Reserve(ctx, decodedFactor*int64(len(found.Value)))
	})
}

// timeseriesEvents calls statistics.Service.Events within the read budget of the request.
func (a *api) timeseriesEvents(ctx context.Context, q statistics.Query) ([]statistics.Event, error) {
	return readWithinBudget(ctx, 1, func(found []statistics.Event) int { return len(found) }, func() ([]statistics.Event, error) {
		return a.Statistics.Events(ctx, q)
	})
}

// usageOf calls statistics.Service.UsageOf within the read budget of the request.
func (a *api) usageOf(ctx context.Context, q statistics.UsageQuery) (statistics.DatasetUsage, error) {
	return readWithinBudget(ctx, 1, func(found statistics.DatasetUsage) int {
		return len(found.Buckets) + len(found.Users) + len(found.Columns)
	},
		func() (statistics.DatasetUsage, error) { return a.Statistics.UsageOf(ctx, q) })
}

// entities calls catalog.Service.Entities within the read budget and the memory of the request.
// Entities that the actor may not read are left out.
func (a *api) entities(ctx context.Context, q catalog.EntityQuery, urns ...urn.URN) ([]catalog.Entity, error) {
	if err := charge(ctx, len(urns)+len(q.Aspects)/valuesPerUnit); err != nil {
		return nil, err
	}
	q.Visible, q.MaxBytes = true, maxReadBytes
	if len(urns) <= readBatch {
		return a.readBatch(ctx, q, urns)
	}
	found := make([]catalog.Entity, 0, len(urns))
	for part := range slices.Chunk(urns, readBatch) {
		read, err := a.readBatch(ctx, q, part)
		if err != nil {
			return nil, err
		}
		found = append(found, read...)
	}
	return found, nil
}

func (a *api) readBatch(ctx context.Context, q catalog.EntityQuery, urns []urn.URN) ([]catalog.Entity, error) {
	idle.Yield(ctx)
	if err := admission.Reserve(ctx, entityBytes*int64(len(urns))); err != nil {
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
	if err := admission.Reserve(ctx, decodedFactor*int64(size)); err != nil {
		return nil, err
	}
	return found, charge(ctx, size/1024)
}
