package app_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso/ssotest"
	"github.com/cartulary/cartulary/pkg/logging"
)

// redirecting is a service that admits every user, and redirects requests for /openapi/on.
func redirecting(t *testing.T) string {
	t.Helper()
	login, _ := loginService(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/on"):
			http.Redirect(w, r, "/openapi/after", http.StatusFound)
			return
		case !strings.HasPrefix(r.URL.Path, "/auth/"):
			_, _ = io.WriteString(w, r.Method+" "+r.RequestURI)
			return
		}
		onward, err := http.NewRequestWithContext(r.Context(), r.Method, login+r.RequestURI, r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		onward.Header = r.Header
		res, err := http.DefaultTransport.RoundTrip(onward)
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// bases are the root and two paths, one of which equals the path of a page.
var bases = []string{"", "/catalog", "/dataset/of-1.x~"}

func TestEverythingIsServedBelowTheBasePath(t *testing.T) {
	t.Parallel()
	upstream := redirecting(t)
	for _, base := range bases {
		cfg := settings(upstream)
		cfg.BasePath = base
		proxy := start(t, cfg)
		tests := []struct {
			method, path string
			status       int
			body         string
			location     string
		}{
			{"GET", "/health", 200, "GOOD", ""},
			{"GET", "/admin", 200, "GOOD", ""},
			{"GET", "/", 200, "<title>Cartulary", ""},
			{"GET", "/login?error_code=x", 200, "<title>Cartulary", ""},
			{"GET", "/signup?invite_token=x", 200, "<title>Cartulary", ""},
			{"GET", "/config", 200, `"basePath":"` + orRoot(base) + `"`, ""},
			{"GET", "/mfe/config", 401, "please sign in", ""},
			{"GET", "/api/gms/config", 200, "GET /config", ""},
			{"GET", "/gms/config", 200, "GET /config", ""},
			{"POST", "/api/graphql", 200, "POST /api/graphql", ""},
			{"POST", "/api/v2/graphql?a=%2Fb", 200, "POST /api/graphql?a=%2Fb", ""},
			{"GET", "/openapi/v3/entity/dataset/urn%3Ali%3Adataset%3A%28a%2Fb%29", 200, "GET /openapi/v3/entity/dataset/urn%3Ali%3Adataset%3A%28a%2Fb%29", ""},
			{"GET", "/openapi/v3//x", 400, "double slash", ""},
			{"GET", "/openapi/on", 302, "", base + "/openapi/after"},
			{"GET", "/api/gms/openapi/on", 302, "", base + "/api/gms/openapi/after"},
			{"GET", "/gms/on", 302, "", base + "/gms/openapi/after"},
			{"GET", "/api/graphiql/", 308, "", "../graphiql"},
			{"POST", "/api/gms/auth/signUp", 404, "nothing at this path", ""},
			{"GET", "/authenticate", 303, "", base + "/login?redirect_uri=" + url.QueryEscape(base+"/")},
			{"GET", "/authenticate?redirect_uri=" + url.QueryEscape(base+"/dataset/urn?x=1#y"), 303, "", base + "/login?redirect_uri=" + url.QueryEscape(base+"/dataset/urn?x=1#y")},
			{"GET", "/authenticate?redirect_uri=/tags", 303, "", base + "/login?redirect_uri=" + url.QueryEscape(base+"/tags")},
			{"GET", "/sso?redirect_uri=/tags", 303, "", base + "/login?error_code=not_configured&error_msg=SSO%20is%20not%20configured"},
			{"GET", "/callback/oidc?state=x", 303, "", base + "/login?error_code=not_configured&error_msg=SSO%20is%20not%20configured"},
			{"GET", "/logOut", 303, "", base + "/login"},
			{"POST", "/logOut", 303, "", base + "/login"},
		}
		for _, tt := range tests {
			t.Run(orRoot(base)+" "+tt.method+" "+tt.path, func(t *testing.T) {
				t.Parallel()
				got := do(t, tt.method, proxy+base+tt.path, "")
				if got.status != tt.status || !strings.Contains(got.body, tt.body) || got.header.Get("Location") != tt.location {
					t.Errorf("got %d to %q: %s", got.status, got.header.Get("Location"), got.body)
				}
			})
		}
	}
}

func orRoot(base string) string {
	if base == "" {
		return "/"
	}
	return base
}

func TestNothingButHealthIsServedOutsideTheBasePath(t *testing.T) {
	t.Parallel()
	cfg := settings(redirecting(t))
	cfg.BasePath = "/catalog"
	proxy := start(t, cfg)
	asBrowser := func(r *http.Request) { r.Header.Set("Accept", "text/html") }
	for _, path := range []string{
		"/", "/login", "/admin", "/config", "/api/graphiql", "/api/gms/config", "/openapi/on", "/catalogue", "/catalogue/login", "/Catalog/",
		"/%63atalog/", "/catalog%2Flogin", "//catalog/", "/other/../catalog/", "/health/", "/%68ealth", "/login/catalog/",
	} {
		if got := do(t, "GET", proxy+path, "", asBrowser); got.status != 404 || !strings.Contains(got.body, "served below /catalog/") {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
	for _, path := range []string{"/logIn", "/api/graphql", "/catalog"} {
		if got := do(t, "POST", proxy+path, `{"username":"jo","password":"pw"}`); got.status != 404 || len(got.cookies) > 0 {
			t.Errorf("POST %s: got %d %s", path, got.status, got.body)
		}
	}
	if got := do(t, "GET", proxy+"/health", ""); got.status != 200 || got.body != "GOOD" {
		t.Errorf("a probe: got %d %s", got.status, got.body)
	}
	for path, want := range map[string]string{"/catalog": "/catalog/", "/catalog?a=b%2F&c": "/catalog/?a=b%2F&c"} {
		if got := do(t, "GET", proxy+path, ""); got.status != 308 || got.header.Get("Location") != want {
			t.Errorf("%s: got %d to %q", path, got.status, got.header.Get("Location"))
		}
	}
}

func TestASessionIsForTheBasePathAlone(t *testing.T) {
	t.Parallel()
	upstream := redirecting(t)
	for _, base := range bases {
		cfg := settings(upstream)
		cfg.BasePath = base
		proxy := start(t, cfg)
		in := do(t, "POST", proxy+base+"/logIn", `{"username":"jo","password":"pw"}`)
		if in.status != 200 || len(in.cookies) != 3 {
			t.Fatalf("%q: got %d %s", base, in.status, in.body)
		}
		out := do(t, "GET", proxy+base+"/logOut", "", func(r *http.Request) { r.AddCookie(in.cookies[0]) })
		for _, cookie := range append(in.cookies, out.cookies...) {
			if cookie.Path != orRoot(base) {
				t.Errorf("%q: cookie %s is for %s", base, cookie.Name, cookie.Path)
			}
		}
		if len(out.cookies) != 2 || out.cookies[0].MaxAge >= 0 {
			t.Errorf("%q: signing out leaves %v", base, out.cookies)
		}
		back := do(t, "GET", proxy+base+"/authenticate?redirect_uri="+url.QueryEscape(base+"/tags"), "", func(r *http.Request) { r.AddCookie(in.cookies[0]) })
		if back.header.Get("Location") != base+"/tags" {
			t.Errorf("%q: somebody signed in is led to %q", base, back.header.Get("Location"))
		}
	}
}

func TestRedirectsStayHereBelowABasePath(t *testing.T) {
	t.Parallel()
	cfg := settings(redirecting(t))
	cfg.BasePath = "/catalog"
	proxy := start(t, cfg)
	in := do(t, "POST", proxy+"/catalog/logIn", `{"username":"jo","password":"pw"}`)
	for _, target := range []string{
		"", "/", "/catalog", "/catalog/", "//evil.example", "/catalog//evil.example", `/catalog/\evil.example`, "/catalog/%2Fevil.example", "/catalog/%5Cevil.example",
		"https://evil.example", "https://evil.example/catalog/", "/catalog/\tevil", "/catalog/logOut", "/catalog/sso", "/catalog/authenticate",
		"/catalog/../evil", "/catalog/%2e%2e/evil", "/catalog/.%2E/evil", "/catalog/x/../../evil", "/catalog/..%2Fevil", `/catalog/..%5Cevil`, "/../evil", "/catalog/./../evil",
		"/catalog/..", "/catalog/..;/evil", "/catalog/..?x", "/catalog/..#x", "/catalog/x/..%09/evil", "/catalog/../catalog/../evil",
		"/catalog/login", "/catalog/callback/oidc", "/logOut", "javascript:alert(1)", "catalog/x",
	} {
		got := do(t, "GET", proxy+"/catalog/authenticate?redirect_uri="+url.QueryEscape(target), "", func(r *http.Request) { r.AddCookie(in.cookies[0]) })
		if got.status != http.StatusSeeOther || got.header.Get("Location") != "/catalog/" {
			t.Errorf("%q leads to %q", target, got.header.Get("Location"))
		}
	}
	// A path that only begins like the base path is treated as below it.
	if got := do(t, "GET", proxy+"/catalog/authenticate?redirect_uri=/catalog.evil.example", "", func(r *http.Request) { r.AddCookie(in.cookies[0]) }); got.header.Get("Location") != "/catalog/catalog.evil.example" {
		t.Errorf("led to %q", got.header.Get("Location"))
	}
}

func TestAProviderSendsBrowsersBelowTheBasePath(t *testing.T) {
	t.Parallel()
	for _, baseURL := range []string{"http://catalog.example", "http://catalog.example/", "http://catalog.example/data/", "http://catalog.example/data"} {
		p := ssotest.New(t)
		upstream, _ := ssoService(t, "")
		cfg := withProvider(upstream, p)
		cfg.BasePath, cfg.OIDC.BaseURL, cfg.OIDC.SignOut = "/data", baseURL, true
		if err := errors.Join(cfg.Validate()...); err != nil {
			t.Fatal(err)
		}
		proxy := start(t, cfg)
		begun := do(t, "GET", proxy+"/data/sso?redirect_uri=/data/tags", "")
		atProvider := do(t, "GET", begun.header.Get("Location"), "")
		back, ours := strings.CutPrefix(atProvider.header.Get("Location"), "http://catalog.example/data/callback/oidc")
		if !ours || len(begun.cookies) != 1 || begun.cookies[0].Path != "/data/callback" {
			t.Fatalf("%s: back to %q, with %v", baseURL, atProvider.header.Get("Location"), begun.cookies)
		}
		in := do(t, "GET", proxy+"/data/callback/oidc"+back, "", func(r *http.Request) { r.AddCookie(begun.cookies[0]) })
		if in.header.Get("Location") != "/data/tags" {
			t.Errorf("%s: then to %q", baseURL, in.header.Get("Location"))
		}
		paths := map[string]string{}
		for _, cookie := range in.cookies {
			paths[cookie.Name] = cookie.Path
		}
		if paths["PLAY_SESSION"] != "/data" || paths["cartulary_sso_out"] != "/data/logOut" {
			t.Errorf("%s: cookies %v", baseURL, paths)
		}
		out := do(t, "GET", proxy+"/data/logOut", "", func(r *http.Request) {
			for _, cookie := range in.cookies {
				r.AddCookie(cookie)
			}
		})
		if !strings.Contains(out.header.Get("Location"), "post_logout_redirect_uri="+url.QueryEscape("http://catalog.example/data/login")) {
			t.Errorf("%s: signing out leads to %q", baseURL, out.header.Get("Location"))
		}
		if got := do(t, "GET", proxy+"/data/callback/oidc?state=x&code=y", ""); !strings.HasPrefix(got.header.Get("Location"), "/data/login?error_code=") {
			t.Errorf("%s: a refusal leads to %q", baseURL, got.header.Get("Location"))
		}
	}
}

func TestBasePathsThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, base := range []string{
		"/", "catalog", "/catalog/", "//catalog", "/a//b", "/..", "/a/../b", "/.", "/a b", "/caf\u00e9", "/a%2Fb", "/a?b", "/a#b", `/a"b`, "/<b>", "https://x.example", "/a;b", "/a\n",
		"/" + strings.Repeat("a", 200),
	} {
		cfg := settings("http://service:8080")
		cfg.BasePath = base
		err := errors.Join(cfg.Validate()...)
		if err == nil || !strings.Contains(err.Error(), "base_path must be a path such as /catalog") {
			t.Errorf("%q: got %v", base, err)
		}
	}
	cfg := withProvider("http://service:8080", ssotest.New(t))
	cfg.BasePath, cfg.OIDC.BaseURL = "/catalog", "https://x.example/other"
	if err := errors.Join(cfg.Validate()...); err == nil || !strings.Contains(err.Error(), "oidc.base_url ends in the path /other") {
		t.Errorf("two paths: got %v", err)
	}
}

func TestTheBasePathHasTwoVariables(t *testing.T) {
	t.Setenv("CARTULARY_SYSTEM_SECRET", secret.Reveal())
	t.Setenv("CARTULARY_SESSION_SECRET", secret.Reveal())
	t.Setenv("DATAHUB_BASE_PATH", "/catalog")
	if cfg, err := app.Load(""); err != nil || cfg.BasePath != "/catalog" {
		t.Errorf("got %q, %v", cfg.BasePath, err)
	}
	t.Setenv("CARTULARY_BASE_PATH", "/other")
	if _, err := app.Load(""); err == nil || !strings.Contains(err.Error(), "CARTULARY_BASE_PATH and DATAHUB_BASE_PATH are both set") && !strings.Contains(err.Error(), "DATAHUB_BASE_PATH and CARTULARY_BASE_PATH are both set") {
		t.Errorf("got %v", err)
	}
}

func TestTheLogTellsTheBasePath(t *testing.T) {
	t.Parallel()
	cfg := settings("http://127.0.0.1:1")
	cfg.BasePath = "/catalog"
	log := make(lines, 10)
	proxy, err := app.Open(t.Context(), cfg, logging.New(log, slog.LevelInfo, logging.JSON))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- proxy.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if line := <-log; !strings.Contains(line, `"listening"`) || !strings.Contains(line, `"base_path":"/catalog"`) {
		t.Errorf("log: %s", line)
	}
}
