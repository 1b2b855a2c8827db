//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

// concealment is a catalog in which each entity type has one entity that the viewer sees and one
// hidden from it, whose URN contains the mark.
type concealment struct {
	app      *app.App
	registry *model.Registry
	viewer   string // its credential
	seen     map[string]urn.URN
	hidden   map[string]urn.URN
	// written counts the aspects that fill and fillTexts have written.
	written int
	// scope is the scope of a token with which an administrator sees the same entities as the
	// viewer.
	scope string
}

// mark is in the URN and in the name of each hidden entity.
const mark = "zzhidden"

const viewerURN = "urn:li:corpuser:viewer"

func newConcealment(t *testing.T, change func(cfg *app.Config)) *concealment {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg := settings(t.TempDir())
	cfg.Auth.ViewAuthorization = true
	change(&cfg)
	a := open(t, cfg)
	t.Cleanup(func() { shut(t, a) })
	c := &concealment{app: a, registry: registry, seen: map[string]urn.URN{}, hidden: map[string]urn.URN{}}
	_, c.viewer = provision(t, a, viewerURN)
	for _, id := range []string{"7", "view-entity-page-all", "view-dataset-sensitive"} { // the policy for owners grants rights to write about assets, but the viewer owns none
		put(t, a, "urn:li:dataHubPolicy:"+id, "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":false}}`)
	}
	var seen []string
	for _, entity := range registry.Entities() {
		c.seen[entity.Name] = urn.URN(entity.Example)
		seen = append(seen, entity.Example)
		everybodys := entity.ViewUnrestricted && model.SubjectsOf(entity.Name).Aspect == "" || slices.Contains(policy.DefaultUnrestricted(), entity.Name)
		if !everybodys && slices.Contains(privilege.Needed(auth.OpRead, urn.URN(entity.Example), ""), auth.ViewPage) {
			c.hidden[entity.Name] = hiddenURN(entity)
		}
	}
	values, _ := json.Marshal(seen)
	c.scope = fmt.Sprintf(`{resources: [{field: "URN", values: %s, condition: EQUALS}]}`, values)
	put(t, a, "urn:li:dataHubPolicy:viewer", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["VIEW_ENTITY_PAGE","GET_TIMESERIES_ASPECT_PRIVILEGE","VIEW_DATASET_PROFILE","VIEW_DATASET_USAGE","VIEW_DATASET_OPERATIONS"],
		"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":%s,"condition":"EQUALS"}]}}}`, viewerURN, values))
	return c
}

// hiddenURN returns a URN of a type with the mark in its last part that is a plain text.
func hiddenURN(entity *model.EntitySpec) urn.URN {
	if entity.Name == "schemaField" {
		return urn.Make("schemaField", "urn:li:dataset:(urn:li:dataPlatform:mysql,"+mark+",PROD)", mark+"column")
	}
	if len(entity.KeyParts) == 1 {
		return urn.Make(entity.Name, mark)
	}
	parts := urn.URN(entity.Example).Parts()
	for i := len(parts) - 1; i >= 0; i-- {
		if !urn.Looks(parts[i]) && parts[i] != "PROD" {
			parts[i] = mark
			break
		}
	}
	return urn.Make(entity.Name, parts...)
}

// fill writes every aspect of the visible entities, so that each place for a URN names a hidden
// entity: all places at once, except those without which nothing of the aspect would be shown. It
// skips values that the rules refuse.
func (c *concealment) fill(t *testing.T, variant int) {
	t.Helper()
	for _, entity := range c.registry.Entities() {
		for _, spec := range entity.All() {
			if spec.IsKey || spec.Managed || entity.Key.Managed || entity.Name == "dataHubPolicy" || spec.Name == "status" {
				continue
			}
			value := c.value(spec, variant, nil)
			if redact.Omit(spec, jsontree.Clone(value).(model.Object), isMarked) == nil {
				value = c.value(spec, variant, c.required(spec, variant))
			}
			f := &fact{entity: entity, spec: spec, urn: c.seen[entity.Name], value: string(jsontree.Encode(value)), run: "fill"}
			path, body := writers[0].request(f)
			if got := ask(t, c.app, asTheSystem, http.MethodPost, path, body); got.status == http.StatusOK {
				c.written++
			}
		}
	}
	c.fillTexts(t)
}

// fillTexts writes JSON texts that name hidden entities.
func (c *concealment) fillTexts(t *testing.T) {
	t.Helper()
	text := func(format string) string {
		quoted, _ := json.Marshal(fmt.Sprintf(format, c.hidden["domain"]))
		return string(quoted)
	}
	for _, f := range []struct{ entityType, aspect, value string }{
		{"test", "testInfo", `{"name":"in the domain","category":"c","definition":{"type":"JSON","json":` + text(`{"on":{"types":["dataset"]},"rules":[{"property":"domains.domains","operator":"equals","values":["%s"]}]}`) + `}}`},
		{"dataHubPageModule", "dataHubPageModuleProperties", `{"name":"m","type":"ASSET_COLLECTION","visibility":{"scope":"GLOBAL"},"params":{"assetCollectionParams":{"assetUrns":[],"dynamicFilterJson":` +
			text(`[{"property":"domains","values":["%s"]}]`) + `}},"created":{"time":1,"actor":"urn:li:corpuser:datahub"},"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`},
	} {
		put(t, c.app, string(c.seen[f.entityType]), f.aspect, f.value)
		c.written++
	}
}

func isMarked(u urn.URN) bool { return strings.Contains(string(u), mark) }

// value returns a maximal value of an aspect, in which all URNs except those at some paths are
// hidden.
func (c *concealment) value(spec *model.AspectSpec, variant int, open map[string]bool) model.Object {
	g := modeltest.Generator{Registry: c.registry, Aspect: spec, Maximal: true, Variant: variant, URN: func(path string, allowed []string) string {
		if len(allowed) == 0 {
			allowed = []string{"dataset", "tag", "domain"}
		}
		// Among the types allowed at a place, one that can be hidden comes first.
		may := slices.DeleteFunc(slices.Clone(allowed), func(name string) bool { return c.hidden[name] == "" })
		if len(may) > 0 && !open[path] {
			return string(c.hidden[may[variant%len(may)]])
		}
		if u, ok := c.seen[allowed[variant%len(allowed)]]; ok {
			return string(u)
		}
		return "urn:li:" + allowed[0] + ":x"
	}}
	return g.Value()
}

// required returns the paths without which nothing of an aspect is shown.
func (c *concealment) required(spec *model.AspectSpec, variant int) map[string]bool {
	open := map[string]bool{}
	var paths []string
	g := modeltest.Generator{Registry: c.registry, Aspect: spec, Maximal: true, Variant: variant, URN: func(path string, _ []string) string {
		paths = append(paths, path)
		return string(c.seen["tag"])
	}}
	g.Value()
	for _, path := range paths {
		value := c.value(spec, variant, except(paths, path))
		if redact.Omit(spec, value, isMarked) == nil {
			open[path] = true
		}
	}
	return open
}

func except(paths []string, one string) map[string]bool {
	all := map[string]bool{}
	for _, p := range paths {
		all[p] = p != one
	}
	return all
}

// TestNoInterfaceNamesHiddenEntities puts hidden entities into every place of every aspect that can
// hold a URN, and reads all data as a user who sees the entities with these aspects: by every API
// that reads, and by every field of every GraphQL type, and as an administrator by a token whose
// scope is these entities. The APIs and fields come from the route tables and the schema, the
// aspects from the registry.
func TestNoInterfaceNamesHiddenEntities(t *testing.T) {
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
			cells, control, unasked := 0, 0, map[string]bool{}
			variants := trials.Count(3)
			for variant := range variants {
				c.fill(t, variant)
				reads := c.reads(t)
				if lost := c.unread(t, reads); len(lost) > 0 {
					t.Fatalf("hidden_test.go asks none of these operations:\n%s", strings.Join(lost, "\n"))
				}
				for i := range reads {
					r := &reads[i]
					cells++
					got := ask(t, c.app, c.viewer, r.method, r.path, r.body)
					refused := strings.Contains(got.body, `"classification":"ValidationError"`) || strings.Contains(got.body, `"code":400`)
					if general := strings.HasPrefix(r.operation, "graphql query "); refused && general {
						unasked[r.operation] = true // its arguments have their own rules
					} else if refused {
						t.Errorf("%s is not asked: %.400s: %.300s", r, r.body, got.body)
					}
					if variant == 0 && !trials.Raced() && strings.Contains(ask(t, c.app, asTheSystem, r.method, r.path, r.body).body, mark) {
						control++
					}
					if at := strings.Index(got.body, mark); at >= 0 {
						t.Errorf("%s (variant %d): ...%s...", r, variant, around(got.body, at))
					}
					if got.status >= 500 || strings.Contains(got.body, `"code":500`) {
						t.Errorf("%s (variant %d): %d %.500s", r, variant, got.status, got.body)
					}
				}
			}
			t.Logf("%d aspects with hidden URNs, %d reads; those of the first variant show something hidden to the system %d times", c.written, cells, control)
			if len(unasked) > 20 {
				t.Errorf("%d queries are refused for their arguments: %v", len(unasked), slices.Sorted(maps.Keys(unasked)))
			}
			if c.written < 500*variants || cells < 7000*variants || control < 500 && !trials.Raced() {
				t.Errorf("only %d aspects were written and %d reads made, %d of which show something hidden to the system", c.written, cells, control)
			}
		})
	}
}

func around(text string, at int) string { return text[max(0, at-250):min(len(text), at+100)] }

// read is a request of a read operation, as named in testdata/authorization.tsv.
type read struct{ operation, of, method, path, body string }

func (r *read) String() string { return r.operation + " of " + r.of }

// reads returns all requests that read the entities visible to the viewer.
func (c *concealment) reads(t *testing.T) []read {
	t.Helper()
	var all []read
	for _, entity := range c.registry.Entities() {
		all = append(all, c.readsOf(entity)...)
	}
	return append(all, c.queries(t)...)
}

// readsOf returns the requests of REST, OpenAPI and the Model Context Protocol about one entity
// type.
func (c *concealment) readsOf(entity *model.EntitySpec) []read {
	u, kind := c.seen[entity.Name], entity.Name
	escaped, quoted := url.PathEscape(string(u)), url.QueryEscape(string(u))
	relationships := strings.Join(c.relationships(), ",")
	var all []read
	add := func(operation, of, path, body string) {
		_, what, _ := strings.Cut(operation, " ")
		method, _, _ := strings.Cut(what, " ")
		all = append(all, read{operation, of, method, path, body})
	}
	rest := func(action, body string) { add("rest POST "+action, kind, action, body) }
	get := func(operation, path string) { add(operation, kind, path, "") }
	openapi := func(path, body, parameters string) {
		real := strings.NewReplacer("{type}", kind, "{entityType}", kind, "{urn}", escaped).Replace(path)
		add("openapi POST "+path, kind, real+parameters, body)
	}
	get("rest GET /entitiesV2/:urn", "/entitiesV2/"+escaped)
	get("rest GET /entitiesV2", "/entitiesV2?ids=List("+quoted+")")
	get("rest GET /entitiesVersionedV2", "/entitiesVersionedV2?ids=List((urn:"+quoted+",versionStamp:))&entityType="+kind)
	get("rest GET /entities/:urn", "/entities/"+escaped)
	get("rest GET /entities", "/entities?ids=List("+quoted+")")
	for _, direction := range []string{"INCOMING", "OUTGOING"} {
		get("rest GET /relationships", "/relationships?urn="+quoted+"&types="+relationships+"&direction="+direction)
		get("openapi GET /openapi/relationships/v1", "/openapi/relationships/v1?urn="+quoted+"&relationshipTypes="+relationships+"&direction="+direction)
		get("openapi GET /openapi/v2/relationship/{entityType}/{urn}", "/openapi/v2/relationship/"+kind+"/"+escaped+"?direction="+direction)
		get("openapi GET /openapi/v3/relationship/{entityType}/{urn}", "/openapi/v3/relationship/"+kind+"/"+escaped+"?direction="+direction)
		rest("/relationships?action=getLineage", fmt.Sprintf(`{"urn":%q,"direction":%q}`, u, map[string]string{"INCOMING": "DOWNSTREAM", "OUTGOING": "UPSTREAM"}[direction]))
		rest("/entities?action=searchAcrossLineage", fmt.Sprintf(`{"urn":%q,"direction":%q,"input":"*","start":0,"count":10}`, u, map[string]string{"INCOMING": "DOWNSTREAM", "OUTGOING": "UPSTREAM"}[direction]))
		rest("/entities?action=scrollAcrossLineage", fmt.Sprintf(`{"urn":%q,"direction":%q,"input":"*","count":10}`, u, map[string]string{"INCOMING": "DOWNSTREAM", "OUTGOING": "UPSTREAM"}[direction]))
	}
	rest("/entities?action=getBrowsePaths", fmt.Sprintf(`{"urn":%q}`, u))
	rest("/entities?action=search", fmt.Sprintf(`{"entity":%q,"input":"*","start":0,"count":10}`, kind))
	rest("/entities?action=searchAcrossEntities", fmt.Sprintf(`{"entities":[%q],"input":%q,"start":0,"count":10}`, kind, mark))
	rest("/entities?action=scrollAcrossEntities", fmt.Sprintf(`{"entities":[%q],"input":%q,"count":10}`, kind, mark))
	rest("/entities?action=filter", fmt.Sprintf(`{"entity":%q,"filter":{"or":[]},"start":0,"count":10}`, kind))
	rest("/entities?action=list", fmt.Sprintf(`{"entity":%q,"start":0,"count":10}`, kind))
	rest("/entities?action=listUrns", fmt.Sprintf(`{"entity":%q,"start":0,"count":100}`, kind))
	rest("/entities?action=autocomplete", fmt.Sprintf(`{"entity":%q,"query":%q}`, kind, mark[:4]))
	rest("/entities?action=browse", fmt.Sprintf(`{"entity":%q,"path":"","start":0,"limit":10}`, kind))
	rest("/test?action=evaluate", fmt.Sprintf(`{"urn":%q}`, u))
	rest("/usageStats?action=query", fmt.Sprintf(`{"resource":%q,"duration":"DAY"}`, u))
	rest("/usageStats?action=queryRange", fmt.Sprintf(`{"resource":%q,"duration":"DAY","rangeFromEnd":"ALL"}`, u))
	get("openapi GET /openapi/entities/v1/latest", "/openapi/entities/v1/latest?urns="+quoted)
	get("openapi GET /openapi/v2/entity/{type}/{urn}", "/openapi/v2/entity/"+kind+"/"+escaped)
	get("openapi GET /openapi/v2/entity/{type}", "/openapi/v2/entity/"+kind+"?count=50")
	get("openapi GET /openapi/v3/entity/{type}/{urn}", "/openapi/v3/entity/"+kind+"/"+escaped+"?systemMetadata=true")
	get("openapi GET /openapi/v3/entity/{type}", "/openapi/v3/entity/"+kind+"?count=50&systemMetadata=true")
	openapi("/openapi/v3/entity/{type}/batchGet", fmt.Sprintf(`[{"urn":%q}]`, u), "")
	openapi("/openapi/v3/entity/generic/batchGet", fmt.Sprintf(`{%q:[{"urn":%q}]}`, kind, u), "")
	openapi("/openapi/v2/entity/batch/{type}", fmt.Sprintf(`[{"urn":%q}]`, u), "")
	openapi("/openapi/v3/entity/scroll", fmt.Sprintf(`{"entities":[%q]}`, kind), "?count=20")
	openapi("/openapi/v3/lineage/scroll", fmt.Sprintf(`{"urns":[%q]}`, u), "?count=20")
	openapi("/openapi/v3/relationship/scroll", "{}", "?count=50")
	for _, category := range []string{"TAG", "GLOSSARY_TERM", "OWNERSHIP", "DOCUMENTATION", "TECHNICAL_SCHEMA", "DOMAIN", "STRUCTURED_PROPERTY"} {
		get("openapi GET /openapi/v2/timeline/v1/{urn}", "/openapi/v2/timeline/v1/"+escaped+"?categories="+category)
		get("openapi GET /openapi/timeline/v1/{urn}", "/openapi/timeline/v1/"+escaped+"?categories="+category)
	}
	for _, spec := range entity.All() {
		of := spec.Name + " of " + kind
		add("rest GET /aspects/:urn", of, "/aspects/"+escaped+"?aspect="+spec.Name+"&version=0", "")
		add("openapi GET /openapi/v3/entity/{type}/{urn}/{aspect}", of, "/openapi/v3/entity/"+kind+"/"+escaped+"/"+spec.Name, "")
		add("openapi GET /openapi/v2/entity/{type}/{urn}/{aspect}", of, "/openapi/v2/entity/"+kind+"/"+escaped+"/"+spec.Name, "")
		for _, r := range spec.Relationships {
			add("openapi GET /openapi/v3/relationship/{relationshipType}", r.Name, "/openapi/v3/relationship/"+r.Name+"?count=20", "")
			add("openapi GET /openapi/v2/relationship/{relationshipType}", r.Name, "/openapi/v2/relationship/"+r.Name+"?count=20", "")
		}
		if spec.Timeseries {
			add("rest POST /aspects?action=getTimeseriesAspectValues", of, "/aspects?action=getTimeseriesAspectValues", fmt.Sprintf(`{"urn":%q,"entity":%q,"aspect":%q,"limit":10}`, u, kind, spec.Name))
			for _, key := range groupings(spec) {
				add("rest POST /analytics?action=getTimeseriesStats", key+" of "+of, "/analytics?action=getTimeseriesStats", fmt.Sprintf(`{"entityName":%q,"aspectName":%q,
					"metrics":[{"fieldPath":%q,"aggregationType":"LATEST"}],"buckets":[{"key":%q,"type":"STRING_GROUPING_BUCKET"}],
					"filter":{"or":[{"and":[{"field":"urn","condition":"EQUAL","values":[%q]}]}]}}`, kind, spec.Name, key, key, u))
			}
			add("openapi GET /openapi/v2/timeseries/{type}/{aspect}", of, "/openapi/v2/timeseries/"+kind+"/"+spec.Name+"?count=10", "")
		}
	}
	for _, tool := range []string{"search", "get_entities", "list_schema_fields", "get_lineage", "get_dataset_queries", "browse_glossary"} {
		arguments := map[string]string{
			"search": fmt.Sprintf(`{"query":%q,"types":[%q]}`, mark, kind), "get_entities": fmt.Sprintf(`{"urns":[%q]}`, u), "get_lineage": fmt.Sprintf(`{"urn":%q,"direction":"upstream"}`, u),
			"browse_glossary": `{}`,
		}[tool]
		if arguments == "" {
			arguments = fmt.Sprintf(`{"urn":%q}`, u)
		}
		add("other POST /mcp", tool+" of "+kind, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
	}
	return all
}

// groupings returns the fields by which documents of a time series can be grouped.
func groupings(spec *model.AspectSpec) []string {
	keys := []string{"runId"}
	for _, stat := range spec.Stats {
		keys = append(keys, stat.Name)
	}
	for _, list := range spec.Collections {
		keys = append(keys, list.Name+"."+list.Key)
	}
	return keys
}

// silent are operations that show no value of an aspect and no URN in one, or that are for actors
// who see everything.
var silent = []string{
	"openapi GET /openapi/operations/", "openapi POST /openapi/operations/", "openapi GET /openapi/swagger-ui", "openapi GET /openapi/v1/registry/", "openapi GET /openapi/v1/system-info",
	"openapi GET /openapi/v3/api-docs", "openapi GET /openapi/v3/metadata-test.schema.json", "openapi GET /openapi/v1/webhooks", "openapi HEAD ", "other HEAD ", "rest HEAD ",
	"other GET /api/graphiql", "other GET /assets/", "other GET /metrics", "other GET /actuator/", "rest GET /config", "rest GET /health", "rest GET /up", "rest GET /check/ready",
	// Counts.
	"openapi GET /openapi/v1/entities/", "rest POST /aspects?action=getCount", "rest POST /entities?action=getTotalEntityCount", "rest POST /entities?action=batchGetTotalEntityCount",
	"rest POST /entities?action=exists", "rest POST /entities?action=filterExistingUrns", "rest POST /operations?action=",
	// About the actor's own rights; and about the writes of runs and traces, with a decision per
	// entity.
	"openapi GET /openapi/v1/access/", "openapi POST /openapi/v1/access/", "rest POST /runs?action=", "openapi POST /openapi/v1/trace/write/",
	// By privileges of the platform over all changes; notices of pages name the changed entities,
	// with a decision per entity.
	"openapi GET /openapi/v1/events/poll", "openapi POST /openapi/v1/events/audit/search", "other GET /events/",
	"other POST /auth/",
}

// unread returns operations that are neither requested nor silent. It ignores operations that
// write.
func (c *concealment) unread(t *testing.T, asked []read) []string {
	t.Helper()
	known := map[string]bool{}
	for i := range asked {
		known[asked[i].operation] = true
	}
	for _, w := range writers {
		name, _, _ := strings.Cut(w.operation, " (")
		known[name] = true
	}
	m := &matrix{app: c.app, admin: asTheSystem}
	return slices.DeleteFunc(m.operations(t), func(operation string) bool {
		isSilent := slices.ContainsFunc(silent, func(prefix string) bool { return strings.HasPrefix(operation, prefix) })
		return known[operation] || isSilent || fixed[operation] != "" || strings.HasPrefix(operation, "graphql mutation ") || strings.Contains(operation, " POST /openapi/v1/webhooks") ||
			strings.HasPrefix(operation, "openapi PATCH ") || strings.HasPrefix(operation, "openapi DELETE ") || strings.Contains(operation, "action=restoreIndices") ||
			strings.Contains(operation, "action=applyRetention") || strings.Contains(operation, "action=deleteAll") || strings.Contains(operation, "action=setWritable") || strings.Contains(operation, "tracking/track")
	})
}

// relationships returns the names of all relationships of the model.
func (c *concealment) relationships() []string {
	names := map[string]bool{}
	for _, spec := range c.registry.Aspects() {
		for _, r := range spec.Relationships {
			names[r.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// TestProgramsKeepWhatTheyAreNotShown reads an aspect that names a hidden entity, as a program that
// changes the aspect and writes it back.
func TestProgramsKeepWhatTheyAreNotShown(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = true })
	asset, hidden, other := c.seen["dataset"], c.hidden["dataset"], "urn:li:dataset:(urn:li:dataPlatform:mysql,other,PROD)"
	put(t, c.app, "urn:li:dataHubPolicy:writer", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["EDIT_ENTITY","VIEW_ENTITY_PAGE"],
		"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q,%q],"condition":"EQUALS"}]}}}`, viewerURN, asset, other))
	const stamp = `"type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}`
	put(t, c.app, string(asset), "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,%s}]}`, hidden, stamp))
	get := func(who string) string {
		var found struct{ Value json.RawMessage }
		text := mustAsk(t, c.app, who, http.MethodGet, "/openapi/v3/entity/dataset/"+url.PathEscape(string(asset))+"/upstreamLineage", "")
		if err := json.Unmarshal([]byte(text), &found); err != nil {
			t.Fatal(err)
		}
		return string(found.Value)
	}
	write := func(u, aspect, value string) answer {
		return ask(t, c.app, c.viewer, http.MethodPost, "/openapi/v3/entity/dataset?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, u, aspect, value))
	}
	shown := get(c.viewer)
	restricted := restrictedURN.FindString(shown)
	if restricted == "" || strings.Contains(shown, mark) {
		t.Fatalf("the viewer reads %s", shown)
	}
	// One more upstream, with the others as they were read.
	more := strings.Replace(shown, `"upstreams":[`, fmt.Sprintf(`"upstreams":[{"dataset":%q,%s},`, other, stamp), 1)
	if got := write(string(asset), "upstreamLineage", more); got.status != http.StatusOK || strings.Contains(got.body, mark) {
		t.Fatalf("writing back: %+v", got)
	}
	if all := get(asTheSystem); !strings.Contains(all, string(hidden)) || !strings.Contains(all, other) || strings.Contains(all, "restricted") {
		t.Errorf("stored is %s", all)
	}
	// A restricted entity can stay in its place, but cannot be used elsewhere or be invented.
	for name, got := range map[string]answer{
		"another entity": write(other, "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,%s}]}`, restricted, stamp)),
		"another aspect": write(string(asset), "siblings", fmt.Sprintf(`{"siblings":[%q],"primary":true}`, restricted)),
		"a forged one":   write(string(asset), "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,%s}]}`, restricted+"A", stamp)),
		"a time series":  write(string(asset), "operation", fmt.Sprintf(`{"timestampMillis":1,"operationType":"INSERT","lastUpdatedTimestamp":1,"affectedDatasets":[%q]}`, restricted)),
	} {
		if got.status < 400 || got.status >= 500 || !strings.Contains(got.body, "restricted entity") || strings.Contains(got.body, mark) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// Entries that the program leaves out are removed.
	if got := write(string(asset), "upstreamLineage", `{"upstreams":[]}`); got.status != http.StatusOK || strings.Contains(get(asTheSystem), mark) {
		t.Errorf("removing: %+v, stored is %s", got, get(asTheSystem))
	}
}
