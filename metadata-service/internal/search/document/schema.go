package document

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Revision increases when the derivation of search documents, or their indexing by drivers,
// changes. An index of another revision is rebuilt at the start.
const Revision = 7

// Fields of every search document in addition to those of its aspects.
const (
	runIDField         = "runId"
	systemCreatedField = "systemCreated"
)

// Fields for policies and hierarchies. They are not part of the API, and no answer contains them.
const (
	// AncestorDomains holds the domains of an entity and all their ancestors.
	AncestorDomains = "_domains"
	// AncestorContainers holds the containers of an entity and all their ancestors.
	AncestorContainers = "_containers"
	// AncestorTerms holds the glossary terms of an entity and all their ancestors; for a term or
	// node it holds the ancestors.
	AncestorTerms = "_terms"
	// Groups holds the groups of a user.
	Groups = "_groups"
	// AllOwners holds each owner, and each owner with its type: "<type>␟<owner>".
	AllOwners = "_owners"
	// AssignedProperties holds the structured properties of which an entity has values.
	AssignedProperties = "_properties"
	// Verdicts holds the results of metadata tests for an entity, in the format of Verdict.
	Verdicts = "_verdicts"
)

// Verdict returns the value of Verdicts for a test and the fingerprint of its definition.
func Verdict(passing bool, fingerprint, test string) string {
	if passing {
		return "passing" + model.PathSeparator + fingerprint + model.PathSeparator + test
	}
	return "failing" + model.PathSeparator + fingerprint + model.PathSeparator + test
}

// IrregularVerdicts is the value of Verdicts for results that no evaluation writes, and for more
// results than a field may have values.
const IrregularVerdicts = "irregular"

// TypedOwner returns the value of AllOwners for an owner with a type of ownership.
func TypedOwner(typeURN, owner string) string { return typeURN + model.PathSeparator + owner }

// Facets that no aspect declares.
const (
	typeFacet      = "_entityType"
	entityFacet    = "entity" // the entity types under an older name
	typeNamesFacet = "_entityType␞typeNames"
)

// IsIndexed reports whether entities of a type have search documents. Types that only one service
// reads and writes have none.
func IsIndexed(e *model.EntitySpec) bool { return !e.Key.Managed && !e.Key.Secret }

// Schemas returns the fields of every entity type with search documents, in the order of the
// registry.
func Schemas(r *model.Registry) []search.Schema {
	var schemas []search.Schema
	for _, entity := range r.Entities() {
		if IsIndexed(entity) {
			schemas = append(schemas, search.Schema{EntityType: entity.Name, Fields: fieldsOf(r, entity)})
		}
	}
	return schemas
}

func fieldsOf(r *model.Registry, entity *model.EntitySpec) []search.Field {
	l := &fieldList{}
	for _, a := range entity.Aspects {
		if a.Confidential() {
			continue
		}
		for i := range a.Search {
			l.addSearch(a, &a.Search[i], "", 1)
		}
		for i := range a.SearchReferences {
			l.addReference(r, &a.SearchReferences[i])
		}
	}
	l.add(search.Field{Name: runIDField, Kind: search.Keyword})
	l.add(search.Field{Name: systemCreatedField, Kind: search.DateTime})
	for _, name := range []string{AncestorDomains, AncestorContainers, AncestorTerms, Groups, AllOwners, AssignedProperties, Verdicts} {
		l.add(search.Field{Name: name, Kind: search.Keyword, URNs: true})
	}
	switch entity.Name {
	case columnType:
		l.add(search.Field{Name: ColumnOf, Kind: search.Keyword, URNs: true})
	case documentType:
		l.add(search.Field{Name: StandsFor, Kind: search.Keyword, URNs: true})
	}
	if SubjectsAspect(entity.Name) != "" {
		l.add(search.Field{Name: Subjects, Kind: search.Keyword, URNs: true})
	}
	return l.fields
}

// fieldList collects fields. It merges definitions of one field in several aspects.
type fieldList struct{ fields []search.Field }

func (l *fieldList) add(f search.Field) {
	i := slices.IndexFunc(l.fields, func(have search.Field) bool { return have.Name == f.Name })
	if i < 0 {
		l.fields = append(l.fields, f)
		return
	}
	have := &l.fields[i]
	have.Query = have.Query || f.Query
	have.Autocomplete = have.Autocomplete || f.Autocomplete
	have.Facet = have.Facet || f.Facet
	have.Keyed = have.Keyed || f.Keyed
	have.URNs = have.URNs && f.URNs
	have.Boost = max(have.Boost, f.Boost)
	have.DisplayName = firstNonEmpty(have.DisplayName, f.DisplayName)
	if have.Weights == nil {
		have.Weights = f.Weights
	}
	for _, alias := range f.Aliases {
		if !slices.Contains(have.Aliases, alias) {
			have.Aliases = append(have.Aliases, alias)
		}
	}
}

// addSearch adds the fields of an annotation, under a prefix.
func (l *fieldList) addSearch(a *model.AspectSpec, f *model.SearchField, prefix string, boost float64) {
	field := search.Field{
		Name: prefix + f.Field, Kind: kindOf(f), Query: f.Query, Boost: boost, Weights: f.Weights,
		Keyed: f.Leaf == "map" || kindOf(f) == search.ObjectKind, URNs: len(a.Targets(f.Path)) > 0,
	}
	if f.Boost > 0 {
		field.Boost = boost * f.Boost
	}
	if prefix == "" {
		field.Autocomplete, field.Facet, field.DisplayName = f.Autocomplete, f.Filter, f.FilterName
		field.Aliases = slices.Clone(f.Aliases)
	}
	l.add(field)
	if prefix != "" {
		return
	}
	if f.HasValues != "" {
		l.add(search.Field{Name: f.HasValues, Kind: search.Boolean, Facet: f.HasValuesFilter, DisplayName: f.HasValuesFilterName})
	}
	if f.NumValues != "" {
		l.add(search.Field{Name: f.NumValues, Kind: search.Count})
	}
	if f.SystemModifiedAt && f.SystemModifiedAtField != "" {
		l.add(search.Field{Name: f.SystemModifiedAtField, Kind: search.DateTime})
	}
}

// addReference adds the fields copied from the entity that a URN names.
func (l *fieldList) addReference(r *model.Registry, ref *model.SearchReference) {
	boost := ref.Boost
	if boost == 0 {
		boost = 1
	}
	l.add(search.Field{Name: ref.Field + ".urn", Kind: search.URNKind, Query: ref.Query, Boost: boost})
	target, ok := r.Entity(ref.Entity)
	if !ok {
		return
	}
	for _, a := range target.Aspects {
		for i := range a.Search {
			l.addSearch(a, &a.Search[i], ref.Field+".", boost)
		}
	}
}

// DefaultFacets returns the facets of a search that requests none: the types, and every field that
// is a facet by default in any of the types.
func DefaultFacets(schemas []search.Schema, types []string) []string {
	facets := []string{typeFacet, typeNamesFacet, entityFacet}
	for _, s := range schemas {
		if !slices.Contains(types, s.EntityType) {
			continue
		}
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Facet && !slices.Contains(facets, f.Name) {
				facets = append(facets, f.Name)
			}
		}
	}
	return facets
}
