package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/businessattribute"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// ListBusinessAttributes lists business attributes, newest first.
func (q *query) ListBusinessAttributes(ctx context.Context, args gqltype.ListBusinessAttributesArgs) (*gqltype.ListBusinessAttributesResult, error) {
	in := args.Input
	found, from, size, err := q.api.newestFirst(ctx, businessattribute.EntityType, "systemCreated", in.Query, in.Start, in.Count, nil)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listBusinessAttributes").Of("ListBusinessAttributesResult")["businessAttributes"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListBusinessAttributesResult {
		return &gqltype.ListBusinessAttributesResult{
			Start: int32(from), Count: int32(size), Total: int32(found.Total), BusinessAttributes: loadAll(urnsOf(found.Hits), want, l.BusinessAttribute),
		}
	})
}

// CreateBusinessAttribute creates a business attribute.
func (m *mutation) CreateBusinessAttribute(ctx context.Context, args gqltype.CreateBusinessAttributeArgs) (*gqltype.BusinessAttribute, error) {
	in := args.Input
	u, err := m.api.BusinessAttributes.Create(ctx, businessattribute.Draft{ID: value(in.Id), Name: in.Name, Description: in.Description, Type: value(in.Type)})
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.BusinessAttribute {
		return l.BusinessAttribute(u, selectionOf(ctx, "createBusinessAttribute"))
	})
}

// UpdateBusinessAttribute updates a business attribute.
func (m *mutation) UpdateBusinessAttribute(ctx context.Context, args gqltype.UpdateBusinessAttributeArgs) (*gqltype.BusinessAttribute, error) {
	u, err := m.api.entityURN("urn", args.Urn, businessattribute.EntityType)
	if err != nil {
		return nil, err
	}
	in := args.Input
	if err := m.api.BusinessAttributes.Update(ctx, u, businessattribute.Revision{Name: in.Name, Description: in.Description, Type: in.Type}); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.BusinessAttribute {
		return l.BusinessAttribute(u, selectionOf(ctx, "updateBusinessAttribute"))
	})
}

// DeleteBusinessAttribute deletes a business attribute permanently.
func (m *mutation) DeleteBusinessAttribute(ctx context.Context, args gqltype.DeleteBusinessAttributeArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, businessattribute.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.BusinessAttributes.Delete(ctx, u))
}

func columns(in []gqltype.ResourceRefInput) []businessattribute.Target {
	out := make([]businessattribute.Target, len(in))
	for i, r := range in {
		out[i] = businessattribute.Target{URN: r.ResourceUrn, Column: value(r.SubResource)}
	}
	return out
}

// AddBusinessAttribute assigns a business attribute to columns.
func (m *mutation) AddBusinessAttribute(ctx context.Context, args gqltype.AddBusinessAttributeArgs) (*bool, error) {
	u, err := m.api.entityURN("businessAttributeUrn", args.Input.BusinessAttributeUrn, businessattribute.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.BusinessAttributes.Assign(ctx, u, columns(args.Input.ResourceUrn)))
}

// RemoveBusinessAttribute removes a business attribute from columns.
func (m *mutation) RemoveBusinessAttribute(ctx context.Context, args gqltype.RemoveBusinessAttributeArgs) (*bool, error) {
	u, err := m.api.entityURN("businessAttributeUrn", args.Input.BusinessAttributeUrn, businessattribute.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.BusinessAttributes.Unassign(ctx, u, columns(args.Input.ResourceUrn)))
}
