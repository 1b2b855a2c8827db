package catalog

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// withEdges adds to a write the relationships its value makes, so that they are
// stored in the same transaction.
func withEdges(w store.Write, spec *model.AspectSpec, value model.Object) store.Write {
	if w.MakesEdges = spec.MakesEdges(); w.MakesEdges {
		stamp := model.AuditStamp{Time: w.System.LastObserved, Actor: w.Actor}
		if stamp.Time == 0 {
			stamp.Time = w.Now
		}
		w.Edges = edgesOf(spec, w.URN, value, stamp)
	}
	return w
}

// edgesOf derives edges. What a field that may hold any text holds besides URNs
// makes none.
func edgesOf(spec *model.AspectSpec, u urn.URN, value model.Object, stamp model.AuditStamp) []model.Edge {
	return slices.DeleteFunc(spec.Edges(u, value, stamp), func(e model.Edge) bool {
		for _, end := range []urn.URN{e.Source, e.Destination} {
			if _, err := urn.Parse(string(end)); err != nil || len(end) > store.MaxURNBytes {
				return true
			}
		}
		return false
	})
}

// restoredEdges derives the edges of a version that becomes the latest again.
func (s *Service) restoredEdges(rec *model.Record) []model.Edge {
	spec, ok := s.Registry.Aspect(rec.Aspect)
	if !ok || !spec.MakesEdges() {
		return nil
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return nil // a stored value decodes, and reading it reports the damage if not
	}
	return edgesOf(spec, rec.URN, value, model.AuditStamp{Time: rec.System.LastObserved, Actor: rec.CreatedBy})
}
