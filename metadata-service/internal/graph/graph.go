// Package graph is the port to relationships between entities.
//
// Edges are written together with the aspects from which they are derived, in the same transaction
// (store.Tx.PutEdges), so a graph is never behind the store. This port reads them. The model
// defines the meaning of an edge for lineage (which end is upstream), and the caller decides which
// entities an actor may see.
//
// Methods are safe for concurrent use. Each call reads one snapshot of committed edges.
package graph

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Direction is the direction of edges as seen from a node.
type Direction string

const (
	Outgoing Direction = "OUTGOING" // the node is the source
	Incoming Direction = "INCOMING" // the node is the destination
)

// Query selects edges that meet all conditions. A condition is met by any of its values; an empty
// list does not restrict.
type Query struct {
	// Nodes are the nodes whose edges are listed. Empty lists the edges of all nodes.
	Nodes []urn.URN
	// Direction selects outgoing or incoming edges of Nodes, and determines the order. It is
	// required; any other value is fault.Invalid.
	Direction Direction
	Types     []string  // names of relationships
	Neighbors []urn.URN // the other end
	// NodeTypes and NeighborTypes are entity types of the two ends.
	NodeTypes, NeighborTypes []string
	// After continues behind this edge, which may have been removed in the meantime. An edge with
	// names that the store has never had may be refused as fault.Invalid.
	After *model.EdgeKey
	Skip  int // number of edges to skip; cheaper than reading them
	Limit int // maximum number of edges; 0 or less means all
}

// Reader reads edges. When ctx ends, a read returns its error after at most some hundred edges.
type Reader interface {
	// Edges returns edges grouped by node (the end named by Direction), and within a node by type.
	// Apart from that the order is specific to the driver. It is equal for all pages, and added or
	// removed edges do not change the order of the others. An edge that is derived from several
	// aspects of its owner is listed once, with the attributes of the latest update.
	Edges(ctx context.Context, q Query) ([]model.Edge, error)
	// CountEdges returns the number of edges that Edges would return without After, Skip and Limit.
	CountEdges(ctx context.Context, q Query) (int, error)
	// Expand visits the edges of each node, as Query does with Nodes and one pair of direction and
	// types for each step, in a stable order specific to the driver. An edge from a node to itself
	// is visited once for each matching direction. visit gets the index of the node in nodes, the
	// first if the node occurs more than once, and ends the visit by returning false. The edge is
	// valid only during the call; its texts stay valid. Traversals call Expand once per level, so
	// it costs one lookup per edge and little per call.
	Expand(ctx context.Context, nodes []urn.URN, steps []Step, visit func(node int, e *model.Edge) bool) error
	// OwnedEdges returns the edges derived from an aspect of an entity, in the order in which they
	// were put.
	OwnedEdges(ctx context.Context, owner model.Key) ([]model.Edge, error)
}

// Step is a direction with the names of the relationships to follow in it. An empty list follows
// none.
type Step struct {
	Direction Direction
	Types     []string
}
