package graphtest

import (
	"context"
	"errors"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/canceltest"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

var expandingCases = []testCase{
	{"each node's edges are visited in each direction", testExpand},
	{"steps without types follow nothing", testExpandNothing},
	{"visiting ends when told", testExpandEnds},
	{"expanding is the same every time", testExpandStable},
	{"an ended context ends it", testExpandContext},
	{"a context that ends on the way ends it", testLoops},
}

type visit struct {
	Node urn.URN
	Edge model.Edge
}

func (f *fixture) expand(nodes []urn.URN, steps []graph.Step) (visits []visit) {
	f.Helper()
	f.ok(f.Expand(f.Context(), nodes, steps, func(node int, e *model.Edge) bool {
		f.same("the first place of a node", slices.Index(nodes, nodes[node]), node)
		visits = append(visits, visit{nodes[node], *e})
		return true
	}))
	return visits
}

func testExpand(f *fixture) {
	all := sample(f)
	nodes := []urn.URN{dataset(2), tag(5), dataset(0), dataset(2), "urn:li:tag:unknown", column(1)}
	for _, steps := range [][]graph.Step{
		bothWays(downstreamOf, taggedWith, consumes, "Unknown"),
		{{Direction: graph.Outgoing, Types: []string{taggedWith}}},
		{{Direction: graph.Outgoing, Types: []string{consumes}}, {Direction: graph.Outgoing, Types: []string{downstreamOf, consumes}},
			{Direction: graph.Incoming, Types: []string{consumes}}},
	} {
		f.same("visits", countVisits(f.expand(nodes, steps)), expected(all, nodes, steps))
	}
}

// visitKey is a comparable form of a visit, with the key of the edge.
type visitKey struct {
	Node     urn.URN
	Key      model.EdgeKey
	Updated  model.AuditStamp
	Incoming bool
}

func countVisits(visits []visit) map[visitKey]int {
	counts := make(map[visitKey]int)
	for _, v := range visits {
		seen := visitKey{Node: v.Node, Key: v.Edge.Key(), Updated: v.Edge.Updated}
		if v.Edge.Source != v.Edge.Destination {
			seen.Incoming = v.Node == v.Edge.Destination
		}
		counts[seen]++
	}
	return counts
}

func expected(all []model.Edge, nodes []urn.URN, steps []graph.Step) map[visitKey]int {
	counts := make(map[visitKey]int)
	for _, direction := range []graph.Direction{graph.Outgoing, graph.Incoming} {
		q := graph.Query{Nodes: nodes, Direction: direction, Types: []string{}}
		for _, step := range steps {
			if step.Direction == direction {
				q.Types = append(q.Types, step.Types...)
			}
		}
		for _, e := range all {
			if !fits(e, q) {
				continue
			}
			v := visitKey{Node: e.Source, Key: e.Key(), Updated: e.Updated}
			if direction == graph.Incoming {
				v.Node, v.Incoming = e.Destination, e.Source != e.Destination
			}
			counts[v]++
		}
	}
	return counts
}

func testExpandNothing(f *fixture) {
	sample(f)
	f.same("no steps", len(f.expand([]urn.URN{dataset(1)}, nil)), 0)
	f.same("no types", len(f.expand([]urn.URN{dataset(1)}, bothWays())), 0)
	f.same("no nodes", len(f.expand(nil, bothWays(downstreamOf))), 0)
}

func testExpandEnds(f *fixture) {
	sample(f)
	visits := 0
	f.ok(f.Expand(f.Context(), []urn.URN{dataset(0), dataset(1), dataset(2)}, bothWays(downstreamOf), func(int, *model.Edge) bool {
		visits++
		return visits < 3
	}))
	f.same("visits", visits, 3)
}

func testExpandStable(f *fixture) {
	sample(f)
	nodes := []urn.URN{dataset(0), dataset(1), tag(5), column(3)}
	first := f.expand(nodes, bothWays(downstreamOf, taggedWith))
	f.same("a second time", f.expand(nodes, bothWays(downstreamOf, taggedWith)), first)
}

// testLoops cancels reads of many edges while they run.
func testLoops(f *fixture) {
	const many = 6000
	owner := aspectOf(dataset(1), "globalTags")
	f.update(func(tx store.Tx) error {
		edges := make([]model.Edge, many)
		for n := range edges {
			edges[n] = edge(dataset(1), taggedWith, tag(n), 1)
		}
		return tx.PutEdges(f.Context(), owner, edges)
	})
	q := graph.Query{Direction: graph.Outgoing, Nodes: []urn.URN{dataset(1)}, Types: []string{taggedWith}}
	for what, read := range map[string]func(ctx context.Context) error{
		"a listing": func(ctx context.Context) error { _, err := f.Edges(ctx, q); return err },
		"a count": func(ctx context.Context) error {
			_, err := f.CountEdges(ctx, graph.Query{Direction: graph.Outgoing, NeighborTypes: []string{"tag"}})
			return err
		},
		"an expansion": func(ctx context.Context) error {
			return f.Expand(ctx, q.Nodes, bothWays(taggedWith), func(int, *model.Edge) bool { return true })
		},
	} {
		canceltest.Loop(f.T, what, 10, read)
	}
}

func testExpandContext(f *fixture) {
	sample(f)
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	err := f.Expand(ctx, []urn.URN{dataset(0)}, bothWays(downstreamOf), func(int, *model.Edge) bool { return true })
	if !errors.Is(err, context.Canceled) {
		f.Errorf("got error %v, want the context's", err)
	}
}
