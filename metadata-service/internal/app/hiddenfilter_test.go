//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// filterAPIs return the results of a filter: each gets the field, the condition of the API, and the
// value.
var filterAPIs = map[string]func(t *testing.T, c *concealment, token, field, condition, value string, negated bool) string{
	"search":            graphFilter(`{ searchAcrossEntities(input: {query: "*", types: [DATASET, CHART], orFilters: [{and: [%s]}]}) { total searchResults { entity { urn } } facets { field aggregations { value count } } } }`),
	"scroll":            graphFilter(`{ scrollAcrossEntities(input: {query: "*", types: [DATASET, CHART], orFilters: [{and: [%s]}]}) { total searchResults { entity { urn } } } }`),
	"restricted search": graphFilter(`{ scrollAcrossEntities(input: {query: "*", types: [DATASET, CHART], searchFlags: {includeRestricted: true}, orFilters: [{and: [%s]}]}) { total } }`),
	"counts":            graphFilter(`{ aggregateAcrossEntities(input: {query: "*", types: [DATASET, CHART], orFilters: [{and: [%s]}]}) { facets { field aggregations { value count } } } }`),
	"completion":        graphFilter(`{ autoCompleteForMultiple(input: {types: [DATASET, CHART], query: "orders", orFilters: [{and: [%s]}]}) { suggestions { suggestions } } }`),
	"browsing":          graphFilter(`{ browseV2(input: {type: DATASET, path: [], query: "*", orFilters: [{and: [%s]}]}) { total groups { name count } } }`),
	"lineage":           graphFilter(`{ searchAcrossLineage(input: {urn: "THESTART", direction: UPSTREAM, query: "*", orFilters: [{and: [%s]}]}) { total } }`),
	"search of Rest.li": restFilter("/entities?action=search", `{"entity":"dataset","input":"*","start":0,"count":10,"filter":{"or":[{"and":[%s]}]}}`),
	"searches of types": restFilter("/entities?action=searchAcrossEntities", `{"entities":["dataset","chart"],"input":"*","start":0,"count":10,"filter":{"or":[{"and":[%s]}]}}`),
	"scroll of Rest.li": restFilter("/entities?action=scrollAcrossEntities", `{"entities":["dataset","chart"],"input":"*","count":10,"filter":{"or":[{"and":[%s]}]}}`),
	"scroll of OpenAPI": func(t *testing.T, c *concealment, token, field, condition, value string, negated bool) string {
		criterion := fmt.Sprintf(`{"field":%q,"condition":%q,"negated":%t,"values":[%q]}`, field, condition, negated, value)
		return answerOf(t, c.app, token, http.MethodPost, "/openapi/v3/entity/scroll?count=10", `{"entities":["dataset","chart"],"filter":{"and":[{"criteria":[`+criterion+`]}]}}`)
	},
	"charts": func(t *testing.T, c *concealment, token, field, _, value string, _ bool) string {
		if field != "domains" {
			return ""
		}
		return answerOf(t, c.app, token, http.MethodPost, "/api/graphql", graphqlBody(fmt.Sprintf(`{ getMetadataAnalyticsCharts(input: {domain: %q}) { title charts { ... on BarChart { title bars { name segments { value } } } } } }`, value)))
	},
	"a tool": func(t *testing.T, c *concealment, token, field, condition, value string, negated bool) string {
		if condition != "EQUAL" || negated {
			return "" // tools filter only by equality
		}
		return answerOf(t, c.app, token, http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"*","filters":[{"field":%q,"values":[%q]}]}}}`, field, value))
	},
}

func graphFilter(document string) func(*testing.T, *concealment, string, string, string, string, bool) string {
	return func(t *testing.T, c *concealment, token, field, condition, value string, negated bool) string {
		criterion := fmt.Sprintf(`{field: %q, condition: %s, negated: %t, values: [%q]}`, field, condition, negated, value)
		return answerOf(t, c.app, token, http.MethodPost, "/api/graphql", graphqlBody(fmt.Sprintf(strings.ReplaceAll(document, "THESTART", string(c.seen["chart"])), criterion)))
	}
}

func restFilter(path, body string) func(*testing.T, *concealment, string, string, string, string, bool) string {
	return func(t *testing.T, c *concealment, token, field, condition, value string, negated bool) string {
		criterion := fmt.Sprintf(`{"field":%q,"condition":%q,"negated":%t,"values":[%q],"value":%q}`, field, condition, negated, value, value)
		return answerOf(t, c.app, token, http.MethodPost, path, fmt.Sprintf(strings.ReplaceAll(body, "THESTART", string(c.seen["chart"])), criterion))
	}
}

func answerOf(t *testing.T, a *app.App, token, method, path, body string) string {
	t.Helper()
	got := ask(t, a, token, method, path, body)
	return fmt.Sprint(got.status, " ", got.body)
}

// TestFiltersDoNotTellOfHiddenEntities filters by hidden entities to which a visible one refers,
// and by entities that do not exist: the responses must be equal.
func TestFiltersDoNotTellOfHiddenEntities(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(*app.Config) {})
	asset := string(c.seen["dataset"])
	put(t, c.app, "urn:li:dataHubPolicy:charts", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE","privileges":["VIEW_ANALYTICS"],"actors":{"users":[%q]}}`, viewerURN))
	put(t, c.app, asset, "datasetProperties", `{"name":"orders"}`)
	put(t, c.app, asset, "domains", fmt.Sprintf(`{"domains":[%q]}`, c.hidden["domain"]))
	put(t, c.app, asset, "globalTags", fmt.Sprintf(`{"tags":[{"tag":%q}]}`, c.hidden["tag"]))
	put(t, c.app, asset, "glossaryTerms", fmt.Sprintf(`{"terms":[{"urn":%q}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`, c.hidden["glossaryTerm"]))
	put(t, c.app, asset, "browsePathsV2", fmt.Sprintf(`{"path":[{"id":"x","urn":%q}]}`, c.hidden["domain"]))
	put(t, c.app, string(c.seen["chart"]), "chartInfo", fmt.Sprintf(`{"title":"c","description":"","lastModified":{"created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}},"inputs":[{"string":%q}]}`, asset))
	put(t, c.app, string(c.hidden["domain"]), "domainProperties", `{"name":"`+mark+`"}`)
	put(t, c.app, string(c.seen["domain"]), "domainProperties", fmt.Sprintf(`{"name":"seen","parentDomain":%q}`, c.hidden["domain"]))
	put(t, c.app, string(c.seen["chart"]), "domains", fmt.Sprintf(`{"domains":[%q]}`, c.seen["domain"]))
	fields := map[string]string{"domains": "domain", "tags": "tag", "glossaryTerms": "glossaryTerm", "browsePathV2": "domain", "urn": "dataset"}
	asked := 0
	for name, api := range filterAPIs {
		hidden := string(c.hidden["domain"])
		if found, absent := api(t, c, asTheSystem, "domains", "EQUAL", hidden, false), api(t, c, asTheSystem, "domains", "EQUAL", strings.ReplaceAll(hidden, mark, "yyabsent"), false); strings.ReplaceAll(found, mark, "yyabsent") == absent {
			t.Errorf("%s tells the system nothing of a domain: %s", name, found)
		}
	}
	for name, api := range filterAPIs {
		if got := api(t, c, c.viewer, "name", "EQUAL", "orders", false); got != "" && !strings.HasPrefix(got, "200 ") || strings.Contains(got, `"errors"`) {
			t.Errorf("%s answers the viewer nothing: %s", name, got)
		}
		for field, entityType := range fields {
			for _, condition := range []string{"EQUAL", "IN", "START_WITH", "END_WITH", "CONTAIN", "IEQUAL", "GREATER_THAN", "LESS_THAN", "DESCENDANTS_INCL", "ANCESTORS_INCL", "RELATED_INCL"} {
				for _, negated := range []bool{false, true} {
					if field == "urn" && name == "restricted search" {
						continue
					}
					hidden := string(c.hidden[entityType])
					absent := strings.ReplaceAll(hidden, mark, "yyabsent")
					answers := api(t, c, c.viewer, field, condition, hidden, negated)
					want := api(t, c, c.viewer, field, condition, absent, negated)
					if asked++; strings.ReplaceAll(answers, mark, "yyabsent") != want {
						t.Errorf("%s by %s %s (negated %t):\nhidden: %s\nabsent: %s", name, field, condition, negated, answers, want)
					}
				}
			}
		}
	}
	for _, document := range []string{
		`{ browseV2(input: {type: DATASET, path: ["VALUE"], query: "*"}) { total groups { name count } entities { urn } } }`,
		`{ searchAcrossEntities(input: {query: "*", types: [DATASET, CHART], orFilters: [{and: [{field: "browsePathV2", condition: EQUAL, values: ["␟VALUE"]}]}]}) { total } }`,
		`{ searchAcrossEntities(input: {query: "*", types: [DATASET, CHART], viewUrn: "urn:li:dataHubView:VALUE"}) { total } }`,
	} {
		hidden := string(c.hidden["domain"])
		absent := strings.ReplaceAll(hidden, mark, "yyabsent")
		with := answerOf(t, c.app, c.viewer, http.MethodPost, "/api/graphql", graphqlBody(strings.ReplaceAll(document, "VALUE", hidden)))
		without := answerOf(t, c.app, c.viewer, http.MethodPost, "/api/graphql", graphqlBody(strings.ReplaceAll(document, "VALUE", absent)))
		if asked++; strings.ReplaceAll(with, mark, "yyabsent") != without {
			t.Errorf("%s:\nhidden: %s\nabsent: %s", document, with, without)
		}
	}
	t.Logf("%d pairs of filters", asked)
}
