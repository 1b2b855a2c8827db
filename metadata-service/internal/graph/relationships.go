package graph

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxVisibleScan is the maximum number of edges that Relationships examines if it must check the
// visibility of neighbors. For a node with more edges the result is marked as truncated.
const MaxVisibleScan = 100_000

// PageQuery selects a page of the relationships of a node.
type PageQuery struct {
	Node      urn.URN
	Direction Direction
	Types     []string // empty means all
	// NeighborTypes are entity types of the other ends; empty means all.
	NeighborTypes []string
	Start, Count  int
	// Visible reports which neighbors the actor may see; nil means all. The others are not counted.
	Visible func([]urn.URN) ([]bool, error)
	// VisibleOwner reports which owners of edges the actor may see, apart from the ends of the edge;
	// nil means all. An edge with a hidden owner is not counted: it is a statement of that owner.
	VisibleOwner func([]urn.URN) ([]bool, error)
}

// Page is a part of a listing.
type Page struct {
	Start int
	Edges []model.Edge
	Total int
	// Truncated is true if the total covers only the first MaxVisibleScan edges.
	Truncated bool
}

// Neighbor returns the other end of an edge that has direction d for its node.
func Neighbor(e *model.Edge, d Direction) urn.URN {
	if d == Incoming {
		return e.Source
	}
	return e.Destination
}

// Relationships returns a page of the edges of a node by offset, with their total. A negative Start
// or Count is fault.Invalid.
func Relationships(ctx context.Context, r Reader, q PageQuery) (Page, error) {
	if q.Start < 0 || q.Count < 0 {
		return Page{}, fault.New(fault.Invalid, "start and count must not be negative, they are %d and %d", q.Start, q.Count)
	}
	list := Query{Nodes: []urn.URN{q.Node}, Direction: q.Direction, Types: q.Types, NeighborTypes: q.NeighborTypes}
	if q.Visible != nil || q.VisibleOwner != nil {
		return visibleRelationships(ctx, r, q, list)
	}
	total, err := r.CountEdges(ctx, list)
	if err != nil {
		return Page{}, err
	}
	page := Page{Start: q.Start, Total: total}
	if q.Count == 0 || q.Start >= total {
		return page, nil
	}
	list.Skip, list.Limit = q.Start, q.Count
	page.Edges, err = r.Edges(ctx, list)
	return page, err
}

// visibleRelationships reads all edges, since the total depends on the visibility of each.
func visibleRelationships(ctx context.Context, r Reader, q PageQuery, list Query) (Page, error) {
	const batch = 1000
	page := Page{Start: q.Start}
	list.Limit = batch
	for seen := 0; ; seen += batch {
		if seen >= MaxVisibleScan {
			page.Truncated = true
			return page, nil
		}
		edges, err := r.Edges(ctx, list)
		if err != nil || len(edges) == 0 {
			return page, err
		}
		last := edges[len(edges)-1].Key()
		list.After = &last
		visible, err := visibleEdges(q, edges)
		if err != nil {
			return page, err
		}
		for i := range visible {
			if page.Total >= q.Start && len(page.Edges) < q.Count {
				page.Edges = append(page.Edges, visible[i])
			}
			page.Total++
		}
		if len(edges) < batch {
			return page, nil
		}
	}
}

// visibleEdges returns the edges of which the actor may see the neighbor and the owner.
func visibleEdges(q PageQuery, edges []model.Edge) ([]model.Edge, error) {
	edges, err := keepEdges(edges, q.Visible, func(e *model.Edge) urn.URN { return Neighbor(e, q.Direction) })
	if err == nil {
		edges, err = keepEdges(edges, q.VisibleOwner, DerivedBy)
	}
	if err != nil {
		return nil, fmt.Errorf("relationships of %s: decide which entities are visible: %w", q.Node, err)
	}
	return edges, nil
}

// DerivedBy returns the owner of an edge if it is neither of its ends, and an empty URN otherwise.
func DerivedBy(e *model.Edge) urn.URN {
	if e.Owner == e.Source || e.Owner == e.Destination {
		return ""
	}
	return e.Owner
}

// keepEdges returns the edges whose member passes a visibility test, in place. Edges without the
// member and a nil test pass.
func keepEdges(edges []model.Edge, visible func([]urn.URN) ([]bool, error), member func(*model.Edge) urn.URN) ([]model.Edge, error) {
	if visible == nil {
		return edges, nil
	}
	var named []urn.URN
	for i := range edges {
		if u := member(&edges[i]); u != "" {
			named = append(named, u)
		}
	}
	if len(named) == 0 {
		return edges, nil
	}
	answers, err := visible(named)
	if err != nil {
		return nil, err
	}
	if len(answers) != len(named) {
		return nil, fault.New(fault.Internal, "asked about %d entities, answered about %d", len(named), len(answers))
	}
	kept, next := edges[:0], 0
	for i := range edges {
		passes := true
		if member(&edges[i]) != "" {
			passes = answers[next]
			next++
		}
		if passes {
			kept = append(kept, edges[i])
		}
	}
	return kept, nil
}
