package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/recommendation"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

const defaultModules = 10

// ListRecommendations returns modules with recommended entities for a page.
func (q *query) ListRecommendations(ctx context.Context, args gqltype.ListRecommendationsArgs) (*gqltype.ListRecommendationsResult, error) {
	in := args.Input
	if _, err := q.api.entityURN("userUrn", in.UserUrn, "corpuser"); err != nil {
		return nil, err
	}
	_, limit, err := page(nil, in.Limit, defaultModules)
	if err != nil {
		return nil, err
	}
	scenario, within := recommendation.Home, searchRequest{query: "*", view: in.ViewUrn}
	if in.RequestContext != nil {
		scenario = recommendation.Scenario(in.RequestContext.Scenario)
		if search := in.RequestContext.SearchRequestContext; search != nil {
			within.query, within.filters = search.Query, search.Filters
		}
	}
	query, err := q.api.toQuery(ctx, within)
	if err != nil {
		return nil, err
	}
	out := &gqltype.ListRecommendationsResult{Modules: []*gqltype.RecommendationModule{}}
	if limit == 0 {
		return out, nil
	}
	modules, err := q.api.Recommendations.Modules(ctx, scenario, query, limit)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listRecommendations").Of("ListRecommendationsResult")["modules"].Of("RecommendationModule")["content"].Of("RecommendationContent")["entity"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListRecommendationsResult {
		for _, m := range modules {
			out.Modules = append(out.Modules, recommendationModule(l, m, want))
		}
		return out
	})
}

func recommendationModule(l *loader, m recommendation.Module, w *set) *gqltype.RecommendationModule {
	out := &gqltype.RecommendationModule{Title: m.Title, ModuleId: m.ID, RenderType: string(m.Render), Content: []*gqltype.RecommendationContent{}}
	for _, e := range m.Entries {
		out.Content = append(out.Content, &gqltype.RecommendationContent{
			Value: string(e.URN), Entity: entityNamed(l, string(e.URN), w),
			Params: &gqltype.RecommendationParams{
				SearchParams: searchFor("*", m.Field, string(e.URN)), ContentParams: &gqltype.ContentParams{Count: ptr(gqltype.Long(e.Count))},
			},
		})
	}
	return out
}

// searchFor describes the search for all entities that have a value in a field.
func searchFor(query, field, v string) *gqltype.SearchParams {
	filters := []*gqltype.FacetFilter{{Field: field, Condition: ptr("EQUAL"), Values: []string{v}, Negated: ptr(false)}}
	return &gqltype.SearchParams{Query: query, Filters: &filters}
}
