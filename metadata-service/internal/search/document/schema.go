package document

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Revision is raised when documents are made of the same records in another way, or drivers index the
// same documents in another way. An index of another revision is built anew at the start.
const Revision = 7

// Fields that every document has besides those of its aspects.
const (
	runIDField         = "runId"
	systemCreatedField = "systemCreated"
)

// Fields that hold what policies and hierarchies ask for. They are no part of
// the interface: nothing shows them.
const (
	// AncestorDomains holds the domains of an entity and all above them.
	AncestorDomains = "_domains"
	// AncestorContainers holds the containers of an entity and all above them.
	AncestorContainers = "_containers"
	// AncestorTerms holds the glossary terms of an entity and all nodes above them; of a term or
	// node the nodes above.
	AncestorTerms = "_terms"
	// Groups holds the groups of a user.
	Groups = "_groups"
	// AllOwners holds each owner, and each owner behind its type: "<type>␟<owner>".
	AllOwners = "_owners"
	// AssignedProperties holds the structured properties an entity has values of.
	AssignedProperties = "_properties"
	// Verdicts holds what each metadata test says of an entity, as Verdict writes it.
	Verdicts = "_verdicts"
)

// Verdict is the value of Verdicts for a test with a definition of a fingerprint.
func Verdict(passing bool, fingerprint, test string) string {
	if passing {
		return "passing" + model.PathSeparator + fingerprint + model.PathSeparator + test
	}
	return "failing" + model.PathSeparator + fingerprint + model.PathSeparator + test
}

// IrregularVerdicts stands in Verdicts for what no evaluation writes, and for more
// verdicts than a field has values.
const IrregularVerdicts = "irregular"

// TypedOwner is the value of AllOwners for an owner by the type of its ownership.
func TypedOwner(typeURN, owner string) string { return typeURN + model.PathSeparator + owner }

// Facets that no aspect declares.
const (
	typeFacet      = "_entityType"
	entityFacet    = "entity" // the types by an older name
	typeNamesFacet = "_entityType␞typeNames"
)

// IsIndexed tells whether entities of a type have documents. What a service
// keeps to itself has none.
func IsIndexed(e *model.EntitySpec) bool { return !e.Key.Managed && !e.Key.Secret }

// Schemas lists the fields of every entity type that is searched, in the order
// of the registry.
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

// fieldList collects fields; what several aspects say of one is joined.
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

// addSearch adds the fields an annotation makes, under a prefix.
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

// addReference adds the fields that are copied from the entity a URN names.
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

// DefaultFacets lists the facets a search of some types counts when it names
// none: the types, and every field that is a filter in any of them.
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
