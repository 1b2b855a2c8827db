package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/knowledge"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields that list entities found by a search.

const defaultChildren = 20

// count returns the number of entities that have the URN in a field.
func (a *api) count(ctx context.Context, field string, u urn.URN, types ...string) (int, error) {
	q := discover.SearchQuery{Types: types, Facets: []string{}}
	restrictTo(&q, field, u)
	found, err := a.search(ctx, q)
	return found.Total, err
}

// listPage finds entities of one type by a field, in the given order.
func (a *api) listPage(ctx context.Context, entityType, field string, u urn.URN, from, size int, by ...search.Sort) (search.Result, error) {
	q := discover.SearchQuery{Types: []string{entityType}, From: from, Size: size, Sort: by, Facets: []string{}}
	restrictTo(&q, field, u)
	found, err := a.search(ctx, q)
	return found.Result, err
}

func urnsOf(found []search.Hit) []urn.URN {
	out := make([]urn.URN, len(found))
	for i, h := range found {
		out[i] = h.URN
	}
	return out
}

// entitiesIn is the search of the field entities of containers and domains.
func (a *api) entitiesIn(ctx context.Context, field string, u urn.URN, query *string, start, count *int32, filters *[]gqltype.FacetFilterInput, w *set) (*gqltype.SearchResults, error) {
	q, err := a.toQuery(ctx, searchRequest{query: valueOr(query, "*"), start: start, count: count, defaultSize: defaultChildren, filters: filters})
	if err != nil {
		return nil, err
	}
	restrictTo(&q, field, u)
	return a.searchResults(ctx, q, w)
}

// ContainerEntities searches the assets directly in a container.
func (a *api) ContainerEntities(at place, w *set) func(context.Context, gqltype.ContainerEntitiesArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.ContainerEntitiesArgs) (*gqltype.SearchResults, error) {
		in := value(args.Input)
		return a.entitiesIn(ctx, "container", at.URN, in.Query, in.Start, in.Count, in.Filters, w)
	}
}

// DomainEntities searches the assets of a domain.
func (a *api) DomainEntities(at place, w *set) func(context.Context, gqltype.DomainEntitiesArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.DomainEntitiesArgs) (*gqltype.SearchResults, error) {
		in := value(args.Input)
		return a.entitiesIn(ctx, "domains", at.URN, in.Query, in.Start, in.Count, in.Filters, w)
	}
}

// inApplication is the filter for the direct content of an application: its assets, and the
// applications below it.
func inApplication(u urn.URN) search.Filter {
	return search.Filter{{{Field: "applications", Values: []string{string(u)}}}, {{Field: "parentApplication", Values: []string{string(u)}}}}
}

// applicationAssets searches the direct content of an application.
func (a *api) applicationAssets(ctx context.Context, u urn.URN, in gqltype.SearchAcrossEntitiesInput, w *set) (*gqltype.SearchResults, error) {
	q, err := a.toQuery(ctx, searchRequestOf(in))
	if err != nil {
		return nil, err
	}
	q.And = append(q.And, inApplication(u))
	return a.searchResults(ctx, q, w)
}

func searchRequestOf(in gqltype.SearchAcrossEntitiesInput) searchRequest {
	return searchRequest{types: in.Types, query: in.Query, start: in.Start, count: in.Count, defaultSize: defaultHits, filters: in.Filters, or: in.OrFilters, flags: in.SearchFlags, sort: in.SortInput, view: in.ViewUrn}
}

func scrollRequestOf(in gqltype.ScrollAcrossEntitiesInput) searchRequest {
	return searchRequest{types: in.Types, query: in.Query, count: in.Count, defaultSize: defaultHits, or: in.OrFilters, flags: in.SearchFlags, sort: in.SortInput, view: in.ViewUrn, scroll: in.ScrollId}
}

// DataProductEntities searches the assets of a data product.
func (a *api) DataProductEntities(at place, w *set) func(context.Context, gqltype.DataProductEntitiesArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.DataProductEntitiesArgs) (*gqltype.SearchResults, error) {
		return a.productAssets(ctx, at.URN, value(args.Input), w)
	}
}

// DataProductAssets counts the assets of a data product.
func (a *api) DataProductAssets(_ context.Context, _ *loader, at place, _ *set) (*int32, error) {
	return ptr(int32(len(jsontree.Children(at.Record, "assets")))), nil
}

// ApplicationAssets counts the direct content of an application: assets and applications below
// it.
func (a *api) ApplicationAssets(ctx context.Context, _ *loader, at place, _ *set) (*int32, error) {
	found, err := a.search(ctx, discover.SearchQuery{And: []search.Filter{inApplication(at.URN)}, Facets: []string{}})
	return ptr(int32(found.Total)), err
}

// GlossaryChildrenCount counts the terms and nodes directly below a glossary node.
func (a *api) GlossaryChildrenCount(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.GlossaryNodeChildrenCount, error) {
	terms, err := a.count(ctx, "parentNode", at.URN, "glossaryTerm")
	if err != nil {
		return nil, err
	}
	nodes, err := a.count(ctx, "parentNode", at.URN, "glossaryNode")
	return &gqltype.GlossaryNodeChildrenCount{TermsCount: int32(terms), NodesCount: int32(nodes)}, err
}

// scrollIn scrolls through the entities that have the URN in a field.
func (a *api) scrollIn(ctx context.Context, in gqltype.ScrollAcrossEntitiesInput, types []string, field string, u urn.URN, w *set) (*gqltype.ScrollResults, error) {
	q, err := a.toQuery(ctx, scrollRequestOf(in))
	if err != nil {
		return nil, err
	}
	if len(q.Types) == 0 {
		q.Types = types
	}
	restrictTo(&q, field, u)
	return a.scrollResults(ctx, q, w)
}

// GlossaryChildrenSearch scrolls through the terms and nodes directly below a glossary node.
func (a *api) GlossaryChildrenSearch(at place, w *set) func(context.Context, gqltype.GlossaryChildrenSearchArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.GlossaryChildrenSearchArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, []string{"glossaryTerm", "glossaryNode"}, "parentNode", at.URN, w)
	}
}

// ChildMetrics scrolls through the metrics directly below a metric.
func (a *api) ChildMetrics(at place, w *set) func(context.Context, gqltype.ChildMetricsArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.ChildMetricsArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, []string{"metric"}, "parentMetric", at.URN, w)
	}
}

// ModelMetrics scrolls through the metrics of a semantic model.
func (a *api) ModelMetrics(at place, w *set) func(context.Context, gqltype.ModelMetricsArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.ModelMetricsArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, []string{"metric"}, "semanticModel", at.URN, w)
	}
}

// SiblingsSearch scrolls through the siblings of a dataset.
func (a *api) SiblingsSearch(at place, w *set) func(context.Context, gqltype.SiblingsSearchArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.SiblingsSearchArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, nil, "siblings", at.URN, w)
	}
}

// VersionsSearch searches the members of a version set. The default order is newest first.
func (a *api) VersionsSearch(at place, w *set) func(context.Context, gqltype.VersionsSearchArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.VersionsSearchArgs) (*gqltype.SearchResults, error) {
		q, err := a.toQuery(ctx, searchRequestOf(args.Input))
		if err != nil {
			return nil, err
		}
		restrictTo(&q, "versionSet", at.URN)
		q.IncludeOldVersions = true
		if len(q.Sort) == 0 {
			q.Sort = []search.Sort{{Field: "versionSortId", Descending: true}}
		}
		return a.searchResults(ctx, q, w)
	}
}

// DatasetContract returns the data contract of a dataset, nil when there is none.
func (a *api) DatasetContract(ctx context.Context, l *loader, at place, w *set) (*gqltype.DataContract, error) {
	found, err := a.relationshipPage(ctx, discover.RelationshipQuery{URN: at.URN, Direction: graph.Incoming, Types: []string{"ContractFor"}, Count: 1})
	if err != nil || len(found.Edges) == 0 {
		return nil, err
	}
	return l.DataContract(found.Edges[0].Source, w), nil
}

// RelatedDocuments returns the knowledge documents that refer to an asset, most recently modified
// first.
func (a *api) RelatedDocuments(at place, w *set) func(context.Context, gqltype.RelatedDocumentsArgs) (*gqltype.RelatedDocumentsResult, error) {
	return func(ctx context.Context, args gqltype.RelatedDocumentsArgs) (*gqltype.RelatedDocumentsResult, error) {
		from, size, err := page(args.Input.Start, args.Input.Count, 100)
		if err != nil {
			return nil, err
		}
		in := args.Input
		documentQuery := knowledge.Query{Parents: value(in.ParentDocuments), Top: value(in.RootOnly), SubTypes: value(in.Types), Domains: value(in.Domains), Source: value(in.SourceType)}
		q := discover.SearchQuery{
			Types: []string{knowledge.EntityType}, From: from, Size: size, Filter: documentQuery.Filter(),
			Sort: []search.Sort{{Field: "lastModifiedAt", Descending: true}},
		}
		if err := a.KnowledgeBase.RestrictToFindable(ctx, &q, nil, false); err != nil {
			return nil, err
		}
		restrictTo(&q, "relatedAssets", at.URN)
		found, err := a.search(ctx, q)
		if err != nil {
			return nil, err
		}
		want := w.Of("RelatedDocumentsResult")
		return build(ctx, a, func(l *loader) *gqltype.RelatedDocumentsResult {
			return &gqltype.RelatedDocumentsResult{
				Start: int32(from), Count: int32(size), Total: int32(found.Total),
				Documents: loadAll(urnsOf(found.Hits), want["documents"], l.Document), Facets: ptr(a.facets(l, found.Facets, want["facets"])),
			}
		})
	}
}
