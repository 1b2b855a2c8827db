package openapi_test

import (
	"net/http"
	"testing"
)

const restorePath = "/openapi/operations/elasticSearch/restoreIndices"

func TestRestoreIndices(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}}},
		{"urn":"urn:li:tag:b","tagProperties":{"value":{"name":"b"}}}]`)
	result := func(ignored, rows, urn, aspect string) string {
		return `[{"ignored":` + ignored + `,"rowsMigrated":` + rows + `,"defaultAspectsCreated":0,"lastUrn":"` + urn + `","lastAspect":"` + aspect + `"}]`
	}
	for _, c := range []struct{ name, method, query, body, want string }{
		{"by pattern and aspect", http.MethodGet, "?urnLike=urn:li:tag:%25&aspectName=tagProperties", "", result("0", "2", "urn:li:tag:b", "tagProperties")},
		{"by name", http.MethodGet, "?urn=urn:li:tag:a&aspectName=tagProperties&batchSize=1&createDefaultAspects=true", "", result("0", "1", "urn:li:tag:a", "tagProperties")},
		{"a part", http.MethodGet, "?aspectName=tagProperties&start=1&limit=5", "", result("0", "1", "urn:li:tag:b", "tagProperties")},
		{"by time", http.MethodGet, "?aspectName=tagProperties&gePitEpochMs=1&lePitEpochMs=2", "", result("2", "0", "", "")},
		{"named in the body", http.MethodPost, "?aspectNames=tagProperties", `["urn:li:tag:b"]`, result("0", "1", "urn:li:tag:b", "tagProperties")},
		{"none named", http.MethodPost, "", `[]`, `[]`},
	} {
		t.Log(c.name)
		s.want(c.method+" "+restorePath+c.query, c.body, http.StatusOK, c.want)
	}
	for _, c := range []struct {
		name, method, query, body string
		want                      int
	}{
		{"a negative limit", http.MethodGet, "?limit=-1", "", http.StatusBadRequest},
		{"what is no URN", http.MethodPost, "", `["a"]`, http.StatusBadRequest},
		{"an unknown aspect", http.MethodGet, "?aspectName=none", "", http.StatusBadRequest},
		{"what is no flag", http.MethodGet, "?createDefaultAspects=maybe", "", http.StatusBadRequest},
	} {
		if got := s.do(c.method+" "+restorePath+c.query, c.body); got.Code != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, got.Code, got.Body, c.want)
		}
	}
	if got := newService(t, options{}).do("GET "+restorePath, ""); got.Code != http.StatusForbidden {
		t.Errorf("without the privilege: %d, want 403", got.Code)
	}
}
