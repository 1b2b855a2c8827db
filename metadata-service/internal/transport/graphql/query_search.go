package graphql

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Search finds entities of one type.
func (q *query) Search(ctx context.Context, args gqltype.SearchArgs) (*gqltype.SearchResults, error) {
	in := args.Input
	asked, err := q.api.lower(ctx, asked{
		types: &[]string{in.Type}, query: in.Query, start: in.Start, count: in.Count, usual: usualHits, filters: in.Filters, or: in.OrFilters, flags: in.SearchFlags,
	})
	if err != nil {
		return nil, err
	}
	return q.api.searchResults(ctx, asked, wanted(ctx, "search"))
}

// SearchAcrossEntities finds entities of several types.
func (q *query) SearchAcrossEntities(ctx context.Context, args gqltype.SearchAcrossEntitiesArgs) (*gqltype.SearchResults, error) {
	asked, err := q.api.lower(ctx, across(args.Input))
	if err != nil {
		return nil, err
	}
	return q.api.searchResults(ctx, asked, wanted(ctx, "searchAcrossEntities"))
}

// ScrollAcrossEntities goes through all that is found.
func (q *query) ScrollAcrossEntities(ctx context.Context, args gqltype.ScrollAcrossEntitiesArgs) (*gqltype.ScrollResults, error) {
	asked, err := q.api.lower(ctx, scrolling(args.Input))
	if err != nil {
		return nil, err
	}
	return q.api.scrollResults(ctx, asked, wanted(ctx, "scrollAcrossEntities"))
}

// errSemantic is what searches by meaning answer: no model is there to embed texts.
func errSemantic() error {
	return fault.New(fault.Invalid, "Semantic search is not enabled in this environment")
}

// SemanticSearch is switched off.
func (q *query) SemanticSearch(context.Context, gqltype.SemanticSearchArgs) (*gqltype.SearchResults, error) {
	return nil, errSemantic()
}

// SemanticSearchAcrossEntities is switched off.
func (q *query) SemanticSearchAcrossEntities(context.Context, gqltype.SemanticSearchAcrossEntitiesArgs) (*gqltype.SearchResults, error) {
	return nil, errSemantic()
}

// AggregateAcrossEntities counts values of fields.
func (q *query) AggregateAcrossEntities(ctx context.Context, args gqltype.AggregateAcrossEntitiesArgs) (*gqltype.AggregateResults, error) {
	in := args.Input
	asked, err := q.api.lower(ctx, asked{types: in.Types, query: in.Query, count: ptr(int32(0)), or: in.OrFilters, flags: in.SearchFlags, view: in.ViewUrn})
	if err != nil {
		return nil, err
	}
	if n := len(value(in.Facets)); n > maxFacets {
		return nil, fault.New(fault.TooLarge, "facets: %d entries, at most %d are allowed", n, maxFacets)
	}
	asked.Facets = nil
	if in.Facets != nil && len(*in.Facets) > 0 {
		asked.Facets = []string{}
		for _, f := range *in.Facets {
			if f != nil {
				asked.Facets = append(asked.Facets, *f)
			}
		}
	}
	found, err := q.api.search(ctx, asked)
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "aggregateAcrossEntities").Of("AggregateResults")["facets"]
	return build(ctx, q.api, func(l *loader) *gqltype.AggregateResults {
		return &gqltype.AggregateResults{Facets: ptr(q.api.facets(l, found.Facets, want))}
	})
}

const usualCompletions = 5

// completionTypes are the types that are completed when none are named.
var completionTypes = []string{
	"dataset", "dashboard", "chart", "container", "mlModel", "mlModelGroup", "mlFeatureTable", "dataFlow", "dataJob", "glossaryTerm", "tag",
	"corpuser", "corpGroup", "notebook", "dataProduct", "domain", "businessAttribute", "application", "structuredProperty",
}

// complete completes what was typed.
func (a *api) complete(ctx context.Context, types []string, text string, field *string, limit *int32, filter search.Filter) ([]search.Completion, error) {
	if text == "" {
		return nil, fault.New(fault.Malformed, "query: must not be empty")
	}
	size := int(otherwise(limit, usualCompletions))
	if size < 0 || size > maxCount {
		return nil, fault.New(fault.Malformed, "limit: must be between 0 and %d, is %d", maxCount, size)
	}
	if size == 0 {
		return nil, nil
	}
	if err := spend(ctx, searchWork); err != nil {
		return nil, err
	}
	return a.Catalog.Autocomplete(ctx, search.AutocompleteQuery{Types: types, Text: text, Field: value(field), Filter: filter, Limit: size})
}

func completed(l *loader, found []search.Completion, w *set) (texts []string, entities []*gqltype.Entity) {
	texts, entities = []string{}, []*gqltype.Entity{}
	for _, c := range found {
		if !slices.Contains(texts, c.Text) {
			texts = append(texts, c.Text)
		}
		if e := l.Entity(c.URN, w); e != nil {
			entities = append(entities, e)
		}
	}
	return texts, entities
}

// AutoComplete completes what was typed, in one type or in the usual ones.
func (q *query) AutoComplete(ctx context.Context, args gqltype.AutoCompleteArgs) (*gqltype.AutoCompleteResults, error) {
	in := args.Input
	types := completionTypes
	if in.Type != nil {
		var err error
		if types, err = entityNames(&[]string{*in.Type}); err != nil {
			return nil, err
		}
	}
	found, err := q.api.complete(ctx, types, in.Query, in.Field, in.Limit, lowerFilter(in.Filters, in.OrFilters))
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "autoComplete").Of("AutoCompleteResults")["entities"]
	return build(ctx, q.api, func(l *loader) *gqltype.AutoCompleteResults {
		out := &gqltype.AutoCompleteResults{Query: in.Query}
		out.Suggestions, out.Entities = completed(l, found, want)
		return out
	})
}

// AutoCompleteForMultiple completes what was typed, type by type.
func (q *query) AutoCompleteForMultiple(ctx context.Context, args gqltype.AutoCompleteForMultipleArgs) (*gqltype.AutoCompleteMultipleResults, error) {
	in := args.Input
	narrowed := catalog.SearchQuery{Filter: lowerFilter(in.Filters, in.OrFilters)}
	var err error
	if narrowed.Types, err = entityNames(in.Types); err != nil {
		return nil, err
	}
	if err := q.api.applyView(ctx, &narrowed, in.ViewUrn); err != nil {
		return nil, err
	}
	if len(narrowed.Types) == 0 {
		narrowed.Types = completionTypes
	}
	want := wanted(ctx, "autoCompleteForMultiple").Of("AutoCompleteMultipleResults")["suggestions"].Of("AutoCompleteResultForEntity")["entities"]
	found := make([][]search.Completion, len(narrowed.Types))
	for i, t := range narrowed.Types {
		if found[i], err = q.api.complete(ctx, []string{t}, in.Query, in.Field, in.Limit, narrowed.Filter); err != nil {
			return nil, err
		}
	}
	return build(ctx, q.api, func(l *loader) *gqltype.AutoCompleteMultipleResults {
		out := &gqltype.AutoCompleteMultipleResults{Query: in.Query, Suggestions: []*gqltype.AutoCompleteResultForEntity{}}
		for i, t := range narrowed.Types {
			kind, ok := gqltype.TypeValue(t)
			if len(found[i]) == 0 || !ok {
				continue
			}
			block := &gqltype.AutoCompleteResultForEntity{Type: kind}
			block.Suggestions, block.Entities = completed(l, found[i], want)
			out.Suggestions = append(out.Suggestions, block)
		}
		return out
	})
}

// maxFacets is how many facets are counted in one search.
const maxFacets = 200

// maxSteps is how deep a browse path goes.
const maxSteps = 100

// Browse lists a level of the older browse tree.
func (q *query) Browse(ctx context.Context, args gqltype.BrowseArgs) (*gqltype.BrowseResults, error) {
	in := args.Input
	types, err := entityNames(&[]string{in.Type})
	if err != nil {
		return nil, err
	}
	from, size, err := page(in.Start, in.Count, usualHits)
	if err != nil {
		return nil, err
	}
	if n := len(value(in.Path)); n > maxSteps {
		return nil, fault.New(fault.TooLarge, "path: %d entries, at most %d are allowed", n, maxSteps)
	}
	path := strings.Join(append([]string{""}, value(in.Path)...), "/")
	found, err := q.api.Catalog.BrowsePaths(ctx, types[0], path, lowerFilter(in.Filters, in.OrFilters), from, size)
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "browse").Of("BrowseResults")["entities"]
	return build(ctx, q.api, func(l *loader) *gqltype.BrowseResults {
		out := &gqltype.BrowseResults{
			Entities: []*gqltype.Entity{}, Groups: []*gqltype.BrowseResultGroup{}, Start: int32(from), Count: int32(size),
			Total:    int32(found.Groups + found.AtPath),
			Metadata: &gqltype.BrowseResultMetadata{Path: otherwise(in.Path, []string{}), TotalNumEntities: gqltype.Long(found.Total)},
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

// BrowsePaths are the paths of an entity in the older browse tree.
func (q *query) BrowsePaths(ctx context.Context, args gqltype.BrowsePathsArgs) (*[]*gqltype.BrowsePath, error) {
	u, err := q.api.resolve("urn", args.Input.Urn)
	if err != nil {
		return nil, err
	}
	paths, err := q.api.Catalog.PathsOf(ctx, u)
	return ptr(browsePaths(paths)), err
}

// BrowseV2 lists the groups below a path of the browse tree.
func (q *query) BrowseV2(ctx context.Context, args gqltype.BrowseV2Args) (*gqltype.BrowseResultsV2, error) {
	in := args.Input
	types := in.Types
	if types == nil && in.Type != nil {
		types = &[]string{*in.Type}
	}
	asked, err := q.api.lower(ctx, asked{types: types, query: otherwise(in.Query, "*"), start: in.Start, count: in.Count, usual: usualHits, or: in.OrFilters, flags: in.SearchFlags, view: in.ViewUrn})
	if err != nil {
		return nil, err
	}
	path := otherwise(in.Path, []string{})
	if n := len(path); n > maxSteps {
		return nil, fault.New(fault.TooLarge, "path: %d entries, at most %d are allowed", n, maxSteps)
	}
	found, err := q.api.Catalog.Browse(ctx, catalog.BrowseQuery{Types: asked.Types, Path: path, Text: asked.Text, Filter: asked.Filter, From: asked.From, Size: asked.Size})
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "browseV2").Of("BrowseResultsV2")["groups"].Of("BrowseResultGroupV2")["entity"]
	return build(ctx, q.api, func(l *loader) *gqltype.BrowseResultsV2 {
		out := &gqltype.BrowseResultsV2{
			Groups: []*gqltype.BrowseResultGroupV2{}, Start: int32(asked.From), Count: int32(asked.Size), Total: int32(found.Groups),
			Metadata: &gqltype.BrowseResultMetadata{Path: path, TotalNumEntities: gqltype.Long(found.Total)},
		}
		for _, g := range found.Items {
			out.Groups = append(out.Groups, &gqltype.BrowseResultGroupV2{Name: g.Name, Entity: named(l, g.Name, want), Count: gqltype.Long(g.Count), HasSubGroups: g.HasSubGroups})
		}
		return out
	})
}

// GetEntityCounts counts entities by type.
func (q *query) GetEntityCounts(ctx context.Context, args gqltype.GetEntityCountsArgs) (*gqltype.EntityCountResults, error) {
	in := value(args.Input)
	types, err := entityNames(in.Types)
	if err != nil {
		return nil, err
	}
	counts := []*gqltype.EntityCountResult{}
	for _, t := range types {
		asked := catalog.SearchQuery{Types: []string{t}, Facets: []string{}}
		if err := q.api.applyView(ctx, &asked, in.ViewUrn); err != nil {
			return nil, err
		}
		found, err := q.api.search(ctx, asked)
		if err != nil {
			return nil, err
		}
		kind, _ := gqltype.TypeValue(t)
		counts = append(counts, &gqltype.EntityCountResult{EntityType: kind, Count: int32(found.Total)})
	}
	return &gqltype.EntityCountResults{Counts: &counts}, nil
}

const quickFilters = 5

// GetQuickFilters proposes filters: the platforms with most assets, and types.
func (q *query) GetQuickFilters(ctx context.Context, args gqltype.GetQuickFiltersArgs) (*gqltype.GetQuickFiltersResult, error) {
	asked := catalog.SearchQuery{Facets: []string{"platform", "_entityType"}}
	if err := q.api.applyView(ctx, &asked, args.Input.ViewUrn); err != nil {
		return nil, err
	}
	found, err := q.api.search(ctx, asked)
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "getQuickFilters").Of("GetQuickFiltersResult")["quickFilters"].Of("QuickFilter")["entity"]
	return build(ctx, q.api, func(l *loader) *gqltype.GetQuickFiltersResult {
		out := &gqltype.GetQuickFiltersResult{QuickFilters: []*gqltype.QuickFilter{}}
		for _, f := range found.Facets {
			for _, b := range cut(f.Buckets, 0, quickFilters) {
				if b.Count > 0 {
					out.QuickFilters = append(out.QuickFilters, &gqltype.QuickFilter{Field: f.Field, Value: facetValue(f.Field, b.Value), Entity: named(l, b.Value, want)})
				}
			}
		}
		return out
	})
}

// lineageTypes are all types but queries, which lineage passes through.
func (a *api) lineageAsked(ctx context.Context, in asked, root *string, direction string, from, to *gqltype.Long, flags *gqltype.LineageFlags) (catalog.LineageQuery, error) {
	in.lineage = true
	lowered, err := a.lower(ctx, in)
	if err != nil {
		return catalog.LineageQuery{}, err
	}
	if root == nil {
		return catalog.LineageQuery{}, fault.New(fault.Malformed, "urn: is required")
	}
	u, err := a.resolve("urn", *root)
	if err != nil {
		return catalog.LineageQuery{}, err
	}
	out := catalog.LineageQuery{SearchQuery: lowered, URN: u, Direction: lineage.Direction(direction), StartTime: millis(from), EndTime: millis(to)}
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

// degreeFacet is the label of the facet that counts by distance.
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

func lineageHits(l *loader, found []catalog.LineageHit, w *set) []*gqltype.SearchAcrossLineageResult {
	want := w.Of("SearchAcrossLineageResult")
	out := make([]*gqltype.SearchAcrossLineageResult, 0, len(found))
	for _, h := range found {
		entity := l.Entity(h.URN, want["entity"])
		if entity == nil {
			continue
		}
		degrees := make([]int32, len(h.Degrees))
		for i, d := range h.Degrees {
			degrees[i] = int32(d)
		}
		row := &gqltype.SearchAcrossLineageResult{
			Entity: entity, Insights: &[]*gqltype.SearchInsight{}, MatchedFields: matched(l, h.Matched, want["matchedFields"]), Degree: int32(h.Degree),
			Degrees: &degrees, Explored: h.Explored, TruncatedChildren: h.TruncatedChildren, IgnoredAsHop: h.IgnoredAsHop,
		}
		paths := []*gqltype.EntityPath{}
		steps := want["paths"].Of("EntityPath")["path"]
		for _, p := range h.Paths {
			path := &gqltype.EntityPath{Path: []*gqltype.Entity{}}
			for _, u := range p {
				if e := l.Entity(u, steps); e != nil {
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

// SearchAcrossLineage searches what lies up or down the lineage of an entity.
func (q *query) SearchAcrossLineage(ctx context.Context, args gqltype.SearchAcrossLineageArgs) (*gqltype.SearchAcrossLineageResults, error) {
	in := args.Input
	asked, err := q.api.lineageAsked(ctx, asked{
		types: in.Types, query: otherwise(in.Query, "*"), start: in.Start, count: in.Count, usual: usualHits, filters: in.Filters, or: in.OrFilters,
		flags: in.SearchFlags, sort: in.SortInput, view: in.ViewUrn,
	}, in.Urn, in.Direction, in.StartTimeMillis, in.EndTimeMillis, in.LineageFlags)
	if err != nil {
		return nil, err
	}
	found, err := q.api.Catalog.SearchLineage(ctx, asked)
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "searchAcrossLineage").Of("SearchAcrossLineageResults")
	return build(ctx, q.api, func(l *loader) *gqltype.SearchAcrossLineageResults {
		return &gqltype.SearchAcrossLineageResults{
			Start: int32(asked.From), Count: int32(asked.Size), Total: int32(found.Total), SearchResults: lineageHits(l, found.Hits, want["searchResults"]),
			Facets: q.api.lineageFacets(l, found.Facets, want["facets"]), IsPartial: ptr(found.Truncated),
		}
	})
}

// ScrollAcrossLineage goes through what lies up or down the lineage of an entity.
func (q *query) ScrollAcrossLineage(ctx context.Context, args gqltype.ScrollAcrossLineageArgs) (*gqltype.ScrollAcrossLineageResults, error) {
	in := args.Input
	asked, err := q.api.lineageAsked(ctx, asked{
		types: in.Types, query: otherwise(in.Query, "*"), count: in.Count, usual: usualHits, or: in.OrFilters, flags: in.SearchFlags, scroll: in.ScrollId,
	}, in.Urn, in.Direction, in.StartTimeMillis, in.EndTimeMillis, in.LineageFlags)
	if err != nil {
		return nil, err
	}
	found, err := q.api.Catalog.SearchLineage(ctx, asked)
	if err != nil {
		return nil, err
	}
	want := wanted(ctx, "scrollAcrossLineage").Of("ScrollAcrossLineageResults")
	return build(ctx, q.api, func(l *loader) *gqltype.ScrollAcrossLineageResults {
		return &gqltype.ScrollAcrossLineageResults{
			NextScrollId: filled(found.Next), Count: int32(len(found.Hits)), Total: int32(found.Total), SearchResults: lineageHits(l, found.Hits, want["searchResults"]),
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
