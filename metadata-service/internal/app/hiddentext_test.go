//go:build unix

package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// textAPIs return the results of a text.
var textAPIs = map[string]func(t *testing.T, c *concealment, token, text string) string{
	"search":            graphText(`{ searchAcrossEntities(input: {query: %s, types: [TYPES], count: 50, searchFlags: {getSuggestions: true}}) { total suggestions { text } searchResults { entity { urn } matchedFields { name value } } facets { field aggregations { value count } } } }`),
	"scroll":            graphText(`{ scrollAcrossEntities(input: {query: %s, types: [TYPES], count: 50}) { total searchResults { entity { urn } } } }`),
	"restricted search": graphText(`{ scrollAcrossEntities(input: {query: %s, types: [DATASET, CHART], searchFlags: {includeRestricted: true}}) { total searchResults { entity { urn } } } }`),
	"counts":            graphText(`{ aggregateAcrossEntities(input: {query: %s, types: [TYPES]}) { facets { field aggregations { value count } } } }`),
	"completion":        graphText(`{ autoCompleteForMultiple(input: {types: [TYPES], query: %s}) { suggestions { type suggestions entities { urn } } } }`),
	"browsing":          graphText(`{ browseV2(input: {type: DATASET, path: [], query: %s}) { total groups { name count } } }`),
	"lineage":           graphText(`{ searchAcrossLineage(input: {urn: "THESTART", direction: UPSTREAM, query: %s}) { total searchResults { entity { urn } } } }`),
	"search of Rest.li": restText("/entities?action=search", `{"entity":"dataset","input":TEXT,"start":0,"count":10}`),
	"searches of types": restText("/entities?action=searchAcrossEntities", `{"entities":["dataset","chart","dataJob"],"input":TEXT,"start":0,"count":10}`),
	"a field completed": restText("/entities?action=autocomplete", `{"entity":"dataset","query":TEXT,"field":"tags","limit":10}`),
	"scroll of OpenAPI": restText("/openapi/v3/entity/scroll?count=10&query=QUERY", `{"entities":["dataset","chart"]}`),
	"a tool":            restText("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":TEXT}}}`),
}

const searchedTypes = "DATASET, CHART, DASHBOARD, DATA_JOB, DATA_FLOW, CONTAINER, TAG, GLOSSARY_TERM, GLOSSARY_NODE, DOMAIN, DATA_PRODUCT, MLMODEL, MLFEATURE, CORP_USER, CORP_GROUP"

func graphText(document string) func(*testing.T, *concealment, string, string) string {
	return func(t *testing.T, c *concealment, token, text string) string {
		filled := strings.ReplaceAll(strings.ReplaceAll(document, "THESTART", string(c.seen["chart"])), "TYPES", searchedTypes)
		return answerOf(t, c.app, token, http.MethodPost, "/api/graphql", graphqlBody(fmt.Sprintf(filled, strconv.Quote(text))))
	}
}

func restText(path, body string) func(*testing.T, *concealment, string, string) string {
	return func(t *testing.T, c *concealment, token, text string) string {
		filled := strings.ReplaceAll(body, "TEXT", strconv.Quote(text))
		return answerOf(t, c.app, token, http.MethodPost, strings.ReplaceAll(path, "QUERY", url.QueryEscape(text)), filled)
	}
}

// TestTextsDoNotSpellHiddenEntities searches for the names of hidden entities that are in every
// place of visible ones, and for names that no entity has: the responses must be equal.
func TestTextsDoNotSpellHiddenEntities(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(*app.Config) {})
	c.fill(t, 0)
	for _, entity := range c.registry.Entities() {
		// The model allows any URN as a platform; that it is not an entity that can be hidden is a
		// convention.
		if slices.ContainsFunc(entity.Aspects, func(a *model.AspectSpec) bool { return a.Name == "dataPlatformInstance" }) {
			put(t, c.app, string(c.seen[entity.Name]), "dataPlatformInstance", `{"platform":"urn:li:dataPlatform:mysql"}`)
		}
	}
	asset := string(c.seen["dataset"])
	put(t, c.app, asset, "datasetProperties", `{"name":"orders"}`)
	put(t, c.app, asset, "container", fmt.Sprintf(`{"container":%q}`, c.hidden["container"]))
	put(t, c.app, asset, "browsePathsV2", fmt.Sprintf(`{"path":[{"id":%[1]q,"urn":%[1]q}]}`, c.hidden["container"]))
	put(t, c.app, asset, "globalTags", fmt.Sprintf(`{"tags":[{"tag":%q}]}`, c.hidden["tag"]))
	put(t, c.app, asset, "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"COPY"}]}`, c.hidden["dataset"]))
	const absent = "yyabsent"
	pairs := 0
	var namingFields []string
	same := func(name, text string) {
		t.Helper()
		api := textAPIs[name]
		hidden := api(t, c, c.viewer, text)
		exchange := strings.NewReplacer(mark, absent, mark[:5], absent[:5], mark[1:], absent[1:])
		without := api(t, c, c.viewer, exchange.Replace(text))
		if pairs++; exchange.Replace(hidden) != without {
			t.Errorf("%s by %s:\nhidden: %s\nabsent: %s", name, text, hidden, without)
		}
	}
	tag := string(c.hidden["tag"])
	texts := []string{
		mark, mark[:5] + "*", mark[:5], `"` + mark + `"`, tag, "orders " + mark[:5] + "*", "orders -" + mark, "tags:" + mark[:5] + "*", "/q " + mark[:5] + "*", "/q *" + mark[1:], "/q " + mark + "~1",
		"/q tags:" + mark[:5] + "*", `/q tags:"` + tag + `"`, "/q name:orders AND NOT tags:" + mark[:5] + "*", "/q container:" + mark[:5] + "*", "/q upstreams:" + mark[:5] + "*", "/q _containers:*" + mark + "*",
		"/q tags:[urn:li:tag:" + mark[:5] + " TO urn:li:tag:" + mark[:5] + "zz]", "/q browsePathV2:*" + mark[:5] + "*",
	}
	for _, name := range slices.Sorted(maps.Keys(textAPIs)) {
		found := false
		for _, text := range texts {
			same(name, text)
			found = found || strings.ReplaceAll(textAPIs[name](t, c, asTheSystem, text), mark, absent) != textAPIs[name](t, c, asTheSystem, strings.ReplaceAll(text, mark, absent))
		}
		if !found && name != "completion" { // no field for completion contains entities that can be hidden
			t.Errorf("%s tells the system nothing of what is hidden", name)
		}
		if got := textAPIs[name](t, c, c.viewer, "orders"); !strings.HasPrefix(got, "200 ") || strings.Contains(got, `"errors"`) {
			t.Errorf("%s answers the viewer nothing: %s", name, got)
		}
	}
	fields := map[string]bool{}
	for _, schema := range document.Schemas(c.registry) {
		for _, f := range schema.Fields {
			fields[f.Name] = true
		}
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		for _, text := range []string{"/q %s:*" + mark[:5] + "*", "/q %s:" + mark + "*"} {
			text = fmt.Sprintf(text, field)
			same("search", text)
			if strings.Contains(textAPIs["search"](t, c, asTheSystem, text), `"urn":"urn:`) {
				namingFields = append(namingFields, field)
			}
		}
	}
	namingFields = slices.Compact(namingFields)
	if len(namingFields) < 30 {
		t.Errorf("only %d fields name what is hidden: %v", len(namingFields), namingFields)
	}
	t.Logf("%d pairs of texts, %d fields that name what is hidden", pairs, len(namingFields))
}
