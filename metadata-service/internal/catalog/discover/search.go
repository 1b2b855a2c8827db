package discover

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// Conditions in addition to those of the index; Search converts them to conditions of the index.
const (
	// In is another name of search.Equal.
	In search.Condition = "IN"
	// These select a URN together with its ancestors, its descendants, or both, in the hierarchies
	// of containers, domains, glossary terms and knowledge documents.
	AncestorsIncl   search.Condition = "ANCESTORS_INCL"
	DescendantsIncl search.Condition = "DESCENDANTS_INCL"
	RelatedIncl     search.Condition = "RELATED_INCL"
)

const (
	defaultFacetSize = 20
	// maxFacets bounds the fields with facets, including those added because of filters.
	maxFacets = 200
)

// SearchQuery selects entities. By default it excludes soft-deleted entities, those in hidden
// lifecycle stages, and old versions.
type SearchQuery struct {
	Types      []string // entity types in any spelling; empty for the usual ones
	Text       string   // empty or "*" for everything
	Structured bool     // the text is an expression
	Filter     search.Filter
	And        []search.Filter // further filters that must also match
	// Implied must also match, but does not count as part of the request: its fields get no facets,
	// and it does not lift default exclusions.
	Implied search.Filter
	// Sort orders hits; fields that cannot be sorted by are ignored.
	Sort       []search.Sort
	From, Size int
	// Scroll continues after the page that returned it. It cannot be combined with From.
	Scroll string
	// Slice of Slices restricts the query to one of several parts; without Slices it is not
	// restricted.
	Slice, Slices int
	// Facets names the facets to count; nil means the usual ones, an empty list none.
	Facets []string
	// FacetSize is the number of most frequent values in a facet, at most 60. Zero means 20, and
	// for the facet of types all searched types.
	FacetSize int
	// IncludeSoftDeleted and IncludeOldVersions lift the default exclusions. A criterion on
	// removed, or on isLatest, does so too.
	IncludeSoftDeleted, IncludeOldVersions bool
	// IncludeHiddenStages lists entities in lifecycle stages that searches do not show.
	IncludeHiddenStages bool
	// PropertyFacets adds facets of the structured properties that are shown as filters.
	PropertyFacets  bool
	Highlight       bool
	HighlightFields []string
	Suggest         bool
	// Deciding is set if the result serves a decision and is not shown to clients, such as whether
	// a name is taken: it then includes entities that the actor may not see.
	Deciding bool
	// IncludeRestricted shows entities that the actor may not view as restricted entities, which
	// the total includes. Queries that compare texts, or sort by them, find none of these.
	IncludeRestricted bool

	kind auth.ReadingKind // ReadSearch when empty
}

// SearchPage is a page of entities found. Next continues after it, empty if nothing follows.
type SearchPage struct {
	search.Result
	Next string
	// Sort is the order of the hits: the requested one without fields that cannot be sorted by. The
	// cursors of the hits hold the values of its fields.
	Sort []search.Sort
}

// Search finds entities that the actor may see. Totals and facets count no others. Errors in the
// query are fault.Malformed and name the faulty part.
func (s *Service) Search(ctx context.Context, q SearchQuery) (page SearchPage, err error) {
	ctx, span := tracing.Start(ctx, "discover search")
	defer func() { span.End(err) }()
	query, v, err := s.visibleQuery(ctx, q)
	if err != nil {
		return SearchPage{}, err
	}
	if _, _, restricts := s.restrictedFilter(v); restricts && q.IncludeRestricted && !s.asksForTexts(&q, query.Types) {
		var restricted hiddenHits
		if restricted, err = s.hiddenBy(ctx, query, v); err != nil {
			return SearchPage{}, err
		}
		page, _, err = s.findRestricted(ctx, query, q.Scroll, restricted)
	} else {
		page, err = s.find(ctx, query, q.Scroll)
	}
	if err != nil {
		return SearchPage{}, err
	}
	addTypesWithoutHits(page.Facets, query.Types)
	return page, nil
}

func (s *Service) find(ctx context.Context, q search.Query, scroll string) (SearchPage, error) {
	var err error
	if scroll != "" {
		if q.From != 0 {
			return SearchPage{}, fault.New(fault.Malformed, "a scroll goes on behind its last page and takes no start")
		}
		if scroll, err = s.openScroll(scroll); err != nil {
			return SearchPage{}, err
		}
		if q.After, err = decodeScrollID(scroll, q); err != nil {
			return SearchPage{}, err
		}
	}
	asked := q
	asked.Facets = slices.Clone(q.Facets)
	for i := range asked.Facets {
		if asked.Facets[i].Field == entityField {
			asked.Facets[i].Field = typeField
		}
	}
	result, err := s.Index.Search(ctx, asked)
	if err != nil {
		return SearchPage{}, err
	}
	for i := range result.Facets {
		result.Facets[i].Field = q.Facets[i].Field
	}
	page := SearchPage{Result: result, Sort: q.Sort}
	if result.More && len(result.Hits) > 0 {
		page.Next = s.sealScroll(encodeScrollID(result.Hits[len(result.Hits)-1].Cursor, q))
	}
	if err := s.discloseFacets(ctx, asked, page.Facets); err != nil {
		return SearchPage{}, err
	}
	for i := range page.Facets {
		cutFacet(&page.Facets[i], &q.Facets[i])
	}
	return page, s.discloseHits(ctx, page.Hits)
}

// discloseFacets removes values that name hidden entities from facets. The values after them take
// their places, so that the number of values reveals nothing: a facet that has lost values, and has
// more, is counted again with an increasing number of values.
func (s *Service) discloseFacets(ctx context.Context, asked search.Query, facets []search.Facet) error {
	const growth = 8
	sizes := make([]int, len(facets))
	for i := range facets {
		sizes[i] = asked.Facets[i].Size
	}
	asked.Size, asked.From, asked.After, asked.Suggest = 0, 0, nil, false
	requests := asked.Facets
	for open := places(facets); ; {
		short, err := s.withoutHidden(ctx, facets, open, requests)
		if err != nil || len(short) == 0 {
			return err
		}
		asked.Facets = nil
		open = open[:0]
		for _, i := range short {
			if sizes[i] == search.MaxPage {
				continue
			}
			sizes[i] = min(max(growth*sizes[i], search.MaxFacetValues), search.MaxPage)
			again := requests[i]
			again.Size = sizes[i]
			asked.Facets, open = append(asked.Facets, again), append(open, i)
		}
		if len(open) == 0 {
			return nil
		}
		counted, err := s.Index.Search(ctx, asked)
		if err != nil {
			return err
		}
		for j, i := range open {
			name := facets[i].Field
			facets[i] = counted.Facets[j]
			facets[i].Field = name
		}
	}
}

// places returns the indices of a list.
func places(facets []search.Facet) []int {
	all := make([]int, len(facets))
	for i := range all {
		all[i] = i
	}
	return all
}

// cutFacet reduces a facet to the requested values: the most frequent ones of each level, and those
// named.
func cutFacet(f *search.Facet, asked *search.FacetRequest) {
	kept := make([]search.Bucket, 0, len(f.Buckets))
	have := map[int]int{}
	for _, b := range f.Buckets {
		level := asked.Level(b.Value)
		if have[level]++; have[level] <= asked.Size || slices.Contains(asked.Values, b.Value) {
			kept = append(kept, b)
		} else {
			f.More = true
		}
	}
	f.Buckets = kept
}

// ScrollAt returns a scroll id that continues after one hit of a page of the query.
func (s *Service) ScrollAt(ctx context.Context, q SearchQuery, h search.Hit) (string, error) {
	query, err := s.toQuery(ctx, q)
	return s.sealScroll(encodeScrollID(h.Cursor, query)), err
}

// toQuery converts a query to one of the index: the visibility of the actor and the default
// exclusions become filters, and hierarchies become lists of URNs. It refuses filters beyond the
// limits of the port before any other work.
func (s *Service) toQuery(ctx context.Context, q SearchQuery) (search.Query, error) {
	query, _, err := s.visibleQuery(ctx, q)
	return query, err
}

// visibleQuery is toQuery that also returns the visibility of the actor.
func (s *Service) visibleQuery(ctx context.Context, q SearchQuery) (search.Query, auth.Visibility, error) {
	if err := search.SizeOf(q.Filter).Plus(q.And...).Check(); err != nil {
		return search.Query{}, auth.Visibility{}, err
	}
	types, err := s.searchTypes(q.Types, document.SearchTypes())
	if err != nil {
		return search.Query{}, auth.Visibility{}, err
	}
	v := auth.Visibility{Types: types}
	if !q.Deciding {
		if v, err = s.searchVisibility(ctx, q.kind, types); err != nil {
			return search.Query{}, auth.Visibility{}, err
		}
	}
	query, err := s.queryOver(ctx, q, v)
	return query, v, err
}

// queryOver returns a query of the index over the visible entities.
func (s *Service) queryOver(ctx context.Context, q SearchQuery, v auth.Visibility) (search.Query, error) {
	types := v.Types
	if !q.Deciding {
		if err := s.refuseRemovedProperties(ctx, q.filters()); err != nil {
			return search.Query{}, err
		}
	}
	filters, err := s.filtersOf(ctx, q, types)
	if err != nil {
		return search.Query{}, err
	}
	var excluded []string
	whole := false
	sorts := s.sortable(types, q.Sort)
	if !q.Deciding {
		if excluded, err = s.excludedFields(ctx, types, q.Text, q.Structured); err != nil {
			return search.Query{}, err
		}
		if whole, err = s.hidesSome(ctx); err != nil {
			return search.Query{}, err
		}
		if sorts, err = s.withoutRevealingSorts(ctx, sorts, excluded); err != nil {
			return search.Query{}, err
		}
	}
	implicit, err := s.implicit(ctx, q, types)
	if err != nil {
		return search.Query{}, err
	}
	out := search.Query{
		Types: types, Text: q.Text, Structured: q.Structured, ExcludedFields: excluded, WholeNames: whole, Filter: filters[0], And: append(filters[1:], implicit), Sort: sorts, From: q.From, Size: q.Size,
		Slice: q.Slice, Slices: q.Slices, Highlight: q.Highlight, HighlightFields: q.HighlightFields, Suggest: q.Suggest,
		Facets: s.facets(q, types),
	}
	if q.Implied != nil {
		out.And = append(out.And, q.Implied)
	}
	if q.PropertyFacets && len(out.Facets) > 0 {
		if err := s.addPropertyFacets(ctx, &out, q.facetSize()); err != nil {
			return out, err
		}
	}
	if len(out.Sort) > maxSorts {
		return out, fault.New(fault.Malformed, "sort: more than %d fields", maxSorts)
	}
	out.Visible, out.VisibleKey = v.Filter, v.Key
	return out, nil
}

// searchVisibility returns the part of some types that the actor may find.
func (s *Service) searchVisibility(ctx context.Context, kind auth.ReadingKind, types []string) (auth.Visibility, error) {
	if kind == "" {
		kind = auth.ReadSearch
	}
	return s.Catalog.Visible(ctx, auth.Reading{Kind: kind, Types: types})
}

// UsualTypes lists the entity types of searches that name none.
func (s *Service) UsualTypes() []string { return document.SearchTypes() }

// AutocompleteTypes lists the entity types of completions that name none.
func (s *Service) AutocompleteTypes() []string { return document.AutocompleteTypes() }

// DataTypes lists the entity types that represent data and the terms that describe it: those of
// UsualTypes except people, groups and roles.
func (s *Service) DataTypes() []string { return document.DataTypes() }

// searchTypes returns the types in registry spelling. Types that are not indexed are never
// searched.
func (s *Service) searchTypes(asked, otherwise []string) ([]string, error) {
	if len(asked) == 0 {
		asked = otherwise
	}
	types := make([]string, 0, len(asked))
	for _, name := range asked {
		entity, ok := s.entityType(name)
		if !ok {
			return nil, fault.New(fault.Malformed, "entity type %q is not known", name)
		}
		if document.IsIndexed(entity) && !slices.Contains(types, entity.Name) {
			types = append(types, entity.Name)
		}
	}
	if len(types) == 0 {
		return nil, fault.New(fault.Malformed, "entities of type %s cannot be searched", strings.Join(asked, ", "))
	}
	return types, nil
}

// Searches reports whether entities of a type can be found by searches.
func (s *Service) Searches(entityType string) bool {
	entity, ok := s.entityType(entityType)
	return ok && document.IsIndexed(entity)
}

// entityType returns an entity type by its name in either spelling, dataJob or DATA_JOB.
func (s *Service) entityType(name string) (*model.EntitySpec, bool) {
	if entity, ok := s.Catalog.Registry.Entity(name); ok {
		return entity, true
	}
	return s.Catalog.Registry.Entity(strings.ReplaceAll(name, "_", ""))
}

// maxSorts bounds the sort fields of a search. A scroll id holds the values of all of them.
const maxSorts = 10

// sortable leaves out fields that cannot be sorted by: unknown fields, URNs other than that of the
// entity, paths, and duplicates.
func (s *Service) sortable(types []string, asked []search.Sort) []search.Sort {
	var out []search.Sort
	for _, by := range asked {
		by.Field = search.PlainName(by.Field)
		if len(out) > maxSorts || slices.ContainsFunc(out, func(before search.Sort) bool { return before.Field == by.Field }) {
			continue
		}
		if by.Field == "urn" || by.Field == "_score" || strings.HasPrefix(by.Field, search.PropertyPrefix) || s.fields.sortable(types, by.Field) {
			out = append(out, by)
		}
	}
	return out
}

// withoutRevealingSorts leaves out excluded sort fields and, if fields are excluded, structured
// properties with URNs: the position of a hit among others would reveal the value.
func (s *Service) withoutRevealingSorts(ctx context.Context, sorts []search.Sort, excluded []string) ([]search.Sort, error) {
	if len(excluded) == 0 {
		return sorts, nil
	}
	var kept []search.Sort
	for _, by := range sorts {
		of, err := s.isURNProperty(ctx, by.Field)
		if err != nil {
			return nil, err
		}
		if !of && !slices.Contains(excluded, by.Field) {
			kept = append(kept, by)
		}
	}
	return kept, nil
}

// facets lists the facets to count: the requested or the usual ones, and those of the fields in
// filters.
func (s *Service) facets(q SearchQuery, types []string) []search.FacetRequest {
	names := q.Facets
	if names == nil {
		names = document.DefaultFacets(s.fields.schemas, types)
	}
	if len(names) > 0 {
		names = slices.Clone(names)
		named := map[string]bool{"urn": true}
		for _, name := range names {
			named[search.PlainName(name)] = true
		}
		for _, c := range criteria(q.filters()...) {
			plain := search.PlainName(c.Field)
			property := strings.HasPrefix(plain, search.PropertyPrefix) && len(named) < maxFacets
			if !named[plain] && (property || s.fields.has(types, plain)) {
				names = append(names, strings.TrimSuffix(c.Field, ".keyword"))
			}
			named[plain] = true
		}
	}
	requests := make([]search.FacetRequest, len(names))
	for i, name := range names {
		size := q.facetSize()
		if q.FacetSize <= 0 && isTypeFacet(name) {
			size = min(max(size, len(types)), search.MaxFacetValues)
		}
		requests[i] = search.FacetRequest{Field: name, Size: size}
	}
	s.addChosen(requests, q)
	return requests
}

func (q *SearchQuery) facetSize() int {
	if q.FacetSize <= 0 {
		return defaultFacetSize
	}
	return min(q.FacetSize, search.MaxFacetValues)
}

// addChosen requests the counts of the values in filters, so that a selected value remains visible.
func (s *Service) addChosen(requests []search.FacetRequest, q SearchQuery) {
	chosen := map[string][]string{}
	for _, c := range criteria(q.filters()...) {
		if c.Condition == "" || c.Condition == search.Equal || c.Condition == In {
			field := search.PlainName(c.Field)
			room := search.MaxFacetValues - len(chosen[field])
			chosen[field] = append(chosen[field], c.Values[:min(len(c.Values), room)]...)
		}
	}
	for i := range requests {
		field := search.PlainName(requests[i].Field)
		switch first, _, _ := strings.Cut(field, nestSeparator); {
		case isTypeFacet(field):
			requests[i].Values = s.typesSpelled(slices.Concat(chosen[typeField], chosen[entityField]))
		case first == typeField:
			requests[i].Values = s.typesSpelled(chosen[field])
		default:
			requests[i].Values = chosen[field]
		}
	}
}

// typesSpelled returns the values that are types, or begin with one, in registry spelling, as in
// facets.
func (s *Service) typesSpelled(values []string) []string {
	var out []string
	for _, v := range values {
		name, rest, more := strings.Cut(v, nestSeparator)
		entity, ok := s.entityType(name)
		if !ok || len(out) == search.MaxFacetValues {
			continue
		}
		v = entity.Name
		if more {
			v += nestSeparator + rest
		}
		out = append(out, v)
	}
	return out
}

// addPropertyFacets adds facets of the structured properties that are shown as filters and that the
// actor may see.
func (s *Service) addPropertyFacets(ctx context.Context, q *search.Query, size int) error {
	v, err := s.searchVisibility(ctx, auth.ReadSearch, []string{"structuredProperty"})
	if errors.Is(err, fault.Forbidden) {
		return nil
	}
	if err != nil {
		return err
	}
	shown, err := s.Index.Search(ctx, search.Query{
		Types: v.Types, Size: search.MaxFacetValues, Visible: v.Filter, VisibleKey: v.Key,
		Filter: search.Filter{{{Field: "showInSearchFilters", Values: []string{"true"}}, {Field: "removed", Values: []string{"true"}, Negated: true}}},
	})
	if err != nil {
		return err
	}
	keys := make([]store.Key, len(shown.Hits))
	for i, h := range shown.Hits {
		keys[i] = store.Key{URN: h.URN, Aspect: "propertyDefinition"}
	}
	records, err := s.Catalog.Latest(ctx, keys...)
	if err != nil {
		return err
	}
	for _, rec := range records {
		if rec == nil {
			continue
		}
		definition, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return err
		}
		field := document.PropertyField(definition)
		same := func(r search.FacetRequest) bool { return search.PlainName(r.Field) == search.PlainName(field) }
		if field != "" && !slices.ContainsFunc(q.Facets, same) {
			q.Facets = append(q.Facets, search.FacetRequest{Field: field, Size: size})
		}
	}
	return nil
}

// filtersOf returns the filters of a query with only conditions of the index, without URNs that are
// hidden from the actor, whether given as values or found in hierarchies.
func (s *Service) filtersOf(ctx context.Context, q SearchQuery, types []string) ([]search.Filter, error) {
	if q.Deciding {
		return s.expandHierarchies(ctx, q.filters(), types)
	}
	filters, err := s.discloseFilters(ctx, q.filters(), types)
	if err != nil {
		return nil, err
	}
	if filters, err = s.expandHierarchies(ctx, filters, types); err != nil {
		return nil, err
	}
	return s.discloseFilters(ctx, filters, types)
}

// filters lists the filters of the request.
func (q *SearchQuery) filters() []search.Filter { return append([]search.Filter{q.Filter}, q.And...) }

// criteria lists all criteria of filters.
func criteria(filters ...search.Filter) (all []search.Criterion) {
	for _, f := range filters {
		for _, alternative := range f {
			all = append(all, alternative...)
		}
	}
	return all
}

const (
	typeField = "_entityType"
	// entityField is an older name of typeField. An entity type may have a field with that name,
	// which a filter then means; a facet always means the types.
	entityField   = "entity"
	nestSeparator = search.Nest
)

func isTypeFacet(facet string) bool { return facet == typeField || facet == entityField }

// addTypesWithoutHits adds the searched types without hits to the facet of types. If the facet
// holds only the most frequent types, the counts of the others are unknown, and it adds nothing.
func addTypesWithoutHits(facets []search.Facet, types []string) {
	for i := range facets {
		f := &facets[i]
		if !isTypeFacet(f.Field) || f.More {
			continue
		}
		for _, name := range types {
			if !slices.ContainsFunc(f.Buckets, func(b search.Bucket) bool { return b.Value == name }) {
				f.Buckets = append(f.Buckets, search.Bucket{Value: name})
			}
		}
	}
}

// implicit returns the filter for the default exclusions, empty if there are none.
func (s *Service) implicit(ctx context.Context, q SearchQuery, types []string) (search.Filter, error) {
	var implicit []search.Criterion
	asked := criteria(q.filters()...)
	leaveOut := func(field string, values ...string) {
		if len(values) > 0 && !hasField(asked, field) {
			implicit = append(implicit, search.Criterion{Field: field, Values: values, Negated: true})
		}
	}
	if !q.IncludeSoftDeleted {
		leaveOut("removed", "true")
		if !q.IncludeHiddenStages {
			hidden, err := s.hiddenStages(ctx, types)
			if err != nil {
				return nil, err
			}
			leaveOut("lifecycleStage", hidden...)
		}
	}
	if !q.IncludeOldVersions {
		leaveOut("isLatest", "false")
	}
	if len(implicit) == 0 {
		return nil, nil
	}
	return search.Filter{implicit}, nil
}

func hasField(all []search.Criterion, field string) bool {
	return slices.ContainsFunc(all, func(c search.Criterion) bool { return search.PlainName(c.Field) == field })
}

// Autocomplete completes a typed text; empty types mean the usual ones. An empty text is
// fault.Malformed.
func (s *Service) Autocomplete(ctx context.Context, q search.AutocompleteQuery) (list []search.Completion, err error) {
	ctx, span := tracing.Start(ctx, "discover autocomplete")
	defer func() { span.End(err) }()
	if strings.TrimSpace(q.Text) == "" {
		return nil, fault.New(fault.Malformed, "query must not be empty")
	}
	types := q.Types
	if len(types) == 0 {
		types = document.AutocompleteTypes()
	}
	query, err := s.toQuery(ctx, SearchQuery{Types: types, Filter: q.Filter, And: q.And, Facets: []string{}, kind: auth.ReadAutocomplete})
	if err != nil {
		return nil, err
	}
	q.Types, q.Filter, q.And, q.Visible, q.VisibleKey = query.Types, query.Filter, query.And, query.Visible, query.VisibleKey
	q.WholeNames = query.WholeNames
	if q.ExcludedFields = query.ExcludedFields; len(q.ExcludedFields) > 0 {
		of, err := s.isURNProperty(ctx, q.Field)
		if err != nil {
			return nil, err
		}
		if of {
			q.ExcludedFields = append(slices.Clip(q.ExcludedFields), search.PlainName(q.Field))
		}
	}
	if list, err = s.Index.Autocomplete(ctx, q); err != nil {
		return nil, err
	}
	return s.discloseCompletions(ctx, list)
}

// CountEntities counts the visible entities of some types, including soft-deleted and old ones, in
// the order of types. It requires auth.GetCounts.
func (s *Service) CountEntities(ctx context.Context, types []string) ([]int, error) {
	if err := s.MayCount(ctx); err != nil {
		return nil, err
	}
	counts := make([]int, len(types))
	for i, name := range types {
		query, err := s.toQuery(ctx, SearchQuery{Types: []string{name}, IncludeSoftDeleted: true, IncludeOldVersions: true, Facets: []string{}, kind: auth.ReadCounts})
		if errors.Is(err, fault.Forbidden) {
			continue
		}
		if err != nil {
			return nil, err
		}
		result, err := s.Index.Search(ctx, query)
		if err != nil {
			return nil, err
		}
		counts[i] = result.Total
	}
	return counts, nil
}
