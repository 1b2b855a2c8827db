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
	// Direction says which end Nodes are; it orders the listing. Required.
	Direction Direction
	Types     []string  // names of relationships
	Neighbors []urn.URN // the other end
	// NodeTypes and NeighborTypes are entity types of the ends.
	NodeTypes, NeighborTypes []string
	// After continues behind this edge.
	After *model.EdgeKey
	Limit int // at most so many; 0 or less means all
}

// Reader reads edges.
type Reader interface {
	// Edges lists edges ordered by node, type, neighbor and owner (text order), node being the
	// end named by Direction.
	Edges(ctx context.Context, q Query) ([]model.Edge, error)
	// CountEdges counts what Edges would list, ignoring After and Limit.
	CountEdges(ctx context.Context, q Query) (int, error)
	// Expand visits the edges of each node, in no order, as Query does with Nodes and one
	// pair of direction and types each. Visiting ends early when visit returns false. It is
	// what traversals call once a level, so it must not cost a look-up per call but per edge.
	Expand(ctx context.Context, nodes []urn.URN, steps []Step, visit func(node urn.URN, e *model.Edge) bool) error
	// OwnedEdges lists the edges an aspect of an entity made.
	OwnedEdges(ctx context.Context, owner model.Key) ([]model.Edge, error)
}

// Step is a direction with the relationship names to follow in it. An empty
// list follows none.
type Step struct {
	Direction Direction
	Types     []string
}
