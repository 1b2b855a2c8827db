package memory

import (
	"context"
	"iter"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// edgeLists holds edges by owning entity and aspect.
type edgeLists map[urn.URN]map[string][]model.Edge

func (l edgeLists) of(owner store.Key) (list []model.Edge, ok bool) {
	list, ok = l[owner.URN][owner.Aspect]
	return list, ok
}

func (l edgeLists) put(owner store.Key, list []model.Edge) {
	if l[owner.URN] == nil {
		l[owner.URN] = map[string][]model.Edge{}
	}
	l[owner.URN][owner.Aspect] = list
}

func (l edgeLists) remove(owner store.Key) {
	delete(l[owner.URN], owner.Aspect)
	if len(l[owner.URN]) == 0 {
		delete(l, owner.URN)
	}
}

// all yields every list, in no particular order.
func (l edgeLists) all() iter.Seq2[store.Key, []model.Edge] {
	return func(yield func(store.Key, []model.Edge) bool) {
		for u, aspects := range l {
			for aspect, list := range aspects {
				if !yield(store.Key{URN: u, Aspect: aspect}, list) {
					return
				}
			}
		}
	}
}

// PutEdges implements store.Tx.
func (tx *storeTx) PutEdges(_ context.Context, owner store.Key, edges []model.Edge) error {
	if tx.over {
		return errTxOver
	}
	if err := store.CheckEdges(owner, edges); err != nil {
		return err
	}
	if len(edges) == 0 {
		tx.edges.put(owner, nil)
		return nil
	}
	created := tx.creations(owner.URN)
	put := make(map[model.EdgeKey]bool, len(edges))
	list := make([]model.Edge, 0, len(edges))
	for i := range edges {
		e := storeCloneEdge(edges[i])
		if put[e.Key()] {
			continue
		}
		put[e.Key()] = true
		if stamp, there := created[e.Key()]; there {
			e.Created = stamp
		}
		list = append(list, e)
	}
	tx.edges.put(owner, list)
	return nil
}

// creations returns the creation stamps of the edges that an entity owns.
func (tx *storeTx) creations(owner urn.URN) map[model.EdgeKey]model.AuditStamp {
	created := make(map[model.EdgeKey]model.AuditStamp)
	note := func(list []model.Edge) {
		for i := range list {
			created[list[i].Key()] = list[i].Created
		}
	}
	for aspect, list := range tx.store.edges[owner] {
		if _, replaced := tx.edges[owner][aspect]; !replaced {
			note(list)
		}
	}
	for _, list := range tx.edges[owner] {
		note(list)
	}
	return created
}

// storeCloneEdge returns a copy that shares no mutable data with e.
func storeCloneEdge(e model.Edge) model.Edge {
	e.Properties = storeBytes(e.Properties)
	return e
}

// Edges implements store.Tx.
func (tx *storeTx) Edges(_ context.Context, q store.EdgeQuery) ([]model.Edge, error) {
	if tx.over {
		return nil, errTxOver
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = storePage
	}
	edges, err := tx.ownedEdges(q)
	if q.Node != "" {
		edges = tx.edgesAt(q)
	}
	return edges[:min(q.Limit, len(edges))], err
}

func (tx *storeTx) ownedEdges(q store.EdgeQuery) ([]model.Edge, error) {
	list, replaced := tx.edges.of(q.Owner)
	if !replaced {
		list, _ = tx.store.edges.of(q.Owner)
	}
	types := setOf(q.Types)
	var edges []model.Edge
	for _, e := range list {
		if oneOf(types, e.Type) {
			edges = append(edges, storeCloneEdge(e))
		}
	}
	if q.After == nil || q.Node != "" {
		return edges, nil
	}
	place := slices.IndexFunc(edges, func(e model.Edge) bool { return e.Key() == *q.After })
	if place < 0 {
		return nil, store.ErrEdgeGone(q)
	}
	return edges[place+1:], nil
}

func (tx *storeTx) edgesAt(q store.EdgeQuery) []model.Edge {
	direction := graph.Outgoing
	if q.Incoming {
		direction = graph.Incoming
	}
	filter := newEdgeFilter(graph.Query{Nodes: []urn.URN{q.Node}, Direction: direction, Types: q.Types})
	found := make(map[model.EdgeKey]foundEdge)
	collect := func(key store.Key, list []model.Edge) {
		for i := range list {
			if filter.fits(&list[i]) {
				keepLatest(found, key, &list[i])
			}
		}
	}
	for key, list := range tx.store.edges.all() {
		if _, replaced := tx.edges.of(key); !replaced {
			collect(key, list)
		}
	}
	for key, list := range tx.edges.all() {
		collect(key, list)
	}
	edges := make([]model.Edge, 0, len(found))
	for _, f := range found {
		edges = append(edges, storeCloneEdge(*f.edge))
	}
	slices.SortFunc(edges, edgeOrder(direction))
	return edgesAfter(edges, q.After, direction)
}
