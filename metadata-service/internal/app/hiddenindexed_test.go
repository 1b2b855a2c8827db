//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/urn"
)

const indexedPath = "/openapi/operations/elasticSearch/entity/raw"

// newOperator returns a concealment whose viewer may only run operations.
func newOperator(t *testing.T) *concealment {
	t.Helper()
	everybodys := []string{"structuredProperty", "businessAttribute"}
	c := newConcealment(t, func(cfg *app.Config) {
		cfg.Auth.ViewRestricted, cfg.Auth.ViewUnrestrictedRemove = true, everybodys
	})
	for _, name := range everybodys {
		entity, _ := c.registry.Entity(name)
		c.hidden[name] = hiddenURN(entity)
	}
	put(t, c.app, "urn:li:dataHubPolicy:operator", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["MANAGE_SYSTEM_OPERATIONS"],"actors":{"users":[%q]}}`, viewerURN))
	return c
}

func asList(urns ...urn.URN) string {
	text, _ := json.Marshal(urns)
	return string(text)
}

// TestOperatorsAreShownWhatIsIndexedOfWhatTheyMayRead requests the indexed data of entities that
// the operator may not read, and of absent ones.
func TestOperatorsAreShownWhatIsIndexedOfWhatTheyMayRead(t *testing.T) {
	t.Parallel()
	c := newOperator(t)
	stamp := `{"time":1,"actor":"urn:li:corpuser:ann"}`
	for _, aspect := range []struct{ urn, name, value string }{
		{string(c.hidden["dataset"]), "datasetProperties", `{"name":"` + mark + `","description":"` + mark + `"}`},
		{string(c.hidden["dataset"]), "ownership", `{"owners":[{"owner":"urn:li:corpuser:ann","type":"DATAOWNER"}]}`},
		{"urn:li:dataHubView:anns", "dataHubViewInfo", `{"type":"PERSONAL","name":"` + mark + `","definition":{"entityTypes":[],"filter":{"operator":"AND","filters":[]}},"created":` + stamp + `,"lastModified":` + stamp + `}`},
		{"urn:li:dataHubIngestionSource:nightly", "dataHubIngestionSourceInfo", `{"type":"mysql","name":"` + mark + `","config":{"recipe":"{}","executorId":"default"}}`},
	} {
		put(t, c.app, aspect.urn, aspect.name, aspect.value)
	}
	operate(t, c.app, asTheSystem, `mutation { createSecret(input: {name: "`+mark+`", value: "v"}) }`)
	for there, absent := range map[urn.URN]urn.URN{
		c.hidden["dataset"]:                     "urn:li:dataset:(urn:li:dataPlatform:mysql,absent,PROD)",
		"urn:li:dataHubView:anns":               "urn:li:dataHubView:absent",
		"urn:li:dataHubSecret:" + mark:          "urn:li:dataHubSecret:absent",
		"urn:li:dataHubIngestionSource:nightly": "urn:li:dataHubIngestionSource:absent",
	} {
		of, without := ask(t, c.app, c.viewer, http.MethodPost, indexedPath, asList(there)), ask(t, c.app, c.viewer, http.MethodPost, indexedPath, asList(absent))
		if of.status != without.status || of.body != without.body || strings.TrimSpace(of.body) != "{}" {
			t.Errorf("%s: %d %s; absent: %d %s", there, of.status, of.body, without.status, without.body)
		}
		if all := ask(t, c.app, asTheSystem, http.MethodPost, indexedPath, asList(there)); !strings.Contains(all.body, mark) {
			t.Errorf("the system is shown of %s %s", there, all.body)
		}
	}
}

// TestWhatIsIndexedNamesNoHiddenEntities requests the indexed data of entities that the operator
// may read and that name hidden ones in every place.
func TestWhatIsIndexedNamesNoHiddenEntities(t *testing.T) {
	t.Parallel()
	c := newOperator(t)
	put(t, c.app, string(c.hidden["structuredProperty"]), "propertyDefinition", fmt.Sprintf(`{"qualifiedName":%q,"valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`,
		c.hidden["structuredProperty"].Key()))
	put(t, c.app, string(c.hidden["businessAttribute"]), "businessAttributeInfo", fmt.Sprintf(`{"name":"valueofhidden","fieldPath":"f","description":"valueofhidden","created":%[1]s,"lastModified":%[1]s}`, subjectStamp))
	for variant := range 3 {
		c.fill(t, variant)
		put(t, c.app, string(c.seen["dataset"]), "structuredProperties", fmt.Sprintf(`{"properties":[{"propertyUrn":%q,"values":[{"string":"valueofhidden"}]}]}`, c.hidden["structuredProperty"]))
		put(t, c.app, string(c.seen["schemaField"]), "businessAttributes", fmt.Sprintf(`{"businessAttribute":{"businessAttributeUrn":%q}}`, c.hidden["businessAttribute"]))
		shown, control := 0, 0
		for _, u := range slices.Sorted(maps.Values(c.seen)) {
			got, all := ask(t, c.app, c.viewer, http.MethodPost, indexedPath, asList(u)), ask(t, c.app, asTheSystem, http.MethodPost, indexedPath, asList(u))
			for _, text := range []string{mark, "valueofhidden"} {
				if at := strings.Index(got.body, text); at >= 0 {
					t.Errorf("%s (variant %d): ...%s...", u, variant, around(got.body, at))
				}
			}
			if strings.Contains(got.body, `"_entityType"`) {
				shown++
			}
			if strings.Contains(all.body, mark) {
				control++
			}
			if (u == c.seen["dataset"] || u == c.seen["schemaField"]) && !strings.Contains(all.body, "valueofhidden") {
				t.Errorf("the system is shown of %s %s", u, all.body)
			}
		}
		if shown < 20 || control < 20 {
			t.Errorf("the operator is shown %d documents, and %d of the system name hidden entities", shown, control)
		}
	}
}
