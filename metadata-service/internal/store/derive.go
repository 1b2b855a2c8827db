package store

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EdgesOf derives the relationships of a value that can be stored. Texts that are not URNs, in
// fields that may hold any text, have no relationships.
func EdgesOf(spec *model.AspectSpec, u urn.URN, value model.Object, stamp model.AuditStamp) []model.Edge {
	return slices.DeleteFunc(spec.Edges(u, value, stamp), func(e model.Edge) bool {
		for _, end := range []urn.URN{e.Source, e.Destination} {
			if _, err := urn.Parse(string(end)); err != nil || len(end) > MaxURNBytes {
				return true
			}
		}
		return false
	})
}

// RecordEdges derives the relationships of a stored record as its write did.
func RecordEdges(spec *model.AspectSpec, rec *model.Record) ([]model.Edge, error) {
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return nil, err
	}
	return EdgesOf(spec, rec.URN, value, model.AuditStamp{Time: rec.System.LastObserved, Actor: rec.CreatedBy}), nil
}
