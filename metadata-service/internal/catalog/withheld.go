package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// An aspect is withheld from an actor that may read its entity when the aspect is secret, or when it
// is managed and the actor may not write it. A withheld aspect is answered like one that is absent.

// mayReadAspect asks for the right to read an aspect, and reports whether the aspect is withheld from
// an actor that may read its entity.
func (s *Service) mayReadAspect(ctx context.Context, u urn.URN, spec *model.AspectSpec) (withheld bool, err error) {
	if !spec.Managed {
		return spec.Secret, s.MayRead(ctx, u, spec.Name)
	}
	each, err := s.withheld(ctx, spec, u)
	if err != nil || !each[0] {
		return false, err
	}
	if err := s.MayRead(ctx, u, ""); err != nil {
		return false, s.MayRead(ctx, u, spec.Name) // which names the aspect
	}
	return true, nil
}

// withheld reports of which entities an aspect is withheld from the actor. Callers know that the actor
// may read the entities.
func (s *Service) withheld(ctx context.Context, spec *model.AspectSpec, urns ...urn.URN) ([]bool, error) {
	out := make([]bool, len(urns))
	if !spec.Confidential() {
		return out, nil
	}
	readable := out
	if !spec.Secret {
		var err error
		if readable, err = s.MayReadEach(ctx, urns, spec.Name); err != nil {
			return nil, err
		}
	}
	for i := range readable {
		out[i] = !readable[i]
	}
	return out, nil
}

// withhold takes the withheld aspects out of entities that the actor may read.
func (s *Service) withhold(ctx context.Context, entities []Entity) error {
	var of map[*model.AspectSpec][]int // the entities that carry a managed aspect, by their places
	for i := range entities {
		for j := range entities[i].Aspects {
			if spec := entities[i].Aspects[j].Spec; spec.Confidential() {
				if of == nil {
					of = map[*model.AspectSpec][]int{}
				}
				of[spec] = append(of[spec], i)
			}
		}
	}
	for spec, places := range of {
		urns := make([]urn.URN, len(places))
		for k, i := range places {
			urns[k] = entities[i].URN
		}
		withheld, err := s.withheld(ctx, spec, urns...)
		if err != nil {
			return err
		}
		for k, i := range places {
			if withheld[k] {
				entities[i].Aspects = slices.DeleteFunc(entities[i].Aspects, func(a Aspect) bool { return a.Spec == spec })
			}
		}
	}
	return nil
}
