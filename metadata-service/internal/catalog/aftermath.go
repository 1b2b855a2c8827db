package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	propertyEntity  = "structuredProperty"
	incidentEntity  = "incident"
	incidentSummary = "incidentsSummary"
)

// afterDeletion takes back what the service itself keeps in other entities about
// one that is gone. It may be done again at any time.
func (s *Service) afterDeletion(ctx context.Context, u urn.URN, by store.Removal) error {
	switch u.Type() {
	case propertyEntity:
		return s.dropPropertyValues(ctx, u, by)
	case incidentEntity:
		_, err := s.references(ctx, u, false, by, incidentSummary)
		return err
	}
	return nil
}

// dropPropertyValues takes the values of a structured property out of every
// entity that has some.
func (s *Service) dropPropertyValues(ctx context.Context, property urn.URN, by store.Removal) error {
	q := search.Query{
		Types: s.searchedTypes(), Size: referenceBatch, Sort: []search.Sort{{Field: "urn"}},
		Filter: search.Filter{{{Field: document.AssignedProperties, Values: []string{string(property)}}}},
	}
	for {
		page, err := s.Index.Search(ctx, q)
		if err != nil || len(page.Hits) == 0 {
			return err
		}
		err = s.change(ctx, func(tx store.Tx) error {
			for _, h := range page.Hits {
				if err := s.dropProperty(ctx, tx, h.URN, property, by); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		q.After = &page.Hits[len(page.Hits)-1].Cursor
	}
}

// searchedTypes lists the entity types that have documents in the index.
func (s *Service) searchedTypes() []string {
	var types []string
	for _, entity := range s.Registry.Entities() {
		if document.IsIndexed(entity) {
			types = append(types, entity.Name)
		}
	}
	return types
}

func (s *Service) dropProperty(ctx context.Context, tx store.Tx, u, property urn.URN, by store.Removal) error {
	key := store.Key{URN: u, Aspect: structuredProperties}
	rec, err := store.Latest(ctx, tx, key)
	if err != nil || rec == nil {
		return err
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return err
	}
	have := jsontree.Children(value, "properties")
	kept := []any{}
	for _, p := range have {
		if jsontree.Text(p, "propertyUrn") != string(property) {
			kept = append(kept, p)
		}
	}
	if len(kept) == len(have) {
		return nil
	}
	spec, _ := s.Registry.Aspect(structuredProperties)
	next := jsontree.With(value, model.Object{"properties": kept})
	_, err = store.Put(ctx, tx, rec, withEdges(store.Write{
		Key: key, Value: jsontree.Encode(next), SchemaVersion: spec.SchemaVersion, Actor: by.Actor, Now: by.Now,
		System: model.SystemMetadata{RunID: rec.System.RunID}, Retention: s.retention.of(u.Type(), structuredProperties),
	}, spec, next))
	return err
}
