package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const defaultHits = 10

// searchRequest holds the arguments that all search operations share.
type searchRequest struct {
	types       *[]string
	query       string
	start       *int32
	count       *int32
	defaultSize int // page size when count is absent
	filters     *[]gqltype.FacetFilterInput
	or          *[]gqltype.AndFilterInput
	flags       *gqltype.SearchFlags
	sort        *gqltype.SearchSortInput
	view        *string
	scroll      *string
	lineage     bool // highlighting is off unless requested
}

// toQuery converts the arguments of a search operation to a query of package discover. Facet
// values are counted unless the flags exclude them.
func (a *api) toQuery(ctx context.Context, in searchRequest) (q discover.SearchQuery, err error) {
	q.Text, q.Structured = queryText(in.query)
	if q.Types, err = entityNames(in.types); err != nil {
		return q, err
	}
	if q.From, q.Size, err = page(in.start, in.count, in.defaultSize); err != nil {
		return q, err
	}
	q.Scroll = value(in.scroll)
	q.Filter = buildFilter(in.filters, in.or)
	q.Sort = buildSort(in.sort)
	q.Highlight = !in.lineage
	applyFlags(&q, in.flags)
	return q, a.applyView(ctx, &q, in.view)
}

// queryText distinguishes plain text from expressions, which begin with /q.
func queryText(text string) (plain string, expression bool) {
	trimmed := strings.TrimLeft(text, ": ")
	if rest, ok := strings.CutPrefix(trimmed, "/q "); ok {
		return rest, true
	}
	return trimmed, false
}

// entityNames converts EntityType values to names of entity types. A value without an entity type
// is a fault.Malformed error.
func entityNames(values *[]string) ([]string, error) {
	if values == nil {
		return nil, nil
	}
	names := make([]string, 0, len(*values))
	for _, v := range *values {
		name, ok := gqltype.TypeName(v)
		if !ok {
			return nil, fault.New(fault.Malformed, "types: %s is no type that can be searched", v)
		}
		names = append(names, name)
	}
	return names, nil
}

func buildFilter(filters *[]gqltype.FacetFilterInput, or *[]gqltype.AndFilterInput) search.Filter {
	if or != nil {
		out := make(search.Filter, 0, len(*or))
		for _, alternative := range *or {
			out = append(out, buildCriteria(value(alternative.And)))
		}
		return out
	}
	if len(value(filters)) == 0 {
		return nil
	}
	return search.Filter{buildCriteria(*filters)}
}

func buildCriteria(in []gqltype.FacetFilterInput) []search.Criterion {
	out := make([]search.Criterion, 0, len(in))
	for _, c := range in {
		out = append(out, search.Criterion{
			Field: c.Field, Condition: search.Condition(valueOr(c.Condition, "EQUAL")), Values: filterValues(c.Field, value(c.Values)), Negated: value(c.Negated),
		})
	}
	return out
}

// filterValues converts EntityType values in filters to the names in the search index.
func filterValues(field string, values []string) []string {
	if field != "_entityType" && field != "entity" && !strings.HasPrefix(field, "_entityType"+separator) {
		return values
	}
	out := make([]string, len(values))
	for i, v := range values {
		first, rest, nested := strings.Cut(v, separator)
		if name, ok := gqltype.TypeName(first); ok {
			first = name
		}
		out[i] = first
		if nested {
			out[i] += separator + rest
		}
	}
	return out
}

func buildSort(in *gqltype.SearchSortInput) []search.Sort {
	if in == nil {
		return nil
	}
	criteria := value(in.SortCriteria)
	if len(criteria) == 0 && in.SortCriterion != nil {
		criteria = []gqltype.SortCriterion{*in.SortCriterion}
	}
	out := make([]search.Sort, 0, len(criteria))
	for _, c := range criteria {
		out = append(out, search.Sort{Field: c.Field, Descending: c.SortOrder == "DESCENDING"})
	}
	return out
}

func applyFlags(q *discover.SearchQuery, f *gqltype.SearchFlags) {
	if f == nil {
		return
	}
	if !valueOr(f.Fulltext, true) {
		q.Structured = true
	}
	q.FacetSize = max(0, min(int(value(f.MaxAggValues)), search.MaxFacetValues))
	if f.SkipHighlighting != nil {
		q.Highlight = !*f.SkipHighlighting
	}
	q.HighlightFields = value(f.CustomHighlightingFields)
	if value(f.SkipAggregates) {
		q.Facets = []string{}
	}
	q.Suggest = value(f.GetSuggestions)
	q.IncludeSoftDeleted = value(f.IncludeSoftDeleted)
	q.IncludeRestricted = value(f.IncludeRestricted)
	q.IncludeHiddenStages = value(f.IncludeHiddenLifecycleStages)
	q.IncludeOldVersions = !valueOr(f.FilterNonLatestVersions, true)
	q.PropertyFacets = value(f.IncludeStructuredPropertyFacets)
}

// applyView restricts a search to a view: to its entity types, intersected with those of the
// search, and to its filter. A view that does not exist restricts nothing.
func (a *api) applyView(ctx context.Context, q *discover.SearchQuery, view *string) error {
	if value(view) == "" {
		return nil
	}
	u, err := a.entityURN("viewUrn", *view, "dataHubView")
	if err != nil {
		return err
	}
	info, err := a.aspect(ctx, u, "dataHubViewInfo")
	if err != nil {
		return err
	}
	if info == nil {
		return nil // a deleted view restricts nothing
	}
	definition := jsontree.Child(info, "definition")
	types, some := intersection(q.Types, jsontree.Texts(definition, "entityTypes"))
	if !some {
		q.Filter = equalTo("urn") // no value, so nothing matches
		return nil
	}
	q.Types = types
	filter := storedFilter(jsontree.Child(definition, "filter"))
	for _, alternative := range filter {
		for i, c := range alternative {
			alternative[i].Values = filterValues(c.Field, c.Values)
		}
	}
	q.And = append(q.And, filter)
	return nil
}

// intersection intersects two lists of types, where an empty list means all types. some reports
// whether any type is left.
func intersection(a, b []string) (common []string, some bool) {
	if len(a) == 0 {
		return b, true
	}
	if len(b) == 0 {
		return a, true
	}
	in := map[string]bool{}
	for _, t := range b {
		in[t] = true
	}
	for _, t := range a {
		if in[t] {
			common = append(common, t)
		}
	}
	return common, len(common) > 0
}

// storedFilter converts a filter in the form of aspects.
func storedFilter(filter jsontree.Object) search.Filter {
	var out search.Filter
	criterion := func(o jsontree.Object) search.Criterion {
		values := jsontree.Texts(o, "values")
		if single := jsontree.Text(o, "value"); single != "" && len(values) == 0 {
			values = []string{single}
		}
		condition := jsontree.Text(o, "condition")
		if condition == "" {
			condition = "EQUAL"
		}
		return search.Criterion{Field: jsontree.Text(o, "field"), Condition: search.Condition(condition), Values: values, Negated: jsontree.Bool(o, "negated")}
	}
	for _, alternative := range jsontree.Children(filter, "or") {
		var all []search.Criterion
		for _, c := range jsontree.Children(alternative, "and") {
			all = append(all, criterion(c))
		}
		out = append(out, all)
	}
	if len(out) == 0 {
		var all []search.Criterion
		for _, c := range jsontree.Children(filter, "criteria") {
			all = append(all, criterion(c))
		}
		if len(all) > 0 {
			out = search.Filter{all}
		}
	}
	return out
}

// viewFilter converts a stored filter to the flat form of views: one list, joined by AND or by
// OR.
func viewFilter(filter jsontree.Object) *gqltype.DataHubViewFilter {
	out := &gqltype.DataHubViewFilter{Operator: "AND", Filters: []*gqltype.FacetFilter{}}
	stored := storedFilter(filter)
	if len(stored) > 1 {
		out.Operator = "OR"
	}
	for _, alternative := range stored {
		for _, c := range alternative {
			values := c.Values
			if values == nil {
				values = []string{}
			}
			out.Filters = append(out.Filters, &gqltype.FacetFilter{Field: c.Field, Condition: ptr(string(c.Condition)), Values: values, Negated: ptr(c.Negated)})
		}
	}
	return out
}

// restrictTo restricts a search to entities with one of the values in a field.
func restrictTo(q *discover.SearchQuery, field string, values ...urn.URN) {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	q.And = append(q.And, equalTo(field, texts...))
}
