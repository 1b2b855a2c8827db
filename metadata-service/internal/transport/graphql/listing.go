package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// defaultListing is the default page size of listings.
const defaultListing = 20

// listing is a page of entities of one type.
type listing struct {
	urns               []urn.URN
	start, size, total int32 // size is the requested page size
}

// list finds the entities of one type for operations that list them. The query text is optional;
// all filters must match.
func (a *api) list(ctx context.Context, entityType string, text *string, start, count *int32, defaultSize int, filters []search.Filter, by ...search.Sort) (listing, error) {
	from, size, err := page(start, count, defaultSize)
	if err != nil {
		return listing{}, err
	}
	q := discover.SearchQuery{Types: []string{entityType}, And: filters, Sort: by, From: from, Size: size, Facets: []string{}}
	q.Text, q.Structured = queryText(value(text))
	found, err := a.search(ctx, q)
	if err != nil {
		return listing{}, err
	}
	return listing{urns: urnsOf(found.Hits), start: int32(from), size: int32(size), total: int32(found.Total)}, nil
}

// unlessRanked returns the order of a listing: relevance when there is a query text, otherwise
// the given order.
func unlessRanked(text *string, by search.Sort) []search.Sort {
	if plain := strings.TrimSpace(value(text)); plain != "" && plain != "*" {
		return nil
	}
	return []search.Sort{by}
}

// equalTo is the filter for entities with one of the values in a field.
func equalTo(field string, values ...string) search.Filter {
	return search.Filter{{{Field: field, Values: values}}}
}
