package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Associated are the entity types that others are associated with: what is put on them,
// and what they are parts of.
func Associated() []string { return slices.Clone(associated) }

var associated = []string{"application", "businessAttribute", "container", "dataProduct", "dataset", "document", "domain", "glossaryNode", "glossaryTerm", "tag"}

// associations are paths to entities that the relationships of the model do not tell
// of, by aspect.
var associations = map[string][]string{"domains": {"/domainAssociations/*/domain"}}

// siblingOf is the relationship between entities that are one thing.
const siblingOf = "SiblingOf"

// Associations are the paths of an aspect to entities that it associates its own with:
// its relationships to one of the types of Associated, unless they are lineage.
func Associations(spec *model.AspectSpec) []string {
	paths := slices.Clone(associations[spec.Name])
	for i := range spec.Relationships {
		r := &spec.Relationships[i]
		plain := len(r.To) == 1 && r.To[0] != "dataset" && slices.Contains(associated, r.To[0])
		if r.Lineage == "" && (plain || r.Name == siblingOf) {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// Named lists the entities that a value names at a path.
func Named(value model.Object, path string) []urn.URN {
	var urns []urn.URN
	for _, v := range model.Select(value, path) {
		if text, ok := v.(string); ok {
			urns = append(urns, urn.URN(text))
		}
	}
	return urns
}

// LeaveOut takes what names hidden entities at a path out of a value: elements of lists,
// or the member of the value that leads to them. It changes the value and tells whether
// it did.
func LeaveOut(value model.Object, path string, hidden func(urn.URN) bool) bool {
	steps := strings.Split(strings.TrimPrefix(path, "/"), "/")
	last := -1
	for i, step := range steps {
		if step == "*" {
			last = i
		}
	}
	names := func(v any, rest []string) bool {
		return slices.ContainsFunc(model.Select(v, strings.Join(rest, "/")), func(v any) bool {
			text, ok := v.(string)
			return ok && hidden(urn.URN(text))
		})
	}
	if last < 0 {
		if !names(value, steps) {
			return false
		}
		delete(value, steps[0])
		return true
	}
	changed := false
	for _, holder := range model.Select(value, strings.Join(steps[:last-1], "/")) {
		o := jsontree.AsObject(holder)
		list, ok := o[steps[last-1]].([]any)
		if !ok {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return names(v, steps[last+1:]) })
		if len(kept) < len(list) {
			o[steps[last-1]], changed = kept, true
		}
	}
	return changed
}
