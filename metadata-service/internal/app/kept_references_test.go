//go:build unix

package app_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestDeletingWhatExcludesAssetsOpensNone deletes tags, terms, domains and owners by which a
// policy, or the scope of a token, excludes a dataset. Their references must stay in entities that
// the actor may not edit: otherwise the dataset would come into the scope of the policy. Other
// references are removed.
func TestDeletingWhatExcludesAssetsOpensNone(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	put(t, m.app, "urn:li:dataHubPolicy:platform", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"PLATFORM","privileges":["MANAGE_TAGS","MANAGE_GLOSSARIES","MANAGE_DOMAINS","MANAGE_USERS_AND_GROUPS"],"actors":{"users":["`+holderURN+`"]}}`)
	stamp := `{"time":0,"actor":"urn:li:corpuser:datahub"}`
	for _, c := range []struct{ field, u, aspect, value, holding, held, remove string }{
		{"TAG", "urn:li:tag:%s", "tagProperties", `{"name":"%s"}`, "globalTags", `{"tags":[{"tag":"%s"}]}`, `deleteTag(urn:"%s")`},
		{"GLOSSARY", "urn:li:glossaryTerm:%s", "glossaryTermInfo", `{"name":"%s","definition":"","termSource":"INTERNAL"}`, "glossaryTerms", `{"terms":[{"urn":"%s"}],"auditStamp":` + stamp + `}`, `deleteGlossaryEntity(urn:"%s")`},
		{"DOMAIN", "urn:li:domain:%s", "domainProperties", `{"name":"%s"}`, "domains", `{"domains":["%s"]}`, `deleteDomain(urn:"%s")`},
		{"OWNER", "urn:li:corpGroup:%s", "corpGroupInfo", `{"displayName":"%s","admins":[],"members":[],"groups":[]}`, "ownership", `{"owners":[{"owner":"%s","type":"TECHNICAL_OWNER"}],"lastModified":` + stamp + `}`, `removeGroup(urn:"%s")`},
	} {
		dataset := func(id string) string {
			return "urn:li:dataset:(urn:li:dataPlatform:hive,kept." + c.field + "." + id + ",PROD)"
		}
		made := func(id string) string {
			u := fmt.Sprintf(c.u, "kept."+c.field+"."+id)
			put(t, m.app, u, c.aspect, fmt.Sprintf(c.value, id))
			put(t, m.app, dataset(id), c.holding, fmt.Sprintf(c.held, u))
			return u
		}
		remove := func(credential, u string) answer {
			return ask(t, m.app, credential, "POST", "/api/graphql", fmt.Sprintf(`{"query":%q}`, "mutation { "+fmt.Sprintf(c.remove, u)+" }"))
		}
		holds := func(id, u string) bool {
			return strings.Contains(ask(t, m.app, asTheSystem, "GET", "/openapi/v3/entity/dataset/"+url.PathEscape(dataset(id)), "").body, u)
		}
		edits := func(credential, id string) bool {
			return ask(t, m.app, credential, "PATCH", "/openapi/v3/entity/dataset/"+dataset(id)+"/datasetProperties", `{"patch":[{"op":"add","path":"/description","value":"x"}]}`).status == 200
		}

		excluded, plain := made("excluded"), made("plain")
		put(t, m.app, "urn:li:dataHubPolicy:excluding", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["EDIT_ENTITY","DELETE_ENTITY"],"actors":{"users":["`+holderURN+`"]},
			"resources":{"filter":{"criteria":[{"field":"TYPE","values":["dataset"]},{"field":"`+c.field+`","values":["`+excluded+`"],"condition":"NOT_EQUALS"}]}}}`)
		if edits(m.holder, "excluded") || !edits(m.holder, "plain") {
			t.Fatalf("%s: the policy excludes another dataset", c.field)
		}
		for _, u := range []string{excluded, plain} {
			if got := remove(m.holder, u); isRefusal(got) || got.status != 200 {
				t.Errorf("%s: %d %.300s", u, got.status, got.body)
			}
		}
		if !holds("excluded", excluded) || edits(m.holder, "excluded") {
			t.Errorf("%s: a dataset that the policy excludes was changed, or came into its reach", c.field)
		}
		if holds("plain", plain) {
			t.Errorf("%s: the reference of a dataset that nothing excludes stays", c.field)
		}
		// The reference also stays for an actor who removes references to deleted entities.
		put(t, m.app, "urn:li:dataHubPolicy:sweeping", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["DELETE_ENTITY"],"actors":{"users":["`+holderURN+`"]},
			"resources":{"filter":{"criteria":[{"field":"URN","values":["`+excluded+`"]}]}}}`)
		if got := ask(t, m.app, m.holder, "POST", "/entities?action=deleteReferences", `{"urn":"`+excluded+`","dryRun":false}`); got.status != 200 || !holds("excluded", excluded) {
			t.Errorf("%s: deleteReferences: %d %.300s", c.field, got.status, got.body)
		}

		// Tokens of an administrator, who may change everything.
		for id, criterion := range map[string]string{
			"byvalue": `{field: "` + c.field + `", values: ["%s"], condition: NOT_EQUALS}`,
			"bytype":  `{field: "TYPE", values: ["tag", "glossaryTerm", "domain", "corpGroup"], condition: EQUALS}`,
		} {
			u := made(id)
			token := scopedToken(t, m.app, `{resources: [`+strings.ReplaceAll(criterion, "%s", u)+`]}`)
			if got := remove(token, u); !holds(id, u) {
				t.Errorf("%s: a token that does not reach the dataset changed it: %d %.300s", c.field, got.status, got.body)
			}
		}
	}
}
