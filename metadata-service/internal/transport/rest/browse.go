package rest

import (
	"context"
	"strings"
)

type browseInput struct {
	Entity string        `json:"entity" param:"required"`
	Path   string        `json:"path"`
	Filter *searchFilter `json:"filter"`
	Start  *looseInt     `json:"start"`
	Limit  *looseInt     `json:"limit"`
}

// browse lists one level of the browse tree with slash-separated paths: groups first, then the
// entities at the path.
func (s *handlers) browse(ctx context.Context, in browseInput) (any, error) {
	start, err := in.Start.clamp("start", 0, 0, maxOffset)
	if err != nil {
		return nil, err
	}
	limit, err := in.Limit.clamp("limit", 0, defaultHits, maxHits)
	if err != nil {
		return nil, err
	}
	filter, err := in.Filter.buildFilter()
	if err != nil {
		return nil, err
	}
	page, err := s.Discover.BrowsePaths(ctx, in.Entity, in.Path, filter, start, limit)
	if err != nil {
		return nil, err
	}
	groups := make([]any, len(page.Items))
	for i, g := range page.Items {
		groups[i] = object{"name": g.Name, "count": g.Count}
	}
	entities := make([]any, len(page.Entities))
	for i := range page.Entities {
		entities[i] = object{"urn": string(page.Entities[i].URN)}
	}
	return object{
		"groups": groups, "entities": entities, "from": start, "pageSize": limit,
		"numGroups": page.Groups, "numEntities": page.AtPath, "numElements": page.Groups + page.AtPath,
		"metadata": object{"path": "/" + strings.Trim(in.Path, "/"), "totalNumEntities": page.Below},
	}, nil
}

type pathsInput struct {
	URN string `json:"urn" param:"required"`
}

func (s *handlers) browsePaths(ctx context.Context, in pathsInput) (any, error) {
	u, _, err := s.registry.Resolve(in.URN)
	if err != nil {
		return nil, err
	}
	paths, err := s.Discover.PathsOf(ctx, u)
	if err != nil {
		return nil, err
	}
	return list(paths), nil
}
