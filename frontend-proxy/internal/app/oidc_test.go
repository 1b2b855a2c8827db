package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso/ssotest"
	"github.com/cartulary/cartulary/pkg/logging"
)

// withProvider returns settings with an identity provider.
func withProvider(upstream string, p *ssotest.Provider) app.Config {
	cfg := settings(upstream)
	o := &cfg.OIDC
	o.Enabled, o.ClientID, o.ClientSecret, o.DiscoveryURI, o.BaseURL = true, ssotest.ClientID, ssotest.ClientSecret, p.DiscoveryURI(), "http://catalog.example/"
	return cfg
}

// ssoService answers the calls of single sign-on and keeps the request bodies.
func ssoService(t *testing.T, settings string) (address string, sent func(action string) string) {
	t.Helper()
	var mu sync.Mutex
	calls := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		action := strings.TrimPrefix(r.URL.Path, "/auth/")
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		calls[action] = string(body) + r.Header.Get("X-DataHubLoginSource")
		mu.Unlock()
		switch {
		case r.Header.Get("Authorization") != "Basic __datahub_system:"+secret.Reveal():
			w.WriteHeader(http.StatusUnauthorized)
		case action == "generateSessionTokenForUser":
			_, _ = io.WriteString(w, `{"accessToken":"tok"}`)
		case action == "getSsoSettings" && settings == "":
			w.WriteHeader(http.StatusNotFound)
		case action == "getSsoSettings":
			_, _ = io.WriteString(w, settings)
		case action == "provisionUser" && strings.Contains(string(body), "suspended"):
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"loginDenialReason":"SUSPENDED"}`)
		case action == "provisionUser" && strings.Contains(string(body), `corpuser:datahub"`):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"not a user who signs in by an identity provider"}`)
		case action == "provisionUser" && strings.Contains(string(body), `corpuser:Mia"`):
			w.WriteHeader(http.StatusConflict)
			_, _ = io.WriteString(w, `{"error":"the user urn:li:corpuser:mia exists already, of whose name \"Mia\" is another spelling"}`)
		default:
			_, _ = io.WriteString(w, `{}`)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func(action string) string {
		mu.Lock()
		defer mu.Unlock()
		return calls[action]
	}
}

// signIn is redirected to the provider and back, as a browser is.
func signIn(t *testing.T, proxy string) answer {
	t.Helper()
	begun := do(t, "GET", proxy+"/authenticate?redirect_uri=/tags", "")
	atProvider := do(t, "GET", begun.header.Get("Location"), "")
	back, ours := strings.CutPrefix(atProvider.header.Get("Location"), "http://catalog.example/")
	if !ours {
		t.Fatalf("%d to %s, and from there to %s", begun.status, begun.header.Get("Location"), atProvider.header.Get("Location"))
	}
	return do(t, "GET", proxy+"/"+back, "", func(r *http.Request) {
		for _, c := range begun.cookies {
			r.AddCookie(c)
		}
	})
}

func TestSigningInByAProvider(t *testing.T) {
	t.Parallel()
	p := ssotest.New(t)
	upstream, sent := ssoService(t, "")
	cfg := withProvider(upstream, p)
	cfg.OIDC.ExtractGroups = true
	p.Claims["groups"] = []string{"data"}
	proxy := start(t, cfg)
	in := signIn(t, proxy)
	if in.status != http.StatusSeeOther || in.header.Get("Location") != "/tags" || len(in.cookies) != 4 {
		t.Fatalf("got %d to %s, cookies %v", in.status, in.header.Get("Location"), in.cookies)
	}
	want := `{"userUrn":"urn:li:corpuser:mia@example.org","create":true,"update":true,"fullName":"Mia May","firstName":"Mia","lastName":"May","email":"mia@example.org","groups":["data"]}`
	if got := sent("provisionUser"); got != want {
		t.Errorf("provisioned %s", got)
	}
	if got := sent("generateSessionTokenForUser"); got != `{"userId":"urn:li:corpuser:mia@example.org"}ssoLogin` {
		t.Errorf("session by %s", got)
	}
	p.Claims["groups"] = []string{}
	signIn(t, proxy)
	if got := sent("provisionUser"); !strings.HasSuffix(got, `,"groups":[]}`) {
		t.Errorf("no groups: %s", got)
	}
}

func TestWhatTheServiceSaysOfAGuestIsShown(t *testing.T) {
	t.Parallel()
	for user, code := range map[string]string{"suspended@example.org": "suspended", "datahub": "user_refused", "Mia": "user_name_taken"} {
		p := ssotest.New(t)
		upstream, _ := ssoService(t, "")
		p.Claims["email"] = user
		got := signIn(t, start(t, withProvider(upstream, p)))
		if !strings.HasPrefix(got.header.Get("Location"), "/login?error_code="+code+"&") {
			t.Errorf("%s: to %s", user, got.header.Get("Location"))
		}
	}
	p := ssotest.New(t)
	upstream, sent := ssoService(t, "")
	p.Change = func(claims map[string]any) { claims["nonce"] = "x" }
	signIn(t, start(t, withProvider(upstream, p)))
	if got := sent("reportFailedLogIn"); got != `{"reason":"nonce_mismatch"}` {
		t.Errorf("reported %s", got)
	}
}

func TestTheSecretOfTheProviderComesFromAFileOrFromTheService(t *testing.T) {
	t.Parallel()
	p := ssotest.New(t)
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(ssotest.ClientSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ file, settings, location string }{
		"from a file":       {file, "", "/tags"},
		"from the service":  {"", `{"clientSecret":"` + ssotest.ClientSecret + `","oidcEnabled":true}`, "/tags"},
		"neither":           {"", "", "/login?error_code=not_configured&"},
		"endless, in there": {"", `{"clientSecret":"` + strings.Repeat("x", 5000) + `"}`, "/login?error_code=service_unavailable&"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream, _ := ssoService(t, tc.settings)
			cfg := withProvider(upstream, p)
			cfg.OIDC.ClientSecret, cfg.OIDC.ClientSecretFile = "", tc.file
			if got := signIn(t, start(t, cfg)); !strings.HasPrefix(got.header.Get("Location"), tc.location) {
				t.Errorf("to %s", got.header.Get("Location"))
			}
		})
	}
	cfg := withProvider("http://127.0.0.1:1", p)
	cfg.OIDC.ClientSecret, cfg.OIDC.ClientSecretFile = "", filepath.Join(t.TempDir(), "none")
	if _, err := app.Open(t.Context(), cfg, logging.Discard()); err == nil || !strings.Contains(err.Error(), "oidc.client_secret_file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestAStartDoesNotWaitForTheProvider(t *testing.T) {
	t.Parallel()
	p := ssotest.New(t)
	cfg := withProvider("http://127.0.0.1:1", p)
	p.Close()
	proxy := start(t, cfg)
	got := do(t, "GET", proxy+"/sso", "")
	if !strings.HasPrefix(got.header.Get("Location"), "/login?error_code=provider_unavailable&") {
		t.Errorf("%d to %s", got.status, got.header.Get("Location"))
	}
}

func TestThePagesAreToldTheWaysIn(t *testing.T) {
	t.Parallel()
	p := ssotest.New(t)
	type waysIn struct {
		Password     bool
		SingleSignOn *string
		Refusals     map[sso.Code]string
	}
	ways := func(cfg app.Config) waysIn {
		var config struct {
			Config struct{ SignIn waysIn }
		}
		got := do(t, "GET", start(t, cfg)+"/config", "")
		if err := json.Unmarshal([]byte(got.body), &config); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got.body, ssotest.ClientSecret) || strings.Contains(got.body, p.URL) {
			t.Errorf("told too much: %s", got.body)
		}
		return config.Config.SignIn
	}
	cfg := withProvider("http://127.0.0.1:1", p)
	cfg.Login.Native, cfg.OIDC.Name, cfg.OIDC.DeniedMessage = false, "Example", "Ask the data team."
	got := ways(cfg)
	if got.Password || got.SingleSignOn == nil || *got.SingleSignOn != "Sign in with Example" || len(got.Refusals) != len(sso.Codes()) ||
		got.Refusals[sso.Suspended] != sso.Suspended.Sentence() || got.Refusals[sso.GroupsNotAllowed] != "Ask the data team." {
		t.Errorf("got %+v", got)
	}
	if got := ways(settings("http://127.0.0.1:1")); !got.Password || got.SingleSignOn != nil || got.Refusals != nil {
		t.Errorf("got %+v", got)
	}
}

// required are the variables without which single sign-on does not start.
var required = map[string]string{
	"CARTULARY_SYSTEM_SECRET": strings.Repeat("s", 32), "CARTULARY_SESSION_SECRET": strings.Repeat("t", 32),
	"AUTH_OIDC_ENABLED": "true", "AUTH_OIDC_CLIENT_ID": "catalog", "AUTH_OIDC_CLIENT_SECRET": "hidden",
	"AUTH_OIDC_DISCOVERY_URI": "https://id.example/.well-known/openid-configuration", "AUTH_OIDC_BASE_URL": "https://catalog.example",
}

func TestSingleSignOnByTheNamesPeopleKnow(t *testing.T) {
	for name, value := range required {
		t.Setenv(name, value)
	}
	for name, value := range map[string]string{
		"AUTH_OIDC_GROUPS_CLAIM": "groups,roles", "AUTH_OIDC_REQUIRED_GROUPS": "a, b", "AUTH_OIDC_READ_TIMEOUT": "5000", "AUTH_NATIVE_ENABLED": "false",
		"AUTH_OIDC_USER_NAME_CLAIM_REGEX": "([^@]+)", "AUTH_OIDC_JIT_PROVISIONING_ENABLED": "false",
	} {
		t.Setenv(name, value)
	}
	cfg, err := app.Load("")
	if err != nil {
		t.Fatal(err)
	}
	o := cfg.OIDC
	if !o.Enabled || o.ClientID != "catalog" || o.ClientSecret.Reveal() != "hidden" || len(o.GroupsClaims) != 2 || o.RequiredGroups[1] != "b" || o.ReadTimeout.String() != "5s" || cfg.Login.Native || o.Provision {
		t.Errorf("got %+v", o)
	}
	if strings.Contains(fmt.Sprintf("%+v", cfg), "hidden") {
		t.Error("the secret is printed")
	}
}

func TestSettingsOfSingleSignOnThatCannotBe(t *testing.T) {
	for name, tc := range map[string]struct{ variable, value, want string }{
		"a form post":                 {"AUTH_OIDC_RESPONSE_MODE", "form_post", "oidc.response_mode must be query"},
		"the implicit flow":           {"AUTH_OIDC_RESPONSE_TYPE", "id_token", "oidc.response_type must be code"},
		"another grant":               {"AUTH_OIDC_GRANT_TYPE", "password", "oidc.grant_type must be authorization_code"},
		"no nonce":                    {"AUTH_OIDC_USE_NONCE", "false", "oidc.use_nonce must be true"},
		"HS256":                       {"AUTH_OIDC_PREFERRED_JWS_ALGORITHM", "HS256", "oidc.preferred_jws_algorithm must be one of RS256"},
		"no signature":                {"AUTH_OIDC_PREFERRED_JWS_ALGORITHM", "none", "oidc.preferred_jws_algorithm must be one of RS256"},
		"a method nobody knows":       {"AUTH_OIDC_CLIENT_AUTHENTICATION_METHOD", "private_key_jwt", "oidc.client_authentication_method must be one of"},
		"a scope without openid":      {"AUTH_OIDC_SCOPE", "profile", "oidc.scope must hold openid"},
		"an expression that is none":  {"AUTH_OIDC_USER_NAME_CLAIM_REGEX", "(?<=x)y(", "oidc.user_name_claim_regex"},
		"a provider in clear":         {"AUTH_OIDC_DISCOVERY_URI", "http://id.example", "oidc.discovery_uri must begin with https://"},
		"a provider that is a path":   {"AUTH_OIDC_DISCOVERY_URI", "/id", "oidc.discovery_uri is not an address"},
		"a base with a query":         {"AUTH_OIDC_BASE_URL", "https://catalog.example?x", "oidc.base_url must be"},
		"a script for the denied":     {"AUTH_OIDC_ACCESS_DENIED_REDIRECT_URL", "javascript:alert(1)", "oidc.access_denied_redirect_url must be"},
		"a day to wait":               {"AUTH_OIDC_READ_TIMEOUT", "24h", "oidc.read_timeout must be between"},
		"clocks an hour apart":        {"CARTULARY_OIDC_CLOCK_SKEW", "1h", "oidc.clock_skew must be between 0s and 10m0s"},
		"soon":                        {"AUTH_OIDC_READ_TIMEOUT", "soon", "neither a duration such as 5s nor a number of milliseconds"},
		"a name that nothing reads":   {"AUTH_OIDC_CLIENTID", "x", "AUTH_OIDC_CLIENTID is not a setting"},
		"a client id by both names":   {"CARTULARY_OIDC_CLIENT_ID", "x", "keep one"},
		"a secret and a file with it": {"AUTH_OIDC_CLIENT_SECRET_FILE", "/x", "keep one"},
	} {
		t.Run(name, func(t *testing.T) {
			all := maps.Clone(required)
			all[tc.variable] = tc.value
			for name, value := range all {
				t.Setenv(name, value)
			}
			if _, err := app.Load(""); err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func TestTheExampleShowsEachSettingOfSingleSignOn(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("../../../deploy/config/frontend-proxy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(example), "\noidc:\n")
	section, _, _ = strings.Cut(section, "\nbody:\n")
	fields := reflect.TypeFor[app.OIDC]()
	for i := range fields.NumField() {
		if key := fields.Field(i).Tag.Get("config"); !strings.Contains(section, "\n  "+key+": ") && !strings.Contains(section, "  # "+key+": ") && !strings.HasPrefix(section, "  "+key+": ") {
			t.Errorf("the example lacks oidc.%s", key)
		}
	}
}
