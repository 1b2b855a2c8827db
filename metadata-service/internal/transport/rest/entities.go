package rest

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	defaultURNs = 10
	maxURNs     = 10_000
	maxOffset   = 1 << 31
)

func (s *handlers) entityActions() []action {
	return []action{
		typedAction("ingest", ingestLimit, s.ingestSnapshot),
		typedAction("batchIngest", ingestLimit, s.ingestSnapshots),
		typedAction("delete", queryLimit, s.deleteEntity),
		typedAction("deleteAll", queryLimit, s.deleteRegistry),
		typedAction("exists", queryLimit, s.exists),
		typedAction("filterExistingUrns", queryLimit, s.filterExisting),
		typedAction("listUrns", queryLimit, s.listURNs),
		typedAction("search", queryLimit, s.searchOne),
		typedAction("filter", queryLimit, s.filterOne),
		typedAction("searchAcrossEntities", queryLimit, s.searchAcross),
		typedAction("scrollAcrossEntities", queryLimit, s.scrollAcross),
		typedAction("searchAcrossLineage", queryLimit, s.searchLineage),
		typedAction("scrollAcrossLineage", queryLimit, s.scrollLineage),
		typedAction("list", queryLimit, s.listEntities),
		typedAction("autocomplete", queryLimit, s.autocomplete),
		typedAction("browse", queryLimit, s.browse),
		typedAction("getBrowsePaths", queryLimit, s.browsePaths),
		typedAction("getTotalEntityCount", queryLimit, s.countEntities),
		typedAction("batchGetTotalEntityCount", queryLimit, s.countAll),
		typedAction("deleteReferences", queryLimit, s.deleteReferences),
		typedAction("applyRetention", queryLimit, s.applyRetention),
		typedAction("setWritable", queryLimit, s.setWritable),
	}
}

type deleteInput struct {
	URN    string    `json:"urn" param:"required"`
	Aspect string    `json:"aspectName"`
	Start  *looseInt `json:"startTimeMillis"`
	End    *looseInt `json:"endTimeMillis"`
}

// deleteEntity deletes an entity permanently or, with an aspect, documents of that time-series
// aspect.
func (s *handlers) deleteEntity(ctx context.Context, in deleteInput) (any, error) {
	u, _, err := s.registry.Resolve(in.URN)
	if err != nil {
		return nil, err
	}
	if in.Aspect != "" {
		documents, err := s.Catalog.DeleteTimeseries(ctx, u, in.Aspect, in.Start.int64(), in.End.int64())
		if err != nil {
			return nil, err
		}
		return object{"urn": string(u), "timeseriesRows": documents}, nil
	}
	deleted, err := s.Catalog.DeleteEntity(ctx, u)
	if err != nil {
		return nil, err
	}
	return object{"urn": string(u), "rows": deleted.Rows, "timeseriesRows": deleted.TimeseriesRows}, nil
}

type deleteRegistryInput struct {
	Registry string    `json:"registryId" param:"required"`
	DryRun   looseBool `json:"dryRun"`
}

// deleteRegistry deletes data written under a registry, and never data written under another one.
func (s *handlers) deleteRegistry(ctx context.Context, in deleteRegistryInput) (any, error) {
	result, err := run.New(s.Catalog).RollbackRegistry(ctx, in.Registry, run.Options{DryRun: bool(in.DryRun)})
	if err != nil {
		return nil, err
	}
	return rollbackTree(result), nil
}

type existsInput struct {
	URN         string     `json:"urn" param:"required"`
	SoftDeleted *looseBool `json:"includeSoftDelete"`
}

func (s *handlers) exists(ctx context.Context, in existsInput) (any, error) {
	u, _, err := s.registry.Resolve(in.URN)
	if err != nil {
		return nil, err
	}
	there, err := s.Catalog.Exists(ctx, []urn.URN{u}, in.SoftDeleted.valueOr(true))
	if err != nil {
		return nil, err
	}
	return there[0], nil
}

type filterExistingInput struct {
	Request *struct {
		URNs        boundedList[string] `json:"urns"`
		SoftDeleted *looseBool          `json:"includeSoftDelete"`
	} `json:"request" param:"required"`
}

func (s *handlers) filterExisting(ctx context.Context, in filterExistingInput) (any, error) {
	urns, err := s.resolveAll(in.Request.URNs)
	if err != nil {
		return nil, err
	}
	there, err := s.Catalog.Exists(ctx, urns, in.Request.SoftDeleted.valueOr(true))
	if err != nil {
		return nil, err
	}
	existing := urns[:0]
	for i, u := range urns {
		if there[i] {
			existing = append(existing, u)
		}
	}
	return list(existing), nil
}

type listInput struct {
	Entity string    `json:"entity" param:"required"`
	Start  *looseInt `json:"start"`
	Count  *looseInt `json:"count"`
}

func (s *handlers) listURNs(ctx context.Context, in listInput) (any, error) {
	spec, ok := s.registry.Entity(in.Entity)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity: %q is no entity type", truncate(in.Entity))
	}
	start, err := in.Start.clamp("start", 0, 0, maxOffset)
	if err != nil {
		return nil, err
	}
	count, err := in.Count.clamp("count", 0, defaultURNs, maxURNs)
	if err != nil {
		return nil, err
	}
	page, err := s.Discover.List(ctx, discover.ListQuery{Types: []string{spec.Name}, Offset: start, Limit: count, IncludeSoftDeleted: true})
	if err != nil {
		return nil, err
	}
	return object{"entities": list(page.URNs), "start": start, "count": len(page.URNs), "total": page.Total}, nil
}

type retentionInput struct {
	URN    string `json:"urn"`
	Aspect string `json:"aspectName"`
}

func (s *handlers) applyRetention(ctx context.Context, in retentionInput) (any, error) {
	var u urn.URN
	if in.URN != "" {
		resolved, _, err := s.registry.Resolve(in.URN)
		if err != nil {
			return nil, err
		}
		u = resolved
	}
	rows, err := s.Catalog.ApplyRetention(ctx, u, in.Aspect)
	if err != nil {
		return nil, err
	}
	return fmt.Sprintf("%d rows of history deleted", rows), nil
}

type writableInput struct {
	Value *looseBool `json:"value" param:"required"`
}

func (s *handlers) setWritable(ctx context.Context, in writableInput) (any, error) {
	return noValue{}, s.Catalog.SetWritable(ctx, bool(*in.Value))
}
