package graphql

import (
	"context"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

const defaultListed = 20

// newestFirst lists the entities of a type that match a query text, newest first by the given
// field. It returns the offset and size of the page, too.
func (a *api) newestFirst(ctx context.Context, entityType, field string, query *string, start, count *int32, filter search.Filter) (found discover.SearchPage, from, size int, err error) {
	if from, size, err = page(start, count, defaultListed); err != nil {
		return found, 0, 0, err
	}
	text, structured := queryText(value(query))
	found, err = a.search(ctx, discover.SearchQuery{
		Types: []string{entityType}, Text: text, Structured: structured, Filter: filter, From: from, Size: size,
		Sort: []search.Sort{{Field: field, Descending: true}}, Facets: []string{},
	})
	return found, from, size, err
}

// ListOwnershipTypes lists ownership types, newest first.
func (q *query) ListOwnershipTypes(ctx context.Context, args gqltype.ListOwnershipTypesArgs) (*gqltype.ListOwnershipTypesResult, error) {
	in := args.Input
	found, from, size, err := q.api.newestFirst(ctx, owner.TypeEntity, "createdAt", in.Query, in.Start, in.Count, buildFilter(in.Filters, nil))
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listOwnershipTypes").Of("ListOwnershipTypesResult")["ownershipTypes"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListOwnershipTypesResult {
		return &gqltype.ListOwnershipTypesResult{
			Start: int32(from), Count: int32(size), Total: int32(found.Total), OwnershipTypes: loadAll(urnsOf(found.Hits), want, l.OwnershipTypeEntity),
		}
	})
}

// CreateOwnershipType creates an ownership type.
func (m *mutation) CreateOwnershipType(ctx context.Context, args gqltype.CreateOwnershipTypeArgs) (*gqltype.OwnershipTypeEntity, error) {
	u, err := m.api.OwnerTypes.Create(ctx, args.Input.Name, args.Input.Description)
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.OwnershipTypeEntity {
		return l.OwnershipTypeEntity(u, selectionOf(ctx, "createOwnershipType"))
	})
}

// UpdateOwnershipType updates an ownership type.
func (m *mutation) UpdateOwnershipType(ctx context.Context, args gqltype.UpdateOwnershipTypeArgs) (*gqltype.OwnershipTypeEntity, error) {
	u, err := m.api.entityURN("urn", args.Urn, owner.TypeEntity)
	if err != nil {
		return nil, err
	}
	if err := m.api.OwnerTypes.Update(ctx, u, args.Input.Name, args.Input.Description); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.OwnershipTypeEntity {
		return l.OwnershipTypeEntity(u, selectionOf(ctx, "updateOwnershipType"))
	})
}

// DeleteOwnershipType deletes an ownership type, with the references to it if requested.
func (m *mutation) DeleteOwnershipType(ctx context.Context, args gqltype.DeleteOwnershipTypeArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, owner.TypeEntity)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.OwnerTypes.Delete(ctx, u, value(args.DeleteReferences)))
}
