package indexing

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// edges compares the edges an entity's aspects have made with those they make.
func (v *verifier) edges(ctx context.Context, s *document.Source) error {
	made := map[model.EdgeKey]bool{} // several aspects may make the same
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
		if err := v.compare(ctx, rec, want, have, made); err != nil {
			return err
		}
	}
	v.report.Edges += len(made)
	return nil
}

// compare takes no notice of when an edge was made and last seen, which the
// writes before decided. What is to be there is added to made.
func (v *verifier) compare(ctx context.Context, rec *model.Record, want, have []model.Edge, made map[model.EdgeKey]bool) error {
	stored := make(map[model.EdgeKey]*model.Edge, len(have))
	for i := range have {
		stored[have[i].Key()] = &have[i]
	}
	for i := range want {
		w := &want[i]
		h := stored[w.Key()]
		delete(stored, w.Key())
		if h == nil {
			dropped, err := v.dropped(ctx, rec, w)
			if err != nil {
				return err
			}
			if dropped {
				v.report.Dropped++
				continue
			}
		}
		made[w.Key()] = true
		switch {
		case h == nil:
			v.report.differs(&v.report.Missing, "graph: %s is missing; it is made by %s of %s", show(w), rec.Aspect, rec.URN)
		case h.Via != w.Via || string(h.Properties) != string(w.Properties):
			v.report.differs(&v.report.Stale, "graph: %s is not as %s of %s says", show(w), rec.Aspect, rec.URN)
		}
	}
	for i := range have {
		if e := &have[i]; stored[e.Key()] != nil {
			made[e.Key()] = true // it has been told of, and is not to be looked for
			v.report.differs(&v.report.Extra, "graph: %s is there, and %s of %s does not make it", show(e), rec.Aspect, rec.URN)
		}
	}
	return nil
}

// dropped tells whether an end of an edge has been deleted since the aspect was
// written. Where the log no longer tells, an end that is not there, or came to
// be later, is taken for one.
func (v *verifier) dropped(ctx context.Context, rec *model.Record, e *model.Edge) (bool, error) {
	if err := v.readDeletions(ctx); err != nil {
		return false, err
	}
	for _, end := range []urn.URN{e.Source, e.Destination} {
		if end == rec.URN {
			continue
		}
		if v.deleted[end] > rec.Sequence {
			return true, nil
		}
		if rec.Sequence+1 >= v.since {
			continue
		}
		born, err := v.born(ctx, end)
		if err != nil || born == 0 || born > rec.Sequence {
			return err == nil, err
		}
	}
	return false, nil
}

// born is when the oldest aspect of an entity was written, 0 for an entity that
// is not there.
func (v *verifier) born(ctx context.Context, u urn.URN) (uint64, error) {
	records, err := v.Store.Aspects(ctx, []urn.URN{u})
	if err != nil {
		return 0, err
	}
	born := uint64(0)
	for i := range records[0] {
		if at := records[0][i].Sequence; born == 0 || at < born {
			born = at
		}
	}
	return born, nil
}

// readDeletions reads the log once it is needed.
func (v *verifier) readDeletions(ctx context.Context) error {
	if v.deleted != nil {
		return nil
	}
	first, err := v.Store.First(ctx)
	if err != nil {
		return err
	}
	if v.since = first; first == 0 {
		v.since = v.report.Last + 1
	}
	deleted := map[urn.URN]uint64{}
	for after := v.since - 1; ; {
		entries, err := v.Store.Entries(ctx, after, chunk)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		for i := range entries {
			if entries[i].Kind == store.EntityDeleted {
				deleted[entries[i].URN] = entries[i].Sequence
			}
		}
		after = entries[len(entries)-1].Sequence
	}
	v.deleted = deleted
	return nil
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

// extraEdges looks for edges of aspects that are gone. It reads all edges only
// when there are others than aspects make.
func (v *verifier) extraEdges(ctx context.Context) error {
	stored, err := v.Graph.CountEdges(ctx, graph.Query{Direction: graph.Outgoing})
	if err != nil || stored == v.report.Edges {
		return err
	}
	return v.strays(ctx, func(e *model.Edge) {
		v.report.differs(&v.report.Extra, "graph: %s is there, and no aspect of %s makes it", show(e), e.Owner)
	})
}

// strays visits the edges that none of the aspects that are there has made.
func (x *Indexer) strays(ctx context.Context, visit func(e *model.Edge)) error {
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

// owned lists all edges that aspects of the owners of some have made.
func (x *Indexer) owned(ctx context.Context, edges []model.Edge) (map[model.EdgeKey]bool, error) {
	owners := newSet(0)
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

func show(e *model.Edge) string {
	return fmt.Sprintf("%s -%s-> %s", e.Source, e.Type, e.Destination)
}
