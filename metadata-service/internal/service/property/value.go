package property

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Aspect holds the values of an asset.
const Aspect = "structuredProperties"

const columnType = model.ColumnType

// maxValues is the maximum number of values of one property on an asset.
const maxValues = 1000

// Value is a text or a number: exactly one of them is set.
type Value struct {
	Text   *string
	Number *float64
}

func (v Value) tree(input string) (jsontree.Object, error) {
	switch {
	case (v.Text == nil) == (v.Number == nil):
		return nil, fault.New(fault.Malformed, "%s: a value has either stringValue or numberValue", input)
	case v.Text != nil:
		return jsontree.Object{"string": *v.Text}, nil
	}
	return jsontree.Object{"double": *v.Number}, nil
}

// Assignment sets the values of a property on an asset, in place of the previous ones.
type Assignment struct {
	Property string
	Values   []Value
}

// Upsert sets values of properties on an asset; other properties stay unchanged. It requires
// auth.EditProperties on the asset, or for a column on its dataset. The asset must exist unless it
// is a column.
func (s *Service) Upsert(ctx context.Context, asset urn.URN, list []Assignment) error {
	decided, err := s.mayAssign(ctx, asset)
	if err != nil {
		return err
	}
	if asset.Type() != columnType {
		if err := s.edit.MustExist(ctx, "asset", asset); err != nil {
			return err
		}
	}
	change, err := s.Assigning(ctx, asset, list)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, change)
	return err
}

// Assigning returns the change of Upsert, for callers that write further changes with it. The
// caller must have decided the privilege.
func (s *Service) Assigning(ctx context.Context, asset urn.URN, list []Assignment) (edit.Change, error) {
	if len(list) > edit.MaxTargets {
		return edit.Change{}, fault.New(fault.TooLarge, "structuredPropertyInputParams: %d entries, at most %d are allowed", len(list), edit.MaxTargets)
	}
	entries := make([]jsontree.Object, 0, len(list))
	for _, a := range list {
		entry, err := s.entry(a)
		if err != nil {
			return edit.Change{}, err
		}
		entries = append(entries, entry)
	}
	// The catalog drops values of undefined properties, so this check reports them.
	properties := make([]urn.URN, len(entries))
	for i, e := range entries {
		properties[i] = urn.URN(e["propertyUrn"].(string))
	}
	if err := s.edit.MustBeShown(ctx, noun, properties...); err != nil {
		return edit.Change{}, err
	}
	return edit.Change{URN: asset, Aspect: Aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if len(entries) == 0 {
			return nil, nil
		}
		if value == nil {
			value = jsontree.Object{}
		}
		all, _ := value["properties"].([]any)
		for _, e := range entries {
			all = s.merge(ctx, all, e)
		}
		value["properties"] = all
		return value, nil
	}}, nil
}

func (s *Service) entry(a Assignment) (jsontree.Object, error) {
	u, err := s.edit.Parse("structuredPropertyUrn", a.Property, EntityType)
	if err != nil {
		return nil, err
	}
	switch {
	case len(a.Values) == 0:
		return nil, fault.New(fault.Malformed, "values: %s needs at least one; to have none, remove the property from the asset", u)
	case len(a.Values) > maxValues:
		return nil, fault.New(fault.TooLarge, "values: %d values of %s, at most %d are allowed", len(a.Values), u, maxValues)
	}
	values := make([]any, 0, len(a.Values))
	for _, v := range a.Values {
		tree, err := v.tree("values")
		if err != nil {
			return nil, err
		}
		values = append(values, tree)
	}
	return jsontree.Object{"propertyUrn": string(u), "values": values}, nil
}

// merge adds an entry to the list, or replaces the one of the same property.
func (s *Service) merge(ctx context.Context, all []any, entry jsontree.Object) []any {
	next := jsontree.Object{"propertyUrn": entry["propertyUrn"], "values": entry["values"], "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx)}
	i := slices.IndexFunc(all, func(e any) bool { return propertyOf(e) == entry["propertyUrn"] })
	if i < 0 {
		return append(all, next)
	}
	if created, ok := all[i].(jsontree.Object)["created"]; ok {
		next["created"] = created
	}
	all[i] = next
	return all
}

func propertyOf(entry any) any {
	o, _ := entry.(jsontree.Object)
	return o["propertyUrn"]
}

// Remove removes properties from an asset; absent ones are ignored. It requires the same privileges
// as Upsert.
func (s *Service) Remove(ctx context.Context, asset urn.URN, properties []string) error {
	decided, err := s.mayAssign(ctx, asset)
	if err != nil {
		return err
	}
	if asset.Type() != columnType {
		if err := s.edit.MustExist(ctx, "asset", asset); err != nil {
			return err
		}
	}
	urns, err := s.edit.ParseAll("structuredPropertyUrns", properties, EntityType)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: asset, Aspect: Aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		all, _ := value["properties"].([]any)
		kept := slices.DeleteFunc(slices.Clone(all), func(e any) bool {
			u, _ := propertyOf(e).(string)
			return slices.Contains(urns, urn.URN(u))
		})
		if len(kept) == len(all) {
			return nil, nil
		}
		value["properties"] = kept
		return value, nil
	}})
	return err
}

// mayAssign decides that the actor may set properties of an asset. For a column, the privilege on
// its dataset suffices.
func (s *Service) mayAssign(ctx context.Context, asset urn.URN) (auth.Decisions, error) {
	alternatives := []auth.Check{auth.Over(asset, auth.EditProperties, auth.EditEntity)}
	if parent := model.ParentOfColumn(asset); parent != "" {
		alternatives = append(alternatives, auth.Over(parent, auth.EditProperties, auth.EditEntity))
	}
	return s.edit.DecideOne(ctx, alternatives...)
}
