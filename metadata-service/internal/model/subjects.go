package model

import "github.com/cartulary/cartulary/metadata-service/internal/jsontree"

// Subjects is where the entities of a type name the assets that they are about: an aspect,
// and places in it. A place ends at texts, and goes through all entries of lists.
type Subjects struct {
	Aspect string
	Places [][]string
}

var subjects = map[string]Subjects{
	"query":        {"querySubjects", [][]string{{"subjects", "entity"}}},
	"incident":     {"incidentInfo", [][]string{{"entities"}}},
	"dataContract": {"dataContractProperties", [][]string{{"entity"}}},
	"assertion": {"assertionInfo", [][]string{
		{"entityUrn"}, {"datasetAssertion", "dataset"}, {"datasetAssertion", "fields"}, {"freshnessAssertion", "entity"}, {"volumeAssertion", "entity"},
		{"sqlAssertion", "entity"}, {"fieldAssertion", "entity"}, {"schemaAssertion", "entity"},
		{"customAssertion", "entity"}, {"customAssertion", "field"}, {"customAssertion", "fields"},
	}},
	"erModelRelationship": {"erModelRelationshipProperties", [][]string{{"source"}, {"destination"}}},
	"metric":              {"metricUpstreams", [][]string{{"datasetUpstreams", "destinationUrn"}, {"fieldUpstreams", "destinationUrn"}}},
	"semanticModel":       {"upstreamLineage", [][]string{{"upstreams", "dataset"}, {"fineGrainedLineages", "upstreams"}}},
	"dataProcess":         {"dataProcessInfo", [][]string{{"inputs"}, {"outputs"}}},
	"post":                {"postInfo", [][]string{{"target"}}},
}

// SubjectsOf tells where the entities of a type name the assets that they are about; zero for
// types that are about none.
func SubjectsOf(entityType string) Subjects { return subjects[entityType] }

// In gives the texts at the places of a value of the aspect, in the order of the places.
func (s Subjects) In(value Object) []string {
	var found []string
	for _, place := range s.Places {
		found = jsontree.AppendTexts(found, value, place...)
	}
	return found
}
