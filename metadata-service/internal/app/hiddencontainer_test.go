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
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

// nameMark is in the names of the hidden containers and of the hidden column, but in no URN.
const nameMark = "qqledger"

const (
	outerContainer = "urn:li:container:" + mark + "outer"
	innerContainer = "urn:li:container:" + mark
)

// nest stores two hidden containers with names, one in the other, and a hidden dataset with a
// column, and places every visible entity below the containers: by the aspect container, which
// changes once, and by a browse path whose first entry repeats the name of its container and whose
// second one repeats the URN.
func (c *concealment) nest(t *testing.T) (nested int) {
	t.Helper()
	put(t, c.app, outerContainer, "containerProperties", `{"name":"`+nameMark+` outer","description":"`+nameMark+`"}`)
	put(t, c.app, innerContainer, "containerProperties", `{"name":"`+nameMark+` inner","qualifiedName":"`+nameMark+`.inner"}`)
	put(t, c.app, innerContainer, "container", `{"container":"`+outerContainer+`"}`)
	path := fmt.Sprintf(`{"path":[{"id":"%s outer","urn":%q},{"id":%q,"urn":%q},{"id":"open"}]}`, nameMark, outerContainer, innerContainer, innerContainer)
	for _, entity := range c.registry.Entities() {
		if entity.Key.Managed {
			continue
		}
		for _, spec := range entity.Aspects {
			u := string(c.seen[entity.Name])
			switch spec.Name {
			case "container":
				put(t, c.app, u, spec.Name, `{"container":"`+outerContainer+`"}`)
				put(t, c.app, u, spec.Name, `{"container":"`+innerContainer+`"}`)
				nested++
			case "browsePathsV2":
				put(t, c.app, u, spec.Name, path)
				nested++
			}
		}
	}
	column, asset := c.hidden["schemaField"], c.seen["dataset"]
	hidden := urn.URN(column.Parts()[0])
	put(t, c.app, string(column), "documentation", `{"documentations":[{"documentation":"`+nameMark+`"}]}`)
	put(t, c.app, string(hidden), "schemaMetadata", fmt.Sprintf(`{"schemaName":"s","platform":"urn:li:dataPlatform:mysql","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
		"fields":[{"fieldPath":%q,"description":%q,"nativeDataType":"x","type":{"type":{"com.linkedin.schema.StringType":{}}}}]}`, mark+"column", nameMark))
	put(t, c.app, string(asset), "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}],
		"fineGrainedLineages":[{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}]}`, hidden, column, c.seen["schemaField"]))
	return nested
}

// below returns reads that lead to or through the hidden containers.
func (c *concealment) below(t *testing.T) []read {
	t.Helper()
	var all []read
	add := func(name, document string) {
		body, _ := json.Marshal(map[string]string{"query": document})
		all = append(all, read{"graphql", name, http.MethodPost, "/api/graphql", string(body)})
	}
	add("location", fmt.Sprintf(`{ dataset(urn: %q) { container { urn type properties { name } container { urn } platform { urn } } parentContainers { count containers { urn type properties { name } } } browsePathV2 { path { name entity { urn type } } } } }`, c.seen["dataset"]))
	add("names in facets", `{ aggregateAcrossEntities(input: {types: [], query: "*", facets: ["browsePathV2", "container", "_entityType␞container", "container␞platform"]}) { facets { field aggregations { value displayName entity { urn } } } } }`)
	add("name searched for", fmt.Sprintf(`{ searchAcrossEntities(input: {types: [], query: %q, start: 0, count: 50, searchFlags: {includeRestricted: true}}) { searchResults { entity { urn type } matchedFields { name value } } suggestions { text } facets { aggregations { value displayName } } } }`, nameMark))
	add("name completed", fmt.Sprintf(`{ autoCompleteForMultiple(input: {types: [CONTAINER, DATASET, SCHEMA_FIELD], query: %q}) { suggestions { suggestions entities { urn } } } }`, nameMark[:4]))
	add("recommendations", fmt.Sprintf(`{ listRecommendations(input: {userUrn: %q, requestContext: {scenario: HOME}, limit: 20}) { modules { title content { value entity { urn } } } } }`, viewerURN))
	add("sorted", `{ searchAcrossEntities(input: {types: [], query: "*", start: 0, count: 50, sortInput: {sortCriterion: {field: "container", sortOrder: ASCENDING}}}) { searchResults { entity { urn } extraProperties { name value } } } }`)
	// Every level of the browse tree, by the names that the level above returns.
	paths := [][]string{{}}
	for len(paths) > 0 && len(all) < 200 {
		path := paths[0]
		paths = paths[1:]
		steps, _ := json.Marshal(path)
		document := `{ browseV2(input: {path: ` + string(steps) + `, query: "*", start: 0, count: 50}) { groups { name hasSubGroups entity { urn type } } metadata { path } } }`
		add(fmt.Sprintf("browse at level %d", len(path)), document)
		var level struct {
			Data struct {
				BrowseV2 struct {
					Groups []struct {
						Name         string
						HasSubGroups bool
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(ask(t, c.app, c.viewer, http.MethodPost, "/api/graphql", graphqlBody(document)).body), &level); err != nil {
			t.Fatal(err)
		}
		for _, g := range level.Data.BrowseV2.Groups {
			paths = append(paths, append(append([]string{}, path...), g.Name))
		}
	}
	return all
}

// direct returns reads of the hidden entities themselves, which may reveal at most the content of
// the URN.
func (c *concealment) direct() []read {
	var all []read
	for _, u := range []string{outerContainer, innerContainer, string(c.hidden["schemaField"])} {
		kind := urn.URN(u).Type()
		graph := func(name, document string) {
			body, _ := json.Marshal(map[string]string{"query": document})
			all = append(all, read{"graphql", name + " of " + u, http.MethodPost, "/api/graphql", string(body)})
		}
		graph("entity", fmt.Sprintf(`{ entity(urn: %q) { urn type ... on Container { properties { name description } container { urn } parentContainers { containers { urn properties { name } } } aspects(input: {}) { aspectName payload } entities(input: {}) { searchResults { entity { urn } } } } ... on SchemaFieldEntity { fieldPath documentation { documentations { documentation } } } } }`, u))
		graph("timeline", fmt.Sprintf(`{ getTimeline(input: {urn: %q, changeCategories: []}) { changeTransactions { changes { description modifier parameters { key value } } } } }`, u))
		get := func(operation, path string) { all = append(all, read{operation, u, http.MethodGet, path, ""}) }
		escaped := url.PathEscape(u)
		get("openapi v3", "/openapi/v3/entity/"+strings.ToLower(kind)+"/"+escaped)
		get("openapi v2", "/openapi/v2/entity/"+kind+"/"+escaped)
		get("entitiesV2", "/entitiesV2/"+escaped)
		get("entities", "/entities/"+escaped)
		get("timeline", "/openapi/v2/timeline/v1/"+escaped+"?categories=DOCUMENTATION")
		all = append(all, read{"mcp", u, http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entities","arguments":{"urns":[%q]}}}`, u)})
	}
	return all
}

// TestNoInterfaceNamesHiddenContainers reads all data below two hidden containers and beside a
// hidden column, as TestNoInterfaceNamesHiddenEntities does: neither their URNs nor their names may
// be shown.
func TestNoInterfaceNamesHiddenContainers(t *testing.T) {
	t.Parallel()
	for name, is := range map[string]struct{ restricted, scoped bool }{
		"restricted entities are shown":                            {restricted: true},
		"hidden entities are left out":                             {},
		"a token of an administrator leaves out what is beyond it": {restricted: true, scoped: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = is.restricted })
			if is.scoped {
				c.viewer = scopedToken(t, c.app, c.scope)
			}
			nested := c.nest(t)
			reads, control := append(c.reads(t), c.below(t)...), 0
			for i := range reads {
				r := &reads[i]
				got := ask(t, c.app, c.viewer, r.method, r.path, r.body)
				if !trials.Raced() {
					if all := ask(t, c.app, asTheSystem, r.method, r.path, r.body); strings.Contains(all.body, mark) || strings.Contains(all.body, nameMark) {
						control++
					}
				}
				for _, hidden := range []string{mark, nameMark} {
					if at := strings.Index(got.body, hidden); at >= 0 {
						t.Errorf("%s: ...%s...", r, around(got.body, at))
					}
				}
				if got.status >= 500 || strings.Contains(got.body, `"code":500`) {
					t.Errorf("%s: %d %.500s", r, got.status, got.body)
				}
			}
			direct := c.direct()
			for i := range direct {
				r := &direct[i]
				got := ask(t, c.app, c.viewer, r.method, r.path, r.body)
				if at := strings.Index(got.body, nameMark); at >= 0 {
					t.Errorf("%s: ...%s...", r, around(got.body, at))
				}
			}
			t.Logf("%d aspects name hidden containers; %d reads, %d of which show something hidden to the system, and %d reads of hidden entities", nested, len(reads), control, len(direct))
			if nested < 20 || control < 200 && !trials.Raced() {
				t.Errorf("%d aspects name hidden containers, and %d reads show something hidden to the system", nested, control)
			}
		})
	}
}

// TestAHiddenContainerIsShownAsRestricted reads the containers of an asset whose containers are
// hidden. GraphQL shows a restricted container with the name of the group in the browse tree,
// nothing if restricted entities are not shown, and the containers themselves to actors who may
// view them.
func TestAHiddenContainerIsShownAsRestricted(t *testing.T) {
	t.Parallel()
	const asked = `{ dataset(urn: %q) { container { __typename urn type exists properties { name } container { urn } platform { urn } entities(input: {}) { total }
		relationships(input: {types: ["IsPartOf"], direction: INCOMING}) { total } relatedDocuments(input: {}) { total } aspects(input: {}) { aspectName } privileges { canEditTags: canEditProperties } }
		parentContainers { count containers { urn type } } browsePathV2 { path { name entity { urn } } } } }`
	for restricted, want := range map[bool]string{
		true: `{"data":{"dataset":{"container":{"__typename":"Container","urn":"R2","type":"RESTRICTED","exists":null,"properties":null,"container":null,"platform":{"urn":"urn:li:dataPlatform:unknown"},` +
			`"entities":null,"relationships":null,"relatedDocuments":null,"aspects":null,"privileges":null},"parentContainers":{"count":1,"containers":[{"urn":"R2","type":"RESTRICTED"}]},` +
			`"browsePathV2":{"path":[{"name":"R1","entity":null},{"name":"R3","entity":null},{"name":"open","entity":null}]}}},"extensions":{}}`,
		false: `{"data":{"dataset":{"container":null,"parentContainers":{"count":0,"containers":[]},"browsePathV2":{"path":[{"name":"open","entity":null}]}}},"extensions":{}}`,
	} {
		c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = restricted })
		c.nest(t)
		got := operate(t, c.app, c.viewer, fmt.Sprintf(asked, c.seen["dataset"]))
		names := strings.NewReplacer()
		if restricted {
			level := func(path string) string {
				return restrictedURN.FindString(operate(t, c.app, c.viewer, `{ browseV2(input: {type: DATASET, path: [`+path+`], query: "*", start: 0, count: 5}) { groups { name } } }`))
			}
			outer := level("")
			inner := level(`"` + outer + `"`)
			shown := restrictedURN.FindAllString(got, -1)
			if len(shown) != 4 || strings.Contains(got, outer) || inner == "" || strings.Contains(got, inner) {
				t.Fatalf("browse shows %s and %s, the asset %v", outer, inner, shown)
			}
			names = strings.NewReplacer("R1", shown[2], "R2", shown[0], "R3", shown[3])
		}
		if want := names.Replace(want); strings.TrimSpace(got) != want {
			t.Errorf("restricted %t:\n%s, want\n%s", restricted, got, want)
		}
		if all := operate(t, c.app, asTheSystem, fmt.Sprintf(asked, c.seen["dataset"])); !strings.Contains(all, nameMark+" inner") || !strings.Contains(all, `"count":2`) {
			t.Errorf("the system reads %s", all)
		}
	}
}

// TestAColumnIsViewedWithItsDataset reads columns of a visible dataset and of a hidden one, with
// and without a policy over the column itself.
func TestAColumnIsViewedWithItsDataset(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = true })
	closed := string(c.hidden["schemaField"])
	beside := "urn:li:schemaField:(" + string(c.hidden["dataset"]) + ",granted)"
	below := "urn:li:schemaField:(" + string(c.seen["dataset"]) + ",below)"
	for _, u := range []string{closed, beside, below} {
		put(t, c.app, u, "documentation", `{"documentations":[{"documentation":"`+nameMark+`"}]}`)
	}
	put(t, c.app, "urn:li:dataHubPolicy:column", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE"],
		"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, viewerURN, beside))
	for u, viewed := range map[string]bool{closed: false, beside: true, below: true} {
		got := ask(t, c.app, c.viewer, http.MethodGet, "/openapi/v3/entity/schemafield/"+url.PathEscape(u), "")
		found := operate(t, c.app, c.viewer, `{ searchAcrossEntities(input: {types: [SCHEMA_FIELD], query: "*", start: 0, count: 10}) { searchResults { entity { urn } } } }`)
		if strings.Contains(got.body, nameMark) != viewed || strings.Contains(found, u) != viewed {
			t.Errorf("%s: %d %s, and a search finds %s", u, got.status, got.body, found)
		}
	}
}
