package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/ermodel"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// joinOf converts the properties of a relationship, nil when the input has none.
func joinOf(in *gqltype.ERModelRelationshipPropertiesInput) *ermodel.Join {
	if in == nil {
		return nil
	}
	out := &ermodel.Join{Name: in.Name, Source: in.Source, Destination: in.Destination, Cardinality: value(in.ErModelRelationshipCardinality)}
	if !value(in.Created) {
		out.Created, out.Creator = int64(value(in.CreatedAt)), value(in.CreatedBy)
	}
	if in.RelationshipFieldmappings != nil {
		out.Pairs = make([]ermodel.Pair, len(*in.RelationshipFieldmappings))
		for i, p := range *in.RelationshipFieldmappings {
			out.Pairs[i] = ermodel.Pair{Source: value(p.SourceField), Destination: value(p.DestinationField)}
		}
	}
	return out
}

func joinLabelOf(in *gqltype.ERModelRelationshipEditablePropertiesUpdate) *ermodel.Label {
	if in == nil {
		return nil
	}
	return &ermodel.Label{Name: in.Name, Description: in.Description}
}

// CreateERModelRelationship declares a join between two datasets.
func (m *mutation) CreateERModelRelationship(ctx context.Context, args gqltype.CreateERModelRelationshipArgs) (*gqltype.ERModelRelationship, error) {
	u, err := m.api.Joins.Create(ctx, joinOf(args.Input.Properties), joinLabelOf(args.Input.EditableProperties))
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.ERModelRelationship {
		return l.ERModelRelationship(u, selectionOf(ctx, "createERModelRelationship"))
	})
}

// UpdateERModelRelationship updates a declared join.
func (m *mutation) UpdateERModelRelationship(ctx context.Context, args gqltype.UpdateERModelRelationshipArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, ermodel.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Joins.Update(ctx, u, joinOf(args.Input.Properties), joinLabelOf(args.Input.EditableProperties)))
}

// DeleteERModelRelationship deletes a declared join permanently.
func (m *mutation) DeleteERModelRelationship(ctx context.Context, args gqltype.DeleteERModelRelationshipArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, ermodel.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Joins.Delete(ctx, u))
}
