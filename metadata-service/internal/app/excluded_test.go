package app_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

const excluded = "urn:li:dataset:(urn:li:dataPlatform:hive,d,PROD)"

// putAbout writes a dataset, and an incident, an assertion and a query about it.
func putAbout(t *testing.T, a *app.App) (about []string) {
	put(t, a, excluded, "datasetProperties", `{"name":"d"}`)
	put(t, a, excluded, "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"}]}`)
	about = []string{"urn:li:incident:one", "urn:li:assertion:one", "urn:li:query:one"}
	put(t, a, about[0], "incidentInfo", fmt.Sprintf(`{"type":"OPERATIONAL","title":"t","entities":[%q],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"}}`, excluded))
	put(t, a, about[1], "assertionInfo", fmt.Sprintf(`{"type":"CUSTOM","description":"x","customAssertion":{"type":"t","entity":%q}}`, excluded))
	put(t, a, about[2], "queryProperties", `{"statement":{"value":"select 1","language":"SQL"},"source":"MANUAL","created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	put(t, a, about[2], "querySubjects", fmt.Sprintf(`{"subjects":[{"entity":%q}]}`, excluded))
	return about
}

// TestATokenWritesNothingThatItsScopeExcludes changes entities about a dataset, by operations that
// require a right over the dataset, with tokens of the administrator whose scopes exclude it by URN
// or by type.
func TestATokenWritesNothingThatItsScopeExcludes(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	about := putAbout(t, a)
	changes := []string{
		`updateIncident(urn: "urn:li:incident:one", input: {title: "e"})`, `updateIncidentStatus(urn: "urn:li:incident:one", input: {state: RESOLVED})`,
		`updateQuery(urn: "urn:li:query:one", input: {properties: {name: "e"}}) { urn }`, `deleteQuery(urn: "urn:li:query:one")`, `deleteAssertion(urn: "urn:li:assertion:one")`,
	}
	for _, scope := range []string{
		`{resources: [{field: "URN", values: ["` + strings.Join(about, `", "`) + `"], condition: NOT_EQUALS}]}`,
		`{resources: [{field: "TYPE", values: ["incident", "assertion", "query"], condition: NOT_EQUALS}]}`,
		`{resources: [{field: "TYPE", values: ["dataset", "domain"], condition: EQUALS}]}`,
	} {
		token := scopedToken(t, a, scope)
		for _, change := range changes {
			got := ask(t, a, token, "POST", "/api/graphql", graphqlBody("mutation { "+change+" }"))
			if !strings.Contains(got.body, `"code":403`) {
				t.Errorf("%s with %s: %d %.300s", change, scope, got.status, got.body)
			}
		}
	}
	token := scopedToken(t, a, `{resources: [{field: "URN", values: ["urn:li:incident:other"], condition: NOT_EQUALS}]}`)
	for _, change := range changes {
		if got := ask(t, a, token, "POST", "/api/graphql", graphqlBody("mutation { "+change+" }")); strings.Contains(got.body, `"errors"`) {
			t.Errorf("%s, which is not excluded: %d %.300s", change, got.status, got.body)
		}
	}
}

// TestATokenWritesNothingAboutWhatItsScopeExcludes writes entities about a dataset, and its
// columns, by REST with tokens of the administrator whose scopes exclude only the dataset.
func TestATokenWritesNothingAboutWhatItsScopeExcludes(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	about := putAbout(t, a)
	const other = "urn:li:dataset:(urn:li:dataPlatform:hive,e,PROD)"
	put(t, a, other, "datasetProperties", `{"name":"e"}`)
	column := "urn:li:schemaField:(" + excluded + ",id)"
	put(t, a, column, "documentation", `{"documentations":[{"documentation":"d"}]}`)
	change := func(token, u, method, aspect, body string) answer {
		return ask(t, a, token, method, "/openapi/v3/entity/"+strings.ToLower(strings.Split(u, ":")[2])+"/"+url.PathEscape(u)+aspect, body)
	}
	changes := func(token string) (answers []answer) {
		patch := func(path, value string) string {
			return `{"forceGenericPatch":true,"patch":[{"op":"add","path":"` + path + `","value":` + value + `}]}`
		}
		return []answer{
			change(token, about[0], "PATCH", "/incidentInfo", patch("/title", `"e"`)), change(token, about[0], "PATCH", "/incidentInfo", patch("/entities", `["`+other+`"]`)),
			change(token, about[1], "PATCH", "/assertionInfo", patch("/description", `"e"`)), change(token, about[2], "PATCH", "/querySubjects", patch("/subjects", `[{"entity":"`+other+`"}]`)),
			change(token, about[2], "POST", "/querySubjects?async=false&createIfNotExists=false", `{"value":{"subjects":[{"entity":"`+other+`"}]}}`), change(token, column, "DELETE", "/documentation", ""),
			change(token, column, "POST", "/documentation?async=false&createIfNotExists=false", `{"value":{"documentations":[{"documentation":"e"}]}}`), change(token, about[2], "DELETE", "", ""), change(token, about[1], "DELETE", "", ""),
		}
	}
	for _, scope := range []string{
		`{resources: [{field: "URN", values: ["` + excluded + `"], condition: NOT_EQUALS}]}`, `{resources: [{field: "TAG", values: ["urn:li:tag:pii"], condition: NOT_EQUALS}]}`,
	} {
		for i, got := range changes(scopedToken(t, a, scope)) {
			if got.status != 403 {
				t.Errorf("change %d with %s: %d %.300s", i, scope, got.status, got.body)
			}
		}
	}
	for i, got := range changes(scopedToken(t, a, `{resources: [{field: "URN", values: ["urn:li:tag:x"], condition: NOT_EQUALS}]}`)) {
		if got.status > 299 {
			t.Errorf("change %d of what is not excluded: %d %.300s", i, got.status, got.body)
		}
	}
}
