package login_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/login"
	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso/ssotest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

const baseURL = "https://catalog.example"

// ssoLogin is a testLogin with sign-in by a provider.
type ssoLogin struct {
	*testLogin
	t        testing.TB
	provider *ssotest.Provider
}

// loginConfig configures an ssoLogin.
type loginConfig struct {
	sso      sso.Config
	provider login.Provider
	limits   login.Limits
}

func newSSOLogin(t testing.TB, change ...func(*loginConfig)) *ssoLogin {
	t.Helper()
	p := ssotest.New(t)
	l := &ssoLogin{testLogin: newTestLogin(t), t: t, provider: p}
	p.Now = func() time.Time { return l.now }
	l.mount(func(w *loginConfig) {
		for _, f := range change {
			f(w)
		}
	})
	return l
}

// mount replaces the replica of the proxy by a new one.
func (l *ssoLogin) mount(change func(*loginConfig)) {
	l.t.Helper()
	clock := func() time.Time { return l.now }
	log := logging.New(l.log, slog.LevelDebug, logging.JSON)
	secret := config.Secret(strings.Repeat("s", 32))
	keys, err := seal.NewKeys(sso.KeyPurpose, secret, "")
	if err != nil {
		l.t.Fatal(err)
	}
	w := loginConfig{
		sso: sso.Config{
			ClientID: ssotest.ClientID, Secret: func(context.Context) (config.Secret, error) { return ssotest.ClientSecret, nil },
			DiscoveryURI: l.provider.DiscoveryURI(), BaseURL: baseURL, Scopes: []string{"openid", "profile", "email"}, AuthMethod: sso.SecretBasic,
			UserNameClaim: "email", GroupsClaims: []string{"groups"}, ConnectTimeout: 10 * time.Second, Timeout: 10 * time.Second, ClockSkew: time.Minute,
			Keys: keys, Secure: true, Life: time.Hour, Log: log, Now: clock,
		},
		provider: login.Provider{Create: true, Update: true}, limits: login.Limits{PerMinute: 100, Burst: 100},
	}
	change(&w)
	w.provider.Client = sso.New(w.sso)
	l.t.Cleanup(w.provider.Client.Close)
	l.server = httpserver.New(httpserver.Config{Log: log})
	login.New(l.service, l.jar, login.Config{Limits: w.limits, Native: true, Provider: w.provider}, log, clock).Mount(l.server.Echo)
}

// begin starts a sign-in, and returns the cookies and the address of the provider.
func (l *ssoLogin) begin(path string) (cookies []*http.Cookie, provider *url.URL) {
	l.t.Helper()
	res := l.do(http.MethodGet, path, "")
	provider, err := url.Parse(res.Header.Get("Location"))
	if err != nil || res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(provider.String(), l.provider.URL+"/authorize?") {
		l.t.Fatalf("%s: %d to %s", path, res.StatusCode, provider)
	}
	return res.Cookies(), provider
}

// visit follows the redirect to the provider as a browser does, and returns the address that the
// provider redirects back to.
func (l *ssoLogin) visit(provider *url.URL) (back string) {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, provider.String(), nil)
	if err != nil {
		l.t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	address, ours := strings.CutPrefix(res.Header.Get("Location"), baseURL)
	if !ours {
		l.t.Fatalf("the provider sends the browser to %q", res.Header.Get("Location"))
	}
	return address
}

func (l *ssoLogin) followCallback(address string, cookies []*http.Cookie) *http.Response {
	return l.do(http.MethodGet, address, "", with(cookies))
}

func with(cookies []*http.Cookie) func(*http.Request) {
	return func(r *http.Request) {
		for _, c := range cookies {
			if c.MaxAge >= 0 {
				r.AddCookie(c)
			}
		}
	}
}

// signIn executes a whole sign-in.
func (l *ssoLogin) signIn() *http.Response {
	l.t.Helper()
	cookies, provider := l.begin("/sso")
	return l.followCallback(l.visit(provider), cookies)
}

func cookieNamed(res *http.Response, name string) *http.Cookie {
	for _, c := range res.Cookies() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// expectRefusal checks the code of a response, that no session was started, and that the log
// contains no secret.
func (l *ssoLogin) expectRefusal(res *http.Response, code sso.Code) {
	l.t.Helper()
	page, err := url.Parse(res.Header.Get("Location"))
	if err != nil || res.StatusCode != http.StatusSeeOther || page.Path != "/login" || page.Host != "" {
		l.t.Fatalf("got %d to %s\n%s", res.StatusCode, res.Header.Get("Location"), l.log)
	}
	if got := page.Query().Get("error_code"); got != string(code) || page.Query().Get("error_msg") == "" {
		l.t.Errorf("got code %s, want %s\n%s", got, code, l.log)
	}
	if cookieNamed(res, session.CookieName) != nil {
		l.t.Error("a session came along")
	}
	if code.IsJudgement() != slices.Contains(l.service.reports, string(code)) {
		l.t.Errorf("reported to the audit log: %v", l.service.reports)
	}
	if !strings.Contains(l.log.String(), string(code)) {
		l.t.Errorf("the log lacks %s:\n%s", code, l.log)
	}
	if strings.Contains(l.log.String(), ssotest.ClientSecret) || strings.Contains(l.log.String(), "eyJ") {
		l.t.Errorf("the log shows a secret:\n%s", l.log)
	}
}

func TestFromTheButtonToTheSession(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/sso?redirect_uri=", "/authenticate?redirect_uri="} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			l := newSSOLogin(t)
			target := "/dataset/urn%3Ali%3Adataset%3A(a,b)/Schema?is=<&>"
			cookies, provider := l.begin(path + url.QueryEscape(target))
			asked := provider.Query()
			for name, want := range map[string]string{
				"response_type": "code", "client_id": ssotest.ClientID, "scope": "openid profile email", "redirect_uri": baseURL + "/callback/oidc", "code_challenge_method": "S256",
			} {
				if asked.Get(name) != want {
					t.Errorf("%s is %q, want %q", name, asked.Get(name), want)
				}
			}
			for _, name := range []string{"state", "nonce", "code_challenge"} {
				if len(asked.Get(name)) < 43 {
					t.Errorf("%s is %q", name, asked.Get(name))
				}
			}
			if len(cookies) != 1 || !cookies[0].HttpOnly || !cookies[0].Secure || cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Path != "/callback" || cookies[0].MaxAge != 600 {
				t.Errorf("cookies %+v", cookies)
			}
			res := l.followCallback(l.visit(provider), cookies)
			if got := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || got != target {
				t.Fatalf("got %d to %s, want %s\n%s", res.StatusCode, got, target, l.log)
			}
			if c := cookieNamed(res, cookies[0].Name); c == nil || c.MaxAge >= 0 {
				t.Errorf("the cookie of the sign-in stays: %v", c)
			}
			if c := cookieNamed(res, session.ActorCookieName); c == nil || c.Value != "urn:li:corpuser:mia@example.org" {
				t.Errorf("actor %v", c)
			}
			r := l.request(res)
			if s, err := l.jar.Open(r); err != nil || s.Actor != "urn:li:corpuser:mia@example.org" {
				t.Errorf("session %+v, %v", s, err)
			}
			if got := l.service.sources; len(got) != 1 || got[0] != "ssoLogin" {
				t.Errorf("sources %v", got)
			}
			g := l.service.guests[0]
			if g.FullName != "Mia May" || g.FirstName != "Mia" || g.LastName != "May" || g.Email != "mia@example.org" || !g.Create || !g.Update || g.Groups != nil {
				t.Errorf("guest %+v", g)
			}
		})
	}
}

// request returns a request with the cookies of a response.
func (l *ssoLogin) request(res *http.Response) *http.Request {
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, "/", nil)
	if err != nil {
		l.t.Fatal(err)
	}
	with(res.Cookies())(r)
	return r
}

func TestWhatAProviderMustNotBeBelieved(t *testing.T) {
	t.Parallel()
	claim := func(name string, value any) func(*ssoLogin) {
		return func(l *ssoLogin) { l.provider.Change = func(c map[string]any) { c[name] = value } }
	}
	sign := func(by func(map[string]any) string) func(*ssoLogin) {
		return func(l *ssoLogin) { l.provider.Sign = by }
	}
	at := func(name string, from time.Duration) func(*ssoLogin) {
		return func(l *ssoLogin) { l.provider.Change = func(c map[string]any) { c[name] = l.now.Add(from).Unix() } }
	}
	for name, tc := range map[string]struct {
		spoil func(*ssoLogin)
		code  sso.Code
	}{
		"wrong issuer":                       {claim("iss", "https://evil.example"), sso.IssuerMismatch},
		"wrong audience":                     {claim("aud", "another application"), sso.AudienceMismatch},
		"two audiences and no party":         {claim("aud", []string{ssotest.ClientID, "another"}), sso.AudienceMismatch},
		"issued to another party":            {claim("azp", "another"), sso.AudienceMismatch},
		"wrong nonce":                        {claim("nonce", "another"), sso.NonceMismatch},
		"no nonce":                           {func(l *ssoLogin) { l.provider.Change = func(c map[string]any) { delete(c, "nonce") } }, sso.NonceMismatch},
		"no subject":                         {claim("sub", ""), sso.TokenInvalid},
		"expired beyond the skew":            {at("exp", -61*time.Second), sso.TokenExpired},
		"issued in the future":               {at("iat", 61*time.Second), sso.TokenTooNew},
		"not valid yet":                      {at("nbf", 61*time.Second), sso.TokenTooNew},
		"not valid for long":                 {at("nbf", time.Hour), sso.TokenTooNew},
		"algorithm none":                     {sign(ssotest.Unsigned), sso.TokenInvalid},
		"HS256 with the public key":          {sign(ssotest.SignedWithPublicKey), sso.TokenInvalid},
		"HS256 with the client secret":       {sign(ssotest.SignedWithClientSecret), sso.TokenInvalid},
		"signed by another key":              {sign(ssotest.SignedByStranger), sso.TokenInvalid},
		"no ID token":                        {sign(func(map[string]any) string { return "" }), sso.TokenInvalid},
		"no token at all":                    {sign(func(map[string]any) string { return "a.b.c" }), sso.TokenInvalid},
		"hash of another access token":       {claim("at_hash", "AAAA"), sso.TokenInvalid},
		"no user name":                       {claim("email", nil), sso.UserNameMissing},
		"user name that is a list":           {claim("email", []string{"a"}), sso.UserNameMissing},
		"user name with commas":              {claim("email", "a,b@example.org"), sso.UserNameInvalid},
		"user name with parentheses":         {claim("email", "(a)@example.org"), sso.UserNameInvalid},
		"user name that is a URN":            {claim("email", "urn:li:corpuser:datahub"), sso.UserNameInvalid},
		"user name with a line":              {claim("email", "a\nb@example.org"), sso.UserNameInvalid},
		"user name with a blank":             {claim("email", "a b@example.org"), sso.UserNameInvalid},
		"user name that turns around":        {claim("email", "\u202ea@example.org"), sso.UserNameInvalid},
		"user name that is too long":         {claim("email", strings.Repeat("x", 600)), sso.UserNameInvalid},
		"e-mail address nobody verified":     {claim("email_verified", false), sso.EmailNotVerified},
		"e-mail address nobody verified, as": {claim("email_verified", "false"), sso.EmailNotVerified},
		"the same in capitals":               {claim("email_verified", "FALSE"), sso.EmailNotVerified},
		"the same as a number":               {claim("email_verified", 0), sso.EmailNotVerified},
		"verified, in words nobody knows":    {claim("email_verified", "pending"), sso.EmailNotVerified},
		"a name in another spelling":         {claim("email", "taken"), sso.UserNameTaken},
		"a suspended user":                   {claim("email", "suspended"), sso.Suspended},
		"a removed user":                     {claim("email", "removed"), sso.AccountClosed},
		"a user the service refuses":         {claim("email", "datahub"), sso.UserRefused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newSSOLogin(t)
			tc.spoil(l)
			l.expectRefusal(l.signIn(), tc.code)
			if len(l.service.sources) != 0 {
				t.Errorf("sessions began: %v", l.service.sources)
			}
		})
	}
}

func TestClocksMayDifferALittle(t *testing.T) {
	t.Parallel()
	for _, off := range []time.Duration{-5*time.Minute - 50*time.Second, 50 * time.Second} {
		l := newSSOLogin(t)
		l.provider.Now = func() time.Time { return l.now.Add(off) }
		if res := l.signIn(); res.Header.Get("Location") != "/" {
			t.Errorf("%s off: to %s", off, res.Header.Get("Location"))
		}
	}
}

func TestReturnsThatBelongToNoSignIn(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(l *ssoLogin, back *url.URL, cookies []*http.Cookie) []*http.Cookie
		code   sso.Code
	}{
		"without a cookie": {func(*ssoLogin, *url.URL, []*http.Cookie) []*http.Cookie { return nil }, sso.FlowMissing},
		"without a state": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "state", "")
			return c
		}, sso.StateMismatch},
		"with a state that is none": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "state", "../../x")
			return c
		}, sso.StateMismatch},
		"with the state of somebody else": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "state", back.Query().Get("state")[:1]+strings.Repeat("0", 63))
			return c
		}, sso.StateMismatch},
		"with a cookie somebody made": {func(_ *ssoLogin, _ *url.URL, c []*http.Cookie) []*http.Cookie {
			return []*http.Cookie{{Name: c[0].Name, Value: "eyJzIjoiIn0"}}
		}, sso.FlowMissing},
		"with the cookie of a session": {func(l *ssoLogin, _ *url.URL, c []*http.Cookie) []*http.Cookie {
			in := l.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`)
			return []*http.Cookie{{Name: c[0].Name, Value: cookieNamed(in, session.CookieName).Value}}
		}, sso.FlowMissing},
		"after ten minutes": {func(l *ssoLogin, _ *url.URL, c []*http.Cookie) []*http.Cookie {
			l.now = l.now.Add(10 * time.Minute)
			return c
		}, sso.FlowExpired},
		"without a code": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "code", "")
			return c
		}, sso.CallbackInvalid},
		"with an endless code": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "code", strings.Repeat("x", 9<<10))
			return c
		}, sso.CallbackInvalid},
		"with two states": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			back.RawQuery += "&state=" + back.Query().Get("state")
			return c
		}, sso.CallbackInvalid},
		"with a code somebody guessed": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "code", "guess")
			return c
		}, sso.CodeRefused},
		"with the code of another client": {func(l *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "code", l.provider.Code(url.Values{"client_id": {"another"}, "redirect_uri": {baseURL + "/callback/oidc"}}))
			return c
		}, sso.CodeRefused},
		"with the code of another sign-in": {func(l *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			_, provider := l.begin("/sso")
			other, err := url.Parse(l.visit(provider))
			if err != nil {
				l.t.Fatal(err)
			}
			set(back, "code", other.Query().Get("code"))
			return c
		}, sso.CodeRefused},
		"from another issuer": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "iss", "https://evil.example")
			return c
		}, sso.IssuerMismatch},
		"as the provider denied access": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "error", "access_denied")
			return c
		}, sso.AccessDenied},
		"as the provider has a problem": {func(_ *ssoLogin, back *url.URL, c []*http.Cookie) []*http.Cookie {
			set(back, "error", "temporarily_unavailable")
			return c
		}, sso.ProviderRefused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newSSOLogin(t)
			cookies, provider := l.begin("/sso?redirect_uri=/tags")
			back, err := url.Parse(l.visit(provider))
			if err != nil {
				t.Fatal(err)
			}
			cookies = tc.change(l, back, cookies)
			l.service.sources = nil
			l.expectRefusal(l.followCallback(back.String(), cookies), tc.code)
			if len(l.service.sources) != 0 {
				t.Errorf("sessions began: %v", l.service.sources)
			}
		})
	}
}

// No invented return starts a session or causes a panic.
func FuzzReturns(f *testing.F) {
	for _, seed := range [][2]string{
		{"state=&code=", ""}, {"state=" + strings.Repeat("0", 64) + "&code=x", "AAAA"}, {"state=%ff", "x"}, {"%zz", ""}, {"error=access_denied&state=a", "="}, {"iss=a;b&state=x&state=y", "\""},
	} {
		f.Add(seed[0], seed[1])
	}
	l := newSSOLogin(f, func(w *loginConfig) { w.limits = login.Limits{PerMinute: 1 << 30, Burst: 1 << 30} })
	f.Fuzz(func(t *testing.T, query, cookie string) {
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/callback/oidc", RawQuery: query}, Header: http.Header{}, RemoteAddr: "192.0.2.1:1", Body: http.NoBody}
		for digit := range 16 {
			r.AddCookie(&http.Cookie{Name: fmt.Sprintf("cartulary_sso_%x", digit), Value: cookie})
		}
		w := httptest.NewRecorder()
		l.server.Echo.ServeHTTP(w, r)
		if malformed := w.Code == http.StatusBadRequest; !malformed && (w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/login?error_code=")) {
			t.Errorf("%q: %d to %q", query, w.Code, w.Header().Get("Location"))
		}
		if cookieNamed(w.Result(), session.CookieName) != nil {
			t.Errorf("%q: a session came along", query)
		}
	})
}

func set(address *url.URL, name, value string) {
	query := address.Query()
	query.Set(name, value)
	address.RawQuery = query.Encode()
}

func TestASignInIsGoodForOneReturn(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	cookies, provider := l.begin("/sso")
	back := l.visit(provider)
	if res := l.followCallback(back, cookies); res.Header.Get("Location") != "/" {
		t.Fatalf("to %s", res.Header.Get("Location"))
	}
	l.expectRefusal(l.followCallback(back, cookies), sso.FlowUsed)
	// A copy of the cookie with another code of the provider is refused as well.
	again, err := url.Parse(back)
	if err != nil {
		t.Fatal(err)
	}
	set(again, "code", l.provider.Code(provider.Query()))
	l.expectRefusal(l.followCallback(again.String(), cookies), sso.FlowUsed)
	// Another replica does not have the used state, but the provider exchanges a code only once.
	l.mount(func(*loginConfig) {})
	l.expectRefusal(l.followCallback(back, cookies), sso.CodeRefused)
	if len(l.service.sources) != 1 {
		t.Errorf("sessions began: %v", l.service.sources)
	}
}

func TestAnotherReplicaFinishesASignIn(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	cookies, provider := l.begin("/sso?redirect_uri=/tags")
	back := l.visit(provider)
	l.mount(func(*loginConfig) {})
	if res := l.followCallback(back, cookies); res.Header.Get("Location") != "/tags" {
		t.Errorf("to %s\n%s", res.Header.Get("Location"), l.log)
	}
}

func TestAReplicaWithAnotherSecretDoesNot(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	cookies, provider := l.begin("/sso")
	back := l.visit(provider)
	l.mount(func(w *loginConfig) {
		keys, err := seal.NewKeys(sso.KeyPurpose, config.Secret(strings.Repeat("x", 32)), "")
		if err != nil {
			t.Fatal(err)
		}
		w.sso.Keys = keys
	})
	l.expectRefusal(l.followCallback(back, cookies), sso.FlowMissing)
}

func TestTwoWindowsSignInAtOnce(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	first, provider := l.begin("/sso?redirect_uri=/one")
	second, other := l.begin("/sso?redirect_uri=/two")
	for first[0].Name == second[0].Name { // one of sixteen
		second, other = l.begin("/sso?redirect_uri=/two")
	}
	both := slices.Concat(first, second)
	for want, address := range map[string]*url.URL{"/one": provider, "/two": other} {
		if res := l.followCallback(l.visit(address), both); res.Header.Get("Location") != want {
			t.Errorf("to %s, want %s", res.Header.Get("Location"), want)
		}
	}
}

func TestTargetsOfSignInsStayHere(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	for _, target := range []string{
		"//evil.example", `/\evil.example`, "https://evil.example", "/\t/evil.example", "/%09/evil.example", "/\r\nSet-Cookie: a=b", "/\x00", "/\x7f",
		"javascript:alert(1)", "/%2Fevil.example", "/" + strings.Repeat("x", 5000),
	} {
		cookies, provider := l.begin("/sso?redirect_uri=" + escape(target))
		if len(cookies[0].Value) > 4000 {
			t.Errorf("a cookie of %d bytes", len(cookies[0].Value))
		}
		if res := l.followCallback(l.visit(provider), cookies); res.Header.Get("Location") != "/" {
			t.Errorf("%.40q: to %q", target, res.Header.Get("Location"))
		}
	}
}

func TestRequiredGroupsLetNobodyElseIn(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		groups any
		code   sso.Code
	}{
		"one of them":               {[]string{"staff", "data"}, ""},
		"a text with commas":        {"staff, data", ""},
		"a text that is a list":     {`["data"]`, ""},
		"others":                    {[]string{"staff"}, sso.GroupsNotAllowed},
		"part of a name":            {[]string{"data team"}, sso.GroupsNotAllowed},
		"another case":              {[]string{"Data"}, sso.GroupsNotAllowed},
		"an empty list":             {[]string{}, sso.GroupsNotAllowed},
		"no claim":                  {nil, sso.GroupsMissing},
		"a number":                  {7, sso.GroupsMissing},
		"a list of lists":           {[]any{[]any{"data"}}, sso.GroupsMissing},
		"an object":                 {map[string]any{"data": true}, sso.GroupsMissing},
		"thousands of other groups": {slices.Repeat([]string{"x"}, 2001), sso.GroupsMissing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newSSOLogin(t, func(w *loginConfig) { w.sso.RequiredGroups = []string{"data", "admins"} })
			if tc.groups != nil {
				l.provider.Claims["groups"] = tc.groups
			}
			res := l.signIn()
			if tc.code != "" {
				l.expectRefusal(res, tc.code)
				return
			}
			if res.Header.Get("Location") != "/" || l.service.guests[0].Groups != nil {
				t.Errorf("to %s, guest %+v", res.Header.Get("Location"), l.service.guests)
			}
		})
	}
}

func TestGroupsThatAreElsewhereAreNotNone(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) { w.sso.ExtractGroups = true })
	l.provider.Claims["_claim_names"] = map[string]any{"groups": "src1"}
	l.provider.Claims["_claim_sources"] = map[string]any{"src1": map[string]any{"endpoint": "https://graph.example/groups"}}
	l.expectRefusal(l.signIn(), sso.GroupsMissing)
	if len(l.service.guests) != 0 {
		t.Errorf("provisioned %v", l.service.guests)
	}
}

func TestGroupsAreHandedOn(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) {
		w.sso.ExtractGroups, w.sso.GroupsClaims = true, []string{"groups", "realm_access.roles"}
	})
	l.provider.Claims["realm_access"] = map[string]any{"roles": []string{"b"}}
	for groups, want := range map[string]string{"a": "a b", "": "b"} {
		l.provider.Claims["groups"] = groups
		l.signIn()
		if got := l.service.guests[len(l.service.guests)-1].Groups; strings.Join(got, " ") != want {
			t.Errorf("got %q, want %s", got, want)
		}
	}
	delete(l.provider.Claims, "groups")
	delete(l.provider.Claims, "realm_access")
	l.signIn()
	if got := l.service.guests[2].Groups; got == nil || len(got) != 0 {
		t.Errorf("without a claim: %#v", got)
	}
}

func TestTheDeniedAreToldWhatTheOperatorWrote(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) {
		w.sso.RequiredGroups, w.provider.DeniedMessage = []string{"data"}, "Ask for access & wait at https://help.example"
	})
	res := l.signIn()
	l.expectRefusal(res, sso.GroupsMissing)
	if page, err := url.Parse(res.Header.Get("Location")); err != nil || page.Query().Get("error_msg") != "Ask for access & wait at https://help.example" {
		t.Errorf("to %s", page)
	}
	l = newSSOLogin(t, func(w *loginConfig) {
		w.sso.RequiredGroups, w.provider.DeniedAddress = []string{"data"}, "https://help.example/access"
	})
	if res := l.signIn(); res.Header.Get("Location") != "https://help.example/access" || cookieNamed(res, session.CookieName) != nil {
		t.Errorf("to %s", res.Header.Get("Location"))
	}
}

func TestOnlyWhoIsThereSignsInWhenUsersAreNotMade(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) { w.provider.Create = false })
	l.expectRefusal(l.signIn(), sso.NotProvisioned)
	l.service.passwords["urn:li:corpuser:mia@example.org"] = "x"
	if res := l.signIn(); res.Header.Get("Location") != "/" {
		t.Errorf("to %s", res.Header.Get("Location"))
	}
}

func TestReturnsAreLimitedLikePasswords(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) { w.limits = login.Limits{PerMinute: 10, Burst: 3} })
	for range 3 {
		l.expectRefusal(l.followCallback("/callback/oidc?state=x", nil), sso.StateMismatch)
	}
	l.service.reports = nil
	res := l.followCallback("/callback/oidc?state=x", nil)
	if l.expectRefusal(res, sso.TooManyAttempts); res.Header.Get("Retry-After") != "6" {
		t.Errorf("Retry-After %s", res.Header.Get("Retry-After"))
	}
	if got := l.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`); got.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the attempts do not share a bucket: %d", got.StatusCode)
	}
}

func TestAServiceThatIsAwayIsTold(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	cookies, provider := l.begin("/sso?redirect_uri=/tags")
	back := l.visit(provider)
	l.service.away = true
	res := l.followCallback(back, cookies)
	l.expectRefusal(res, sso.ServiceUnavailable)
	if page, err := url.Parse(res.Header.Get("Location")); err != nil || page.Query().Get("redirect_uri") != "/tags" {
		t.Errorf("the way back is lost: %s", page)
	}
}

func TestOnlyOIDCComesBack(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	l.expectRefusal(l.followCallback("/callback/saml?state=x", nil), sso.NotConfigured)
}

func TestSigningOutEndsTheSessionAtTheProvider(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) { w.sso.SignOut = true })
	in := l.signIn()
	kept := cookieNamed(in, "cartulary_sso_out")
	if kept == nil || kept.Path != "/logOut" || !kept.HttpOnly || strings.HasPrefix(kept.Value, "eyJ") {
		t.Fatalf("cookie %+v", kept)
	}
	out := l.do(http.MethodGet, "/logOut", "", with(in.Cookies()))
	address, err := url.Parse(out.Header.Get("Location"))
	if err != nil || !strings.HasPrefix(address.String(), l.provider.URL+"/end_session?") {
		t.Fatalf("to %s", address)
	}
	query := address.Query()
	if query.Get("client_id") != ssotest.ClientID || query.Get("post_logout_redirect_uri") != baseURL+"/login" || strings.Count(query.Get("id_token_hint"), ".") != 2 {
		t.Errorf("to %s", address)
	}
	if len(l.service.ended) != 1 {
		t.Errorf("ended %v", l.service.ended)
	}
	for _, name := range []string{session.CookieName, "cartulary_sso_out"} {
		if c := cookieNamed(out, name); c == nil || c.MaxAge >= 0 {
			t.Errorf("%s stays", name)
		}
	}
	// For the button of a page the redirect would be part of the form submission.
	page := l.do(http.MethodPost, "/logOut", "", with(in.Cookies()))
	body, err := io.ReadAll(page.Body)
	if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(body), `http-equiv="refresh" content="0; url=`+l.provider.URL+"/end_session?") {
		t.Errorf("got %d %s, %v", page.StatusCode, body, err)
	}
}

func TestSigningOutHereIsEnoughWhereTheProviderWasNotUsed(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) { w.sso.SignOut = true })
	in := l.do(http.MethodPost, "/logIn", `{"username":"jo","password":"right"}`)
	if out := l.do(http.MethodGet, "/logOut", "", with(in.Cookies())); out.Header.Get("Location") != "/login" {
		t.Errorf("after a password: to %s", out.Header.Get("Location"))
	}
	forged := l.do(http.MethodGet, "/logOut", "", with([]*http.Cookie{{Name: "cartulary_sso_out", Value: "x"}}))
	if forged.Header.Get("Location") != "/login" {
		t.Errorf("with a cookie somebody made: to %s", forged.Header.Get("Location"))
	}
	l = newSSOLogin(t)
	in = l.signIn()
	if cookieNamed(in, "cartulary_sso_out") != nil {
		t.Error("a cookie for signing out that nobody asked for")
	}
	if out := l.do(http.MethodGet, "/logOut", "", with(in.Cookies())); out.Header.Get("Location") != "/login" {
		t.Errorf("not configured: to %s", out.Header.Get("Location"))
	}
}

func TestALongIDTokenIsNoReasonToStaySignedIn(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) { w.sso.SignOut = true })
	l.provider.Claims["groups"] = slices.Repeat([]string{"a group with a long name"}, 400)
	in := l.signIn()
	out := l.do(http.MethodGet, "/logOut", "", with(in.Cookies()))
	if address := out.Header.Get("Location"); !strings.HasPrefix(address, l.provider.URL+"/end_session?client_id=") || strings.Contains(address, "id_token_hint") {
		t.Errorf("to %s", address)
	}
}

func TestAProviderThatIsAwayIsToldAtOnceAndAskedAgainLater(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t)
	away := true
	l.provider.Answer = func(w http.ResponseWriter, r *http.Request) bool {
		if away {
			w.WriteHeader(http.StatusBadGateway)
		}
		return away
	}
	for range 5 {
		l.expectRefusal(l.do(http.MethodGet, "/sso", ""), sso.ProviderUnavailable)
	}
	if asked := l.provider.Asked("/.well-known/openid-configuration"); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	away = false
	l.now = l.now.Add(2 * time.Second)
	if res := l.signIn(); res.Header.Get("Location") != "/" {
		t.Errorf("to %s", res.Header.Get("Location"))
	}
}

func TestAProviderThatHangsOrSaysTooMuchHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/.well-known/openid-configuration", "/token", "/keys", "/userinfo"} {
		for name, misbehave := range map[string]func(w http.ResponseWriter, r *http.Request){
			"hangs":          hang,
			"answers 100 MB": func(w http.ResponseWriter, _ *http.Request) { flood(w) },
			"sends elsewhere": func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://evil.example", http.StatusTemporaryRedirect)
			},
			"answers an error": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		} {
			t.Run(fmt.Sprintf("%s %s", path, name), func(t *testing.T) {
				t.Parallel()
				l := newSSOLogin(t, func(w *loginConfig) {
					w.sso.UserNameClaim = "preferred_username"
					// The earlier requests must succeed within the timeout, even on a busy machine.
					switch {
					case name == "hangs" && path == "/.well-known/openid-configuration":
						w.sso.Timeout = 50 * time.Millisecond
					case name == "hangs":
						w.sso.Timeout = 5 * time.Second
					}
				})
				l.provider.UserInfo = map[string]any{"sub": "1", "preferred_username": "mia"}
				l.provider.Answer = func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path != path {
						return false
					}
					misbehave(w, r)
					return true
				}
				if path == "/.well-known/openid-configuration" {
					l.expectRefusal(l.do(http.MethodGet, "/sso", ""), sso.ProviderUnavailable)
					return
				}
				want := sso.ProviderUnavailable
				if path == "/token" && name == "sends elsewhere" {
					want = sso.CodeRefused
				}
				l.expectRefusal(l.signIn(), want)
			})
		}
	}
}

// hang waits until the client has disconnected, which the server detects once the body is read.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// flood writes until the reader disconnects.
func flood(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	block := []byte(`"` + strings.Repeat("x", 1<<20))
	for range 100 {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

func TestASecretThatIsNotThereIsTold(t *testing.T) {
	t.Parallel()
	l := newSSOLogin(t, func(w *loginConfig) {
		w.sso.Secret = func(context.Context) (config.Secret, error) { return "", nil }
	})
	l.expectRefusal(l.signIn(), sso.NotConfigured)
}
