package graphtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var listingCases = []testCase{
	{"every condition filters", testFilters},
	{"a listing keeps nodes and types together", testGrouped},
	{"pages make up the listing", testPages},
	{"a page goes on behind an edge that is gone", testAfterGone},
	{"a page behind the last edge is empty", testAfterLast},
	{"a direction is required", testDirection},
	{"an ended context ends a listing", testContext},
	{"a node with many edges is paged", testManyEdges},
}

// sample fills a store with edges of all kinds and returns them.
func sample(f *fixture) []model.Edge {
	var all []model.Edge
	put := func(owner model.Key, edges ...model.Edge) {
		f.put(owner, edges...)
		all = append(all, edges...)
	}
	for n := range 6 {
		put(aspectOf(dataset(n), "globalTags"),
			edge(dataset(n), taggedWith, tag(n%3), int64(n+1)), edge(dataset(n), taggedWith, tag(5), int64(n+1)))
		put(aspectOf(dataset(n), "upstreamLineage"),
			edge(dataset(n), downstreamOf, dataset((n+1)%6), 9), edge(dataset(n), downstreamOf, dataset((n+4)%6), 9),
			ownedBy(edge(column(n), downstreamOf, column((n+1)%6), 9), dataset(n)))
	}
	put(aspectOf("urn:li:chart:c", "chartInfo"),
		edge("urn:li:chart:c", consumes, dataset(0), 3), edge("urn:li:chart:c", consumes, dataset(3), 3))
	put(aspectOf(dataset(2), "selves"), edge(dataset(2), consumes, dataset(2), 4))
	put(aspectOf("urn:li:dataJob:j", "dataJobInputOutput"),
		ownedBy(edge(column(0), downstreamOf, column(1), 5), "urn:li:dataJob:j"))
	return all
}

func testFilters(f *fixture) {
	all := sample(f)
	lists := []graph.Query{
		{},
		{Nodes: []urn.URN{dataset(1)}},
		{Nodes: []urn.URN{tag(5), dataset(3), dataset(1), dataset(3), "urn:li:tag:unknown"}},
		{Nodes: []urn.URN{"urn:li:tag:unknown"}},
		{Types: []string{taggedWith}},
		{Types: []string{consumes, downstreamOf, "Unknown", consumes}},
		{Types: []string{"Unknown"}},
		{Neighbors: []urn.URN{dataset(0), tag(1)}},
		{Neighbors: []urn.URN{"urn:li:tag:unknown"}},
		{NodeTypes: []string{"dataset", "tag"}},
		{NodeTypes: []string{"Dataset"}},
		{NeighborTypes: []string{"schemaField"}},
		{NeighborTypes: []string{"tag", "chart"}, Types: []string{taggedWith, consumes}},
		{Nodes: []urn.URN{dataset(0), dataset(2)}, Neighbors: []urn.URN{dataset(2), dataset(1), tag(5)}},
		{Nodes: []urn.URN{dataset(2)}, Neighbors: []urn.URN{dataset(2)}},
		{Nodes: []urn.URN{dataset(0), dataset(2), tag(0)}, Types: []string{downstreamOf}, NeighborTypes: []string{"dataset"}},
		{Neighbors: []urn.URN{dataset(0)}, NodeTypes: []string{"chart"}},
		{Neighbors: []urn.URN{dataset(0)}, NeighborTypes: []string{"chart"}},
	}
	for i, q := range lists {
		for _, direction := range []graph.Direction{graph.Outgoing, graph.Incoming} {
			q.Direction = direction
			f.wantListed(fmt.Sprintf("query %d %s", i, direction), q, slices.DeleteFunc(slices.Clone(all), func(e model.Edge) bool { return !fits(e, q) })...)
		}
	}
}

// fits reports whether an edge meets the conditions of a query.
func fits(e model.Edge, q graph.Query) bool {
	node, neighbor := e.Source, e.Destination
	if q.Direction == graph.Incoming {
		node, neighbor = neighbor, node
	}
	return (q.Nodes == nil || slices.Contains(q.Nodes, node)) && (q.Neighbors == nil || slices.Contains(q.Neighbors, neighbor)) &&
		(q.Types == nil || slices.Contains(q.Types, e.Type)) &&
		(q.NodeTypes == nil || slices.Contains(q.NodeTypes, node.Type())) &&
		(q.NeighborTypes == nil || slices.Contains(q.NeighborTypes, neighbor.Type()))
}

func testGrouped(f *fixture) {
	sample(f)
	for _, direction := range []graph.Direction{graph.Outgoing, graph.Incoming} {
		seen := make(map[string]bool)
		last := ""
		for _, e := range f.edges(graph.Query{Direction: direction}) {
			node := e.Source
			if direction == graph.Incoming {
				node = e.Destination
			}
			group := string(node) + " " + e.Type
			if group != last && seen[group] {
				f.Errorf("%s: %s is listed in two places", direction, group)
			}
			seen[group], last = true, group
		}
		f.same("the order of a second listing", f.edges(graph.Query{Direction: direction}), f.edges(graph.Query{Direction: direction}))
	}
}

func testPages(f *fixture) {
	sample(f)
	for i, q := range []graph.Query{
		{Direction: graph.Outgoing},
		{Direction: graph.Incoming},
		{Direction: graph.Incoming, Types: []string{taggedWith, downstreamOf}},
		{Direction: graph.Outgoing, Nodes: []urn.URN{dataset(0), dataset(2), column(0)}},
		{Direction: graph.Outgoing, Neighbors: []urn.URN{tag(5), dataset(0)}},
		{Direction: graph.Incoming, NodeTypes: []string{"schemaField"}},
	} {
		want := f.edges(q)
		for _, size := range []int{1, 2, 3, 100} {
			f.same(fmt.Sprintf("query %d in pages of %d", i, size), f.pages(q, size), want)
		}
		for skip := range len(want) + 2 {
			q.Skip, q.Limit = skip, 2
			f.same(fmt.Sprintf("query %d, %d skipped", i, skip), f.edges(q), want[min(skip, len(want)):min(skip+2, len(want))])
			q.Limit = 0
			f.same("count beside skipping", f.count(q), len(want))
		}
	}
}

func (f *fixture) pages(q graph.Query, size int) (edges []model.Edge) {
	f.Helper()
	q.Limit = size
	for {
		page := f.edges(q)
		edges = append(edges, page...)
		if len(page) < size {
			return edges
		}
		key := page[len(page)-1].Key()
		q.After = &key
	}
}

func testAfterGone(f *fixture) {
	sample(f)
	q := graph.Query{Direction: graph.Incoming}
	all := f.edges(q)
	for i := range all {
		if all[i].Source != "urn:li:chart:c" {
			continue
		}
		f.put(aspectOf("urn:li:chart:c", "chartInfo"))
		key := all[i].Key()
		q.After = &key
		want := slices.DeleteFunc(all[i:], func(e model.Edge) bool { return e.Source == "urn:li:chart:c" })
		f.same("the rest", f.edges(q), want)
		return
	}
}

func testAfterLast(f *fixture) {
	sample(f)
	q := graph.Query{Direction: graph.Outgoing}
	all := f.edges(q)
	key := all[len(all)-1].Key()
	q.After = &key
	f.same("behind the last", f.edges(q), []model.Edge{})
}

func testDirection(f *fixture) {
	for _, direction := range []graph.Direction{"", "UNDIRECTED", "outgoing"} {
		_, err := f.Edges(f.Context(), graph.Query{Direction: direction})
		_, countErr := f.CountEdges(f.Context(), graph.Query{Direction: direction})
		if !errors.Is(err, fault.Invalid) || !errors.Is(countErr, fault.Invalid) {
			f.Errorf("direction %q: got errors %v and %v, want invalid", direction, err, countErr)
		}
	}
}

func testContext(f *fixture) {
	sample(f)
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	_, err := f.Edges(ctx, graph.Query{Direction: graph.Outgoing})
	_, countErr := f.CountEdges(ctx, graph.Query{Direction: graph.Outgoing})
	if !errors.Is(err, context.Canceled) || !errors.Is(countErr, context.Canceled) {
		f.Errorf("got errors %v and %v, want the context's", err, countErr)
	}
}

func testManyEdges(f *fixture) {
	const many = 2000
	f.update(func(tx store.Tx) error {
		var errs []error
		for n := range many {
			errs = append(errs, tx.PutEdges(f.Context(), aspectOf(dataset(n), "globalTags"), []model.Edge{edge(dataset(n), taggedWith, tag(1), 1)}))
		}
		return errors.Join(errs...)
	})
	q := graph.Query{Direction: graph.Incoming, Nodes: []urn.URN{tag(1)}, Types: []string{taggedWith}}
	f.same("edges", f.count(q), many)
	seen := make(map[urn.URN]bool)
	for _, e := range f.pages(q, 700) {
		seen[e.Source] = true
	}
	f.same("edges of all pages", len(seen), many)
}
