package catalog

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// withEdges adds to a write the relationships its value makes, so that they are
// stored in the same transaction.
func withEdges(w store.Write, spec *model.AspectSpec, value model.Object) store.Write {
	if w.MakesEdges = spec.MakesEdges(); w.MakesEdges {
		stamp := model.AuditStamp{Time: w.System.LastObserved, Actor: w.Actor}
		if stamp.Time == 0 {
			stamp.Time = w.Now
		}
		w.Edges = store.EdgesOf(spec, w.URN, value, stamp)
	}
	return w
}

// restoredEdges derives the edges of a version that becomes the latest again.
func (s *Service) restoredEdges(rec *model.Record) []model.Edge {
	spec, ok := s.Registry.Aspect(rec.Aspect)
	if !ok || !spec.MakesEdges() {
		return nil
	}
	edges, err := store.RecordEdges(spec, rec)
	if err != nil {
		return nil // a stored value decodes, and reading it reports the damage if not
	}
	return edges
}
