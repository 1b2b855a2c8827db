package app_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestATokenWritesNothingThatItsScopeExcludes changes what is about a dataset, by operations that take a right over the
// dataset, with tokens of the administrator whose scopes exclude it by URN or by type.
func TestATokenWritesNothingThatItsScopeExcludes(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,d,PROD)"
	put(t, a, dataset, "datasetProperties", `{"name":"d"}`)
	about := []string{"urn:li:incident:one", "urn:li:assertion:one", "urn:li:query:one"}
	put(t, a, about[0], "incidentInfo", fmt.Sprintf(`{"type":"OPERATIONAL","title":"t","entities":[%q],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"}}`, dataset))
	put(t, a, about[1], "assertionInfo", fmt.Sprintf(`{"type":"CUSTOM","description":"x","customAssertion":{"type":"t","entity":%q}}`, dataset))
	put(t, a, about[2], "queryProperties", `{"statement":{"value":"select 1","language":"SQL"},"source":"MANUAL","created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	put(t, a, about[2], "querySubjects", fmt.Sprintf(`{"subjects":[{"entity":%q}]}`, dataset))
	changes := []string{
		`updateIncident(urn: "urn:li:incident:one", input: {title: "e"})`, `updateIncidentStatus(urn: "urn:li:incident:one", input: {state: RESOLVED})`,
		`updateQuery(urn: "urn:li:query:one", input: {properties: {name: "e"}}) { urn }`, `deleteQuery(urn: "urn:li:query:one")`, `deleteAssertion(urn: "urn:li:assertion:one")`,
	}
	for _, scope := range []string{
		`{resources: [{field: "URN", values: ["` + strings.Join(about, `", "`) + `"], condition: NOT_EQUALS}]}`,
		`{resources: [{field: "TYPE", values: ["incident", "assertion", "query"], condition: NOT_EQUALS}]}`,
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
