package graphql_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

// data executes a document that must succeed without errors, and returns the data.
func data(t *testing.T, e *graphql.Engine, w *servicetest.World, as urn.URN, question string, variables ...string) string {
	t.Helper()
	done := e.Exec(w.As(t, as), graphql.Request{Query: question, Variables: json.RawMessage(strings.Join(variables, ""))})
	if len(done.Errors) > 0 {
		t.Fatalf("%s: %+v", question, done.Errors)
	}
	return string(done.Data)
}

// The document is within all budgets and selects a count of 1000 nodes in each of 40 fields.
func TestARequestThatReadsTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	urns := make([]string, 1000)
	for i := range urns {
		urns[i] = fmt.Sprintf("urn:li:glossaryNode:%d", i)
	}
	variables, err := json.Marshal(map[string]any{"urns": urns})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(times int) graphql.Response {
		var b strings.Builder
		for i := range times {
			fmt.Fprintf(&b, "a%d: entities(urns: $urns) { ... on GlossaryNode { childrenCount { termsCount nodesCount } } } ", i)
		}
		return engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "query($urns: [String!]!) { " + b.String() + "}", Variables: variables})
	}
	if once := ask(1); len(once.Errors) > 0 {
		t.Fatalf("once: %+v", once.Errors)
	}
	many := ask(40)
	if len(many.Errors) == 0 {
		t.Fatal("40 times the same is answered whole")
	}
	for _, e := range many.Errors {
		if e.Extensions["code"] != 400 || !strings.Contains(e.Message, "fewer entities") {
			t.Fatalf("got %+v", e)
		}
	}
}

// aTenthOfTheReadBudget reduces the reads that tests need to exhaust the budget.
func aTenthOfTheReadBudget(c *graphql.Config) { c.MaxReadCost = graphql.DefaultMaxReadCost / 10 }

// Each list is short enough for a page and selected under 50 names.
func TestListsCountAsWork(t *testing.T) {
	t.Parallel()
	engine, world := newEngineWith(t, aTenthOfTheReadBudget)
	kinds := []struct{ aspect, urn, value, question string }{
		{"domainProperties", "urn:li:domain:%d", `{"name":"n"}`, "listDomains(input: {count: 2000}) { total }"},
		{"glossaryNodeInfo", "urn:li:glossaryNode:%d", `{"definition":"d"}`, "getRootGlossaryNodes(input: {start: 0, count: 2000}) { total }"},
		{"ownershipTypeInfo", "urn:li:ownershipType:%d", `{"name":"n","created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`, "listOwnershipTypes(input: {count: 2000}) { total }"},
		{"dataHubIngestionSourceInfo", "urn:li:dataHubIngestionSource:%d", `{"name":"n","type":"t","config":{"recipe":"{}"}}`, "listIngestionSources(input: {count: 2000}) { total }"},
	}
	var proposals []catalog.Proposal
	for _, k := range kinds {
		for i := range 155 {
			proposals = append(proposals, catalog.Proposal{URN: fmt.Sprintf(k.urn, i), Change: model.Upsert, Aspect: k.aspect, Value: json.RawMessage(strings.Replace(k.value, `"n"`, fmt.Sprintf(`"n%d"`, i), 1))})
		}
	}
	for part := range slices.Chunk(proposals, 500) {
		if _, err := world.Catalog.Write(world.As(t, model.SystemActor), part, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	// Without any one of the kinds the rest stays within the read budget.
	var b strings.Builder
	for n, k := range kinds {
		for i := range 50 {
			fmt.Fprintf(&b, "a%d_%d: %s ", n, i, k.question)
		}
	}
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "{ " + b.String() + "}"})
	if len(done.Errors) == 0 || !strings.Contains(done.Errors[0].Message, "reads too much") {
		t.Errorf("%.300v", done.Errors)
	}
}

// A variable is sent once and used in many places, where each search looks up all its values.
func TestLongListsCountAsWorkWhereverTheyAreUsed(t *testing.T) {
	t.Parallel()
	engine, world := newEngineWith(t, aTenthOfTheReadBudget)
	values := make([]string, 1_900)
	for i := range values {
		values[i] = fmt.Sprint("v", i)
	}
	filter := []any{map[string]any{"and": []any{map[string]any{"field": "customProperties", "values": values}}}}
	types := slices.Concat(values, values, values, values, values)
	many := func(field string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d: %s ", i, field)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, head, field, tail string
		times                   int
		list                    any
	}{
		{"filters of searches", "query($l: [AndFilterInput!]) {", `searchAcrossEntities(input: {query: "*", count: 0, orFilters: $l}) { total }`, "}", 180, filter},
		{"filters of lineage", "query($l: [AndFilterInput!]) {", `searchAcrossLineage(input: {urn: "urn:li:dataset:(urn:li:dataPlatform:hive,x,PROD)", direction: DOWNSTREAM, query: "*", count: 0, orFilters: $l}) { total }`, "}", 180, filter},
		{"filters of completions", "query($l: [AndFilterInput!]) {", `autoCompleteForMultiple(input: {query: "x", orFilters: $l}) { query }`, "}", 180, filter},
		{"types of relationships", `query($l: [String!]!) { entities(urns: ["urn:li:tag:a"]) { ... on Tag {`, `relationships(input: {types: $l, direction: INCOMING, count: 0}) { total }`, "} } }", 40, types},
		{"names of aspects", `query($l: [String!]!) { entities(urns: ["urn:li:tag:a"]) { ... on Tag {`, `aspects(input: {aspectNames: $l}) { aspectName }`, "} } }", 40, types},
	} {
		variables, err := json.Marshal(map[string]any{"l": c.list})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(times int) []graphql.Error {
			return engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: c.head + many(c.field, times) + c.tail, Variables: variables}).Errors
		}
		if once := ask(1); len(once) > 0 {
			t.Errorf("%s, once: %v", c.name, once)
		}
		if often := ask(c.times); len(often) == 0 || !strings.Contains(often[0].Message, "reads too much") {
			t.Errorf("%s, %d times: %.300v", c.name, c.times, often)
		}
	}
}

func TestWhatMayNotBeReadDoesNotFailThePage(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	const record urn.URN = "urn:li:dataHubAccessToken:abc"
	question := `query($u: [String!]!) { entities(urns: $u) { urn ... on Tag { name } ... on AccessTokenMetadata { type name id description createdAt } } }`
	variables := `{"u": ["urn:li:tag:pii", "` + string(record) + `", "urn:li:tag:never"]}`
	got := data(t, engine, world, servicetest.Jo, question, variables)
	want := `{"entities":[{"urn":"urn:li:tag:pii","name":"pii"},{"urn":"urn:li:dataHubAccessToken:abc","type":"ACCESS_TOKEN","name":"","id":"abc","description":null,"createdAt":0},{"urn":"urn:li:tag:never","name":"never"}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAMutationLoadsWhatItsFragmentsAskFor(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	got := data(t, engine, world, servicetest.Root, `mutation {
		a: updateTag(urn: "urn:li:tag:pii", input: {urn: "urn:li:tag:pii", name: "One"}) { urn }
		... on Mutation { b: updateTag(urn: "urn:li:tag:pii", input: {urn: "urn:li:tag:pii", name: "Two"}) { properties { name } } }
	}`)
	if want := `{"a":{"urn":"urn:li:tag:pii"},"b":{"properties":{"name":"Two"}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestACycleOfContainersEnds(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	for child, parent := range map[urn.URN]string{"urn:li:container:a": "b", "urn:li:container:b": "c", "urn:li:container:c": "b"} {
		world.Put(t, child, "container", `{"container":"urn:li:container:`+parent+`"}`)
	}
	got := data(t, engine, world, servicetest.Root, `{ container(urn: "urn:li:container:a") { parentContainers { count containers { urn } } } }`)
	if want := `{"container":{"parentContainers":{"count":2,"containers":[{"urn":"urn:li:container:b"},{"urn":"urn:li:container:c"}]}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAHierarchyIsFollowedFiftyLevels(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	for i := range 60 {
		world.Put(t, urn.URN(fmt.Sprintf("urn:li:container:%d", i)), "container", fmt.Sprintf(`{"container":"urn:li:container:%d"}`, i+1))
	}
	got := data(t, engine, world, servicetest.Root, `{ container(urn: "urn:li:container:0") { parentContainers { count } } }`)
	if want := `{"container":{"parentContainers":{"count":50}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheHistoryOfADocumentIsCutAfterTheWindow(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const u urn.URN = "urn:li:document:plan"
	for i, title := range []string{"One", "Two", "Three"} {
		world.Put(t, u, "documentInfo", fmt.Sprintf(
			`{"title":%q,"status":{"state":"PUBLISHED"},"contents":{"text":"x"},"created":{"time":100,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":%d,"actor":"urn:li:corpuser:jo"}}`, title, 100*(i+1)))
	}
	for arguments, want := range map[string]string{
		"":                                   `[]`, // of the last thirty days
		"(startTimeMillis: 0)":               `[{"changeType":"TITLE_CHANGED","timestamp":300},{"changeType":"TITLE_CHANGED","timestamp":200},{"changeType":"CREATED","timestamp":100}]`,
		"(startTimeMillis: 0, limit: 1)":     `[{"changeType":"TITLE_CHANGED","timestamp":300}]`,
		"(limit: 1, endTimeMillis: 250)":     `[{"changeType":"TITLE_CHANGED","timestamp":200}]`,
		"(startTimeMillis: 150, limit: 0)":   `[]`,
		"(startTimeMillis: 150, limit: 200)": `[{"changeType":"TITLE_CHANGED","timestamp":300},{"changeType":"TITLE_CHANGED","timestamp":200}]`,
	} {
		got := data(t, engine, world, servicetest.Root, `{ document(urn: "urn:li:document:plan") { changeHistory`+arguments+` { changeType timestamp } } }`)
		if want = `{"document":{"changeHistory":` + want + `}}`; got != want {
			t.Errorf("changeHistory%s\ngot  %s\nwant %s", arguments, got, want)
		}
	}
}

func TestTheVerdictOverAssertionsCountsTheirNewestRuns(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,checked,PROD)"
	run := func(name string, at int, result string) {
		world.Put(t, urn.URN("urn:li:assertion:"+name), "assertionRunEvent", fmt.Sprintf(
			`{"timestampMillis":%d,"runId":"r","asserteeUrn":%q,"assertionUrn":"urn:li:assertion:%s","status":"COMPLETE","result":{"type":%q}}`, at, dataset, name, result))
	}
	for _, name := range []string{"one", "two", "three"} {
		world.Put(t, urn.URN("urn:li:assertion:"+name), "assertionInfo", `{"type":"DATASET","datasetAssertion":{"dataset":"`+dataset+`","scope":"DATASET_ROWS","operator":"EQUAL_TO"}}`)
	}
	run("one", 1, "FAILURE")
	run("one", 5, "SUCCESS")
	run("two", 3, "SUCCESS")
	at := 4
	for _, step := range []struct {
		name, result, want string
	}{
		{"two", "FAILURE", `"status":"FAIL","message":"1 assertion of 2 failing","causes":["urn:li:assertion:two"],"reportedAt":5`},
		{"three", "ERROR", `"status":"FAIL","message":"1 assertion of 3 failing","causes":["urn:li:assertion:two"],"reportedAt":5`},
		{"two", "SUCCESS", `"status":"WARN","message":"1 assertion of 3 could not be run","causes":["urn:li:assertion:three"],"reportedAt":6`},
		{"three", "INIT", `"status":"PASS","message":"All assertions are passing","causes":[],"reportedAt":6`},
	} {
		run(step.name, at, step.result)
		at++
		got := data(t, engine, world, servicetest.Root, `{ dataset(urn: "`+dataset+`") { health { type status message causes reportedAt } } }`)
		if want := `{"dataset":{"health":[{"type":"INCIDENTS","status":"PASS","message":null,"causes":null,"reportedAt":null},{"type":"ASSERTIONS",` + step.want + `}]}}`; got != want {
			t.Errorf("%s of %s\ngot  %s\nwant %s", step.result, step.name, got, want)
		}
	}
}

func TestAssertionsAreCountedByTheirTypes(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,checked,PROD)"
	for name, of := range map[string]struct {
		kind, result string
		at           int
	}{
		"late": {"FRESHNESS", "FAILURE", 3}, "early": {"FRESHNESS", "SUCCESS", 9}, "broken": {"FRESHNESS", "ERROR", 4},
		"unrun": {"SQL", "ERROR", 6}, "rows": {"VOLUME", "SUCCESS", 5}, "growth": {"VOLUME", "SUCCESS", 7}, "idle": {"VOLUME", "", 0},
		"never": {"SQL", "", 0},
	} {
		assertion := urn.URN("urn:li:assertion:" + name)
		member := map[string]string{"FRESHNESS": "freshness", "VOLUME": "volume", "SQL": "sql"}[of.kind]
		world.Put(t, assertion, "assertionInfo", fmt.Sprintf(`{"type":%q,"%sAssertion":{"entity":%q,%s}}`, of.kind, member, dataset, assertionDetails[of.kind]))
		if of.at > 0 {
			world.Put(t, assertion, "assertionRunEvent", fmt.Sprintf(
				`{"timestampMillis":%d,"runId":"r","asserteeUrn":%q,"assertionUrn":%q,"status":"COMPLETE","result":{"type":%q}}`, of.at, dataset, assertion, of.result))
		}
	}
	got := data(t, engine, world, servicetest.Root, `{ dataset(urn: "`+dataset+`") { health { message latestAssertionStatusByType { type status total statusCount lastStatusResultAt } } } }`)
	want := `{"dataset":{"health":[{"message":null,"latestAssertionStatusByType":null},{"message":"1 assertion of 6 failing","latestAssertionStatusByType":[` +
		`{"type":"FRESHNESS","status":"FAIL","total":3,"statusCount":1,"lastStatusResultAt":3},{"type":"SQL","status":"WARN","total":2,"statusCount":1,"lastStatusResultAt":6},{"type":"VOLUME","status":"PASS","total":3,"statusCount":2,"lastStatusResultAt":7}]}]}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// assertionDetails are the required members of an assertion of each type, besides its entity.
var assertionDetails = map[string]string{
	"FRESHNESS": `"type":"DATASET_CHANGE","schedule":{"type":"CRON","cron":{"cron":"0 5 * * *","timezone":"UTC"}}`,
	"VOLUME":    `"type":"ROW_COUNT_TOTAL"`,
	"SQL":       `"type":"METRIC","statement":"select 1","operator":"EQUAL_TO","parameters":{}`,
}

func TestAnAnswerAboutTheSchemaHasAnEnd(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	var names strings.Builder
	for i := range 100 {
		fmt.Fprintf(&names, "%s%d: name ", strings.Repeat("x", 120), i)
	}
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "{ __schema { types { fields { " + names.String() + " } } } }"})
	if len(done.Errors) != 1 || done.Data != nil || !strings.Contains(done.Errors[0].Message, "32 MiB") || done.Errors[0].Extensions["classification"] != "ExecutionAborted" {
		t.Errorf("got %d bytes and %+v", len(done.Data), done.Errors)
	}
}

func TestAURNThatIsMalformedForItsTypeIsRefused(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	for _, question := range []string{`{ entity(urn: "urn:li:dataset:broken") { urn } }`, `{ entities(urns: ["urn:li:tag:x", "urn:li:dataset:broken"]) { urn } }`} {
		done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: question})
		if len(done.Errors) != 1 || done.Errors[0].Extensions["code"] != 400 || !strings.Contains(done.Errors[0].Message, "3: platform, name, origin") {
			t.Errorf("%s: %+v", question, done)
		}
	}
}

// A value that is read once may occur in a response thousands of times: for each entry of a list,
// and under each alias in the document.
func TestAnAnswerThatHoldsTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	world.Put(t, "urn:li:tag:wordy", "tagProperties", `{"name":"wordy","description":"`+strings.Repeat("word ", 20_000)+`"}`)
	names := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+" ", i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name     string
		urns     int
		document string
		refused  bool
	}{
		{"100 times 100 KB", 100, `... on Tag { properties { description } }`, false},
		{"1000 times 100 KB", 1000, `... on Tag { properties { description } }`, true},
		{"100 KB under 1000 names", 1, `... on Tag { properties { ` + names("a%d: description", 1000) + `} }`, true},
		{"100 KB under 30 times 30 names", 1, `... on Tag { ` + names("a%d: properties { "+strings.ReplaceAll(names("b%d: description", 30), "%", "%%")+"}", 30) + `}`, true},
		{"1000 long names of nothing in 1000 entries", 1000, `... on Tag { ` + names(strings.Repeat("n", 100)+"%d: deprecation { note }", 900) + `}`, true},
	} {
		urns := make([]string, c.urns)
		for i := range urns {
			urns[i] = "urn:li:tag:wordy"
		}
		variables, err := json.Marshal(map[string]any{"urns": urns})
		if err != nil {
			t.Fatal(err)
		}
		done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "query($urns: [String!]!) { entities(urns: $urns) { " + c.document + " } }", Variables: variables})
		switch {
		case !c.refused && len(done.Errors) > 0:
			t.Errorf("%s: %+v", c.name, done.Errors)
		case c.refused && (len(done.Errors) != 1 || done.Errors[0].Extensions["code"] != 400 || !strings.Contains(done.Errors[0].Message, "the answer holds more than 64 MiB")):
			t.Errorf("%s: %d bytes, %.300v", c.name, len(done.Data), done.Errors)
		}
	}
}

func TestListsOfSearchesAreShort(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	lists, err := json.Marshal(map[string]any{"list": make([]string, 10_000)})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{
		`query($list: [String!]) { browse(input: {type: DATASET, path: $list}) { total } }`,
		`query($list: [String!]) { browseV2(input: {type: DATASET, path: $list}) { total } }`,
		`query($list: [String]) { aggregateAcrossEntities(input: {query: "*", facets: $list}) { facets { field } } }`,
	} {
		done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: document, Variables: lists})
		if len(done.Errors) != 1 || done.Errors[0].Extensions["code"] != 400 || !strings.Contains(done.Errors[0].Message, ": 10000 entries, at most") {
			t.Errorf("%s: %+v", document, done.Errors)
		}
	}
}

func TestADatasetAsItWasIsWeighed(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const u = "urn:li:dataset:(urn:li:dataPlatform:hive,wordy,PROD)"
	world.Put(t, u, "datasetProperties", `{"description":"`+strings.Repeat("word ", 20_000)+`"}`)
	var names strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&names, "a%d: description ", i)
	}
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: `{ versionedDataset(urn: "` + u + `") { properties { ` + names.String() + `} } }`})
	if len(done.Errors) != 1 || !strings.Contains(done.Errors[0].Message, "the answer holds more than 64 MiB") {
		t.Errorf("%d bytes, %.300v", len(done.Data), done.Errors)
	}
}

func TestListingsOfTokensCountAsWork(t *testing.T) {
	t.Parallel()
	engine, world := newEngineWith(t, aTenthOfTheReadBudget)
	var proposals []catalog.Proposal
	for i := range 400 {
		proposals = append(proposals, catalog.Proposal{
			URN: fmt.Sprintf("urn:li:dataHubAccessToken:t%d", i), Change: model.Upsert, Aspect: "dataHubAccessTokenInfo",
			Value: json.RawMessage(fmt.Sprintf(`{"name":"n%d","actorUrn":"%[2]s","ownerUrn":"%[2]s","createdAt":%[1]d}`, i, servicetest.Root)),
		})
	}
	if err := world.Catalog.Managed("dataHubAccessTokenInfo", "dataHubAccessTokenKey").Write(world.As(t, model.SystemActor), proposals); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		input   string
		refused bool
	}{
		"pages of a few": {`{count: 20}`, false},
		"pages of all":   {`{count: 400}`, true},
		"few of those with a name, which reads all": {`{count: 1, filters: [{field: "name", values: ["n7"]}]}`, true},
		"few of those that expire, by the index":    {`{count: 1, filters: [{field: "expiresAt", values: ["7"]}]}`, false},
	} {
		var document strings.Builder
		for i := range 100 {
			fmt.Fprintf(&document, "a%d: listAccessTokens(input: %s) { total } ", i, c.input)
		}
		answer := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "{ " + document.String() + "}"})
		if refused := strings.Contains(fmt.Sprint(answer.Errors), "reads too much"); refused != c.refused || !refused && len(answer.Errors) > 0 {
			t.Errorf("%s: %.300v", name, answer.Errors)
		}
	}
}

// Every page of secrets reads all of them, because no index has their order by name.
func TestListingsOfSecretsCountAsWork(t *testing.T) {
	t.Parallel()
	engine, world := newEngineWith(t, aTenthOfTheReadBudget)
	var proposals []catalog.Proposal
	for i := range 400 {
		proposals = append(proposals, catalog.Proposal{
			URN: fmt.Sprintf("urn:li:dataHubSecret:s%d", i), Change: model.Upsert, Aspect: "dataHubSecretValue",
			Value: json.RawMessage(fmt.Sprintf(`{"name":"s%d","value":"v"}`, i)),
		})
	}
	if err := world.Catalog.Managed("dataHubSecretValue").Write(world.As(t, model.SystemActor), proposals); err != nil {
		t.Fatal(err)
	}
	for aliases, refused := range map[int]bool{20: false, 100: true} {
		var document strings.Builder
		for i := range aliases {
			fmt.Fprintf(&document, "a%d: listSecrets(input: {start: 0, count: 1}) { total } ", i)
		}
		answer := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "{ " + document.String() + "}"})
		if got := strings.Contains(fmt.Sprint(answer.Errors), "reads too much"); got != refused || !got && len(answer.Errors) > 0 {
			t.Errorf("%d listings: %.300v", aliases, answer.Errors)
		}
	}
}
