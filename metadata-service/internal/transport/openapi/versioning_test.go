package openapi_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

func TestVersionsAreLinkedAndUnlinked(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	const set = "urn:li:versionSet:(churn,mlModel)"
	model := func(n string) string { return "urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn_" + n + ",PROD)" }
	link := func(n string) string {
		return "/openapi/v3/entity/versioning/" + set + "/relationship/versionOf/" + model(n)
	}
	latest := func() any {
		return at(t, s.ok("GET /openapi/v3/entity/versionSet/"+set, ""), "versionSetProperties", "value", "latest")
	}
	isLatest := func(n string) string {
		return string(jsontree.Encode(at(t, s.ok("GET /openapi/v3/entity/mlModel/"+model(n), ""), "versionProperties", "value", "isLatest")))
	}
	first := s.ok("POST "+link("1"), `{"version":"1","sourceCreationTimestamp":5,"sourceCreator":"urn:li:corpuser:jo"}`)
	wantAt(t, first, `"AAAAAAAA"`, "versionProperties", "value", "sortId")
	second := s.ok("POST "+link("2"), `{"version":"2","comment":"better"}`)
	wantAt(t, second, `"AAAAAAAB"`, "versionProperties", "value", "sortId")
	if latest() != model("2") || isLatest("1") != "false" || isLatest("2") != "true" {
		t.Errorf("the latest is %v; marks are %s and %s", latest(), isLatest("1"), isLatest("2"))
	}
	if w := s.do("POST "+link("3"), `{"version":"2"}`); w.Code < 400 || w.Code > 499 {
		t.Errorf("a label that is there already gives %d", w.Code)
	}
	if w := s.do("POST "+link("3"), `{}`); w.Code != 400 {
		t.Errorf("no label gives %d", w.Code)
	}
	s.want("DELETE "+link("2"), "", 200, "[]")
	if latest() != model("1") || isLatest("1") != "true" {
		t.Errorf("after unlinking the latest is %v, its mark %s", latest(), isLatest("1"))
	}
	if w := s.do("DELETE "+link("2"), ""); w.Code < 400 || w.Code > 499 {
		t.Errorf("unlinking what is not linked gives %d", w.Code)
	}
	s.want("DELETE "+link("1"), "", 200, "[]")
	if w := s.do("GET /openapi/v3/entity/versionSet/"+set, ""); w.Code != 404 {
		t.Errorf("a set without versions gives %d", w.Code)
	}
}
