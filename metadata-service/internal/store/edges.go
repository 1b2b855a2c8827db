package store

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// CheckEdges checks the limits of edges and that they belong to the owner. Every driver calls it
// before PutEdges. Errors are fault.Invalid, fault.TooLarge beyond a limit, and fault.Internal for an
// edge of another owner.
func CheckEdges(owner Key, edges []model.Edge) error {
	if err := checkEnd("owner", owner.URN); err != nil {
		return err
	}
	if owner.Aspect == "" || len(owner.Aspect) > MaxAspectBytes {
		return fault.New(fault.Invalid, "aspect of %s has %d bytes, 1 to %d are possible", owner.URN, len(owner.Aspect), MaxAspectBytes)
	}
	if len(edges) > MaxEdges {
		return fault.New(fault.TooLarge, "aspect %s makes more than %d relationships; split it or list fewer columns", owner.Aspect, MaxEdges)
	}
	for i := range edges {
		if err := checkEdge(owner, &edges[i]); err != nil {
			return err
		}
	}
	return nil
}

func checkEdge(owner Key, e *model.Edge) error {
	if e.Owner != owner.URN {
		return fault.New(fault.Internal, "an edge of %s was put as one of %s", e.Owner, owner.URN)
	}
	if e.Type == "" || len(e.Type) > MaxNameBytes {
		return fault.New(fault.Invalid, "name of a relationship has %d bytes, 1 to %d are possible", len(e.Type), MaxNameBytes)
	}
	if len(e.Via) > MaxURNBytes {
		return checkEnd("via", e.Via)
	}
	if len(e.Properties) > MaxValueBytes {
		return fault.New(fault.TooLarge, "properties of a relationship have %d bytes, at most %d are possible", len(e.Properties), MaxValueBytes)
	}
	if err := checkEnd("source", e.Source); err != nil {
		return err
	}
	return checkEnd("destination", e.Destination)
}

func checkEnd(what string, u urn.URN) error {
	switch {
	case u == "":
		return fault.New(fault.Invalid, "%s of a relationship is empty", what)
	case len(u) > MaxURNBytes:
		return fault.New(fault.TooLarge, "%s of a relationship has %d bytes, at most %d are possible", what, len(u), MaxURNBytes)
	}
	return nil
}
