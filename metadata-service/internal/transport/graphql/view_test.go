package graphql_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

func TestAViewOfOtherTypesLetsNothingThrough(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	world.Put(t, "urn:li:dataHubUpgrade:orders", "dataHubUpgradeResult", `{"timestampMs":1}`)
	world.Put(t, "urn:li:dataHubView:charts", "dataHubViewInfo", `{"name":"Charts","type":"GLOBAL","definition":{"entityTypes":["chart"],"filter":{"or":[]}},
		"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	got := data(t, engine, world, servicetest.Root, `{
		among: searchAcrossEntities(input: {query: "*", types: [CHART, DATASET], viewUrn: "urn:li:dataHubView:charts"}) { total }
		other: searchAcrossEntities(input: {query: "*", types: [DATASET], viewUrn: "urn:li:dataHubView:charts"}) { total facets { field aggregations { value count } } }
		counts: getEntityCounts(input: {types: [DATASET, CHART], viewUrn: "urn:li:dataHubView:charts"}) { counts { count } }
		completed: autoCompleteForMultiple(input: {query: "ord", types: [DATASET], viewUrn: "urn:li:dataHubView:charts"}) { suggestions { type } }
	}`)
	want := `{"among":{"total":1},"other":{"total":0,"facets":[{"field":"_entityType","aggregations":[{"value":"DATASET","count":0}]}`
	if len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("got %.300s, want %s", got, want)
	}
	const rest = `"counts":{"counts":[{"count":0},{"count":1}]},"completed":{"suggestions":[]}}`
	if len(got) < len(rest) || got[len(got)-len(rest):] != rest {
		t.Errorf("got %s at the end, want %s", got[max(0, len(got)-200):], rest)
	}
}
