package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Stored reads the latest version of a versioned aspect without authorization. It is for decisions,
// not for values that clients see. An absent or confidential aspect is fault.NotFound; encrypted
// members are masked.
func (s *Service) Stored(ctx context.Context, u urn.URN, aspect string) (Aspect, error) {
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return Aspect{}, err
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || spec.Timeseries {
		return Aspect{}, fault.New(fault.NotFound, "%s has no versioned aspect %q", entity.Name, aspect)
	}
	if spec.Confidential() {
		return Aspect{}, fault.New(fault.NotFound, "%s of %s is not readable", spec.Name, u)
	}
	records, err := s.Store.Get(ctx, store.Key{URN: u, Aspect: spec.Name})
	if err != nil {
		return Aspect{}, err
	}
	if records[0] == nil {
		return Aspect{}, fault.New(fault.NotFound, "%s of %s does not exist", spec.Name, u)
	}
	found := Aspect{Spec: spec, Record: *records[0]}
	if found.Value, err = Masked(spec, found.Value); err != nil {
		return Aspect{}, err
	}
	return found, s.hide(ctx, entity, spec, []*Aspect{&found})
}

// StoredEntities reports for each URN whether its entity is stored, soft-deleted or not, without
// authorization. Entities with a secret key never count.
func (s *Service) StoredEntities(ctx context.Context, urns ...urn.URN) ([]bool, error) {
	keys := make([]store.Key, len(urns))
	secret := make([]bool, len(urns))
	for i, u := range urns {
		entity, ok := s.Registry.Entity(u.Type())
		if !ok {
			return nil, fault.New(fault.Malformed, "Invalid urn!: %s", u)
		}
		keys[i], secret[i] = store.Key{URN: u, Aspect: entity.Key.Name}, entity.Key.Secret
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(urns))
	for i, rec := range records {
		out[i] = rec != nil && !secret[i]
	}
	return out, nil
}

// ShownEntities reports, in the order of urns, which entities are stored and may be known to the
// actor. With view authorization these are the entities that it may read, so entities of types
// whose reading requires a privilege of its own, such as secrets, also count as absent.
// Soft-deleted entities count.
func (s *Service) ShownEntities(ctx context.Context, urns ...urn.URN) ([]bool, error) {
	shown, err := s.StoredEntities(ctx, urns...)
	if err != nil {
		return nil, err
	}
	if d, err := s.discloser(ctx); d == nil || err != nil {
		return shown, err
	}
	readable, err := s.MayReadEach(ctx, urns, "")
	for i := range readable {
		shown[i] = shown[i] && readable[i]
	}
	return shown, err
}
