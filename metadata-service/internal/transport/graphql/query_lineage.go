package graphql

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// lineageTypes are the default types of a lineage search: the types in lineage that the GraphQL
// schema contains.
func (a *api) lineageTypes() []string {
	return slices.DeleteFunc(a.Discover.LineageTypes(), func(name string) bool {
		_, shown := gqltype.TypeValue(name)
		return !shown
	})
}

func (a *api) lineageQuery(ctx context.Context, in searchRequest, root *string, direction string, from, to *gqltype.Long, flags *gqltype.LineageFlags) (discover.LineageQuery, error) {
	in.lineage = true
	query, err := a.toQuery(ctx, in)
	if err != nil {
		return discover.LineageQuery{}, err
	}
	if root == nil {
		return discover.LineageQuery{}, fault.New(fault.Malformed, "urn: is required")
	}
	u := urn.URN(*root)
	if !isRestricted(*root) {
		if u, err = a.urnArgument("urn", *root); err != nil {
			return discover.LineageQuery{}, err
		}
	}
	out := discover.LineageQuery{SearchQuery: query, URN: u, Direction: lineage.Direction(direction), StartTime: millis(from), EndTime: millis(to)}
	if flags == nil {
		return out, nil
	}
	out.PerHop = int(value(flags.EntitiesExploredPerHopLimit))
	if out.PerHop < 0 {
		return out, fault.New(fault.Malformed, "lineageFlags.entitiesExploredPerHopLimit: must not be negative, is %d", out.PerHop)
	}
	if flags.StartTimeMillis != nil {
		out.StartTime = millis(flags.StartTimeMillis)
	}
	if flags.EndTimeMillis != nil {
		out.EndTime = millis(flags.EndTimeMillis)
	}
	for _, ignored := range value(flags.IgnoreAsHops) {
		name, ok := gqltype.TypeName(ignored.EntityType)
		if !ok {
			return out, fault.New(fault.Malformed, "lineageFlags.ignoreAsHops: %s is no entity type", ignored.EntityType)
		}
		platforms := make([]urn.URN, 0, len(value(ignored.Platforms)))
		for _, p := range value(ignored.Platforms) {
			platforms = append(platforms, urn.URN(p))
		}
		out.IgnoreAsHops = append(out.IgnoreAsHops, lineage.Ignored{EntityType: name, Platforms: platforms})
	}
	return out, nil
}

// degreeFacet is the label of the facet that counts entities by their distance.
const degreeFacet = "Degree of Dependencies"

func (a *api) lineageFacets(l *loader, found []search.Facet, w *set) *[]*gqltype.FacetMetadata {
	out := a.facets(l, found, w)
	for _, f := range out {
		if f.Field == "degree" {
			f.DisplayName = ptr(degreeFacet)
		}
	}
	return &out
}

func lineageHits(l *loader, found []discover.LineageHit, w *set) []*gqltype.SearchAcrossLineageResult {
	want := w.Of("SearchAcrossLineageResult")
	out := make([]*gqltype.SearchAcrossLineageResult, 0, len(found))
	for _, h := range found {
		entity := entityOrRestricted(l, h.URN, want["entity"])
		if entity == nil {
			continue
		}
		degrees := make([]int32, len(h.Degrees))
		for i, d := range h.Degrees {
			degrees[i] = int32(d)
		}
		row := &gqltype.SearchAcrossLineageResult{
			Entity: entity, Insights: &[]*gqltype.SearchInsight{}, MatchedFields: matchedFields(l, h.Matched, want["matchedFields"]), Degree: int32(h.Degree),
			Degrees: &degrees, Explored: h.Explored, TruncatedChildren: h.TruncatedChildren, IgnoredAsHop: h.IgnoredAsHop,
		}
		paths := []*gqltype.EntityPath{}
		steps := want["paths"].Of("EntityPath")["path"]
		for _, p := range h.Paths {
			path := &gqltype.EntityPath{Path: []*gqltype.Entity{}}
			for _, u := range p {
				if e := entityOrRestricted(l, u, steps); e != nil {
					path.Path = append(path.Path, e)
				}
			}
			paths = append(paths, path)
		}
		row.Paths = &paths
		out = append(out, row)
	}
	return out
}

// SearchAcrossLineage searches the entities upstream or downstream of an entity.
func (q *query) SearchAcrossLineage(ctx context.Context, args gqltype.SearchAcrossLineageArgs) (*gqltype.SearchAcrossLineageResults, error) {
	in := args.Input
	request, err := q.api.lineageQuery(ctx, searchRequest{
		types: in.Types, query: valueOr(in.Query, "*"), start: in.Start, count: in.Count, defaultSize: defaultHits, filters: in.Filters, or: in.OrFilters,
		flags: in.SearchFlags, sort: in.SortInput, view: in.ViewUrn,
	}, in.Urn, in.Direction, in.StartTimeMillis, in.EndTimeMillis, in.LineageFlags)
	if err != nil {
		return nil, err
	}
	if len(request.Types) == 0 {
		request.Types = q.api.lineageTypes()
	}
	want := selectionOf(ctx, "searchAcrossLineage").Of("SearchAcrossLineageResults")
	found, err := q.api.searchLineage(ctx, request, want)
	if err != nil {
		return nil, err
	}
	return build(ctx, q.api, func(l *loader) *gqltype.SearchAcrossLineageResults {
		return &gqltype.SearchAcrossLineageResults{
			Start: int32(request.From), Count: int32(request.Size), Total: int32(found.Total), SearchResults: lineageHits(l, found.Hits, want["searchResults"]),
			Facets: q.api.lineageFacets(l, found.Facets, want["facets"]), IsPartial: ptr(found.Truncated),
		}
	})
}

// ScrollAcrossLineage scrolls through the entities upstream or downstream of an entity.
func (q *query) ScrollAcrossLineage(ctx context.Context, args gqltype.ScrollAcrossLineageArgs) (*gqltype.ScrollAcrossLineageResults, error) {
	in := args.Input
	request, err := q.api.lineageQuery(ctx, searchRequest{
		types: in.Types, query: valueOr(in.Query, "*"), count: in.Count, defaultSize: defaultHits, or: in.OrFilters, flags: in.SearchFlags, scroll: in.ScrollId,
	}, in.Urn, in.Direction, in.StartTimeMillis, in.EndTimeMillis, in.LineageFlags)
	if err != nil {
		return nil, err
	}
	if len(request.Types) == 0 {
		request.Types = q.api.Discover.UsualTypes()
	}
	want := selectionOf(ctx, "scrollAcrossLineage").Of("ScrollAcrossLineageResults")
	found, err := q.api.searchLineage(ctx, request, want)
	if err != nil {
		return nil, err
	}
	return build(ctx, q.api, func(l *loader) *gqltype.ScrollAcrossLineageResults {
		return &gqltype.ScrollAcrossLineageResults{
			NextScrollId: nilIfZero(found.Next), Count: int32(request.Size), Total: int32(found.Total), SearchResults: lineageHits(l, found.Hits, want["searchResults"]),
			Facets: q.api.lineageFacets(l, found.Facets, want["facets"]), IsPartial: ptr(found.Truncated),
		}
	})
}

func plural(n int, what string) string {
	if what == "" {
		return fmt.Sprint(n)
	}
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
