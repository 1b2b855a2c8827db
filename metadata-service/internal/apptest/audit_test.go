package apptest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/forwarded"
)

// auditEvent is a row of the search.
type auditEvent struct {
	EventType, ActorURN, SourceIP, EventSource, EntityURN, AspectName, LoginSource string

	Raw struct{ RequestID, TokenID, Reason, Operation, LoginDenialReason, Privileges string } `json:"rawUsageEvent"`
}

// audited runs a service that also shows changes of tags in the audit search.
func audited(t *testing.T, dir string) *apptest.Service {
	t.Helper()
	return apptest.Start(t, dir, func(c *app.Config) { c.Audit.GenericAspects = []string{"tagProperties"} })
}

// auditEvents waits until the audit log has at least n matching events, and returns all of them.
// The log is written asynchronously.
func auditEvents(t *testing.T, s *apptest.Service, n int, body string, fits func(auditEvent) bool) (found []auditEvent) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		var page struct{ UsageEvents []auditEvent }
		s.JSON(http.MethodPost, "/openapi/v1/events/audit/search?size=1000&startTime=0", body, &page)
		found = slices.DeleteFunc(page.UsageEvents, func(e auditEvent) bool { return fits != nil && !fits(e) })
		if len(found) >= n {
			return found
		}
	}
	t.Fatalf("%d events of %s, want %d: %+v", len(found), body, n, found)
	return nil
}

// request sends a request with additional headers, and returns the status and the body.
func request(t *testing.T, s *apptest.Service, path, body string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", apptest.Credential)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestEachDoorTellsTheAuditLogWhoWroteFromWhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := audited(t, dir)
	admin := s.As("urn:li:corpuser:datahub")
	for i, w := range writes {
		body := strings.ReplaceAll(w.body, "NAME", []string{"rest", "open", "graph"}[i])
		for range 2 { // the second changes nothing
			if status, text := admin.Call(http.MethodPost, w.path, body); status != http.StatusOK && w.name != "GraphQL" {
				t.Fatalf("%s: %d %s", w.name, status, text)
			}
		}
	}
	check := func(s *apptest.Service) {
		t.Helper()
		events := auditEvents(t, s, 3, `{"eventTypes":["UpdateAspectEvent"],"actorUrns":["urn:li:corpuser:datahub"]}`, nil)
		var got []string
		for _, e := range events {
			got = append(got, e.EventSource+" "+e.EntityURN)
			if e.SourceIP != "127.0.0.1" || e.Raw.RequestID == "" || e.Raw.TokenID == "" || e.AspectName != "tagProperties" {
				t.Errorf("got %+v", e)
			}
		}
		slices.Sort(got)
		if want := []string{"GRAPHQL urn:li:tag:graph", "OPENAPI urn:li:tag:open", "RESTLI urn:li:tag:rest"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	check(s)
	s.Stop()
	check(audited(t, dir))
}

func TestTheAddressOfAClientIsBelievedOfTheProxyAndOfNetworksThatAreNamed(t *testing.T) {
	t.Parallel()
	secret := config.Secret(strings.TrimPrefix(apptest.Credential, "Basic __datahub_system:"))
	proven := http.Header{"X-Request-Id": {"proven"}}
	forwarded.NewKey(secret).Sign(proven, "198.51.100.4")
	send := func(s *apptest.Service, name string, headers ...string) auditEvent {
		t.Helper()
		body := `[{"urn":"urn:li:tag:` + name + `","tagProperties":{"value":{"name":"` + name + `"}}}]`
		if status, text := request(t, s, "/openapi/v3/entity/tag?async=false", body, headers...); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
		return auditEvents(t, s, 1, `{}`, func(e auditEvent) bool { return e.EntityURN == "urn:li:tag:"+name })[0]
	}
	s := audited(t, t.TempDir())
	if e := send(s, "claimed", "X-Forwarded-For", "203.0.113.9"); e.SourceIP != "127.0.0.1" {
		t.Errorf("a claim: %+v", e)
	}
	proof := proven.Get(forwarded.ProofHeader)
	if e := send(s, "proven", "X-Forwarded-For", "198.51.100.4", "X-Request-Id", "proven", forwarded.ProofHeader, proof); e.SourceIP != "198.51.100.4" || e.Raw.RequestID != "proven" {
		t.Errorf("a proof: %+v", e)
	}
	if e := send(s, "forged", "X-Forwarded-For", "203.0.113.9", "X-Request-Id", "proven", forwarded.ProofHeader, proof); e.SourceIP != "127.0.0.1" {
		t.Errorf("the proof of another address: %+v", e)
	}
	behind := apptest.Start(t, t.TempDir(), func(c *app.Config) {
		c.Audit.GenericAspects, c.Outside.Proxies = []string{"tagProperties"}, []string{"127.0.0.0/8"}
	})
	if e := send(behind, "named", "X-Forwarded-For", "203.0.113.9"); e.SourceIP != "203.0.113.9" {
		t.Errorf("a network that is named: %+v", e)
	}
}

func TestSignInsAreRecorded(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.AdminPassword = "correct horse" })
	login := func(path, body string) { request(t, s, path, body, "X-DataHubLoginSource", "passwordLogin") }
	login("/auth/verifyNativeUserCredentials", `{"userUrn":"urn:li:corpuser:datahub","password":"wrong horse"}`)
	login("/auth/verifyNativeUserCredentials", `{"userUrn":"urn:li:corpuser:nobody","password":"wrong horse"}`)
	login("/auth/verifyNativeUserCredentials", `{"userUrn":"urn:li:corpuser:datahub","password":"correct horse"}`)
	var session struct{ AccessToken string }
	_, text := request(t, s, "/auth/generateSessionTokenForUser", `{"userId":"datahub"}`, "X-DataHubLoginSource", "passwordLogin")
	if err := json.Unmarshal([]byte(text), &session); err != nil {
		t.Fatal(err)
	}
	login("/auth/generateSessionTokenForUser", `{"userId":"nobody"}`)
	login("/auth/endSession", `{"accessToken":"`+session.AccessToken+`"}`)
	login("/auth/signUp", `{"fullName":"A","email":"a@example.org","password":"long enough","inviteToken":"invented"}`)
	login("/auth/resetNativeUserCredentials", `{"userUrn":"urn:li:corpuser:datahub","password":"long enough","resetToken":"invented"}`)
	var got []string
	for _, e := range auditEvents(t, s, 7, `{"eventTypes":["LogInEvent","FailedLogInEvent","LogOutEvent","FailedSignUpEvent","FailedPasswordResetEvent"]}`, nil) {
		if e.SourceIP == "" || e.EventSource != "" {
			t.Errorf("got %+v", e)
		}
		got = append(got, strings.Join([]string{e.EventType, strings.TrimPrefix(e.ActorURN, "urn:li:corpuser:"), e.LoginSource, e.Raw.LoginDenialReason}, " "))
	}
	slices.Sort(got)
	want := []string{
		"FailedLogInEvent datahub PASSWORD_LOGIN INVALID_CREDENTIALS", "FailedLogInEvent nobody PASSWORD_LOGIN HARD_DELETED",
		"FailedLogInEvent nobody PASSWORD_LOGIN INVALID_CREDENTIALS", "FailedPasswordResetEvent UNKNOWN  ", "FailedSignUpEvent UNKNOWN  ",
		"LogInEvent datahub PASSWORD_LOGIN ", "LogOutEvent datahub  ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRefusalsAreRecordedWithWhatWasMissing(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	user := s.As(jo)
	for _, door := range []struct{ path, body string }{
		{"/aspects?action=ingestProposal", `{"proposal":{"entityType":"dataHubPolicy","entityUrn":"urn:li:dataHubPolicy:x","changeType":"UPSERT","aspectName":"dataHubPolicyInfo","aspect":{"contentType":"application/json","value":"{\"type\":\"PLATFORM\",\"displayName\":\"x\",\"description\":\"\",\"state\":\"ACTIVE\",\"privileges\":[],\"actors\":{\"resourceOwners\":false,\"allUsers\":true,\"allGroups\":false}}"}}}`},
		{"/openapi/v3/entity/datahubpolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:x","dataHubPolicyInfo":{"value":{"type":"PLATFORM","displayName":"x","description":"","state":"ACTIVE","privileges":[],"actors":{"resourceOwners":false,"allUsers":true,"allGroups":false}}}}]`},
		{"/api/graphql", `{"query":"mutation { createAccessToken(input: {type: PERSONAL, actorUrn: \"urn:li:corpuser:datahub\", duration: ONE_HOUR, name: \"x\"}) { accessToken } }"}`},
	} {
		user.Call(http.MethodPost, door.path, door.body)
	}
	for range 30 {
		request(t, s, "/api/graphql", `{}`, "Authorization", "Bearer forged")
	}
	refused := auditEvents(t, s, 3, `{"eventTypes":["AccessRefusedEvent"]}`, nil)
	for _, e := range refused {
		if e.ActorURN != string(jo) || e.Raw.Reason == "" || e.Raw.Privileges == "" || e.Raw.TokenID == "" || e.SourceIP != "127.0.0.1" || !strings.HasPrefix(e.Raw.Operation, "POST /") {
			t.Errorf("got %+v", e)
		}
	}
	if len(refused) != 3 {
		t.Errorf("got %d refusals: %+v", len(refused), refused)
	}
	if forged := auditEvents(t, s, 10, `{"eventTypes":["CredentialRefusedEvent"]}`, nil); len(forged) > 12 || forged[0].Raw.Reason != "the credential is not valid" {
		t.Errorf("30 forged tokens are %d events: %+v", len(forged), forged[0])
	}
	const made = `{"eventTypes":["CreateAccessTokenEvent"]}`
	if seen := auditEvents(t, s, 1, made, nil); seen[0].SourceIP != "127.0.0.1" {
		t.Errorf("the operator reads %+v", seen[0])
	}
	const users = `{"eventTypes":["CreateUserEvent","UpdateUserEvent"]}`
	for body, shown := range map[string]bool{made: false, users: true} { // it may not read access tokens
		status, text := user.Call(http.MethodPost, "/openapi/v1/events/audit/search", body)
		if status != http.StatusOK || strings.Contains(text, `"total":0`) == shown || strings.Contains(text, "127.0.0.1") {
			t.Errorf("an ordinary user reads of %s %d %s", body, status, text)
		}
	}
	if status, text := user.Call(http.MethodPost, "/openapi/v1/events/audit/search", `{"eventTypes":["AccessRefusedEvent"]}`); status != http.StatusForbidden {
		t.Errorf("refusals are shown to %s: %d %s", jo, status, text)
	}
}

func TestTheAuditLogHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	const password, recipe, secretValue = "a-password-of-tests", "recipe-secret-of-tests", "secret-value-of-tests"
	dir := t.TempDir()
	s := apptest.Start(t, dir, func(c *app.Config) { c.AdminPassword = password })
	var made struct {
		Data struct {
			CreateAccessToken struct{ AccessToken string }
			GetInviteToken    struct{ InviteToken string }
		}
	}
	s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { createAccessToken(input: {type: PERSONAL, actorUrn: \"urn:li:corpuser:datahub\", duration: ONE_HOUR, name: \"x\"}) { accessToken } }"}`, &made)
	token := made.Data.CreateAccessToken.AccessToken
	s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { createSecret(input: {name: \"s\", value: \"`+secretValue+`\"}) }"}`, nil)
	s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { createIngestionSource(input: {name: \"n\", type: \"mysql\", config: {recipe: \"{\\\"password\\\":\\\"`+recipe+`\\\"}\", executorId: \"default\"}}) }"}`, nil)
	request(t, s, "/auth/verifyNativeUserCredentials", `{"userUrn":"urn:li:corpuser:datahub","password":"`+password+`"}`)
	request(t, s, "/auth/verifyNativeUserCredentials", `{"userUrn":"urn:li:corpuser:datahub","password":"wrong-`+password+`"}`)
	request(t, s, "/auth/signUp", `{"fullName":"A","email":"a@example.org","password":"`+password+`","inviteToken":"invite-of-tests"}`)
	request(t, s, "/auth/resetNativeUserCredentials", `{"userUrn":"urn:li:corpuser:datahub","password":"`+password+`","resetToken":"reset-of-tests"}`)
	request(t, s, "/auth/endSession", `{"accessToken":"`+token+`"}`)
	request(t, s, "/api/graphql?token="+token, `{}`, "Authorization", "Bearer broken-"+token)
	auditEvents(t, s, 3, `{"eventTypes":["CreateAccessTokenEvent","CreateIngestionSourceEvent","CredentialRefusedEvent"]}`, nil)
	s.Stop()
	held, err := os.ReadFile(filepath.Join(dir, "audit.db"))
	if err != nil || !bytes.Contains(held, []byte("dataHubAccessToken")) {
		t.Fatalf("the file holds no events, %v", err)
	}
	for _, secret := range []string{token, password, recipe, secretValue, "invite-of-tests", "reset-of-tests"} {
		if secret == "" || bytes.Contains(held, []byte(secret)) {
			t.Errorf("the audit log holds %q", secret)
		}
	}
}

func TestADamagedAuditLogStopsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := audited(t, dir)
	s.Stop()
	if err := os.WriteFile(filepath.Join(dir, "audit.db"), bytes.Repeat([]byte("damage"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	s = audited(t, dir)
	if status, text := s.Call(http.MethodPost, writes[1].path, strings.ReplaceAll(writes[1].body, "NAME", "after")); status != http.StatusOK {
		t.Fatalf("a write: %d %s", status, text)
	}
	auditEvents(t, s, 1, `{"eventTypes":["UpdateAspectEvent"]}`, func(e auditEvent) bool { return e.EntityURN == "urn:li:tag:after" })
	if status, _ := s.Call(http.MethodGet, "/health", ""); status != http.StatusOK {
		t.Errorf("health: %d", status)
	}
	if _, detail := s.Call(http.MethodGet, "/health/detailed", ""); !strings.Contains(detail, `"background":"yellow"`) || !strings.Contains(detail, "audit: a file is damaged") || !strings.Contains(detail, `"writes":"green"`) {
		t.Errorf("detailed health: %s", detail)
	}
}

func TestAnAuditLogThatIsOffIsToldAndStopsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := apptest.Start(t, dir, func(c *app.Config) { c.Audit.Enabled = false })
	if status, text := s.Call(http.MethodPost, writes[1].path, strings.ReplaceAll(writes[1].body, "NAME", "x")); status != http.StatusOK {
		t.Fatalf("a write: %d %s", status, text)
	}
	if status, text := s.Call(http.MethodPost, "/openapi/v1/events/audit/search", `{}`); status != http.StatusBadRequest || !strings.Contains(text, "audit.enabled") {
		t.Errorf("got %d %s", status, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "audit.db")); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
}

func TestTheCommandShowsWhoDidWhat(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "c") // short, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := audited(t, dir)
	s.JSON(http.MethodPost, writes[1].path, strings.ReplaceAll(writes[1].body, "NAME", "one"), nil)
	auditEvents(t, s, 1, `{}`, func(e auditEvent) bool { return e.EntityURN == "urn:li:tag:one" })
	run := func(args ...string) (out, notes string, err error) {
		var stdout, stderr bytes.Buffer
		err = adminsocket.RunAudit(t.Context(), dir, args, &stdout, &stderr)
		return stdout.String(), stderr.String(), err
	}
	out, _, err := run("--entity", "urn:li:tag:one", "--type", "UpdateAspectEvent")
	if lines := strings.Count(out, "\n"); err != nil || lines != 2 || !strings.Contains(out, "tagProperties") || !strings.Contains(out, "from=127.0.0.1 through=OPENAPI") {
		t.Errorf("got %q, %v", out, err)
	}
	out, notes, err := run("--since", "2020-01-01", "--limit", "5", "--json")
	var first, last struct{ Time int64 }
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 5 || !strings.Contains(notes, "newest 5") {
		t.Fatalf("got %q, %q, %v", out, notes, err)
	}
	if json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[4]), &last) != nil || first.Time > last.Time || first.Time == 0 {
		t.Errorf("not by time: %s", out)
	}
	for _, wrong := range [][]string{{"--since", "yesterday"}, {"--type", "Nothing"}, {"--limit", "0"}, {"extra"}, {"--follow", "--until", "1h"}} {
		if _, _, err := run(wrong...); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
	if out, _, err := run("--help"); err != nil || !strings.Contains(out, "AccessRefusedEvent") {
		t.Errorf("help: %q, %v", out, err)
	}
}

func TestTheCommandFollowsEventsAsTheyCome(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "c")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := audited(t, dir)
	s.JSON(http.MethodPost, writes[1].path, strings.ReplaceAll(writes[1].body, "NAME", "before"), nil)
	auditEvents(t, s, 1, `{}`, func(e auditEvent) bool { return e.EntityURN == "urn:li:tag:before" })
	out, in := io.Pipe()
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- adminsocket.RunAudit(ctx, dir, []string{"--follow", "--json"}, in, io.Discard)
	}()
	seen := map[string]int{}
	answered := make(chan struct{}) // events arrive before the response
	for d := json.NewDecoder(out); seen["urn:li:tag:after"] < 2; {
		var e struct{ Entity string }
		if err := d.Decode(&e); err != nil {
			t.Fatalf("%v, seen %v", err, seen)
		}
		if seen[e.Entity]++; e.Entity == "urn:li:tag:before" && seen[e.Entity] == 2 {
			go func() {
				defer close(answered)
				s.Call(http.MethodPost, writes[1].path, strings.ReplaceAll(writes[1].body, "NAME", "after"))
			}()
		}
	}
	if seen["urn:li:tag:before"] != 2 {
		t.Errorf("seen %v", seen)
	}
	<-answered
	interrupt()
	if err := <-ended; err != nil {
		t.Errorf("interrupted: %v", err)
	}
}

func TestReplacingTheSigningKeyIsRecorded(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "c")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	apptest.Start(t, dir)
	client, err := adminsocket.Dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.RotateKey(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := adminsocket.RunAudit(t.Context(), dir, []string{"--type", "RotateTokenKeyEvent"}, &out, &out); err != nil || !strings.Contains(out.String(), "stays good for 1h0m0s") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
