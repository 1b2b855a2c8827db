package graphql

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields that list runs, newest first.

// runs returns the runs that have the URN in a field, newest first.
func (a *api) runs(ctx context.Context, field string, u urn.URN, start, count *int32, w *set) (*gqltype.DataProcessInstanceResult, error) {
	from, size, err := page(start, count, defaultChildren)
	if err != nil {
		return nil, err
	}
	found, err := a.listPage(ctx, "dataProcessInstance", field, u, from, size, search.Sort{Field: "created", Descending: true})
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *gqltype.DataProcessInstanceResult {
		return &gqltype.DataProcessInstanceResult{
			Start: ptr(int32(from)), Count: ptr(int32(size)), Total: ptr(int32(found.Total)),
			Runs: ptr(loadAll(urnsOf(found.Hits), w.Of("DataProcessInstanceResult")["runs"], l.DataProcessInstance)),
		}
	})
}

// Runs returns the runs of a job or flow, newest first.
func (a *api) Runs(at place, w *set) func(context.Context, gqltype.RunsArgs) (*gqltype.DataProcessInstanceResult, error) {
	return func(ctx context.Context, args gqltype.RunsArgs) (*gqltype.DataProcessInstanceResult, error) {
		return a.runs(ctx, "parentTemplate", at.URN, args.Start, args.Count, w)
	}
}

// DatasetRuns returns the runs that have a dataset among their inputs (INCOMING) or outputs
// (OUTGOING), newest first.
func (a *api) DatasetRuns(at place, w *set) func(context.Context, gqltype.DatasetRunsArgs) (*gqltype.DataProcessInstanceResult, error) {
	return func(ctx context.Context, args gqltype.DatasetRunsArgs) (*gqltype.DataProcessInstanceResult, error) {
		field := "inputs"
		if graph.Direction(args.Direction) == graph.Outgoing {
			field = "outputs"
		}
		return a.runs(ctx, field, at.URN, args.Start, args.Count, w)
	}
}

// executions returns the runs of an ingestion source, newest first; an empty URN means the runs
// of all sources.
func (a *api) executions(ctx context.Context, u urn.URN, start, count *int32, filter search.Filter, w *set) (*gqltype.IngestionSourceExecutionRequests, error) {
	from, size, err := page(start, count, defaultChildren)
	if err != nil {
		return nil, err
	}
	q := discover.SearchQuery{Types: []string{"dataHubExecutionRequest"}, From: from, Size: size, Filter: filter, Facets: []string{}, Sort: []search.Sort{{Field: "requestTimeMs", Descending: true}}}
	if u != "" {
		restrictTo(&q, "ingestionSource", u)
	}
	found, err := a.search(ctx, q)
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *gqltype.IngestionSourceExecutionRequests {
		return &gqltype.IngestionSourceExecutionRequests{
			Start: ptr(int32(from)), Count: ptr(int32(size)), Total: ptr(int32(found.Total)),
			ExecutionRequests: loadAll(urnsOf(found.Hits), w.Of("IngestionSourceExecutionRequests")["executionRequests"], l.ExecutionRequest),
		}
	})
}

// IngestionExecutions returns the runs of an ingestion source, newest first.
func (a *api) IngestionExecutions(at place, w *set) func(context.Context, gqltype.IngestionExecutionsArgs) (*gqltype.IngestionSourceExecutionRequests, error) {
	return func(ctx context.Context, args gqltype.IngestionExecutionsArgs) (*gqltype.IngestionSourceExecutionRequests, error) {
		return a.executions(ctx, at.URN, args.Start, args.Count, nil, w)
	}
}

// LatestSuccessfulExecution returns the newest successful run of an ingestion source, nil when
// none of its newest 100 runs succeeded.
func (a *api) LatestSuccessfulExecution(ctx context.Context, l *loader, at place, w *set) (*gqltype.ExecutionRequest, error) {
	found, err := a.listPage(ctx, "dataHubExecutionRequest", "ingestionSource", at.URN, 0, 100, search.Sort{Field: "requestTimeMs", Descending: true})
	if err != nil {
		return nil, err
	}
	runs, err := a.entities(ctx, catalog.EntityQuery{Aspects: []string{"dataHubExecutionRequestResult"}}, urnsOf(found.Hits)...)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		outcome, ok := runs[i].Find("dataHubExecutionRequestResult")
		if !ok {
			continue
		}
		result, err := jsontree.DecodeObject(outcome.Value)
		if err != nil {
			return nil, fmt.Errorf("decode the result of %s: %w", runs[i].URN, err)
		}
		if jsontree.Text(result, "status") == "SUCCESS" {
			return l.ExecutionRequest(runs[i].URN, w), nil
		}
	}
	return nil, nil
}
