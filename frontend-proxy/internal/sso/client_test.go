package sso_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso/ssotest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
)

const baseURL = "https://catalog.example"

// testClient is a client with a provider and a clock that the test controls.
type testClient struct {
	*sso.Client
	t        *testing.T
	provider *ssotest.Provider
	now      time.Time
}

func newTestClient(t *testing.T, change ...func(*sso.Config)) *testClient {
	t.Helper()
	d := &testClient{t: t, provider: ssotest.New(t), now: time.Unix(1_800_000_000, 0)}
	d.provider.Now = func() time.Time { return d.now }
	keys, err := seal.NewKeys(sso.KeyPurpose, config.Secret(strings.Repeat("s", 32)), "")
	if err != nil {
		t.Fatal(err)
	}
	cfg := sso.Config{
		ClientID: ssotest.ClientID, Secret: func(context.Context) (config.Secret, error) { return ssotest.ClientSecret, nil },
		DiscoveryURI: d.provider.DiscoveryURI(), BaseURL: baseURL, Scopes: []string{"openid"}, AuthMethod: sso.SecretBasic, UserNameClaim: "email",
		GroupsClaims: []string{"groups"}, ConnectTimeout: 10 * time.Second, Timeout: 10 * time.Second, ClockSkew: time.Minute,
		Keys: keys, Life: time.Hour, Log: logging.Discard(), Now: func() time.Time { return d.now },
	}
	for _, f := range change {
		f(&cfg)
	}
	d.Client = sso.New(cfg)
	t.Cleanup(d.Close)
	return d
}

// signIn executes a whole sign-in; the returned address is that of the request to the provider.
func (d *testClient) signIn() (sso.Result, *url.URL, error) {
	d.t.Helper()
	begun := httptest.NewRecorder()
	address, err := d.Begin(d.t.Context(), begun, "/tags")
	if err != nil {
		return sso.Result{}, nil, err
	}
	asked, err := url.Parse(address)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	back := httptest.NewRequest(http.MethodGet, res.Header.Get("Location"), nil)
	for _, c := range begun.Result().Cookies() {
		back.AddCookie(c)
	}
	result, err := d.Finish(d.t.Context(), httptest.NewRecorder(), back)
	return result, asked, err
}

func TestTheClientProvesItselfAsTheProviderWants(t *testing.T) {
	t.Parallel()
	for _, method := range []string{sso.SecretBasic, sso.SecretPost, sso.NoSecret} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			d := newTestClient(t, func(c *sso.Config) { c.AuthMethod = method })
			d.provider.AuthMethod = method
			if got, _, err := d.signIn(); err != nil || got.User != "urn:li:corpuser:mia@example.org" || got.Target != "/tags" {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	d := newTestClient(t)
	d.provider.AuthMethod = sso.SecretPost
	if _, _, err := d.signIn(); sso.CodeOf(err) != sso.CodeRefused || strings.Contains(err.Error(), ssotest.ClientSecret) {
		t.Errorf("by another method: %v", err)
	}
}

func TestWhatIsAskedOfTheProvider(t *testing.T) {
	t.Parallel()
	d := newTestClient(t, func(c *sso.Config) {
		c.Prompt, c.ACRValues, c.Resource, c.WithoutPKCE = "select_account", "urn:mfa", "https://api.example", true
	})
	_, asked, err := d.signIn()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"prompt": "select_account", "acr_values": "urn:mfa", "resource": "https://api.example", "code_challenge": "", "response_mode": ""} {
		if got := asked.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestUserNamesArePickedByTheExpression(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		expression, email, want string
		code                    sso.Code
	}{
		"the whole claim":                   {`(.*)`, "mia@example.org", "mia@example.org", ""},
		"what comes before the at sign":     {`([^@]+)`, "mia@example.org", "mia", ""},
		"the whole match, groups or not":    {`^([^@]+)@example\.org$`, "mia@example.org", "mia@example.org", ""},
		"the group named user":              {`^(?P<user>[^@]+)@example\.org$`, "mia@example.org", "mia", ""},
		"no match":                          {`^(?P<user>[^@]+)@example\.org$`, "mia@evil.example", "", sso.UserNameMismatch},
		"a match of nothing":                {`^x*`, "mia@example.org", "", sso.UserNameMismatch},
		"a match that would be another URN": {`[^@]+`, "urn:li:corpuser:x@example.org", "", sso.UserNameInvalid},
		"a match that ends at a line feed":  {`(.*)`, "jo\nmia@example.org", "", sso.UserNameInvalid},
		"a match before invisible text":     {`^[a-z]+`, "jo\u200bmia@example.org", "", sso.UserNameInvalid},
		"a match between blanks":            {`[^ ]+`, " jo", "", sso.UserNameInvalid},
		"no match of the whole claim":       {`(?P<user>[^@]+)@example\.org`, "mia@example.org.evil.example", "", sso.UserNameMismatch},
		"no match of a claim with a prefix": {`(?P<user>[a-z]+)@example\.org`, "x@y,mia@example.org", "", sso.UserNameMismatch},
		"one of two expressions, no anchor": {`(?P<user>[^@]+)@example\.com|b@example\.org`, "mia@example.com.b@example.org", "", sso.UserNameMismatch},
		"a match in a text with commas":     {`.*uid=(?P<user>[^,]+)`, "CN=Mia May,uid=mia", "mia", ""},
		"a match with a line feed":          {`[^@]+`, "mia\n@example.org", "", sso.UserNameInvalid},
		"a match with a filler":             {`[^@]+`, "mia\u3164@example.org", "", sso.UserNameInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestClient(t, func(c *sso.Config) { c.UserNameRegex = regexp.MustCompile(tc.expression) })
			d.provider.Claims["email"] = tc.email
			got, _, err := d.signIn()
			if tc.code != "" {
				if sso.CodeOf(err) != tc.code {
					t.Errorf("got %v, want %s", err, tc.code)
				}
				return
			}
			if err != nil || got.User.Key() != tc.want {
				t.Errorf("got %s, %v, want %s", got.User, err, tc.want)
			}
		})
	}
}

func TestAnAddressThatNobodyVerifiedIsTakenWhenThatIsSaid(t *testing.T) {
	t.Parallel()
	d := newTestClient(t, func(c *sso.Config) { c.AllowUnverified = true })
	d.provider.Claims["email_verified"] = false
	if _, _, err := d.signIn(); err != nil {
		t.Error(err)
	}
}

func TestAnAddressThatNobodyVerifiedIsNoUserNameByWhateverClaim(t *testing.T) {
	t.Parallel()
	d := newTestClient(t, func(c *sso.Config) { c.UserNameClaim = "preferred_username" })
	d.provider.Claims["email_verified"] = false
	d.provider.Claims["preferred_username"] = "mia"
	if got, _, err := d.signIn(); err != nil || got.User.Key() != "mia" {
		t.Errorf("a name that is no address: %s, %v", got.User, err)
	}
	for _, name := range []string{"MIA@example.org", "jo@example.org", "mia\uff20example.org"} {
		d.provider.Claims["preferred_username"] = name
		for _, email := range []string{"mia@example.org", " jo@example.org", "me@elsewhere.org", ""} {
			d.provider.Claims["email"] = email
			if _, _, err := d.signIn(); sso.CodeOf(err) != sso.EmailNotVerified {
				t.Errorf("the name %q with the address %q: %v", name, email, err)
			}
		}
	}
	d = newTestClient(t, func(c *sso.Config) {})
	d.provider.Claims["email_verified"] = nil
	if _, _, err := d.signIn(); sso.CodeOf(err) != sso.EmailNotVerified {
		t.Errorf("an address with the statement null: %v", err)
	}
	// The ID token states that an address is verified but contains none, so the statement does not
	// apply to the address of the user info.
	d = newTestClient(t, func(c *sso.Config) {})
	delete(d.provider.Claims, "email")
	d.provider.Claims["email_verified"] = true
	d.provider.UserInfo = map[string]any{"sub": "1", "email": "mia@example.org", "email_verified": false}
	if _, _, err := d.signIn(); sso.CodeOf(err) != sso.EmailNotVerified {
		t.Errorf("an address of the user info: %v", err)
	}
}

func TestUserInfoTellsWhatTheTokenDoesNot(t *testing.T) {
	t.Parallel()
	wantsGroups := func(c *sso.Config) { c.UserNameClaim, c.ExtractGroups = "preferred_username", true }
	d := newTestClient(t, wantsGroups)
	d.provider.UserInfo = map[string]any{"sub": "1", "preferred_username": "mia", "groups": []string{"data"}, "email": "other@example.org"}
	got, _, err := d.signIn()
	if err != nil || got.User.Key() != "mia" || len(got.Groups) != 1 || got.Email != "mia@example.org" {
		t.Errorf("got %+v, %v", got, err)
	}
	d = newTestClient(t, wantsGroups)
	d.provider.UserInfo = map[string]any{"sub": "2", "preferred_username": "datahub"}
	if _, _, err := d.signIn(); sso.CodeOf(err) != sso.TokenInvalid {
		t.Errorf("of somebody else: %v", err)
	}
	d = newTestClient(t)
	d.provider.UserInfo = map[string]any{"sub": "1"}
	if _, _, err := d.signIn(); err != nil || d.provider.Asked("/userinfo") != 0 {
		t.Errorf("asked %d times for nothing, %v", d.provider.Asked("/userinfo"), err)
	}
	// Missing optional data does not prevent a sign-in, and absent groups cannot be distinguished
	// from unknown ones.
	for needed, want := range map[bool]sso.Code{false: "", true: sso.ProviderUnavailable} {
		d = newTestClient(t, func(c *sso.Config) { c.ExtractGroups = needed })
		delete(d.provider.Claims, "name")
		d.provider.UserInfo = map[string]any{"sub": "1"}
		d.provider.Answer = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/userinfo" {
				w.WriteHeader(http.StatusBadGateway)
			}
			return r.URL.Path == "/userinfo"
		}
		if _, _, err := d.signIn(); err != nil && sso.CodeOf(err) != want || err == nil && want != "" {
			t.Errorf("groups needed: %v: got %v", needed, err)
		}
	}
}

func TestClaimsOfAccessTokensCountWhenThatIsSaid(t *testing.T) {
	t.Parallel()
	with := func(change func(map[string]any), sign func(map[string]any) string) (sso.Result, error) {
		d := newTestClient(t, func(c *sso.Config) { c.AccessTokenClaims, c.ExtractGroups = true, true })
		d.provider.AccessToken = func(claims map[string]any) string {
			token := map[string]any{"iss": claims["iss"], "sub": claims["sub"], "aud": "an api", "exp": claims["exp"], "groups": []string{"data"}}
			change(token)
			return sign(token)
		}
		got, _, err := d.signIn()
		return got, err
	}
	if got, err := with(func(map[string]any) {}, ssotest.Signed); err != nil || len(got.Groups) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, try := range map[string]func() (sso.Result, error){
		"of somebody else": func() (sso.Result, error) {
			return with(func(c map[string]any) { c["sub"] = "2" }, ssotest.Signed)
		},
		"of another issuer": func() (sso.Result, error) {
			return with(func(c map[string]any) { c["iss"] = "https://evil.example" }, ssotest.Signed)
		},
		"by another key": func() (sso.Result, error) { return with(func(map[string]any) {}, ssotest.SignedByStranger) },
		"unsigned":       func() (sso.Result, error) { return with(func(map[string]any) {}, ssotest.Unsigned) },
	} {
		if _, err := try(); sso.CodeOf(err) != sso.TokenInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMetadataThatCannotBeRight(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil  func(map[string]any)
		change func(*sso.Config)
		good   bool
	}{
		"of another issuer":                  {func(m map[string]any) { m["issuer"] = "https://evil.example" }, nil, false},
		"with a slash at the end":            {func(m map[string]any) { m["issuer"] = m["issuer"].(string) + "/" }, nil, true},
		"of the issuer that was configured":  {func(m map[string]any) { m["issuer"] = "https://id.example" }, func(c *sso.Config) { c.Issuer = "https://id.example" }, true},
		"of another than was configured":     {func(map[string]any) {}, func(c *sso.Config) { c.Issuer = "https://id.example" }, false},
		"without keys":                       {func(m map[string]any) { delete(m, "jwks_uri") }, nil, false},
		"without a place for tokens":         {func(m map[string]any) { m["token_endpoint"] = "" }, nil, false},
		"with tokens sent in clear":          {func(m map[string]any) { m["token_endpoint"] = "http://id.example/token" }, nil, false},
		"in clear, as configured":            {func(m map[string]any) { m["authorization_endpoint"] = "http://id.example/a" }, func(c *sso.Config) { c.AllowHTTP = true }, true},
		"with a script for a place":          {func(m map[string]any) { m["authorization_endpoint"] = "javascript:alert(1)" }, nil, false},
		"with a script for signing out":      {func(m map[string]any) { m["end_session_endpoint"] = "javascript:alert(1)" }, nil, false},
		"with symmetric signatures alone":    {func(m map[string]any) { m["id_token_signing_alg_values_supported"] = []string{"HS256", "none"} }, nil, false},
		"without a word about signatures":    {func(m map[string]any) { delete(m, "id_token_signing_alg_values_supported") }, nil, true},
		"with a text where an object should": {func(m map[string]any) { m["issuer"] = 7 }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var changes []func(*sso.Config)
			if tc.change != nil {
				changes = append(changes, tc.change)
			}
			d := newTestClient(t, changes...)
			d.provider.Describe = tc.spoil
			_, err := d.Begin(t.Context(), httptest.NewRecorder(), "/")
			if tc.good && err != nil || !tc.good && sso.CodeOf(err) != sso.ProviderUnusable {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAPreferredAlgorithmIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	d := newTestClient(t, func(c *sso.Config) { c.Algorithm = "ES256" })
	if _, _, err := d.signIn(); sso.CodeOf(err) != sso.TokenInvalid {
		t.Errorf("RS256 where ES256 is preferred: %v", err)
	}
	d = newTestClient(t, func(c *sso.Config) { c.Algorithm = "RS256" })
	if _, _, err := d.signIn(); err != nil {
		t.Error(err)
	}
}

func TestMetadataIsReadOnceForManyAndAgainWhenOld(t *testing.T) {
	t.Parallel()
	d := newTestClient(t)
	const path = "/.well-known/openid-configuration"
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := d.Begin(t.Context(), httptest.NewRecorder(), "/"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if asked := d.provider.Asked(path); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	d.now = d.now.Add(time.Hour)
	d.provider.Answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	for range 3 {
		if _, err := d.Begin(t.Context(), httptest.NewRecorder(), "/"); err != nil {
			t.Errorf("what was known is forgotten: %v", err)
		}
	}
	if asked := d.provider.Asked(path); asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func TestAProviderThatDoesNotAnswerIsAskedLessAndLessOften(t *testing.T) {
	t.Parallel()
	d := newTestClient(t)
	d.provider.Answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	for range 600 { // ten minutes
		if _, err := d.Begin(t.Context(), httptest.NewRecorder(), "/"); sso.CodeOf(err) != sso.ProviderUnavailable {
			t.Fatal(err)
		}
		d.now = d.now.Add(time.Second)
	}
	if asked := d.provider.Asked("/.well-known/openid-configuration"); asked < 20 || asked > 30 {
		t.Errorf("asked %d times", asked)
	}
}

func TestWhoWaitsForMetadataMayGo(t *testing.T) {
	t.Parallel()
	d := newTestClient(t)
	asked, resume := make(chan struct{}), make(chan struct{})
	d.provider.Answer = func(http.ResponseWriter, *http.Request) bool {
		close(asked)
		<-resume
		return false
	}
	first := make(chan error, 1)
	impatient, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := d.Begin(impatient, httptest.NewRecorder(), "/")
		first <- err
	}()
	<-asked
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := d.Begin(gone, httptest.NewRecorder(), "/"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	cancel() // other requests would wait for the one that this caller has started
	close(resume)
	if err := <-first; err != nil {
		t.Errorf("got %v", err)
	}
}

func TestEachCodeHasASentence(t *testing.T) {
	t.Parallel()
	if len(sso.Codes()) < 30 {
		t.Fatalf("%d codes", len(sso.Codes()))
	}
	for _, code := range sso.Codes() {
		if code.Sentence() == "" || strings.Trim(string(code), "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("%s: %q", code, code.Sentence())
		}
	}
}
