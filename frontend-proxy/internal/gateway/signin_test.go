package gateway_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/gateway"
)

const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// closedService requires a credential, and refuses the one of the header with the error in the
// query.
func closedService(w http.ResponseWriter, r *http.Request) {
	challenge := "Bearer"
	if r.Header.Get("Authorization") != "" {
		challenge += ` error="` + r.URL.Query().Get("refuse") + `"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = io.WriteString(w, `{"error":"Unauthorized"}`)
}

func TestBrowsersWithoutASessionAreSentToSignIn(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(closedService), func(c *gateway.Config) { c.SignInPage = "/login" })
	below := newTestGateway(t, http.HandlerFunc(closedService), func(c *gateway.Config) { c.SignInPage, c.BasePath = "/login", "/catalog" })
	closed := newTestGateway(t, nil, func(c *gateway.Config) { c.SignInPage, c.AuthEnabled = "/login", false })
	withoutPages := newTestGateway(t, http.HandlerFunc(closedService))
	html := header("Accept", browserAccepts)
	long := "/openapi/v3/entity/dataset?query=" + strings.Repeat("x", 5000)
	for name, tt := range map[string]struct {
		door   *testGateway
		method string
		path   string
		change []func(*http.Request)
		want   string // the sign-in address, empty for a refusal
	}{
		"a page":                           {d, "GET", "/openapi/swagger-ui", []func(*http.Request){html}, "/login?redirect_uri=" + url.QueryEscape("/openapi/swagger-ui")},
		"a page with a query":              {d, "GET", "/openapi/x?a=b&c=%2F", []func(*http.Request){html}, "/login?redirect_uri=" + url.QueryEscape("/openapi/x?a=b&c=%2F")},
		"a page behind a prefix":           {d, "GET", "/api/gms/entities/urn%3Ali%3Atag%3Aa", []func(*http.Request){html}, "/login?redirect_uri=" + url.QueryEscape("/api/gms/entities/urn%3Ali%3Atag%3Aa")},
		"a page below a base path":         {below, "GET", "/openapi/x", []func(*http.Request){html}, "/catalog/login?redirect_uri=" + url.QueryEscape("/catalog/openapi/x")},
		"a browser that says what it does": {d, "GET", "/openapi/x", []func(*http.Request){html, header("Sec-Fetch-Mode", "navigate")}, "/login?redirect_uri=" + url.QueryEscape("/openapi/x")},
		"a session that is over":           {d, "GET", "/openapi/x?refuse=invalid_token", []func(*http.Request){html, d.signedIn(t)}, "/login?redirect_uri=" + url.QueryEscape("/openapi/x?refuse=invalid_token")},
		"authentication is turned off":     {closed, "GET", "/openapi/x", []func(*http.Request){html}, "/login?redirect_uri=" + url.QueryEscape("/openapi/x")},
		"an address too long to come back": {d, "GET", long, []func(*http.Request){html}, "/login"},
		"a host in the way back is a text": {d, "GET", "/openapi/x?redirect_uri=https://elsewhere.example", []func(*http.Request){html}, "/login?redirect_uri=" + url.QueryEscape("/openapi/x?redirect_uri=https://elsewhere.example")},
		"a session without the privilege":  {d, "GET", "/openapi/x?refuse=insufficient_scope", []func(*http.Request){html, d.signedIn(t)}, ""},
		"a program":                        {d, "GET", "/openapi/x", []func(*http.Request){header("Accept", "application/json")}, ""},
		"a program that takes anything":    {d, "GET", "/openapi/x", []func(*http.Request){header("Accept", "*/*")}, ""},
		"a script in a page":               {d, "GET", "/openapi/x", []func(*http.Request){html, header("Sec-Fetch-Mode", "cors")}, ""},
		"a token of one's own":             {d, "GET", "/openapi/x?refuse=invalid_token", []func(*http.Request){html, header("Authorization", "Bearer x")}, ""},
		"a form":                           {d, "POST", "/openapi/x", []func(*http.Request){html}, ""},
		"a build without pages":            {withoutPages, "GET", "/openapi/x", []func(*http.Request){html}, ""},
	} {
		res := tt.door.do(t, tt.method, tt.path, nil, tt.change...)
		if tt.want == "" {
			if res.status != http.StatusUnauthorized || res.header.Get("Location") != "" || res.header.Get("WWW-Authenticate") == "" || !strings.Contains(res.body, "Unauthorized") {
				t.Errorf("%s: got %d %v %q, want the refusal", name, res.status, res.header, res.body)
			}
			continue
		}
		if got := res.header.Get("Location"); res.status != http.StatusSeeOther || got != tt.want {
			t.Errorf("%s: got %d to %q, want %q", name, res.status, got, tt.want)
		}
		if res.body != "" || res.header.Get("WWW-Authenticate") != "" || res.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the redirect says %v %q", name, res.header, res.body)
		}
	}
}

func TestThePageOfDocumentsIsForMembers(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, nil, func(c *gateway.Config) { c.SignInPage = "/login" })
	for _, path := range []string{"/openapi/swagger-ui", "/openapi/swagger-ui/index.html", "/api/gms/openapi/swagger-ui", "/gms/openapi/%73wagger-ui/index.html"} {
		res := d.do(t, "GET", path, nil, header("Accept", "*/*"))
		if res.status != http.StatusUnauthorized || !isError(res) || res.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s by a program: got %d %v %s, want 401", path, res.status, res.header, res.body)
		}
		res = d.do(t, "GET", path, nil, header("Accept", browserAccepts))
		if want := "/login?redirect_uri=" + url.QueryEscape(path); res.status != http.StatusSeeOther || res.header.Get("Location") != want {
			t.Errorf("%s by a browser: got %d to %q, want %q", path, res.status, res.header.Get("Location"), want)
		}
		d.nothingArrived(t)
		for _, credential := range []func(*http.Request){d.signedIn(t), header("Authorization", "Bearer mine")} {
			if res = d.do(t, "GET", path, nil, header("Accept", browserAccepts), credential); res.status != http.StatusOK {
				t.Errorf("%s with a credential: got %d", path, res.status)
			}
			d.arrived(t)
		}
	}
}

func TestNoPathLeadsElsewhereAfterSigningIn(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(closedService), func(c *gateway.Config) { c.SignInPage = "/login" })
	for _, path := range []string{"//elsewhere.example/openapi/x", "/\\elsewhere.example", "/openapi//elsewhere.example", "/openapi/%2F%2Felsewhere.example", "/openapi/../../elsewhere.example"} {
		if res := d.do(t, "GET", path, nil, header("Accept", browserAccepts)); res.header.Get("Location") != "" {
			t.Errorf("%s: sent to %q", path, res.header.Get("Location"))
		}
	}
}
