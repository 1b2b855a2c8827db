// Package property stores structured properties: their definitions, their display settings, and the
// values of assets.
//
// Changes may only widen a definition, so that valid values stay valid. The catalog validates
// values at every write.
package property

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of definitions.
const EntityType = "structuredProperty"

const (
	definitionAspect = "propertyDefinition"
	settingsAspect   = "structuredPropertySettings"
	noun             = "structured property"
)

// Service stores structured properties. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes a structured property to create. Types, platforms and data types are URNs.
type Draft struct {
	// ID and QualifiedName must be equal when both are set. A random id is used when both are
	// empty.
	ID, QualifiedName        string
	DisplayName, Description *string
	Immutable                bool
	ValueType                string
	AllowedTypes             []string // of entities that values may refer to
	AllowedValues            []AllowedValue
	Multiple                 bool
	EntityTypes              []string
	Platforms                []string
	Settings                 *Settings
}

// AllowedValue is a permitted value of a property.
type AllowedValue struct {
	Value       Value
	Description *string
}

// Settings define the display of a property. Nil members stay unchanged; they are false by default.
type Settings struct {
	Hidden, InSearchFilters, InAssetSummary, HideWhenEmpty, AsAssetBadge, InColumnsTable *bool
}

// Create creates a structured property. It requires auth.ManageProperties.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.Require(ctx, auth.ManageProperties)
	if err != nil {
		return "", err
	}
	if d.ID != "" && d.QualifiedName != "" && d.ID != d.QualifiedName {
		return "", fault.New(fault.Malformed, "qualifiedName: must be the id when both are given")
	}
	if d.ID == "" {
		d.ID = d.QualifiedName
	}
	value, err := s.definition(ctx, d)
	if err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Structured Property", EntityType, d.ID)
	if err != nil {
		return "", err
	}
	value["qualifiedName"] = u.Key()
	changes := []edit.Change{edit.Set(u, definitionAspect, value)}
	if d.Settings != nil {
		changes = append(changes, s.show(ctx, u, *d.Settings))
	}
	return u, s.edit.Create(ctx, decided, "Structured Property", u, changes...)
}

func (s *Service) definition(ctx context.Context, d Draft) (jsontree.Object, error) {
	if err := texts(d.DisplayName, d.Description); err != nil {
		return nil, err
	}
	valueType, err := s.edit.Parse("valueType", d.ValueType, "dataType")
	if err != nil {
		return nil, err
	}
	if err := s.edit.MustExist(ctx, "data type", valueType); err != nil {
		return nil, err
	}
	if len(d.EntityTypes) == 0 {
		return nil, fault.New(fault.Malformed, "entityTypes: name at least one type of entities that may have the property")
	}
	value := jsontree.Object{
		"valueType": string(valueType), "cardinality": "SINGLE", "immutable": d.Immutable, "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx),
	}
	if d.Multiple {
		value["cardinality"] = "MULTIPLE"
	}
	put(value, "displayName", d.DisplayName)
	put(value, "description", d.Description)
	if err := s.widen(value, Widening{
		AllowedTypes: d.AllowedTypes, AllowedValues: d.AllowedValues, EntityTypes: d.EntityTypes, Platforms: d.Platforms,
	}); err != nil {
		return nil, err
	}
	return value, nil
}

func texts(displayName, description *string) error {
	if err := edit.OptionalText("displayName", displayName, edit.MaxName, false); err != nil {
		return err
	}
	return edit.OptionalText("description", description, edit.MaxText, false)
}

func put(o jsontree.Object, name string, text *string) {
	if text != nil {
		o[name] = *text
	}
}

// Widening holds the additions to a definition. Nil members stay unchanged.
type Widening struct {
	DisplayName, Description *string
	Immutable                *bool
	AllowedTypes             []string
	AllowedValues            []AllowedValue
	Multiple                 bool
	EntityTypes              []string
	Platforms                []string
	Settings                 *Settings
	// AllAllowedValues are all allowed values in order, old and new; nil keeps the old ones.
	AllAllowedValues []AllowedValue
}

// Update widens an existing structured property. It requires auth.ManageProperties. A narrowing
// change is fault.Malformed or fault.Invalid: a first allowed value, type or platform would
// invalidate existing values.
func (s *Service) Update(ctx context.Context, u urn.URN, w Widening) error {
	decided, err := s.edit.Require(ctx, auth.ManageProperties)
	if err != nil {
		return err
	}
	if err := texts(w.DisplayName, w.Description); err != nil {
		return err
	}
	if len(w.AllowedValues) > 0 && w.AllAllowedValues != nil {
		return fault.New(fault.Malformed, "allowedValues: cannot be given together with newAllowedValues")
	}
	changes := []edit.Change{{URN: u, Aspect: definitionAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.Malformed, "%s does not exist: %s", noun, u)
		}
		return s.widened(ctx, value, w)
	}}}
	if w.Settings != nil {
		changes = append(changes, s.show(ctx, u, *w.Settings))
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

func (s *Service) widened(ctx context.Context, value jsontree.Object, w Widening) (jsontree.Object, error) {
	for _, limit := range []struct {
		input string
		added int
		now   any
	}{
		{"newAllowedValues", len(w.AllowedValues), value["allowedValues"]},
		{"allowedValues", len(w.AllAllowedValues), value["allowedValues"]},
		{"typeQualifier.newAllowedTypes", len(w.AllowedTypes), qualifier(value)["allowedTypes"]},
		{"newAllowedPlatforms", len(w.Platforms), value["allowedPlatforms"]},
	} {
		if now, _ := limit.now.([]any); limit.added > 0 && len(now) == 0 {
			return nil, fault.New(fault.Malformed, "%s: the property is not restricted in this way, and changes may only widen it; create another property", limit.input)
		}
	}
	put(value, "displayName", w.DisplayName)
	put(value, "description", w.Description)
	if w.Immutable != nil {
		value["immutable"] = *w.Immutable
	}
	if w.Multiple {
		value["cardinality"] = "MULTIPLE"
	}
	value["lastModified"] = s.edit.Stamp(ctx)
	if w.AllAllowedValues != nil {
		value["allowedValues"] = []any{} // the catalog refuses a list that lacks a value
		if err := allow(value, w.AllAllowedValues); err != nil {
			return nil, err
		}
	}
	return value, s.widen(value, w)
}

func qualifier(value jsontree.Object) jsontree.Object {
	q, _ := value["typeQualifier"].(jsontree.Object)
	return q
}

// widen adds entries to the lists of a definition.
func (s *Service) widen(value jsontree.Object, w Widening) error {
	for _, list := range []struct {
		input, member, kind string
		urns                []string
		of                  jsontree.Object
	}{
		{"entityTypes", "entityTypes", "entityType", w.EntityTypes, value},
		{"allowedPlatforms", "allowedPlatforms", "dataPlatform", w.Platforms, value},
		{"typeQualifier.allowedTypes", "allowedTypes", "entityType", w.AllowedTypes, qualifier(value)},
	} {
		urns, err := s.edit.ParseAll(list.input, list.urns, list.kind)
		if err != nil {
			return err
		}
		if len(urns) == 0 {
			continue
		}
		if list.of == nil {
			list.of = jsontree.Object{}
			value["typeQualifier"] = list.of
		}
		all, _ := list.of[list.member].([]any)
		for _, u := range urns {
			if !slices.Contains(all, any(string(u))) {
				all = append(all, string(u))
			}
		}
		list.of[list.member] = all
	}
	return allow(value, w.AllowedValues)
}

// maxAllowed is the maximum number of allowed values of a property.
const maxAllowed = 1000

func allow(value jsontree.Object, more []AllowedValue) error {
	if len(more) == 0 {
		return nil
	}
	all, _ := value["allowedValues"].([]any)
	if len(all)+len(more) > maxAllowed {
		return fault.New(fault.TooLarge, "allowedValues: more than %d values", maxAllowed)
	}
	known := map[string]jsontree.Object{}
	for _, a := range all {
		o, _ := a.(jsontree.Object)
		known[string(jsontree.Encode(o["value"]))] = o
	}
	for _, m := range more {
		tree, err := m.Value.tree("allowedValues")
		if err != nil {
			return err
		}
		if !fits(m.Value, value) {
			return fault.New(fault.Malformed, "allowedValues: %s is no value of the type %s; no asset could have it", jsontree.Encode(tree), value["valueType"])
		}
		text := string(jsontree.Encode(tree))
		if entry := known[text]; entry != nil {
			put(entry, "description", m.Description)
			continue
		}
		entry := jsontree.Object{"value": tree}
		known[text] = entry
		put(entry, "description", m.Description)
		all = append(all, entry)
	}
	value["allowedValues"] = all
	return nil
}

// fits reports whether a value is a number or a text as required by the definition. Custom types
// accept both.
func fits(v Value, definition jsontree.Object) bool {
	switch definition["valueType"] {
	case "urn:li:dataType:datahub.number":
		return v.Number != nil
	case "urn:li:dataType:datahub.string", "urn:li:dataType:datahub.rich_text", "urn:li:dataType:datahub.date", "urn:li:dataType:datahub.urn":
		return v.Text != nil
	}
	return true
}

// show returns the change of the display settings of a property.
func (s *Service) show(ctx context.Context, u urn.URN, to Settings) edit.Change {
	return edit.Change{URN: u, Aspect: settingsAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		for name, flag := range map[string]*bool{
			"isHidden": to.Hidden, "showInSearchFilters": to.InSearchFilters, "showInAssetSummary": to.InAssetSummary,
			"hideInAssetSummaryWhenEmpty": to.HideWhenEmpty, "showAsAssetBadge": to.AsAssetBadge, "showInColumnsTable": to.InColumnsTable,
		} {
			if flag != nil {
				value[name] = *flag
			}
		}
		value["lastModified"] = s.edit.Stamp(ctx)
		return value, nil
	}}
}

// Delete deletes a soft-deleted structured property permanently, with its values on all assets. It
// requires auth.ManageProperties. An active property is fault.Invalid.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Require(ctx, auth.ManageProperties)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}
