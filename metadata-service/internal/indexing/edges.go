package indexing

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// edges compares the stored edges of an entity's aspects with those derived from the aspects.
func (v *verifier) edges(ctx context.Context, s *document.Source) error {
	made := map[model.EdgeKey]bool{} // several aspects may share an edge
	for i := range s.Records {
		rec := &s.Records[i]
		want, err := v.edgesOf(rec)
		if err != nil {
			return err
		}
		have, err := v.Graph.OwnedEdges(ctx, rec.Key())
		if err != nil {
			return err
		}
		v.compare(rec, want, have, made)
	}
	v.report.Edges += len(made)
	return nil
}

// compare ignores the times at which an edge was created and last observed, since these depend on
// earlier writes. It adds the stored edges to made.
func (v *verifier) compare(rec *model.Record, want, have []model.Edge, made map[model.EdgeKey]bool) {
	stored := make(map[model.EdgeKey]*model.Edge, len(have))
	for i := range have {
		stored[have[i].Key()] = &have[i]
		made[have[i].Key()] = true
	}
	for i := range want {
		w := &want[i]
		h := stored[w.Key()]
		delete(stored, w.Key())
		switch {
		case h == nil:
			v.report.differs(&v.report.Missing, "graph: %s is missing; it is made by %s of %s", formatEdge(w), rec.Aspect, rec.URN)
		case h.Via != w.Via || string(h.Properties) != string(w.Properties):
			v.report.differs(&v.report.Stale, "graph: %s is not as %s of %s says", formatEdge(w), rec.Aspect, rec.URN)
		}
	}
	for i := range have {
		if e := &have[i]; stored[e.Key()] != nil {
			v.report.differs(&v.report.Extra, "graph: %s is there, and %s of %s does not make it", formatEdge(e), rec.Aspect, rec.URN)
		}
	}
}

// edgesOf derives the edges of a record.
func (v *verifier) edgesOf(rec *model.Record) ([]model.Edge, error) {
	spec, ok := v.Registry.Aspect(rec.Aspect)
	if !ok || !spec.MakesEdges() {
		return nil, nil
	}
	edges, err := store.RecordEdges(spec, rec)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", rec.Aspect, rec.URN, err)
	}
	return edges, nil
}

// extraEdges searches for edges of removed aspects. It reads all edges only if there are more than
// those of existing aspects.
func (v *verifier) extraEdges(ctx context.Context) error {
	stored, err := v.Graph.CountEdges(ctx, graph.Query{Direction: graph.Outgoing})
	if err != nil || stored == v.report.Edges {
		return err
	}
	return v.orphanEdges(ctx, func(e *model.Edge) {
		v.report.differs(&v.report.Extra, "graph: %s is there, and no aspect of %s makes it", formatEdge(e), e.Owner)
	})
}

// orphanEdges visits the edges that belong to no existing aspect.
func (x *Indexer) orphanEdges(ctx context.Context, visit func(e *model.Edge)) error {
	q := graph.Query{Direction: graph.Outgoing, Limit: chunk}
	for {
		edges, err := x.Graph.Edges(ctx, q)
		if err != nil || len(edges) == 0 {
			return err
		}
		owned, err := x.owned(ctx, edges)
		if err != nil {
			return err
		}
		for i := range edges {
			if !owned[edges[i].Key()] {
				visit(&edges[i])
			}
		}
		last := edges[len(edges)-1].Key()
		q.After = &last
	}
}

// owned returns all edges of the aspects of the owners of some edges.
func (x *Indexer) owned(ctx context.Context, edges []model.Edge) (map[model.EdgeKey]bool, error) {
	owners := newURNSet(0)
	for i := range edges {
		owners.add(edges[i].Owner)
	}
	records, err := x.Store.Aspects(ctx, owners.urns)
	if err != nil {
		return nil, err
	}
	known := map[model.EdgeKey]bool{}
	for i := range records {
		for j := range records[i] {
			have, err := x.Graph.OwnedEdges(ctx, records[i][j].Key())
			if err != nil {
				return nil, err
			}
			for k := range have {
				known[have[k].Key()] = true
			}
		}
	}
	return known, nil
}

func formatEdge(e *model.Edge) string {
	return fmt.Sprintf("%s -%s-> %s", e.Source, e.Type, e.Destination)
}
