package graphql

import (
	"context"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The budgets of package document bound what a request may ask; how much there
// is to read for it depends on the data, and lists in lists multiply. So what a
// request reads is counted, too.

// maxWork is how much one request may read. An entity counts as one and one
// more for each KiB of it, a document and a relationship as one, a search and a
// look at the relationships of an entity as the number below and what they find.
// The dearest page a client asks in one request stays below a tenth.
const maxWork = 300_000

const (
	searchWork = 20
	walkWork   = 5
)

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
		return fault.New(fault.TooLarge, "the request reads too much: ask for fewer entities at a time, or for less of each")
	}
	return nil
}

// search is catalog.Search within the work of the request.
func (a *api) search(ctx context.Context, q catalog.SearchQuery) (catalog.SearchPage, error) {
	if err := spend(ctx, searchWork); err != nil {
		return catalog.SearchPage{}, err
	}
	found, err := a.Catalog.Search(ctx, q)
	if err != nil {
		return found, err
	}
	return found, spend(ctx, len(found.Hits))
}

// walk is catalog.Relationships within the work of the request.
func (a *api) walk(ctx context.Context, q catalog.RelationshipQuery) (graph.Page, error) {
	if err := spend(ctx, walkWork); err != nil {
		return graph.Page{}, err
	}
	found, err := a.Catalog.Relationships(ctx, q)
	if err != nil {
		return found, err
	}
	return found, spend(ctx, len(found.Edges))
}

// documents is statistics.Events within the work of the request.
func (a *api) documents(ctx context.Context, q statistics.Query) ([]statistics.Event, error) {
	if err := spend(ctx, 1); err != nil {
		return nil, err
	}
	found, err := a.Statistics.Events(ctx, q)
	if err != nil {
		return nil, err
	}
	return found, spend(ctx, len(found))
}

// entities is catalog.Entities within the work of the request. What the actor
// may not read is left out.
func (a *api) entities(ctx context.Context, q catalog.EntityQuery, urns ...urn.URN) ([]catalog.Entity, error) {
	if err := spend(ctx, len(urns)); err != nil {
		return nil, err
	}
	q.Visible = true
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
	return found, spend(ctx, size/1024)
}
