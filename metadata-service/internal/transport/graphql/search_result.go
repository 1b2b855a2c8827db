package graphql

import (
	"context"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// separator joins the names and values of nested facets.
const separator = "\u241e"

// searchResults runs a search and returns a page with offsets.
func (a *api) searchResults(ctx context.Context, q discover.SearchQuery, w *set) (*gqltype.SearchResults, error) {
	want := w.Of("SearchResults")
	if want["facets"] == nil {
		q.Facets, q.PropertyFacets = []string{}, false
	}
	found, err := a.search(ctx, q)
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *gqltype.SearchResults {
		out := &gqltype.SearchResults{
			Start: int32(q.From), Count: int32(q.Size), Total: int32(found.Total),
			SearchResults: hits(l, found, want["searchResults"]), Facets: ptr(a.facets(l, found.Facets, want["facets"])),
		}
		if q.Suggest {
			suggestions := []*gqltype.SearchSuggestion{}
			for _, text := range found.Suggestions {
				suggestions = append(suggestions, &gqltype.SearchSuggestion{Text: text})
			}
			out.Suggestions = &suggestions
		}
		return out
	})
}

// scrollResults runs a search and returns a page with a cursor for the next one.
func (a *api) scrollResults(ctx context.Context, q discover.SearchQuery, w *set) (*gqltype.ScrollResults, error) {
	want := w.Of("ScrollResults")
	if want["facets"] == nil {
		q.Facets, q.PropertyFacets = []string{}, false
	}
	found, err := a.search(ctx, q)
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *gqltype.ScrollResults {
		return &gqltype.ScrollResults{
			NextScrollId: nilIfZero(found.Next), Count: int32(q.Size), Total: int32(found.Total),
			SearchResults: hits(l, found, want["searchResults"]), Facets: ptr(a.facets(l, found.Facets, want["facets"])),
		}
	})
}

func hits(l *loader, found discover.SearchPage, w *set) []*gqltype.SearchResult {
	want := w.Of("SearchResult")
	out := make([]*gqltype.SearchResult, 0, len(found.Hits))
	for _, h := range found.Hits {
		entity := entityOrRestricted(l, h.URN, want["entity"])
		if entity == nil {
			continue // of a type that the schema does not contain
		}
		out = append(out, &gqltype.SearchResult{
			Entity: entity, Insights: &[]*gqltype.SearchInsight{}, MatchedFields: matchedFields(l, h.Matched, want["matchedFields"]), ExtraProperties: ptr(sortValues(found.Sort, h.Cursor)),
		})
	}
	return out
}

// sortValues returns the sort values of a hit. A restricted hit has none. Values that are URNs of
// other entities are left out, because the sort field may refer to hidden entities.
func sortValues(by []search.Sort, at search.Cursor) []*gqltype.ExtraProperty {
	out := []*gqltype.ExtraProperty{}
	for i := range min(len(by), len(at.Values)) {
		if at.Missing[i] {
			continue
		}
		text := at.Values[i].Text
		if urn.Looks(text) && text != string(at.URN) {
			continue
		}
		if text == "" {
			text = strconv.FormatFloat(at.Values[i].Number, 'f', -1, 64)
		}
		out = append(out, &gqltype.ExtraProperty{Name: by[i].Field, Value: text})
	}
	return out
}

func matchedFields(l *loader, found []search.Match, w *set) []*gqltype.MatchedField {
	want := w.Of("MatchedField")["entity"]
	out := make([]*gqltype.MatchedField, 0, len(found))
	for _, m := range found {
		out = append(out, &gqltype.MatchedField{Name: m.Field, Value: m.Value, Entity: entityNamed(l, m.Value, want)})
	}
	return out
}

// entityNamed returns the entity with the URN v, nil when v is not a URN.
func entityNamed(l *loader, v string, w *set) *gqltype.Entity {
	if w == nil || !urn.Looks(v) {
		return nil
	}
	u, err := urn.Parse(v)
	if err != nil {
		return nil
	}
	return l.Entity(u, w)
}

func (a *api) facets(l *loader, found []search.Facet, w *set) []*gqltype.FacetMetadata {
	if w == nil {
		return []*gqltype.FacetMetadata{}
	}
	want := w.Of("FacetMetadata")
	out := make([]*gqltype.FacetMetadata, 0, len(found))
	for _, f := range found {
		facet := &gqltype.FacetMetadata{
			Field: f.Field, DisplayName: ptr(a.Discover.FacetName(f.Field)), Entity: a.facetEntity(l, f.Field, want["entity"]),
			Aggregations: make([]*gqltype.AggregationMetadata, 0, len(f.Buckets)),
		}
		rows := want["aggregations"].Of("AggregationMetadata")["entity"]
		for _, b := range f.Buckets {
			v := facetValue(f.Field, b.Value)
			last := v[strings.LastIndex(v, separator)+1:]
			if i := strings.LastIndex(v, separator); i >= 0 {
				last = v[i+len(separator):]
			}
			facet.Aggregations = append(facet.Aggregations, &gqltype.AggregationMetadata{Value: v, Count: gqltype.Long(b.Count), Entity: entityNamed(l, last, rows)})
		}
		out = append(out, facet)
	}
	return out
}

// facetEntity returns the structured property of a facet, nil for other facets.
func (a *api) facetEntity(l *loader, field string, w *set) *gqltype.Entity {
	name, ok := strings.CutPrefix(field, search.PropertyPrefix)
	if !ok || w == nil {
		return nil
	}
	return entityNamed(l, "urn:li:structuredProperty:"+name, w)
}

// facetValue converts entity types in facet values to EntityType values.
func facetValue(field, v string) string {
	if field != "_entityType" && field != "entity" && !strings.HasPrefix(field, "_entityType"+separator) {
		return v
	}
	first, rest, nested := strings.Cut(v, separator)
	if t, ok := gqltype.TypeValue(first); ok {
		first = t
	}
	if nested {
		return first + separator + rest
	}
	return first
}
