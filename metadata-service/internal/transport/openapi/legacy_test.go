package openapi_test

import (
	"strings"
	"testing"
)

func TestTheFirstForm(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const post = "POST /openapi/entities/v1/"
	const body = `[{"entityType":"Tag","entityUrn":"urn:li:tag:a","aspect":{"__type":"TagProperties","name":"a"}},
		{"entityType":"tag","entityUrn":"urn:li:tag:a","aspect":{"__type":"Status","removed":false}},
		{"entityType":"tag","entityKeyAspect":{"__type":"TagKey","name":"b"},"aspect":{"__type":"TagProperties","name":"b"}}]`
	s.want(post, body, 201, `["urn:li:tag:a","urn:li:tag:b"]`)
	s.want(post, body, 200, `[]`)
	s.want(post+"?createIfNotExists=true", body, 422, `{"error":"Validation Error","message":"`+
		`Failed to validate MCP due to: ValidationExceptionCollection{EntityAspect:(urn:li:tag:a,tagProperties) Exceptions: [Cannot perform CREATE since the aspect exists already]}"}`)
	s.want(post, `[]`, 200, `[]`)

	s.want("GET /openapi/entities/v1/latest?urns=urn:li:tag:a&urns=urn:li:tag:x&aspectNames=STATUS", "", 200,
		`{"responses":{"urn:li:tag:a":{"aspects":{"status":{"created":{"actor":"urn:li:corpuser:tester","time":1754000000000},"name":"status","type":"VERSIONED",`+
			`"value":{"__type":"Status","removed":false},"version":0}},"entityName":"tag","urn":"urn:li:tag:a"}}}`)
	// A comma belongs to the URN here.
	s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","status":{"value":{"removed":false}}}]`)
	read := s.ok("GET /openapi/entities/v1/latest/?urns="+table+"&aspectNames=datasetKey", "")
	wantAt(t, read, `{"__type":"DatasetKey","name":"db.t","origin":"PROD","platform":"urn:li:dataPlatform:hive"}`, "responses", table, "aspects", "datasetKey", "value")
}

func TestUnionsOfTheFirstForm(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.want("POST /openapi/entities/v1", `[{"entityType":"dataset","entityUrn":"`+table+`","aspect":{"__type":"SchemaMetadata","schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"",
		"platformSchema":{"__type":"OtherSchema","rawSchema":""},"fields":[{"fieldPath":"f","nativeDataType":"int","type":{"__type":"SchemaFieldDataType","type":{"__type":"NumberType"}}}]}}]`,
		201, `["`+table+`"]`)
	stored := s.ok("GET /openapi/v3/entity/dataset/"+encoded+"/schemaMetadata", "")
	wantAt(t, stored, `{"com.linkedin.schema.NumberType":{}}`, "value", "fields", 0, "type", "type")
	read := s.ok("GET /openapi/entities/v1/latest?aspectNames=schemaMetadata&urns="+encoded, "")
	wantAt(t, read, `{"__type":"NumberType"}`, "responses", table, "aspects", "schemaMetadata", "value", "fields", 0, "type", "type")
}

func TestDeletionsOfTheFirstForm(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tag("a")
	s.want("DELETE /openapi/entities/v1/?urns=urn:li:tag:a", "", 200,
		`[{"rowsRolledBack":[{"urn":"urn:li:tag:a","aspectName":"status"}],"rowsDeletedFromEntityDeletion":0}]`)
	s.want("HEAD /openapi/v3/entity/tag/urn:li:tag:a", "", 404, "")
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a/status", ""), "true", "value", "removed")
	deleted := s.ok("DELETE /openapi/entities/v1/?urns=urn:li:tag:a&soft=false", "")
	wantAt(t, deleted, "[]", 0, "rowsRolledBack")
	wantAt(t, deleted, "3", 0, "rowsDeletedFromEntityDeletion")
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:a", "", 404, "")
}

func TestProposals(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const post = "POST /openapi/v2/platform/entities/v1/?async=false"
	const body = `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties",
		"aspect":{"contentType":"application/json","value":"{\"name\":\"a\"}"},"systemMetadata":{"runId":"r1"}}]`
	s.want(post, body, 201, `["urn:li:tag:a"]`)
	s.want(strings.TrimSuffix(post, "/?async=false"), body, 200, `[]`)
	s.want(post, `[{"entityType":"tag","entityUrn":"urn:li:tag:typed","changeType":"UPSERT","aspectName":"tagProperties",
		"aspect":{"contentType":"application/json","value":{"__type":"TagProperties","name":"typed"}}}]`, 201, `["urn:li:tag:typed"]`)
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:typed/tagProperties", "", 200, `{"value":{"name":"typed"}}`)
	s.want(post, `[{"entityType":"tag","entityUrn":"urn:li:tag:typed","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"value":7}}]`, 400,
		`{"error":"Malformed request body","message":"aspect.value must be a string, is number"}`)
	s.want(post, `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties",
		"aspect":{"contentType":"application/json","value":"{\"name\":\"b\"}"},"headers":{"If-Version-Match":"8"}}]`, 422,
		`{"error":"Precondition Error","message":"Failed to validate MCP due to: ValidationExceptionCollection{EntityAspect:(urn:li:tag:a,tagProperties) Exceptions: [Expected version 8, actual version 1]}"}`)
	s.want(post, `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"DELETE","aspectName":"tagKey"}]`, 201, `["urn:li:tag:a"]`)
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:a", "", 404, "")
	s.want("POST /openapi/platform/entities/v1", body, 404, `{"error":"No endpoint POST /openapi/platform/entities/v1."}`)
}

func TestProposalsNameMembersOfUnionsByTheirRecord(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	body := `[{"entityType":"dataset","entityUrn":"` + table + `","changeType":"UPSERT","aspectName":"schemaMetadata","aspect":{"contentType":"application/json",
		"value":{"__type":"SchemaMetadata","schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"__type":"OtherSchema","rawSchema":"x"},
		"fields":[{"fieldPath":"f","nativeDataType":"int","type":{"__type":"SchemaFieldDataType","type":{"__type":"NumberType"}}}]}}}]`
	const post = "POST /openapi/v2/platform/entities/v1/?async=false"
	s.want(post, body, 201, `["`+table+`"]`)
	stored := s.ok("GET /openapi/v3/entity/dataset/"+table+"/schemaMetadata", "")
	wantAt(t, stored, `{"com.linkedin.schema.OtherSchema":{"rawSchema":"x"}}`, "value", "platformSchema")
	wantAt(t, stored, `{"type":{"com.linkedin.schema.NumberType":{}}}`, "value", "fields", 0, "type")
	s.want(post, body, 200, `[]`)
	if rec := s.do(post, strings.Replace(body, "NumberType", "Nonsense", 1)); rec.Code != 422 || !strings.Contains(rec.Body.String(), "/fields/0/type/type") {
		t.Errorf("an unknown member gives %d %s", rec.Code, rec.Body)
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/dataset/"+table+"/schemaMetadata", ""), `{"type":{"com.linkedin.schema.NumberType":{}}}`, "value", "fields", 0, "type")
}
