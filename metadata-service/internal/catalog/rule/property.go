package rule

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	propertyKey          = "structuredPropertyKey"
	propertyDefinition   = "propertyDefinition"
	propertySettings     = "structuredPropertySettings"
	structuredProperties = "structuredProperties"

	// maxPropertyText is the maximum length of a text value in bytes, the limit of exact terms in
	// the search index.
	maxPropertyText = 32766

	versionDigits = 14

	whitespace = " \t\r\n"
)

// propertyRules apply to structured properties: their definitions, their display settings, and
// their values on entities.
func propertyRules() []Rule {
	return []Rule{
		{Name: "ids of structured properties", Types: []string{"structuredProperty"}, Check: checkPropertyID},
		{
			Name: "definitions of structured properties", Aspects: []string{propertyDefinition},
			Check: checkDefinition, Validate: checkDefinitionChange, AllowRemoval: keepActive, Reads: definitionReads,
			Terms: func(u urn.URN, _ model.Object) []Term { return []Term{fieldOf(u)} },
			// Without a cleanup, values without a definition would be shown, searched and written
			// back for ever.
			Cleanup: dropValues, CleanupTerm: assignedTerm,
		},
		{
			Name: "settings of structured properties", Aspects: []string{propertySettings},
			Check: checkHidden, Validate: checkBadge, Terms: badgeTerms,
		},
		{
			Name: "values of structured properties", Aspects: []string{structuredProperties},
			Check: checkOncePerProperty, Adjust: dropUndefined, Validate: checkAssignments, AllowRemoval: keepImmutable,
			Terms: assignedTerms, Reads: assignmentReads, Hide: hideRemoved,
		},
	}
}

// badge is the term of the property that is shown as the badge of assets.
var badge = term("asset badge", "*")

func badgeTerms(_ urn.URN, settings model.Object) []Term {
	if !jsontree.Bool(settings, "showAsAssetBadge") {
		return nil
	}
	return []Term{badge}
}

// fieldOf is the term of a property's field in the search index, which does not distinguish dots
// and underscores.
func fieldOf(property urn.URN) Term { return PropertyFieldTerm(property.Key()) }

// PropertyFieldTerm is the term of the structured properties with a name. It does not distinguish
// dots and underscores.
func PropertyFieldTerm(name string) Term {
	return term("structured property field", strings.ReplaceAll(name, ".", "_"))
}

// assignedTerm is the term of the entities with values of a property.
func assignedTerm(property urn.URN) Term {
	return term("structured property assigned", string(property))
}

func assignedTerms(_ urn.URN, value model.Object) []Term {
	var terms []Term
	for _, p := range jsontree.Children(value, "properties") {
		terms = append(terms, assignedTerm(urn.URN(jsontree.Text(p, "propertyUrn"))))
	}
	return terms
}

// checkPropertyID refuses ids that cannot be the name of a search field, in any aspect of the
// property.
func checkPropertyID(_ context.Context, p Proposed) error {
	if strings.ContainsAny(p.URN.Key(), whitespace) {
		return violation(propertyKey, "/id", "must not contain spaces, found %q", p.URN.Key())
	}
	return nil
}

// checkDefinition checks the requirements of a definition that do not depend on stored data.
func checkDefinition(_ context.Context, p Proposed) error {
	if name := jsontree.Text(p.Value, "qualifiedName"); strings.ContainsAny(name, whitespace) {
		return violation(propertyDefinition, "/qualifiedName", "must not contain spaces, found %q", name)
	}
	if version, stated := p.Value["version"].(string); stated && !isVersion(version) {
		return violation(propertyDefinition, "/version", "must be %d digits such as 20260131000000, found %q", versionDigits, version)
	}
	return nil
}

func definitionReads(_ urn.URN, value model.Object) []model.Key {
	var keys []model.Key
	for _, allowed := range jsontree.Texts(jsontree.Child(value, "typeQualifier"), "allowedTypes") {
		keys = append(keys, model.Key{URN: urn.URN(allowed), Aspect: "entityTypeKey"})
	}
	return keys
}

// checkDefinitionChange compares with the stored definition: members that values depend on may
// change only with a higher version.
func checkDefinitionChange(tx Tx, c *Change) error {
	for _, allowed := range jsontree.Texts(jsontree.Child(c.After, "typeQualifier"), "allowedTypes") {
		there := urn.URN(allowed).Type() == "entityType" // the error must not reveal whether another entity exists
		if there {
			var err error
			if there, err = tx.Exists(urn.URN(allowed)); err != nil {
				return err
			}
		}
		if !there {
			return violation(propertyDefinition, "/typeQualifier/allowedTypes", "must name entity types that exist, found %q", allowed)
		}
	}
	if c.Before == nil {
		return checkFieldFree(tx, c)
	}
	removed, err := tx.Removed(c.URN)
	if err != nil {
		return err
	}
	if removed {
		return violation(propertyDefinition, "/", "Cannot mutate a soft deleted Structured Property Definition: %s; restore it first", c.URN)
	}
	if name := jsontree.Text(c.Before, "qualifiedName"); name != jsontree.Text(c.After, "qualifiedName") {
		return violation(propertyDefinition, "/qualifiedName", "cannot be changed, is %q", name)
	}
	if jsontree.Text(c.After, "version") > jsontree.Text(c.Before, "version") {
		return nil
	}
	return checkCompatible(c.Before, c.After)
}

// keepActive refuses to remove the definition of a property that is not soft-deleted. The removal
// also removes the values on all assets, and a soft deletion before it shows their absence in a
// reversible way.
func keepActive(tx Tx, c *Change) error {
	if c.Restored {
		return nil
	}
	removed, err := tx.Removed(c.URN)
	if err == nil && !removed {
		err = violation(propertyDefinition, "/", "%s is active, and its deletion removes its values from all assets: soft-delete it first", c.URN)
	}
	return err
}

// checkFieldFree refuses a property that would share its search field with another one.
func checkFieldFree(tx Tx, c *Change) error {
	others, err := tx.Lookup(fieldOf(c.URN), "", 2)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other != c.URN {
			return violation(propertyDefinition, "/", "%s has the same name in the search index", other)
		}
	}
	return nil
}

func checkHidden(_ context.Context, p Proposed) error {
	if !jsontree.Bool(p.Value, "isHidden") {
		return nil
	}
	for _, name := range []string{"showInSearchFilters", "showInAssetSummary", "showAsAssetBadge", "showInColumnsTable"} {
		if jsontree.Bool(p.Value, name) {
			return violation(propertySettings, "/"+name, "a hidden property cannot be shown anywhere")
		}
	}
	return nil
}

// checkBadge permits only one property as the badge of assets.
func checkBadge(tx Tx, c *Change) error {
	if !jsontree.Bool(c.After, "showAsAssetBadge") {
		return nil
	}
	taken, err := tx.Lookup(badge, "", 2)
	if err != nil {
		return err
	}
	for _, other := range taken {
		if other != c.URN {
			return violation(propertySettings, "/showAsAssetBadge", "%s is the badge of assets already; only one property can be", other)
		}
	}
	return nil
}

func checkOncePerProperty(_ context.Context, p Proposed) error {
	seen := map[string]bool{}
	for _, entry := range jsontree.Children(p.Value, "properties") {
		property := jsontree.Text(entry, "propertyUrn")
		if seen[property] {
			return violation(structuredProperties, "/properties/*/propertyUrn", "must not be repeated, found %q twice", property)
		}
		seen[property] = true
	}
	return nil
}

func assignmentReads(_ urn.URN, value model.Object) []model.Key {
	var keys []model.Key
	for _, p := range jsontree.Children(value, "properties") {
		property := urn.URN(jsontree.Text(p, "propertyUrn"))
		for _, aspect := range []string{propertyKey, propertyDefinition, "status"} {
			keys = append(keys, model.Key{URN: property, Aspect: aspect})
		}
	}
	return keys
}

// dropUndefined drops values of properties that are not defined.
func dropUndefined(tx Tx, c *Change) error {
	if c.Derived {
		return nil
	}
	all := jsontree.Children(c.After, "properties")
	kept := make([]any, 0, len(all))
	for _, p := range all {
		// A URN that is no property is handled like an absent one, so that the error does not
		// reveal its existence.
		definition, err := tx.Value(urn.URN(jsontree.Text(p, "propertyUrn")), propertyDefinition)
		if err != nil {
			return err
		}
		if definition != nil {
			kept = append(kept, p)
		}
	}
	if len(kept) == len(all) {
		return nil
	}
	if len(kept) == 0 {
		return fault.New(fault.Invalid, "structuredProperties: /properties :: none of the properties is defined: %s", jsontree.Text(all[0], "propertyUrn"))
	}
	c.After = jsontree.With(c.After, model.Object{"properties": kept})
	return nil
}

// checkAssignments checks values of properties against their definitions. For a patch it checks
// only changed and added values: stored ones may belong to a property that has since been
// soft-deleted or restricted.
func checkAssignments(tx Tx, c *Change) error {
	former := byProperty(c.Before)
	added := addedByPatch(c.Patch)
	for _, p := range jsontree.Children(c.After, "properties") {
		property := jsontree.Text(p, "propertyUrn")
		old := former[property]
		delete(former, property)
		if c.Patch != nil && !added[property] && old != nil && jsontree.Equal(old, p) {
			continue
		}
		definition, err := assignable(tx, urn.URN(property))
		if err != nil {
			return err
		}
		if err := checkAssignment(c, p, definition, old); err != nil {
			return err
		}
	}
	return checkImmutableKept(tx, former)
}

// addedByPatch returns the properties of which a patch adds a whole assignment.
func addedByPatch(doc *patch.Document) map[string]bool {
	if doc == nil {
		return nil
	}
	added := map[string]bool{}
	for _, op := range doc.Operations {
		if op.Op == "add" && len(op.Path) == 2 && op.Path[0] == "properties" {
			added[op.Path[1]] = true
		}
	}
	return added
}

// assignable returns the definition of a property that entities may get values of.
func assignable(tx Tx, property urn.URN) (model.Object, error) {
	definition, err := tx.Value(property, propertyDefinition)
	if err != nil {
		return nil, err
	}
	if definition == nil {
		return nil, violation(structuredProperties, "/properties/*/propertyUrn", "must be a property that is defined, found %q", property)
	}
	removed, err := tx.Removed(property)
	if err != nil {
		return nil, err
	}
	if removed {
		return nil, violation(structuredProperties, "/properties/*/propertyUrn", "Cannot apply a soft deleted Structured Property value: %s; restore the property first", property)
	}
	return definition, nil
}

// keepImmutable refuses to remove the aspect while it contains immutable values. The deletion of a
// whole entity also removes them.
func keepImmutable(tx Tx, c *Change) error {
	if c.WithEntity {
		return nil
	}
	return checkImmutableKept(tx, byProperty(c.Before))
}

// byProperty returns the entries of a value of structuredProperties by the URN of the property.
func byProperty(value model.Object) map[string]model.Object {
	entries := map[string]model.Object{}
	for _, p := range jsontree.Children(value, "properties") {
		entries[jsontree.Text(p, "propertyUrn")] = p
	}
	return entries
}

// checkImmutableKept refuses the removal of immutable values.
func checkImmutableKept(tx Tx, gone map[string]model.Object) error {
	for _, property := range slices.Sorted(maps.Keys(gone)) {
		definition, err := tx.Value(urn.URN(property), propertyDefinition)
		if err != nil {
			return err
		}
		if jsontree.Bool(definition, "immutable") {
			return violation(structuredProperties, "/properties", "values of %s are immutable and cannot be removed", property)
		}
	}
	return nil
}

func checkAssignment(c *Change, p, definition, old model.Object) error {
	property := jsontree.Text(p, "propertyUrn")
	values, _ := p["values"].([]any)
	if len(values) > 1 && jsontree.Text(definition, "cardinality") != "MULTIPLE" {
		return violation(structuredProperties, "/properties/*/values", "%s has cardinality 1, but multiple values were assigned: found %d", property, len(values))
	}
	if platforms := jsontree.Texts(definition, "allowedPlatforms"); len(platforms) > 0 && !slices.Contains(platforms, string(platformOf(c.URN, c.Entity))) {
		return violation(structuredProperties, "/properties/*/propertyUrn", "%s is for assets of %s", property, strings.Join(platforms, ", "))
	}
	if jsontree.Bool(definition, "immutable") && old != nil && !jsontree.Equal(old["values"], p["values"]) {
		return violation(structuredProperties, "/properties/*/values", "values of %s are immutable", property)
	}
	allowed := allowedValues(definition)
	for _, v := range values {
		if reason := valueReason(v, definition); reason != "" {
			return violation(structuredProperties, "/properties/*/values/*", "%s: %s, found %s", property, reason, jsontree.Encode(v))
		}
		if len(allowed) > 0 && !allowed[valueKey(v)] {
			return violation(structuredProperties, "/properties/*/values/*", "%s, value: %s should be one of %s",
				property, unionText(v), allowedText(definition))
		}
	}
	return nil
}

// maxAllowedText bounds the list of allowed values in a message, in bytes.
const maxAllowedText = 8 << 10

// allowedText lists the values that a definition permits, in the form that clients search for:
// [{string=a}, {double=30.0}].
func allowedText(definition model.Object) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range jsontree.Children(definition, "allowedValues") {
		if i > 0 {
			b.WriteString(", ")
		}
		text := unionText(v["value"])
		if b.Len()+len(text) > maxAllowedText {
			b.WriteString("…")
			break
		}
		b.WriteString(text)
	}
	b.WriteByte(']')
	return b.String()
}

// unionText prints a value of a property as {string=a} or {double=30.0}.
func unionText(v any) string {
	const readable = 200
	union, _ := v.(model.Object)
	if number, isNumber := union["double"].(json.Number); isNumber {
		return "{double=" + string(number) + "}"
	}
	text := jsontree.Text(union, "string")
	if len(text) > readable {
		text = strings.ToValidUTF8(text[:readable], "") + "…"
	}
	return "{string=" + text + "}"
}

// dropValues removes the values of a removed property from an entity.
func dropValues(tx Effects, property, affected urn.URN) error {
	value, err := tx.Value(affected, structuredProperties)
	if err != nil || value == nil {
		return err
	}
	kept := []any{}
	for _, p := range jsontree.Children(value, "properties") {
		if jsontree.Text(p, "propertyUrn") != string(property) {
			kept = append(kept, p)
		}
	}
	return tx.Put(affected, structuredProperties, jsontree.With(value, model.Object{"properties": kept}))
}

// hideRemoved removes values of soft-deleted properties.
func hideRemoved(values []model.Object, removed func([]urn.URN) ([]bool, error)) error {
	var properties []urn.URN
	place := map[string]int{} // index in properties
	for _, value := range values {
		for _, p := range jsontree.Children(value, "properties") {
			name := jsontree.Text(p, "propertyUrn")
			if _, seen := place[name]; !seen {
				place[name] = len(properties)
				properties = append(properties, urn.URN(name))
			}
		}
	}
	if properties == nil {
		return nil
	}
	gone, err := removed(properties)
	if err != nil || !slices.Contains(gone, true) {
		return err
	}
	for i, value := range values {
		kept := []any{}
		for _, p := range jsontree.Children(value, "properties") {
			if !gone[place[jsontree.Text(p, "propertyUrn")]] {
				kept = append(kept, p)
			}
		}
		values[i] = jsontree.With(value, model.Object{"properties": kept})
	}
	return nil
}

var isoDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

func isVersion(s string) bool {
	return len(s) == versionDigits && strings.Trim(s, "0123456789") == ""
}

func checkCompatible(before, after model.Object) error {
	const hint = "without a higher version"
	if jsontree.Text(before, "valueType") != jsontree.Text(after, "valueType") {
		return violation(propertyDefinition, "/valueType", "cannot be changed "+hint)
	}
	if jsontree.Text(before, "cardinality") == "MULTIPLE" && jsontree.Text(after, "cardinality") != "MULTIPLE" {
		return violation(propertyDefinition, "/cardinality", "cannot go from MULTIPLE to SINGLE "+hint)
	}
	if len(jsontree.Children(after, "allowedValues")) == 0 {
		return nil
	}
	if len(jsontree.Children(before, "allowedValues")) == 0 {
		return violation(propertyDefinition, "/allowedValues", "cannot restrict values that were free "+hint)
	}
	kept := allowedValues(after)
	for _, value := range jsontree.Children(before, "allowedValues") {
		if !kept[valueKey(value["value"])] {
			return violation(propertyDefinition, "/allowedValues", "cannot lose the value %s "+hint, jsontree.Encode(value["value"]))
		}
	}
	return nil
}

// allowedValues returns the keys of the values that a definition permits.
func allowedValues(definition model.Object) map[string]bool {
	list := jsontree.Children(definition, "allowedValues")
	allowed := make(map[string]bool, len(list))
	for _, v := range list {
		allowed[valueKey(v["value"])] = true
	}
	return allowed
}

// valueKey returns equal keys for equal values, also if an older one is a number without a
// fraction.
func valueKey(v any) string {
	union, _ := v.(model.Object)
	if number, isNumber := union["double"].(json.Number); isNumber {
		return jsontree.WithoutFraction(number)
	}
	return string(jsontree.Encode(v))
}

// valueReason returns the reason why a value is not valid for the property, empty if it is.
func valueReason(v any, definition model.Object) string {
	union, _ := v.(model.Object)
	word, isText := union["string"].(string)
	_, isNumber := union["double"].(json.Number)
	switch kind := valueKind(definition); kind {
	case "number":
		if !isNumber {
			return "must be a number"
		}
	case "string", "rich_text":
		if !isText {
			return "must be a text"
		}
		if len(word) > maxPropertyText {
			return fmt.Sprintf("must not be longer than %d bytes", maxPropertyText)
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, word); err != nil || !isoDate.MatchString(word) {
			return "must be a date written YYYY-MM-DD"
		}
	case "urn":
		if reason := urnReason(word, jsontree.Texts(jsontree.Child(definition, "typeQualifier"), "allowedTypes")); reason != "" {
			return reason
		}
	}
	return ""
}

// valueKind returns the last part of the data type's name: string for datahub.string.
func valueKind(definition model.Object) string {
	name := strings.ToLower(urn.URN(jsontree.Text(definition, "valueType")).Key())
	return strings.TrimPrefix(name, "datahub.")
}

func urnReason(word string, allowed []string) string {
	u, err := urn.Parse(word)
	if err != nil {
		return "must be a URN"
	}
	for _, a := range allowed {
		if strings.EqualFold(strings.TrimPrefix(urn.URN(a).Key(), "datahub."), u.Type()) {
			return ""
		}
	}
	if len(allowed) == 0 {
		return ""
	}
	return "must be a URN of " + strings.Join(allowed, ", ")
}
