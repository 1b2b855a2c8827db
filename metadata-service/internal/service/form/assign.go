package form

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	aspect = "forms"
	rule   = "dynamicFormAssignment"
)

// Assign puts a form on assets, all of its questions open. Assets that have it
// keep it as it is. It needs auth.ManageForms.
func (s *Service) Assign(ctx context.Context, form urn.URN, assets []string) error {
	urns, err := s.assets(ctx, form, assets)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "asset", urns...); err != nil {
		return err
	}
	value, err := s.edit.Read(ctx, form, info)
	if err != nil {
		return err
	}
	prompts, _ := value["prompts"].([]any)
	_, err = s.change(ctx, urns, func(value jsontree.Object) jsontree.Object {
		if find(value, form) != nil {
			return nil
		}
		if value == nil {
			value = jsontree.Object{"incompleteForms": []any{}, "completedForms": []any{}, "verifications": []any{}}
		}
		open := make([]any, 0, len(prompts))
		for _, p := range prompts {
			open = append(open, jsontree.Object{"id": text(p, "id"), "lastModified": s.edit.Stamp(ctx)})
		}
		value["incompleteForms"] = append(list(value, "incompleteForms"), jsontree.Object{"urn": string(form), "incompletePrompts": open, "completedPrompts": []any{}})
		return value
	})
	return err
}

// Unassign takes a form off assets, with the state of its questions; the
// answers stay as values of structured properties. It needs auth.ManageForms.
func (s *Service) Unassign(ctx context.Context, form urn.URN, assets []string) error {
	urns, err := s.assets(ctx, form, assets)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, urns, func(value jsontree.Object) jsontree.Object { return without(value, form) })
	return err
}

// without is the aspect without a form, nil when it does not name it.
func without(value jsontree.Object, form urn.URN) jsontree.Object {
	changed := false
	for member, name := range map[string]string{"incompleteForms": "urn", "completedForms": "urn", "verifications": "form"} {
		before := list(value, member)
		after := slices.DeleteFunc(slices.Clone(before), func(e any) bool { return text(e, name) == string(form) })
		if len(after) != len(before) {
			value[member], changed = after, true
		}
	}
	if !changed {
		return nil
	}
	return value
}

// forgetBatch is how many assets are changed at once.
const forgetBatch = 500

// forget takes a form that is gone off all assets. Nothing but the search index
// knows them, and not the actor but the system takes it off: the actor need not
// see them all.
func (s *Service) forget(ctx context.Context, form urn.URN) error {
	ctx = auth.WithActor(ctx, auth.Actor{URN: model.SystemActor, System: true})
	var types []string
	for _, e := range s.edit.Registry.Entities() {
		if _, ok := e.Aspect(aspect); ok {
			types = append(types, e.Name)
		}
	}
	var filter search.Filter
	for _, field := range []string{"incompleteForms", "completedForms", "verifiedForms"} {
		filter = append(filter, []search.Criterion{{Field: field, Condition: search.Equal, Values: []string{string(form)}}})
	}
	for {
		found, err := s.edit.Catalog.Search(ctx, catalog.SearchQuery{
			Types: types, Filter: filter, Size: forgetBatch, Facets: []string{}, IncludeSoftDeleted: true, IncludeOldVersions: true, IncludeHiddenStages: true,
		})
		if err != nil || len(found.Hits) == 0 {
			return err
		}
		urns := make([]urn.URN, 0, len(found.Hits))
		for _, h := range found.Hits {
			urns = append(urns, h.URN)
		}
		changed, err := s.change(ctx, urns, func(value jsontree.Object) jsontree.Object { return without(value, form) })
		if err != nil || !changed {
			return err
		}
	}
}

// assets reads the URNs of assets that can have forms.
func (s *Service) assets(ctx context.Context, form urn.URN, assets []string) ([]urn.URN, error) {
	if err := s.edit.Privileges.Require(ctx, auth.ManageForms); err != nil {
		return nil, err
	}
	if err := s.edit.MustExist(ctx, noun, form); err != nil {
		return nil, err
	}
	urns, err := s.edit.ParseAll("entityUrns", assets)
	if err != nil {
		return nil, err
	}
	for _, u := range urns {
		spec, _ := s.edit.Registry.Entity(u.Type())
		if _, ok := spec.Aspect(aspect); !ok {
			return nil, fault.New(fault.Malformed, "entityUrns: a %s cannot have forms", u.Type())
		}
	}
	return urns, nil
}

// change changes the forms of assets and tells whether any changed.
func (s *Service) change(ctx context.Context, urns []urn.URN, apply func(jsontree.Object) jsontree.Object) (bool, error) {
	changes := make([]edit.Change, 0, len(urns))
	for _, u := range urns {
		changes = append(changes, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) { return apply(value), nil }})
	}
	if len(changes) == 0 {
		return false, nil
	}
	return s.edit.Apply(ctx, changes...)
}

func list(value jsontree.Object, member string) []any {
	l, _ := value[member].([]any)
	return l
}

// find is the state of a form on an asset, nil when it does not have it.
func find(value jsontree.Object, form urn.URN) jsontree.Object {
	for _, member := range []string{"incompleteForms", "completedForms"} {
		for _, e := range list(value, member) {
			if o, ok := e.(jsontree.Object); ok && text(o, "urn") == string(form) {
				return o
			}
		}
	}
	return nil
}

const maxConditions = 500

// SetRule says which assets get a form by themselves: those for which all
// conditions of one of its groups hold. It takes the place of the rule the form
// has. It needs auth.ManageForms.
func (s *Service) SetRule(ctx context.Context, form urn.URN, filter search.Filter) error {
	if err := s.edit.Privileges.Require(ctx, auth.ManageForms); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, form); err != nil {
		return err
	}
	or, size := []any{}, 0
	for _, g := range filter {
		and := []any{}
		for _, c := range g {
			if c.Field == "" {
				return fault.New(fault.Malformed, "orFilters: a condition names no field")
			}
			size += 1 + len(c.Values)
			values := make([]any, 0, len(c.Values))
			for _, v := range c.Values {
				values = append(values, v)
			}
			and = append(and, jsontree.Object{"field": c.Field, "condition": string(c.Condition), "values": values, "negated": c.Negated})
		}
		or = append(or, jsontree.Object{"and": and})
	}
	switch {
	case len(or) == 0:
		return fault.New(fault.Malformed, "orFilters: must not be empty; a rule without conditions would take in every asset")
	case size > maxConditions:
		return fault.New(fault.TooLarge, "orFilters: more than %d conditions and values", maxConditions)
	}
	_, err := s.edit.Apply(ctx, edit.Set(form, rule, jsontree.Object{"filter": jsontree.Object{"or": or}}))
	return err
}
