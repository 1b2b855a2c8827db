//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

var restrictedURN = regexp.MustCompile(`urn:li:restricted:[A-Za-z0-9_-]+`)

// TestNoAPITellsWhatMayNotBeViewed calls every API that searches, lists or walks as a user who may
// view one of two datasets.
func TestNoAPITellsWhatMayNotBeViewed(t *testing.T) {
	t.Parallel()
	const open1, hidden = "urn:li:dataset:(urn:li:dataPlatform:hive,open.orders,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,closed.salaries,PROD)"
	const user, readsAll = "urn:li:corpuser:viewer", "urn:li:dataHubPolicy:view-entity-page-all"
	folder := t.TempDir()
	var token, before string
	serve := func(restricted bool, story func(a *app.App)) {
		cfg := settings(folder)
		cfg.Auth.ViewAuthorization, cfg.Auth.ViewRestricted = true, restricted
		a := open(t, cfg)
		defer shut(t, a)
		story(a)
	}
	ask := func(a *app.App) map[string]string {
		graph := func(document string) string { return operate(t, a, token, document) }
		post := func(path, body string) string { return mustAsk(t, a, token, http.MethodPost, path, body) }
		return map[string]string{
			"search":            graph(`{ searchAcrossEntities(input: {query: "*", types: [DATASET]}) { total searchResults { entity { urn } } facets { aggregations { value } } } }`),
			"restricted search": graph(`{ scrollAcrossEntities(input: {query: "*", types: [DATASET], count: 2, searchFlags: {includeRestricted: true}}) { total nextScrollId searchResults { entity { urn type } } } }`),
			"completion":        graph(`{ autoComplete(input: {type: DATASET, query: "salaries"}) { suggestions } }`),
			"lineage":           graph(`{ dataset(urn: "` + open1 + `") { lineage(input: {direction: DOWNSTREAM}) { total relationships { entity { urn type } } } } }`),
			"lineage search":    graph(`{ searchAcrossLineage(input: {urn: "` + open1 + `", direction: DOWNSTREAM}) { total searchResults { entity { urn type } paths { path { urn } } } } }`),
			"lineage scroll":    post("/openapi/v3/lineage/scroll?count=1", `{"urns":["`+open1+`"]}`),
			"rest lineage":      post("/relationships?action=getLineage", `{"urn":"`+open1+`","direction":"DOWNSTREAM"}`),
			"rest search":       post("/entities?action=search", `{"entity":"dataset","input":"*","start":0,"count":10}`),
			"list":              mustAsk(t, a, token, http.MethodGet, "/openapi/v3/entity/dataset?count=10", ""),
		}
	}
	shows := map[string]bool{"restricted search": true, "lineage": true, "lineage search": true, "lineage scroll": true, "rest lineage": true}

	serve(true, func(a *app.App) {
		_, token = provision(t, a, user)
		put(t, a, open1, "datasetProperties", `{"name":"orders"}`)
		put(t, a, hidden, "datasetProperties", `{"name":"salaries"}`)
		put(t, a, hidden, "upstreamLineage", `{"upstreams":[{"dataset":"`+open1+`","type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}]}`)
		put(t, a, readsAll, "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
		put(t, a, "urn:li:dataHubPolicy:viewer", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE"],
			"actors":{"users":[%q],"allUsers":false,"allGroups":false,"resourceOwners":false},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, user, open1))
		for api, text := range ask(a) {
			found := restrictedURN.FindString(text)
			if strings.Contains(text, "salaries") || (found != "") != shows[api] {
				t.Errorf("%s: %s", api, text)
			}
			if api == "restricted search" && found == before {
				t.Errorf("%s names it as lineage does: %s", api, found)
			} else if found != "" && api != "restricted search" {
				if before != "" && found != before {
					t.Errorf("%s names it %s, others %s", api, found, before)
				}
				before = found
			}
		}
	})
	// Names must survive a restart, since clients store them.
	serve(true, func(a *app.App) {
		if text := ask(a)["lineage"]; restrictedURN.FindString(text) != before {
			t.Errorf("after a restart: %s, want %s", text, before)
		}
	})
	serve(false, func(a *app.App) {
		for api, text := range ask(a) {
			if strings.Contains(text, "salaries") || strings.Contains(text, "urn:li:restricted") {
				t.Errorf("%s where nothing is restricted: %s", api, text)
			}
		}
	})
}
