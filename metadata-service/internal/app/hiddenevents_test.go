//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/urn"
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
	root := newToken(t, c.app, "urn:li:corpuser:datahub")
	for range 3 {
		for entityType, u := range map[string]urn.URN{"dataset": c.hidden["dataset"], "Dataset": c.seen["dataset"], "chart": c.hidden["chart"]} {
			for _, tags := range []string{`[]`, fmt.Sprintf(`[{"tag":%q}]`, c.seen["tag"])} {
				mustAsk(t, c.app, root, http.MethodPost, "/openapi/v3/entity/"+entityType+"?async=false", fmt.Sprintf(`[{"urn":%q,"globalTags":{"value":{"tags":%s}}}]`, u, tags))
			}
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
	// The audit log follows the change log.
	for start := time.Now(); strings.Count(search(asTheSystem, "1000"), `"aspectName":"globalTags"`) < 2*18; {
		if time.Since(start) > time.Minute {
			t.Fatal("the changes are not recorded")
		}
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
