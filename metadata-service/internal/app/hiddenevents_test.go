//go:build unix

package app_test

import (
	"bytes"
	"encoding/base64"
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

// TestOwnedEventsNameNoHiddenEntities adds hidden entities to an asset, and reads the changes as
// its owner: as a user who may view only the asset, and as an administrator by a token with a
// scope.
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

// TestTheAuditSearchNamesNoHiddenEntities searches for changes page by page, as a user with the
// privilege to view the use of the catalog.
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
	search := func(credential, size string) string { return auditSearch(t, c.app, credential, size, `{}`) }
	// The audit log follows the change log asynchronously.
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
	// Neither the total nor a next page may reveal events that are left out, for any page size.
	const ofDatasets, ofCharts = `{"entityTypes":["dataset"]}`, `{"entityTypes":["chart"]}`
	for body, want := range map[string]int{ofDatasets: changes / 2, ofCharts: 0} { // the raw form repeats the entity
		for _, size := range []string{"0", "1", "2", "1000"} {
			got := mustAsk(t, c.app, c.viewer, http.MethodPost, auditPath+"?size="+size, body)
			if total := fmt.Sprintf(`"total":%d,`, want); !strings.Contains(got, total) || want == 0 && strings.Contains(got, "nextScrollId") {
				t.Errorf("%s by pages of %s: %.300s, want %s", body, size, got, total)
			}
		}
		if pages := auditSearch(t, c.app, c.viewer, "1", body); strings.Count(pages, `"usageEvents"`) != max(want, 1) {
			t.Errorf("%s takes other than %d pages of one event: %.2000s", body, want, pages)
		}
	}
}

const auditPath = "/openapi/v1/events/audit/search"

// auditSearch returns all pages of a search of the audit log. It fails if a scroll id is readable.
func auditSearch(t *testing.T, a *app.App, credential, size, body string) (all string) {
	t.Helper()
	scroll := ""
	for range 100 {
		got := ask(t, a, credential, http.MethodPost, auditPath+"?size="+size+scroll, body)
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
		if raw, err := base64.RawURLEncoding.DecodeString(page.NextScrollID); err != nil || bytes.Contains(raw, []byte("Event")) || bytes.Contains(raw, []byte("urn:li:")) {
			t.Errorf("the scroll id says %q (%v)", raw, err)
		}
	}
	t.Fatal("the pages do not end")
	return ""
}

// TestTheAuditSearchTellsOfWhatMayBeRead searches without view authorization as a user who may not
// read datasets and policies.
func TestTheAuditSearchTellsOfWhatMayBeRead(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	cfg.Audit.GenericAspects = []string{"datasetProperties", "tagProperties"}
	a := open(t, cfg)
	defer shut(t, a)
	_, viewer := provision(t, a, viewerURN)
	for _, id := range []string{"7", "view-entity-page-all", "view-dataset-sensitive"} {
		put(t, a, "urn:li:dataHubPolicy:"+id, "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":false}}`)
	}
	put(t, a, "urn:li:dataHubPolicy:tags", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["VIEW_ENTITY_PAGE"],"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"TYPE","values":["tag"],"condition":"EQUALS"}]}}}`, viewerURN))
	put(t, a, "urn:li:dataHubPolicy:analytics", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["VIEW_ANALYTICS"],"actors":{"users":[%q]}}`, viewerURN))
	root := newToken(t, a, "urn:li:corpuser:datahub")
	for u, aspect := range map[string]string{string(benchDataset): "datasetProperties", "urn:li:tag:seen": "tagProperties"} {
		kind := string(urn.URN(u).Type())
		mustAsk(t, a, root, http.MethodPost, "/openapi/v3/entity/"+kind+"?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":{"name":"x"}}}]`, u, aspect))
	}
	for start := time.Now(); ; {
		all := auditSearch(t, a, asTheSystem, "1000", `{}`)
		if strings.Contains(all, string(benchDataset)) && strings.Contains(all, "urn:li:tag:seen") && strings.Contains(all, "urn:li:dataHubPolicy:tags") {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("the changes are not recorded: %s", all)
		}
	}
	if got := ask(t, a, viewer, http.MethodGet, "/openapi/v3/entity/dataset/"+url.PathEscape(string(benchDataset)), ""); got.status != http.StatusForbidden {
		t.Errorf("the dataset: %d %s", got.status, got.body)
	}
	for _, size := range []string{"1", "1000"} {
		got := auditSearch(t, a, viewer, size, `{}`)
		if strings.Contains(got, string(benchDataset)) || strings.Contains(got, "dataHubPolicy:tags") || !strings.Contains(got, "urn:li:tag:seen") {
			t.Errorf("by pages of %s: %s", size, got)
		}
	}
}
