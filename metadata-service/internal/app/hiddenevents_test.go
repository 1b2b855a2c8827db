//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// TestOwnedEventsNameNoHiddenEntities puts what is hidden onto an asset, and reads what changed as its
// owner: a user who views the asset and not the rest, and an administrator by a token with a scope.
func TestOwnedEventsNameNoHiddenEntities(t *testing.T) {
	t.Parallel()
	for name, scoped := range map[string]bool{"view authorization": false, "a token of an administrator": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = true })
			asset, owner := string(c.seen["dataset"]), viewerURN
			if scoped {
				c.viewer, owner = scopedToken(t, c.app, c.scope), "urn:li:corpuser:datahub"
			}
			put(t, c.app, asset, "ownership", fmt.Sprintf(`{"owners":[{"owner":%q,"type":"DATAOWNER"}]}`, owner))
			put(t, c.app, asset, "globalTags", fmt.Sprintf(`{"tags":[{"tag":%q},{"tag":%q}]}`, c.hidden["tag"], c.seen["tag"]))
			put(t, c.app, asset, "glossaryTerms", fmt.Sprintf(`{"terms":[{"urn":%q}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:ann"}}`, c.hidden["glossaryTerm"]))
			put(t, c.app, asset, "domains", fmt.Sprintf(`{"domains":[%q]}`, c.hidden["domain"]))
			for _, path := range []string{"/events/owned", "/events/owned?count=1"} {
				got := ask(t, c.app, c.viewer, http.MethodGet, path, "")
				if got.status != http.StatusOK || strings.Contains(got.body, mark) || strings.Count(got.body, `"modifier":"`+string(c.seen["tag"])) != 1 {
					t.Errorf("%s: %d %s", path, got.status, got.body)
				}
			}
		})
	}
}

// TestTheAuditSearchNamesNoHiddenEntities has somebody who may see how the catalog is used search
// for what changed, page by page.
func TestTheAuditSearchNamesNoHiddenEntities(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(cfg *app.Config) { cfg.Audit.GenericAspects = []string{"datasetProperties", "globalTags"} })
	put(t, c.app, "urn:li:dataHubPolicy:analytics", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["VIEW_ANALYTICS"],"actors":{"users":[%q]}}`, viewerURN))
	for range 3 {
		for _, u := range []string{string(c.hidden["dataset"]), string(c.seen["dataset"]), string(c.hidden["chart"])} {
			put(t, c.app, u, "globalTags", `{"tags":[]}`)
			put(t, c.app, u, "globalTags", fmt.Sprintf(`{"tags":[{"tag":%q}]}`, c.seen["tag"]))
		}
	}
	search := func(credential, size string) (all string) {
		t.Helper()
		scroll := ""
		for range 100 {
			got := ask(t, c.app, credential, http.MethodPost, "/openapi/v1/events/audit/search?size="+size+scroll, `{}`)
			var page struct {
				NextScrollID string `json:"nextScrollId"`
			}
			if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.status != http.StatusOK {
				t.Fatalf("%d %s (%v)", got.status, got.body, err)
			}
			all += got.body
			if scroll = "&scrollId=" + url.QueryEscape(page.NextScrollID); page.NextScrollID == "" {
				return all
			}
		}
		t.Fatal("the pages do not end")
		return ""
	}
	whole := search(c.viewer, "1000")
	changes := strings.Count(whole, `"entityUrn":"`+string(c.seen["dataset"]))
	if strings.Contains(whole, mark) || changes == 0 {
		t.Errorf("of the dataset that is seen there are %d events: %s", changes, whole)
	}
	if paged := search(c.viewer, "1"); strings.Contains(paged, mark) || strings.Count(paged, `"entityUrn":"`+string(c.seen["dataset"])) != changes {
		t.Errorf("page by page: %s", paged)
	}
	if operators := search(asTheSystem, "1000"); !strings.Contains(operators, mark) {
		t.Errorf("operators find %s", operators)
	}
}
