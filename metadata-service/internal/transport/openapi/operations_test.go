package openapi_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestTracesOfWrites(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	written := s.do("POST /openapi/v3/entity/tag?async=false", "["+tagA+"]")
	id := strings.Split(written.Header().Get("traceparent"), "-")[1]
	const done = `{"success":true,"primaryStorage":{"writeStatus":"ACTIVE_STATE"},"searchStorage":{"writeStatus":"ACTIVE_STATE"}}`
	const ask = "?onlyIncludeErrors=false&detailed=true"
	s.want("POST /openapi/v1/trace/write/"+id+ask, `{"urn:li:tag:a":["TagProperties"]}`, 200, `{"urn:li:tag:a":{"tagProperties":`+done+`}}`)
	s.want("POST /openapi/v1/trace/write/"+id+ask, `{"urn:li:tag:a":[]}`, 200, `{"urn:li:tag:a":{"tagKey":`+done+`,"tagProperties":`+done+`}}`)
	s.want("POST /openapi/v1/trace/write/"+written.Header().Get("traceparent")+ask, `{"urn:li:tag:a":["tagKey"]}`, 200, `{"urn:li:tag:a":{"tagKey":`+done+`}}`)
	s.want("POST /openapi/v1/trace/write/"+id, `{"urn:li:tag:a":["tagKey"]}`, 200, `{}`)

	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"b"}}}]`)
	wantAt(t, s.ok("POST /openapi/v1/trace/write/"+id+ask, `{"urn:li:tag:a":["tagProperties"]}`), `"HISTORIC_STATE"`,
		"urn:li:tag:a", "tagProperties", "primaryStorage", "writeStatus")
	wantAt(t, s.ok("POST /openapi/v1/trace/write/"+id, `{"urn:li:tag:a":["status"]}`),
		`{"primaryStorage":{"writeMessage":"nothing is stored","writeStatus":"ERROR"},"searchStorage":{"writeMessage":"Primary storage write failed.","writeStatus":"ERROR"},"success":false}`, "urn:li:tag:a", "status")
	wantAt(t, s.ok("POST /openapi/v1/trace/write/"+id+"?detailed=true&skipCache=true", `{"urn:li:tag:a":["status"]}`), `[{"message":"nothing is stored"}]`,
		"urn:li:tag:a", "status", "primaryStorage", "writeExceptions")
	again := strings.Split(s.do("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"b"}}}]`).Header().Get("traceparent"), "-")[1]
	s.want("POST /openapi/v1/trace/write/"+again+ask, `{"urn:li:tag:a":["tagProperties"]}`, 200,
		`{"urn:li:tag:a":{"tagProperties":{"success":true,"primaryStorage":{"writeStatus":"NO_OP"},"searchStorage":{"writeStatus":"NO_OP"}}}}`)
	profiled := strings.Split(s.do("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","datasetProfile":{"value":{"timestampMillis":5,"rowCount":1}}}]`).Header().Get("traceparent"), "-")[1]
	s.want("POST /openapi/v1/trace/write/"+profiled+ask, `{"`+table+`":["datasetProfile"]}`, 200,
		`{"`+table+`":{"datasetProfile":{"success":true,"primaryStorage":{"writeStatus":"NO_OP"},"searchStorage":{"writeStatus":"TRACE_NOT_IMPLEMENTED"}}}}`)
	if rec := s.do("POST /openapi/v1/trace/write/"+id, `{"urn:li:tag:forbidden":[]}`); rec.Code != 403 {
		t.Errorf("a trace of a forbidden entity gives %d, want 403", rec.Code)
	}
}

func TestSpecifications(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	first := s.ok("GET /openapi/v1/registry/models/entity/specifications", "")
	wantAt(t, first, "5", "count")
	seen, total := 0, 1
	for seen < total {
		page := s.ok("GET /openapi/v1/registry/models/entity/specifications?count=30&start="+itoa(seen), "")
		elements := at(t, page, "elements").([]any)
		for _, e := range elements {
			if at(t, e, "keyAspectSpec", "aspectAnnotation", "name") != at(t, e, "keyAspectName") {
				t.Errorf("the key of %v differs", at(t, e, "name"))
			}
			wantAt(t, e, `"unknownRegistry"`, "aspectSpecs", 0, "registryName")
		}
		seen += len(elements)
		total = int(number(t, at(t, page, "total")))
	}
	reg, _ := registry()
	if seen != len(reg.Entities()) {
		t.Errorf("the pages have %d entity types, want %d", seen, len(reg.Entities()))
	}
	dataset := s.ok("GET /openapi/v1/registry/models/entity/specifications/DATASET", "")
	wantAt(t, dataset, `"datasetKey"`, "keyAspectName")
	wantAt(t, dataset, `{"keyAspect":"datasetKey","name":"dataset"}`, "entityAnnotation")
	wantAt(t, s.ok("GET /openapi/v1/registry/models/entity/specifications/tag/aspects", ""), `"tagKey"`, 0, "aspectAnnotation", "name")
	wantAt(t, s.ok("GET /openapi/v1/registry/models/aspect/specifications", ""), "20", "count")
	wantAt(t, s.ok("GET /openapi/v1/registry/models/aspect/specifications/DATASETPROFILE", ""), "true", "aspectAnnotation", "timeseries")
	s.want("GET /openapi/v1/registry/models/event/specifications", "", 200, `{"start":0,"count":0,"total":0,"elements":[]}`)
	for _, path := range []string{"models/entity/specifications/x", "models/entity/specifications/x/aspects", "models/aspect/specifications/x", "lineage/specifications/x", "lineage/edges/x"} {
		s.want("GET /openapi/v1/registry/"+path, "", 404, "")
	}
}

func TestLineageSpecifications(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	const up, down = `{"direction":"UPSTREAM","opposingEntity":"dataset","type":"DownstreamOf"}`, `{"direction":"DOWNSTREAM","opposingEntity":"dataset","type":"DownstreamOf"}`
	has := func(tree any, want string) {
		t.Helper()
		if text := encode(tree); !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	has(at(t, s.ok("GET /openapi/v1/registry/lineage/specifications/dataset", ""), "upstreamEdges"), up)
	has(at(t, s.ok("GET /openapi/v1/registry/lineage/specifications", ""), "dataset", "downstreamEdges"), down)
	has(s.ok("GET /openapi/v1/registry/lineage/edges/dataset", ""), up)
	upstream := s.ok("GET /openapi/v1/registry/lineage/edges/dataset/upstream", "")
	has(upstream, up)
	if strings.Contains(encode(upstream), "DOWNSTREAM") {
		t.Errorf("the upstream edges have others: %s", encode(upstream))
	}
	wantAt(t, s.ok("GET /openapi/v1/registry/lineage/edges/tag", ""), "[]")
}

func TestMessagingFigures(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","datasetProfile":{"value":{"timestampMillis":1,"rowCount":1}}}]`)
	const path = "GET /openapi/operations/messaging/"
	// A write waits for the followers that it concerns; other followers pass its entries a moment
	// later.
	followed := func(stream string, at func(any) any) any {
		for {
			got := s.ok(path+stream, "")
			if encode(at(got)) == `{"avgLag":0,"maxLag":0,"medianLag":0,"totalLag":0}` || t.Context().Err() != nil {
				return got
			}
			time.Sleep(time.Millisecond)
		}
	}
	profile := followed("mcl-timeseries/consumer/lag?skipCache=true&detailed=true", func(got any) any {
		return at(t, got, "consumerGroups", "generic-mae-consumer-job-client-timeseries", "MetadataChangeLog_Timeseries_v1", "metrics")
	})
	wantAt(t, profile, `"kafka"`, "transport")
	topic := at(t, profile, "consumerGroups", "generic-mae-consumer-job-client-timeseries", "MetadataChangeLog_Timeseries_v1")
	wantAt(t, topic, `{"avgLag":0,"maxLag":0,"medianLag":0,"totalLag":0}`, "metrics")
	if offset := number(t, at(t, topic, "partitions", "0", "offset")); offset < 2 {
		t.Errorf("the offset is %d, want the log behind the document", offset)
	}
	search := at(t, followed("mcl/consumer/lag", func(got any) any {
		return at(t, got, "consumerGroups", "generic-mae-consumer-job-client-search", "MetadataChangeLog_Versioned_v1", "metrics")
	}), "consumerGroups", "generic-mae-consumer-job-client-search", "MetadataChangeLog_Versioned_v1")
	wantAt(t, search, `{"avgLag":0,"maxLag":0,"medianLag":0,"totalLag":0}`, "metrics")
	wantAt(t, s.ok(path+"mcp/consumer/lag", ""), "0", "consumerGroups", "generic-mce-consumer-job-client", "MetadataChangeProposal_v1", "metrics", "totalLag")
	wantAt(t, s.ok(path+"usage-events/consumer/lag", ""), "0", "consumerGroups", "datahub-usage-event-consumer-job-client", "DataHubUsageEvent_v1", "partitions", "0", "lag")
	wantAt(t, s.ok("GET /openapi/operations/kafka/mcl-timeseries/consumer/offsets", ""), "0", "generic-mae-consumer-job-client-timeseries", "MetadataChangeLog_Timeseries_v1", "partitions", "0", "lag")
	s.want(path+"transport", "", 200, `{"transport":"kafka","metadataChangeProposalTopic":"MetadataChangeProposal_v1","metadataChangeLogVersionedTopic":"MetadataChangeLog_Versioned_v1","metadataChangeLogTimeseriesTopic":"MetadataChangeLog_Timeseries_v1"}`)
}

func TestTheThrottleTellsItsState(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	const path, on = "/openapi/operations/throttle/requests", `{"[MANUAL]":{"throttled":{"MANUAL":true},"backoffWaitMs":{"MANUAL":1000}}}`
	s.want("GET "+path, "", 200, `{}`)
	s.want("POST "+path+"/manual?enabled=true", "", 200, on)
	s.want("GET "+path, "", 200, on)
	s.want("POST "+path+"/manual?enabled=false", "", 200, `{}`)
	for _, wrong := range []string{"", "?enabled=", "?enabled=perhaps"} {
		if got := s.do("POST "+path+"/manual"+wrong, ""); got.Code != 400 || !strings.Contains(got.Body.String(), "enabled") {
			t.Errorf("%q: %d %s", wrong, got.Code, got.Body)
		}
	}
}

func TestSmallOperations(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.want("GET /openapi/operations/identity/user/urn?skipCache=false", "", 200, `{"urn":"urn:li:corpuser:tester"}`)
	s.want("GET /openapi/operations/dev/featureFlags", "", 200, `{"readOnly":false,"showBrowseV2":true}`)
	s.want("GET /openapi/operations/dev/featureFlags/showBrowseV2", "", 200, `{"showBrowseV2":true}`)
	s.want("GET /openapi/operations/dev/featureFlags/x", "", 404, `{"error":"Unknown flag: x","available":"readOnly, showBrowseV2"}`)
	s.want("POST /openapi/v1/tracking/track", `{"type":"LogInEvent","other":[1]}`, 200, "")
	s.want("GET /openapi/v1/system-info/properties/simple", "", 200, `{"auth.salt_bytes":"16","store.driver":"memory","system_secret":"***REDACTED***","token.cache":"lru"}`)
	const consumer = `"status":"AVAILABLE","version":"v0.0.1","properties":{"mode":"embedded","runsIn":"gms"}}`
	const components = `{"gms":{"name":"GMS","status":"AVAILABLE","version":"v0.0.1","properties":{"auth.salt_bytes":"16","store.driver":"memory","system_secret":"***REDACTED***","token.cache":"lru"}},` +
		`"maeConsumer":{"name":"MAE Consumer",` + consumer + `,"mceConsumer":{"name":"MCE Consumer",` + consumer + `}`
	s.want("GET /openapi/v1/system-info/spring-components", "", 200, components)
	s.want("GET /openapi/v1/system-info", "", 200, `{"springComponents":`+components+`}`)
	all := s.ok("GET /openapi/v1/system-info/properties", "")
	wantAt(t, all, `{"key":"store.driver","resolvedValue":"memory","source":"settings","sourceType":"configuration","value":"memory"}`, "properties", "store.driver")
	wantAt(t, all, `"***REDACTED***"`, "properties", "system_secret", "resolvedValue")
	wantAt(t, all, `[{"name":"settings","propertyCount":4,"type":"configuration"}]`, "propertySources")
	wantAt(t, all, `4`, "totalProperties")
	wantAt(t, all, `1`, "redactedProperties")
}

// The trace reports an unmet condition of an asynchronous write, and the other proposals of the
// batch are written. A batch that violates a rule is refused as a whole.
func TestFailuresOfAsynchronousWritesAreTraced(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tag("a")
	const body = `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"b"},"headers":{"If-Version-Match":"7"}},"status":{"value":{"removed":false}}},` +
		`{"urn":"urn:li:tag:none","tagProperties":{"value":{"name":"n"},"headers":{"If-Version-Match":"3"}}}]`
	if rec := s.do("POST /openapi/v3/entity/tag?async=false", body); rec.Code != 412 {
		t.Errorf("a synchronous write gives %d, want 412", rec.Code)
	}
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:a/status", "", 404, "")

	accepted := s.do("POST /openapi/v3/entity/tag", body)
	const echoed = `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"b"}},"status":{"value":{"removed":false}}},{"urn":"urn:li:tag:none","tagProperties":{"value":{"name":"n"}}}]`
	if accepted.Code != 202 || strings.TrimSpace(accepted.Body.String()) != echoed {
		t.Errorf("the write gives %d %s, want 202 %s", accepted.Code, accepted.Body, echoed)
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a", ""), `"a"`, "tagProperties", "value", "name")
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a/status", ""), "false", "value", "removed")
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:none", "", 404, "")

	id := strings.Split(accepted.Header().Get("traceparent"), "-")[1]
	failed := func(reason, exceptions string) string {
		return `{"success":false,"primaryStorage":{"writeStatus":"ERROR","writeMessage":"` + reason + `"` + exceptions + `},"searchStorage":{"writeStatus":"ERROR","writeMessage":"Primary storage write failed."}}`
	}
	const differs, absent = "Expected version 7, actual version 1", "Expected version 3, actual version -1"
	s.want("POST /openapi/v1/trace/write/"+id+"?detailed=true", `{"urn:li:tag:a":["tagProperties","status"],"urn:li:tag:none":[]}`, 200,
		`{"urn:li:tag:a":{"tagProperties":`+failed(differs, `,"writeExceptions":[{"message":"`+differs+`"}]`)+`},"urn:li:tag:none":{"tagProperties":`+failed(absent, `,"writeExceptions":[{"message":"`+absent+`"}]`)+`}}`)
	s.want("POST /openapi/v1/trace/write/"+id, `{"urn:li:tag:none":["TagProperties"]}`, 200, `{"urn:li:tag:none":{"tagProperties":`+failed(absent, "")+`}}`)
	wantAt(t, s.ok("POST /openapi/v1/trace/write/"+id+"?onlyIncludeErrors=false", `{"urn:li:tag:a":["status"]}`), `"ACTIVE_STATE"`, "urn:li:tag:a", "status", "searchStorage", "writeStatus")

	const proposals = `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"{\"name\":\"c\"}"},"headers":{"If-Version-Match":"8"}}]`
	s.want("POST /openapi/v2/platform/entities/v1/?async=true", proposals, 200, `[]`)
	s.want("POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?async=true&createIfNotExists=false", `{"value":{"name":"c"},"headers":{"If-Version-Match":"9"}}`, 202,
		`{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"c"}}}`)
	s.wantSystem(s.do("POST /openapi/v3/entity/tag?systemMetadata=true", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"d"},"systemMetadata":{"runId":"r1","lastObserved":5},"headers":{"If-Version-Match":"9"}},`+
		`"status":{"value":{"removed":false}}}]`), `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"d"},"systemMetadata":{"lastObserved":5,"runId":"r1","properties":{"telemetryTraceId":"TRACE"},"schemaVersion":1},`+
		`"auditStamp":{"time":NOW,"actor":"urn:li:corpuser:tester"}},"status":{"value":{"removed":false},"systemMetadata":{"lastObserved":NOW,"properties":{"isNoOp":"true","telemetryTraceId":"TRACE","writtenTraceId":"OTHER"},`+
		`"version":"1","schemaVersion":1,"aspectCreated":{"time":NOW,"actor":"urn:li:corpuser:tester"},"aspectModified":{"time":NOW,"actor":"urn:li:corpuser:tester"}},"auditStamp":{"time":NOW,"actor":"urn:li:corpuser:tester"}}}]`)
	s.wantSystem(s.do("POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?async=true&createIfNotExists=false&systemMetadata=true", `{"value":{"name":"c"},"headers":{"If-Version-Match":"9"}}`),
		`{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"c"},"systemMetadata":{"lastObserved":NOW,"properties":{"telemetryTraceId":"TRACE"},"schemaVersion":1},"auditStamp":{"time":NOW,"actor":"urn:li:corpuser:tester"}}}`)
	s.wantSystem(s.do("POST /openapi/v3/entity/tag?systemMetadata=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"d"},"headers":{"If-Version-Match":"9"}}}]`), `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"d"}}}]`)
	invalid := strings.Replace(body, `{"value":{"name":"n"},"headers":{"If-Version-Match":"3"}}`, `{"value":{"colorHex":"#ff0000"}}`, 1)
	if rec := s.do("POST /openapi/v3/entity/tag", invalid); rec.Code != 400 {
		t.Errorf("a batch that breaks a rule gives %d, want 400", rec.Code)
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a", ""), `"a"`, "tagProperties", "value", "name")
}

var (
	traceIDs = regexp.MustCompile(`("telemetryTraceId":|"writtenTraceId":)"[0-9a-f]{32}"`)
	times    = regexp.MustCompile(`("time":|"lastObserved":)[0-9]{13}`)
)

// wantSystem compares an accepted write with a response in which NOW replaces a time, TRACE the
// trace id of the request and OTHER that of an earlier one.
func (s *service) wantSystem(rec *httptest.ResponseRecorder, want string) {
	s.t.Helper()
	id := strings.Split(rec.Header().Get("traceparent"), "-")[1]
	got := times.ReplaceAllString(strings.TrimSpace(rec.Body.String()), "${1}NOW")
	got = traceIDs.ReplaceAllStringFunc(got, func(found string) string {
		name, value, _ := strings.Cut(found, ":")
		if value == `"`+id+`"` {
			return name + `:"TRACE"`
		}
		return name + `:"OTHER"`
	})
	if rec.Code != 202 || got != want {
		s.t.Errorf("got %d %s\nwant 202 %s", rec.Code, got, want)
	}
}
