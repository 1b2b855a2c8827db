package catalog

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// associationPaths are the paths of all aspects to what they associate.
func associationPaths(r *model.Registry) map[string][]string {
	paths := map[string][]string{}
	for _, spec := range r.Aspects() {
		if found := rule.Associations(spec); len(found) > 0 {
			paths[spec.Name] = found
		}
	}
	return paths
}

// associating is an aspect with its value, of which something may have to be left out.
type associating struct {
	aspect *Aspect
	value  model.Object
	paths  []string
}

// leaveOutAssociations takes out of the aspects of entities what names tags, terms,
// domains and the like that the actor may not view. It asks about all of them at once.
func (s *Service) leaveOutAssociations(ctx context.Context, entities []Entity) error {
	restricted, err := s.restrictedAssociations(ctx)
	if err != nil || len(restricted) == 0 {
		return err
	}
	var found []associating
	var named []urn.URN
	seen := map[urn.URN]bool{}
	for i := range entities {
		for j := range entities[i].Aspects {
			a := associating{aspect: &entities[i].Aspects[j]}
			if a.paths = s.associations[a.aspect.Spec.Name]; len(a.paths) == 0 {
				continue
			}
			if a.value, err = jsontree.DecodeObject(a.aspect.Value); err != nil {
				return err
			}
			found = append(found, a)
			for _, path := range a.paths {
				for _, u := range rule.Named(a.value, path) {
					if restricted[u.Type()] && !seen[u] {
						seen[u] = true
						named = append(named, u)
					}
				}
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	readable, err := s.MayReadEach(ctx, named, "")
	if err != nil {
		return err
	}
	hidden := map[urn.URN]bool{}
	for i, u := range named {
		hidden[u] = !readable[i]
	}
	for i := range found {
		found[i].leaveOut(func(u urn.URN) bool { return hidden[u] })
	}
	return nil
}

func (a *associating) leaveOut(hidden func(urn.URN) bool) {
	changed := false
	for _, path := range a.paths {
		if rule.LeaveOut(a.value, path, hidden) {
			changed = true
		}
	}
	if changed {
		a.aspect.Value = jsontree.Encode(a.value)
	}
}

// restrictedAssociations are the types of what may be associated of which view
// authorization hides some from the actor.
func (s *Service) restrictedAssociations(ctx context.Context) (map[string]bool, error) {
	v, err := s.Visible(ctx, auth.Reading{Kind: auth.ReadAssociations, Types: rule.Associated()})
	if errors.Is(err, fault.Forbidden) {
		return nil, nil // without view authorization, types are read as a whole or not
	}
	types := map[string]bool{}
	for _, name := range v.Restricted {
		types[name] = true
	}
	return types, err
}
