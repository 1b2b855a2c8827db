//go:build unix

package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestAPolicyOverEverythingWritesNoUsersAndGroups runs every operation that writes users and
// groups, as a user with the privileges over all entities, by GraphQL and OpenAPI, and again with a
// policy that names the types.
func TestAPolicyOverEverythingWritesNoUsersAndGroups(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer func() { shut(t, a) }()
	const editor, group = "urn:li:corpuser:editor", "urn:li:corpGroup:team"
	_, token := provision(t, a, editor)
	put(t, a, "urn:li:corpuser:victim", "corpUserInfo", `{"active":true}`)
	put(t, a, group, "corpGroupInfo", `{"displayName":"team","admins":[],"members":[],"groups":[]}`)
	put(t, a, "urn:li:tag:t", "tagProperties", `{"name":"t"}`)
	grant := func(resources string) {
		put(t, a, "urn:li:dataHubPolicy:pipelines", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
			"privileges":["EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"],"actors":{"users":["`+editor+`"]}`+resources+`}`)
	}
	// All but the last one succeed with a policy that names users and groups.
	operations := []string{
		`addGroupMembers(input: {groupUrn: "` + group + `", userUrns: ["urn:li:corpuser:victim"]})`,
		`removeGroupMembers(input: {groupUrn: "` + group + `", userUrns: ["urn:li:corpuser:victim"]})`,
		`updateCorpGroupProperties(urn: "` + group + `", input: {description: "d", email: "e@example.com"}) { urn }`,
		`updateDescription(input: {resourceUrn: "` + group + `", description: "d"})`,
		`updateCorpUserProperties(urn: "urn:li:corpuser:victim", input: {displayName: "d", email: "e@example.com"}) { urn }`,
		`updateCorpUserProperties(urn: "urn:li:corpuser:datahub", input: {displayName: "d", email: "e@example.com"}) { urn }`,
		`addTag(input: {tagUrn: "urn:li:tag:t", resourceUrn: "urn:li:corpuser:victim"})`,
		`addOwner(input: {ownerUrn: "` + editor + `", resourceUrn: "` + group + `", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER})`,
		`batchUpdateSoftDeleted(input: {urns: ["` + group + `"], deleted: true})`,
		`updateName(input: {urn: "` + group + `", name: "n"})`,
	}
	send := func(operation string) answer {
		return ask(t, a, token, http.MethodPost, "/api/graphql", graphqlBody("mutation { "+operation+" }"))
	}
	put(t, a, "urn:li:tag:control", "tagProperties", `{"name":"c"}`)
	for _, resources := range []string{"", `,"resources":{"allResources":true}`, `,"resources":{"filter":{"criteria":[{"field":"TYPE","values":["dataset"],"condition":"NOT_EQUALS"}]}}`} {
		grant(resources)
		for _, operation := range operations {
			if got := send(operation); !strings.Contains(got.body, `"errors":`) {
				t.Errorf("%s by a policy with%s: %s", operation, resources, got.body)
			}
		}
		if got := send(`updateDescription(input: {resourceUrn: "urn:li:tag:control", description: "d"})`); strings.Contains(got.body, `"errors":`) {
			t.Errorf("a tag by a policy with%s: %s", resources, got.body)
		}
	}
	grant(`,"resources":{"filter":{"criteria":[{"field":"TYPE","values":["corpuser","corpGroup"],"condition":"EQUALS"}]}}`)
	for _, operation := range operations[:len(operations)-1] {
		if got := send(operation); strings.Contains(got.body, `"errors":`) {
			t.Errorf("%s by a policy that names users and groups: %s", operation, got.body)
		}
	}
	// APIs that write any aspect always require the privileges over users and groups.
	body := `[{"urn":"` + group + `","corpGroupEditableInfo":{"value":{"description":"d"}}}]`
	if got := ask(t, a, token, http.MethodPost, "/openapi/v3/entity/corpgroup?async=false", body); got.status != http.StatusForbidden {
		t.Errorf("OpenAPI: %d %s", got.status, got.body)
	}
}
