package openapi_test

import (
	"net/http"
	"testing"
)

func TestEventsOfATimelineHaveTheStampOfTheirTransaction(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.ok("POST /openapi/v3/entity/glossaryTerm?async=false", `[{"urn":"urn:li:glossaryTerm:a","glossaryRelatedTerms":{"value":{"isRelatedTerms":["urn:li:glossaryTerm:b"]}}}]`)
	told := s.ok("GET /openapi/v2/timeline/v1/urn:li:glossaryTerm:a?categories=GLOSSARY_TERM", "")
	wantAt(t, told, `"0.0.0-computed"`, 0, "semVer")
	wantAt(t, told, `"urn:li:corpuser:tester"`, 0, "actor")
	wantAt(t, told, `{"category":"GLOSSARY_TERM","description":"Added relationship Is A with urn:li:glossaryTerm:b.","entityUrn":"urn:li:glossaryTerm:a","modifier":"urn:li:glossaryTerm:b",`+
		`"operation":"ADD","parameters":{"relationshipType":"Is A","termUrn":"urn:li:glossaryTerm:b"},"semVerChange":"MINOR"}`, 0, "changeEvents", 0)
}

func TestTimelinesAreNarrowed(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a","description":"first"}},"deprecation":{"value":{"deprecated":true,"note":"","actor":"urn:li:corpuser:jo"}}}]`)
	const path = "/openapi/v2/timeline/v1/urn%3Ali%3Atag%3Aa?categories="
	for query, n := range map[string]int{
		"DOCUMENTATION": 1, "documentation&categories=deprecation": 1, "TAG": 0, "documentation&startTime=-1": 1, "documentation&startTime=-1000": 1,
		"documentation&startTime=1754000000001": 0, "documentation&endTime=1753999999999": 0, "documentation&endTime=-1000": 0,
		"documentation&endTime=1754000000000&startTime=1754000000000": 1, "documentation&endTime=0&startTime=0": 1,
	} {
		for _, from := range []string{path, "/openapi/timeline/v1/urn:li:tag:a?categories="} {
			if got, _ := s.ok("GET "+from+query, "").([]any); len(got) != n {
				t.Errorf("%s%s: got %v, want %d transactions", from, query, got, n)
			}
		}
	}
}

func TestTimelinesThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	for target, status := range map[string]int{
		"urn:li:tag:a":                                   http.StatusBadRequest,
		"urn:li:tag:a?categories=":                       http.StatusBadRequest,
		"urn:li:tag:a?categories=TAGS":                   http.StatusBadRequest,
		"urn:li:tag:a?categories=TAG&startTime=x":        http.StatusBadRequest,
		"urn:li:tag:a?categories=TAG&endTime=1.5":        http.StatusBadRequest,
		"urn:li:tag:a?categories=TAG&raw=yes":            http.StatusBadRequest,
		"urn:li:tag:a?categories=TAG&includeVersionSet=": http.StatusOK,
		"urn:li:nothing:a?categories=TAG":                http.StatusBadRequest,
		"urn:li:tag:forbidden?categories=DOCUMENTATION":  http.StatusForbidden,
	} {
		if rec := s.do("GET /openapi/v2/timeline/v1/"+target, ""); rec.Code != status {
			t.Errorf("%s: got %d %s, want %d", target, rec.Code, rec.Body, status)
		}
	}
}
