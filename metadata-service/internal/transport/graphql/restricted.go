package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Where a response must contain an entity that the actor may not view, it contains a restricted
// entity: it has a URN of its own, and no other data.

// isRestricted reports whether a URN has the form of the URN of a restricted entity.
func isRestricted(text string) bool {
	return strings.HasPrefix(text, urn.TypePrefix(discover.RestrictedType))
}

// entityOrRestricted returns an entity in the form for searches and lineage, where it may be
// restricted.
func entityOrRestricted(l *loader, u urn.URN, w *set) *gqltype.Entity {
	if u.Type() != discover.RestrictedType {
		return l.Entity(u, w)
	}
	return gqltype.EntityOf(&gqltype.Restricted{
		Urn: string(u), Type: "RESTRICTED",
		// Relationships and lineage would disclose more about the hidden entity.
		Relationships: func(_ context.Context, args gqltype.RestrictedRelationshipsArgs) (*gqltype.EntityRelationshipsResult, error) {
			from, _, err := page(args.Input.Start, args.Input.Count, defaultRelationships)
			if err != nil {
				return nil, err
			}
			return &gqltype.EntityRelationshipsResult{Start: ptr(int32(from)), Count: ptr(int32(0)), Total: ptr(int32(0)), Relationships: []*gqltype.EntityRelationship{}}, nil
		},
		Lineage: func(_ context.Context, args gqltype.RestrictedLineageArgs) (*gqltype.EntityLineageResult, error) {
			from, _, err := page(args.Input.Start, args.Input.Count, defaultLineage)
			if err != nil {
				return nil, err
			}
			return &gqltype.EntityLineageResult{Start: ptr(int32(from)), Count: ptr(int32(0)), Total: ptr(int32(0)), Filtered: ptr(int32(0)), Relationships: []*gqltype.LineageRelationship{}}, nil
		},
	})
}

// containerOrRestricted returns a container in the form for the entities in it. A restricted
// container has the URN and type of a restricted entity, the unknown platform, and no other data.
func containerOrRestricted(l *loader, u urn.URN, w *set) *gqltype.Container {
	if u.Type() != discover.RestrictedType {
		return l.Container(u, w)
	}
	return &gqltype.Container{
		Urn: string(u), Type: "RESTRICTED", Platform: l.DataPlatform(model.UnknownPlatform, w.Of("Container")["platform"]),
		Entities:         emptyField[gqltype.ContainerEntitiesArgs, gqltype.SearchResults],
		Relationships:    emptyField[gqltype.RelationshipsArgs, gqltype.EntityRelationshipsResult],
		RelatedDocuments: emptyField[gqltype.RelatedDocumentsArgs, gqltype.RelatedDocumentsResult],
		Aspects:          emptyField[gqltype.AspectsArgs, []*gqltype.RawAspect],
	}
}

// emptyField is the function of a field with arguments that is empty for a restricted container.
func emptyField[Args, T any](context.Context, Args) (*T, error) { return nil, nil }
