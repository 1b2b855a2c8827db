//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// subjectStamp is a time and an actor.
const subjectStamp = `{"time":1,"actor":"urn:li:corpuser:x"}`

// aboutAssets lists by entity type the aspects of entities about an asset, %[1]s; each contains the
// text %[2]s. The entity is %[3]s.
var aboutAssets = map[string][][2]string{
	"incident": {{"incidentInfo", `{"type":"OPERATIONAL","title":"%[2]s","description":"%[2]s","entities":["%[1]s"],"status":{"state":"ACTIVE","lastUpdated":` + subjectStamp + `},"created":` + subjectStamp + `}`}},
	"assertion": {
		{"assertionInfo", `{"type":"SQL","description":"%[2]s","sqlAssertion":{"type":"METRIC","entity":"%[1]s","statement":"select * from %[2]s","operator":"EQUAL_TO","parameters":{"value":{"value":"0","type":"NUMBER"}}}}`},
		{"assertionRunEvent", `{"timestampMillis":1700000000000,"runId":"r","assertionUrn":"%[3]s","asserteeUrn":"%[1]s","status":"COMPLETE","result":{"type":"FAILURE","nativeResults":{"x":"%[2]s"}}}`},
	},
	"dataContract":        {{"dataContractProperties", `{"entity":"%[1]s","rawContract":"%[2]s"}`}},
	"erModelRelationship": {{"erModelRelationshipProperties", `{"name":"%[2]s","source":"%[1]s","destination":"%[1]s","relationshipFieldMappings":[{"sourceField":"%[2]s","destinationField":"%[2]s"}]}`}},
	"metric": {
		{"metricInfo", `{"name":"%[2]s","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"select %[2]s"}]}}`},
		{"metricUpstreams", `{"datasetUpstreams":[{"destinationUrn":"%[1]s"}]}`},
	},
	"semanticModel": {
		{"semanticModelInfo", `{"name":"%[2]s"}`},
		{"upstreamLineage", `{"upstreams":[{"dataset":"%[1]s","type":"TRANSFORMED","auditStamp":` + subjectStamp + `}]}`},
	},
	"dataProcess": {{"dataProcessInfo", `{"inputs":["%[1]s"]}`}},
	"post":        {{"postInfo", `{"type":"ENTITY_ANNOUNCEMENT","content":{"type":"TEXT","title":"%[2]s","description":"%[2]s"},"created":1,"lastModified":1,"target":"%[1]s"}`}},
}

// aboutURN returns an entity of a type that no policy names.
func aboutURN(entityType, what string) urn.URN {
	switch entityType {
	case "metric", "semanticModel":
		return urn.Make(entityType, "urn:li:dataPlatform:mysql", "p", what)
	case "dataProcess":
		return urn.Make(entityType, what, "airflow", "PROD")
	}
	return urn.Make(entityType, what)
}

// sayAbout writes entities of all types in aboutAssets about an asset.
func (c *concealment) sayAbout(t *testing.T, what string, asset urn.URN, text string) map[string]urn.URN {
	t.Helper()
	all := map[string]urn.URN{}
	for entityType := range aboutAssets {
		all[entityType] = aboutURN(entityType, what)
		writeAbout(t, c.app, all[entityType], asset, text)
	}
	return all
}

// writeAbout writes an entity of a type in aboutAssets about an asset.
func writeAbout(t *testing.T, a *app.App, u, asset urn.URN, text string) {
	t.Helper()
	for _, aspect := range aboutAssets[u.Type()] {
		put(t, a, string(u), aspect[0], strings.NewReplacer("%[1]s", string(asset), "%[2]s", text, "%[3]s", string(u)).Replace(aspect[1]))
	}
}

// TestNoInterfaceShowsWhatIsAboutHiddenAssets reads incidents, assertions, contracts and other
// entities about hidden assets, by every API that reads and by every field of the GraphQL types.
func TestNoInterfaceShowsWhatIsAboutHiddenAssets(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ restricted, excluding bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
		t.Run(fmt.Sprintf("restricted entities are shown: %t, by a policy that excludes a tag: %t", tc.restricted, tc.excluding), func(t *testing.T) {
			t.Parallel()
			c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = tc.restricted })
			if tc.excluding {
				c.viewAllWithout(t, secretTag)
				put(t, c.app, string(c.hidden["dataset"]), "globalTags", `{"tags":[{"tag":"`+secretTag+`"}]}`)
			}
			put(t, c.app, string(c.seen["dataset"]), "datasetProperties", `{"name":"seen"}`)
			for entityType, u := range c.sayAbout(t, "abouthidden", c.hidden["dataset"], mark) {
				c.seen[entityType] = u // the entities that are requested
			}
			var reads []read
			for _, entity := range c.registry.Entities() {
				if aboutAssets[entity.Name] != nil || entity.Name == "dataset" {
					reads = append(reads, c.readsOf(entity)...)
				}
			}
			shown := 0
			for _, r := range append(reads, c.queries(t)...) {
				got := ask(t, c.app, c.viewer, r.method, r.path, r.body)
				if strings.Contains(ask(t, c.app, asTheSystem, r.method, r.path, r.body).body, mark) {
					shown++
				}
				body := strings.ReplaceAll(strings.ReplaceAll(got.body, `"query":"`+mark+`"`, ""), `"text":"`+mark+`"`, "")
				if at := strings.Index(body, mark); at >= 0 {
					t.Errorf("%s: ...%s...", &r, around(body, at))
				}
				if got.status >= 500 || strings.Contains(got.body, `"code":500`) {
					t.Errorf("%s: %d %.500s", &r, got.status, got.body)
				}
			}
			t.Logf("%d reads, of which %d show it to the system", len(reads), shown)
			if shown < 100 {
				t.Errorf("only %d reads show it to the system", shown)
			}
		})
	}
}

// viewAllWithout lets the viewer see all entities without a tag, instead of a list of URNs.
func (c *concealment) viewAllWithout(t *testing.T, tag string) {
	t.Helper()
	put(t, c.app, "urn:li:dataHubPolicy:viewer", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["VIEW_ENTITY_PAGE","GET_TIMESERIES_ASPECT_PRIVILEGE","VIEW_DATASET_PROFILE","VIEW_DATASET_USAGE","VIEW_DATASET_OPERATIONS"],
		"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"TAG","values":[%q],"condition":"NOT_EQUALS"}]}}}`, viewerURN, tag))
}

// TestWhatIsAboutAnAssetIsViewedWithIt reads entities about a visible dataset and about a hidden
// one, with and without a policy over the entity itself.
func TestWhatIsAboutAnAssetIsViewedWithIt(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = true })
	asset := c.seen["dataset"]
	put(t, c.app, string(asset), "datasetProperties", `{"name":"seen"}`)
	viewed := map[bool]map[string]urn.URN{
		true:  c.sayAbout(t, "aboutseen", asset, nameMark),
		false: c.sayAbout(t, "abouthidden", c.hidden["dataset"], nameMark),
	}
	check := func(entityType string, u urn.URN, want bool) {
		t.Helper()
		kind := strings.ToLower(entityType)
		got := ask(t, c.app, c.viewer, http.MethodGet, "/openapi/v3/entity/"+kind+"/"+url.PathEscape(string(u)), "")
		if read := got.status == http.StatusOK; read != want {
			t.Errorf("%s: %d %s", u, got.status, got.body)
		}
		listed := ask(t, c.app, c.viewer, http.MethodGet, "/openapi/v3/entity/"+kind+"?count=50", "")
		if strings.Contains(listed.body, string(u)) != want {
			t.Errorf("%s is listed: %d %s", u, listed.status, listed.body)
		}
		found := ask(t, c.app, c.viewer, http.MethodPost, "/entities?action=search", fmt.Sprintf(`{"entity":%q,"input":"*","start":0,"count":50}`, entityType))
		if strings.Contains(found.body, string(u)) != want {
			t.Errorf("%s is found: %d %s", u, found.status, found.body)
		}
		if absent := ask(t, c.app, c.viewer, http.MethodGet, "/openapi/v3/entity/"+kind+"/"+url.PathEscape(string(aboutURN(entityType, "absent"))), ""); !want &&
			(absent.status != got.status || strings.ReplaceAll(absent.body, "absent", "abouthidden") != got.body) {
			t.Errorf("%s is told to exist: %d %s, and for an absent one %d %s", u, got.status, got.body, absent.status, absent.body)
		}
	}
	for want, all := range viewed {
		for entityType, u := range all {
			check(entityType, u, want && !model.SubjectsOf(entityType).ByGrant)
		}
	}
	page := operate(t, c.app, c.viewer, fmt.Sprintf(`{ dataset(urn: %q) {
		incidents(start: 0, count: 10) { total incidents { urn title } }
		assertions(start: 0, count: 10) { total assertions { urn info { description } runEvents(limit: 5) { total } } }
		contract { urn } health { type status }
	} }`, asset))
	for _, part := range []string{`"urn":"urn:li:incident:aboutseen"`, `"urn":"urn:li:assertion:aboutseen"`, `"urn":"urn:li:dataContract:aboutseen"`, `"title":"` + nameMark} {
		if !strings.Contains(page, part) {
			t.Errorf("the page of the asset lacks %s: %s", part, page)
		}
	}
	hidden := viewed[false]
	put(t, c.app, "urn:li:dataHubPolicy:incident", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE"],
		"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, viewerURN, hidden["incident"]))
	check("incident", hidden["incident"], true)
	check("assertion", hidden["assertion"], false)
	// An entity that no longer names an asset stays hidden, except for announcements to all users.
	put(t, c.app, string(hidden["metric"]), "metricUpstreams", `{}`)
	check("metric", hidden["metric"], false)
	mustAsk(t, c.app, asTheSystem, http.MethodDelete, "/openapi/v3/entity/dataset/"+url.PathEscape(string(c.hidden["dataset"])), "")
	mustAsk(t, c.app, asTheSystem, http.MethodPost, "/entities?action=deleteReferences", fmt.Sprintf(`{"urn":%q,"dryRun":false}`, c.hidden["dataset"]))
	for _, entityType := range []string{"assertion", "dataContract", "erModelRelationship", "metric", "semanticModel", "dataProcess"} {
		check(entityType, hidden[entityType], false)
	}
}
