package document

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// URNField is a field with values that are or contain URNs of other entities, or that are copied
// from other entities.
type URNField struct {
	Name    string
	Aliases []string
	Types   []string // types of the other entities; model.AnyType if the model does not define them
}

// Tells reports whether values of the field can name entities of the given types.
func (f *URNField) Tells(types map[string]bool) bool {
	return len(types) > 0 && slices.ContainsFunc(f.Types, func(t string) bool { return t == model.AnyType || types[t] })
}

// platformTypes are the entity types in fields for which the model only defines that they hold a
// URN.
var platformTypes = map[string]string{"platform": "dataPlatform", "platformInstance": "dataPlatformInstance"}

// URNFields returns the URN fields of an entity type, without structured properties, and without
// parts of the key, which are in the URN of the entity itself.
func URNFields(r *model.Registry, entity *model.EntitySpec) []URNField {
	var l urnFieldList
	for _, a := range entity.Aspects {
		if a.Secret {
			continue
		}
		for i := range a.Search {
			if f := &a.Search[i]; !a.IsKey {
				l.add(f.Field, f.Aliases, targetsOf(a, f)...)
			}
		}
		for i := range a.SearchReferences {
			ref := &a.SearchReferences[i]
			l.add(ref.Field+".urn", nil, ref.Entity)
			target, ok := r.Entity(ref.Entity)
			if !ok {
				continue
			}
			for _, copied := range target.Aspects {
				for j := range copied.Search {
					f := &copied.Search[j]
					l.add(ref.Field+"."+f.Field, nil, append(targetsOf(copied, f), ref.Entity)...)
				}
			}
		}
	}
	l.add(AncestorDomains, nil, "domain")
	l.add(AncestorContainers, nil, "container")
	l.add(AncestorTerms, nil, "glossaryTerm", "glossaryNode")
	l.add(Groups, nil, "corpGroup")
	l.add(AllOwners, nil, "corpuser", "corpGroup", "ownershipType")
	l.add(AssignedProperties, nil, propertyType)
	l.add(Verdicts, nil, "test")
	for _, name := range []string{ColumnOf, Subjects, StandsFor} {
		l.add(name, nil, model.AnyType)
	}
	return l.fields
}

// targetsOf returns the types of the entities that values of a field name. It is empty if they name
// no entities.
func targetsOf(a *model.AspectSpec, f *model.SearchField) []string {
	types := a.Targets(f.Path)
	switch kindOf(f) {
	case search.URNKind, search.URNPartial, search.BrowsePathV2, search.ObjectKind:
		if len(types) == 0 {
			types = []string{model.AnyType}
		}
	}
	if t, ok := platformTypes[f.Field]; ok && a.Name == "dataPlatformInstance" {
		return []string{t}
	}
	switch {
	case slices.Contains(types, columnType):
		return []string{model.AnyType} // the URN of a column contains that of the entity it belongs to
	case slices.Contains(types, "dataJob"):
		return append(types, "dataFlow")
	}
	return types
}

type urnFieldList struct{ fields []URNField }

// add adds a field. It merges the definitions of one field in several aspects.
func (l *urnFieldList) add(name string, aliases []string, types ...string) {
	if len(types) == 0 {
		return
	}
	i := slices.IndexFunc(l.fields, func(have URNField) bool { return have.Name == name })
	if i < 0 {
		l.fields = append(l.fields, URNField{Name: name, Aliases: aliases, Types: types})
		return
	}
	l.fields[i].Aliases = append(slices.Clip(l.fields[i].Aliases), aliases...)
	l.fields[i].Types = append(l.fields[i].Types, types...)
}
