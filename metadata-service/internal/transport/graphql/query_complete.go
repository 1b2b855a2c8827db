package graphql

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

const defaultCompletions = 5

// complete returns completions of a typed text.
func (a *api) complete(ctx context.Context, types []string, text string, field *string, limit *int32, filters ...search.Filter) ([]search.Completion, error) {
	if text == "" {
		return nil, fault.New(fault.Malformed, "query: must not be empty")
	}
	size := int(valueOr(limit, defaultCompletions))
	if size < 0 || size > maxCount {
		return nil, fault.New(fault.Malformed, "limit: must be between 0 and %d, is %d", maxCount, size)
	}
	if size == 0 {
		return nil, nil
	}
	return readWithinBudget(ctx, searchCost+filterCost(filters...), func(c []search.Completion) int { return len(c) }, func() ([]search.Completion, error) {
		return a.Discover.Autocomplete(ctx, search.AutocompleteQuery{Types: types, Text: text, Field: value(field), And: filters, Limit: size})
	})
}

func completions(l *loader, found []search.Completion, w *set) (texts []string, entities []*gqltype.Entity) {
	texts, entities = []string{}, []*gqltype.Entity{}
	for _, c := range found {
		if !slices.Contains(texts, c.Text) {
			texts = append(texts, c.Text)
		}
		if e := l.Entity(c.URN, w); e != nil {
			entities = append(entities, e)
		}
	}
	return texts, entities
}

// AutoComplete completes a typed text, for entities of one type or of the default types.
func (q *query) AutoComplete(ctx context.Context, args gqltype.AutoCompleteArgs) (*gqltype.AutoCompleteResults, error) {
	in := args.Input
	types := q.api.Discover.AutocompleteTypes()
	if in.Type != nil {
		var err error
		if types, err = entityNames(&[]string{*in.Type}); err != nil {
			return nil, err
		}
	}
	found, err := q.api.complete(ctx, types, in.Query, in.Field, in.Limit, buildFilter(in.Filters, in.OrFilters))
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "autoComplete").Of("AutoCompleteResults")["entities"]
	return build(ctx, q.api, func(l *loader) *gqltype.AutoCompleteResults {
		out := &gqltype.AutoCompleteResults{Query: in.Query}
		out.Suggestions, out.Entities = completions(l, found, want)
		return out
	})
}

// completionTypesOf returns the types without duplicates and without types that search never
// covers.
func (a *api) completionTypesOf(types []string) []string {
	var out []string
	for _, t := range types {
		if a.Discover.Searches(t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// AutoCompleteForMultiple completes a typed text, separately for each entity type.
func (q *query) AutoCompleteForMultiple(ctx context.Context, args gqltype.AutoCompleteForMultipleArgs) (*gqltype.AutoCompleteMultipleResults, error) {
	in := args.Input
	request := discover.SearchQuery{Filter: buildFilter(in.Filters, in.OrFilters)}
	var err error
	if request.Types, err = entityNames(in.Types); err != nil {
		return nil, err
	}
	if err := q.api.applyView(ctx, &request, in.ViewUrn); err != nil {
		return nil, err
	}
	if len(request.Types) == 0 {
		request.Types = q.api.Discover.AutocompleteTypes()
	}
	request.Types = q.api.completionTypesOf(request.Types)
	want := selectionOf(ctx, "autoCompleteForMultiple").Of("AutoCompleteMultipleResults")["suggestions"].Of("AutoCompleteResultForEntity")["entities"]
	found := make([][]search.Completion, len(request.Types))
	for i, t := range request.Types {
		if found[i], err = q.api.complete(ctx, []string{t}, in.Query, in.Field, in.Limit, append([]search.Filter{request.Filter}, request.And...)...); err != nil {
			return nil, err
		}
	}
	return build(ctx, q.api, func(l *loader) *gqltype.AutoCompleteMultipleResults {
		out := &gqltype.AutoCompleteMultipleResults{Query: in.Query, Suggestions: []*gqltype.AutoCompleteResultForEntity{}}
		for i, t := range request.Types {
			kind, ok := gqltype.TypeValue(t)
			if len(found[i]) == 0 || !ok {
				continue
			}
			block := &gqltype.AutoCompleteResultForEntity{Type: kind}
			block.Suggestions, block.Entities = completions(l, found[i], want)
			out.Suggestions = append(out.Suggestions, block)
		}
		return out
	})
}
