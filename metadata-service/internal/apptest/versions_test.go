package apptest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// wideSchema returns a schema of many columns whose names begin with a number.
func wideSchema(from, columns int) string {
	var fields strings.Builder
	for i := range columns {
		fmt.Fprintf(&fields, `,{"fieldPath":"column_%d","nullable":false,"nativeDataType":"int","type":{"type":{"com.linkedin.schema.NumberType":{}}}}`, from+i)
	}
	return `{"schemaName":"wide","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` +
		fields.String()[1:] + `]}`
}

const wideDataset = "urn:li:dataset:(urn:li:dataPlatform:hive,wide,PROD)"

// TestVersionsAreSizedBeforeTheyAreDecoded stores versions of a schema that take more memory when
// decoded than one request may use. Each API that compares versions must refuse, using only about
// the memory of the texts.
func TestVersionsAreSizedBeforeTheyAreDecoded(t *testing.T) { // not parallel: it measures allocations
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.Memory.Requests = 8 << 20 })
	const columns = 10_000
	size := 0
	for i := range 3 {
		value := wideSchema(i*columns/2, columns)
		size = len(value)
		if status, text := s.Call(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+wideDataset+`","schemaMetadata":{"value":`+value+`}}]`); status != http.StatusOK {
			t.Fatalf("%d %.300s", status, text)
		}
	}
	// The texts of two versions, and the same amount for reading them from the store. A decoded
	// version takes eight times the memory of its text.
	const free = 4 << 20
	path := url.PathEscape(wideDataset)
	graphQL := func(query string) string { return `{"query":"` + strings.ReplaceAll(query, `"`, `\"`) + `"}` }
	for name, door := range map[string]struct {
		method, path, body string
		status             int
	}{
		"OpenAPI timeline v2": {http.MethodGet, "/openapi/v2/timeline/v1/" + path + "?categories=TECHNICAL_SCHEMA", "", http.StatusRequestEntityTooLarge},
		"OpenAPI timeline v1": {http.MethodGet, "/openapi/timeline/v1/" + path + "?categories=TECHNICAL_SCHEMA", "", http.StatusRequestEntityTooLarge},
		"OpenAPI, raw":        {http.MethodGet, "/openapi/v2/timeline/v1/" + path + "?categories=TAG&raw=true", "", http.StatusRequestEntityTooLarge},
		"getTimeline":         {http.MethodPost, "/api/graphql", graphQL(`{ getTimeline(input: {urn: "` + wideDataset + `"}) { skippedVersionCount } }`), http.StatusOK},
		"getSchemaBlame":      {http.MethodPost, "/api/graphql", graphQL(`{ getSchemaBlame(input: {datasetUrn: "` + wideDataset + `"}) { version { semanticVersion } } }`), http.StatusOK},
		"getSchemaVersionList": {http.MethodPost, "/api/graphql", graphQL(`{ getSchemaVersionList(input: {datasetUrn: "` + wideDataset + `"}) { latestVersion { semanticVersion } } }`),
			http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			status, text := s.Call(door.method, door.path, door.body)
			runtime.ReadMemStats(&after)
			took := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d bytes are allocated, a version has %d: %.1f times", took, size, float64(took)/float64(size))
			if took > uint64(4*size+free) {
				t.Errorf("%d bytes are allocated, %d times the text of a version", took, took/uint64(size))
			}
			if status != door.status || !strings.Contains(text, "versions of schemaMetadata") {
				t.Errorf("%d %.300s", status, text)
			}
		})
	}
}

// TestLargeAnswersAreSizedBeforeTheyAreRead requests entities whose values together exceed the
// maximum size of a response.
func TestLargeAnswersAreSizedBeforeTheyAreRead(t *testing.T) { // not parallel: it measures allocations
	s := apptest.New(t)
	const size, entities = 15_500_000, 18
	value := strings.Replace(wideSchema(0, 1), `"rawSchema":""`, `"rawSchema":"`+strings.Repeat("x", size)+`"`, 1)
	var escaped, wishes []string
	for i := range entities {
		u := fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,large%d,PROD)", i)
		if status, text := s.Call(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+u+`","schemaMetadata":{"value":`+value+`}}]`); status != http.StatusOK {
			t.Fatalf("%d %.300s", status, text)
		}
		escaped, wishes = append(escaped, url.QueryEscape(u)), append(wishes, `{"urn":"`+u+`"}`)
	}
	for name, door := range map[string]struct{ method, path, body string }{
		"Rest.li":           {http.MethodGet, "/entitiesV2?ids=List(" + strings.Join(escaped, ",") + ")", ""},
		"Rest.li snapshots": {http.MethodGet, "/entities?ids=List(" + strings.Join(escaped, ",") + ")", ""},
		"OpenAPI batchGet":  {http.MethodPost, "/openapi/v3/entity/dataset/batchGet", "[" + strings.Join(wishes, ",") + "]"},
		"OpenAPI, first":    {http.MethodGet, "/openapi/entities/v1/latest?urns=" + strings.Join(escaped, "&urns="), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			status, text := s.Call(door.method, door.path, door.body)
			runtime.ReadMemStats(&after)
			took := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d bytes are allocated, %.1f times a value", took, float64(took)/size)
			if status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "ask for fewer entities or aspects") {
				t.Errorf("%d %.300s", status, text)
			}
			if took > size {
				t.Errorf("%d bytes are allocated for an answer that is refused", took)
			}
		})
	}
}
