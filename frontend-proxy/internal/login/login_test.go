package login_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/login"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// memoryService is a service that keeps its users in memory.
type memoryService struct {
	mu        sync.Mutex
	passwords map[urn.URN]string
	sources   []string
	ended     []string
	guests    []login.Guest
	reports   []string
	away      bool
	// knownBrowser is the browser information of the last password check.
	knownBrowser bool
}

func (p *memoryService) lock() (unlock func(), err error) {
	p.mu.Lock()
	if p.away {
		err = fault.New(fault.Unavailable, "away")
	}
	return p.mu.Unlock, err
}

// epochOf returns the session epoch of a user with a password.
func epochOf(password string) string { return "epoch of " + password }

func (p *memoryService) Verify(ctx context.Context, user urn.URN, password string) (string, error) {
	unlock, err := p.lock()
	defer unlock()
	header := http.Header{}
	forwarded.TellBrowser(ctx, header)
	p.knownBrowser = forwarded.IsKnownBrowser(header)
	if err == nil && p.passwords[user] != password {
		err = fault.New(fault.Unauthenticated, "Invalid Credentials")
	}
	return epochOf(password), err
}

func (p *memoryService) StartSession(_ context.Context, user urn.URN, source, epoch string) (string, error) {
	unlock, err := p.lock()
	defer unlock()
	if want := epochOf(p.passwords[user]); source != "ssoLogin" && epoch != want || source == "ssoLogin" && epoch != "" {
		err = fault.New(fault.Unauthenticated, "the epoch is %q", epoch)
	}
	if user.Key() == "suspended" {
		err = fault.New(fault.Unauthenticated, "suspended")
	}
	p.sources = append(p.sources, source)
	return "token of " + user.Key(), err
}

func (p *memoryService) EndSession(_ context.Context, token string) error {
	unlock, err := p.lock()
	defer unlock()
	p.ended = append(p.ended, token)
	return err
}

func (p *memoryService) SignUp(_ context.Context, user login.NewUser) (string, error) {
	unlock, err := p.lock()
	defer unlock()
	if user.InviteToken != "invited" {
		return "", fault.New(fault.Invalid, "bad invite")
	}
	p.passwords[user.URN] = user.Password
	return epochOf(user.Password), err
}

func (p *memoryService) ResetPassword(_ context.Context, user urn.URN, password, token string) (string, error) {
	unlock, err := p.lock()
	defer unlock()
	if token != "reset" {
		return "", fault.New(fault.Invalid, "bad token")
	}
	p.passwords[user] = password
	return epochOf(password), err
}

func (p *memoryService) Provision(_ context.Context, g login.Guest) error {
	unlock, err := p.lock()
	defer unlock()
	switch {
	case g.URN.Key() == "suspended":
		return deniedError("SUSPENDED")
	case g.URN.Key() == "taken":
		return fault.New(fault.Conflict, "another spelling")
	case g.URN.Key() == "removed":
		return deniedError("SOFT_DELETED")
	case g.URN.Key() == "datahub":
		return fault.New(fault.Invalid, "datahub is not a user who signs in by an identity provider")
	case !g.Create && p.passwords[g.URN] == "":
		return deniedError("NOT_PROVISIONED")
	}
	p.guests = append(p.guests, g)
	return err
}

func (p *memoryService) ReportFailure(_ context.Context, _ urn.URN, code string) error {
	unlock, err := p.lock()
	defer unlock()
	p.reports = append(p.reports, code)
	return err
}

// deniedError is the service's refusal of a user.
type deniedError string

func (e deniedError) Error() string  { return string(e) }
func (e deniedError) Denial() string { return string(e) }

// testLogin is a running login with a clock that the test controls.
type testLogin struct {
	server  *httpserver.Server
	service *memoryService
	jar     *session.Jar
	log     *strings.Builder
	now     time.Time
}

func newTestLogin(t testing.TB) *testLogin {
	t.Helper()
	d := &testLogin{
		service: &memoryService{passwords: map[urn.URN]string{"urn:li:corpuser:jo": "right", "urn:li:corpuser:suspended": "right"}},
		log:     &strings.Builder{}, now: time.Unix(1_800_000_000, 0),
	}
	clock := func() time.Time { return d.now }
	jar, err := session.NewJar(session.Config{Secret: config.Secret(strings.Repeat("s", 32)), Lifetime: time.Hour, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	d.jar = jar
	log := logging.New(d.log, slog.LevelDebug, logging.JSON)
	d.server = httpserver.New(httpserver.Config{Log: log})
	login.New(d.service, jar, login.Config{Limits: login.Limits{PerMinute: 10, Burst: 20}, Native: true}, log, clock).Mount(d.server.Echo)
	return d
}

func (d *testLogin) do(method, target, body string, change ...func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	d.server.Echo.ServeHTTP(w, r)
	return w.Result()
}

func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address + ":1" }
}

func message(t *testing.T, res *http.Response) string {
	t.Helper()
	var body struct{ Message string }
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return body.Message
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	invited := `{"fullName":"Jo New","email":"new@example.com","password":"p","inviteToken":"invited","title":"Other"%s}`
	tests := []struct {
		name, path, body, actor, source string
	}{
		{"by password", "/logIn", `{"username":"jo","password":"right"}`, "urn:li:corpuser:jo", "passwordLogin"},
		{"on the path the client guesses", "/api/logIn", `{"username":"jo","password":"right"}`, "urn:li:corpuser:jo", "passwordLogin"},
		{"by invitation", "/signUp", fmt.Sprintf(invited, ""), "urn:li:corpuser:new@example.com", "signUpLinkLogin"},
		{"by invitation with an id", "/api/signUp", fmt.Sprintf(invited, `,"userUrn":"urn:li:corpuser:new"`), "urn:li:corpuser:new", "signUpLinkLogin"},
		{"by reset token", "/resetNativeUserCredentials", `{"email":"jo","password":"next","resetToken":"reset"}`, "urn:li:corpuser:jo", "passwordReset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newTestLogin(t)
			res := d.do(http.MethodPost, tt.path, tt.body)
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != http.StatusOK || len(body) != 0 {
				t.Fatalf("got %d %q, want 200 and no body", res.StatusCode, body)
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			for _, c := range res.Cookies() {
				r.AddCookie(c)
			}
			s, err := d.jar.Open(r)
			if err != nil || string(s.Actor) != tt.actor || s.Token != "token of "+s.Actor.Key() {
				t.Errorf("session: %+v, %v", s, err)
			}
			if c := res.Cookies()[1]; c.Name != "actor" || c.Value != tt.actor {
				t.Errorf("actor cookie: %v", c)
			}
			if d.service.sources[0] != tt.source {
				t.Errorf("source: got %s, want %s", d.service.sources[0], tt.source)
			}
		})
	}
}

// TestASessionCannotBeFixed gives a browser the session of another user, as an attacker would,
// before its user signs in.
func TestASessionCannotBeFixed(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	d.service.passwords["urn:li:corpuser:mallory"] = "right"
	planted := d.do(http.MethodPost, "/logIn", `{"username":"mallory","password":"right"}`).Cookies()
	for _, path := range []string{"/logIn", "/signUp", "/resetNativeUserCredentials"} {
		body := `{"username":"jo","password":"right","fullName":"Jo","email":"jo@example.com","inviteToken":"invited","resetToken":"reset"}`
		res := d.do(http.MethodPost, path, body, func(r *http.Request) {
			for _, c := range planted {
				r.AddCookie(c)
			}
		})
		got := res.Cookies()
		if res.StatusCode != http.StatusOK || len(got) != 3 || got[0].Name != session.CookieName || got[0].Value == planted[0].Value {
			t.Fatalf("%s: %d, cookies %v", path, res.StatusCode, got)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(got[0])
		if s, err := d.jar.Open(r); err != nil || !strings.HasPrefix(s.Actor.Key(), "jo") || s.Token != "token of "+s.Actor.Key() {
			t.Errorf("%s: session %+v, %v", path, s, err)
		}
	}
	// An invented cookie is not a session, and is replaced as well.
	res := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`, func(r *http.Request) {
		r.AddCookie(&http.Cookie{Name: session.CookieName, Value: "chosen-by-mallory"})
	})
	if got := res.Cookies(); len(got) != 3 || got[0].Value == "chosen-by-mallory" {
		t.Errorf("cookies %v", got)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	jsonType := "application/json"
	tests := []struct {
		name, path, kind, body string
		status                 int
		want                   string
	}{
		{"wrong password", "/logIn", jsonType, `{"username":"jo","password":"no"}`, 400, "Invalid Credentials"},
		{"unknown user", "/logIn", jsonType, `{"username":"nobody","password":"no"}`, 400, "Invalid Credentials"},
		{"a user name that makes no URN", "/logIn", jsonType, `{"username":"(","password":"no"}`, 400, "Invalid Credentials"},
		{"a user name that is a URN", "/logIn", jsonType, `{"username":"urn:li:corpuser:jo","password":"right"}`, 400, "Invalid Credentials"},
		{"a user name with a line feed", "/logIn", jsonType, `{"username":"jo\n","password":"right"}`, 400, "U+000A"},
		{"a user name with a blank at its end", "/logIn", jsonType, `{"username":"jo ","password":"right"}`, 400, "white space"},
		{"a user name with an invisible character", "/logIn", jsonType, `{"username":"j\u200bo","password":"right"}`, 400, "U+200B"},
		{"a user name with a comma", "/logIn", jsonType, `{"username":"a,b","password":"right"}`, 400, "separates the parts of a URN"},
		{"sign-up with a line feed in the URN", "/signUp", jsonType, `{"fullName":"a","email":"a@b","password":"p","inviteToken":"invited","userUrn":"urn:li:corpuser:a\nb"}`, 400, "U+000A"},
		{"sign-up with an address that turns around", "/signUp", jsonType, `{"fullName":"a","email":"a@b\u202e","password":"p","inviteToken":"invited"}`, 400, "U+202E"},
		{
			"sign-up with an address that turns around beside a URN", "/signUp", jsonType,
			`{"fullName":"a","email":"a@b\u202e","password":"p","inviteToken":"invited","userUrn":"urn:li:corpuser:a"}`, 400, "U+202E",
		},
		{"reset with a line feed in the name", "/resetNativeUserCredentials", jsonType, `{"email":"jo\n","password":"p","resetToken":"reset"}`, 400, "U+000A"},
		{"no password", "/logIn", jsonType, `{"username":"jo"}`, 400, "Invalid Credentials"},
		{"a very long user name", "/logIn", jsonType, `{"username":"` + strings.Repeat("x", 600) + `"}`, 400, "Invalid Credentials"},
		{"suspended after the right password", "/logIn", jsonType, `{"username":"suspended","password":"right"}`, 400, "suspended"},
		{"half a pair in a user name", "/logIn", jsonType, `{"username":"jo\ud800","password":"right"}`, 400, "half of a surrogate pair"},
		{"a password in another encoding", "/logIn", jsonType, "{\"username\":\"jo\",\"password\":\"caf\xe9\"}", 400, "not valid UTF-8"},
		{"sign-up with half a pair", "/signUp", jsonType, `{"fullName":"a","email":"a\udfff@b","password":"p","inviteToken":"invited"}`, 400, "half of a surrogate pair"},
		{"no user name", "/logIn", jsonType, `{"password":"x"}`, 400, "User name must not be empty."},
		{"no JSON", "/logIn", jsonType, `{`, 400, "The body must be a JSON object"},
		{"no body", "/logIn", jsonType, ``, 400, "The body must be a JSON object"},
		{"wrong types", "/logIn", jsonType, `{"username":1}`, 400, "The body must be a JSON object"},
		{"another content type", "/logIn", "text/plain", `{"username":"jo","password":"right"}`, 415, "The body must be JSON"},
		{"no content type", "/logIn", "", `{"username":"jo","password":"right"}`, 415, "The body must be JSON"},
		{"a charset does no harm", "/logIn", jsonType + "; charset=utf-8", `{}`, 400, "User name must not be empty."},
		{"too large", "/logIn", jsonType, `{"username":"` + strings.Repeat("x", 64<<10) + `"}`, 413, "64 KiB"},
		{"sign-up without a name", "/signUp", jsonType, `{}`, 400, "Full name must not be empty."},
		{"sign-up without email", "/signUp", jsonType, `{"fullName":"a"}`, 400, "Email must not be empty."},
		{"sign-up without password", "/signUp", jsonType, `{"fullName":"a","email":"a@b"}`, 400, "Password must not be empty."},
		{"sign-up without invitation", "/signUp", jsonType, `{"fullName":"a","email":"a@b","password":"p"}`, 400, "Invite token must not be empty."},
		{"sign-up with a blank name", "/signUp", jsonType, `{"fullName":" ","email":"a@b","password":"p","inviteToken":"invited"}`, 400, "Full name must not be empty."},
		{"sign-up with a blank invitation", "/signUp", jsonType, `{"fullName":"a","email":"a@b","password":"p","inviteToken":"\t"}`, 400, "Invite token must not be empty."},
		{"sign-up with a bad address before a missing password", "/signUp", jsonType, `{"fullName":"a","email":"a"}`, 400, "Email must be an address"},
		{"sign-up with a bad address", "/signUp", jsonType, `{"fullName":"a","email":"a","password":"p","inviteToken":"invited"}`, 400, "Email must be an address"},
		{"sign-up with a bad invitation", "/signUp", jsonType, `{"fullName":"a","email":"a@b","password":"p","inviteToken":"x"}`, 400, "bad invite"},
		{"sign-up as no user", "/signUp", jsonType, `{"fullName":"a","email":"a@b","password":"p","inviteToken":"invited","userUrn":"urn:li:tag:x"}`, 400, "User URN must start with"},
		{
			"sign-up with a URN inside the URN", "/signUp", jsonType,
			`{"fullName":"a","email":"a@b","password":"p","inviteToken":"invited","userUrn":"urn:li:corpuser:urn:li:corpuser:jo"}`, 400, "not a URN",
		},
		{"sign-up with a URN as address", "/signUp", jsonType, `{"fullName":"a","email":"urn:li:corpuser:jo@b","password":"p","inviteToken":"invited"}`, 400, "not a URN"},
		{"reset without email", "/resetNativeUserCredentials", jsonType, `{}`, 400, "Email must not be empty."},
		{"reset without password", "/resetNativeUserCredentials", jsonType, `{"email":"a@b"}`, 400, "Password must not be empty."},
		{"reset without token", "/resetNativeUserCredentials", jsonType, `{"email":"a@b","password":"p"}`, 400, "Reset token must not be empty."},
		{"reset with a bad token", "/resetNativeUserCredentials", jsonType, `{"email":"a@b","password":"p","resetToken":"x"}`, 400, "bad token"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newTestLogin(t)
			res := d.do(http.MethodPost, tt.path, tt.body, func(r *http.Request) { r.Header.Set("Content-Type", tt.kind) })
			if got := message(t, res); res.StatusCode != tt.status || !strings.HasPrefix(got, tt.want) && !strings.Contains(got, tt.want) {
				t.Errorf("got %d %q, want %d %q", res.StatusCode, got, tt.status, tt.want)
			}
			if len(res.Cookies()) != 0 {
				t.Errorf("cookies came along: %v", res.Cookies())
			}
		})
	}
}

func TestWithoutNativeAuthenticationNobodySignsInByPassword(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	d.server = httpserver.New(httpserver.Config{Log: logging.Discard()})
	login.New(d.service, d.jar, login.Config{Limits: login.Limits{PerMinute: 10, Burst: 20}}, logging.Discard(), time.Now).Mount(d.server.Echo)
	for _, path := range []string{"/logIn", "/api/logIn", "/signUp", "/api/signUp", "/resetNativeUserCredentials"} {
		res := d.do(http.MethodPost, path, `{"username":"jo","password":"right"}`)
		if got := message(t, res); res.StatusCode != http.StatusBadRequest || got != "Native authentication is not enabled on the server." || len(res.Cookies()) != 0 {
			t.Errorf("%s: got %d %q, cookies %v", path, res.StatusCode, got, res.Cookies())
		}
	}
}

func TestAddressesAreLimited(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	try := func(client string) *http.Response {
		return d.do(http.MethodPost, "/logIn", `{}`, from(client))
	}
	for i := range 20 {
		if res := try("10.0.0.1"); res.StatusCode != http.StatusBadRequest {
			t.Fatalf("attempt %d: got %d", i, res.StatusCode)
		}
	}
	res := try("10.0.0.1")
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "6" || message(t, res) == "" {
		t.Errorf("attempt beyond the burst: got %d, Retry-After %q", res.StatusCode, res.Header.Get("Retry-After"))
	}
	if res := try("10.0.0.2"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("another client: got %d", res.StatusCode)
	}
	d.now = d.now.Add(6 * time.Second)
	if res := try("10.0.0.1"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("after the wait: got %d", res.StatusCode)
	}
	for range 20 {
		try("[2001:db8::1]")
	}
	if res := try("[2001:db8::ffff]"); res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a neighbour in the same /64: got %d", res.StatusCode)
	}
}

func TestAClientIsSlowedDownMoreWithEachFailureAtAUser(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	try := func(client, user, password string) *http.Response {
		return d.do(http.MethodPost, "/logIn", fmt.Sprintf(`{"username":%q,"password":%q}`, user, password), from(client))
	}
	for i := range 5 {
		if res := try("10.1.0.1", "jo", "no"); res.StatusCode != http.StatusBadRequest {
			t.Fatalf("failure %d: got %d", i, res.StatusCode)
		}
	}
	for _, seconds := range []string{"5", "10", "20", "40", "80", "160", "320", "640", "900", "900"} {
		res := try("10.1.0.1", "JO", "right")
		if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != seconds {
			t.Fatalf("got %d, Retry-After %s, want 429 and %s", res.StatusCode, res.Header.Get("Retry-After"), seconds)
		}
		wait, err := time.ParseDuration(seconds + "s")
		if err != nil {
			t.Fatal(err)
		}
		d.now = d.now.Add(wait)
		if res := try("10.1.0.1", "jo", "no"); res.StatusCode != http.StatusBadRequest {
			t.Fatalf("after %s s: got %d", seconds, res.StatusCode)
		}
	}
	if res := try("10.1.0.1", "suspended", "right"); res.StatusCode == http.StatusTooManyRequests {
		t.Error("another user is slowed down too")
	}
	if res := try("10.1.0.2", "jo", "right"); res.StatusCode != http.StatusOK {
		t.Errorf("the user itself is kept away: got %d", res.StatusCode)
	}
	d.now = d.now.Add(15 * time.Minute)
	if res := try("10.1.0.1", "jo", "right"); res.StatusCode != http.StatusOK {
		t.Fatalf("right password after the longest wait: got %d", res.StatusCode)
	}
	if res := try("10.1.0.1", "jo", "no"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("success did not clear the failures: got %d", res.StatusCode)
	}
	if strings.Contains(d.log.String(), `"jo"`) || !strings.Contains(d.log.String(), `"j***"`) {
		t.Error("user names are not masked in the log")
	}
}

func TestManyClientsTogetherAreSlowedDownAndKeepNobodyAway(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	client := 0
	try := func(from string, password string) *http.Response {
		body := fmt.Sprintf(`{"username":"jo","password":%q}`, password)
		return d.do(http.MethodPost, "/logIn", body, func(r *http.Request) { r.RemoteAddr = from + ":1" })
	}
	fresh := func() string {
		client++
		return fmt.Sprintf("10.2.%d.%d", client/250, client%250)
	}
	if res := try("10.1.0.1", "right"); res.StatusCode != http.StatusOK {
		t.Fatalf("got %d", res.StatusCode)
	}
	passed := 0
	for range 2000 { // two per second
		if try(fresh(), "no").StatusCode == http.StatusBadRequest {
			passed++
		}
		d.now = d.now.Add(500 * time.Millisecond)
	}
	if passed > 100 {
		t.Errorf("%d guesses of many clients were judged in 1000 seconds", passed)
	}
	for try(fresh(), "no").StatusCode == http.StatusBadRequest {
	}
	if res := try("10.1.0.1", "right"); res.StatusCode != http.StatusOK {
		t.Errorf("where the user signs in from: got %d", res.StatusCode)
	}
	res := try("10.1.0.2", "right")
	wait, err := time.ParseDuration(res.Header.Get("Retry-After") + "s")
	if err != nil || res.StatusCode != http.StatusTooManyRequests || wait > 30*time.Second {
		t.Fatalf("a new place: got %d, Retry-After %s", res.StatusCode, wait)
	}
	d.now = d.now.Add(wait)
	if res := try("10.1.0.2", "right"); res.StatusCode != http.StatusOK {
		t.Errorf("a new place after half a minute: got %d", res.StatusCode)
	}
}

func TestInvitationsCannotBeGuessed(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	signUp := func(client, invitation string) *http.Response {
		d.now = d.now.Add(6 * time.Second) // within the client's bucket
		return d.do(http.MethodPost, "/signUp", `{"fullName":"A","email":"a@example.org","password":"long enough","inviteToken":"`+invitation+`"}`, from(client))
	}
	for i := range 10 {
		if res := signUp("10.3.0.1", "wrong"); res.StatusCode == http.StatusTooManyRequests {
			t.Fatalf("guess %d: got %d", i, res.StatusCode)
		}
	}
	delayed := 0
	for range 30 {
		if signUp("10.3.0.1", "wrong").StatusCode == http.StatusTooManyRequests {
			delayed++
		}
	}
	if delayed < 20 {
		t.Errorf("%d of 30 further guesses were delayed", delayed)
	}
	if res := signUp("10.3.0.2", "wrong"); res.StatusCode == http.StatusTooManyRequests {
		t.Error("another client is delayed, too")
	}
}

func TestFailuresAreForgotten(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	for range 2 {
		for i := range 5 {
			res := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"no"}`)
			if res.StatusCode != http.StatusBadRequest {
				t.Fatalf("failure %d: got %d", i, res.StatusCode)
			}
		}
		d.now = d.now.Add(2 * time.Hour)
	}
}

func TestAServiceThatIsAwayCountsForNothing(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	d.service.away = true
	for range 8 {
		if res := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`); res.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("got %d", res.StatusCode)
		}
	}
	d.service.away = false
	if res := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`); res.StatusCode != http.StatusOK {
		t.Errorf("got %d", res.StatusCode)
	}
}

func TestLoggingOut(t *testing.T) {
	t.Parallel()
	for _, away := range []bool{false, true} {
		t.Run(fmt.Sprintf("service away: %v", away), func(t *testing.T) {
			t.Parallel()
			d := newTestLogin(t)
			cookies := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`).Cookies()
			d.service.away = away
			res := d.do(http.MethodGet, "/logOut", "", func(r *http.Request) { r.AddCookie(cookies[0]) })
			if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/login" {
				t.Errorf("got %d to %s", res.StatusCode, res.Header.Get("Location"))
			}
			if got := res.Cookies(); len(got) != 2 || got[0].MaxAge >= 0 || got[1].MaxAge >= 0 {
				t.Errorf("cookies: %v", got)
			}
			if len(d.service.ended) != 1 || d.service.ended[0] != "token of jo" {
				t.Errorf("ended: %v", d.service.ended)
			}
		})
	}
	t.Run("without a session", func(t *testing.T) {
		t.Parallel()
		d := newTestLogin(t)
		if res := d.do(http.MethodGet, "/logOut", ""); res.StatusCode != http.StatusSeeOther || len(d.service.ended) != 0 {
			t.Errorf("got %d, ended %v", res.StatusCode, d.service.ended)
		}
	})
}

func TestAnotherSiteCannotEndASession(t *testing.T) {
	t.Parallel()
	const html = "text/html,application/xhtml+xml,*/*;q=0.8"
	for name, tt := range map[string]struct {
		method string
		header map[string]string
		ends   bool
	}{
		"a page of ours":                     {"GET", map[string]string{"Sec-Fetch-Site": "same-origin", "Accept": html}, true},
		"the address bar":                    {"GET", map[string]string{"Sec-Fetch-Site": "none", "Accept": html}, true},
		"another site":                       {"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Accept": html}, false},
		"another site that is quiet":         {"GET", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		"a neighbour of the same site":       {"GET", map[string]string{"Sec-Fetch-Site": "same-site", "Accept": html}, false},
		"an old browser on a page of ours":   {"GET", map[string]string{"Referer": "http://example.com/search", "Accept": html}, true},
		"an old browser on another site":     {"GET", map[string]string{"Referer": "https://evil.example/example.com", "Accept": html}, false},
		"an old browser that hides the site": {"GET", map[string]string{"Accept": html}, false},
		"a sandboxed frame":                  {"GET", map[string]string{"Origin": "null", "Accept": html}, false},
		"a program":                          {"GET", map[string]string{"Accept": "*/*"}, true},
		"a program without a word":           {"GET", nil, true},
		"the button of the page that asks":   {"POST", map[string]string{"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestLogin(t)
			cookies := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`).Cookies()
			res := d.do(tt.method, "/logOut", "", func(r *http.Request) {
				r.AddCookie(cookies[0])
				for name, value := range tt.header {
					r.Header.Set(name, value)
				}
			})
			if tt.ends {
				if res.StatusCode != http.StatusSeeOther || len(d.service.ended) != 1 || len(res.Cookies()) != 2 {
					t.Errorf("got %d, ended %v, cookies %v", res.StatusCode, d.service.ended, res.Cookies())
				}
				return
			}
			page, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusForbidden || !strings.Contains(string(page), `<form method="post" action="logOut">`) {
				t.Errorf("got %d %s, %v", res.StatusCode, page, err)
			}
			if len(d.service.ended) != 0 || len(res.Cookies()) != 0 || !strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
				t.Errorf("ended %v, cookies %v, headers %v", d.service.ended, res.Cookies(), res.Header)
			}
		})
	}
}

func TestRedirectsStayHere(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	cookies := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`).Cookies()
	signedIn := func(r *http.Request) { r.AddCookie(cookies[0]) }
	for target, want := range map[string]string{
		"":                                    "/",
		"/dataset/urn%3Ali%3Ax?a=b":           "/dataset/urn%3Ali%3Ax?a=b",
		"//evil.example":                      "/",
		`/\evil.example`:                      "/",
		"/\t/evil.example":                    "/",
		"https://evil.example":                "/",
		"javascript:alert(1)":                 "/",
		"evil":                                "/",
		"/a?next=//fine":                      "/a?next=//fine",
		`\\evil.example`:                      "/",
		"/%zz":                                "/",
		"/search?query=%2F%2Fquoted":          "/search?query=%2F%2Fquoted",
		"/%2F/evil.example":                   "/",
		"/%2fevil.example":                    "/",
		"/%5cevil.example":                    "/",
		"/%09/evil.example":                   "/",
		"/\n/evil.example":                    "/",
		"/\x7f":                               "/",
		"///evil.example":                     "/",
		"/sso?redirect_uri=/sso":              "/",
		"/logOut":                             "/",
		"/callback/oidc?code=x":               "/",
		"/login":                              "/",
		"/dataset/a%2Fb":                      "/dataset/a%2Fb",
		" https://evil.example":               "/",
		"/@evil.example":                      "/@evil.example",
		"/../evil":                            "/",
		"/a/../../evil":                       "/",
		"/a/..":                               "/",
		"/./evil":                             "/",
		"/%2e%2e/evil":                        "/",
		"/.%2E/evil":                          "/",
		"/%2e/evil":                           "/",
		"/..;/evil":                           "/",
		"/a%2F..%2F..%2Fevil":                 "/",
		"/..%2Fevil":                          "/",
		"/..%5Cevil":                          "/",
		"/a%5C..%5C..%5Cevil":                 "/",
		"/dataset/urn%3Ali%3Ax/../../../evil": "/",
		"/dataset/urn:li:x/%2e%2e/evil":       "/",
		"/dataset/urn%3Ali%3Ax%2F..%2Fy":      "/dataset/urn%3Ali%3Ax%2F..%2Fy",
		"/user/urn%3Ali%3Acorpuser%3Aa%5Cb":   "/user/urn%3Ali%3Acorpuser%3Aa%5Cb",
		"/a?next=/../b":                       "/a?next=/../b",
		"/a#/../b":                            "/a#/../b",
		"/a..b/...":                           "/a..b/...",
	} {
		res := d.do(http.MethodGet, "/authenticate?redirect_uri="+escape(target), "", signedIn)
		if got := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || got != want {
			t.Errorf("%q: got %d to %q, want %q", target, res.StatusCode, got, want)
		}
	}
	res := d.do(http.MethodGet, "/authenticate?redirect_uri=/a%3Fb", "")
	if got := res.Header.Get("Location"); got != "/login?redirect_uri=%2Fa%3Fb" {
		t.Errorf("signed out: got %q", got)
	}
	for _, path := range []string{"/sso", "/callback/oidc"} {
		if got := d.do(http.MethodGet, path, "").Header.Get("Location"); got != "/login?error_code=not_configured&error_msg=SSO%20is%20not%20configured" {
			t.Errorf("%s: got %q", path, got)
		}
	}
}

func escape(s string) string {
	var out strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&out, "%%%02X", s[i])
	}
	return out.String()
}

var _ login.Service = (*memoryService)(nil)

func TestDefectsShowNothing(t *testing.T) {
	t.Parallel()
	d := newTestLogin(t)
	broken := brokenService{d.service}
	server := httpserver.New(httpserver.Config{Log: logging.Discard()})
	login.New(broken, d.jar, login.Config{Limits: login.Limits{PerMinute: 1, Burst: 1}, Native: true}, logging.Discard(), time.Now).Mount(server.Echo)
	d.server = server
	res := d.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`)
	if got := message(t, res); res.StatusCode != 500 || strings.Contains(got, "hidden") {
		t.Errorf("got %d %s", res.StatusCode, got)
	}
}

type brokenService struct{ *memoryService }

func (brokenService) Verify(context.Context, urn.URN, string) (string, error) {
	return "", errors.New("hidden detail")
}
