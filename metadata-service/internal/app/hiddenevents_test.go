//go:build unix

package app_test

import (
	"fmt"
	"net/http"
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
