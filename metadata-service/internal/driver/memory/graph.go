package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var _ graph.Reader = (*Store)(nil)

// Edges implements graph.Reader.
func (s *Store) Edges(ctx context.Context, q graph.Query) ([]model.Edge, error) {
	edges, err := s.selectEdges(ctx, q)
	if err != nil {
		return nil, err
	}
	edges = edgesAfter(edges, q.After, q.Direction)
	edges = edges[min(max(q.Skip, 0), len(edges)):]
	if q.Limit > 0 {
		edges = edges[:min(q.Limit, len(edges))]
	}
	return edges, nil
}

// edgesAfter returns the part of a sorted listing after an edge, which may no longer exist.
func edgesAfter(edges []model.Edge, after *model.EdgeKey, d graph.Direction) []model.Edge {
	if after == nil {
		return edges
	}
	edge := model.Edge{Source: after.Source, Type: after.Type, Destination: after.Destination, Owner: after.Owner}
	from, found := slices.BinarySearchFunc(edges, edge, edgeOrder(d))
	if found {
		from++
	}
	return edges[from:]
}

// CountEdges implements graph.Reader.
func (s *Store) CountEdges(ctx context.Context, q graph.Query) (int, error) {
	edges, err := s.selectEdges(ctx, q)
	return len(edges), err
}

// Expand implements graph.Reader.
func (s *Store) Expand(ctx context.Context, nodes []urn.URN, steps []graph.Step, visit func(int, *model.Edge) bool) error {
	places := make(map[urn.URN]int, len(nodes))
	for i, u := range slices.Backward(nodes) {
		places[u] = i
	}
	for _, direction := range []graph.Direction{graph.Outgoing, graph.Incoming} {
		var types []string
		for _, step := range steps {
			if step.Direction == direction {
				types = append(types, step.Types...)
			}
		}
		if len(types) == 0 || len(nodes) == 0 {
			continue
		}
		edges, err := s.selectEdges(ctx, graph.Query{Nodes: nodes, Direction: direction, Types: types})
		if err != nil {
			return err
		}
		for i := range edges {
			if i%edgesPerCheck == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			node, _ := edgeEnds(&edges[i], direction)
			if !visit(places[node], &edges[i]) {
				return nil
			}
		}
	}
	return ctx.Err()
}

// OwnedEdges implements graph.Reader.
func (s *Store) OwnedEdges(ctx context.Context, owner model.Key) (edges []model.Edge, err error) {
	err = s.view(ctx, func() {
		list, _ := s.edges.of(owner)
		for _, e := range list {
			edges = append(edges, storeCloneEdge(e))
		}
	})
	return edges, err
}

// selectEdges returns all edges that a query selects, without paging.
func (s *Store) selectEdges(ctx context.Context, q graph.Query) (edges []model.Edge, err error) {
	if q.Direction != graph.Outgoing && q.Direction != graph.Incoming {
		return nil, fault.New(fault.Invalid, "direction %q is neither %s nor %s", q.Direction, graph.Outgoing, graph.Incoming)
	}
	filter := newEdgeFilter(q)
	err = s.view(ctx, func() {
		found := make(map[model.EdgeKey]foundEdge)
		examined := 0
		for key, list := range s.edges.all() {
			for i := range list {
				if examined++; examined%edgesPerCheck == 0 && ctx.Err() != nil {
					return
				}
				if filter.fits(&list[i]) {
					keepLatest(found, key, &list[i])
				}
			}
		}
		for _, f := range found {
			edges = append(edges, storeCloneEdge(*f.edge))
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(edges, edgeOrder(q.Direction))
	return edges, nil
}

// edgesPerCheck is the number of edges between two checks of the context.
const edgesPerCheck = 256

type foundEdge struct {
	edge   *model.Edge
	aspect string
}

// keepLatest selects between the aspects of an owner that produce the same edge.
func keepLatest(found map[model.EdgeKey]foundEdge, by store.Key, e *model.Edge) {
	other, there := found[e.Key()]
	if there && cmp.Or(cmp.Compare(e.Updated.Time, other.edge.Updated.Time), cmp.Compare(other.aspect, by.Aspect)) < 0 {
		return
	}
	found[e.Key()] = foundEdge{edge: e, aspect: by.Aspect}
}

// edgeFilter is a query whose lists are sets; a nil set accepts everything.
type edgeFilter struct {
	direction                       graph.Direction
	nodes, neighbors                map[urn.URN]bool
	types, nodeTypes, neighborTypes map[string]bool
}

func newEdgeFilter(q graph.Query) edgeFilter {
	return edgeFilter{
		direction: q.Direction, nodes: setOf(q.Nodes), neighbors: setOf(q.Neighbors),
		types: setOf(q.Types), nodeTypes: setOf(q.NodeTypes), neighborTypes: setOf(q.NeighborTypes),
	}
}

func setOf[T comparable](list []T) map[T]bool {
	if len(list) == 0 {
		return nil
	}
	set := make(map[T]bool, len(list))
	for _, v := range list {
		set[v] = true
	}
	return set
}

func (f edgeFilter) fits(e *model.Edge) bool {
	node, neighbor := edgeEnds(e, f.direction)
	return oneOf(f.nodes, node) && oneOf(f.neighbors, neighbor) && oneOf(f.types, e.Type) &&
		oneOf(f.nodeTypes, node.Type()) && oneOf(f.neighborTypes, neighbor.Type())
}

func oneOf[T comparable](wanted map[T]bool, v T) bool { return wanted == nil || wanted[v] }

func edgeEnds(e *model.Edge, d graph.Direction) (node, neighbor urn.URN) {
	if d == graph.Incoming {
		return e.Destination, e.Source
	}
	return e.Source, e.Destination
}

func edgeOrder(d graph.Direction) func(a, b model.Edge) int {
	return func(a, b model.Edge) int {
		aNode, aNeighbor := edgeEnds(&a, d)
		bNode, bNeighbor := edgeEnds(&b, d)
		return cmp.Or(cmp.Compare(aNode, bNode), cmp.Compare(a.Type, b.Type),
			cmp.Compare(aNeighbor, bNeighbor), cmp.Compare(a.Owner, b.Owner))
	}
}
