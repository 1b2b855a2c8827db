package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/service/tag"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// CreateTag creates a tag and returns its URN.
func (m *mutation) CreateTag(ctx context.Context, args gqltype.CreateTagArgs) (*string, error) {
	u, err := m.api.Tags.Create(ctx, tag.Draft{ID: value(args.Input.Id), Name: args.Input.Name, Description: args.Input.Description})
	if err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// UpdateTag updates a tag and returns it in its new state.
func (m *mutation) UpdateTag(ctx context.Context, args gqltype.UpdateTagArgs) (*gqltype.Tag, error) {
	u, err := m.api.entityURN("urn", args.Urn, tag.EntityType)
	if err != nil {
		return nil, err
	}
	to := tag.Update{Name: &args.Input.Name, Description: args.Input.Description}
	if args.Input.Ownership != nil {
		to.Owners = ptr(replacements(*args.Input.Ownership))
	}
	if err := m.api.Tags.Update(ctx, u, to); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.Tag { return l.Tag(u, selectionOf(ctx, "updateTag")) })
}

// SetTagColor sets the colour of a tag.
func (m *mutation) SetTagColor(ctx context.Context, args gqltype.SetTagColorArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, tag.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Tags.SetColor(ctx, u, args.ColorHex))
}

// DeleteTag deletes a tag permanently.
func (m *mutation) DeleteTag(ctx context.Context, args gqltype.DeleteTagArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, tag.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Tags.Delete(ctx, u))
}

// trueResult is the result of operations that return true or an error.
func trueResult(err error) (*bool, error) {
	if err != nil {
		return nil, err
	}
	return ptr(true), nil
}

// target converts one resource to the target of a label.
func target(u string, kind, path *string) []label.Target {
	return []label.Target{{URN: u, Column: value(path), Kind: value(kind)}}
}

func targets(resources []gqltype.ResourceRefInput) []label.Target {
	out := make([]label.Target, len(resources))
	for i, r := range resources {
		out[i] = label.Target{URN: r.ResourceUrn, Column: value(r.SubResource), Kind: value(r.SubResourceType)}
	}
	return out
}

// dereference returns the elements of a list that are not nil.
func dereference[T any](list []*T) []T {
	out := make([]T, 0, len(list))
	for _, p := range list {
		if p != nil {
			out = append(out, *p)
		}
	}
	return out
}

// AddTag adds a tag to an entity or column.
func (m *mutation) AddTag(ctx context.Context, args gqltype.AddTagArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Labels.Add(ctx, label.Tags(), []string{in.TagUrn}, target(in.ResourceUrn, in.SubResourceType, in.SubResource)))
}

// AddTags adds tags to an entity or column.
func (m *mutation) AddTags(ctx context.Context, args gqltype.AddTagsArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Labels.Add(ctx, label.Tags(), in.TagUrns, target(in.ResourceUrn, in.SubResourceType, in.SubResource)))
}

// RemoveTag removes a tag from an entity or column.
func (m *mutation) RemoveTag(ctx context.Context, args gqltype.RemoveTagArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Labels.Remove(ctx, label.Tags(), []string{in.TagUrn}, target(in.ResourceUrn, in.SubResourceType, in.SubResource)))
}

// BatchAddTags adds tags to several entities and columns.
func (m *mutation) BatchAddTags(ctx context.Context, args gqltype.BatchAddTagsArgs) (*bool, error) {
	return trueResult(m.api.Labels.Add(ctx, label.Tags(), args.Input.TagUrns, targets(args.Input.Resources)))
}

// BatchRemoveTags removes tags from several entities and columns.
func (m *mutation) BatchRemoveTags(ctx context.Context, args gqltype.BatchRemoveTagsArgs) (*bool, error) {
	return trueResult(m.api.Labels.Remove(ctx, label.Tags(), args.Input.TagUrns, targets(dereference(args.Input.Resources))))
}
