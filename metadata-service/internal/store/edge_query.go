package store

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EdgeQuery selects edges inside a transaction: either those derived from an aspect of an entity,
// or those at a node.
type EdgeQuery struct {
	// Owner selects the edges derived from this aspect of this entity, in the order in which they
	// were put. Node is then empty.
	Owner Key
	// Node selects its outgoing edges, or with Incoming its incoming ones. Edges of a type are
	// adjacent; apart from that the order is specific to the driver and equal for all pages. An
	// edge that is derived from several aspects of its owner is listed once, with the attributes of
	// the latest update.
	Node     urn.URN
	Incoming bool
	Types    []string // names of relationships; empty for all
	// After continues behind this edge of the listing. At a node the edge may have been removed in
	// the meantime. An edge that is no longer derived from Owner is fault.Invalid, since it has no
	// position.
	After *model.EdgeKey
	Limit int // maximum number of edges; 0 or less means 1000
}

// ErrEdgeGone returns the error of every driver if After is not among the edges of Owner.
func ErrEdgeGone(q EdgeQuery) error {
	return fault.New(fault.Invalid, "the listing of the edges of %s of %s cannot go on behind an edge it does not make any more; start from the beginning", q.Owner.Aspect, q.Owner.URN)
}

// Check returns fault.Invalid for a query with neither an owner nor a node, or with both. Every
// driver calls it.
func (q EdgeQuery) Check() error {
	if (q.Owner == Key{}) == (q.Node == "") {
		return fault.New(fault.Invalid, "a listing of edges names either the aspect that made them or a node")
	}
	return nil
}
