package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/domain"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

const defaultDomains = 20

// ListDomains lists the domains directly below a domain or at the root, newest first.
func (q *query) ListDomains(ctx context.Context, args gqltype.ListDomainsArgs) (*gqltype.ListDomainsResult, error) {
	in := args.Input
	from, size, err := page(in.Start, in.Count, defaultDomains)
	if err != nil {
		return nil, err
	}
	var parent urn.URN
	if value(in.ParentDomain) != "" {
		if parent, err = q.api.entityURN("parentDomain", *in.ParentDomain, domain.EntityType); err != nil {
			return nil, err
		}
	}
	request := discover.SearchQuery{
		Types: []string{domain.EntityType}, From: from, Size: size, Facets: []string{}, Sort: []search.Sort{{Field: "createdTime", Descending: true}},
		Filter: search.Filter{{domain.Below(parent)}},
	}
	request.Text, request.Structured = queryText(value(in.Query))
	found, err := q.api.search(ctx, request)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listDomains").Of("ListDomainsResult")["domains"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListDomainsResult {
		return &gqltype.ListDomainsResult{Start: int32(from), Count: int32(size), Total: int32(found.Total), Domains: loadAll(urnsOf(found.Hits), want, l.Domain)}
	})
}

// CreateDomain creates a domain and returns its URN.
func (m *mutation) CreateDomain(ctx context.Context, args gqltype.CreateDomainArgs) (*string, error) {
	in := args.Input
	return urnResult(m.api.Domains.Create(ctx, domain.Draft{
		ID: value(in.Id), Name: in.Name, Description: in.Description, Parent: value(in.ParentDomain), Owners: additions(value(in.Owners)),
	}))
}

// MoveDomain moves a domain below another one or to the root.
func (m *mutation) MoveDomain(ctx context.Context, args gqltype.MoveDomainArgs) (*bool, error) {
	u, err := m.api.entityURN("resourceUrn", args.Input.ResourceUrn, domain.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Domains.Move(ctx, u, value(args.Input.ParentDomain)))
}

// DeleteDomain deletes a domain permanently.
func (m *mutation) DeleteDomain(ctx context.Context, args gqltype.DeleteDomainArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, domain.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Domains.Delete(ctx, u))
}

// SetDomain assigns an entity to a domain.
func (m *mutation) SetDomain(ctx context.Context, args gqltype.SetDomainArgs) (*bool, error) {
	return trueResult(m.api.Domains.Assign(ctx, args.DomainUrn, []domain.Target{{URN: args.EntityUrn}}))
}

// UnsetDomain removes an entity from its domain.
func (m *mutation) UnsetDomain(ctx context.Context, args gqltype.UnsetDomainArgs) (*bool, error) {
	return trueResult(m.api.Domains.Clear(ctx, []domain.Target{{URN: args.EntityUrn}}))
}

// BatchSetDomain assigns several entities to a domain, or removes them from theirs when none is
// given.
func (m *mutation) BatchSetDomain(ctx context.Context, args gqltype.BatchSetDomainArgs) (*bool, error) {
	to := make([]domain.Target, len(args.Input.Resources))
	for i, r := range args.Input.Resources {
		to[i] = domain.Target{URN: r.ResourceUrn, Column: value(r.SubResource)}
	}
	if args.Input.DomainUrn == nil {
		return trueResult(m.api.Domains.Clear(ctx, to))
	}
	return trueResult(m.api.Domains.Assign(ctx, *args.Input.DomainUrn, to))
}
