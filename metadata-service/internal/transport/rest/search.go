package rest

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	defaultHits = 10
	maxHits     = search.MaxPage
)

// searchFilter is a filter of a search in either form: "or" contains alternatives, the older
// "criteria" a single list.
type searchFilter struct {
	Or *boundedList[struct {
		And boundedList[searchCriterion] `json:"and"`
	}] `json:"or"`
	Criteria boundedList[searchCriterion] `json:"criteria"`
}

type searchCriterion struct {
	Field     string               `json:"field"`
	Value     string               `json:"value"`
	Values    *boundedList[string] `json:"values"`
	Condition string               `json:"condition"`
	Negated   looseBool            `json:"negated"`
}

// buildFilter converts the filter to the form of package search. A criterion without values has
// no effect; one with an empty list matches nothing.
func (f *searchFilter) buildFilter() (search.Filter, error) {
	if f == nil {
		return nil, nil
	}
	if f.Or == nil {
		all, err := buildCriteria(f.Criteria)
		if err != nil || len(all) == 0 {
			return nil, err
		}
		return search.Filter{all}, nil
	}
	out := make(search.Filter, 0, len(*f.Or))
	for _, alternative := range *f.Or {
		all, err := buildCriteria(alternative.And)
		if err != nil {
			return nil, err
		}
		out = append(out, all)
	}
	return out, nil
}

func buildCriteria(criteria []searchCriterion) ([]search.Criterion, error) {
	var all []search.Criterion
	for _, c := range criteria {
		if c.Field == "" {
			return nil, fault.New(fault.Malformed, "filter: a criterion names no field")
		}
		built := search.Criterion{Field: c.Field, Condition: search.Condition(c.Condition), Negated: bool(c.Negated)}
		switch {
		case c.Values != nil && len(*c.Values) == 0 && c.Value != "", c.Values == nil && c.Value != "":
			built.Values = []string{c.Value}
		case c.Values != nil:
			built.Values = *c.Values
		case built.Condition != search.Exists && built.Condition != search.IsNull:
			continue
		}
		all = append(all, built)
	}
	return all, nil
}

// searchFlags qualifies a search. Flags for caching and rewriting, which clients may send, have
// no effect.
type searchFlags struct {
	MaxAggValues            *looseInt           `json:"maxAggValues"`
	Fulltext                *looseBool          `json:"fulltext"`
	SkipHighlighting        looseBool           `json:"skipHighlighting"`
	SkipAggregates          looseBool           `json:"skipAggregates"`
	GetSuggestions          looseBool           `json:"getSuggestions"`
	IncludeSoftDeleted      looseBool           `json:"includeSoftDeleted"`
	IncludeHiddenStages     looseBool           `json:"includeHiddenLifecycleStages"`
	HighlightFields         boundedList[string] `json:"customHighlightingFields"`
	DefaultFacets           *looseBool          `json:"includeDefaultFacets"`
	PropertyFacets          looseBool           `json:"includeStructuredPropertyFacets"`
	FilterNonLatestVersions *looseBool          `json:"filterNonLatestVersions"`
	Slice                   *struct {
		ID  *looseInt `json:"id"`
		Max *looseInt `json:"max"`
	} `json:"sliceOptions"`
}

func (f *searchFlags) apply(q *discover.SearchQuery) error {
	q.Highlight = true
	if f == nil {
		return nil
	}
	size, err := f.MaxAggValues.clamp("searchFlags.maxAggValues", 1, 0, search.MaxFacetValues)
	if err != nil {
		return err
	}
	q.FacetSize = size
	q.Structured = !f.Fulltext.valueOr(true)
	q.Highlight = !bool(f.SkipHighlighting)
	q.HighlightFields = f.HighlightFields
	if bool(f.SkipAggregates) || !f.DefaultFacets.valueOr(true) {
		q.Facets = []string{}
	}
	q.Suggest = bool(f.GetSuggestions)
	q.IncludeSoftDeleted = bool(f.IncludeSoftDeleted)
	q.IncludeHiddenStages = bool(f.IncludeHiddenStages)
	q.PropertyFacets = bool(f.PropertyFacets)
	q.IncludeOldVersions = !f.FilterNonLatestVersions.valueOr(true)
	if f.Slice != nil {
		if q.Slice, err = f.Slice.ID.clamp("searchFlags.sliceOptions.id", 0, 0, 1<<20); err != nil {
			return err
		}
		q.Slices, err = f.Slice.Max.clamp("searchFlags.sliceOptions.max", 1, 1, 1<<20)
	}
	return err
}

// sortInput is one sort criterion.
type sortInput struct {
	Field string `json:"field" param:"required"`
	Order string `json:"order"`
}

func buildSort(one *sortInput, several boundedList[sortInput]) ([]search.Sort, error) {
	if len(several) == 0 && one != nil {
		several = boundedList[sortInput]{*one}
	}
	var out []search.Sort
	for _, s := range several {
		if s.Field == "" {
			return nil, fault.New(fault.Malformed, "sort: a criterion names no field")
		}
		by := search.Sort{Field: s.Field}
		switch strings.ToUpper(s.Order) {
		case "", "ASCENDING":
		case "DESCENDING":
			by.Descending = true
		default:
			return nil, fault.New(fault.Malformed, "sort: order of %s must be ASCENDING or DESCENDING, is %q", truncate(s.Field), truncate(s.Order))
		}
		out = append(out, by)
	}
	return out, nil
}

// searchInput holds the parameters that all searches share.
type searchInput struct {
	Text     string                 `json:"input"`
	Filter   *searchFilter          `json:"filter"`
	Sort     *sortInput             `json:"sort"`
	Criteria boundedList[sortInput] `json:"sortCriteria"`
	Start    *looseInt              `json:"start"`
	Count    *looseInt              `json:"count"`
	Fulltext *looseBool             `json:"fulltext"`
	Flags    *searchFlags           `json:"searchFlags"`
}

func (in *searchInput) toQuery(types []string) (q discover.SearchQuery, err error) {
	q = discover.SearchQuery{Types: types, Text: in.Text}
	if q.Filter, err = in.Filter.buildFilter(); err != nil {
		return q, err
	}
	if q.Sort, err = buildSort(in.Sort, in.Criteria); err != nil {
		return q, err
	}
	if q.From, err = in.Start.clamp("start", 0, 0, maxOffset); err != nil {
		return q, err
	}
	if q.Size, err = in.Count.clamp("count", 0, defaultHits, maxHits); err != nil {
		return q, err
	}
	return q, in.Flags.apply(&q)
}

type searchOneInput struct {
	Entity string `json:"entity" param:"required"`
	searchInput
}

type filterInput struct {
	Entity string `json:"entity" param:"required"`
	searchInput
}

type searchAcrossInput struct {
	Entities boundedList[string] `json:"entities"`
	searchInput
}

type scrollInput struct {
	Scroll string `json:"scrollId"`
	searchAcrossInput
}

func (s *handlers) searchOne(ctx context.Context, in searchOneInput) (any, error) {
	return s.search(ctx, []string{in.Entity}, &in.searchInput)
}

func (s *handlers) filterOne(ctx context.Context, in filterInput) (any, error) {
	in.Text = ""
	return s.search(ctx, []string{in.Entity}, &in.searchInput)
}

func (s *handlers) searchAcross(ctx context.Context, in searchAcrossInput) (any, error) {
	return s.search(ctx, in.Entities, &in.searchInput)
}

func (s *handlers) search(ctx context.Context, types []string, in *searchInput) (any, error) {
	q, err := in.toQuery(types)
	if err != nil {
		return nil, err
	}
	page, err := s.Discover.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	return s.resultTree(page, "from", q.From, q.Size), nil
}

func (s *handlers) scrollAcross(ctx context.Context, in scrollInput) (any, error) {
	q, err := in.toQuery(in.Entities)
	if err != nil {
		return nil, err
	}
	q.Scroll = in.Scroll
	page, err := s.Discover.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	tree := s.resultTree(page, "", 0, q.Size)
	if page.Next != "" {
		tree["scrollId"] = page.Next
	}
	return tree, nil
}

// resultTree encodes a page of hits; from is the name of the member with its offset, empty for
// none.
func (s *handlers) resultTree(page discover.SearchPage, from string, start, size int) object {
	entities := make([]any, len(page.Hits))
	for i := range page.Hits {
		entities[i] = hitTree(&page.Hits[i])
	}
	tree := object{
		"entities": entities, "pageSize": size, "numEntities": page.Total, "metadata": s.metadataTree(page.Facets, page.Suggestions),
	}
	if from != "" {
		tree[from] = start
	}
	return tree
}

func hitTree(h *search.Hit) object {
	matched := make([]any, len(h.Matched))
	for i, m := range h.Matched {
		matched[i] = object{"name": m.Field, "value": m.Value}
	}
	return object{"entity": string(h.URN), "matchedFields": matched, "score": h.Score}
}

func (s *handlers) metadataTree(facets []search.Facet, suggestions []string) object {
	aggregations := make([]any, len(facets))
	for i, f := range facets {
		counts, values := object{}, make([]any, len(f.Buckets))
		for j, b := range f.Buckets {
			counts[b.Value] = b.Count
			value := object{"value": b.Value, "facetCount": b.Count}
			if strings.HasPrefix(b.Value, "urn:li:") {
				value["entity"] = b.Value
			}
			values[j] = value
		}
		aggregations[i] = object{
			"name": f.Field, "displayName": s.Discover.FacetName(f.Field), "aggregations": counts, "filterValues": values,
		}
	}
	texts := make([]any, len(suggestions))
	for i, text := range suggestions {
		texts[i] = object{"text": text, "score": 1.0, "frequency": 1}
	}
	return object{"aggregations": aggregations, "suggestions": texts}
}

type listSearchInput struct {
	Entity string        `json:"entity" param:"required"`
	Filter *searchFilter `json:"filter"`
	Sort   *sortInput    `json:"sort"`
	Start  *looseInt     `json:"start"`
	Count  *looseInt     `json:"count"`
}

func (s *handlers) listEntities(ctx context.Context, in listSearchInput) (any, error) {
	input := searchInput{Filter: in.Filter, Sort: in.Sort, Start: in.Start, Count: in.Count}
	q, err := input.toQuery([]string{in.Entity})
	if err != nil {
		return nil, err
	}
	q.Facets, q.Highlight = []string{}, false
	page, err := s.Discover.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	urns := make([]any, len(page.Hits))
	for i := range page.Hits {
		urns[i] = string(page.Hits[i].URN)
	}
	return object{"entities": urns, "start": q.From, "count": len(urns), "total": page.Total}, nil
}

type autocompleteInput struct {
	Entity string        `json:"entity" param:"required"`
	Query  string        `json:"query" param:"required"`
	Field  string        `json:"field"`
	Filter *searchFilter `json:"filter"`
	Limit  *looseInt     `json:"limit"`
}

func (s *handlers) autocomplete(ctx context.Context, in autocompleteInput) (any, error) {
	limit, err := in.Limit.clamp("limit", 0, defaultHits, maxCompletions)
	if err != nil {
		return nil, err
	}
	filter, err := in.Filter.buildFilter()
	if err != nil {
		return nil, err
	}
	found, err := s.Discover.Autocomplete(ctx, search.AutocompleteQuery{
		Types: []string{in.Entity}, Text: in.Query, Field: in.Field, Filter: filter, Limit: limit,
	})
	if err != nil {
		return nil, err
	}
	texts, entities, seen := []any{}, []any{}, map[string]bool{}
	for _, c := range found {
		if !seen[c.Text] {
			seen[c.Text] = true
			texts = append(texts, c.Text)
		}
		entities = append(entities, object{"urn": string(c.URN)})
	}
	return object{"query": in.Query, "suggestions": texts, "entities": entities}, nil
}

const maxCompletions = 1000

type countEntityInput struct {
	Entity string `json:"entity" param:"required"`
}

func (s *handlers) countEntities(ctx context.Context, in countEntityInput) (any, error) {
	counts, err := s.Discover.CountEntities(ctx, []string{in.Entity})
	if err != nil {
		return nil, err
	}
	return counts[0], nil
}

type countAllInput struct {
	Entities boundedList[string] `json:"entities" param:"required"`
}

func (s *handlers) countAll(ctx context.Context, in countAllInput) (any, error) {
	counts, err := s.Discover.CountEntities(ctx, in.Entities)
	if err != nil {
		return nil, err
	}
	tree := object{}
	for i, name := range in.Entities {
		tree[name] = counts[i]
	}
	return tree, nil
}
