package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxSteps bounds the length of a browse path.
const maxSteps = 100

// Browse lists one level of the older browse tree.
func (q *query) Browse(ctx context.Context, args gqltype.BrowseArgs) (*gqltype.BrowseResults, error) {
	in := args.Input
	types, err := entityNames(&[]string{in.Type})
	if err != nil {
		return nil, err
	}
	from, size, err := page(in.Start, in.Count, defaultHits)
	if err != nil {
		return nil, err
	}
	if n := len(value(in.Path)); n > maxSteps {
		return nil, fault.New(fault.TooLarge, "path: %d entries, at most %d are allowed", n, maxSteps)
	}
	path := strings.Join(append([]string{""}, value(in.Path)...), "/")
	found, err := readWithinBudget(ctx, searchCost, func(p discover.PathPage) int { return len(p.Items) + len(p.Entities) }, func() (discover.PathPage, error) {
		return q.api.Discover.BrowsePaths(ctx, types[0], path, buildFilter(in.Filters, in.OrFilters), from, size)
	})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "browse").Of("BrowseResults")["entities"]
	return build(ctx, q.api, func(l *loader) *gqltype.BrowseResults {
		out := &gqltype.BrowseResults{
			Entities: []*gqltype.Entity{}, Groups: []*gqltype.BrowseResultGroup{}, Start: int32(from), Count: int32(size),
			Total:    int32(found.Groups + found.AtPath),
			Metadata: &gqltype.BrowseResultMetadata{Path: valueOr(in.Path, []string{}), TotalNumEntities: gqltype.Long(found.Below)},
		}
		for _, h := range found.Entities {
			if e := l.Entity(h.URN, want); e != nil {
				out.Entities = append(out.Entities, e)
			}
		}
		for _, g := range found.Items {
			out.Groups = append(out.Groups, &gqltype.BrowseResultGroup{Name: g.Name, Count: gqltype.Long(g.Count)})
		}
		return out
	})
}

// BrowsePaths returns the paths of an entity in the older browse tree.
func (q *query) BrowsePaths(ctx context.Context, args gqltype.BrowsePathsArgs) (*[]*gqltype.BrowsePath, error) {
	u, err := q.api.urnArgument("urn", args.Input.Urn)
	if err != nil {
		return nil, err
	}
	paths, err := q.api.paths(ctx, u)
	return ptr(browsePaths(paths)), err
}

// BrowseV2 lists the groups directly below a path of the browse tree.
func (q *query) BrowseV2(ctx context.Context, args gqltype.BrowseV2Args) (*gqltype.BrowseResultsV2, error) {
	in := args.Input
	types := in.Types
	if types == nil && in.Type != nil {
		types = &[]string{*in.Type}
	}
	request, err := q.api.toQuery(ctx, searchRequest{types: types, query: valueOr(in.Query, "*"), start: in.Start, count: in.Count, defaultSize: defaultHits, or: in.OrFilters, flags: in.SearchFlags, view: in.ViewUrn})
	if err != nil {
		return nil, err
	}
	if err := q.api.KnowledgeBase.Restrict(ctx, &request); err != nil {
		return nil, err
	}
	path := valueOr(in.Path, []string{})
	if n := len(path); n > maxSteps {
		return nil, fault.New(fault.TooLarge, "path: %d entries, at most %d are allowed", n, maxSteps)
	}
	found, err := readWithinBudget(ctx, searchCost, func(p discover.BrowsePage) int { return len(p.Items) }, func() (discover.BrowsePage, error) {
		return q.api.Discover.Browse(ctx, discover.BrowseQuery{SearchQuery: request, Path: path})
	})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "browseV2").Of("BrowseResultsV2")["groups"].Of("BrowseResultGroupV2")["entity"]
	return build(ctx, q.api, func(l *loader) *gqltype.BrowseResultsV2 {
		out := &gqltype.BrowseResultsV2{
			Groups: []*gqltype.BrowseResultGroupV2{}, Start: int32(request.From), Count: int32(request.Size), Total: int32(found.Groups),
			Metadata: &gqltype.BrowseResultMetadata{Path: path, TotalNumEntities: gqltype.Long(found.Total)},
		}
		for _, g := range found.Items {
			out.Groups = append(out.Groups, &gqltype.BrowseResultGroupV2{Name: g.Name, Entity: entityNamed(l, g.Name, want), Count: gqltype.Long(g.Count), HasSubGroups: g.HasSubGroups})
		}
		return out
	})
}
