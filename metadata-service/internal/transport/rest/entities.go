package rest

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	defaultURNs = 10
	maxURNs     = 10_000
	maxOffset   = 1 << 31
)

func (s *surface) entityActions() []action {
	return []action{
		takes("ingest", ingestLimit, s.ingestSnapshot),
		takes("batchIngest", ingestLimit, s.ingestSnapshots),
		takes("delete", queryLimit, s.deleteEntity),
		takes("deleteAll", queryLimit, s.deleteRegistry),
		takes("exists", queryLimit, s.exists),
		takes("filterExistingUrns", queryLimit, s.filterExisting),
		takes("listUrns", queryLimit, s.listURNs),
		takes("search", queryLimit, s.searchOne),
		takes("filter", queryLimit, s.filterOne),
		takes("searchAcrossEntities", queryLimit, s.searchAcross),
		takes("scrollAcrossEntities", queryLimit, s.scrollAcross),
		takes("searchAcrossLineage", queryLimit, s.searchLineage),
		takes("scrollAcrossLineage", queryLimit, s.scrollLineage),
		takes("list", queryLimit, s.listEntities),
		takes("autocomplete", queryLimit, s.autocomplete),
		takes("browse", queryLimit, s.browse),
		takes("getBrowsePaths", queryLimit, s.browsePaths),
		takes("getTotalEntityCount", queryLimit, s.countEntities),
		takes("batchGetTotalEntityCount", queryLimit, s.countAll),
		takes("deleteReferences", queryLimit, s.deleteReferences),
		takes("applyRetention", queryLimit, s.applyRetention),
		takes("setWritable", queryLimit, s.setWritable),
	}
}

type deleteInput struct {
	URN    string `json:"urn" param:"required"`
	Aspect string `json:"aspectName"`
	Start  *whole `json:"startTimeMillis"`
	End    *whole `json:"endTimeMillis"`
}

// deleteEntity removes an entity for good or, with an aspect, documents of that
// time-series aspect.
func (s *surface) deleteEntity(ctx context.Context, in deleteInput) (any, error) {
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
	Registry string `json:"registryId" param:"required"`
	DryRun   flag   `json:"dryRun"`
}

// deleteRegistry never takes along what was written under another registry.
func (s *surface) deleteRegistry(ctx context.Context, in deleteRegistryInput) (any, error) {
	result, err := s.Catalog.RollbackRegistry(ctx, in.Registry, catalog.RollbackOptions{DryRun: bool(in.DryRun)})
	if err != nil {
		return nil, err
	}
	return rollbackTree(result), nil
}

type existsInput struct {
	URN         string `json:"urn" param:"required"`
	SoftDeleted *flag  `json:"includeSoftDelete"`
}

func (s *surface) exists(ctx context.Context, in existsInput) (any, error) {
	u, _, err := s.registry.Resolve(in.URN)
	if err != nil {
		return nil, err
	}
	there, err := s.Catalog.Exists(ctx, []urn.URN{u}, in.SoftDeleted.or(true))
	if err != nil {
		return nil, err
	}
	return there[0], nil
}

type filterExistingInput struct {
	Request *struct {
		URNs        bounded[string] `json:"urns"`
		SoftDeleted *flag           `json:"includeSoftDelete"`
	} `json:"request" param:"required"`
}

func (s *surface) filterExisting(ctx context.Context, in filterExistingInput) (any, error) {
	urns, err := s.resolveAll(in.Request.URNs)
	if err != nil {
		return nil, err
	}
	there, err := s.Catalog.Exists(ctx, urns, in.Request.SoftDeleted.or(true))
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
	Entity string `json:"entity" param:"required"`
	Start  *whole `json:"start"`
	Count  *whole `json:"count"`
}

func (s *surface) listURNs(ctx context.Context, in listInput) (any, error) {
	spec, ok := s.registry.Entity(in.Entity)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity: %q is no entity type", cut(in.Entity))
	}
	start, err := in.Start.between("start", 0, 0, maxOffset)
	if err != nil {
		return nil, err
	}
	count, err := in.Count.between("count", 0, defaultURNs, maxURNs)
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

func (s *surface) applyRetention(ctx context.Context, in retentionInput) (any, error) {
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
	Value *flag `json:"value" param:"required"`
}

func (s *surface) setWritable(ctx context.Context, in writableInput) (any, error) {
	return noValue{}, s.Catalog.SetWritable(ctx, bool(*in.Value))
}
