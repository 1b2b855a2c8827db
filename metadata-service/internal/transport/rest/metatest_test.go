package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEvaluateTests tests the endpoint by the API documentation of the product, below every
// prefix.
func TestEvaluateTests(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest(dataset, "datasetProperties", `{"description":"x"}`)
	define := func(id, operator string) {
		s.ingest("urn:li:test:"+id, "testInfo", `{"name":"`+id+`","category":"c","definition":{"type":"JSON","json":"{\"on\":{\"types\":[\"dataset\"]},\"rules\":{\"property\":\"datasetProperties.description\",\"operator\":\"`+operator+`\"}}"}}`)
	}
	define("described", "exists")
	define("blank", "not_exists")
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		all := s.post(prefix+"/test?action=evaluate", `{"urn":"`+dataset+`"}`)
		for _, want := range []string{
			`{"value":{"failing":[{"lastComputed":{"actor":"urn:li:corpuser:jo","time":`, `"test":"urn:li:test:blank","testDefinitionMd5":"`, `"type":"FAILURE"}],"passing":[{`,
			`"test":"urn:li:test:described"`, `"type":"SUCCESS"}]}}`,
		} {
			if all.Code != http.StatusOK || !strings.Contains(all.Body.String(), want) {
				t.Errorf("%s: %d %s, want %q in it", prefix, all.Code, all.Body, want)
			}
		}
	}
	results := "/aspects/" + encode(dataset) + "?aspect=testResults&version=0"
	if got := s.get(results); got.Code != http.StatusNotFound {
		t.Errorf("kept without push: %d %s", got.Code, got.Body)
	}
	one := s.post("/test?action=evaluate", `{"urn":"`+dataset+`","push":true,"testUrns":["urn:li:test:described"]}`)
	if strings.Contains(one.Body.String(), "blank") || !strings.Contains(one.Body.String(), `"failing":[]`) {
		t.Errorf("one test: %s", one.Body)
	}
	if got := s.get(results); got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "urn:li:test:described") {
		t.Errorf("what was pushed: %d %s", got.Code, got.Body)
	}
	for body, want := range map[string]struct {
		status int
		says   string
	}{
		``:                           {http.StatusBadRequest, "urn"},
		`{"urn":"orders"}`:           {http.StatusBadRequest, "orders"},
		`{"urn":7}`:                  {http.StatusBadRequest, "urn"},
		`{"urn":"` + dataset + `x"}`: {http.StatusBadRequest, "urn"},
		`{"urn":"urn:li:tag:none"}`:  {http.StatusNotFound, "urn:li:tag:none"},
		`{"urn":"` + dataset + `","testUrns":["urn:li:test:gone"]}`:    {http.StatusNotFound, "urn:li:test:gone"},
		`{"urn":"` + dataset + `","testUrns":["urn:li:tag:x"]}`:        {http.StatusBadRequest, "testUrns[0]"},
		`{"urn":"` + dataset + `","testUrns":"urn:li:test:described"}`: {http.StatusBadRequest, "testUrns"},
		`{"urn":"` + dataset + `","push":"perhaps"}`:                   {http.StatusBadRequest, "push"},
	} {
		s.post("/test?action=evaluate", body).fails(want.status, want.says)
	}
	s.post("/test?action=guess", `{}`).fails(http.StatusBadRequest, "evaluate")
	denied := newService(t, denying("MANAGE_TESTS"))
	denied.post("/test?action=evaluate", `{"urn":"`+dataset+`"}`).fails(http.StatusUnauthorized, "MANAGE_TESTS")
}

// TestDefinitionsAreCheckedAtEveryDoor writes a definition without the services.
func TestDefinitionsAreCheckedAtEveryDoor(t *testing.T) {
	t.Parallel()
	s := newService(t)
	body := `{"proposal":` + envelope(t, `{"entityType":"test","entityUrn":"urn:li:test:x","aspectName":"testInfo","aspect":{"contentType":"application/json","value":`+
		quote(`{"name":"x","category":"c","definition":{"type":"JSON","json":"{\"on\":{\"types\":[\"tables\"]}}"}}`)+`}}`) + `}`
	s.post("/aspects?action=ingestProposal", body).fails(http.StatusUnprocessableEntity, "on.types[0]")
}
