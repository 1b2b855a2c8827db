package model

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Subjects defines where the entities of a type name the assets that they are about: an aspect, and
// places in it. A place is a path to texts that includes all entries of the lists on it.
type Subjects struct {
	Aspect string
	Places [][]string
	// More are the places in further aspects, by aspect name.
	More map[string][][]string
	// ByGrant is true for types that are visible by a grant on the entity itself, and not through
	// the assets: other aspects of theirs repeat content of the assets as well.
	ByGrant bool
	// Open is true for types with entities that are visible to every actor if they name no asset.
	Open bool
}

var subjects = map[string]Subjects{
	"query":        {Aspect: "querySubjects", Places: [][]string{{"subjects", "entity"}}},
	"incident":     {Aspect: "incidentInfo", Places: [][]string{{"entities"}}},
	"dataContract": {Aspect: "dataContractProperties", Places: [][]string{{"entity"}}},
	"assertion": {Aspect: "assertionInfo", Places: [][]string{
		{"entityUrn"}, {"datasetAssertion", "dataset"}, {"datasetAssertion", "fields"}, {"freshnessAssertion", "entity"}, {"volumeAssertion", "entity"},
		{"sqlAssertion", "entity"}, {"fieldAssertion", "entity"}, {"schemaAssertion", "entity"},
		{"customAssertion", "entity"}, {"customAssertion", "field"}, {"customAssertion", "fields"},
	}},
	"erModelRelationship": {Aspect: "erModelRelationshipProperties", Places: [][]string{{"source"}, {"destination"}}},
	"metric": {
		ByGrant: true, Aspect: "metricUpstreams", Places: [][]string{{"datasetUpstreams", "destinationUrn"}, {"fieldUpstreams", "destinationUrn"}},
		More: map[string][][]string{"metricRelationships": {{"parentMetric"}, {"derivedFrom", "destinationUrn"}}},
	},
	"semanticModel": {
		ByGrant: true, Aspect: "upstreamLineage", Places: [][]string{{"upstreams", "dataset"}, {"fineGrainedLineages", "upstreams"}},
		More: map[string][][]string{"semanticModelInfo": {{"datasets"}}},
	},
	"dataProcess": {ByGrant: true, Aspect: "dataProcessInfo", Places: [][]string{{"inputs"}, {"outputs"}}},
	"post":        {Open: true, Aspect: "postInfo", Places: [][]string{{"target"}}},
}

// SubjectsOf returns the Subjects of an entity type. It is zero for types without subjects.
func SubjectsOf(entityType string) Subjects { return subjects[entityType] }

// Aspects returns the aspects that name the subjects of an entity, none for a type without
// subjects.
func (s Subjects) Aspects() []string {
	if s.Aspect == "" {
		return nil
	}
	return append([]string{s.Aspect}, slices.Sorted(maps.Keys(s.More))...)
}

// PlacesIn returns the places in one of the Aspects.
func (s Subjects) PlacesIn(aspect string) [][]string {
	if aspect == s.Aspect {
		return s.Places
	}
	return s.More[aspect]
}

// In returns the texts at the places of a value of one of the Aspects, in the order of the places.
func (s Subjects) In(aspect string, value Object) []string {
	var found []string
	for _, place := range s.PlacesIn(aspect) {
		found = jsontree.AppendTexts(found, value, place...)
	}
	return found
}

// TypesWithSubjects returns the entity types with subjects, sorted.
func TypesWithSubjects() []string { return slices.Sorted(maps.Keys(subjects)) }
