package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

const defaultSources = 20

func ingestionSource(in gqltype.UpdateIngestionSourceInput) ingestion.Source {
	out := ingestion.Source{
		Name: in.Name, Kind: in.Type, Recipe: in.Config.Recipe, Version: in.Config.Version, Executor: in.Config.ExecutorId, Debug: in.Config.DebugMode,
	}
	if in.Schedule != nil {
		out.Schedule = &ingestion.Schedule{Interval: in.Schedule.Interval, Timezone: in.Schedule.Timezone}
	}
	for _, e := range value(in.Config.ExtraArgs) {
		out.Extra = append(out.Extra, ingestion.Argument{Key: e.Key, Value: value(e.Value)})
	}
	if in.Source != nil {
		out.Origin = in.Source.Type
	}
	return out
}

// CreateIngestionSource creates an ingestion source and returns its URN.
func (m *mutation) CreateIngestionSource(ctx context.Context, args gqltype.CreateIngestionSourceArgs) (*string, error) {
	u, err := m.api.Ingestion.Create(ctx, ingestionSource(args.Input))
	return nilIfZero(string(u)), err
}

// UpdateIngestionSource creates or replaces an ingestion source and returns its URN.
func (m *mutation) UpdateIngestionSource(ctx context.Context, args gqltype.UpdateIngestionSourceArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, ingestion.SourceType)
	if err != nil {
		return nil, err
	}
	return nilIfZero(string(u)), m.api.Ingestion.Update(ctx, u, ingestionSource(args.Input))
}

// DeleteIngestionSource deletes an ingestion source and returns its URN.
func (m *mutation) DeleteIngestionSource(ctx context.Context, args gqltype.DeleteIngestionSourceArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, ingestion.SourceType)
	if err != nil {
		return nil, err
	}
	return nilIfZero(string(u)), m.api.Ingestion.Delete(ctx, u)
}

// IngestionSource reads an ingestion source. Only actors that may manage ingestion, or view this
// source, see its recipe.
func (q *query) IngestionSource(ctx context.Context, args gqltype.IngestionSourceArgs) (*gqltype.IngestionSource, error) {
	u, err := q.api.entityURN("urn", args.Urn, ingestion.SourceType)
	if err != nil {
		return nil, err
	}
	if err := q.api.Ingestion.MayRead(ctx, u); err != nil {
		return nil, err
	}
	return readExisting(ctx, q.api, "ingestionSource", args.Urn, []string{ingestion.SourceType}, (*loader).IngestionSource)
}

// ListIngestionSources searches ingestion sources.
func (q *query) ListIngestionSources(ctx context.Context, args gqltype.ListIngestionSourcesArgs) (*gqltype.ListIngestionSourcesResult, error) {
	in := args.Input
	if err := q.api.Ingestion.MayManage(ctx); err != nil {
		return nil, err
	}
	request, err := q.api.toQuery(ctx, searchRequest{query: valueOr(in.Query, "*"), start: in.Start, count: in.Count, defaultSize: defaultSources, filters: in.Filters, sort: sortInput(in.Sort)})
	if err != nil {
		return nil, err
	}
	request.Types, request.Facets, request.Highlight = []string{ingestion.SourceType}, []string{}, false
	found, err := q.api.search(ctx, request)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listIngestionSources").Of("ListIngestionSourcesResult")["ingestionSources"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListIngestionSourcesResult {
		return &gqltype.ListIngestionSourcesResult{
			Start: int32(request.From), Count: int32(request.Size), Total: int32(found.Total), IngestionSources: loadAll(urnsOf(found.Hits), want, l.IngestionSource),
		}
	})
}

func sortInput(by *gqltype.SortCriterion) *gqltype.SearchSortInput {
	if by == nil {
		return nil
	}
	return &gqltype.SearchSortInput{SortCriterion: by}
}

// ListExecutionRequests searches execution requests, newest first by default.
func (q *query) ListExecutionRequests(ctx context.Context, args gqltype.ListExecutionRequestsArgs) (*gqltype.IngestionSourceExecutionRequests, error) {
	in := args.Input
	if err := q.api.Ingestion.MayManage(ctx); err != nil {
		return nil, err
	}
	request, err := q.api.toQuery(ctx, searchRequest{query: valueOr(in.Query, "*"), start: in.Start, count: in.Count, defaultSize: defaultSources, filters: in.Filters, sort: sortInput(in.Sort)})
	if err != nil {
		return nil, err
	}
	request.Types, request.Facets, request.Highlight = []string{ingestion.RequestType}, []string{}, false
	if in.Sort == nil {
		request.Sort = []search.Sort{{Field: "requestTimeMs", Descending: true}}
	}
	if in.SystemSources != nil {
		bySystem, err := q.api.Ingestion.OfSystem(ctx, *in.SystemSources)
		if err != nil {
			return nil, err
		}
		request.And = append(request.And, bySystem)
	}
	found, err := q.api.search(ctx, request)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listExecutionRequests").Of("IngestionSourceExecutionRequests")["executionRequests"]
	return build(ctx, q.api, func(l *loader) *gqltype.IngestionSourceExecutionRequests {
		return &gqltype.IngestionSourceExecutionRequests{
			Start: ptr(int32(request.From)), Count: ptr(int32(request.Size)), Total: ptr(int32(found.Total)),
			ExecutionRequests: loadAll(urnsOf(found.Hits), want, l.ExecutionRequest),
		}
	})
}

// CreateIngestionExecutionRequest requests an execution and returns the URN of the request.
func (m *mutation) CreateIngestionExecutionRequest(ctx context.Context, args gqltype.CreateIngestionExecutionRequestArgs) (*string, error) {
	source, err := m.api.entityURN("ingestionSourceUrn", args.Input.IngestionSourceUrn, ingestion.SourceType)
	if err != nil {
		return nil, err
	}
	u, err := m.api.Ingestion.Execute(ctx, source)
	return nilIfZero(string(u)), err
}

// CancelIngestionExecutionRequest requests an executor to stop and returns the URN of the
// execution request.
func (m *mutation) CancelIngestionExecutionRequest(ctx context.Context, args gqltype.CancelIngestionExecutionRequestArgs) (*string, error) {
	source, err := m.api.entityURN("ingestionSourceUrn", args.Input.IngestionSourceUrn, ingestion.SourceType)
	if err != nil {
		return nil, err
	}
	request, err := m.api.entityURN("executionRequestUrn", args.Input.ExecutionRequestUrn, ingestion.RequestType)
	if err != nil {
		return nil, err
	}
	return nilIfZero(string(request)), m.api.Ingestion.Cancel(ctx, source, request)
}

// CreateTestConnectionRequest requests a test whether a recipe reaches its source, and returns
// the URN of the request.
func (m *mutation) CreateTestConnectionRequest(ctx context.Context, args gqltype.CreateTestConnectionRequestArgs) (*string, error) {
	u, err := m.api.Ingestion.TestConnection(ctx, args.Input.Recipe, args.Input.Version)
	return nilIfZero(string(u)), err
}

// RollbackIngestion rolls back the writes of a run and returns the id of the run.
func (m *mutation) RollbackIngestion(ctx context.Context, args gqltype.RollbackIngestionArgs) (*string, error) {
	return &args.Input.RunId, m.api.Ingestion.Rollback(ctx, args.Input.RunId)
}
