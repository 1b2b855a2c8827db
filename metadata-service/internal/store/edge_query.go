package store

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EdgeQuery selects edges inside a transaction: either those that an aspect of an
// entity made, or those at a node.
type EdgeQuery struct {
	// Owner asks for the edges that this aspect of this entity made, in the order they were
	// put. Node is empty then.
	Owner Key
	// Node asks for the edges that lead from it, with Incoming those that lead to it. Those of
	// a type come together; the order is the driver's own and the same for every page. An edge
	// that several aspects of its owner make is listed once, as the latest update has it.
	Node     urn.URN
	Incoming bool
	Types    []string // names of relationships; empty for all
	// After continues behind this edge of the listing. At a node it may be gone by now; one that
	// its owner no longer makes is fault.Invalid, as there is no place to go on from.
	After *model.EdgeKey
	Limit int // at most so many; 0 or less means 1000
}

// ErrEdgeGone is what every driver says when After is not among the edges of Owner.
func ErrEdgeGone(q EdgeQuery) error {
	return fault.New(fault.Invalid, "the listing of the edges of %s of %s cannot go on behind an edge it does not make any more; start from the beginning", q.Owner.Aspect, q.Owner.URN)
}

// Check refuses a query that names neither an owner nor a node, or both. Every
// driver calls it.
func (q EdgeQuery) Check() error {
	if (q.Owner == Key{}) == (q.Node == "") {
		return fault.New(fault.Invalid, "a listing of edges names either the aspect that made them or a node")
	}
	return nil
}
