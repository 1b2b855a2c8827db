package openapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// sink discards a response.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

func (s *service) serve(method, target, body string) int {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	w := &sink{header: http.Header{}, status: http.StatusOK}
	s.handler.ServeHTTP(w, r)
	return w.status
}

// dataset is an entity in the form that loaders send: some columns, properties, ownership.
func dataset(name string) string {
	var fields []string
	for i := range 20 {
		fields = append(fields, fmt.Sprintf(`{"fieldPath":"column_%d","nativeDataType":"varchar(100)","type":{"type":{"com.linkedin.schema.StringType":{}}},"nullable":true,"description":"Column %d of the table"}`, i, i))
	}
	return `{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,` + name + `,PROD)",
	"datasetProperties":{"value":{"name":"` + name + `","description":"A table","customProperties":{"team":"orders","tier":"2"}}},
	"ownership":{"value":{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:unknown"}}},
	"schemaMetadata":{"value":{"schemaName":"` + name + `","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` + strings.Join(fields, ",") + `]}}}`
}

func BenchmarkReadEntity(b *testing.B) {
	s := newService(b, options{})
	s.ok("POST /openapi/v3/entity/dataset?async=false", "["+dataset("db.t")+"]")
	b.ReportAllocs()
	for b.Loop() {
		if status := s.serve(http.MethodGet, "/openapi/v3/entity/dataset/"+encoded, ""); status != http.StatusOK {
			b.Fatalf("status %d", status)
		}
	}
}

func BenchmarkReadAspect(b *testing.B) {
	s := newService(b, options{})
	s.ok("POST /openapi/v3/entity/dataset?async=false", "["+dataset("db.t")+"]")
	b.ReportAllocs()
	for b.Loop() {
		if status := s.serve(http.MethodGet, "/openapi/v3/entity/dataset/"+encoded+"/ownership", ""); status != http.StatusOK {
			b.Fatalf("status %d", status)
		}
	}
}

func BenchmarkWrite100Entities(b *testing.B) {
	s := newService(b, options{})
	var entities []string
	for i := range 100 {
		entities = append(entities, dataset(fmt.Sprintf("db.t%d", i)))
	}
	body := "[" + strings.Join(entities, ",") + "]"
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if status := s.serve(http.MethodPost, "/openapi/v3/entity/dataset?async=false", body); status != http.StatusOK {
			b.Fatalf("status %d", status)
		}
	}
}

func BenchmarkFindRoute(b *testing.B) {
	api := newAPI(b)
	b.ReportAllocs()
	for b.Loop() {
		if pattern, _, err := api.Match("/v3/entity/dataset/" + encoded + "/ownership"); pattern == "" || err != nil {
			b.Fatal(pattern, err)
		}
	}
}
