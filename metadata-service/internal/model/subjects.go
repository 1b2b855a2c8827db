package model

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Subjects is where the entities of a type name the assets that they are about: an aspect,
// and places in it. A place ends at texts, and goes through all entries of lists.
type Subjects struct {
	Aspect string
	Places [][]string
	// More are the places in further aspects, by the names of these.
	More map[string][][]string
	// ByGrant is set for types that are viewed by a grant on the entity itself, whoever views the assets: they say
	// in other aspects, too, what they quote.
	ByGrant bool
	// Open is set for types of which everybody views those that name no asset.
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

// SubjectsOf tells where the entities of a type name the assets that they are about; zero for
// types that are about none.
func SubjectsOf(entityType string) Subjects { return subjects[entityType] }

// Aspects lists the aspects that name what an entity is about, none for a type that is about nothing.
func (s Subjects) Aspects() []string {
	if s.Aspect == "" {
		return nil
	}
	return append([]string{s.Aspect}, slices.Sorted(maps.Keys(s.More))...)
}

// PlacesIn are the places in one of the Aspects.
func (s Subjects) PlacesIn(aspect string) [][]string {
	if aspect == s.Aspect {
		return s.Places
	}
	return s.More[aspect]
}

// In gives the texts at the places of a value of one of the Aspects, in the order of the places.
func (s Subjects) In(aspect string, value Object) []string {
	var found []string
	for _, place := range s.PlacesIn(aspect) {
		found = jsontree.AppendTexts(found, value, place...)
	}
	return found
}

// TypesWithSubjects lists the entity types whose entities name assets that they are about, sorted.
func TypesWithSubjects() []string { return slices.Sorted(maps.Keys(subjects)) }
