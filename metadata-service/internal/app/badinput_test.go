//go:build unix

package app_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// lines keeps the log records at level WARN and above, and one record per request.
type lines struct {
	mu   sync.Mutex
	kept []slog.Record
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (l *lines) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *lines) WithGroup(string) slog.Handler                    { return l }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Message == "request" || r.Level >= slog.LevelWarn {
		l.kept = append(l.kept, r)
	}
	return nil
}

// taken returns the texts of the records since its last call.
func (l *lines) taken() (texts []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.kept {
		text := r.Message
		r.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
		texts = append(texts, text)
	}
	l.kept = nil
	return texts
}

// signed returns a token with the given header and claims, signed with HS256.
func signed(header, claims, key string) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// badInput is a request that must be refused.
type badInput struct {
	credential         string
	method, path, body string
	status             int
	says               string
	event              string // expected audit event; empty if the request concerns no right
	header             [2]string
}

// Bad input must be refused, with one line in the log and, if it concerns authorization, one audit
// event, and must write nothing.
func TestBadInputIsRefusedLoggedOnceAndChangesNothing(t *testing.T) {
	t.Parallel()
	log, cfg := &lines{}, settings(t.TempDir())
	a, err := app.Open(t.Context(), cfg, "test", slog.New(log))
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, a)
	const root, jo, gone, out = "urn:li:corpuser:datahub", "urn:li:corpuser:jo", "urn:li:corpuser:gone", "urn:li:corpuser:out"
	const a1, a2 = "urn:li:corpGroup:a1", "urn:li:corpGroup:a2"
	rootToken := newToken(t, a, root)
	_, joToken := provision(t, a, jo)
	_, goneToken := provision(t, a, gone)
	_, outToken := provision(t, a, out)
	operate(t, a, asTheSystem, `mutation { removeUser(urn: "`+gone+`") }`)
	operate(t, a, asTheSystem, `mutation { updateUserStatus(urn: "`+out+`", status: SUSPENDED) }`)
	put(t, a, a1, "corpGroupInfo", `{"admins":[],"members":[],"groups":["`+a2+`"]}`)
	put(t, a, a2, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
	revoked, id := newToken(t, a, root), ""
	{
		var made struct {
			Data struct {
				GetAccessTokenMetadata struct{ ID string }
			}
		}
		text := operate(t, a, asTheSystem, `{ getAccessTokenMetadata(token: "`+strings.TrimPrefix(revoked, "Bearer ")+`") { id } }`)
		if err := json.Unmarshal([]byte(text), &made); err != nil || made.Data.GetAccessTokenMetadata.ID == "" {
			t.Fatal(text, err)
		}
		id = made.Data.GetAccessTokenMetadata.ID
		operate(t, a, asTheSystem, `mutation { revokeAccessToken(tokenId: "`+id+`") }`)
	}
	secret, err := os.ReadFile(filepath.Join(cfg.DataDir, "secrets", "token-signing-key"))
	if err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSpace(string(secret))
	good := strings.TrimPrefix(rootToken, "Bearer ")
	parts := strings.Split(good, ".")
	header, claims := plain(t, parts[0]), plain(t, parts[1])
	if signed(header, claims, key) != good {
		t.Fatal("the test signs otherwise than the service: its forgeries would prove nothing")
	}

	const self = "/entities/urn%3Ali%3Acorpuser%3Adatahub"
	read := func(credential string) badInput {
		return badInput{credential: credential, method: http.MethodGet, path: self, status: http.StatusUnauthorized, event: "CredentialRefusedEvent"}
	}
	write := func(credential, urn, aspect, value string, status int, says string) badInput {
		kind := strings.Split(urn, ":")[2]
		return badInput{
			credential: credential, method: http.MethodPost, path: "/openapi/v3/entity/" + strings.ToLower(kind) + "?async=false",
			body: fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, urn, aspect, value), status: status, says: says,
		}
	}
	missing := func(b badInput) badInput { b.event = "AccessRefusedEvent"; return b }
	// Uses another route, because more than ten equal refusals are counted together.
	ask := func(credential string) badInput {
		b := read(credential)
		b.path = "/openapi/v3/entity/corpuser/" + root
		return b
	}
	actorFromOutside := ask("")
	actorFromOutside.header = [2]string{"X-DataHub-Actor", root}
	stale := strings.Replace(claims, `"exp":`, `"exp":1,"then":`, 1)
	for _, group := range []map[string]badInput{
		{
			"a token that is cut off":                  read("Bearer " + good[:len(good)-4]),
			"a token signed with another key":          read("Bearer " + signed(header, claims, key+"x")),
			"a token without algorithm":                read("Bearer " + base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + parts[1] + "."),
			"a token of RS256 signed with our key":     read("Bearer " + signed(strings.Replace(header, "HS256", "RS256", 1), claims, key)),
			"a token that has expired":                 read("Bearer " + signed(header, stale, key)),
			"a token of somebody else by its old mark": read("Bearer " + parts[0] + "." + strings.Split(joToken, ".")[1] + "." + parts[2]),
		},
		{
			"a token that was revoked":       ask(revoked),
			"a token of a deleted user":      ask(goneToken),
			"a token of a suspended user":    ask(outToken),
			"an actor named from outside":    actorFromOutside,
			"a wrong secret of the system":   ask("Basic __datahub_system:wrong"),
			"the right secret under a token": ask("Bearer " + systemSecret),
		},
		{
			"suspending the last administrator":   write(rootToken, root, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"`+root+`"}}`, http.StatusBadRequest, "no other user can manage policies"),
			"deleting the root user":              {credential: rootToken, method: http.MethodDelete, path: "/openapi/v3/entity/corpuser/" + root, status: http.StatusBadRequest, says: "System users can not be deleted"},
			"a group in itself":                   write(rootToken, a2, "corpGroupInfo", `{"admins":[],"members":[],"groups":["`+a1+`"]}`, http.StatusBadRequest, "would be a member of itself"),
			"a role that does not exist":          write(rootToken, jo, "roleMembership", `{"roles":["urn:li:dataHubRole:None"]}`, http.StatusBadRequest, "does not exist"),
			"the record of a token that is gone":  write(rootToken, "urn:li:dataHubAccessToken:"+id, "dataHubAccessTokenInfo", `{"name":"x","actorUrn":"`+root+`","ownerUrn":"`+root+`","createdAt":1}`, http.StatusForbidden, ""),
			"a role that an ordinary user takes":  missing(write(joToken, jo, "roleMembership", `{"roles":["urn:li:dataHubRole:Admin"]}`, http.StatusForbidden, "MANAGE_POLICIES")),
			"a group that an ordinary user joins": missing(write(joToken, jo, "groupMembership", `{"groups":["`+a1+`"]}`, http.StatusForbidden, "MANAGE_USERS_AND_GROUPS")),
		},
	} {
		for name, c := range group {
			known := auditCount(t, a, c.event)
			before, _ := a.Log().Last()
			log.taken()
			got := tried(t, a, c)
			if got.Code != c.status || !strings.Contains(got.Body.String(), c.says) {
				t.Errorf("%s: %d %s, want %d %q", name, got.Code, got.Body, c.status, c.says)
			}
			if seen := log.taken(); len(seen) != 1 || !strings.Contains(seen[0], fmt.Sprintf("status=%d", c.status)) {
				t.Errorf("%s: logged %q", name, seen)
			}
			if after, _ := a.Log().Last(); after != before {
				t.Errorf("%s: wrote %d changes", name, after-before)
			}
			if c.event != "" {
				awaitAudit(t, a, name, c.event, known+1)
			}
		}
	}
	mustAsk(t, a, rootToken, http.MethodGet, self, "")
}

func plain(t *testing.T, part string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func tried(t *testing.T, a *app.App, c badInput) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
	r.Header.Set("Content-Type", "application/json")
	if c.credential != "" {
		r.Header.Set("Authorization", c.credential)
	}
	if c.header[0] != "" {
		r.Header.Set(c.header[0], c.header[1])
	}
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	return w
}

// auditCount returns the number of events of a type in the audit log.
func auditCount(t *testing.T, a *app.App, event string) int {
	t.Helper()
	if event == "" {
		return 0
	}
	var page struct{ UsageEvents []json.RawMessage }
	text := mustAsk(t, a, asTheSystem, http.MethodPost, "/openapi/v1/events/audit/search?size=1000&startTime=0", fmt.Sprintf(`{"eventTypes":[%q]}`, event))
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	return len(page.UsageEvents)
}

// awaitAudit waits for events of a type, since the audit log is written asynchronously.
func awaitAudit(t *testing.T, a *app.App, name, event string, want int) {
	t.Helper()
	got := 0
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if got = auditCount(t, a, event); got >= want {
			break
		}
	}
	if got != want {
		t.Errorf("%s: %d events %s, want %d", name, got, event, want)
	}
}
