package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Search searches entities of one type.
func (q *query) Search(ctx context.Context, args gqltype.SearchArgs) (*gqltype.SearchResults, error) {
	in := args.Input
	request, err := q.api.toQuery(ctx, searchRequest{
		types: &[]string{in.Type}, query: in.Query, start: in.Start, count: in.Count, defaultSize: defaultHits, filters: in.Filters, or: in.OrFilters, flags: in.SearchFlags,
	})
	if err != nil {
		return nil, err
	}
	return q.api.searchResults(ctx, request, selectionOf(ctx, "search"))
}

// SearchAcrossEntities searches entities of several types.
func (q *query) SearchAcrossEntities(ctx context.Context, args gqltype.SearchAcrossEntitiesArgs) (*gqltype.SearchResults, error) {
	request, err := q.api.toQuery(ctx, searchRequestOf(args.Input))
	if err != nil {
		return nil, err
	}
	if err := q.api.KnowledgeBase.Restrict(ctx, &request); err != nil {
		return nil, err
	}
	return q.api.searchResults(ctx, request, selectionOf(ctx, "searchAcrossEntities"))
}

// ScrollAcrossEntities scrolls through all results of a search.
func (q *query) ScrollAcrossEntities(ctx context.Context, args gqltype.ScrollAcrossEntitiesArgs) (*gqltype.ScrollResults, error) {
	request, err := q.api.toQuery(ctx, scrollRequestOf(args.Input))
	if err != nil {
		return nil, err
	}
	if err := q.api.KnowledgeBase.Restrict(ctx, &request); err != nil {
		return nil, err
	}
	return q.api.scrollResults(ctx, request, selectionOf(ctx, "scrollAcrossEntities"))
}

// errSemantic is the error of semantic searches: there is no model to embed texts.
func errSemantic() error {
	return fault.New(fault.Invalid, "Semantic search is not enabled in this environment")
}

// SemanticSearch always returns errSemantic.
func (q *query) SemanticSearch(context.Context, gqltype.SemanticSearchArgs) (*gqltype.SearchResults, error) {
	return nil, errSemantic()
}

// SemanticSearchAcrossEntities always returns errSemantic.
func (q *query) SemanticSearchAcrossEntities(context.Context, gqltype.SemanticSearchAcrossEntitiesArgs) (*gqltype.SearchResults, error) {
	return nil, errSemantic()
}

// AggregateAcrossEntities counts the entities that match a search by the values of facet fields.
func (q *query) AggregateAcrossEntities(ctx context.Context, args gqltype.AggregateAcrossEntitiesArgs) (*gqltype.AggregateResults, error) {
	in := args.Input
	request, err := q.api.toQuery(ctx, searchRequest{types: in.Types, query: in.Query, count: ptr(int32(0)), or: in.OrFilters, flags: in.SearchFlags, view: in.ViewUrn})
	if err != nil {
		return nil, err
	}
	if err := q.api.KnowledgeBase.Restrict(ctx, &request); err != nil {
		return nil, err
	}
	if n := len(value(in.Facets)); n > maxFacets {
		return nil, fault.New(fault.TooLarge, "facets: %d entries, at most %d are allowed", n, maxFacets)
	}
	request.Facets = nil
	if in.Facets != nil && len(*in.Facets) > 0 {
		request.Facets = []string{}
		for _, f := range *in.Facets {
			if f != nil {
				request.Facets = append(request.Facets, *f)
			}
		}
	}
	found, err := q.api.search(ctx, request)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "aggregateAcrossEntities").Of("AggregateResults")["facets"]
	return build(ctx, q.api, func(l *loader) *gqltype.AggregateResults {
		return &gqltype.AggregateResults{Facets: ptr(q.api.facets(l, found.Facets, want))}
	})
}

// maxFacets bounds the number of facets of one search.
const maxFacets = 200

// GetEntityCounts counts entities by type. The count is zero for types that search never covers.
func (q *query) GetEntityCounts(ctx context.Context, args gqltype.GetEntityCountsArgs) (*gqltype.EntityCountResults, error) {
	in := value(args.Input)
	types, err := entityNames(in.Types)
	if err != nil {
		return nil, err
	}
	counts := []*gqltype.EntityCountResult{}
	for _, t := range types {
		kind, _ := gqltype.TypeValue(t)
		if !q.api.Discover.Searches(t) {
			counts = append(counts, &gqltype.EntityCountResult{EntityType: kind})
			continue
		}
		request := discover.SearchQuery{Types: []string{t}, Facets: []string{}}
		if err := q.api.applyView(ctx, &request, in.ViewUrn); err != nil {
			return nil, err
		}
		found, err := q.api.search(ctx, request)
		if err != nil {
			return nil, err
		}
		counts = append(counts, &gqltype.EntityCountResult{EntityType: kind, Count: int32(found.Total)})
	}
	return &gqltype.EntityCountResults{Counts: &counts}, nil
}

const quickFilters = 5

// GetQuickFilters proposes filters: the platforms and the entity types with the most assets.
func (q *query) GetQuickFilters(ctx context.Context, args gqltype.GetQuickFiltersArgs) (*gqltype.GetQuickFiltersResult, error) {
	request := discover.SearchQuery{Facets: []string{"platform", "_entityType"}}
	if err := q.api.applyView(ctx, &request, args.Input.ViewUrn); err != nil {
		return nil, err
	}
	found, err := q.api.search(ctx, request)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "getQuickFilters").Of("GetQuickFiltersResult")["quickFilters"].Of("QuickFilter")["entity"]
	return build(ctx, q.api, func(l *loader) *gqltype.GetQuickFiltersResult {
		out := &gqltype.GetQuickFiltersResult{QuickFilters: []*gqltype.QuickFilter{}}
		for _, f := range found.Facets {
			for _, b := range pageOf(f.Buckets, 0, quickFilters) {
				if b.Count > 0 {
					out.QuickFilters = append(out.QuickFilters, &gqltype.QuickFilter{Field: f.Field, Value: facetValue(f.Field, b.Value), Entity: entityNamed(l, b.Value, want)})
				}
			}
		}
		return out
	})
}
