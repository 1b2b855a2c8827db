//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// TestMeasuredSeriesTakeAPrivilegeOfTheirOwn reads, by every API, the time series about the users
// and the contents of an asset, as a user who may read the assets but has no further privileges.
func TestMeasuredSeriesTakeAPrivilegeOfTheirOwn(t *testing.T) {
	t.Parallel()
	a := serve(t, settings(t.TempDir()))
	const user, secret = "urn:li:corpuser:reader", "secretsample"
	_, token := provision(t, a, user)
	put(t, a, "urn:li:dataHubPolicy:view-dataset-sensitive", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":true}}`)
	put(t, a, "urn:li:dataHubPolicy:7", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE","GET_TIMESERIES_ASPECT_PRIVILEGE","GET_ENTITY_PRIVILEGE"],"actors":{"allUsers":true}}`)
	const dataset, dashboard = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)", "urn:li:dashboard:(looker,sales)"
	series := []struct{ urn, aspect, value string }{
		{dataset, "datasetProfile", `{"timestampMillis":1,"rowCount":7,"fieldProfiles":[{"fieldPath":"id","sampleValues":["` + secret + `"]}]}`},
		{dataset, "datasetUsageStatistics", `{"timestampMillis":1,"eventGranularity":{"unit":"DAY","multiple":1},"totalSqlQueries":1,"topSqlQueries":["` + secret + `"]}`},
		{dataset, "operation", `{"timestampMillis":1,"operationType":"CUSTOM","customOperationType":"` + secret + `","lastUpdatedTimestamp":1}`},
		{dashboard, "dashboardUsageStatistics", `{"timestampMillis":1,"viewsCount":1,"userCounts":[{"user":"urn:li:corpuser:` + secret + `","viewsCount":1}]}`},
	}
	type request struct{ method, path, body string }
	requests := func(u, aspect string) map[string]request {
		kind := strings.Split(u, ":")[2]
		escaped := url.PathEscape(u)
		return map[string]request{
			"rest series":      {http.MethodPost, "/aspects?action=getTimeseriesAspectValues", fmt.Sprintf(`{"urn":%q,"entity":%q,"aspect":%q}`, u, kind, aspect)},
			"rest usage":       {http.MethodPost, "/usageStats?action=queryRange", fmt.Sprintf(`{"resource":%q,"duration":"DAY","rangeFromEnd":"ALL"}`, dataset)},
			"rest entity":      {http.MethodGet, "/entitiesV2/" + escaped, ""},
			"aspect":           {http.MethodGet, "/openapi/v3/entity/" + kind + "/" + escaped + "/" + aspect, ""},
			"aspect v2":        {http.MethodGet, "/openapi/v2/entity/" + kind + "/" + escaped + "/" + aspect, ""},
			"entity":           {http.MethodGet, "/openapi/v3/entity/" + kind + "/" + escaped, ""},
			"entity v2":        {http.MethodGet, "/openapi/v2/entity/" + kind + "/" + escaped, ""},
			"entity v1":        {http.MethodGet, "/openapi/entities/v1/latest?urns=" + url.QueryEscape(u) + "&aspectNames=" + aspect, ""},
			"list":             {http.MethodGet, "/openapi/v3/entity/" + kind + "?aspects=" + aspect, ""},
			"batch":            {http.MethodPost, "/openapi/v3/entity/" + kind + "/batchGet", fmt.Sprintf(`[{"urn":%q,%q:{}}]`, u, aspect)},
			"scroll":           {http.MethodPost, "/openapi/v3/entity/scroll", fmt.Sprintf(`{"entities":[%q],"aspects":[%q]}`, kind, aspect)},
			"series v2":        {http.MethodGet, "/openapi/v2/timeseries/" + kind + "/" + aspect, ""},
			"stats":            {http.MethodPost, "/analytics?action=getTimeseriesStats", fmt.Sprintf(`{"entityName":%q,"aspectName":%q,"metrics":[{"fieldPath":"runId","aggregationType":"LATEST"}]}`, kind, aspect)},
			"stats of one":     {http.MethodPost, "/analytics?action=getTimeseriesStats", fmt.Sprintf(`{"entityName":%q,"aspectName":%q,"metrics":[{"fieldPath":"runId","aggregationType":"LATEST"}],"filter":{"or":[{"and":[{"field":"urn","condition":"EQUAL","values":[%q]}]}]}}`, kind, aspect, u)},
			"stats of several": {http.MethodPost, "/analytics?action=getTimeseriesStats", fmt.Sprintf(`{"entityName":%q,"aspectName":%q,"metrics":[{"fieldPath":"runId","aggregationType":"LATEST"}],"filter":{"or":[{"and":[{"field":"urn","condition":"EQUAL","values":[%q]}]},{"and":[]}]}}`, kind, aspect, "urn:li:"+kind+":x")},
			"graphql":          {http.MethodPost, "/api/graphql", graphqlBody(fmt.Sprintf(`{ entities(urns: [%q]) { ... on Dataset { datasetProfiles { fieldProfiles { sampleValues } } operations { customOperationType } usageStats { aggregations { totalSqlQueries } buckets { metrics { topSqlQueries } } } } ... on Dashboard { usageStats { aggregations { users { user { urn } } } } } } }`, u))},
			"mcp":              {http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entities","arguments":{"urns":[%q],"aspects":[%q]}}}`, u, aspect)},
		}
	}
	// These responses are refusals; the others omit the series.
	refuses := map[string]bool{"rest series": true, "aspect": true, "aspect v2": true, "series v2": true, "stats": true, "stats of one": true, "stats of several": true, "rest usage": true}
	shown := 0
	for _, s := range series {
		put(t, a, s.urn, s.aspect, s.value)
		if privilege.Measured(strings.Split(s.urn, ":")[2], s.aspect) == "" {
			t.Errorf("%s takes no privilege", s.aspect)
		}
		for name, d := range requests(s.urn, s.aspect) {
			got := ask(t, a, token, d.method, d.path, d.body)
			if strings.Contains(got.body, secret) {
				t.Errorf("%s shows %s: %s", name, s.aspect, got.body)
			}
			if refused := got.status == http.StatusForbidden || got.status == http.StatusUnauthorized; refused != refuses[name] {
				t.Errorf("%s of %s: %d %.300s", name, s.aspect, got.status, got.body)
			}
			if strings.Contains(ask(t, a, asTheSystem, d.method, d.path, d.body).body, secret) {
				shown++
			}
		}
		head := "/openapi/v3/entity/" + strings.Split(s.urn, ":")[2] + "/" + url.PathEscape(s.urn) + "/" + s.aspect
		if got := ask(t, a, token, http.MethodHead, head, ""); got.status != http.StatusForbidden {
			t.Errorf("HEAD of %s: %d", s.aspect, got.status)
		}
	}
	if shown < 20 {
		t.Errorf("only %d answers show the series to the system", shown)
	}
	put(t, a, "urn:li:dataHubPolicy:view-dataset-sensitive", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_DATASET_USAGE","VIEW_DATASET_PROFILE","VIEW_DATASET_OPERATIONS"],"actors":{"allUsers":true}}`)
	for _, s := range series {
		if got := ask(t, a, token, http.MethodGet, "/openapi/v3/entity/"+strings.Split(s.urn, ":")[2]+"/"+url.PathEscape(s.urn)+"/"+s.aspect, ""); !strings.Contains(got.body, secret) {
			t.Errorf("with the privilege %s is not shown: %d %s", s.aspect, got.status, got.body)
		}
	}
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, entity := range registry.Entities() {
		for _, spec := range entity.All() {
			if privilege.Measured(entity.Name, spec.Name) != "" && !spec.Timeseries {
				t.Errorf("%s of %s is no time series", spec.Name, entity.Name)
			}
		}
	}
}
