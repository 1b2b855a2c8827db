// Package graph is the port to relationships between entities.
//
// Edges are written with the aspects that make them, in the same transaction
// (store.Tx.PutEdges), so a graph is never behind the store. This port reads
// them. What an edge means for lineage (which end is upstream) is the model's
// business, what an actor may see the caller's.
//
// Methods are safe for concurrent use. Each call reads one snapshot of
// committed edges.
package graph

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Direction says at which end of an edge a node stands.
type Direction string

const (
	Outgoing Direction = "OUTGOING" // the node is the source
	Incoming Direction = "INCOMING" // the node is the destination
)

// Query selects edges. Conditions are ANDed, the values of each ORed; an empty
// list does not restrict.
type Query struct {
	// Nodes are the ends the listing starts from. Empty lists the edges of all nodes.
	Nodes []urn.URN
	// Direction says which end Nodes are; it orders the listing. Required, anything else is
	// fault.Invalid.
	Direction Direction
	Types     []string  // names of relationships
	Neighbors []urn.URN // the other end
	// NodeTypes and NeighborTypes are entity types of the ends.
	NodeTypes, NeighborTypes []string
	// After continues behind this edge, which may be gone by now. One that names what the
	// store has never known may be refused as fault.Invalid.
	After *model.EdgeKey
	Skip  int // leave out so many first; cheaper than reading them
	Limit int // at most so many; 0 or less means all
}

// Reader reads edges. When ctx ends, a read returns its error after some hundred
// edges at most.
type Reader interface {
	// Edges lists edges, those of a node together (node being the end named by Direction) and
	// of these those of a type together. The order is the driver's own; it is the same for every
	// page, and edges that come or go do not change that of the others. An edge that several
	// aspects of its owner make is listed once, as the latest update has it.
	Edges(ctx context.Context, q Query) ([]model.Edge, error)
	// CountEdges counts what Edges would list, ignoring After, Skip and Limit.
	CountEdges(ctx context.Context, q Query) (int, error)
	// Expand visits the edges of each node as Query does with Nodes and one pair of direction
	// and types each, in an order of the driver's own that is the same every time. An edge from
	// a node to itself is visited once for each direction it fits. The node is told by its place
	// in nodes, the first when it is there more than once. Visiting ends early when visit
	// returns false. The edge is only valid during the call, its texts for good. It is what
	// traversals call once a level, so it costs a look-up per edge and little per call.
	Expand(ctx context.Context, nodes []urn.URN, steps []Step, visit func(node int, e *model.Edge) bool) error
	// OwnedEdges lists the edges an aspect of an entity made, in the order they were put.
	OwnedEdges(ctx context.Context, owner model.Key) ([]model.Edge, error)
}

// Step is a direction with the relationship names to follow in it. An empty
// list follows none.
type Step struct {
	Direction Direction
	Types     []string
}
