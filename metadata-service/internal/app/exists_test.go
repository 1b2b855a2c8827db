//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestOperationsThatTellOfExistenceFollowReading runs every operation that reports whether entities
// exist, as users who may not read them. With the default policies it uses entities with separate
// read privileges; with view authorization also a personal view and a dataset, as a holder of the
// privilege to search. Ids of views are random, so an actor who may view all entities cannot guess
// them.
func TestOperationsThatTellOfExistenceFollowReading(t *testing.T) {
	t.Parallel()
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,secret.t,PROD)"
	for _, viewed := range []bool{false, true} {
		cfg := settings(t.TempDir())
		cfg.Auth.ViewAuthorization = viewed
		a := open(t, cfg)
		defer shut(t, a)
		_, token := provision(t, a, "urn:li:corpuser:nobody1")
		operate(t, a, newToken(t, a, string(model.RootUser)), `mutation { createSecret(input: {name: "s1", value: "v"}) }`)
		put(t, a, "urn:li:dataHubIngestionSource:i1", "dataHubIngestionSourceInfo", `{"name":"s","type":"mysql","config":{"recipe":"{}","executorId":"default"}}`)
		put(t, a, "urn:li:dataHubView:v1", "dataHubViewInfo", `{"name":"v","type":"PERSONAL","definition":{"entityTypes":[],"filter":{"operator":"AND","filters":[]}},"created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
		asked := []string{"urn:li:dataHubSecret:s1", "urn:li:dataHubIngestionSource:i1", "urn:li:globalSettings:0"}
		if viewed {
			put(t, a, dataset, "datasetProperties", `{"name":"d"}`)
			asked = append(asked, dataset, "urn:li:dataHubView:v1")
			put(t, a, "urn:li:dataHubPolicy:view-entity-page-all", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
			put(t, a, "urn:li:dataHubPolicy:searching", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["SEARCH_PRIVILEGE"],"actors":{"users":["urn:li:corpuser:nobody1"],"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
		}
		for _, u := range asked {
			absent := u[:len(u)-1] + "9"
			if u == dataset {
				absent = "urn:li:dataset:(urn:li:dataPlatform:hive,secret.u,PROD)"
			}
			kind := urn.URN(u).Type()
			for name, request := range map[string]func(u string) (method, path, body string){
				"HEAD v3": func(u string) (string, string, string) {
					return http.MethodHead, "/openapi/v3/entity/" + kind + "/" + url.PathEscape(u), ""
				},
				"HEAD v2": func(u string) (string, string, string) {
					return http.MethodHead, "/openapi/v2/entity/" + kind + "/" + url.PathEscape(u), ""
				},
				"exists": func(u string) (string, string, string) {
					return http.MethodPost, "/entities?action=exists", fmt.Sprintf(`{"urn":%q}`, u)
				},
				"filterExistingUrns": func(u string) (string, string, string) {
					return http.MethodPost, "/entities?action=filterExistingUrns", fmt.Sprintf(`{"urns":[%q]}`, u)
				},
				"entityExists": func(u string) (string, string, string) {
					return http.MethodPost, "/api/graphql", graphqlBody(fmt.Sprintf(`{ entityExists(urn: %q) }`, u))
				},
			} {
				answered := func(u string) string {
					method, path, body := request(u)
					got := ask(t, a, token, method, path, body)
					if got.status == http.StatusOK && name != "entityExists" && name != "exists" && name != "filterExistingUrns" {
						t.Errorf("%t: %s says that %s exists", viewed, name, u)
					}
					return fmt.Sprint(got.status, " ", comparable(strings.ReplaceAll(got.body, u, "it")))
				}
				if there, gone := answered(u), answered(absent); there != gone {
					t.Errorf("%t: %s of %s:\n%s\nand of an absent one\n%s", viewed, name, u, there, gone)
				}
			}
		}
	}
}
