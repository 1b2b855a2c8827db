package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Stored reads the latest version of a versioned aspect whoever the actor is. It
// is for what decides about something, not for what is shown. What is absent or
// confidential is fault.NotFound; encrypted members are masked.
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

// StoredEntities tells for each URN whether its entity is stored, soft-deleted or
// not, whoever the actor is. Entities whose key is secret never count.
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

// ShownEntities tells which entities are stored and may be known to the actor, in the order
// asked. With view authorization these are the ones that it may read, so that entities of types
// whose reading takes a privilege of its own, such as secrets, count as absent, too. Soft-deleted
// ones count.
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
