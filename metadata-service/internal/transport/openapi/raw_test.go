package openapi_test

import "testing"

func TestIndexedDocumentsHaveTheTypesOfTheirFields(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","status":{"value":{"removed":false}},
		"globalTags":{"value":{"tags":[{"tag":"urn:li:tag:a"}]}},
		"datasetProperties":{"value":{"name":"t","created":{"time":5}}}}]`)
	doc := at(t, s.ok("POST /openapi/operations/elasticSearch/entity/raw", `["`+table+`"]`), table)
	wantAt(t, doc, `false`, "removed")
	wantAt(t, doc, `["urn:li:tag:a"]`, "tags")
	wantAt(t, doc, `"t"`, "name")
	wantAt(t, doc, `5`, "createdAt")
	wantAt(t, doc, `true`, "hasTags")
}
