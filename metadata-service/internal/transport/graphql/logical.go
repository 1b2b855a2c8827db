package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/service/logical"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// fieldsOf converts the columns of an input. The GraphQL name of a column type also becomes its
// native type, which users see.
func fieldsOf(in []gqltype.EditableSchemaFieldInput) []logical.Field {
	records := make(map[string]string, len(typeNames))
	for record, name := range typeNames {
		records[name] = record
	}
	out := make([]logical.Field, len(in))
	for i, f := range in {
		out[i] = logical.Field{Path: f.FieldPath, Type: records[f.Type], Native: strings.ToLower(f.Type)}
	}
	return out
}

// CreateLogicalModel creates a dataset on a logical platform and returns its URN.
func (m *mutation) CreateLogicalModel(ctx context.Context, args gqltype.CreateLogicalModelArgs) (*string, error) {
	in := args.Input
	return urnResult(m.api.LogicalModels.Create(ctx, logical.Draft{
		Name: in.Name, Title: value(in.DisplayName), Env: in.Env, Platform: value(in.Platform), Fields: fieldsOf(in.Columns),
	}))
}

// UpdateLogicalModelSchema replaces the columns of a logical model.
func (m *mutation) UpdateLogicalModelSchema(ctx context.Context, args gqltype.UpdateLogicalModelSchemaArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, logical.Dataset)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.LogicalModels.SetFields(ctx, u, fieldsOf(args.Input.Columns)))
}

// LinkPhysicalChild links a dataset to the logical model that it implements.
func (m *mutation) LinkPhysicalChild(ctx context.Context, args gqltype.LinkPhysicalChildArgs) (*bool, error) {
	parent, err := m.api.entityURN("logicalParentUrn", args.Input.LogicalParentUrn, logical.Dataset)
	if err != nil {
		return nil, err
	}
	child, err := m.api.entityURN("childUrn", args.Input.ChildUrn, logical.Dataset)
	if err != nil {
		return nil, err
	}
	var pairs []logical.Pair
	if given := args.Input.ColumnMappings; given != nil {
		pairs = make([]logical.Pair, len(*given))
		for i, p := range *given {
			pairs[i] = logical.Pair{Parent: p.ParentFieldPath, Child: p.ChildFieldPath}
		}
	}
	return trueResult(m.api.LogicalModels.Link(ctx, parent, child, pairs))
}

// UnlinkPhysicalChild detaches a dataset and its columns from their logical model.
func (m *mutation) UnlinkPhysicalChild(ctx context.Context, args gqltype.UnlinkPhysicalChildArgs) (*bool, error) {
	u, err := m.api.entityURN("childUrn", args.Input.ChildUrn, logical.Dataset)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.LogicalModels.Unlink(ctx, u))
}

// SetLogicalParent sets or removes the logical parent of a dataset or column.
func (m *mutation) SetLogicalParent(ctx context.Context, args gqltype.SetLogicalParentArgs) (*bool, error) {
	child, err := m.api.entityURN("resourceUrn", args.Input.ResourceUrn, logical.Dataset, logical.Column)
	if err != nil {
		return nil, err
	}
	var parent urn.URN
	if args.Input.ParentUrn != nil {
		if parent, err = m.api.entityURN("parentUrn", *args.Input.ParentUrn, logical.Dataset, logical.Column); err != nil {
			return nil, err
		}
	}
	return trueResult(m.api.LogicalModels.SetParent(ctx, child, parent))
}
