package signin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authn"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/signin"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

const system config.Secret = "the secret of the proxy, long enough"

const (
	password      = "correct horse"
	otherPassword = "battery staple"
)

type fixture struct {
	t           testing.TB
	server      http.Handler
	catalog     *authtest.Catalog
	tokens      *tokentest.Tokens
	credentials *credentials.Service
	events      *events
	settings    *settings
	log         *bytes.Buffer
}

// events collects the recorded events.
type events struct {
	mu   sync.Mutex
	list []audit.Event
}

func (e *events) Record(_ context.Context, event audit.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, event)
}

func (e *events) last() audit.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.list) == 0 {
		return audit.Event{}
	}
	return e.list[len(e.list)-1]
}

// settings are the settings of single sign-on in the form of setting.Service.
type settings struct{ value jsontree.Object }

func (s *settings) SignOn(context.Context) (jsontree.Object, error) { return s.value, nil }

func setUp(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{t: t, catalog: authtest.New(t, authtest.Root, authtest.Jo), log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	accounts := account.NewDirectory(f.catalog.Reader())
	f.tokens = tokentest.Open(t, tokentest.Config{Aspects: f.catalog, Reader: f.catalog.Reader(), Accounts: accounts, Authorizer: authtest.Plain{}, Log: log})
	f.credentials = credentials.New(credentials.Config{Aspects: f.catalog, Accounts: accounts, Tokens: f.tokens, Authorizer: authtest.Plain{}, InviteKey: "key",
		Hash: credentials.HashParams{Memory: 64, Time: 1, Threads: 1, AtOnce: 2, Queue: 8}, Now: time.Now, Log: log})
	f.catalog.OnChange(accounts.Changed)
	f.catalog.OnChange(f.tokens.Changed)
	who, err := authn.New(authn.Config{Enabled: true, SystemSecret: system, Tokens: f.tokens})
	check(t, err)
	s := httpserver.New(httpserver.Config{Log: log})
	s.Echo.Use(who.Middleware())
	f.events, f.settings = &events{}, &settings{}
	signin.Mount(s.Echo, f.tokens, f.credentials, f.settings, f.events, log)
	f.server = s.Echo
	return f
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type answer struct {
	status int
	kind   string
	text   string
}

func (f *fixture) call(credential, action, body string) answer {
	f.t.Helper()
	return f.callBy("passwordLogin", credential, action, body)
}

// callBy is call for another kind of sign-in.
func (f *fixture) callBy(source, credential, action, body string) answer {
	f.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/auth/"+action, strings.NewReader(body))
	r.Header.Set("Authorization", credential)
	r.Header.Set("X-DataHubLoginSource", source)
	w := httptest.NewRecorder()
	f.server.ServeHTTP(w, r)
	raw, err := io.ReadAll(w.Result().Body)
	check(f.t, err)
	return answer{w.Code, w.Header().Get("Content-Type"), string(raw)}
}

// proxy sends a request like the proxy.
func (f *fixture) proxy(action, body string) answer {
	f.t.Helper()
	return f.call("Basic __datahub_system:"+system.Reveal(), action, body)
}

// provider sends a request like the proxy after a sign-in by the identity provider.
func (f *fixture) provider(action, body string) answer {
	f.t.Helper()
	return f.callBy("ssoLogin", "Basic __datahub_system:"+system.Reveal(), action, body)
}

var epochMember = regexp.MustCompile(`,"sessionEpoch":"([^"]+)"`)

// withoutEpoch returns an answer and its session epoch, which it fails without.
func (f *fixture) withoutEpoch(a answer) (rest answer, epoch string) {
	f.t.Helper()
	found := epochMember.FindStringSubmatch(a.text)
	if found == nil {
		f.t.Fatalf("%+v has no session epoch", a)
	}
	a.text = strings.Replace(a.text, found[0], "", 1)
	return a, found[1]
}

func (f *fixture) invite() string {
	f.t.Helper()
	text, err := f.credentials.Invite(authtest.As(f.t, authtest.Root), credentials.Terms{})
	check(f.t, err)
	return text.Reveal()
}

func (f *fixture) signUp() {
	f.t.Helper()
	got := f.proxy("signUp", `{"userUrn":"urn:li:corpuser:new@example.org","fullName":"New Person","email":"new@example.org","password":"`+password+`","inviteToken":"`+f.invite()+`","title":"Other"}`)
	if got, _ = f.withoutEpoch(got); got.status != 200 || got.text != `{"isNativeUserCreated":true}` {
		f.t.Fatalf("%+v", got)
	}
}

func TestFromSignUpToTheEndOfTheSession(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp()
	got := f.proxy("verifyNativeUserCredentials", `{"userUrn":"urn:li:corpuser:new@example.org","password":"`+password+`"}`)
	if got, _ = f.withoutEpoch(got); got != (answer{200, "application/json;charset=utf-8", `{"doesPasswordMatch":true}`}) {
		t.Fatalf("%+v", got)
	}
	for _, user := range []string{"new@example.org", "urn:li:corpuser:new@example.org"} {
		got = f.proxy("generateSessionTokenForUser", `{"userId":"`+user+`"}`)
		var session struct{ AccessToken string }
		if err := json.Unmarshal([]byte(got.text), &session); err != nil || got.status != 200 {
			t.Fatalf("%d, %v", got.status, err)
		}
		if v, err := f.tokens.Verify(t.Context(), session.AccessToken); err != nil || v.Actor != "urn:li:corpuser:new@example.org" {
			t.Fatalf("%+v, %v", v, err)
		}
		for range 2 {
			if got := f.proxy("endSession", `{"accessToken":"`+session.AccessToken+`"}`); got.status != 200 || got.text != `{"ended":true}` {
				t.Fatalf("%+v", got)
			}
		}
		if _, err := f.tokens.Verify(t.Context(), session.AccessToken); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("the session goes on: %v", err)
		}
		if strings.Contains(f.log.String(), session.AccessToken) {
			t.Error("the session was logged")
		}
	}
	if seen := f.log.String(); strings.Contains(seen, password) || strings.Contains(seen, system.Reveal()) || !strings.Contains(seen, "source=passwordLogin") {
		t.Error("the log shows a secret, or not how somebody signed in")
	}
}

func TestVerdictsAreAnswers(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp()
	wrong := `{"doesPasswordMatch":false,"loginDenialReason":"INVALID_CREDENTIALS"}`
	for _, user := range []string{"new@example.org", "nobody", "urn:li:corpuser:jo"} {
		got := f.proxy("verifyNativeUserCredentials", `{"userUrn":"`+user+`","password":"`+otherPassword+`"}`)
		if got.status != 200 || got.text != wrong {
			t.Errorf("%s: %+v", user, got)
		}
	}
	f.catalog.Set(t, "urn:li:corpuser:new@example.org", "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	got := f.proxy("verifyNativeUserCredentials", `{"userUrn":"new@example.org","password":"`+password+`"}`)
	if got.status != 200 || got.text != `{"doesPasswordMatch":true,"loginDenialReason":"SUSPENDED"}` {
		t.Errorf("%+v", got)
	}
}

// TestASessionFollowsTheProofOfThePassword lets the identity provider take a user over between the
// proof of a password and the session.
func TestASessionFollowsTheProofOfThePassword(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp()
	const user = `{"userId":"new@example.org"`
	_, epoch := f.withoutEpoch(f.proxy("verifyNativeUserCredentials", `{"userUrn":"new@example.org","password":"`+password+`"}`))
	for _, body := range []string{user + `}`, user + `,"sessionEpoch":"` + epoch + `"}`} {
		if got := f.proxy("generateSessionTokenForUser", body); got.status != 200 {
			t.Fatalf("%s: %+v", body, got)
		}
	}
	if got := f.proxy("provisionUser", `{"userUrn":"urn:li:corpuser:new@example.org","fullName":"The Owner"}`); got.status != 200 {
		t.Fatalf("%+v", got)
	}
	for _, source := range []string{"passwordLogin", "signUpLinkLogin", "passwordReset", "ssoLogin"} {
		for body, refused := range map[string]bool{user + `}`: source != "ssoLogin", user + `,"sessionEpoch":"` + epoch + `"}`: true} {
			got := f.callBy(source, "Basic __datahub_system:"+system.Reveal(), "generateSessionTokenForUser", body)
			if want := `{"loginDenialReason":"INVALID_CREDENTIALS"}`; refused != (got.status == 403 && got.text == want) || refused == (got.status == 200) {
				t.Errorf("%s with %s: %+v", source, body, got)
			}
		}
	}
}

func TestDeniedSessions(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.catalog.Set(t, "urn:li:corpuser:gone", "status", `{"removed":true}`)
	f.catalog.Set(t, "urn:li:corpuser:bare", "globalTags", `{"tags":[]}`)
	f.catalog.Set(t, authtest.Jo, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	for user, reason := range map[string]string{"jo": "SUSPENDED", "gone": "SOFT_DELETED", "bare": "NOT_PROVISIONED", "nobody": "HARD_DELETED"} {
		got := f.proxy("generateSessionTokenForUser", `{"userId":"`+user+`"}`)
		if got != (answer{403, "application/json;charset=utf-8", `{"loginDenialReason":"` + reason + `"}`}) {
			t.Errorf("%s: %+v", user, got)
		}
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp()
	text, _, err := f.credentials.CreateReset(authtest.As(t, authtest.Root), "urn:li:corpuser:new@example.org")
	check(t, err)
	body := `{"userUrn":"urn:li:corpuser:new@example.org","password":"` + otherPassword + `","resetToken":"` + text.Reveal() + `"}`
	if got, _ := f.withoutEpoch(f.proxy("resetNativeUserCredentials", body)); got.status != 200 || got.text != `{"areNativeUserCredentialsReset":true}` {
		t.Fatalf("%+v", got)
	}
	if got := f.proxy("resetNativeUserCredentials", body); got.status != 400 || !strings.Contains(got.text, "reset link") {
		t.Errorf("used twice: %+v", got)
	}
}

var actions = []string{"generateSessionTokenForUser", "endSession", "signUp", "verifyNativeUserCredentials", "resetNativeUserCredentials", "getSsoSettings", "provisionUser", "reportFailedLogIn"}

func TestOnlyTheSystemActorCalls(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	own, _, err := f.tokens.Create(authtest.As(t, authtest.Root), token.Draft{Actor: authtest.Root, Name: "n"})
	check(t, err)
	for _, action := range actions {
		for credential, want := range map[string]int{"": 401, "Bearer nonsense": 401, "Basic __datahub_system:wrong": 401, "Bearer " + own: 403} {
			got := f.call(credential, action, `{"userId":"jo","accessToken":"x"}`)
			if got.status != want || !strings.HasPrefix(got.kind, "application/json") || !strings.Contains(got.text, `"status":`) {
				t.Errorf("%s: %d, want %d: %s", action, got.status, want, got.text)
			}
		}
	}
}

func TestBadBodies(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp()
	f.catalog.Set(t, "urn:li:corpuser:etlbot", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	for name, tc := range map[string]struct {
		action, body string
		status       int
		says         string
	}{
		"no body":                       {"generateSessionTokenForUser", ``, 400, "JSON object"},
		"no JSON":                       {"signUp", `{`, 400, "JSON object"},
		"list":                          {"verifyNativeUserCredentials", `[]`, 400, "JSON object"},
		"text":                          {"endSession", `"x"`, 400, "JSON object"},
		"two objects":                   {"endSession", `{}{}`, 400, "JSON object"},
		"user id missing":               {"generateSessionTokenForUser", `{}`, 400, "userId"},
		"user id that is a number":      {"generateSessionTokenForUser", `{"userId":7}`, 400, "must be a string"},
		"user id of a group":            {"generateSessionTokenForUser", `{"userId":"urn:li:corpGroup:g"}`, 400, "userId"},
		"user id that does not balance": {"generateSessionTokenForUser", `{"userId":"(("}`, 400, "userId"},
		"system actor":                  {"generateSessionTokenForUser", `{"userId":"__datahub_system"}`, 400, "not a user"},
		"session missing":               {"endSession", `{"accessToken":""}`, 400, "accessToken"},
		"session that is none":          {"endSession", `{"accessToken":"x"}`, 400, "not the token of a session"},
		"group at sign-up":              {"signUp", `{"fullName":"x","userUrn":"urn:li:corpGroup:g"}`, 400, "userUrn"},
		"name missing at sign-up":       {"signUp", `{"userUrn":"x"}`, 400, "fullName"},
		"bad invitation":                {"signUp", `{"userUrn":"x","fullName":"x","email":"x@y","password":"correct horse","inviteToken":"x"}`, 400, "inviteToken"},
		"reserved user":                 {"signUp", `{"userUrn":"urn:li:corpuser:datahub","fullName":"x","email":"x@y","password":"correct horse","inviteToken":"x"}`, 400, "userUrn"},
		"user that exists":              {"signUp", `{"fullName":"x","email":"New@Example.org","password":"correct horse","inviteToken":"` + f.invite() + `"}`, 409, "exists already"},
		"user of the system":            {"signUp", `{"userUrn":"service_x","fullName":"x","email":"x@y","password":"correct horse","inviteToken":"` + f.invite() + `"}`, 400, "cannot be signed up for"},
		"password missing":              {"verifyNativeUserCredentials", `{"userUrn":"x"}`, 400, "password"},
		"user missing at verification":  {"verifyNativeUserCredentials", `{"password":"x"}`, 400, "userUrn"},
		"reset token missing":           {"resetNativeUserCredentials", `{"userUrn":"x","password":"correct horse"}`, 400, "resetToken"},
		"bad reset token":               {"resetNativeUserCredentials", `{"userUrn":"x","password":"correct horse","resetToken":"x"}`, 400, "reset link"},
		"user missing at reset":         {"resetNativeUserCredentials", `{}`, 400, "userUrn"},
		"half a pair in a user":         {"signUp", `{"userUrn":"jo\ud800","fullName":"x","email":"x@y","password":"correct horse","inviteToken":"` + f.invite() + `"}`, 400, "half of a surrogate pair"},
		"user in another encoding":      {"generateSessionTokenForUser", "{\"userId\":\"caf\xe9\"}", 400, "not valid UTF-8"},
		"half a pair in a password":     {"verifyNativeUserCredentials", `{"userUrn":"jo","password":"\udfff"}`, 400, "half of a surrogate pair"},
		"guest missing":                 {"provisionUser", `{}`, 400, "userUrn"},
		"guest who is the root user":    {"provisionUser", `{"userUrn":"datahub","create":true}`, 400, "not a user who signs in by an identity provider"},
		"guest who looks like it":       {"provisionUser", `{"userUrn":"DataHub","create":true}`, 400, "not a user who signs in by an identity provider"},
		"guest who is of the system":    {"provisionUser", `{"userUrn":"__datahub_system","create":true}`, 400, "not a user who signs in by an identity provider"},
		"guest as a service account":    {"provisionUser", `{"userUrn":"service_etl","create":true}`, 400, "not a user who signs in by an identity provider"},
		"guest of the sub-type":         {"provisionUser", `{"userUrn":"etlbot","create":true,"update":true}`, 400, "not a user who signs in by an identity provider"},
		"session of a service account":  {"generateSessionTokenForUser", `{"userId":"etlbot"}`, 400, "is not a user who can sign in"},
		"sign-up as a service account":  {"signUp", `{"userUrn":"etlbot","fullName":"x","email":"x@y","password":"correct horse","inviteToken":"` + f.invite() + `"}`, 409, "exists already"},
		"guest in another spelling":     {"provisionUser", `{"userUrn":"New@example.org","create":true}`, 409, "another spelling"},
		"guest with a comma":            {"provisionUser", `{"userUrn":"a,b","create":true}`, 400, "separates the parts"},
		"guest with groups in a text":   {"provisionUser", `{"userUrn":"a","groups":"x"}`, 400, "groups must be a list of strings"},
		"guest with a group in a list":  {"provisionUser", `{"userUrn":"a","groups":[[]]}`, 400, "groups must be a string"},
		"guest who is made by a text":   {"provisionUser", `{"userUrn":"a","create":"yes"}`, 400, "create must be true or false"},
		"guest in too many groups":      {"provisionUser", `{"userUrn":"a","create":true,"groups":["x"` + strings.Repeat(`,"x"`, 1000) + `]}`, 400, "groups: 1001 are more than the 1000"},
		"guest that is too large":       {"provisionUser", `{"userUrn":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "1 MiB"},
		"failure without a reason":      {"reportFailedLogIn", `{}`, 400, "reason must not be empty"},
		"failure with a sentence":       {"reportFailedLogIn", `{"reason":"no such user"}`, 400, "reason must be a code"},
		"failure of a group":            {"reportFailedLogIn", `{"reason":"x","userUrn":"urn:li:corpGroup:g"}`, 400, "userUrn"},
		"no single sign-on":             {"getSsoSettings", `{}`, 404, "single sign-on"},
		"call that was removed":         {"track", `{}`, 404, "nothing at this path"},
		"body that is too large":        {"signUp", `{"fullName":"` + strings.Repeat("x", 64<<10) + `"}`, 413, "64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUpFrom(t, f)
			got := f.proxy(tc.action, tc.body)
			if got.status != tc.status || !strings.Contains(got.text, tc.says) || strings.Contains(got.text, "correct horse") {
				t.Errorf("%+v, want %d: %s", got, tc.status, tc.says)
			}
		})
	}
}

// setUpFrom lets a subtest use the fixture of its parent.
func setUpFrom(t testing.TB, f *fixture) *fixture {
	t.Helper()
	c := *f
	c.t = t
	return &c
}

// TestNamesThatWouldBreakURNsAreRefusedByEveryCall sends names that cannot be part of a URN in
// every request with a user, and searches for them in the recorded events.
func TestNamesThatWouldBreakURNsAreRefusedByEveryCall(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite()
	for name, says := range map[string]string{
		`jo\n`: "U+000A", `\u0000jo`: "U+0000", ` jo`: "white space", `jo\u00a0`: "white space", `j\u200bo`: "U+200B", `j\u202eo`: "U+202E", `j\u3164o`: "U+3164",
		`a,b`: "separates", `(a)`: "separates", `a\u241fb`: "separates", strings.Repeat("x", 497): "at most 496 bytes",
	} {
		for _, user := range []string{name, "urn:li:corpuser:" + name} {
			for action, call := range map[string]struct{ member, body string }{
				"generateSessionTokenForUser": {"userId", `{"userId":"%s"}`},
				"signUp":                      {"userUrn", `{"userUrn":"%s","fullName":"x","email":"x@example.org","password":"correct horse","inviteToken":"` + invite + `"}`},
				"verifyNativeUserCredentials": {"userUrn", `{"userUrn":"%s","password":"correct horse"}`},
				"resetNativeUserCredentials":  {"userUrn", `{"userUrn":"%s","password":"correct horse","resetToken":"x"}`},
				"provisionUser":               {"userUrn", `{"userUrn":"%s","create":true}`},
				"reportFailedLogIn":           {"userUrn", `{"userUrn":"%s","reason":"x"}`},
			} {
				got := f.proxy(action, strings.Replace(call.body, "%s", user, 1))
				if got.status != 400 || !strings.Contains(got.text, call.member) || !strings.Contains(got.text, says) {
					t.Errorf("%s %.60q: %d %s, want %s and %q", action, user, got.status, got.text, call.member, says)
				}
			}
		}
	}
	got := f.proxy("signUp", `{"email":"jo\n@example.org","fullName":"x","password":"correct horse","inviteToken":"`+invite+`"}`)
	if got.status != 400 || !strings.Contains(got.text, "email") || !strings.Contains(got.text, "U+000A") {
		t.Errorf("by the address: %+v", got)
	}
	f.events.mu.Lock()
	defer f.events.mu.Unlock()
	for _, e := range f.events.list {
		for _, u := range []urn.URN{e.Actor, e.Entity} {
			if u != "" && username.Check(u.Key()) != nil {
				t.Errorf("recorded %+v", e)
			}
		}
	}
}

func TestOnlyPost(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, action := range actions {
		r := httptest.NewRequest(http.MethodGet, "/auth/"+action, nil)
		r.Header.Set("Authorization", "Basic __datahub_system:"+system.Reveal())
		w := httptest.NewRecorder()
		f.server.ServeHTTP(w, r)
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", action, w.Code)
		}
	}
}

func FuzzBodies(f *testing.F) {
	x := setUp(f)
	for _, seed := range []string{"{}", `{"userId":"jo"}`, `{"userUrn":"jo","password":"p"}`, `{"accessToken":"a.b.c"}`, `{"userUrn":{}}`, "null", "\"\\ud800\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		x := setUpFrom(t, x)
		for _, action := range actions {
			if got := x.proxy(action, body); got.status >= 500 {
				t.Errorf("%s %q: %d", action, body, got.status)
			}
		}
	})
}

// attentive records the clients that send passwords.
type attentive struct {
	signin.Credentials
	clients []credentials.Client
}

func (a *attentive) Verify(ctx context.Context, _ urn.URN, _ config.Secret) (credentials.Verdict, error) {
	c, _ := credentials.ClientFrom(ctx)
	a.clients = append(a.clients, c)
	return credentials.Verdict{Match: true}, nil
}

func TestPasswordsCountByTheClientThatTheProxyTellsOf(t *testing.T) {
	t.Parallel()
	f, a := setUp(t), &attentive{}
	who, err := authn.New(authn.Config{Enabled: true, SystemSecret: system, Tokens: f.tokens})
	check(t, err)
	s := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)})
	s.Echo.IPExtractor = func(r *http.Request) string { return r.Header.Get(forwarded.AddressHeader) }
	s.Echo.Use(who.Middleware())
	signin.Mount(s.Echo, f.tokens, a, f.settings, f.events, slog.New(slog.DiscardHandler))
	for _, ctx := range []context.Context{t.Context(), forwarded.WithKnownBrowser(t.Context())} {
		r := httptest.NewRequest(http.MethodPost, "/auth/verifyNativeUserCredentials", strings.NewReader(`{"userUrn":"urn:li:corpuser:Jo","password":"secret"}`))
		r.Header.Set("Authorization", "Basic __datahub_system:"+system.Reveal())
		r.Header.Set(forwarded.AddressHeader, "192.0.2.7")
		forwarded.TellBrowser(ctx, r.Header)
		w := httptest.NewRecorder()
		if s.Echo.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if want := []credentials.Client{{Address: "192.0.2.7"}, {Address: "192.0.2.7", Known: "urn:li:corpuser:jo"}}; !slices.Equal(a.clients, want) {
		t.Errorf("got %v, want %v", a.clients, want)
	}
}
