package form

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	aspect = "forms"
	rule   = "dynamicFormAssignment"
)

// Assign assigns a form to assets, with all questions open. Assets that already have it keep their
// answers and get the questions that were added since. It requires auth.ManageForms, and the actor
// must be allowed to view the assets: the assigned users of the form write its answers, so an
// assignment determines the writers of structured properties of these assets.
func (s *Service) Assign(ctx context.Context, form urn.URN, assets []string) error {
	urns, decided, err := s.assets(ctx, form, assets)
	if err != nil {
		return err
	}
	return s.assignTo(ctx, decided, form, urns)
}

func (s *Service) assignTo(ctx context.Context, decided auth.Decisions, form urn.URN, urns []urn.URN) error {
	value, err := s.edit.Stored(ctx, form, info)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, decided, urns, func(state jsontree.Object) jsontree.Object {
		own := find(state, form)
		if own != nil {
			return s.withNewPrompts(ctx, state, own, form, value)
		}
		if state == nil {
			state = jsontree.Object{"incompleteForms": []any{}, "completedForms": []any{}, "verifications": []any{}}
		}
		own = jsontree.Object{"urn": string(form), "incompletePrompts": []any{}, "completedPrompts": []any{}}
		s.addPrompts(ctx, own, jsontree.Children(value, "prompts"))
		state["incompleteForms"] = append(jsontree.Array(state, "incompleteForms"), own)
		return state
	})
	return err
}

// addPrompts adds questions to the open ones of a form on an asset.
func (s *Service) addPrompts(ctx context.Context, own jsontree.Object, prompts []jsontree.Object) {
	open := jsontree.Array(own, "incompletePrompts")
	for _, p := range prompts {
		open = append(open, jsontree.Object{"id": jsontree.Text(p, "id"), "lastModified": s.edit.Stamp(ctx)})
	}
	own["incompletePrompts"] = open
}

// withNewPrompts adds the missing questions of a form to an asset that has it. It returns nil if
// there are none. With a required question a complete form becomes incomplete, and its
// verification, which did not cover that question, ends.
func (s *Service) withNewPrompts(ctx context.Context, state, own jsontree.Object, form urn.URN, info jsontree.Object) jsontree.Object {
	asked := func(p jsontree.Object) bool {
		return hasEntry(own, "incompletePrompts", "id", jsontree.Text(p, "id")) || hasEntry(own, "completedPrompts", "id", jsontree.Text(p, "id"))
	}
	added := slices.DeleteFunc(jsontree.Children(info, "prompts"), asked)
	if len(added) == 0 {
		return nil
	}
	s.addPrompts(ctx, own, added)
	if hasOpenPrompt(own, info) && !hasEntry(state, "incompleteForms", "urn", string(form)) {
		withoutForm(state, form)
		state["incompleteForms"] = append(jsontree.Array(state, "incompleteForms"), own)
	}
	return state
}

// hasEntry reports whether a list contains an object with the given text in a member.
func hasEntry(o jsontree.Object, list, member, text string) bool {
	return slices.ContainsFunc(jsontree.Children(o, list), func(e jsontree.Object) bool { return jsontree.Text(e, member) == text })
}

// Unassign removes a form and the state of its questions from assets. The answers stay as values of
// structured properties. It requires auth.ManageForms, and the actor must be allowed to view the
// assets.
func (s *Service) Unassign(ctx context.Context, form urn.URN, assets []string) error {
	urns, decided, err := s.assets(ctx, form, assets)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, decided, urns, func(value jsontree.Object) jsontree.Object { return withoutForm(value, form) })
	return err
}

// withoutForm returns the aspect without a form, or nil if the aspect does not contain it.
func withoutForm(value jsontree.Object, form urn.URN) jsontree.Object {
	changed := false
	for member, name := range map[string]string{"incompleteForms": "urn", "completedForms": "urn", "verifications": "form"} {
		before := jsontree.Array(value, member)
		after := slices.DeleteFunc(slices.Clone(before), func(e any) bool { return jsontree.Text(jsontree.AsObject(e), name) == string(form) })
		if len(after) != len(before) {
			value[member], changed = after, true
		}
	}
	if !changed {
		return nil
	}
	return value
}

// batch is the number of assets per write when the caller does not list them.
const batch = 500

// assetTypes returns the entity types that can have forms.
func (s *Service) assetTypes() []string {
	var types []string
	for _, e := range s.edit.Registry.Entities() {
		if _, ok := e.Aspect(aspect); ok {
			types = append(types, e.Name)
		}
	}
	return types
}

// assetsWith returns the search for assets with a form, including those that the actor may not see.
// Only the search index can find them.
func (s *Service) assetsWith(form urn.URN) discover.SearchQuery {
	var filter search.Filter
	for _, field := range []string{"incompleteForms", "completedForms", "verifiedForms"} {
		filter = append(filter, []search.Criterion{{Field: field, Condition: search.Equal, Values: []string{string(form)}}})
	}
	return discover.SearchQuery{
		Deciding: true, Types: s.assetTypes(), Filter: filter, Size: batch, Sort: []search.Sort{{Field: "urn"}}, Facets: []string{},
		IncludeSoftDeleted: true, IncludeOldVersions: true, IncludeHiddenStages: true,
	}
}

// removeFromAssets removes a deleted form from all assets.
func (s *Service) removeFromAssets(ctx context.Context, decided auth.Decisions, form urn.URN) error {
	for {
		found, err := s.edit.Discover.Search(ctx, s.assetsWith(form))
		if err != nil || len(found.Hits) == 0 {
			return err
		}
		changed, err := s.change(ctx, decided, urnsOf(found.Hits), func(value jsontree.Object) jsontree.Object { return withoutForm(value, form) })
		if err != nil || !changed {
			return err
		}
	}
}

// assignToFound assigns a form to the results of a search, page by page.
func (s *Service) assignToFound(ctx context.Context, decided auth.Decisions, form urn.URN, asked discover.SearchQuery) error {
	for {
		found, err := s.edit.Discover.Search(ctx, asked)
		if err != nil {
			return err
		}
		if err := s.assignTo(ctx, decided, form, urnsOf(found.Hits)); err != nil || found.Next == "" {
			return err
		}
		asked.Scroll = found.Next
	}
}

func urnsOf(hits []search.Hit) []urn.URN {
	urns := make([]urn.URN, 0, len(hits))
	for _, h := range hits {
		urns = append(urns, h.URN)
	}
	return urns
}

// assets parses the URNs of assets that can have forms and that the actor may view; hidden ones
// count as absent.
func (s *Service) assets(ctx context.Context, form urn.URN, assets []string) ([]urn.URN, auth.Decisions, error) {
	decided, err := s.edit.Require(ctx, auth.ManageForms)
	if err != nil {
		return nil, nil, err
	}
	if err := s.edit.MustExist(ctx, noun, form); err != nil {
		return nil, nil, err
	}
	urns, err := s.edit.ParseAll("entityUrns", assets)
	if err != nil {
		return nil, nil, err
	}
	for _, u := range urns {
		spec, _ := s.edit.Registry.Entity(u.Type())
		if _, ok := spec.Aspect(aspect); !ok {
			return nil, nil, fault.New(fault.Malformed, "entityUrns: a %s cannot have forms", u.Type())
		}
	}
	return urns, decided, s.edit.MustBeShown(ctx, "asset", urns...)
}

// change changes the forms of assets and reports whether any changed.
func (s *Service) change(ctx context.Context, decided auth.Decisions, urns []urn.URN, apply func(jsontree.Object) jsontree.Object) (bool, error) {
	changes := make([]edit.Change, 0, len(urns))
	for _, u := range urns {
		changes = append(changes, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) { return apply(value), nil }})
	}
	if len(changes) == 0 {
		return false, nil
	}
	return s.edit.Apply(ctx, decided, changes...)
}

// find returns the state of a form on an asset, or nil if the asset does not have it.
func find(value jsontree.Object, form urn.URN) jsontree.Object {
	for _, member := range []string{"incompleteForms", "completedForms"} {
		for _, e := range jsontree.Array(value, member) {
			if o, ok := e.(jsontree.Object); ok && jsontree.Text(o, "urn") == string(form) {
				return o
			}
		}
	}
	return nil
}

const maxConditions = 500

// SetRule stores a rule that selects the assets of a form, in place of the previous rule, and
// assigns the form to the assets that match it now and that the actor may view. An asset matches if
// it meets all conditions of one group. Later assets get the form when the rule is set again. The
// rule is stored before the first asset changes; after an error, another call completes the
// assignment. It requires auth.ManageForms.
func (s *Service) SetRule(ctx context.Context, form urn.URN, filter search.Filter) error {
	decided, err := s.edit.Require(ctx, auth.ManageForms)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, form); err != nil {
		return err
	}
	value, err := stored(filter)
	if err != nil {
		return err
	}
	// The search validates the conditions before the rule is stored.
	asked := discover.SearchQuery{Types: s.assetTypes(), Filter: filter, Size: batch, Sort: []search.Sort{{Field: "urn"}}, Facets: []string{}}
	if _, err := s.edit.Discover.Search(ctx, asked); err != nil {
		return err
	}
	if _, err := s.edit.Apply(ctx, decided, edit.Set(form, rule, value)); err != nil {
		return err
	}
	return s.assignToFound(ctx, decided, form, asked)
}

// stored returns a rule in the form of the aspect.
func stored(filter search.Filter) (jsontree.Object, error) {
	or, size := []any{}, 0
	for _, g := range filter {
		and := []any{}
		for _, c := range g {
			if c.Field == "" {
				return nil, fault.New(fault.Malformed, "orFilters: a condition names no field")
			}
			size += 1 + len(c.Values)
			values := make([]any, 0, len(c.Values))
			for _, v := range c.Values {
				values = append(values, v)
			}
			and = append(and, jsontree.Object{"field": c.Field, "condition": string(c.Condition), "values": values, "negated": c.Negated})
		}
		if len(and) == 0 {
			return nil, fault.New(fault.Malformed, "orFilters: a group has no conditions; a rule without conditions would take in every asset")
		}
		or = append(or, jsontree.Object{"and": and})
	}
	switch {
	case len(or) == 0:
		return nil, fault.New(fault.Malformed, "orFilters: must not be empty; a rule without conditions would take in every asset")
	case size > maxConditions:
		return nil, fault.New(fault.TooLarge, "orFilters: more than %d conditions and values", maxConditions)
	}
	return jsontree.Object{"filter": jsontree.Object{"or": or}}, nil
}
