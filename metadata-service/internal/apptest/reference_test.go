package apptest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// Connectors use entities of types that the model does not list for a relationship: for example,
// the parent of an experiment run is the container of its experiment.
func TestARelationshipTakesEntitiesOfOtherTypes(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const run, container, chart = "urn:li:dataProcessInstance:run.one", "urn:li:container:experiment", "urn:li:chart:(looker,one)"
	for aspect, value := range map[string]string{
		"dataProcessInstanceRelationships": `{"parentInstance":"` + container + `","upstreamInstances":["urn:li:dataProcessInstance:job.one"]}`,
		"dataProcessInstanceOutput":        `{"outputs":["` + chart + `","` + container + `"]}`,
	} {
		s.JSON(http.MethodPost, "/openapi/v3/entity/dataprocessinstance?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, run, aspect, value), nil)
		var got struct{ Value map[string]any }
		s.JSON(http.MethodGet, "/openapi/v3/entity/dataprocessinstance/"+run+"/"+aspect, "", &got)
		if got.Value["parentInstance"] != container && fmt.Sprint(got.Value["outputs"]) != "["+chart+" "+container+"]" {
			t.Errorf("%s is stored as %v", aspect, got.Value)
		}
	}
	for direction, c := range map[string]struct{ of, types, want string }{
		"OUTGOING": {run, `"ChildOf","Produces"`, `"total":3`}, "INCOMING": {container, `"ChildOf"`, `"urn":"` + run + `"`},
	} {
		_, text := s.Call(http.MethodPost, "/api/graphql", fmt.Sprintf(`{"query":"query q($u: String!, $t: [String!]!) { dataProcessInstance(urn: \"%s\") { urn } container(urn: \"%s\") { urn } entity(urn: $u) { `+
			`... on DataProcessInstance { relationships(input: {types: $t, direction: %s, start: 0, count: 9}) { total relationships { entity { urn } } } } `+
			`... on Container { relationships(input: {types: $t, direction: %s, start: 0, count: 9}) { total relationships { entity { urn } } } } } }","variables":{"u":%q,"t":[%s]}}`,
			run, container, direction, direction, c.of, c.types))
		if strings.Contains(text, `"errors"`) || !strings.Contains(text, c.want) {
			t.Errorf("relationships %s of %s are %s, want %s", direction, c.of, text, c.want)
		}
	}
}

// Places and rights of entities depend on some relationships, for which the model requires certain
// types.
func TestPlacesAndMembershipsNameTheirTypes(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const tag = "urn:li:tag:pii"
	for _, c := range []struct{ urn, aspect, value string }{
		{"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)", "container", `{"container":"` + tag + `"}`},
		{"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)", "domains", `{"domains":["` + tag + `"]}`},
		{"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)", "ownership", `{"owners":[{"owner":"` + tag + `","type":"NONE"}]}`},
		{"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)", "applications", `{"applications":["` + tag + `"]}`},
		{"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)", "globalTags", `{"tags":[{"tag":"urn:li:glossaryTerm:a"}]}`},
		{"urn:li:domain:d", "domainProperties", `{"name":"d","parentDomain":"` + tag + `"}`},
		{"urn:li:corpuser:ada", "groupMembership", `{"groups":["` + tag + `"]}`},
		{"urn:li:corpuser:ada", "nativeGroupMembership", `{"nativeGroups":["` + tag + `"]}`},
		{"urn:li:corpuser:ada", "roleMembership", `{"roles":["` + tag + `"]}`},
	} {
		entityType := strings.Split(c.urn, ":")[2]
		status, text := s.Call(http.MethodPost, "/openapi/v3/entity/"+entityType+"?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, c.urn, c.aspect, c.value))
		if status != http.StatusBadRequest || !strings.Contains(text, "must be a URN of") {
			t.Errorf("%s %s: %d %s", c.aspect, c.value, status, text)
		}
	}
}
