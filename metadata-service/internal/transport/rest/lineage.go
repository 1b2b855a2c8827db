package rest

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/pkg/fault"
)

type lineageInput struct {
	URN       string    `json:"urn" param:"required"`
	Direction string    `json:"direction" param:"required"`
	MaxHops   *looseInt `json:"maxHops"`
	StartTime *looseInt `json:"startTimeMillis"`
	EndTime   *looseInt `json:"endTimeMillis"`
	scrollInput
}

func (s *handlers) searchLineage(ctx context.Context, in lineageInput) (any, error) {
	in.Scroll = ""
	page, q, err := s.lineage(ctx, &in)
	if err != nil {
		return nil, err
	}
	tree := s.lineageTree(page, q)
	tree["from"] = q.From
	return tree, nil
}

func (s *handlers) scrollLineage(ctx context.Context, in lineageInput) (any, error) {
	page, q, err := s.lineage(ctx, &in)
	if err != nil {
		return nil, err
	}
	tree := s.lineageTree(page, q)
	if page.Next != "" {
		tree["scrollId"] = page.Next
	}
	return tree, nil
}

func (s *handlers) lineage(ctx context.Context, in *lineageInput) (page discover.LineagePage, q discover.LineageQuery, err error) {
	if q.SearchQuery, err = in.toQuery(in.Entities); err != nil {
		return page, q, err
	}
	if q.URN, _, err = s.registry.Resolve(in.URN); err != nil {
		return page, q, err
	}
	if q.Direction, err = lineageDirection(in.Direction); err != nil {
		return page, q, err
	}
	if q.MaxHops, err = in.MaxHops.clamp("maxHops", 0, 0, lineage.DefaultHops); err != nil {
		return page, q, err
	}
	q.Programs = true
	q.Scroll, q.StartTime, q.EndTime = in.Scroll, in.StartTime.int64(), in.EndTime.int64()
	page, err = s.Discover.SearchLineage(ctx, q)
	return page, q, err
}

func lineageDirection(text string) (lineage.Direction, error) {
	d := lineage.Direction(strings.ToUpper(text))
	if !d.Valid() {
		return "", fault.New(fault.Malformed, "direction must be %s or %s, is %q", lineage.Upstream, lineage.Downstream, truncate(text))
	}
	return d, nil
}

func (s *handlers) lineageTree(page discover.LineagePage, q discover.LineageQuery) object {
	entities := make([]any, len(page.Hits))
	for i := range page.Hits {
		h := &page.Hits[i]
		tree := hitTree(&h.Hit)
		paths := make([]any, len(h.Paths))
		for j, path := range h.Paths {
			paths[j] = list(path)
		}
		tree["paths"], tree["degree"], tree["degrees"] = paths, h.Degree, anyList(h.Degrees)
		tree["explored"], tree["ignoredAsHop"], tree["truncatedChildren"] = h.Explored, h.IgnoredAsHop, h.TruncatedChildren
		entities[i] = tree
	}
	tree := object{
		"entities": entities, "pageSize": q.Size, "numEntities": page.Total, "metadata": s.metadataTree(page.Facets, nil),
		"isPartial": page.Truncated,
	}
	if page.Truncated {
		// An addition to the API: it states why the response is partial.
		tree["truncated"] = page.Why
	}
	return tree
}

func anyList[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
