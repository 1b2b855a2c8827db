//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// TestParallelMutationsOfAUserKeepNobodyWaiting runs many concurrent mutations of one user on the
// same entity, and one mutation of another user. Requests that wait for the change of an entity
// return their slots to those that execute it: no request must wait until a limit ends, which
// counts as a refusal.
func TestParallelMutationsOfAUserKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	const table, tag = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)", "urn:li:tag:pii"
	put(t, a, table, "datasetProperties", `{"name":"orders"}`)
	put(t, a, tag, "tagProperties", `{"name":"pii"}`)
	users := []string{"urn:li:corpuser:ann", "urn:li:corpuser:ben"}
	var tokens []string
	for _, u := range users {
		_, token := provision(t, a, u)
		put(t, a, u, "roleMembership", `{"roles":["urn:li:dataHubRole:Admin"]}`)
		tokens = append(tokens, token)
	}
	created := operate(t, a, tokens[0], `mutation { createView(input: {viewType: GLOBAL, name: "orders", definition: {entityTypes: [DATASET], filter: {operator: AND, filters: []}}}) { urn } }`)
	view := created[strings.Index(created, "urn:li:dataHubView:"):]
	view = view[:strings.Index(view, `"`)]
	text := 0
	documents := map[string]func() string{
		"updateDescription": func() string {
			return fmt.Sprintf(`mutation { updateDescription(input: {resourceUrn: %q, description: "text %d"}) }`, table, text)
		},
		"updateView": func() string {
			return fmt.Sprintf(`mutation { updateView(urn: %q, input: {name: "orders", description: "text %d", definition: {entityTypes: [DATASET], filter: {operator: AND, filters: []}}}) { urn } }`, view, text)
		},
		"updateCorpUserProperties": func() string {
			return fmt.Sprintf(`mutation { updateCorpUserProperties(urn: %q, input: {title: "text %d"}) { urn } }`, users[0], text)
		},
		"batchAddTags": func() string {
			return fmt.Sprintf(`mutation { batchAddTags(input: {tagUrns: [%q], resources: [{resourceUrn: %q, subResourceType: DATASET_FIELD, subResource: "field%d"}]}) }`, tag, table, text)
		},
	}
	for name, document := range documents {
		if name == "batchAddTags" {
			put(t, a, table, "schemaMetadata", schemaOfFields(200))
		}
		for _, parallel := range []int{3, 6, 12} {
			before := refusedRequests(t, a)
			var all sync.WaitGroup
			for i := range parallel + 1 {
				text++
				body, token := graphqlBody(document()), tokens[i/parallel] // the last one belongs to the other user
				all.Go(func() {
					if got := ask(t, a, token, http.MethodPost, "/api/graphql", body); got.status != http.StatusOK || strings.Contains(got.body, `"errors":`) {
						t.Errorf("%s, %d at once: %d %s", name, parallel, got.status, got.body)
					}
				})
			}
			all.Wait()
			if after := refusedRequests(t, a); after != before {
				t.Errorf("%s, %d at once: the figure of refused requests went from %s to %s", name, parallel, before, after)
			}
		}
	}
}

func schemaOfFields(n int) string {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = fmt.Sprintf(`{"fieldPath":"field%d","nativeDataType":"int","type":{"type":{"com.linkedin.schema.NumberType":{}}}}`, i)
	}
	return `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` + strings.Join(fields, ",") + `]}`
}

// refusedRequests returns the number of requests that were refused, or continued without a slot,
// because no slot was free.
func refusedRequests(t *testing.T, a *app.App) string {
	t.Helper()
	for line := range strings.Lines(mustAsk(t, a, asTheSystem, http.MethodGet, "/metrics", "")) {
		if number, ok := strings.CutPrefix(line, "cartulary_large_requests_refused_total "); ok {
			return strings.TrimSpace(number)
		}
	}
	t.Fatal("no figure of refused requests")
	return ""
}
