package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// An aspect is withheld from an actor that may read its entity if the aspect is secret, or if it is
// managed and the actor may not write it. Reads treat a withheld aspect as absent.

// mayReadAspect authorizes reading an aspect, and reports whether the aspect is withheld from an
// actor that may read its entity.
func (s *Service) mayReadAspect(ctx context.Context, u urn.URN, spec *model.AspectSpec) (withheld bool, err error) {
	if !spec.Managed {
		return spec.Secret, s.MayRead(ctx, u, spec.Name)
	}
	each, err := s.withheld(ctx, spec, u)
	if err != nil || !each[0] {
		return false, err
	}
	if err := s.MayRead(ctx, u, ""); err != nil {
		return false, s.MayRead(ctx, u, spec.Name) // the refusal that names the aspect
	}
	return true, nil
}

// withheld reports for each entity whether an aspect is withheld from the actor. The caller has
// checked that the actor may read the entities.
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

// withhold removes the withheld aspects from entities that the actor may read.
func (s *Service) withhold(ctx context.Context, entities []Entity) error {
	var of map[*model.AspectSpec][]int // indices of the entities that have a confidential aspect
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
