package apptest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// A filter would reveal the values that reads hide.
func TestNoAPIFiltersByAPropertyThatIsSoftDeleted(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const property, dataset = "urn:li:structuredProperty:team.cost", "urn:li:dataset:(urn:li:dataPlatform:hive,valued,PROD)"
	s.JSON(http.MethodPost, "/openapi/v3/entity/structuredProperty?async=false", `[{"urn":"`+property+`","propertyDefinition":{"value":{"qualifiedName":"team.cost","valueType":"urn:li:dataType:datahub.string",
		"entityTypes":["urn:li:entityType:datahub.dataset"]}}}]`, nil)
	s.JSON(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+dataset+`","structuredProperties":{"value":{"properties":[{"propertyUrn":"`+property+`","values":[{"string":"gold"}]}]}}}]`, nil)
	graphql := func(document string) func(field string) (int, string) {
		return func(field string) (int, string) {
			text, _ := json.Marshal(strings.ReplaceAll(document, "$or", `orFilters: [{and: [{field: "`+field+`", values: ["gold"]}]}]`)) // encodes a text
			return s.Call(http.MethodPost, "/api/graphql", `{"query":`+string(text)+`}`)
		}
	}
	restli := func(action, more string) func(field string) (int, string) {
		return func(field string) (int, string) {
			return s.Call(http.MethodPost, "/entities?action="+action, `{`+more+`,"input":"*","count":10,"filter":{"or":[{"and":[{"field":"`+field+`","condition":"EQUAL","value":"gold","values":["gold"]}]}]}}`)
		}
	}
	for name, ask := range map[string]func(field string) (int, string){
		"a search by GraphQL": graphql(`{ searchAcrossEntities(input: {types: [DATASET], query: "*", $or}) { total } }`),
		"of one type":         graphql(`{ search(input: {type: DATASET, query: "*", $or}) { total } }`),
		"a scroll by GraphQL": graphql(`{ scrollAcrossEntities(input: {types: [DATASET], query: "*", $or}) { total } }`),
		"a count by GraphQL":  graphql(`{ aggregateAcrossEntities(input: {types: [DATASET], query: "*", facets: ["platform"], $or}) { facets { field aggregations { count } } } }`),
		"along lineage":       graphql(`{ searchAcrossLineage(input: {urn: "` + dataset + `", direction: UPSTREAM, query: "*", $or}) { total } }`),
		"a search by Rest.li": restli("search", `"entity":"dataset","start":0`),
		"of all types":        restli("searchAcrossEntities", `"entities":["dataset"],"start":0`),
		"a scroll by Rest.li": restli("scrollAcrossEntities", `"entities":["dataset"],"keepAlive":"5m"`),
		"a scroll by OpenAPI": func(field string) (int, string) {
			return s.Call(http.MethodPost, "/openapi/v3/entity/scroll", `{"entities":["dataset"],"filter":{"and":[{"criteria":[{"field":"`+field+`","values":["gold"],"condition":"EQUAL"}]}]}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, field := range []string{"structuredProperties.team.cost", "structuredProperties.team_cost.keyword"} {
				s.JSON(http.MethodPost, "/openapi/v3/entity/structuredProperty?async=false", `[{"urn":"`+property+`","status":{"value":{"removed":false}}}]`, nil)
				if status, text := ask(field); status != http.StatusOK || strings.Contains(text, `"errors"`) {
					t.Errorf("%s while it is there: %d %s", field, status, text)
				}
				s.JSON(http.MethodPost, "/openapi/v3/entity/structuredProperty?async=false", `[{"urn":"`+property+`","status":{"value":{"removed":true}}}]`, nil)
				status, text := ask(field)
				if refused := status == http.StatusBadRequest || status == http.StatusOK && strings.Contains(text, `"errors"`) && strings.Contains(text, `"code":400`); !refused || !strings.Contains(text, "Cannot filter on deleted Structured Property "+property) {
					t.Errorf("%s: %d %s", field, status, text)
				}
			}
		})
	}
}
