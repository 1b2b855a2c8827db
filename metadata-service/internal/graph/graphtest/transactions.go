package graphtest

import (
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

var transactionCases = []testCase{
	{"a transaction lists the edges of an aspect as it has put them", ownedInside},
	{"a transaction lists the edges at a node as it has put them", nodeInside},
	{"a page inside of a transaction goes on behind an edge that is gone", pageInsideBehindGone},
	{"a listing inside of a transaction names an owner or a node", queryInsideChecked},
	{"a page inside of a transaction is a thousand edges when none is named", pageInsideLimit},
}

func (f *fixture) inside(fn func(list func(q store.EdgeQuery) []model.Edge, tx store.Tx)) {
	f.Helper()
	f.update(func(tx store.Tx) error {
		fn(func(q store.EdgeQuery) []model.Edge {
			f.Helper()
			edges, err := tx.Edges(f.Context(), q)
			f.ok(err)
			return edges
		}, tx)
		return nil
	})
}

func ownedInside(f *fixture) {
	owner, other := aspectOf(dataset(1), "a"), aspectOf(dataset(1), "b")
	one, two, three := edge(dataset(1), taggedWith, tag(1), 1), edge(dataset(1), consumes, dataset(2), 1), edge(dataset(1), taggedWith, tag(3), 2)
	f.put(owner, one, two)
	f.put(other, edge(dataset(1), downstreamOf, dataset(9), 1))
	f.inside(func(list func(store.EdgeQuery) []model.Edge, tx store.Tx) {
		f.same("committed", list(store.EdgeQuery{Owner: owner}), []model.Edge{one, two})
		f.ok(tx.PutEdges(f.Context(), owner, []model.Edge{three, two}))
		f.same("replaced", list(store.EdgeQuery{Owner: owner}), []model.Edge{three, two})
		f.same("of a type", list(store.EdgeQuery{Owner: owner, Types: []string{consumes, "Unknown"}}), []model.Edge{two})
		first := three.Key()
		f.same("a page", list(store.EdgeQuery{Owner: owner, Limit: 1}), []model.Edge{three})
		f.same("the next", list(store.EdgeQuery{Owner: owner, After: &first}), []model.Edge{two})
		f.ok(tx.PutEdges(f.Context(), owner, nil))
		f.same("removed", list(store.EdgeQuery{Owner: owner}), []model.Edge{})
		f.same("of an owner nobody knows", list(store.EdgeQuery{Owner: aspectOf(dataset(77), "a")}), []model.Edge{})
	})
	f.same("afterwards", f.owned(owner), []model.Edge{})
}

func nodeInside(f *fixture) {
	kept, gone := edge(dataset(1), taggedWith, tag(1), 1), edge(dataset(2), taggedWith, tag(1), 1)
	f.put(aspectOf(dataset(1), "a"), kept)
	f.put(aspectOf(dataset(2), "a"), gone)
	f.inside(func(list func(store.EdgeQuery) []model.Edge, tx store.Tx) {
		// A node, a relationship and an owner that are new to the store.
		fresh := edge(dataset(3), "Fresh", tag(1), 5)
		own := ownedBy(edge(tag(1), consumes, tag(7), 6), dataset(3))
		late := kept
		late.Updated, late.Properties = at(9), []byte(`{"source":"UI"}`)
		f.ok(errors.Join(
			tx.PutEdges(f.Context(), aspectOf(dataset(2), "a"), nil),
			tx.PutEdges(f.Context(), aspectOf(dataset(3), "a"), []model.Edge{fresh, own}),
			tx.PutEdges(f.Context(), aspectOf(dataset(1), "b"), []model.Edge{late}),
		))
		f.same("incoming", sorted(list(store.EdgeQuery{Node: tag(1), Incoming: true})), sorted([]model.Edge{late, fresh}))
		f.same("incoming of a type", list(store.EdgeQuery{Node: tag(1), Incoming: true, Types: []string{taggedWith}}), []model.Edge{late})
		f.same("of an unknown type", list(store.EdgeQuery{Node: tag(1), Incoming: true, Types: []string{"Never"}}), []model.Edge{})
		f.same("outgoing", list(store.EdgeQuery{Node: tag(1)}), []model.Edge{own})
		f.same("of a node nobody knows", list(store.EdgeQuery{Node: tag(99)}), []model.Edge{})
	})
}

func pageInsideBehindGone(f *fixture) {
	for n := range 6 {
		f.put(aspectOf(dataset(n), "a"), edge(dataset(n), taggedWith, tag(1), 1))
	}
	f.inside(func(list func(store.EdgeQuery) []model.Edge, tx store.Tx) {
		q := store.EdgeQuery{Node: tag(1), Incoming: true, Limit: 2}
		seen := 0
		for page := list(q); len(page) > 0; page = list(q) {
			for _, e := range page {
				f.ok(tx.PutEdges(f.Context(), aspectOf(e.Owner, "a"), nil))
				seen++
			}
			after := page[len(page)-1].Key()
			q.After = &after
		}
		f.same("edges seen", seen, 6)
		q.After = nil
		f.same("left", list(q), []model.Edge{})
	})
}

func queryInsideChecked(f *fixture) {
	owner := aspectOf(dataset(1), "a")
	known := edge(dataset(1), taggedWith, tag(1), 1)
	f.put(owner, known)
	other := edge(dataset(1), taggedWith, tag(2), 1)
	f.put(aspectOf(dataset(1), "b"), other)
	gone := other.Key()
	f.update(func(tx store.Tx) error {
		for _, q := range []store.EdgeQuery{{}, {Owner: owner, Node: tag(1)}, {Owner: owner, After: &gone}} {
			if _, err := tx.Edges(f.Context(), q); !errors.Is(err, fault.Invalid) {
				f.Errorf("%+v gives %v", q, err)
			}
		}
		return nil
	})
}

func pageInsideLimit(f *fixture) {
	const many = 1003
	edges := make([]model.Edge, many)
	for i := range edges {
		edges[i] = edge(dataset(1), consumes, dataset(i), 1)
	}
	owner := aspectOf(dataset(1), "a")
	f.put(owner, edges...)
	f.inside(func(list func(store.EdgeQuery) []model.Edge, _ store.Tx) {
		for _, q := range []store.EdgeQuery{{Owner: owner}, {Node: dataset(1)}} {
			f.same("a page", len(list(q)), 1000)
			q.Limit = 2 * many
			f.same("all", len(list(q)), many)
		}
	})
}
