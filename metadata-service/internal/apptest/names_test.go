package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// Programs may ingest entities with equal names, as their source systems have them; a user who
// chooses a name gets an error if it is taken.
func TestProgramsMayNameEntitiesAlikeAndPeopleMayNot(t *testing.T) {
	t.Parallel()
	const stamp = `{"time":1,"actor":"urn:li:corpuser:datahub"}`
	for kind, k := range map[string]struct{ aspect, record, value, create, rename, taken string }{
		"domain": {"domainProperties", "com.linkedin.domain.DomainProperties", `{"name":"Sales"}`,
			`createDomain(input: {name: "Sales"})`, `updateName(input: {urn: "urn:li:domain:free", name: "Sales"})`, `"Sales" already exists in this domain`},
		"glossaryTerm": {"glossaryTermInfo", "com.linkedin.glossary.GlossaryTermInfo", `{"name":"Sales","definition":"","termSource":"INTERNAL"}`,
			`createGlossaryTerm(input: {name: "Sales", description: ""})`, `updateName(input: {urn: "urn:li:glossaryTerm:free", name: "Sales"})`, `there is a glossary term "Sales" at this place already`},
		"glossaryNode": {"glossaryNodeInfo", "com.linkedin.glossary.GlossaryNodeInfo", `{"name":"Sales","definition":""}`,
			`createGlossaryNode(input: {name: "Sales", description: ""})`, `updateName(input: {urn: "urn:li:glossaryNode:free", name: "Sales"})`, ""},
		"businessAttribute": {"businessAttributeInfo", "com.linkedin.businessattribute.BusinessAttributeInfo",
			`{"name":"Sales","fieldPath":"x","created":` + stamp + `,"lastModified":` + stamp + `}`, `createBusinessAttribute(input: {name: "Sales"}) { urn }`,
			`updateBusinessAttribute(urn: "urn:li:businessAttribute:free", input: {name: "Sales"}) { urn }`, `"Sales" is the name of another business attribute`},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := apptest.New(t)
			entity := func(id string) string { return "urn:li:" + kind + ":" + id }
			written := func(api string, ids []string, status int, text string) {
				t.Helper()
				if status != http.StatusOK {
					t.Errorf("%s: %d %s", api, status, text)
				}
				for _, id := range ids {
					var got struct{ Value struct{ Name string } }
					if s.JSON(http.MethodGet, "/openapi/v3/entity/"+kind+"/"+entity(id)+"/"+k.aspect, "", &got); got.Value.Name != "Sales" {
						t.Errorf("%s: the name of %s is %q", api, id, got.Value.Name)
					}
				}
			}
			status, text := s.Call(http.MethodPost, "/openapi/v3/entity/"+kind+"?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}},{"urn":%q,%q:{"value":%s}}]`,
				entity("a"), k.aspect, k.value, entity("b"), k.aspect, k.value))
			written("OpenAPI, two in a batch", []string{"a", "b"}, status, text)

			proposal := fmt.Sprintf(`{"entityType":%q,"entityUrn":%q,"changeType":"UPSERT","aspectName":%q,"aspect":{"contentType":"application/json","value":%s}}`,
				kind, entity("c"), k.aspect, strconv.Quote(k.value))
			status, text = s.Call(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+proposal+`}`)
			written("a proposal", []string{"c"}, status, text)

			free := strings.Replace(k.value, "Sales", "Free", 1)
			s.JSON(http.MethodPost, "/openapi/v3/entity/"+kind+"?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}},{"urn":%q,%q:{"value":%s}}]`,
				entity("d"), k.aspect, free, entity("free"), k.aspect, strings.Replace(k.value, "Sales", "Other", 1)), nil)
			status, text = s.Call(http.MethodPatch, "/openapi/v3/entity/"+kind+"/"+entity("d")+"/"+k.aspect, `{"patch":[{"op":"replace","path":"/name","value":"Sales"}],"arrayPrimaryKeys":{},"forceGenericPatch":true}`)
			written("a patch", []string{"d"}, status, text)

			for name, mutation := range map[string]string{"creating": k.create, "renaming": k.rename} {
				query, err := json.Marshal(map[string]string{"query": "mutation { " + mutation + " }"})
				if err != nil {
					t.Fatal(err)
				}
				status, text := s.Call(http.MethodPost, "/api/graphql", string(query))
				if k.taken == "" {
					if status != http.StatusOK || strings.Contains(text, `"errors"`) {
						t.Errorf("%s: %d %s, want it written", name, status, text)
					}
					continue
				}
				if quoted := strconv.Quote(k.taken); !strings.Contains(text, quoted[1:len(quoted)-1]) {
					t.Errorf("%s: %d %s, want a refusal that says %s", name, status, text, k.taken)
				}
			}
			written("an ingested value once more", []string{"a"}, http.StatusOK, "")
		})
	}
}
