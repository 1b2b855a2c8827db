package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// rootEntities finds metrics or semantic models, ordered by name unless a query text ranks them.
func (a *api) rootEntities(ctx context.Context, entityType string, in gqltype.GetRootEntitiesInput, filters ...search.Filter) (listing, error) {
	return a.list(ctx, entityType, &in.Query, &in.Start, &in.Count, 0, filters, unlessRanked(&in.Query, search.Sort{Field: "name"})...)
}

// GetRootMetrics lists the metrics without a parent metric.
func (q *query) GetRootMetrics(ctx context.Context, args gqltype.GetRootMetricsArgs) (*gqltype.GetRootMetricsResult, error) {
	found, err := q.api.rootEntities(ctx, "metric", args.Input, search.Filter{{{Field: "parentMetric", Condition: search.Exists, Negated: true}}})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "getRootMetrics").Of("GetRootMetricsResult")["metrics"]
	return build(ctx, q.api, func(l *loader) *gqltype.GetRootMetricsResult {
		return &gqltype.GetRootMetricsResult{Start: found.start, Count: found.size, Total: found.total, Metrics: loadAll(found.urns, want, l.Metric)}
	})
}

// GetSemanticModels lists semantic models.
func (q *query) GetSemanticModels(ctx context.Context, args gqltype.GetSemanticModelsArgs) (*gqltype.GetSemanticModelsResult, error) {
	found, err := q.api.rootEntities(ctx, "semanticModel", args.Input)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "getSemanticModels").Of("GetSemanticModelsResult")["semanticModels"]
	return build(ctx, q.api, func(l *loader) *gqltype.GetSemanticModelsResult {
		return &gqltype.GetSemanticModelsResult{Start: found.start, Count: found.size, Total: found.total, SemanticModels: loadAll(found.urns, want, l.SemanticModel)}
	})
}
