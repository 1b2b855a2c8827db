package graphql_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	turnoverMetric urn.URN = "urn:li:metric:(urn:li:dataPlatform:looker,sales,turnover)"
	turnoverModel  urn.URN = "urn:li:semanticModel:(urn:li:dataPlatform:looker,sales,turnovers)"
)

// Requests without types find metrics and semantic models among the other assets.
func TestMetricsAndSemanticModelsAreFoundWithoutATypeNamed(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	world.Put(t, turnoverMetric, "metricInfo", `{"name":"Turnover"}`)
	world.Put(t, turnoverModel, "semanticModelInfo", `{"name":"Turnovers","datasets":[],"relationships":[]}`)
	for name, c := range map[string]struct {
		query string
		want  []string
	}{
		"search":   {`{ searchAcrossEntities(input: {query: "turnover"}) { searchResults { entity { urn } } } }`, []string{string(turnoverMetric), string(turnoverModel)}},
		"scroll":   {`{ scrollAcrossEntities(input: {query: "turnover"}) { searchResults { entity { urn } } } }`, []string{string(turnoverMetric), string(turnoverModel)}},
		"facets":   {`{ aggregateAcrossEntities(input: {query: "*", facets: ["_entityType"]}) { facets { aggregations { value } } } }`, []string{`"METRIC"`, `"SEMANTIC_MODEL"`}},
		"complete": {`{ autoCompleteForMultiple(input: {query: "turno"}) { suggestions { type entities { urn } } } }`, []string{string(turnoverMetric), string(turnoverModel)}},
		"browse":   {`{ browseV2(input: {path: [], query: "turnover"}) { total groups { name count } } }`, []string{`"total":1`, `"count":2`}},
	} {
		got := data(t, engine, world, servicetest.Root, c.query)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	}
}

// The metrics that an asset uses are part of it, and of its lineage.
func TestAssetsShowTheMetricsTheyConsume(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	world.Put(t, turnoverMetric, "metricInfo", `{"name":"Turnover"}`)
	for field, u := range map[string]urn.URN{
		"dataset": "urn:li:dataset:(urn:li:dataPlatform:hive,shop.turnover,PROD)", "chart": "urn:li:chart:(looker,turnover)", "dashboard": "urn:li:dashboard:(looker,turnover)",
	} {
		world.Put(t, u, "upstreamMetrics", `{"metrics":[{"destinationUrn":"`+string(turnoverMetric)+`","properties":{"via":"tile"}}]}`)
		got := data(t, engine, world, servicetest.Root, `{ `+field+`(urn: "`+string(u)+`") { upstreamMetrics { metrics { destination { urn ... on Metric { info { name } } } created { time } properties { key value } } }
			lineage(input: {direction: UPSTREAM}) { total relationships { type entity { urn } } } } }`)
		for _, want := range []string{
			`"upstreamMetrics":{"metrics":[{"destination":{"urn":"` + string(turnoverMetric) + `","info":{"name":"Turnover"}},"created":null,"properties":[{"key":"via","value":"tile"}]}]}`,
			`"lineage":{"total":1,"relationships":[{"type":"ConsumesMetric","entity":{"urn":"` + string(turnoverMetric) + `"}}]}`,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want %s", field, got, want)
			}
		}
	}
}
