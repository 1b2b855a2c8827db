//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// TestSeriesTellNothingOfHiddenEntities aggregates and filters time series of visible entities,
// whose documents name hidden entities.
func TestSeriesTellNothingOfHiddenEntities(t *testing.T) {
	t.Parallel()
	for name, scoped := range map[string]bool{"view authorization": false, "a token of an administrator": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = true })
			if scoped {
				c.viewer = scopedToken(t, c.app, c.scope)
			}
			check, asset := c.seen["assertion"], c.seen["dataset"]
			for i, of := range []string{string(asset), string(c.hidden["dataset"]), string(c.hidden["dataset"])} {
				put(t, c.app, string(check), "assertionRunEvent", fmt.Sprintf(`{"timestampMillis":%d,"assertionUrn":%q,"asserteeUrn":%q,"runId":"r%d","status":"COMPLETE"}`, i+1, check, of, i))
				put(t, c.app, string(asset), "operation", fmt.Sprintf(`{"timestampMillis":%d,"operationType":"UPDATE","lastUpdatedTimestamp":1,"affectedDatasets":[%q]}`, i+1, of))
			}
			stats := func(who, filter string) string {
				return mustAsk(t, c.app, who, http.MethodPost, "/analytics?action=getTimeseriesStats", fmt.Sprintf(`{"entityName":"assertion","aspectName":"assertionRunEvent",
					"metrics":[{"fieldPath":"timestampMillis","aggregationType":"CARDINALITY"}],"buckets":[{"key":"asserteeUrn","type":"STRING_GROUPING_BUCKET"}],
					"filter":{"or":[{"and":[{"field":"urn","condition":"EQUAL","values":[%q]}%s]}]}}`, check, filter))
			}
			if got := stats(asTheSystem, ""); strings.Count(got, mark) == 0 {
				t.Errorf("the system: %s", got)
			}
			if got := stats(c.viewer, ""); strings.Contains(got, mark) || !strings.Contains(got, fmt.Sprintf(`"rows":[[%q,"1"]]`, asset)) {
				t.Errorf("the viewer: %s", got)
			}
			if got := stats(c.viewer, fmt.Sprintf(`,{"field":"asserteeUrn","condition":"EQUAL","values":[%q],"negated":true}`, asset)); !strings.Contains(got, `"rows":[]`) {
				t.Errorf("the viewer asks for others than the asset: %s", got)
			}
			put(t, c.app, string(c.hidden["dataset"]), "operation", `{"timestampMillis":9,"operationType":"CUSTOM","customOperationType":"`+mark+`","lastUpdatedTimestamp":1}`)
			put(t, c.app, string(c.hidden["dataset"]), "globalTags", `{"tags":[{"tag":"urn:li:tag:secret"}]}`)
			put(t, c.app, "urn:li:dataHubPolicy:series", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
				"privileges":["VIEW_ENTITY_PAGE","VIEW_DATASET_OPERATIONS"],"actors":{"users":[%q]},
				"resources":{"filter":{"criteria":[{"field":"TYPE","values":["dataset"],"condition":"EQUALS"},{"field":"TAG","values":["urn:li:tag:secret"],"condition":"NOT_EQUALS"}]}}}`, viewerURN))
			put(t, c.app, "urn:li:dataHubPolicy:every", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["GET_TIMESERIES_ASPECT_PRIVILEGE"],"actors":{"users":[%q]}}`, viewerURN))
			const all = "/openapi/v2/timeseries/dataset/operation?count=10"
			if got := ask(t, c.app, c.viewer, http.MethodGet, all, ""); strings.Contains(got.body, mark) || !scoped && !strings.Contains(got.body, "affectedDatasets") {
				t.Errorf("of all datasets: %d %s", got.status, got.body)
			}
			values := func(who, condition string) string {
				return mustAsk(t, c.app, who, http.MethodPost, "/aspects?action=getTimeseriesAspectValues", fmt.Sprintf(`{"urn":%q,"entity":"dataset","aspect":"operation","limit":10,
					"filter":{"or":[{"and":[%s]}]}}`, asset, condition))
			}
			spelt := fmt.Sprintf(`{"field":"affectedDatasets","condition":"START_WITH","values":[%q]}`, c.hidden["dataset"][:len(c.hidden["dataset"])-9])
			if got := values(asTheSystem, spelt); strings.Count(got, "lastUpdatedTimestamp") == 0 {
				t.Errorf("the system filters: %s", got)
			}
			if got := values(c.viewer, spelt); strings.Contains(got, "lastUpdatedTimestamp") {
				t.Errorf("a filter spells what is hidden: %s", got)
			}
			negated := strings.Replace(spelt, `"field"`, `"negated":true,"field"`, 1)
			if got := values(c.viewer, negated); strings.Count(got, "lastUpdatedTimestamp") != 1 {
				t.Errorf("a negated filter matches %s", got)
			}
			if got := values(c.viewer, `{"field":"timestampMillis","condition":"GREATER_THAN","values":["0"]}`); strings.Count(got, "lastUpdatedTimestamp") != 3 {
				t.Errorf("a filter by time leaves out documents: %s", got)
			}
		})
	}
}
