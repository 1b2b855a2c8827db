package graphql_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

func TestAViewOfOtherTypesLetsNothingThrough(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	world.Put(t, "urn:li:dataHubUpgrade:orders", "dataHubUpgradeResult", `{"timestampMs":1}`)
	world.Put(t, "urn:li:dataHubView:charts", "dataHubViewInfo", `{"name":"Charts","type":"GLOBAL","definition":{"entityTypes":["chart"],"filter":{"or":[]}},
		"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	got := data(t, engine, world, servicetest.Root, `{
		among: searchAcrossEntities(input: {query: "*", types: [CHART, DATASET], viewUrn: "urn:li:dataHubView:charts"}) { total }
		other: searchAcrossEntities(input: {query: "*", types: [DATASET], viewUrn: "urn:li:dataHubView:charts"}) { total facets { field aggregations { value count } } }
		counts: getEntityCounts(input: {types: [DATASET, CHART], viewUrn: "urn:li:dataHubView:charts"}) { counts { count } }
		completed: autoCompleteForMultiple(input: {query: "ord", types: [DATASET], viewUrn: "urn:li:dataHubView:charts"}) { suggestions { type } }
	}`)
	want := `{"among":{"total":1},"other":{"total":0,"facets":[{"field":"_entityType","aggregations":[{"value":"DATASET","count":0}]}`
	if len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("got %.300s, want %s", got, want)
	}
	const rest = `"counts":{"counts":[{"count":0},{"count":1}]},"completed":{"suggestions":[]}}`
	if len(got) < len(rest) || got[len(got)-len(rest):] != rest {
		t.Errorf("got %s at the end, want %s", got[max(0, len(got)-200):], rest)
	}
}

// manyAlternatives returns alternatives of a filter, each for another tag.
func manyAlternatives(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"and":[{"field":"tags","values":["urn:li:tag:%d"]}]}`, i)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// wideView writes a view with many alternatives.
func wideView(t *testing.T, w *servicetest.World, alternatives int) {
	t.Helper()
	w.Put(t, "urn:li:dataHubView:wide", "dataHubViewInfo", `{"name":"Wide","type":"GLOBAL","definition":{"entityTypes":[],"filter":{"or":`+
		strings.ReplaceAll(manyAlternatives(alternatives), `"values"`, `"condition":"EQUAL","negated":false,"values"`)+`}},
		"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
}

// The combinations of each pair number a million.
func TestAViewAndAFilterCostTheirSumNotTheirProduct(t *testing.T) {
	const question = `query($or: [AndFilterInput!]!) { searchAcrossEntities(input: {query: "*", orFilters: $or, viewUrn: "urn:li:dataHubView:wide"}) { total } }`
	engine, world := newEngine(t)
	seed(t, world)
	world.Put(t, "urn:li:chart:(looker,tagged)", "globalTags", `{"tags":[{"tag":"urn:li:tag:7"}]}`)
	ask := func(filter string) (graphql.Response, uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: question, Variables: json.RawMessage(`{"or":` + filter + `}`)})
		runtime.ReadMemStats(&after)
		return got, (after.TotalAlloc - before.TotalAlloc) >> 20
	}
	for _, c := range []struct{ view, filter int }{{200, 5000}, {1000, 1000}} {
		wideView(t, world, c.view)
		got, used := ask(manyAlternatives(c.filter))
		t.Logf("%d and %d alternatives: %d MiB are allocated, %s %.300v", c.view, c.filter, used, got.Data, got.Errors)
		if used > 100 {
			t.Errorf("%d MiB are allocated, want what %d alternatives need", used, c.view+c.filter)
		}
		if string(got.Data) != `{"searchAcrossEntities":{"total":1}}` {
			t.Errorf("got %s %.300v", got.Data, got.Errors)
		}
	}
	wideView(t, world, 5000)
	for name, c := range map[string]struct{ filter, want string }{
		"alternatives": {manyAlternatives(5001), "filter: 10001 alternatives, those of a view included, at most 10000 are allowed; ask for less, or name all values of a field in one criterion"},
		"criteria": {`[{"and":[` + strings.Repeat(`{"field":"tags"},`, 15_000) + `{"field":"tags"}]}]`,
			"filter: 20001 criteria, at most 20000 are allowed; ask for less, or name all values of a field in one criterion"},
	} {
		refused, used := ask(c.filter)
		t.Logf("too many %s: %d MiB are allocated", name, used)
		if len(refused.Errors) != 1 || refused.Errors[0].Message != c.want || refused.Errors[0].Extensions["code"] != 400 {
			t.Errorf("too many %s: got %.300v, want %s", name, refused.Errors, c.want)
		}
		if used > 100 {
			t.Errorf("too many %s: %d MiB are allocated for a refusal", name, used)
		}
	}
}
