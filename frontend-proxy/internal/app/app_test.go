package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/ratelimit"
)

var secret = config.Secret(strings.Repeat("s", 32))

func settings(upstream string) app.Config {
	cfg := app.Defaults()
	cfg.Listen, cfg.Upstream = "127.0.0.1:0", upstream
	cfg.SystemSecret, cfg.SessionSecret = secret, secret
	return cfg
}

// start runs a proxy until the test ends, and returns its address.
func start(t *testing.T, cfg app.Config) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	proxy, err := app.Open(ctx, cfg, logging.Discard())
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- proxy.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return "http://" + proxy.Addr().String()
}

// loginService is a service that answers sign-in calls and reports all other calls.
func loginService(t *testing.T) (address string, ended *[]string) {
	t.Helper()
	var mu sync.Mutex
	ended = new([]string)
	mux := http.NewServeMux()
	system := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Basic __datahub_system:"+secret.Reveal() {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			body, _ := io.ReadAll(r.Body)
			if strings.HasSuffix(r.URL.Path, "endSession") {
				mu.Lock()
				*ended = append(*ended, string(body))
				mu.Unlock()
			}
			_, _ = io.WriteString(w, answer)
		}
	}
	mux.HandleFunc("POST /auth/verifyNativeUserCredentials", system(`{"doesPasswordMatch":true}`))
	mux.HandleFunc("POST /auth/generateSessionTokenForUser", system(`{"accessToken":"tok"}`))
	mux.HandleFunc("POST /auth/signUp", system(`{"isNativeUserCreated":true}`))
	mux.HandleFunc("POST /auth/endSession", system(``))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Method+" "+r.RequestURI+" as "+r.Header.Get("Authorization"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, ended
}

type answer struct {
	status  int
	body    string
	header  http.Header
	cookies []*http.Cookie
}

func do(t *testing.T, method, address, body string, change ...func(*http.Request)) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, string(text), res.Header, res.Cookies()}
}

func TestFromSignInToSignOut(t *testing.T) {
	t.Parallel()
	upstream, ended := loginService(t)
	proxy := start(t, settings(upstream))
	in := do(t, "POST", proxy+"/logIn", `{"username":"jo","password":"pw"}`)
	if in.status != http.StatusOK || len(in.cookies) != 3 {
		t.Fatalf("sign-in: %d %s", in.status, in.body)
	}
	withCookie := func(r *http.Request) { r.AddCookie(in.cookies[0]) }
	if got := do(t, "POST", proxy+"/api/v2/graphql", "{}", withCookie); got.body != "POST /api/graphql as Bearer tok" {
		t.Errorf("GraphQL: %d %s", got.status, got.body)
	}
	if got := do(t, "GET", proxy+"/authenticate?redirect_uri=/x", "", withCookie); got.header.Get("Location") != "/x" {
		t.Errorf("authenticate: %d to %s", got.status, got.header.Get("Location"))
	}
	if got := do(t, "GET", proxy+"/mfe/config", "", withCookie); got.status != 200 || got.header.Get("Content-Type") != "application/yaml" {
		t.Errorf("mfe config: %d %v", got.status, got.header)
	}
	if got := do(t, "GET", proxy+"/logOut", "", withCookie); got.status != http.StatusSeeOther {
		t.Errorf("sign-out: %d", got.status)
	}
	if len(*ended) != 1 || (*ended)[0] != `{"accessToken":"tok"}` {
		t.Errorf("ended at the service: %v", *ended)
	}
	up := do(t, "POST", proxy+"/api/signUp", `{"fullName":"N","email":"n@x.example","password":"p","inviteToken":"i"}`)
	if up.status != http.StatusOK || up.cookies[1].Value != "urn:li:corpuser:n@x.example" {
		t.Errorf("sign-up: %d %s %v", up.status, up.body, up.cookies)
	}
}

func TestDocumentsAndPages(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	proxy := start(t, settings(upstream))
	tests := []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/health", 200, "GOOD"},
		{"HEAD", "/health", 200, ""},
		{"GET", "/admin", 200, "GOOD"},
		{"GET", "/config", 200, `"status":"ok"`},
		{"GET", "/mfe/config", 401, `"please sign in"`},
		{"GET", "/", 200, "<title>Cartulary"},
		{"GET", "/?redirect_uri=%2Fapi%2Fgraphiql", 200, "<title>Cartulary"},
		{"GET", "/dataset/urn:li:dataset:(a,b)/Schema", 404, `"status":404`},
		{"GET", "/login?error_msg=x", 200, "<title>Cartulary"},
		{"GET", "/logIn", 405, `"status":405`},
		{"GET", "/metrics", 404, `"status":404`},
		{"GET", "/actuator/prometheus", 404, `"status":404`},
		{"GET", "/nowhere", 404, `"status":404`},
		{"GET", "/api/graphql", 405, `"status":405`},
		{"GET", "/api/none", 404, `"status":404`},
		{"GET", "/assets/none.js", 404, `"status":404`},
		{"POST", "/auth/signUp", 404, `"status":404`},
		{"POST", "/api/gms/auth/signUp", 404, `"status":404`},
		{"GET", "/gms/metrics", 404, `"status":404`},
		{"POST", "/nowhere", 404, `"status":404`},
		{"POST", "/openapi/v1/tracking/track", 200, "POST /openapi/v1/tracking/track as "},
		{"GET", "/api/gms/config", 200, "GET /config as "},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			t.Parallel()
			got := do(t, tt.method, proxy+tt.path, "")
			if got.status != tt.status || !strings.Contains(got.body, tt.want) {
				t.Errorf("got %d %s, want %d %s", got.status, got.body, tt.status, tt.want)
			}
			if got.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers: %v", got.header)
			}
		})
	}
	if got := do(t, "GET", proxy+"/config", ""); strings.Contains(got.body, "noCode") {
		t.Errorf("clients would take the proxy for the service: %s", got.body)
	}
}

func TestOtherSitesCannotMakeABrowserAsk(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	cfg := settings(upstream)
	cfg.Outside.Origins = []string{"https://portal.example"}
	proxy := start(t, cfg)
	tests := []struct {
		name, site, origin string
		status             int
	}{
		{"a program", "", "", 200},
		{"a page of ours", "same-origin", proxy, 200},
		{"an old browser on a page of ours", "", proxy, 200},
		{"another site", "cross-site", "https://evil.example", 403},
		{"a neighbour of the same site", "same-site", "https://other.example", 403},
		{"an old browser on another site", "", "https://evil.example", 403},
		{"a sandboxed frame", "cross-site", "null", 403},
		{"a site that is trusted", "cross-site", "https://portal.example", 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{"/logIn", "/api/graphql", "/api/gms/aspects"} {
				got := do(t, "POST", proxy+path, `{"username":"jo","password":"pw"}`, func(r *http.Request) {
					if tt.site != "" {
						r.Header.Set("Sec-Fetch-Site", tt.site)
					}
					if tt.origin != "" {
						r.Header.Set("Origin", tt.origin)
					}
				})
				if got.status != tt.status {
					t.Errorf("%s: got %d %s", path, got.status, got.body)
				}
				if got.header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s: CORS headers: %v", path, got.header)
				}
			}
			// A browser follows a link with the session, so a GET that changes data is refused as
			// well.
			for _, path := range []string{"/openapi/operations/elasticSearch/restoreIndices", "/api/gms/openapi/operations/elasticSearch/restoreIndices", "/gms/openapi/operations/elasticSearch/restoreIndices"} {
				got := do(t, "GET", proxy+path, "", func(r *http.Request) {
					r.Header.Set("Sec-Fetch-Site", tt.site)
					r.Header.Set("Origin", tt.origin)
				})
				if (got.status == 403) != (tt.status == 403) {
					t.Errorf("%s: got %d %s", path, got.status, got.body)
				}
			}
		})
	}
}

func TestClientAddressesAreBelievedFromKnownProxiesAlone(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	for name, networks := range map[string][]string{"unknown": nil, "known": {"127.0.0.0/8"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings(upstream)
			cfg.Login.Burst, cfg.Outside.Proxies = 1, networks
			proxy := start(t, cfg)
			status := 0
			for _, client := range []string{"10.0.0.1", "10.0.0.2"} {
				status = do(t, "POST", proxy+"/logIn", `{"username":"jo","password":"pw"}`, func(r *http.Request) {
					r.Header.Set("X-Forwarded-For", client)
				}).status
			}
			want := http.StatusTooManyRequests
			if networks != nil {
				want = http.StatusOK
			}
			if status != want {
				t.Errorf("second client: got %d, want %d", status, want)
			}
		})
	}
}

func TestAClientIsOneClientInEverySpellingOfItsAddress(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	cfg := settings(upstream)
	cfg.Login.Burst, cfg.Outside.Proxies = 1, []string{"127.0.0.0/8"}
	proxy := start(t, cfg)
	for _, request := range []struct {
		client string
		want   int
	}{
		{"192.0.2.7:4711", http.StatusOK},
		{"192.0.2.7:4712", http.StatusTooManyRequests},
		{"::ffff:192.0.2.7", http.StatusTooManyRequests},
		{"192.0.2.8:4711", http.StatusOK},
		{"[2001:db8::1]:4711", http.StatusOK},
		{"[2001:db8::1]:4712", http.StatusTooManyRequests},
		{"2001:db8::2", http.StatusTooManyRequests},
		{"[2001:db8:0:1::1%eth0]", http.StatusOK},
		{"unknown", http.StatusOK},                  // the address of the connection applies
		{"192.0.2.9 x", http.StatusTooManyRequests}, // the address of the connection again
	} {
		if res := do(t, "POST", proxy+"/logIn", `{"username":"jo","password":"pw"}`, func(r *http.Request) {
			r.Header.Set("X-Forwarded-For", request.client)
		}); res.status != request.want {
			t.Errorf("%s: got %d, want %d", request.client, res.status, request.want)
		}
	}
}

func TestRatesHoldAtTheProxy(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	cfg := settings(upstream)
	cfg.RateLimits.Enabled, cfg.RateLimits.AddressPerMinute, cfg.RateLimits.AddressBurst = true, 1, 2
	proxy := start(t, cfg)
	for i, want := range []int{http.StatusOK, http.StatusOK, http.StatusTooManyRequests} {
		res := do(t, "POST", proxy+"/logIn", `{"username":"jo","password":"pw"}`)
		if res.status != want || want != http.StatusOK && (res.header.Get("Retry-After") == "" || res.header.Get(ratelimit.RuleHeader) != "address") {
			t.Errorf("request %d: got %d %v, want %d", i, res.status, res.header, want)
		}
	}
	if res := do(t, "GET", proxy+"/health", ""); res.status == http.StatusTooManyRequests {
		t.Error("a probe is limited")
	}
}

// lines lets a test wait for a line of the log.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(bytes.TrimSpace(p))
	return len(p), nil
}

func TestSecretFilesAreWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg := settings("http://127.0.0.1:1")
	cfg.SystemSecret, cfg.SystemSecretFile = "", filepath.Join(dir, "system")
	cfg.SessionSecret, cfg.SessionSecretFile = "", filepath.Join(dir, "session")
	log := make(lines, 10)
	opened := make(chan error, 1)
	go func() {
		proxy, err := app.Open(t.Context(), cfg, logging.New(log, slog.LevelInfo, logging.JSON))
		if err == nil {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			err = proxy.Run(ctx)
		}
		opened <- err
	}()
	for _, file := range []string{cfg.SystemSecretFile, cfg.SessionSecretFile} {
		if line := <-log; !strings.Contains(line, "waiting") || !strings.Contains(line, file) {
			t.Errorf("log: %s", line)
		}
		if err := os.WriteFile(file+".new", []byte(secret.Reveal()+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	short := filepath.Join(dir, "short")
	if err := os.WriteFile(short, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile := func(file string) app.Config {
		cfg := settings("http://127.0.0.1:1")
		cfg.SessionSecret, cfg.SessionSecretFile = "", file
		return cfg
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := app.Open(ended, fromFile(filepath.Join(dir, "none")), logging.Discard()); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped while waiting: got %v", err)
	}
	_, err := app.Open(t.Context(), fromFile(short), logging.Discard())
	if err == nil || !strings.Contains(err.Error(), short) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("short secret: got %v", err)
	}
	if _, err := app.Open(t.Context(), fromFile(dir), logging.Discard()); err == nil {
		t.Error("a folder was taken for a secret")
	}
	cfg := settings("http://127.0.0.1:1")
	cfg.Outside.Origins = []string{"no origin"}
	if _, err := app.Open(t.Context(), cfg, logging.Discard()); err == nil {
		t.Error("a bad origin was taken")
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	address := strings.TrimPrefix(start(t, settings("http://127.0.0.1:1")), "http://")
	_, port, _ := strings.Cut(address, ":")
	for _, listen := range []string{address, ":" + port, "0.0.0.0:" + port} {
		if err := app.Health(t.Context(), listen); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }))
	defer sick.Close()
	for _, listen := range []string{strings.TrimPrefix(sick.URL, "http://"), "127.0.0.1:1", "nonsense"} {
		if err := app.Health(t.Context(), listen); err == nil {
			t.Errorf("%s counts as healthy", listen)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	good := settings("http://service:8080")
	if err := errors.Join(good.Validate()...); err != nil {
		t.Errorf("good settings: %v", err)
	}
	tests := []struct {
		name   string
		change func(*app.Config)
		want   string
	}{
		{"no system secret", func(c *app.Config) { c.SystemSecret = "" }, "set CARTULARY_SYSTEM_SECRET, or CARTULARY_SYSTEM_SECRET_FILE"},
		{"no session secret", func(c *app.Config) { c.SessionSecret = "" }, "set CARTULARY_SESSION_SECRET, or CARTULARY_SESSION_SECRET_FILE"},
		{"both forms", func(c *app.Config) { c.SessionSecretFile = "x" }, "both set"},
		{"short secret", func(c *app.Config) { c.SystemSecret = secret[:31] }, "has 31 characters"},
		{"short previous secret", func(c *app.Config) { c.SessionSecretPrevious = "x" }, "CARTULARY_SESSION_SECRET_PREVIOUS has 1 characters"},
		{"no address", func(c *app.Config) { c.Upstream = "service:8080" }, "upstream must be"},
		{"no network", func(c *app.Config) { c.Outside.Proxies = []string{"10.0.0.1"} }, "outside.proxies"},
		{"no attempts", func(c *app.Config) { c.Login.PerMinute = 0 }, "login.per_minute must be"},
		{"no time for bodies", func(c *app.Config) { c.HTTP.Body = 0 }, "http.body_timeout: must be"},
		{"no time", func(c *app.Config) { c.Timeout = -time.Second }, "timeout must be"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := settings("http://service:8080")
			tt.change(&cfg)
			err := errors.Join(cfg.Validate()...)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestLoadReadsTheFixedNames(t *testing.T) {
	for name, value := range map[string]string{
		"LISTEN": "127.0.0.1:1", "UPSTREAM": "http://service:1", "SYSTEM_SECRET": secret.Reveal(), "SESSION_SECRET_FILE": "/some/file",
		"AUTH_ENABLED": "false", "DATA_DIR": "./data", "LOG_LEVEL": "debug", "LOG_FORMAT": "json",
	} {
		t.Setenv(config.Prefix+name, value)
	}
	cfg, err := app.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Listen != "127.0.0.1:1" || cfg.Upstream != "http://service:1" || cfg.SystemSecret != secret ||
		cfg.SessionSecretFile != "/some/file" || cfg.Auth.Enabled || cfg.Log.Level != slog.LevelDebug || cfg.Log.Format != logging.JSON {
		t.Errorf("got %+v", cfg)
	}
	t.Setenv(config.Prefix+"SESION_SECRET", "x")
	if _, err := app.Load(""); err == nil || !strings.Contains(err.Error(), "CARTULARY_SESION_SECRET is not a setting") {
		t.Errorf("got %v", err)
	}
}

func TestTheExampleFileIsValid(t *testing.T) {
	t.Parallel()
	cfg, err := app.Load(filepath.Join("..", "..", "..", "deploy", "config", "frontend-proxy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if defaults := app.Defaults(); cfg.Listen != defaults.Listen || cfg.Upstream != defaults.Upstream {
		t.Errorf("the example says %s and %s, the defaults are %s and %s", cfg.Listen, cfg.Upstream, defaults.Listen, defaults.Upstream)
	}
}

func TestTheExplorerIsNeverTheServices(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	proxy := start(t, settings(upstream))
	got := do(t, "GET", proxy+"/api/graphiql", "")
	built := got.status == 200 && strings.Contains(got.body, `name="sign-in" content="`)
	left := got.status == 404 && strings.Contains(got.body, "not in this build")
	if !built && !left {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if got := do(t, "GET", proxy+"/api/graphiql/none.js", ""); got.status != 404 || strings.Contains(got.body, " as ") {
		t.Errorf("a file that is not there: %d %s", got.status, got.body)
	}
}
