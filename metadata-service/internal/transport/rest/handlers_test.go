package rest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	s := newService(t, anonymous)
	want := `{"noCode":"true","retention":"true","statefulIngestionCapable":true,"patchCapable":true,"timeZone":"Etc/UTC",
		"supportsImpactAnalysis":true,"datasetUrnNameCasing":false,
		"versions":{"acryldata/datahub":{"version":"v1.8.0","commit":"0a1b2c3d"}},
		"managedIngestion":{"enabled":true,"defaultCliVersion":"1.7.0.17"},
		"telemetry":{"enabledCli":false,"enabledIngestion":false},
		"datahub":{"serverType":"prod","serverEnv":"core"},"models":{}}`
	for _, path := range []string{"/config", "/config/", "/gms/config", "/api/gms/config", "/config?verbose=false"} {
		s.get(path).is(http.StatusOK, want)
	}
	if user := newService(t).get("/config?verbose=true").Body.String(); !strings.Contains(user, `"userType": "user"`) {
		t.Errorf("signed in: got %s", user)
	}
	verbose, err := jsontree.DecodeObject(s.get("/config?verbose=true").Body.Bytes())
	if err != nil || verbose["userType"] != "anonymous" {
		t.Errorf("verbose: got %v, %v", verbose, err)
	}
	for _, c := range []struct {
		following, known bool
		want             string
	}{{true, true, `"followed": true`}, {false, true, `"followed": false`}, {false, false, ""}} {
		told := newService(t, func(s *setting) { s.deps.Following = func() (bool, bool) { return c.following, c.known } }).get("/config").Body.String()
		if !strings.Contains(told, c.want) || strings.Contains(told, "followed") != c.known {
			t.Errorf("of followers it says %s, want %q", told, c.want)
		}
	}
	s.get("/config?verbose=perhaps").fails(http.StatusBadRequest, "verbose must be true or false")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	s := newService(t)
	open := newService(t, anonymous)
	detailed := `{"background":"green","background_detail":"","bootstrapped":true,"elasticsearch":"green","elasticsearch_detail":"no lag","projections":[{"name":"search","awaited":true,"state":"green","behind":3,"failures":2,"panics":1,"skipped":0,"lost":0}],"ready":true,"timestamp":1754000000000,"writes":"green","writes_detail":""}`
	open.get("/health").is(http.StatusOK, "")
	open.do(http.MethodHead, "/health", "").is(http.StatusOK, "")
	open.get("/health/live").is(http.StatusOK, "")
	open.get("/health/detailed").is(http.StatusOK, detailed)
	s.get("/up/").is(http.StatusOK, "true")
	s.get("/check/ready?checks=elasticsearch").is(http.StatusOK, "true")

	s.ready.Store(false)
	s.get("/health").is(http.StatusServiceUnavailable, "")
	s.get("/health/live").is(http.StatusOK, "")
	s.get("/health/detailed").is(http.StatusOK, strings.Replace(detailed, `"ready":true`, `"ready":false`, 1))
	s.get("/check/ready").is(http.StatusServiceUnavailable, "false")
	for _, path := range []string{"/health", "/check/ready"} {
		if got := s.get(path).Header().Get("Retry-After"); got != "1" {
			t.Errorf("%s: Retry-After %q, want 1", path, got)
		}
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	again, err := model.LoadFrom(os.DirFS("../../model/registry")) // not shared
	if err != nil {
		t.Fatal(err)
	}
	one := rest.Fingerprint(registry, "1.0")
	if len(one) != 16 {
		t.Errorf("got %q, want 16 digits", one)
	}
	if two := rest.Fingerprint(again, "1.0"); two != one {
		t.Errorf("the same model has %s and %s", one, two)
	}
	if two := rest.Fingerprint(registry, "1.1"); two == one {
		t.Error("another binary has the same fingerprint")
	}
	spec, _ := again.Aspect("status")
	spec.Search[0].Boost++
	if two := rest.Fingerprint(again, "1.0"); two == one {
		t.Error("another model has the same fingerprint")
	}
}

func TestWrongMethodNamesTheRightOnes(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, c := range []struct{ method, path, allow string }{
		{http.MethodGet, "/aspects", "POST"},
		{http.MethodGet, "/aspects/", "POST"},
		{http.MethodPut, "/aspects/urn%3Ali%3Atag%3Aa", "GET"},
		{http.MethodDelete, "/entities", "GET, POST"},
		{http.MethodPost, "/entities/urn:li:tag:a?action=ingest", "GET"},
		{http.MethodPost, "/entitiesV2?action=get", "GET"},
		{http.MethodPatch, "/runs", "POST"},
		{http.MethodPost, "/config", "GET"},
		{http.MethodPost, "/gms/health", "GET, HEAD"},
	} {
		r := s.do(c.method, c.path, "{}")
		r.fails(http.StatusMethodNotAllowed, "does not take this method")
		if got := r.Header().Get("Allow"); got != c.allow {
			t.Errorf("%s %s: allows %q, want %q", c.method, c.path, got, c.allow)
		}
	}
}

func TestUnroutedPath(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, path := range []string{"/nothing", "/gms/nothing", "/health/none", "/configs"} {
		s.get(path).is(http.StatusNotFound, `{"error":"there is nothing at this path","status":404}`)
	}
}

func TestUnknownActionNamesTheKnownOnes(t *testing.T) {
	t.Parallel()
	s := newService(t)
	aspects := "getCount, getTimeseriesAspectValues, ingestProposal, ingestProposalBatch"
	s.post("/aspects?action=fly", "{}").fails(http.StatusBadRequest, `/aspects has no action "fly"; its actions are `+aspects)
	s.post("/aspects", "{}").fails(http.StatusBadRequest, "query parameter action is required; actions of /aspects are "+aspects)
	s.post("/runs/?action=", "").fails(http.StatusBadRequest, "describe, list, rollback")
	s.post("/entities?action=sing", "{}").fails(http.StatusBadRequest, "no action")
}

func TestActionParameters(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for name, c := range map[string]struct{ target, body, want string }{
		"empty body misses all":    {"/aspects?action=getTimeseriesAspectValues", "", "required in the body and not there: urn, entity, aspect"},
		"white space is no body":   {"/runs?action=describe", "  \n", "runId"},
		"null is missing":          {"/entities?action=exists", `{"urn":null}`, "urn"},
		"body is cut off":          {"/entities?action=exists", `{"urn":"u`, "not valid JSON"},
		"body is an array":         {"/entities?action=exists", `[]`, "the request body must be an object, is array"},
		"more than one value":      {"/entities?action=exists", `{"urn":"a"}{}`, "not valid JSON"},
		"text parameter is number": {"/entities?action=exists", `{"urn":5}`, "urn must be a string, is number"},
		"flag is a word":           {"/entities?action=exists", `{"urn":"urn:li:tag:a","includeSoftDelete":"maybe"}`, "includeSoftDelete must be a boolean"},
		"number is a word":         {"/entities?action=listUrns", `{"entity":"tag","start":"first"}`, "start must be a whole number"},
		"number has a fraction":    {"/entities?action=listUrns", `{"entity":"tag","start":0.5}`, "start must be a whole number"},
		"number is too small":      {"/entities?action=listUrns", `{"entity":"tag","count":-1}`, "count must be at least 0, is -1"},
		"number is negative":       {"/runs?action=list", `{"pageOffset":-1}`, "pageOffset must be at least 0"},
		"nested beyond reason":     {"/entities?action=exists", `{"urn":` + strings.Repeat("[", 20_000), "not valid JSON"},
		"nested value not closed":  {"/entities?action=ingest", `{"entity":{"value":{"x":`, "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.post(c.target, c.body).fails(http.StatusBadRequest, c.want)
		})
	}
	s.post("/runs?action=list", "").is(http.StatusOK, `{"value":[]}`)
	s.post("/runs?action=list", `{"pageOffset":"0","pageSize":5.0,"unknown":[1]}`).is(http.StatusOK, `{"value":[]}`)
}

func TestLargeBodies(t *testing.T) {
	t.Parallel()
	s := newService(t)
	send := func(target string, body io.Reader, length int64) reply {
		r := httptest.NewRequest(http.MethodPost, target, body)
		r.ContentLength = length
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		return reply{TB: t, what: target, ResponseRecorder: w}
	}
	const ingestion, other = 64 << 20, 16 << 20
	for _, target := range []string{"/aspects?action=ingestProposal", "/aspects?action=ingestProposalBatch", "/entities?action=ingest", "/entities?action=batchIngest"} {
		send(target, strings.NewReader("{}"), ingestion+1).fails(http.StatusRequestEntityTooLarge, "larger than the 64 MiB")
	}
	send("/runs?action=list", strings.NewReader("{}"), other+1).fails(http.StatusRequestEntityTooLarge, "larger than the 16 MiB")
	// Without a declared length the limit is reached while reading.
	spaces := strings.NewReader(strings.Repeat(" ", other+1))
	send("/runs?action=list", spaces, -1).fails(http.StatusRequestEntityTooLarge, "larger than the 16 MiB")
}

func TestMissingPrivilege(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status    int
		challenge string
	}{{http.StatusUnauthorized, `Bearer error="insufficient_scope"`}, {http.StatusForbidden, ""}} {
		s := newService(t, denying("urn:li:tag:secret"), deniedStatus(c.status))
		for _, r := range []reply{
			s.post("/aspects?action=ingestProposal", `{"proposal":`+envelope(t, `{"entityUrn":"urn:li:tag:secret"}`)+`}`),
			s.post("/aspects?action=ingestProposalBatch", `{"proposals":[`+envelope(t, `{}`)+`,`+envelope(t, `{"entityUrn":"urn:li:tag:secret"}`)+`]}`),
			s.post("/entities?action=delete", `{"urn":"urn:li:tag:secret"}`),
		} {
			r.fails(c.status, "urn:li:tag:secret")
			for _, member := range []string{`"code":"FORBIDDEN"`, `"actor":"urn:li:corpuser:jo"`, `"resource":"urn:li:tag:secret"`} {
				if !strings.Contains(r.Body.String(), member) {
					t.Errorf("%s: no %s in %s", r.what, member, r.Body)
				}
			}
			if got := r.Header().Get("WWW-Authenticate"); got != c.challenge {
				t.Errorf("%s: challenge %q, want %q", r.what, got, c.challenge)
			}
		}
		s.get("/aspects/urn:li:tag:a?aspect=status").fails(http.StatusNotFound, "")
	}
	newService(t, denying("urn:li:tag:secret")).post("/entities?action=delete", `{"urn":"urn:li:tag:secret"}`).is(http.StatusUnauthorized, `{
		"status": 401, "code": "FORBIDDEN", "message": "no right to DELETE urn:li:tag:secret", "exceptionClass": "com.linkedin.restli.server.RestLiServiceException",
		"actor": "urn:li:corpuser:jo", "operation": "DELETE", "missing": [{"privileges": ["DELETE_ENTITY"], "resource": "urn:li:tag:secret"}]
	}`)
}

func TestWriteByNobody(t *testing.T) {
	t.Parallel()
	r := newService(t, anonymous).post("/aspects?action=ingestProposal", `{"proposal":`+envelope(t, "{}")+`}`)
	r.is(http.StatusUnauthorized, `{"error":"the request has no actor: sign in or send an access token","status":401}`)
	if got := r.Header().Get("WWW-Authenticate"); got != "Bearer" {
		t.Errorf("challenge %q, want Bearer", got)
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.post("/entities?action=setWritable", `{"value":"false"}`).is(http.StatusOK, "")
	r := s.post("/aspects?action=ingestProposal", `{"proposal":`+envelope(t, "{}")+`}`)
	r.fails(http.StatusServiceUnavailable, "read-only")
	if r.Header().Get("Retry-After") == "" || !strings.Contains(r.Body.String(), `"errorDetails":{"retryable":true}`) {
		t.Errorf("got %v %s, want a retryable error", r.Header(), r.Body)
	}
	s.post("/entities?action=setWritable", `{"value":true}`).is(http.StatusOK, "")
	s.ingest("urn:li:tag:a", "status", `{"removed":false}`)
	s.post("/entities?action=setWritable", `{}`).fails(http.StatusBadRequest, "value")
}
