package openapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// doWithHeaders sends a request with a header.
func (s *service) doWithHeaders(request, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, r)
	return rec
}

func TestAPreconditionInAHeaderIsKeptForASingleAspect(t *testing.T) {
	t.Parallel()
	const tag, path = "urn:li:tag:a", "/openapi/v3/entity/tag/urn:li:tag:a/tagProperties"
	value := func(name string) string { return `{"value":{"name":"` + name + `"}}` }
	for name, write := range map[string]func(s *service, headers ...string) *httptest.ResponseRecorder{
		"an aspect": func(s *service, headers ...string) *httptest.ResponseRecorder {
			return s.doWithHeaders("POST "+path+"?createIfNotExists=false", value("b"), headers...)
		},
		"an aspect of the second generation": func(s *service, headers ...string) *httptest.ResponseRecorder {
			return s.doWithHeaders("POST /openapi/v2/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", `{"name":"b"}`, headers...)
		},
		"a patch": func(s *service, headers ...string) *httptest.ResponseRecorder {
			return s.doWithHeaders("PATCH "+path, `{"patch":[{"op":"add","path":"/name","value":"b"}],"arrayPrimaryKeys":{},"forceGenericPatch":true}`, headers...)
		},
		"a list of one": func(s *service, headers ...string) *httptest.ResponseRecorder {
			return s.doWithHeaders("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":`+value("b")+`}]`, headers...)
		},
		"lists of several types": func(s *service, headers ...string) *httptest.ResponseRecorder {
			return s.doWithHeaders("POST /openapi/v3/entity/generic?async=false", `{"tag":[{"urn":"urn:li:tag:a","tagProperties":`+value("b")+`}]}`, headers...)
		},
		"a proposal": func(s *service, headers ...string) *httptest.ResponseRecorder {
			return s.doWithHeaders("POST /openapi/v2/platform/entities/v1/?async=false",
				`[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"{\"name\":\"b\"}"}}]`, headers...)
		},
	} {
		for header, holds := range map[[2]string]bool{
			{"If-Version-Match", "1"}: true, {"If-Version-Match", "7"}: false, {"If-Version-Match", "-1"}: false, {"if-version-match", " 1 "}: true,
			{"If-Match", `"1"`}: true, {"If-Match", "1"}: true, {"If-Match", `"2"`}: false,
			{"If-Modified-Since", "2020-01-01T00:00:00Z"}: true, {"If-Modified-Since", "Wed, 01 Jan 2098 00:00:00 GMT"}: false,
			{"If-Unmodified-Since", "2098-01-01T00:00:00Z"}: true, {"If-Unmodified-Since", "Wed, 01 Jan 2020 00:00:00 GMT"}: false,
		} {
			s := newService(t, options{})
			s.tag("a")
			rec := write(s, header[0], header[1])
			stored := s.ok("GET "+path, "")
			if holds {
				if rec.Code >= 300 {
					t.Errorf("%s, %v: %d %s, want it written", name, header, rec.Code, rec.Body)
				}
				wantAt(t, stored, `"b"`, "value", "name")
				continue
			}
			refused := http.StatusPreconditionFailed
			if name == "a proposal" {
				refused = http.StatusUnprocessableEntity // the status of this path for every refused value
			}
			if rec.Code != refused {
				t.Errorf("%s, %v: %d %s, want %d", name, header, rec.Code, rec.Body, refused)
			}
			wantAt(t, stored, `"a"`, "value", "name")
		}
	}
	s := newService(t, options{})
	if rec := s.doWithHeaders("POST /openapi/v3/entity/tag/"+tag+"/tagProperties", value("b"), "If-Version-Match", "-1"); rec.Code != http.StatusOK {
		t.Errorf("an absent aspect: %d %s", rec.Code, rec.Body)
	}
}

func TestAPreconditionInAHeaderThatCannotBeKeptIsRefused(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.tag("a")
	const one = `{"value":{"name":"b"}}`
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf(`{"urn":"urn:li:tag:t%d","tagProperties":%s}`, i, one)
	}
	for name, c := range map[string]struct {
		request, body string
		headers       []string
		says          string
	}{
		"two aspects":                    {"POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":` + one + `,"status":{"value":{"removed":true}}}]`, []string{"If-Version-Match", "1"}, "writes 2 aspects"},
		"two entities":                   {"POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":` + one + `},{"urn":"urn:li:tag:b","tagProperties":` + one + `}]`, []string{"If-Match", `"1"`}, "writes 2 aspects"},
		"ten thousand":                   {"POST /openapi/v3/entity/tag?async=false", "[" + strings.Join(many, ",") + "]", []string{"If-Match", `"1"`}, "writes 10000 aspects"},
		"none":                           {"POST /openapi/v3/entity/tag?async=false", `[]`, []string{"If-Match", `"1"`}, "writes 0 aspects"},
		"asynchronous, two aspects":      {"POST /openapi/v3/entity/tag", `[{"urn":"urn:li:tag:a","tagProperties":` + one + `,"status":{"value":{"removed":true}}}]`, []string{"If-Version-Match", "1"}, "writes 2 aspects"},
		"a deletion":                     {"DELETE /openapi/v3/entity/tag/urn:li:tag:a", "", []string{"If-Unmodified-Since", "2020-01-01T00:00:00Z"}, "header If-Unmodified-Since: this operation"},
		"a deletion of an aspect":        {"DELETE /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", "", []string{"If-Match", `"1"`}, "header If-Match: this operation"},
		"an event":                       {"POST /openapi/openlineage/api/v1/lineage", `{}`, []string{"If-Match", `"1"`}, "header If-Match: this operation"},
		"twice":                          {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Version-Match", "1", "If-Version-Match", "1"}, "sent 2 times"},
		"two that mean the same":         {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Version-Match", "1", "If-Match", `"1"`}, "states it as well"},
		"in the body, too":               {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", `{"value":{"name":"b"},"headers":{"if-version-match":"1"}}`, []string{"If-Version-Match", "1"}, "states it as well"},
		"any version":                    {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Match", "*"}, `must be one version such as "3"`},
		"a list of versions":             {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Match", `"1", "2"`}, `must be one version such as "3"`},
		"a weak version":                 {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Match", `W/"1"`}, `must be one version such as "3"`},
		"half a quote":                   {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Match", `"1`}, `must be one version such as "3"`},
		"an empty one":                   {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Version-Match", ""}, "whole number"},
		"a version that is no number":    {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Version-Match", "new"}, "whole number"},
		"a time that is none":            {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Unmodified-Since", "yesterday"}, "ISO 8601"},
		"a version beyond whole numbers": {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false", one, []string{"If-Match", `"` + strings.Repeat("9", 1000) + `"`}, `must be one version such as "3"`},
	} {
		if rec := s.doWithHeaders(c.request, c.body, c.headers...); rec.Code != http.StatusBadRequest || !strings.Contains(strings.ReplaceAll(rec.Body.String(), `\"`, `"`), c.says) {
			t.Errorf("%s: %d %s, want 400 with %s", name, rec.Code, rec.Body, c.says)
		}
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", ""), `"a"`, "value", "name")
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:b", "", 404, "")
	if rec := s.doWithHeaders("GET /openapi/v3/entity/tag/urn:li:tag:a", "", "If-Modified-Since", "Wed, 01 Jan 2098 00:00:00 GMT"); rec.Code != http.StatusOK {
		t.Errorf("a read: %d %s", rec.Code, rec.Body)
	}
}
