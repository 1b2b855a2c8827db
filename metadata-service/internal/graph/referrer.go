package graph

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Referrer is an aspect that refers to an entity.
type Referrer struct {
	Key model.Key
	// Relationship is the name of the edge. Source is its source: the entity itself or one of its
	// columns.
	Relationship string
	Source       urn.URN
}

// Referrers returns the aspects that refer to an entity, for at most limit of its incoming edges
// (1000 for 0 or less) behind after, in the order of the edges. An edge that is derived from
// several aspects has as many referrers. next is the edge at which to continue, nil at the end.
func Referrers(ctx context.Context, r Reader, registry *model.Registry, u urn.URN, after *model.EdgeKey, limit int) (found []Referrer, next *model.EdgeKey, err error) {
	if limit <= 0 {
		limit = 1000
	}
	edges, err := r.Edges(ctx, Query{Nodes: []urn.URN{u}, Direction: Incoming, After: after, Limit: limit})
	if err != nil {
		return nil, nil, err
	}
	makers := aspectFinder{reader: r, registry: registry, byOwner: map[urn.URN]map[model.EdgeKey][]string{}}
	for i := range edges {
		key := edges[i].Key()
		aspects, err := makers.aspects(ctx, u, key)
		if err != nil {
			return nil, nil, err
		}
		for _, aspect := range aspects {
			found = append(found, Referrer{Key: model.Key{URN: key.Owner, Aspect: aspect}, Relationship: key.Type, Source: key.Source})
		}
		next = &key
	}
	if len(edges) < limit {
		next = nil
	}
	return found, next, nil
}

// aspectFinder finds the aspects from which edges are derived. It reads each owner once.
type aspectFinder struct {
	reader   Reader
	registry *model.Registry
	byOwner  map[urn.URN]map[model.EdgeKey][]string
}

// aspects returns the aspects of the owner from which an edge to u is derived, ordered by name.
func (m *aspectFinder) aspects(ctx context.Context, u urn.URN, key model.EdgeKey) ([]string, error) {
	if known, ok := m.byOwner[key.Owner]; ok {
		return known[key], nil
	}
	made := map[model.EdgeKey][]string{}
	if entity, known := m.registry.Entity(key.Owner.Type()); known {
		for _, aspect := range entity.Aspects {
			if !aspect.MakesEdges() {
				continue
			}
			edges, err := m.reader.OwnedEdges(ctx, model.Key{URN: key.Owner, Aspect: aspect.Name})
			if err != nil {
				return nil, err
			}
			for i := range edges {
				if edges[i].Destination == u {
					made[edges[i].Key()] = append(made[edges[i].Key()], aspect.Name)
				}
			}
		}
	}
	for _, aspects := range made {
		slices.Sort(aspects)
	}
	m.byOwner[key.Owner] = made
	return made[key], nil
}
