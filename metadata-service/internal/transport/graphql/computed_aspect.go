package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Computed fields that return aspects as stored, current or older versions.

// Aspects returns the JSON of aspects as stored.
func (a *api) Aspects(at place, _ *set) func(context.Context, gqltype.AspectsArgs) (*[]*gqltype.RawAspect, error) {
	return func(ctx context.Context, args gqltype.AspectsArgs) (*[]*gqltype.RawAspect, error) {
		var names []string
		if args.Input != nil {
			names = value(args.Input.AspectNames)
			if value(args.Input.AutoRenderOnly) {
				return &[]*gqltype.RawAspect{}, nil // the model marks no aspect for automatic rendering
			}
		}
		entities, err := a.entities(ctx, catalog.EntityQuery{Aspects: names}, at.URN)
		if err != nil || len(entities) == 0 {
			return nil, err
		}
		out := []*gqltype.RawAspect{}
		for _, found := range entities[0].Aspects {
			out = append(out, &gqltype.RawAspect{AspectName: found.Spec.Name, Payload: ptr(string(found.Value))})
		}
		return &out, nil
	}
}

// LastIngested is the time at which an ingestion run last wrote the entity, in milliseconds since
// the epoch; nil when none did.
func (a *api) LastIngested(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.Long, error) {
	entities, err := a.entities(ctx, catalog.EntityQuery{}, at.URN)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	var last int64
	for _, found := range entities[0].Aspects {
		if found.System.RunID != "" && found.System.RunID != model.DefaultRunID {
			last = max(last, found.System.LastObserved)
		}
	}
	return nilIfZero(gqltype.Long(last)), nil
}

// SchemaMetadata is the latest schema of a dataset, or an older version of it. It is nil when
// there is none.
func (a *api) SchemaMetadata(at place, w *set) func(context.Context, gqltype.SchemaMetadataArgs) (*gqltype.SchemaMetadata, error) {
	return func(ctx context.Context, args gqltype.SchemaMetadataArgs) (*gqltype.SchemaMetadata, error) {
		schema, version := jsontree.AsObject(at.Aspect("schemaMetadata")), int64(value(args.Version))
		if version != 0 {
			found, err := a.version(ctx, at.URN, "schemaMetadata", version)
			if err != nil {
				if fault.KindOf(err) == fault.NotFound {
					return nil, nil
				}
				return nil, err
			}
			if schema, err = jsontree.DecodeObject(found.Value); err != nil {
				return nil, err
			}
		}
		if schema == nil {
			return nil, nil
		}
		return build(ctx, a, func(l *loader) *gqltype.SchemaMetadata {
			out := l.ToSchemaMetadata(ctx, at, schema, w)
			out.AspectVersion = ptr(gqltype.Long(version))
			return out
		})
	}
}
