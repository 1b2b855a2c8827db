package indexing

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Report is what a comparison with the store found.
type Report struct {
	Entities  int // in the store
	Documents int // in the index
	Edges     int // in the graph
	// Different counts what is not as the store says; Examples are the first of it.
	Different int
	Examples  []string
	// Position is where the index is, Last the end of the log.
	Position, Last uint64
}

// Equal tells whether index and graph hold what the store says.
func (r *Report) Equal() bool { return r.Different == 0 && r.Position == r.Last }

const maxExamples = 100

func (r *Report) differs(format string, args ...any) {
	if r.Different++; len(r.Examples) < maxExamples {
		r.Examples = append(r.Examples, fmt.Sprintf(format, args...))
	}
}

// Verify compares index and graph with what the store says now. Nothing must be
// written meanwhile: changes would be reported as differences.
func (x *Indexer) Verify(ctx context.Context) (Report, error) {
	r := Report{Position: x.Index.Applied()}
	r.Last, _ = x.Store.Last()
	indexed, stop := iter.Pull2(x.Index.Fingerprints)
	defer stop()
	have, print, more := indexed()
	identities := map[uint64]struct{}{} // of edges
	extra := func(before urn.URN, all bool) {
		for more && (all || have < before) {
			r.differs("index: %s is not in the store", have)
			r.Documents++
			have, print, more = indexed()
		}
	}
	for after := urn.URN(""); ; {
		page, err := x.Store.Scan(ctx, store.Scan{After: after, Limit: chunk})
		if err != nil {
			return r, err
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1]
		sources, err := x.sources(ctx, page)
		if err != nil {
			return r, err
		}
		docs, err := x.builder.Build(ctx, sources)
		if err != nil {
			return r, err
		}
		for i, u := range page {
			r.Entities++
			extra(u, false)
			found := more && have == u
			switch {
			case docs[i] == nil && found:
				r.differs("index: %s should have no document", u)
			case docs[i] != nil && !found:
				r.differs("index: %s is missing", u)
			case docs[i] != nil && search.Fingerprint(docs[i]) != print:
				r.differs("index: %s is not up to date", u)
			}
			if found {
				r.Documents++
				have, print, more = indexed()
			}
			if err := x.verifyEdges(ctx, &sources[i], &r, identities); err != nil {
				return r, err
			}
		}
	}
	extra("", true)
	r.Edges = len(identities)
	return r, x.countEdges(ctx, &r)
}

// verifyEdges compares the edges an entity's aspects made with those they make.
func (x *Indexer) verifyEdges(ctx context.Context, s *document.Source, r *Report, identities map[uint64]struct{}) error {
	for i := range s.Records {
		rec := &s.Records[i]
		spec, ok := x.Registry.Aspect(rec.Aspect)
		if !ok || !spec.MakesEdges() {
			continue
		}
		want, err := store.RecordEdges(spec, rec)
		if err != nil {
			return err
		}
		have, err := x.Graph.OwnedEdges(ctx, rec.Key())
		if err != nil {
			return err
		}
		for j := range have {
			identities[identity(have[j].Key())] = struct{}{}
		}
		if !slices.EqualFunc(have, want, sameEdge) {
			r.differs("graph: %s of %s makes %d edges, %d are stored, or others", rec.Aspect, rec.URN, len(want), len(have))
		}
	}
	return nil
}

// sameEdge compares what an aspect says of an edge. When it was made and last
// seen depends on the writes before.
func sameEdge(a, b model.Edge) bool {
	return a.Key() == b.Key() && a.Via == b.Via && string(a.Properties) == string(b.Properties)
}

// countEdges finds edges of aspects that are gone.
func (x *Indexer) countEdges(ctx context.Context, r *Report) error {
	stored, err := x.Graph.CountEdges(ctx, graph.Query{Direction: graph.Outgoing})
	if err != nil {
		return err
	}
	if stored != r.Edges {
		r.differs("graph: %d edges are stored, aspects make %d", stored, r.Edges)
	}
	return nil
}

// identity is a hash of an edge's identity.
func identity(k model.EdgeKey) uint64 {
	h := fnv.New64a()
	for _, text := range []string{string(k.Source), k.Type, string(k.Destination), string(k.Owner)} {
		_, _ = io.WriteString(h, text) // a hash never fails
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}
