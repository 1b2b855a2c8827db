package graphql

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// withSentence replaces the message of a fault.Forbidden error. It returns other errors
// unchanged.
func withSentence(err error, sentence string) error {
	if err == nil || !errors.Is(err, fault.Forbidden) {
		return err
	}
	return messageError{sentence, err}
}

// UpsertStructuredProperties sets values of structured properties of an asset, and returns all
// its structured properties.
func (m *mutation) UpsertStructuredProperties(ctx context.Context, args gqltype.UpsertStructuredPropertiesArgs) (*gqltype.StructuredProperties, error) {
	asset, err := m.api.urnArgument("assetUrn", args.Input.AssetUrn)
	if err != nil {
		return nil, err
	}
	list := make([]property.Assignment, 0, len(args.Input.StructuredPropertyInputParams))
	for _, p := range args.Input.StructuredPropertyInputParams {
		list = append(list, assignment(p))
	}
	if err := m.api.Properties.Upsert(ctx, asset, list); err != nil {
		return nil, withSentence(err, "You may not change the structured properties of this asset. Please contact your administrator.")
	}
	return m.api.propertiesOf(ctx, asset, selectionOf(ctx, "upsertStructuredProperties"))
}

func assignment(p gqltype.StructuredPropertyInputParams) property.Assignment {
	values := make([]property.Value, 0, len(p.Values))
	for _, v := range p.Values {
		values = append(values, property.Value{Text: v.StringValue, Number: v.NumberValue})
	}
	return property.Assignment{Property: p.StructuredPropertyUrn, Values: values}
}

// RemoveStructuredProperties removes structured properties from an asset, and returns the
// remaining ones.
func (m *mutation) RemoveStructuredProperties(ctx context.Context, args gqltype.RemoveStructuredPropertiesArgs) (*gqltype.StructuredProperties, error) {
	asset, err := m.api.urnArgument("assetUrn", args.Input.AssetUrn)
	if err != nil {
		return nil, err
	}
	if err := m.api.Properties.Remove(ctx, asset, args.Input.StructuredPropertyUrns); err != nil {
		return nil, withSentence(err, "You may not change the structured properties of this asset. Please contact your administrator.")
	}
	return m.api.propertiesOf(ctx, asset, selectionOf(ctx, "removeStructuredProperties"))
}

func (a *api) propertiesOf(ctx context.Context, asset urn.URN, w *set) (*gqltype.StructuredProperties, error) {
	held, err := a.aspect(ctx, asset, property.Aspect)
	if err != nil {
		return nil, err
	}
	kind, _ := gqltype.TypeValue(asset.Type())
	return build(ctx, a, func(l *loader) *gqltype.StructuredProperties {
		return l.StructuredProperties(ctx, place{URN: asset, Type: kind}, held, w)
	})
}

// CreateStructuredProperty creates a structured property.
func (m *mutation) CreateStructuredProperty(ctx context.Context, args gqltype.CreateStructuredPropertyArgs) (*gqltype.StructuredPropertyEntity, error) {
	in := args.Input
	u, err := m.api.Properties.Create(ctx, property.Draft{
		ID: value(in.Id), QualifiedName: value(in.QualifiedName), DisplayName: in.DisplayName, Description: in.Description, Immutable: value(in.Immutable),
		ValueType: in.ValueType, AllowedTypes: value(value(in.TypeQualifier).AllowedTypes), AllowedValues: allowedValues(in.AllowedValues),
		Multiple: value(in.Cardinality) == "MULTIPLE", EntityTypes: in.EntityTypes, Platforms: value(in.AllowedPlatforms), Settings: propertySettings(in.Settings),
	})
	if err != nil {
		return nil, withSentence(err, "You may not create structured properties. Please contact your administrator.")
	}
	return build(ctx, m.api, func(l *loader) *gqltype.StructuredPropertyEntity {
		return l.StructuredPropertyEntity(u, selectionOf(ctx, "createStructuredProperty"))
	})
}

func allowedValues(in *[]gqltype.AllowedValueInput) []property.AllowedValue {
	var out []property.AllowedValue
	for _, v := range value(in) {
		out = append(out, property.AllowedValue{Value: property.Value{Text: v.StringValue, Number: v.NumberValue}, Description: v.Description})
	}
	return out
}

func propertySettings(in *gqltype.StructuredPropertySettingsInput) *property.Settings {
	if in == nil {
		return nil
	}
	return &property.Settings{
		Hidden: in.IsHidden, InSearchFilters: in.ShowInSearchFilters, InAssetSummary: in.ShowInAssetSummary,
		HideWhenEmpty: in.HideInAssetSummaryWhenEmpty, AsAssetBadge: in.ShowAsAssetBadge, InColumnsTable: in.ShowInColumnsTable,
	}
}

// UpdateStructuredProperty extends the definition of a structured property.
func (m *mutation) UpdateStructuredProperty(ctx context.Context, args gqltype.UpdateStructuredPropertyArgs) (*gqltype.StructuredPropertyEntity, error) {
	in := args.Input
	u, err := m.api.entityURN("urn", in.Urn, property.EntityType)
	if err != nil {
		return nil, err
	}
	err = m.api.Properties.Update(ctx, u, property.Widening{
		DisplayName: in.DisplayName, Description: in.Description, Immutable: in.Immutable, AllowedTypes: value(value(in.TypeQualifier).NewAllowedTypes),
		AllowedValues: allowedValues(in.NewAllowedValues), Multiple: value(in.SetCardinalityAsMultiple), EntityTypes: value(in.NewEntityTypes),
		Platforms: value(in.NewAllowedPlatforms), Settings: propertySettings(in.Settings), AllAllowedValues: allowedValues(in.AllowedValues),
	})
	if err != nil {
		return nil, withSentence(err, "You may not change structured properties. Please contact your administrator.")
	}
	return build(ctx, m.api, func(l *loader) *gqltype.StructuredPropertyEntity {
		return l.StructuredPropertyEntity(u, selectionOf(ctx, "updateStructuredProperty"))
	})
}

// DeleteStructuredProperty deletes a structured property permanently.
func (m *mutation) DeleteStructuredProperty(ctx context.Context, args gqltype.DeleteStructuredPropertyArgs) (bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, property.EntityType)
	if err != nil {
		return false, err
	}
	err = m.api.Properties.Delete(ctx, u)
	return err == nil, withSentence(err, "You may not delete structured properties. Please contact your administrator.")
}
