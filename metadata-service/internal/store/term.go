package store

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of a lookup term.
const (
	MaxIndexBytes = 100         // of the name of an index
	MaxTermBytes  = MaxURNBytes // of the value; who has a longer one stores its hash
)

// Term is a key of the secondary index that transactions keep: a value in one of
// the named indices. Rules look up by it which entities have a name, or belong to
// a group, in the transaction that is about to rely on the answer. The store knows
// nothing of what a term means, and removes none by itself: who adds a term for an
// entity removes it with what it stands for.
type Term = model.Term

// CheckTerm is what every driver checks before a term is added, removed or looked up.
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

// CheckTermOf is CheckTerm with the entity that a term is added for or removed from.
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
