package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const joInfo = `{"active":true,"displayName":"Jo","email":"jo@example.org"}`

func TestSnapshots(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest(string(jo), "corpUserInfo", joInfo)
	one := `{"value":{"com.linkedin.metadata.snapshot.CorpUserSnapshot":{"urn":"urn:li:corpuser:jo","aspects":[
		{"com.linkedin.metadata.key.CorpUserKey":{"username":"jo"}},{"com.linkedin.identity.CorpUserInfo":` + joInfo + `}]}}}`
	key := func(name string) string {
		return `{"value":{"com.linkedin.metadata.snapshot.CorpUserSnapshot":{"urn":"urn:li:corpuser:` + name + `","aspects":[
			{"com.linkedin.metadata.key.CorpUserKey":{"username":"` + name + `"}}]}}}`
	}
	for _, path := range []string{"/entities/urn:li:corpuser:jo", "/entities/urn%3Ali%3Acorpuser%3Ajo", "/gms/entities/urn:li:corpuser:jo",
		"/api/gms/entities/urn:li:corpuser:jo?aspects=List(corpUserInfo,com.linkedin.identity.CorpUserStatus)"} {
		s.get(path).is(http.StatusOK, one)
	}
	s.get("/entities/urn:li:corpuser:jo?aspects=List(corpUserStatus)").is(http.StatusOK, key("jo"))
	s.get("/entities/urn:li:corpuser:none").is(http.StatusOK, key("none"))
	s.get("/entities?ids=List(urn%3Ali%3Acorpuser%3Ajo,urn:li:corpuser:none)").is(http.StatusOK,
		`{"results":{"urn:li:corpuser:jo":`+one+`,"urn:li:corpuser:none":`+key("none")+`},"statuses":{},"errors":{}}`)

	s.get("/entities").fails(http.StatusBadRequest, "query parameter ids is required")
	s.get("/entities?ids=List(jo)").fails(http.StatusBadRequest, "must start with urn:li:")
	s.get("/entities?ids=List(a").fails(http.StatusBadRequest, "not closed")
	s.get("/entities/jo").fails(http.StatusBadRequest, "must start with urn:li:")
}

// Types that are newer than snapshots have none; their entities are returned with their aspects
// all the same.
func TestEntitiesWithoutASnapshotAreAnsweredWithTheirAspects(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest("urn:li:domain:sales", "domainProperties", `{"name":"Sales"}`)
	s.ingest(string(jo), "corpUserInfo", joInfo)
	for _, query := range []string{"", "?aspects=List(domainProperties)", "?aspects=List(com.linkedin.domain.DomainProperties)", "?aspects=List(ownership)"} {
		old, current := s.get("/entities/urn%3Ali%3Adomain%3Asales"+query), s.get("/entitiesV2/urn:li:domain:sales"+strings.Replace(query, "com.linkedin.domain.DomainProperties", "domainProperties", 1))
		if old.Code != http.StatusOK || old.Body.String() != current.Body.String() {
			t.Errorf("%s: got %d %s, want %s", query, old.Code, old.Body, current.Body)
		}
	}
	if text := s.get("/entities/urn:li:domain:sales").Body.String(); !strings.Contains(text, `"value":{"name":"Sales"}`) || !strings.Contains(text, `"domainKey"`) {
		t.Errorf("the domain is %s", text)
	}
	for _, u := range []string{"urn:li:domain:none", "urn:li:form:a"} {
		if r := s.get("/entities/" + u); r.Code != http.StatusOK || r.Body.String() != s.get("/entitiesV2/"+u).Body.String() {
			t.Errorf("%s: %d %s", u, r.Code, r.Body)
		}
	}
	both := s.get("/entities?ids=List(urn:li:domain:sales,urn:li:corpuser:jo)")
	if text := both.Body.String(); both.Code != http.StatusOK || !strings.Contains(text, `"entityName":"domain"`) || !strings.Contains(text, `"com.linkedin.metadata.snapshot.CorpUserSnapshot"`) {
		t.Errorf("both: %d %s", both.Code, text)
	}
}

func TestEntitiesV2(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest("urn:li:tag:a", "status", `{"removed":false}`, `,"systemMetadata":{"lastObserved":5,"runId":"r1"}`)
	created := `"created":{"time":1754000000000,"actor":"urn:li:corpuser:jo"}`
	stamp := `{"time":1754000000000,"actor":"urn:li:corpuser:jo"}`
	system := `"systemMetadata":{"lastObserved":5,"runId":"r1","lastRunId":"no-run-id-provided","version":"1","schemaVersion":1,
		"properties":{"telemetryTraceId":"` + noTrace + `"},"aspectCreated":` + stamp + `,"aspectModified":` + stamp + `}`
	status := `"status":{"name":"status","type":"VERSIONED","version":0,"value":{"removed":false},` + created + `,` + system + `}`
	key := `"tagKey":{"name":"tagKey","type":"VERSIONED","version":0,"value":{"name":"a"},` + created + `,` + system + `}`
	all := `{"entityName":"tag","urn":"urn:li:tag:a","aspects":{` + key + `,` + status + `}}`
	absent := `{"entityName":"tag","urn":"urn:li:tag:none","aspects":{"tagKey":{"name":"tagKey","type":"VERSIONED","version":0,"value":{"name":"none"},
		"created":{"time":0,"actor":"urn:li:corpuser:__datahub_system"}}}}`

	s.get("/entitiesV2/urn%3Ali%3Atag%3Aa").is(http.StatusOK, all)
	s.get("/entitiesV2/urn:li:tag:a?aspects=List(status,ownership)").is(http.StatusOK, all)
	s.get("/entitiesV2/urn:li:tag:a?aspects=List(status)&alwaysIncludeKeyAspect=false").is(http.StatusOK,
		`{"entityName":"tag","urn":"urn:li:tag:a","aspects":{`+status+`}}`)
	s.get("/entitiesV2/urn:li:tag:none").is(http.StatusOK, absent)
	s.get("/entitiesV2?ids=List(urn%3Ali%3Atag%3Aa,urn%3Ali%3Atag%3Anone,urn%3Ali%3Atag%3Aa)&aspects=List(status)").is(http.StatusOK,
		`{"results":{"urn:li:tag:a":`+all+`,"urn:li:tag:none":`+absent+`},"statuses":{},"errors":{}}`)

	s.get("/entitiesV2").fails(http.StatusBadRequest, "ids is required")
	s.get("/entitiesV2/urn:li:tag:a?aspects=List(status").fails(http.StatusBadRequest, "query parameter aspects: the list is not closed")
	s.get("/entitiesV2/urn:li:tag:a?alwaysIncludeKeyAspect=perhaps").fails(http.StatusBadRequest, "must be true or false")
	s.get("/entitiesV2/urn:li:spaceship:a").fails(http.StatusBadRequest, "unknown entity type")
}

func TestAnswersHaveALimit(t *testing.T) {
	t.Parallel()
	s := newService(t, func(s *setting) { s.deps.AnswerLimit = 1 << 20 })
	for _, name := range []string{"a", "b"} {
		s.ingest("urn:li:tag:"+name, "tagProperties", `{"name":"`+strings.Repeat(name, 700_000)+`"}`, "")
	}
	const two = "(urn:urn%3Ali%3Atag%3Aa,versionStamp:tagProperties%3A0),(urn:urn%3Ali%3Atag%3Ab,versionStamp:tagProperties%3A0)"
	s.get("/entitiesV2?ids=List(urn:li:tag:a,urn:li:tag:b)").fails(http.StatusRequestEntityTooLarge, "one answer takes 1 more at most")
	s.get("/entitiesVersionedV2?ids=List("+two+")&entityType=tag").fails(http.StatusRequestEntityTooLarge, "ask for fewer entities or aspects")
	for _, path := range []string{"/entitiesV2/urn:li:tag:a", "/entitiesV2?ids=List(urn:li:tag:a,urn:li:tag:b)&aspects=List(tagKey)"} {
		if got := s.get(path); got.Code != http.StatusOK {
			t.Errorf("%s: %d %.200s", path, got.Code, got.Body)
		}
	}
}

func TestEntitiesVersionedV2(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest("urn:li:tag:a", "status", `{"removed":true}`)
	s.ingest("urn:li:tag:a", "status", `{"removed":false}`)
	old := s.get("/entitiesVersionedV2?ids=List((urn:urn%3Ali%3Atag%3Aa,versionStamp:status%3A1))&entityType=tag")
	if body := old.Body.String(); old.Code != http.StatusOK || !strings.Contains(body, `"value":{"removed":true},"version":1`) || !strings.Contains(body, `"results":{"urn:li:tag:a":`) {
		t.Errorf("version 1: got %d %s", old.Code, body)
	}
	now := s.get("/entitiesVersionedV2?ids=List((urn:urn%3Ali%3Atag%3Aa,versionStamp:))&entityType=tag")
	if body := now.Body.String(); now.Code != http.StatusOK || !strings.Contains(body, `"value":{"removed":false},"version":0`) {
		t.Errorf("latest: got %d %s", now.Code, body)
	}
	gone := s.get("/entitiesVersionedV2?ids=List((urn:urn%3Ali%3Atag%3Aa,versionStamp:status%3A9))&entityType=tag")
	if body := gone.Body.String(); gone.Code != http.StatusOK || strings.Contains(body, `"status"`) {
		t.Errorf("version 9: got %d %s", gone.Code, body)
	}
	s.get("/entitiesVersionedV2?ids=List(urn%3Ali%3Atag%3Aa)").fails(http.StatusBadRequest, "must be (urn:<urn>,versionStamp:<stamp>)")
	s.get("/entitiesVersionedV2?ids=List((urn:urn%3Ali%3Atag%3Aa,versionStamp:status%3Ax))").fails(http.StatusBadRequest, "versionStamp")
	s.get("/entitiesVersionedV2").fails(http.StatusBadRequest, "ids is required")
}

func snapshot(u, aspects string) string {
	return `{"value":{"com.linkedin.metadata.snapshot.TagSnapshot":{"urn":"` + u + `","aspects":[` + aspects + `]}}}`
}

const (
	statusAspect = `{"com.linkedin.common.Status":{"removed":false}}`
	tagAspect    = `{"com.linkedin.pegasus2avro.tag.TagProperties":{"name":"A","description":{"string":"avro"}}}`
)

func TestIngestSnapshots(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.post("/entities?action=ingest", `{"entity":`+snapshot("urn:li:tag:a", statusAspect+","+tagAspect)+`,"systemMetadata":{"lastObserved":5,"runId":"r1"}}`).is(http.StatusOK, "")
	s.get("/aspects/urn:li:tag:a?aspect=tagProperties").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.tag.TagProperties":{"name":"A","description":"avro"}}}`)
	s.post("/runs?action=list", "").is(http.StatusOK, `{"value":[{"runId":"r1","timestamp":5,"rows":3}]}`)
	s.post("/entities?action=batchIngest", `{"entities":[`+snapshot("urn:li:tag:b", statusAspect)+`,`+snapshot("urn:li:tag:c", "")+`],"systemMetadata":[{"runId":"r2"},{"runId":"r3"}]}`).is(http.StatusOK, "")
	s.post("/entities?action=batchIngest", `{"entities":[]}`).is(http.StatusOK, "")
	for _, u := range []string{"urn:li:tag:b", "urn:li:tag:c"} {
		s.post("/entities?action=exists", `{"urn":"`+u+`"}`).is(http.StatusOK, `{"value":true}`)
	}
}

func TestIngestSnapshotRefusals(t *testing.T) {
	t.Parallel()
	s := newService(t)
	good := snapshot("urn:li:tag:good", statusAspect)
	for name, c := range map[string]struct {
		entity, want string
		status       int
	}{
		"no value":                   {`{}`, "entities.1.value must be an object with one member", 400},
		"value is an array":          {`{"value":[]}`, "entities.value must be an object", 400},
		"snapshot is a number":       {`{"value":{"com.linkedin.metadata.snapshot.TagSnapshot":5}}`, "entities.1.value must be an object", 400},
		"aspects is an object":       {`{"value":{"com.linkedin.metadata.snapshot.TagSnapshot":{"urn":"u","aspects":{}}}}`, "entities.1.value.aspects must be an array", 400},
		"aspect is null":             {snapshot("urn:li:tag:x", "null"), "aspects.0 must be an object with one member", 400},
		"more aspects than accepted": {snapshot("urn:li:tag:x", strings.Repeat(statusAspect+",", 10_000)+statusAspect), "more than 10000", 413},
		"two records":                {`{"value":{"a":{},"b":{}}}`, "one member", 400},
		"record not known":           {`{"value":{"com.example.BoatSnapshot":{"urn":"u","aspects":[]}}}`, `"com.example.BoatSnapshot" is no snapshot record`, 400},
		"no URN":                     {snapshot("", statusAspect), "urn is required", 400},
		"bad URN":                    {snapshot("tag", statusAspect), "must start with urn:li:", 400},
		"bad URN without aspects":    {snapshot("tag", ""), "must start with urn:li:", 400},
		"URN of another type":        {snapshot(dataset, statusAspect), "entityType", 400},
		"aspect with two members":    {snapshot("urn:li:tag:x", `{"a":{},"b":{}}`), "aspects.0 must be an object with one member", 400},
		"aspect not known":           {snapshot("urn:li:tag:x", `{"com.example.Boat":{}}`), `no aspect has the record "com.example.Boat"`, 400},
		"aspect of another type":     {snapshot("urn:li:tag:x", `{"com.linkedin.identity.CorpUserInfo":`+joInfo+`}`), "corpUserInfo", 422},
		"aspect breaks the model":    {snapshot("urn:li:tag:x", `{"com.linkedin.tag.TagProperties":{}}`), "/name :: field is required", 422},
		"entity is null":             {`null`, "entities.1.value must be an object", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.post("/entities?action=batchIngest", `{"entities":[`+good+`,`+c.entity+`]}`).fails(c.status, c.want)
			s.post("/entities?action=exists", `{"urn":"urn:li:tag:good"}`).is(http.StatusOK, `{"value":false}`)
		})
	}
	s.post("/entities?action=ingest", `{}`).fails(http.StatusBadRequest, "entity")
	s.post("/entities?action=batchIngest", `{"entities":[`+good+`],"systemMetadata":[]}`).fails(http.StatusPreconditionFailed, "entities has 1 items and systemMetadata 0")
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest(dataset, "status", `{"removed":false}`)
	for i := range 3 {
		s.ingest(dataset, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":1}`, noon+i))
	}
	s.post("/entities?action=delete", fmt.Sprintf(`{"urn":"%s","aspectName":"datasetProfile","startTimeMillis":%d,"endTimeMillis":"%d"}`, dataset, noon, noon+1)).
		is(http.StatusOK, `{"value":{"urn":"`+dataset+`","timeseriesRows":2}}`)
	s.post("/entities?action=delete", `{"urn":"`+dataset+`","aspectName":"status"}`).fails(http.StatusBadRequest, "status")
	gone := s.post("/entities?action=delete", `{"urn":"`+dataset+`","dryRun":false}`)
	if body := gone.Body.String(); gone.Code != http.StatusOK || !strings.Contains(body, `"timeseriesRows":1`) || strings.Contains(body, `"rows":0`) {
		t.Errorf("delete: got %d %s", gone.Code, body)
	}
	s.post("/entities?action=delete", `{"urn":"`+dataset+`"}`).is(http.StatusOK, `{"value":{"urn":"`+dataset+`","rows":0,"timeseriesRows":0}}`)
	s.post("/entities?action=delete", `{}`).fails(http.StatusBadRequest, "urn")
	s.post("/entities?action=delete", `{"urn":"orders"}`).fails(http.StatusBadRequest, "must start with urn:li:")
}

func TestDeleteAll(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest("urn:li:tag:a", "status", `{"removed":false}`, `,"systemMetadata":{"registryName":"own","registryVersion":"0.1"}`)
	preview := s.post("/entities?action=deleteAll", `{"registryId":"own:0.1","dryRun":true,"soft":false}`)
	if body := preview.Body.String(); preview.Code != http.StatusOK || !strings.Contains(body, `"aspectRowSummaries":[{`) {
		t.Errorf("dry run: got %d %s", preview.Code, body)
	}
	s.post("/entities?action=exists", `{"urn":"urn:li:tag:a"}`).is(http.StatusOK, `{"value":true}`)
	if r := s.post("/entities?action=deleteAll", `{"registryId":"own:0.1"}`); r.Code != http.StatusOK {
		t.Errorf("delete: got %d %s", r.Code, r.Body)
	}
	s.get("/aspects/urn:li:tag:a?aspect=status").fails(http.StatusNotFound, "")
	s.post("/entities?action=deleteAll", `{}`).fails(http.StatusBadRequest, "registryId")
}

func TestExists(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest("urn:li:tag:a", "status", `{"removed":false}`)
	s.ingest("urn:li:tag:soft", "status", `{"removed":true}`)
	for body, want := range map[string]string{
		`{"urn":"urn:li:tag:a"}`:                                `{"value":true}`,
		`{"urn":"urn:li:tag:none"}`:                             `{"value":false}`,
		`{"urn":"urn:li:tag:soft"}`:                             `{"value":true}`,
		`{"urn":"urn:li:tag:soft","includeSoftDelete":false}`:   `{"value":false}`,
		`{"urn":"urn:li:tag:soft","includeSoftDelete":"false"}`: `{"value":false}`,
	} {
		s.post("/entities?action=exists", body).is(http.StatusOK, want)
	}
	s.post("/entities?action=exists", `{"urn":"tag"}`).fails(http.StatusBadRequest, "must start with urn:li:")

	all := `["urn:li:tag:a","urn:li:tag:none","urn:li:tag:soft"]`
	s.post("/entities?action=filterExistingUrns", `{"request":{"urns":`+all+`}}`).is(http.StatusOK, `{"value":["urn:li:tag:a","urn:li:tag:soft"]}`)
	s.post("/entities?action=filterExistingUrns", `{"request":{"urns":`+all+`,"includeSoftDelete":false}}`).is(http.StatusOK, `{"value":["urn:li:tag:a"]}`)
	s.post("/entities?action=filterExistingUrns", `{"request":{}}`).is(http.StatusOK, `{"value":[]}`)
	s.post("/entities?action=filterExistingUrns", `{}`).fails(http.StatusBadRequest, "request")
	many := `{"request":{"urns":["a"` + strings.Repeat(`,"a"`, 10_000) + `]}}`
	s.post("/entities?action=filterExistingUrns", many).fails(http.StatusRequestEntityTooLarge, "more than 10000 elements")
}

func TestListURNs(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, name := range []string{"a", "b", "c"} {
		s.ingest("urn:li:tag:"+name, "status", `{"removed":`+fmt.Sprint(name == "b")+`}`)
	}
	s.post("/entities?action=listUrns", `{"entity":"tag","start":1,"count":2}`).is(http.StatusOK,
		`{"value":{"entities":["urn:li:tag:b","urn:li:tag:c"],"start":1,"count":2,"total":3}}`)
	s.post("/entities?action=listUrns", `{"entity":"TAG"}`).is(http.StatusOK,
		`{"value":{"entities":["urn:li:tag:a","urn:li:tag:b","urn:li:tag:c"],"start":0,"count":3,"total":3}}`)
	s.post("/entities?action=listUrns", `{"entity":"tag","start":9}`).is(http.StatusOK, `{"value":{"entities":[],"start":9,"count":0,"total":3}}`)
	s.post("/entities?action=listUrns", `{"entity":"tag","count":0}`).is(http.StatusOK, `{"value":{"entities":[],"start":0,"count":0,"total":3}}`)
	s.post("/entities?action=listUrns", `{"entity":"spaceship"}`).fails(http.StatusBadRequest, `"spaceship" is no entity type`)
}

func TestApplyRetention(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.post("/entities?action=applyRetention", "").is(http.StatusOK, `{"value":"0 rows of history deleted"}`)
	s.post("/entities?action=applyRetention", `{"urn":"tag"}`).fails(http.StatusBadRequest, "must start with urn:li:")
}
