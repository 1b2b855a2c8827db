package rest_test

import (
	"net/http"
	"testing"
)

func TestRuns(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest("urn:li:tag:a", "status", `{"removed":false}`, `,"systemMetadata":{"lastObserved":5,"runId":"r1"}`)
	s.ingest("urn:li:tag:a", "tagProperties", `{"name":"A"}`, `,"systemMetadata":{"lastObserved":6,"runId":"r2"}`)
	s.post("/runs?action=list", `{"pageOffset":0,"pageSize":100,"includeSoft":false}`).is(http.StatusOK,
		`{"value":[{"runId":"r2","timestamp":6,"rows":1},{"runId":"r1","timestamp":5,"rows":2}]}`)
	s.post("/runs?action=list", `{"pageOffset":1,"pageSize":1}`).is(http.StatusOK, `{"value":[{"runId":"r1","timestamp":5,"rows":2}]}`)

	stamp := `{\"time\":1754000000000,\"actor\":\"urn:li:corpuser:jo\"}`
	row := func(member string) string {
		return `{"runId":"r2","aspectName":"tagProperties","urn":"urn:li:tag:a","timestamp":6,"version":0,"keyAspect":false,
			"telemetryTraceId":"` + noTrace + `",` + member + `
			"metadata":"{\"lastObserved\":6,\"runId\":\"r2\",\"lastRunId\":\"no-run-id-provided\",\"properties\":{\"telemetryTraceId\":\"` + noTrace + `\"},\"version\":\"1\",\"schemaVersion\":1,\"aspectCreated\":` + stamp + `,\"aspectModified\":` + stamp + `}"}`
	}
	s.post("/runs?action=describe", `{"runId":"r2","start":0,"count":10}`).is(http.StatusOK, `{"value":[`+row("")+`]}`)
	s.post("/runs?action=describe", `{"runId":"r2","includeAspect":true}`).is(http.StatusOK, `{"value":[`+row(`"aspect":{"name":"A"},`)+`]}`)
	s.post("/runs?action=describe", `{"runId":"none"}`).is(http.StatusOK, `{"value":[]}`)
	s.post("/runs?action=describe", `{}`).fails(http.StatusBadRequest, "runId")
}

func TestRollback(t *testing.T) {
	t.Parallel()
	s := newService(t)
	fill := func() {
		s.ingest("urn:li:tag:a", "status", `{"removed":false}`, `,"systemMetadata":{"lastObserved":5,"runId":"r1"}`)
		s.ingest("urn:li:tag:a", "tagProperties", `{"name":"A"}`, `,"systemMetadata":{"lastObserved":6,"runId":"r2"}`)
	}
	fill()
	dry := s.post("/runs?action=rollback", `{"runId":"r2","dryRun":true,"safe":true}`)
	if dry.Code != http.StatusOK {
		t.Fatalf("dry run: %d %s", dry.Code, dry.Body)
	}
	s.get("/aspects/urn:li:tag:a?aspect=tagProperties").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.tag.TagProperties":{"name":"A"}}}`)
	s.post("/runs?action=rollback", `{"runId":"r2","dryRun":false,"safe":true}`).is(http.StatusOK, canonicalRollback(t, dry))
	s.get("/aspects/urn:li:tag:a?aspect=tagProperties").fails(http.StatusNotFound, "")

	// With safe=false the rollback deletes the entity together with the writes of other runs;
	// with safe=true it soft-deletes the entity.
	fill()
	s.post("/runs?action=rollback", `{"runId":"r1","safe":"false"}`)
	s.post("/entities?action=exists", `{"urn":"urn:li:tag:a"}`).is(http.StatusOK, `{"value":false}`)
	fill()
	s.post("/runs?action=rollback", `{"runId":"r1"}`)
	s.post("/entities?action=exists", `{"urn":"urn:li:tag:a"}`).is(http.StatusOK, `{"value":true}`)
	s.post("/entities?action=exists", `{"urn":"urn:li:tag:a","includeSoftDelete":false}`).is(http.StatusOK, `{"value":false}`)
	s.post("/runs?action=rollback", `{"runId":"r1","hardDelete":true}`)
	s.post("/runs?action=rollback", `{"dryRun":true}`).fails(http.StatusBadRequest, "runId")
}

func canonicalRollback(t *testing.T, r reply) string {
	t.Helper()
	return traceIDs.ReplaceAllString(r.Body.String(), noTrace)
}

func TestRollbackNeedsAPrivilege(t *testing.T) {
	t.Parallel()
	s := newService(t, denying("MANAGE_INGESTION"))
	s.post("/runs?action=rollback", `{"runId":"r1"}`).fails(http.StatusUnauthorized, "MANAGE_INGESTION")
}
