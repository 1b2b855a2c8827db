package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

type auditRow struct {
	EventType, ActorURN, SourceIP, EventSource, EntityURN, LoginSource string
}

// audited waits until the audit log has a matching row, and returns the first one.
func (in *installation) audited(t *testing.T, token, body string, fits func(auditRow) bool) auditRow {
	t.Helper()
	var page struct{ UsageEvents []auditRow }
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		status, answer := in.send(t, http.MethodPost, "http://"+in.service+"/openapi/v1/events/audit/search?size=200", body, "Authorization", "Bearer "+token)
		if err := json.Unmarshal([]byte(answer), &page); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
		if i := slices.IndexFunc(page.UsageEvents, fits); i >= 0 {
			return page.UsageEvents[i]
		}
	}
	t.Fatalf("%s: no such event among %+v", body, page.UsageEvents)
	return auditRow{}
}

// Actions through the proxy are recorded with the client's address, not with that of the proxy and
// not with an address that the client claims.
func TestTheAuditLogKnowsWhoCameThroughTheProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	in := build(t)
	in.start(t, "CARTULARY_AUDIT_GENERIC_ASPECTS=tagProperties")
	root := in.firstToken(t)
	held, err := os.ReadFile(filepath.Join(in.dir, "kept here", "initial-admin-password"))
	if err != nil {
		t.Fatal(err)
	}
	logIn := func(password string) *http.Response {
		return in.exchange(t, http.MethodPost, "http://"+in.proxy+"/logIn", `{"username":"datahub","password":`+quoted(t, password)+`}`,
			"X-Forwarded-For", "203.0.113.9", "X-Cartulary-Address-Proof", "forged", "X-DataHubLoginSource", "ssoLogin")
	}
	if res := logIn("wrong"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("a wrong password: %d", res.StatusCode)
	}
	res := logIn(strings.TrimSpace(string(held)))
	if res.StatusCode != http.StatusOK {
		t.Fatalf("sign-in: %d", res.StatusCode)
	}
	for _, kind := range []string{"FailedLogInEvent", "LogInEvent"} {
		got := in.audited(t, root, `{"eventTypes":["`+kind+`"]}`, func(auditRow) bool { return true })
		if got != (auditRow{EventType: kind, ActorURN: "urn:li:corpuser:datahub", SourceIP: "127.0.0.1", LoginSource: "PASSWORD_LOGIN"}) {
			t.Errorf("got %+v", got)
		}
	}
	var cookies []string
	for _, c := range res.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	if status, answer := in.send(t, http.MethodPost, "http://"+in.proxy+"/api/graphql", `{"query":"mutation { createTag(input: {id: \"seen\", name: \"seen\"}) }"}`,
		"Cookie", strings.Join(cookies, "; "), "X-Forwarded-For", "203.0.113.9"); !strings.Contains(answer, "urn:li:tag:seen") {
		t.Fatalf("%d %s", status, answer)
	}
	got := in.audited(t, root, `{"eventTypes":["UpdateAspectEvent"]}`, func(e auditRow) bool { return e.EntityURN == "urn:li:tag:seen" })
	if got.SourceIP != "127.0.0.1" || got.ActorURN != "urn:li:corpuser:datahub" || got.EventSource != "GRAPHQL" {
		t.Errorf("got %+v", got)
	}
}
