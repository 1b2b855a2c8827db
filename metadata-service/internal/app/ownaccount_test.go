package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestTheOwnAccountIsNoAsset writes, as a user without any role, what takes privileges for parts of
// assets over the account of the user: incidents about it, membership in data products of others,
// tags and links.
func TestTheOwnAccountIsNoAsset(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	const own, product = "urn:li:corpuser:jo", "urn:li:dataProduct:trade"
	session, _ := provision(t, a, own)
	put(t, a, product, "dataProductProperties", `{"name":"Trade"}`)
	put(t, a, "urn:li:tag:pii", "tagProperties", `{"name":"pii"}`)
	put(t, a, "urn:li:structuredProperty:p", "propertyDefinition", `{"qualifiedName":"p","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.corpuser"]}`)
	read := func() string {
		return mustAsk(t, a, asTheSystem, http.MethodGet, "/openapi/v3/entity/dataproduct/"+product, "") +
			mustAsk(t, a, asTheSystem, http.MethodGet, "/openapi/v3/entity/corpuser/"+own, "") + mustAsk(t, a, asTheSystem, http.MethodGet, "/openapi/v3/entity/incident?count=10", "")
	}
	before := read()
	for _, document := range []string{
		`raiseIncident(input: {type: OPERATIONAL, title: "i", resourceUrn: "` + own + `"})`,
		`batchAddToDataProducts(input: {dataProductUrns: ["` + product + `"], resourceUrns: ["` + own + `"]})`,
		`batchSetDataProduct(input: {dataProductUrn: "` + product + `", resourceUrns: ["` + own + `"]})`,
		`addTag(input: {tagUrn: "urn:li:tag:pii", resourceUrn: "` + own + `"})`,
		`addLink(input: {linkUrl: "https://example.org", label: "x", resourceUrn: "` + own + `"})`,
		`upsertStructuredProperties(input: {assetUrn: "` + own + `", structuredPropertyInputParams: [{structuredPropertyUrn: "urn:li:structuredProperty:p", values: [{stringValue: "x"}]}]}) { properties { structuredProperty { urn } } }`,
	} {
		if got := ask(t, a, session, http.MethodPost, "/api/graphql", graphqlBody("mutation { "+document+" }")); !strings.Contains(got.body, `"code":403`) {
			t.Errorf("%s: %d %s", document, got.status, got.body)
		}
	}
	incident := fmt.Sprintf(`[{"urn":"urn:li:incident:i","incidentInfo":{"value":{"type":"OPERATIONAL","title":"i","entities":[%q],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":%q}},"created":{"time":1,"actor":%q}}}}]`, own, own, own)
	if got := ask(t, a, session, http.MethodPost, "/openapi/v3/entity/incident?async=false", incident); got.status != http.StatusForbidden {
		t.Errorf("an incident by OpenAPI: %d %s", got.status, got.body)
	}
	if after := read(); after != before {
		t.Errorf("before %s\nafter %s", before, after)
	}
	operate(t, a, session, `mutation { updateCorpUserProperties(urn: "`+own+`", input: {title: "Clerk"}) { urn } }`)
	operate(t, a, session, `mutation { updateUserSetting(input: {name: SHOW_SIMPLIFIED_HOMEPAGE, value: true}) }`)
}
