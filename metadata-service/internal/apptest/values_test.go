package apptest_test

import (
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// list returns a JSON list of n equal elements.
func list(n int, element string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

// TestFiltersOfAMillionValuesAreRefusedBeforeTheyAreDecoded tests every API that reads filters. It
// counts allocations, a measure of work that, unlike time, does not depend on the machine. It is
// not parallel, as it counts the allocations of the process.
func TestFiltersOfAMillionValuesAreRefusedBeforeTheyAreDecoded(t *testing.T) {
	const perByte, free = 12, 9 << 20
	s := apptest.New(t)
	user := s.As(jo)
	criterion := `{"field":"name","condition":"EQUAL","values":["a"]}`
	shapes := map[string]string{
		"values of one criterion": `[{"field":"name","values":` + list(1_000_000, `"a"`) + `}]`,
		"values of many criteria": list(10_000, `{"field":"name","values":`+list(100, `"a"`)+`}`),
		"criteria":                list(280_000, criterion),
		"numbers":                 `[{"field":"name","values":` + list(1_000_000, `0`) + `}]`,
		"lists in lists":          `[{"field":"name","values":` + list(1_000_000, `[]`) + `}]`,
	}
	doors := map[string]struct{ path, before, after string }{
		"Rest.li, or":            {"/entities?action=searchAcrossEntities", `{"entities":[],"input":"*","filter":{"or":[{"and":`, `}]}}`},
		"Rest.li, criteria":      {"/entities?action=search", `{"entity":"dataset","input":"*","filter":{"criteria":`, `}}`},
		"Rest.li, completion":    {"/entities?action=autocomplete", `{"entity":"dataset","query":"a","filter":{"criteria":`, `}}`},
		"Rest.li, list":          {"/entities?action=list", `{"entity":"dataset","filter":{"or":[{"and":`, `}]}}`},
		"Rest.li, lineage":       {"/entities?action=searchAcrossLineage", `{"urn":"urn:li:tag:a","direction":"UPSTREAM","entities":[],"input":"*","filter":{"criteria":`, `}}`},
		"Rest.li, time series":   {"/aspects?action=getTimeseriesAspectValues", `{"urn":"urn:li:tag:a","entity":"tag","aspect":"datasetProfile","filter":{"criteria":`, `}}`},
		"Rest.li, statistics":    {"/analytics?action=getTimeseriesStats", `{"entityName":"dataset","aspectName":"datasetProfile","metrics":[],"filter":{"criteria":`, `}}`},
		"OpenAPI, entities":      {"/openapi/v3/entity/scroll", `{"entities":["dataset"],"filter":{"and":[{"criteria":`, `}]}}`},
		"OpenAPI, relationships": {"/openapi/v3/relationship/scroll", `{"edgeFilter":{"and":[{"criteria":`, `}]}}`},
	}
	ask := func(door, path, body string) {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, text := post(t, s.URL+path, user.Token(), body)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(perByte*len(body)+free) {
			t.Errorf("%s: %d MB are allocated for a body of %d", door, took>>20, len(body)>>20)
		}
		refused := status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusOK && (strings.Contains(text, "values") || strings.Contains(text, "exceeded"))
		if !refused || !strings.Contains(text, "00") || len(text) > 1000 {
			t.Errorf("%s: %d %.200s", door, status, text)
		}
	}
	for name, door := range doors {
		for shape, criteria := range shapes {
			ask(name+", "+shape, door.path, door.before+criteria+door.after)
		}
	}
	// These APIs accept only smaller bodies.
	for shape, criteria := range map[string]string{
		"values":   `[{"field":"name","values":` + list(480_000, `"a"`) + `}]`,
		"criteria": list(70_000, `{"field":"a","value":"a"}`),
	} {
		ask("GraphQL variables, "+shape, "/api/graphql",
			`{"query":"query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { total } }","variables":{"i":{"query":"*","orFilters":[{"and":`+criteria+`}]}}}`)
	}
	ask("GraphQL literals", "/api/graphql",
		`{"query":`+strconv.Quote(`{ searchAcrossEntities(input: {query: "*", orFilters: [{and: [{field: "name", values: `+list(240_000, `1`)+`}]}]}) { total } }`)+`}`)
	for shape, filters := range map[string]string{
		"values":   `[{"field":"name","values":` + list(250_000, `"a"`) + `}]`,
		"criteria": list(25_000, `{"field":"a","values":["a"]}`),
	} {
		ask("MCP, "+shape, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"filters":`+filters+`}}}`)
	}
}

// post sends JSON with an access token.
func post(t *testing.T, url, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
