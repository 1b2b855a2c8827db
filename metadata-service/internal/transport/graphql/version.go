package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// LinkAssetVersion links an asset as the latest version of a version set. It returns null when
// the asset is the latest version already.
func (m *mutation) LinkAssetVersion(ctx context.Context, args gqltype.LinkAssetVersionArgs) (*gqltype.VersionSet, error) {
	in := args.Input
	link := version.Link{Label: in.Version, Comment: value(in.Comment), SourceTime: int64(value(in.SourceTimestamp))}
	var err error
	if link.Set, err = m.api.entityURN("versionSet", in.VersionSet, version.SetType); err != nil {
		return nil, err
	}
	if link.Entity, err = m.api.urnArgument("linkedEntity", in.LinkedEntity); err != nil {
		return nil, err
	}
	if in.SourceCreator != nil {
		if link.SourceActor, err = m.api.urnArgument("sourceCreator", *in.SourceCreator); err != nil {
			return nil, err
		}
	}
	if changed, err := m.api.Versions.Link(ctx, link); err != nil || !changed {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.VersionSet {
		return l.VersionSet(link.Set, selectionOf(ctx, "linkAssetVersion"))
	})
}

// UnlinkAssetVersion removes an asset from its version set. It returns null when the asset is in
// none.
func (m *mutation) UnlinkAssetVersion(ctx context.Context, args gqltype.UnlinkAssetVersionArgs) (*gqltype.VersionSet, error) {
	if args.Input.UnlinkedEntity == nil {
		return nil, fault.New(fault.Malformed, "unlinkedEntity: is required")
	}
	entity, err := m.api.urnArgument("unlinkedEntity", *args.Input.UnlinkedEntity)
	if err != nil {
		return nil, err
	}
	var from urn.URN
	if args.Input.VersionSet != nil {
		if from, err = m.api.entityURN("versionSet", *args.Input.VersionSet, version.SetType); err != nil {
			return nil, err
		}
	}
	left, err := m.api.Versions.Unlink(ctx, from, entity)
	if err != nil || left == "" {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.VersionSet { return l.VersionSet(left, selectionOf(ctx, "unlinkAssetVersion")) })
}
