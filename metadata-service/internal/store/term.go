package store

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of a lookup term.
const (
	MaxIndexBytes = 100         // name of an index
	MaxTermBytes  = MaxURNBytes // value; a longer value must be stored as its hash
)

// Term is a key of the secondary index: a value in one of the named indexes. With terms, rules find
// the entities with a name, or in a group, within the transaction that relies on the result. The
// store does not interpret terms and removes none by itself: code that adds a term for an entity
// must remove it when it no longer applies.
type Term = model.Term

// CheckTerm checks the limits of a term. Every driver calls it before it adds, removes or looks up
// a term. Errors are fault.Invalid and fault.TooLarge.
func CheckTerm(t Term) error {
	switch {
	case t.Index == "":
		return fault.New(fault.Invalid, "the index of a lookup term is empty; name one of 1 to %d bytes", MaxIndexBytes)
	case len(t.Index) > MaxIndexBytes:
		return fault.New(fault.TooLarge, "the index of a lookup term has %d bytes, at most %d are possible", len(t.Index), MaxIndexBytes)
	case t.Value == "":
		return fault.New(fault.Invalid, "the value of a lookup term of %s is empty; it has 1 to %d bytes", t.Index, MaxTermBytes)
	case len(t.Value) > MaxTermBytes:
		return fault.New(fault.TooLarge, "the value of a lookup term of %s has %d bytes, at most %d are possible; add its hash", t.Index, len(t.Value), MaxTermBytes)
	}
	return nil
}

// CheckTermOf is CheckTerm with the entity of an added or removed term.
func CheckTermOf(t Term, u urn.URN) error {
	if err := CheckTerm(t); err != nil {
		return err
	}
	switch {
	case u == "":
		return fault.New(fault.Invalid, "urn of a lookup term of %s is empty", t.Index)
	case len(u) > MaxURNBytes:
		return fault.New(fault.TooLarge, "urn of a lookup term of %s has %d bytes, at most %d are possible", t.Index, len(u), MaxURNBytes)
	}
	return nil
}
