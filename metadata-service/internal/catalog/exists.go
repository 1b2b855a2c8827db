package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Exists reports for each URN whether its entity is stored. Soft-deleted entities count only with
// includeSoftDeleted; entities with a secret key never count. It is all or nothing: it fails if the
// actor may not know of one of the entities.
func (s *Service) Exists(ctx context.Context, urns []urn.URN, includeSoftDeleted bool) ([]bool, error) {
	checks := make([]auth.Check, len(urns))
	for i, u := range urns {
		checks[i] = auth.On(auth.OpExists, u, "")
	}
	if err := s.Permit(ctx, checks...); err != nil {
		return nil, err
	}
	exists, err := s.StoredEntities(ctx, urns...)
	if err != nil {
		return nil, err
	}
	if includeSoftDeleted {
		return exists, nil
	}
	removed, err := s.SoftDeleted(ctx, urns)
	for i := range exists {
		exists[i] = exists[i] && err == nil && !removed[i]
	}
	return exists, err
}

// AspectExists reports whether an entity has an aspect: a value, or a document of a time series. It
// requires the right to know that the entity exists, and the right to read a time-series aspect
// that takes a privilege of its own. A soft-deleted entity counts only with includeSoftDeleted, a
// withheld aspect never.
func (s *Service) AspectExists(ctx context.Context, u urn.URN, spec *model.AspectSpec, includeSoftDeleted bool) (bool, error) {
	there, err := s.Exists(ctx, []urn.URN{u}, includeSoftDeleted)
	if err != nil || !there[0] {
		return false, err
	}
	if withheld, err := s.withheld(ctx, spec, u); err != nil || withheld[0] {
		return false, err
	}
	if spec.Timeseries {
		if s.Authorizer.Measures(u.Type(), spec.Name) {
			if err := s.MayRead(ctx, u, spec.Name); err != nil {
				return false, err
			}
		}
		newest, err := s.Documents.Latest(ctx, timeseries.IndexName(u.Type(), spec.Name), []urn.URN{u})
		return len(newest) > 0, err
	}
	records, err := s.Store.Get(ctx, store.Key{URN: u, Aspect: spec.Name})
	return err == nil && records[0] != nil, err
}

// SoftDeleted reports which entities are soft-deleted, in the order of urns. A column counts as
// soft-deleted if the entity that it belongs to is. It checks no authorization.
func (s *Service) SoftDeleted(ctx context.Context, urns []urn.URN) ([]bool, error) {
	mark := s.Registry.SoftDelete()
	keys := make([]store.Key, len(urns), 2*len(urns))
	of := make([]int, len(urns), 2*len(urns)) // index in urns that a key decides about
	for i, u := range urns {
		keys[i], of[i] = store.Key{URN: u, Aspect: mark.Name}, i
		if whole := wholeOf(u); whole != u {
			keys, of = append(keys, store.Key{URN: whole, Aspect: mark.Name}), append(of, i)
		}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	removed := make([]bool, len(urns))
	for i, rec := range records {
		if rec == nil {
			continue
		}
		value, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return nil, err
		}
		removed[of[i]] = removed[of[i]] || jsontree.Bool(value, mark.SoftDelete)
	}
	return removed, nil
}
