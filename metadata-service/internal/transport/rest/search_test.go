package rest_test

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func tableURN(name string) string {
	return "urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)"
}

// newServiceWithTables creates a service with three tables, each derived from the previous one.
func newServiceWithTables(t *testing.T) *service {
	t.Helper()
	s := newService(t)
	for i, name := range []string{"raw", "orders", "revenue"} {
		s.ingest(tableURN(name), "datasetProperties", `{"name":"`+name+`"}`)
		s.ingest(tableURN(name), "browsePaths", `{"paths":["/prod/hive/`+name+`"]}`)
		if i > 0 {
			s.ingest(tableURN(name), "upstreamLineage", `{"upstreams":[{"dataset":"`+tableURN([]string{"raw", "orders"}[i-1])+`","type":"TRANSFORMED"}]}`)
		}
	}
	s.ingest(tableURN("orders"), "globalTags", `{"tags":[{"tag":"urn:li:tag:gold"}]}`)
	return s
}

// valueAt returns the value at a path of a response, as JSON.
func (r reply) valueAt(path string) string {
	r.Helper()
	if r.Code != http.StatusOK {
		r.Fatalf("%s: status %d, %s", r.what, r.Code, r.Body)
	}
	tree, err := jsontree.Decode(r.Body.Bytes())
	if err != nil {
		r.Fatal(err)
	}
	return string(jsontree.Encode(model.Select(tree, path)))
}

func (r reply) hasValue(path, want string) {
	r.Helper()
	if got := r.valueAt(path); got != want {
		r.Errorf("%s: %s is %s, want %s", r.what, path, got, want)
	}
}

func TestSearchActions(t *testing.T) {
	t.Parallel()
	s := newServiceWithTables(t)
	all := `["` + tableURN("orders") + `","` + tableURN("raw") + `","` + tableURN("revenue") + `"]`
	gold := `{"or":[{"and":[{"field":"tags","values":["urn:li:tag:gold"],"condition":"EQUAL","negated":false}]}]}`
	for _, tt := range []struct{ action, body, want string }{
		{"search", `{"entity":"dataset","input":"*","start":0,"count":10}`, all},
		{"search", `{"entity":"dataset","input":"orders","start":0,"count":10}`, `["` + tableURN("orders") + `"]`},
		{"search", `{"entity":"dataset","input":"*","start":0,"count":10,"filter":` + gold + `}`, `["` + tableURN("orders") + `"]`},
		{"search", `{"entity":"dataset","input":"*","start":0,"count":10,"filter":{"criteria":[{"field":"name","value":"raw"}]}}`, `["` + tableURN("raw") + `"]`},
		{"search", `{"entity":"dataset","input":"*","start":0,"count":10,"filter":{"or":[{"and":[{"field":"tags"}]}]}}`, all},
		{"search", `{"entity":"dataset","input":"*","start":0,"count":10,"filter":{"or":[{"and":[{"field":"tags","values":[]}]}]}}`, `[]`},
		{"search", `{"entity":"dataset","input":"*","start":1,"count":1,"sort":{"field":"urn","order":"DESCENDING"}}`, `["` + tableURN("raw") + `"]`},
		{"filter", `{"entity":"dataset","filter":` + gold + `,"start":0,"count":10}`, `["` + tableURN("orders") + `"]`},
		{"searchAcrossEntities", `{"input":"revenue","start":0,"count":10}`, `["` + tableURN("revenue") + `"]`},
		{"scrollAcrossEntities", `{"entities":["dataset"],"input":"*","keepAlive":"5m","count":10}`, all},
	} {
		s.post("/entities?action="+tt.action, tt.body).hasValue("/value/entities/*/entity", tt.want)
	}
	r := s.post("/entities?action=search", `{"entity":"dataset","input":"orders","start":0,"count":10}`)
	r.hasValue("/value/numEntities", `[1]`)
	r.hasValue("/value/pageSize", `[10]`)
	if got := r.valueAt("/value/entities/*/matchedFields/*/name"); !strings.Contains(got, `"name"`) {
		t.Errorf("matched fields are %s", got)
	}
	s.post("/entities?action=list", `{"entity":"dataset","start":0,"count":2}`).hasValue("/value/total", `[3]`)
	s.post("/entities?action=getTotalEntityCount", `{"entity":"dataset"}`).is(http.StatusOK, `{"value":3}`)
	s.post("/entities?action=batchGetTotalEntityCount", `{"entities":["dataset","chart"]}`).is(http.StatusOK, `{"value":{"dataset":3,"chart":0}}`)
	s.post("/entities?action=autocomplete", `{"entity":"dataset","query":"ord","limit":5}`).hasValue("/value/suggestions/*", `["orders"]`)
	s.post("/entities?action=getBrowsePaths", `{"urn":"`+tableURN("raw")+`"}`).is(http.StatusOK, `{"value":["/prod/hive/raw"]}`)
	b := s.post("/entities?action=browse", `{"entity":"dataset","path":"/prod/hive","start":0,"limit":10}`)
	b.hasValue("/value/groups/*/name", `["orders","raw","revenue"]`)
	b.hasValue("/value/metadata/totalNumEntities", `[3]`)
	leaf := s.post("/entities?action=browse", `{"entity":"dataset","path":"/prod/hive/raw","start":0,"limit":10}`)
	leaf.hasValue("/value/metadata/totalNumEntities", `[0]`)
	leaf.hasValue("/value/numEntities", `[1]`)
}

func TestScrollGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	s := newServiceWithTables(t)
	first := s.post("/entities?action=scrollAcrossEntities", `{"entities":["dataset"],"input":"*","keepAlive":"5m","count":2}`)
	id := strings.Trim(first.valueAt("/value/scrollId"), "[]")
	second := s.post("/entities?action=scrollAcrossEntities", `{"entities":["dataset"],"input":"*","keepAlive":"5m","count":2,"scrollId":`+id+`}`)
	second.hasValue("/value/entities/*/entity", `["`+tableURN("revenue")+`"]`)
	second.hasValue("/value/scrollId", `[]`)
}

func TestLineageActions(t *testing.T) {
	t.Parallel()
	s := newServiceWithTables(t)
	r := s.post("/entities?action=searchAcrossLineage", `{"urn":"`+tableURN("raw")+`","direction":"DOWNSTREAM","input":"*","start":0,"count":10}`)
	r.hasValue("/value/numEntities", `[2]`)
	r.hasValue("/value/entities/*/degree", `[1,2]`)
	s.post("/relationships?action=getLineage", `{"urn":"`+tableURN("revenue")+`","direction":"UPSTREAM","maxHops":2}`).hasValue("/value/relationships/*/entity",
		`["`+tableURN("orders")+`","`+tableURN("raw")+`"]`)
	incoming := s.get("/relationships?urn=" + encode(tableURN("raw")) + "&types=List(DownstreamOf)&direction=INCOMING")
	incoming.is(http.StatusOK, `{"start":0,"count":1,"total":1,"relationships":[{"entity":"`+tableURN("orders")+`","type":"DownstreamOf"}]}`)
	s.get("/relationships?urn="+encode(tableURN("raw"))+"&types=DownstreamOf&direction=SIDEWAYS").fails(http.StatusBadRequest, "direction")
	s.get("/relationships?urn="+encode(tableURN("raw"))+"&direction=INCOMING").fails(http.StatusBadRequest, "types")
}

func TestReferencesAreDeleted(t *testing.T) {
	t.Parallel()
	s := newServiceWithTables(t)
	dry := s.post("/entities?action=deleteReferences", `{"urn":"urn:li:tag:gold","dryRun":true}`)
	want := `{"value":{"total":1,"relatedAspects":[{"entity":"` + tableURN("orders") + `","aspect":"globalTags","relationship":"TaggedWith"}]}}`
	dry.is(http.StatusOK, want)
	s.post("/entities?action=deleteReferences", `{"urn":"urn:li:tag:gold","dryRun":false}`).is(http.StatusOK, want)
	s.post("/entities?action=deleteReferences", `{"urn":"urn:li:tag:gold","dryRun":true}`).is(http.StatusOK, `{"value":{"total":0,"relatedAspects":[]}}`)
	s.post("/entities?action=search", `{"entity":"dataset","input":"*","start":0,"count":10,"filter":{"criteria":[{"field":"tags","value":"urn:li:tag:gold"}]}}`).
		hasValue("/value/numEntities", `[0]`)
}

func TestSearchRefusesWhatItCannotAnswer(t *testing.T) {
	t.Parallel()
	s := newServiceWithTables(t)
	many := strings.Repeat(`"v",`, 9_999) + `"v"`
	for name, tt := range map[string]struct{ action, body, part string }{
		"no type":            {"search", `{"input":"*","start":0,"count":10}`, "entity"},
		"an unknown type":    {"search", `{"entity":"spaceship","input":"*"}`, "spaceship"},
		"a negative start":   {"search", `{"entity":"dataset","input":"*","start":-1}`, "start"},
		"a negative count":   {"search", `{"entity":"dataset","input":"*","count":-1}`, "count"},
		"a wrong order":      {"search", `{"entity":"dataset","input":"*","sort":{"field":"urn","order":"UPWARDS"}}`, "UPWARDS"},
		"a wrong condition":  {"search", `{"entity":"dataset","input":"*","filter":{"criteria":[{"field":"name","value":"x","condition":"LIKE"}]}}`, "LIKE"},
		"a forged scroll id": {"scrollAcrossEntities", `{"input":"*","count":1,"scrollId":"AAAA"}`, "scrollId"},
		"an expression":      {"search", `{"entity":"dataset","input":"/q name:(a OR","start":0,"count":1}`, "parenthesis"},
		"an empty text":      {"autocomplete", `{"entity":"dataset","query":" "}`, "query"},
		"a degree of 4":      {"searchAcrossLineage", `{"urn":"` + tableURN("raw") + `","direction":"UPSTREAM","input":"*","filter":{"criteria":[{"field":"degree","value":"4"}]}}`, "degree"},
		"a wrong direction":  {"searchAcrossLineage", `{"urn":"` + tableURN("raw") + `","direction":"UP","input":"*"}`, "direction"},
		"a text of 20 kB":    {"search", `{"entity":"dataset","input":"` + strings.Repeat("word ", 4000) + `"}`, "query"},
	} {
		t.Run(name, func(t *testing.T) {
			s.post("/entities?action="+tt.action, tt.body).fails(http.StatusBadRequest, tt.part)
		})
	}
	for name, body := range map[string]string{
		"an unbalanced quote":  `{"entity":"dataset","input":"\"orders","start":0,"count":10}`,
		"10,000 filter values": `{"entity":"dataset","input":"*","filter":{"or":[{"and":[{"field":"name","values":[` + many + `]}]}]}}`,
		"a contradiction":      `{"entity":"dataset","input":"*","filter":{"or":[{"and":[{"field":"name","values":["raw"]},{"field":"name","values":["raw"],"negated":true}]}]}}`,
		"an unknown field":     `{"entity":"dataset","input":"*","filter":{"criteria":[{"field":"colour","value":"red"}]}}`,
		"a page far behind":    `{"entity":"dataset","input":"*","start":2000000000,"count":10}`,
		"an unknown sort":      `{"entity":"dataset","input":"*","sort":{"field":"colour","order":"ASCENDING"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if r := s.post("/entities?action=search", body); r.Code != http.StatusOK {
				t.Errorf("status %d: %s", r.Code, r.Body)
			}
		})
	}
}

// Multiplied out, a thousand alternatives of two criteria would be 2^1000 clauses.
func TestAFilterCostsTheSumOfItsAlternatives(t *testing.T) {
	s := newServiceWithTables(t)
	filter := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = `{"and":[{"field":"tags","value":"urn:li:tag:` + strconv.Itoa(i) + `"},{"field":"name","value":"orders"}]}`
		}
		all[n/2] = strings.Replace(all[n/2], "tag:"+strconv.Itoa(n/2), "tag:gold", 1)
		return `{"or":[` + strings.Join(all, ",") + `]}`
	}
	ask := func(n int) (reply, uint64) {
		body := `{"entity":"dataset","input":"*","start":0,"count":10,"filter":` + filter(n) + `}`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer := s.post("/entities?action=search", body)
		runtime.ReadMemStats(&after)
		return answer, (after.TotalAlloc - before.TotalAlloc) >> 20
	}
	answer, used := ask(1000)
	answer.hasValue("/value/numEntities", `[1]`)
	refused, refusing := ask(10_000)
	refused.fails(http.StatusBadRequest, "10001 alternatives")
	t.Logf("1000 alternatives allocate %d MiB, refusing 10000 allocates %d MiB", used, refusing)
	if used > 50 || refusing > 200 {
		t.Errorf("%d and %d MiB are allocated", used, refusing)
	}
}
