package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// discarded is a response of which only the length is recorded.
type discarded struct {
	header http.Header
	status int
	length int
}

func (d *discarded) Header() http.Header    { return d.header }
func (d *discarded) WriteHeader(status int) { d.status = status }

func (d *discarded) Write(text []byte) (int, error) {
	d.length += len(text)
	return len(text), nil
}

// allocated returns the response and the bytes that one request allocates. No other code may run.
func (s *service) allocated(path, body string) (answer *discarded, bytes uint64) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	answer = &discarded{header: http.Header{}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.handler.ServeHTTP(answer, r)
	runtime.ReadMemStats(&after)
	return answer, after.TotalAlloc - before.TotalAlloc
}

// A response may contain the same large value many times, and need not be in memory as a whole.
func TestAnswersOfRepeatedEntitiesTakeTheMemoryOfOne(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	s := newService(t, options{})
	const length, times = 1 << 20, 60
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a","description":"`+strings.Repeat("x", length)+`"}}}]`)
	repeated := func(text string) string { return strings.TrimSuffix(strings.Repeat(text+",", times), ",") }
	for path, body := range map[string]string{
		"/openapi/v3/entity/tag/batchGet":     "[" + repeated(`{"urn":"urn:li:tag:a"}`) + "]",
		"/openapi/v3/entity/generic/batchGet": `{"tag":[` + repeated(`{"urn":"urn:li:tag:a"}`) + "]}",
		"/openapi/v2/entity/batch/tag":        `{"urns":[` + repeated(`"urn:li:tag:a"`) + "]}",
	} {
		answer, bytes := s.allocated(path, body)
		if answer.status != http.StatusOK || answer.length < times*length || bytes > times*length/4 {
			t.Errorf("%s: %d, an answer of %d bytes allocates %d", path, answer.status, answer.length, bytes)
		}
	}
}
