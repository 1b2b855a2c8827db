package catalog

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rules of structured properties: their definitions, and the values that
// entities have of them.

// maxPropertyText is the longest text value in bytes, the limit of exact terms in the search index.
const maxPropertyText = 32766

const versionDigits = 14

const space = " \t\r\n"

// checkPropertyID refuses ids that cannot be the name of a search field, in
// whatever aspect the property is met first.
func checkPropertyID(u urn.URN) error {
	if u.Type() == "structuredProperty" && strings.ContainsAny(u.Key(), space) {
		return broken("structuredPropertyKey", "/id", "must not contain spaces, found %q", u.Key())
	}
	return nil
}

// checkDefinition holds what a definition must keep whatever is stored.
func checkDefinition(value model.Object) error {
	if name := jsontree.Text(value, "qualifiedName"); strings.ContainsAny(name, space) {
		return broken(propertyDefinition, "/qualifiedName", "must not contain spaces, found %q", name)
	}
	if version, stated := value["version"].(string); stated && !isVersion(version) {
		return broken(propertyDefinition, "/version", "must be %d digits such as 20260131000000, found %q", versionDigits, version)
	}
	return nil
}

func isVersion(s string) bool {
	return len(s) == versionDigits && strings.Trim(s, "0123456789") == ""
}

// checkDefinitionChange compares with the stored definition: what values rely
// on changes only with a higher version.
func (t *txn) checkDefinitionChange(n *change) error {
	for _, allowed := range jsontree.Texts(jsontree.Child(n.value, "typeQualifier"), "allowedTypes") {
		there, err := t.exists(urn.URN(allowed))
		if err != nil {
			return err
		}
		if !there {
			return broken(propertyDefinition, "/typeQualifier/allowedTypes", "must name entity types that exist, found %q", allowed)
		}
	}
	if n.old == nil {
		return t.checkFieldNameFree(n)
	}
	removed, err := t.removed(n.urn)
	if err != nil {
		return err
	}
	if removed {
		return broken(propertyDefinition, "/", "%s is soft-deleted and cannot be edited", n.urn)
	}
	before, err := n.before()
	if err != nil {
		return err
	}
	if jsontree.Text(before, "qualifiedName") != jsontree.Text(n.value, "qualifiedName") {
		return broken(propertyDefinition, "/qualifiedName", "cannot be changed, is %q", jsontree.Text(before, "qualifiedName"))
	}
	if jsontree.Text(n.value, "version") > jsontree.Text(before, "version") {
		return nil
	}
	return checkCompatible(before, n.value)
}

func checkCompatible(before, after model.Object) error {
	const hint = "without a higher version"
	if jsontree.Text(before, "valueType") != jsontree.Text(after, "valueType") {
		return broken(propertyDefinition, "/valueType", "cannot be changed "+hint)
	}
	if jsontree.Text(before, "cardinality") == "MULTIPLE" && jsontree.Text(after, "cardinality") != "MULTIPLE" {
		return broken(propertyDefinition, "/cardinality", "cannot go from MULTIPLE to SINGLE "+hint)
	}
	if len(jsontree.Children(after, "allowedValues")) == 0 {
		return nil
	}
	if len(jsontree.Children(before, "allowedValues")) == 0 {
		return broken(propertyDefinition, "/allowedValues", "cannot restrict values that were free "+hint)
	}
	kept := allowedValues(after)
	for _, value := range jsontree.Children(before, "allowedValues") {
		if !kept[string(jsontree.Encode(value["value"]))] {
			return broken(propertyDefinition, "/allowedValues", "cannot lose the value %s "+hint, jsontree.Encode(value["value"]))
		}
	}
	return nil
}

// allowedValues are the canonical texts of the values a definition allows.
func allowedValues(definition model.Object) map[string]bool {
	list := jsontree.Children(definition, "allowedValues")
	allowed := make(map[string]bool, len(list))
	for _, v := range list {
		allowed[string(jsontree.Encode(v["value"]))] = true
	}
	return allowed
}

// checkFieldNameFree refuses a property that would share its search field,
// where dots and underscores are the same, with another one.
func (t *txn) checkFieldNameFree(n *change) error {
	field := func(u urn.URN) string { return strings.ReplaceAll(u.Key(), ".", "_") }
	// Names that collide are the same up to the first dot or underscore.
	start, _, _ := strings.Cut(field(n.urn), "_")
	q := store.Scan{Type: n.entity.Name, Prefix: urn.TypePrefix(n.entity.Name) + start}
	for {
		page, err := t.tx.Scan(t.ctx, q)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, u := range page {
			if u != n.urn && field(u) == field(n.urn) {
				return broken(propertyDefinition, "/", "%s has the same name in the search index", u)
			}
		}
		q.After = page[len(page)-1]
	}
}

// removed reports whether an entity is soft-deleted.
func (t *txn) removed(u urn.URN) (bool, error) {
	s, err := t.read(u, status)
	return jsontree.Bool(s, "removed"), err
}

// checkAssignments holds values of structured properties to their definitions.
func (t *txn) checkAssignments(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	former := byProperty(before)
	for _, p := range jsontree.Children(n.value, "properties") {
		property := urn.URN(jsontree.Text(p, "propertyUrn"))
		definition, err := t.read(property, propertyDefinition)
		if err != nil {
			return err
		}
		removed, err := t.removed(property)
		if err != nil {
			return err
		}
		if definition == nil || removed {
			return broken(structuredProperties, "/properties/*/propertyUrn", "must be a property that is defined, found %q", property)
		}
		old := former[string(property)]
		delete(former, string(property))
		if err := t.checkAssignment(n.item, p, definition, old); err != nil {
			return err
		}
	}
	return t.checkImmutableKept(former)
}

// byProperty are the entries of a value of structuredProperties by the URN of the property.
func byProperty(value model.Object) map[string]model.Object {
	entries := map[string]model.Object{}
	for _, p := range jsontree.Children(value, "properties") {
		entries[jsontree.Text(p, "propertyUrn")] = p
	}
	return entries
}

// checkImmutableKept refuses the removal of values that must stay.
func (t *txn) checkImmutableKept(gone map[string]model.Object) error {
	for _, property := range sortedKeys(gone) {
		definition, err := t.read(urn.URN(property), propertyDefinition)
		if err != nil {
			return err
		}
		if jsontree.Bool(definition, "immutable") {
			return broken(structuredProperties, "/properties", "values of %s are immutable and cannot be removed", property)
		}
	}
	return nil
}

func (t *txn) checkAssignment(it *item, p, definition, old model.Object) error {
	property := jsontree.Text(p, "propertyUrn")
	values, _ := p["values"].([]any)
	if len(values) > 1 && jsontree.Text(definition, "cardinality") != "MULTIPLE" {
		return broken(structuredProperties, "/properties/*/values", "%s takes a single value, found %d", property, len(values))
	}
	if platforms := jsontree.Texts(definition, "allowedPlatforms"); len(platforms) > 0 && !slices.Contains(platforms, string(platformOf(it))) {
		return broken(structuredProperties, "/properties/*/propertyUrn", "%s is for assets of %s", property, strings.Join(platforms, ", "))
	}
	if jsontree.Bool(definition, "immutable") && old != nil && !jsontree.Equal(old["values"], p["values"]) {
		return broken(structuredProperties, "/properties/*/values", "values of %s are immutable", property)
	}
	allowed := allowedValues(definition)
	for _, v := range values {
		if reason := valueReason(v, definition, allowed); reason != "" {
			return broken(structuredProperties, "/properties/*/values/*", "%s: %s, found %s", property, reason, jsontree.Encode(v))
		}
	}
	return nil
}

var isoDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// valueReason says why a value is not one of the property, empty when it is.
func valueReason(v any, definition model.Object, allowed map[string]bool) string {
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
	if len(allowed) > 0 && !allowed[string(jsontree.Encode(v))] {
		return "must be one of the allowed values"
	}
	return ""
}

// valueKind is the last part of the data type's name: datahub.string is string.
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
