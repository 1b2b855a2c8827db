package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// TestOuterPagesAreCounted counts the entries that the outermost pages of documents may list, by
// sizes in literals, in variables and in members of inputs.
func TestOuterPagesAreCounted(t *testing.T) {
	t.Parallel()
	engine, _ := newEngine(t)
	const lineage = `lineage(input: {direction: DOWNSTREAM, count: %s}) { relationships { entity { urn } } }`
	for _, c := range []struct {
		name, text, variables string
		want                  int
	}{
		{"no page", `{ me { corpUser { urn } } }`, ``, 0},
		{"one of a literal size", `{ listTags: search(input: {type: TAG, query: "*", count: 30}) { total } }`, ``, 30},
		{"one whose size is not said", `{ search(input: {type: TAG, query: "*"}) { total } }`, ``, 10},
		{"one of a size in a variable", `query($n: Int) { search(input: {type: TAG, query: "*", count: $n}) { total } }`, `{"n": 70}`, 70},
		{"one of an input in a variable", `query($i: SearchInput!) { search(input: $i) { total } }`, `{"i": {"type": "TAG", "query": "*", "count": "80"}}`, 80},
		{"a list of entities", `query($u: [String!]!) { entities(urns: $u) { urn } }`, `{"u": ["a", "b", "c"]}`, 3},
		{"more than a page has", `{ search(input: {type: TAG, query: "*", count: 1000000}) { total } }`, ``, 10_000},
		{"side by side", `{ a: search(input: {type: TAG, query: "*", count: 5}) { total } b: search(input: {type: TAG, query: "*", count: 6}) { total } }`, ``, 11},
		{"pages in pages", `{ search(input: {type: DATASET, query: "*", count: 20}) { searchResults { entity { ... on Dataset { ` + fmt.Sprintf(lineage, "100") + ` } } } } }`, ``, 20},
		{
			"the largest of several types",
			`query($n: Int) { entity(urn: "urn:li:tag:pii") { ... on Dataset { a: ` + fmt.Sprintf(lineage, "100") + ` } ... on Chart { b: ` + fmt.Sprintf(lineage, "$n") + ` } } }`,
			`{"n": 300}`, 300,
		},
		{
			"one in two fragments counts once",
			`{ entity(urn: "urn:li:tag:pii") { ...A ...B } } fragment A on Entity { ... on Dataset { ` + fmt.Sprintf(lineage, "100") + ` } } fragment B on Entity { ...A }`, ``, 100,
		},
		{
			"below fields that list nothing",
			`{ dataset(urn: "urn:li:tag:pii") { platform { relationships(input: {types: [], direction: INCOMING, count: 5}) { relationships { entity { ... on Dataset { ` +
				fmt.Sprintf(lineage, "6") + ` } } } } } } }`, ``, 5,
		},
	} {
		d, refused := engine.Stage().Compile(c.text, "")
		if refused != nil {
			t.Fatalf("%s: %v", c.name, refused)
		}
		variables, refused := d.Variables([]byte(c.variables))
		if refused != nil {
			t.Fatalf("%s: %v", c.name, refused)
		}
		if got := d.OuterEntries(variables); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// Pages may nest with any requested size: only existing entries count. Each of ten nodes has ten
// more below it, down to the third level.
func TestNestedPagesCountWhatIsThere(t *testing.T) {
	t.Parallel()
	engine, world := newEngineWith(t, func(c *graphql.Config) { c.MaxReadCost = 5_000 })
	ask := func(times int) graphql.Response {
		children := func(below string) string {
			return `glossaryChildrenSearch(input: {types: [GLOSSARY_NODE, GLOSSARY_TERM], query: "*", count: 500}) { searchResults { entity { urn ... on GlossaryNode { properties { name } ` + below + ` } } } }`
		}
		const deepest = ` childrenCount { nodesCount } `
		one := `getRootGlossaryNodes(input: {start: 0, count: 1000}) { nodes { urn ` + children(children(children(children(deepest)))) + ` } } `
		var text strings.Builder
		for i := range times {
			fmt.Fprintf(&text, "a%d: %s", i, one)
		}
		return engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "{" + text.String() + "}"})
	}
	if done := ask(1); len(done.Errors) > 0 || string(done.Data) != `{"a0":{"nodes":[]}}` {
		t.Errorf("an empty catalog: %s %v", done.Data, done.Errors)
	}
	var proposals []catalog.Proposal
	add := func(name, parent string) string {
		value := `{"name":"` + name + `","definition":"d"` + parent + `}`
		proposals = append(proposals, catalog.Proposal{URN: "urn:li:glossaryNode:" + name, Change: model.Upsert, Aspect: "glossaryNodeInfo", Value: json.RawMessage(value)})
		return `,"parentNode":"urn:li:glossaryNode:` + name + `"`
	}
	for i := range 3 {
		top := add(fmt.Sprint("n", i), "")
		for j := range 10 {
			middle := add(fmt.Sprintf("n%d.%d", i, j), top)
			for k := range 3 {
				add(fmt.Sprintf("n%d.%d.%d", i, j, k), middle)
			}
		}
	}
	for part := range slices.Chunk(proposals, 500) {
		if _, err := world.Catalog.Write(world.As(t, model.SystemActor), part, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	done := ask(1)
	if n := strings.Count(string(done.Data), `"urn"`); len(done.Errors) > 0 || n != 3+30+90 {
		t.Errorf("%d nodes, %.300v", n, done.Errors)
	}
	done = ask(10)
	if len(done.Errors) == 0 {
		t.Fatal("ten times the same is answered whole")
	}
	for _, e := range done.Errors {
		if e.Extensions["code"] != 400 || !strings.Contains(e.Message, "the request reads too much") {
			t.Fatalf("got %+v", e)
		}
	}
}

// TestVariablesWeighWhatTheyTakeDecoded sends many small values, some in a declared variable and
// some in an undeclared one.
func TestVariablesWeighWhatTheyTakeDecoded(t *testing.T) {
	t.Parallel()
	engine, _ := newEngine(t)
	gate := admission.New(admission.Config{Budget: 1 << 20, MaxRequest: 8 << 20, MaxLight: 256 << 10, Wait: time.Millisecond})
	defer fill(t, gate)()
	h := serveBehindGate(t, engine, gate)
	for name, want := range map[string]int{"declared": http.StatusServiceUnavailable, "undeclared": http.StatusOK} {
		body := `{"query":"query($declared: [String!]) { search(input: {type: TAG, query: \"*\", count: 1, orFilters: [{and: [{field: \"urn\", values: $declared}]}]}) { total } }","variables":{"` +
			name + `":[` + strings.TrimSuffix(strings.Repeat(`1,`, 3000), ",") + `]}}`
		if w := ask(h, http.MethodPost, "/api/graphql", body); w.Code != want {
			t.Errorf("%s: %d %.300s, want %d", name, w.Code, w.Body, want)
		}
	}
}

// fill reserves a budget of 1 MiB for two other actors until release is called.
func fill(t *testing.T, gate *admission.Gate) (release func()) {
	t.Helper()
	var held []*admission.Ticket
	for _, actor := range []string{"one", "another"} {
		ticket, err := gate.Enter(t.Context(), actor, 512<<10)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, ticket)
	}
	return func() {
		for _, ticket := range held {
			ticket.Release()
		}
	}
}

// serveBehindGate serves GraphQL behind a gate, as the administrator.
func serveBehindGate(t *testing.T, engine *graphql.Engine, gate *admission.Gate) http.Handler {
	t.Helper()
	server := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)}).Echo
	server.Use(gate.Middleware())
	engine.Mount(server, "")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server.ServeHTTP(w, r.WithContext(auth.WithActor(r.Context(), auth.Actor{URN: servicetest.Root})))
	})
}

// TestWithoutRoomAQueryIsToRetryAndAMutationIsTold fills the budget with requests of other
// actors.
func TestWithoutRoomAQueryIsToRetryAndAMutationIsTold(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	gate := admission.New(admission.Config{Budget: 1 << 20, MaxRequest: 8 << 20, MaxLight: 64 << 10, Wait: time.Millisecond})
	release := fill(t, gate)
	h := serveBehindGate(t, engine, gate)
	const (
		listing  = `{"query":"{ search(input: {type: TAG, query: \"*\", count: 1000}) { total } }"}`
		mutating = `{"query":"mutation { createTag(input: {id: \"late\", name: \"Late\"}) }"}`
	)
	if w := ask(h, http.MethodPost, "/api/graphql", me); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"datahub"`) {
		t.Errorf("a light query: %d %s", w.Code, w.Body)
	}
	w := ask(h, http.MethodPost, "/api/graphql", listing)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "busy with other large requests") {
		t.Errorf("a heavy query: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := ask(h, http.MethodPost, "/api/graphql", mutating); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `{"createTag":"urn:li:tag:late"}`) {
		t.Errorf("a mutation: %d %s", w.Code, w.Body)
	}
	release()
	if w := ask(h, http.MethodPost, "/api/graphql", listing); w.Code != http.StatusOK {
		t.Errorf("with room: %d %s", w.Code, w.Body)
	}
}

// TestATextThatIsNewWeighsWhatItTakesToCompile sends a long text while others fill the budget.
// Without this check short bodies pass as light requests, and a hundred of them at once took a
// gigabyte.
func TestATextThatIsNewWeighsWhatItTakesToCompile(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	gate := admission.New(admission.Config{Budget: 1 << 20, MaxRequest: 8 << 20, MaxLight: 256 << 10, Wait: time.Millisecond})
	h := serveBehindGate(t, engine, gate)
	long := `{"query":"{ me { corpUser { username } } } #` + strings.Repeat("x", 20_000) + `"}`
	ask := func(isFull bool, body string, want int) {
		t.Helper()
		if isFull {
			defer fill(t, gate)()
		}
		if w := ask(h, http.MethodPost, "/api/graphql", body); w.Code != want {
			t.Errorf("%d %s, want %d", w.Code, w.Body, want)
		}
	}
	ask(true, me, http.StatusOK)
	ask(true, long, http.StatusServiceUnavailable)
	ask(false, long, http.StatusOK)
	ask(true, long, http.StatusOK) // it is cached now
}

// TestCostlyReadsOfOneActorTakeTurns has two costly reads of an actor in progress. Further costly
// reads of this actor are refused before they begin; cheap reads, and those of other actors, are
// not.
func TestCostlyReadsOfOneActorTakeTurns(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	gate := admission.New(admission.Config{PerActor: 2, Wait: time.Millisecond})
	root, other := world.As(t, servicetest.Root), world.As(t, "urn:li:corpuser:other")
	for range 2 {
		inside, done := gate.Part(root)
		defer done()
		if err := admission.Work(inside, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	times := func(field string) string {
		var text strings.Builder
		for i := range 8 {
			fmt.Fprintf(&text, "a%d: %s ", i, field)
		}
		return "{" + text.String() + "}"
	}
	const (
		search  = `search(input: {type: TAG, query: "*"}) { total }`
		changes = `getTimeline(input: {urn: "urn:li:tag:t"}) { changeTransactions { timestampMillis } }`
		types   = `__schema { types { name fields { name args { name type { name } } type { name ofType { name } } } } }`
	)
	for name, c := range map[string]struct {
		text   string
		costly bool
	}{
		"one entity":                  {`{ me { corpUser { urn } } }`, false},
		"one search":                  {"{" + search + "}", false},
		"many searches":               {times(search), true},
		"one timeline":                {"{" + changes + "}", false},
		"many timelines":              {times(changes), true},
		"many timelines in fragments": {strings.Replace(times(changes), "{", "{ ...F } fragment F on Query {", 1), true},
		"a little of the schema":      {`{ __schema { queryType { name } } }`, false},
		"all of the schema":           {"{" + types + "}", true},
		"all of the schema, and more": {"{ me { corpUser { urn } }" + types + "}", true},
	} {
		// The order matters, as the response about the schema to the other actor is cached for
		// all.
		for _, asks := range []struct {
			actor  context.Context
			costly bool
		}{{root, c.costly}, {other, false}} {
			ctx, done := gate.Part(asks.actor)
			answer := engine.Exec(ctx, graphql.Request{Query: c.text})
			done()
			if busy := answer.Busy != nil; busy != asks.costly {
				t.Errorf("%s: refused for now is %t, want %t; %v", name, busy, asks.costly, answer.Errors)
			}
		}
	}
}

// A response stays in memory until the client has read it: here one about the schema, which
// reserves nothing else. The second response comes from the cache and is shared.
func TestAnAnswerWeighsWhatItIsLong(t *testing.T) {
	t.Parallel()
	engine, _ := newEngine(t)
	gate := admission.New(admission.Config{Budget: 1 << 20, MaxRequest: 8 << 20, MaxLight: 256 << 10, MaxLightWork: time.Second, Wait: time.Millisecond})
	release := fill(t, gate)
	h := serveBehindGate(t, engine, gate)
	const schema = `{"query":"{ __schema { types { name description fields { name description args { name type { name } } type { name } } } } }"}`
	if w := ask(h, http.MethodPost, "/api/graphql", schema); w.Code != http.StatusServiceUnavailable {
		t.Errorf("without room: %d and %d bytes", w.Code, w.Body.Len())
	}
	release()
	if w := ask(h, http.MethodPost, "/api/graphql", schema); w.Code != http.StatusOK {
		t.Errorf("with room: %d %.200s", w.Code, w.Body)
	}
	defer fill(t, gate)()
	if w := ask(h, http.MethodPost, "/api/graphql", schema); w.Code != http.StatusOK {
		t.Errorf("cached: %d %.200s", w.Code, w.Body)
	}
}

// One description of 20 KB occurs in the response under many names, and is read once.
func TestAnAnswerThatRepeatsWhatWasReadWeighsWhatItIsLong(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	gate := admission.New(admission.Config{Budget: 1 << 20, MaxRequest: 8 << 20, MaxLight: 256 << 10, MaxLightWork: time.Second, Wait: time.Millisecond})
	h := serveBehindGate(t, engine, gate)
	create := `{"query":"mutation { createTag(input: {id: \"long\", name: \"Long\", description: \"` + strings.Repeat("x", 20_000) + `\"}) }"}`
	if w := ask(h, http.MethodPost, "/api/graphql", create); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var names strings.Builder
	for i := range 60 {
		fmt.Fprintf(&names, "a%d: properties { description } ", i)
	}
	defer fill(t, gate)()
	w := ask(h, http.MethodPost, "/api/graphql", `{"query":"{ tag(urn: \"urn:li:tag:long\") { `+names.String()+` } }"}`)
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("got %d and %d bytes", w.Code, w.Body.Len())
	}
}
