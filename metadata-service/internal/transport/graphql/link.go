package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/link"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

func linkOf(address, label string, settings *gqltype.LinkSettingsInput) link.Link {
	return link.Link{URL: address, Label: label, Preview: value(settings).ShowInAssetPreview}
}

// AddLink adds a link to an external page to an entity.
func (m *mutation) AddLink(ctx context.Context, args gqltype.AddLinkArgs) (*bool, error) {
	in := args.Input
	u, err := m.api.urnArgument("resourceUrn", in.ResourceUrn)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Links.Add(ctx, u, linkOf(in.LinkUrl, in.Label, in.Settings)))
}

// UpsertLink adds a link to an external page to an entity, or replaces it.
func (m *mutation) UpsertLink(ctx context.Context, args gqltype.UpsertLinkArgs) (*bool, error) {
	in := args.Input
	u, err := m.api.urnArgument("resourceUrn", in.ResourceUrn)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Links.Put(ctx, u, linkOf(in.LinkUrl, in.Label, in.Settings)))
}

// UpdateLink updates a link.
func (m *mutation) UpdateLink(ctx context.Context, args gqltype.UpdateLinkArgs) (*bool, error) {
	in := args.Input
	u, err := m.api.urnArgument("resourceUrn", in.ResourceUrn)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Links.Update(ctx, u, in.CurrentUrl, in.CurrentLabel, linkOf(in.LinkUrl, in.Label, in.Settings)))
}

// RemoveLink removes a link, or all links to one URL.
func (m *mutation) RemoveLink(ctx context.Context, args gqltype.RemoveLinkArgs) (*bool, error) {
	u, err := m.api.urnArgument("resourceUrn", args.Input.ResourceUrn)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Links.Remove(ctx, u, args.Input.LinkUrl, args.Input.Label))
}
