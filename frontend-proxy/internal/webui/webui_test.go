package webui_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cartulary/cartulary/frontend-proxy/internal/webui"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

func newServer(t *testing.T, tls bool) *httpserver.Server {
	t.Helper()
	pages, err := webui.New(fstest.MapFS{"placeholder.html": {Data: []byte("<p>a page</p>")}})
	if err != nil {
		t.Fatal(err)
	}
	s := httpserver.New(httpserver.Config{Log: logging.Discard()})
	s.Echo.Pre(webui.Harden(tls))
	pages.Mount(s.Echo)
	return s
}

func TestTheRootIsTheOnlyPage(t *testing.T) {
	t.Parallel()
	s := newServer(t, false)
	tests := []struct {
		method, path, accept string
		status               int
		page                 bool
	}{
		{"GET", "/", "", 200, true},
		{"HEAD", "/", "", 200, true},
		{"GET", "/?redirect_uri=%2Fx", "text/html", 200, true},
		{"GET", "/metrics", "", 404, false},
		{"GET", "/metrics", "*/*", 404, false},
		{"GET", "/index.html", "", 404, false},
		{"GET", "/login", "text/html,*/*;q=0.8", 404, true},
		{"GET", "/dataset/urn%3Ali%3Adataset%3A(a%2Fb)/Schema", "text/html", 404, true},
		{"HEAD", "/search?query=x", "", 404, false},
		{"GET", "/api/unknown", "application/json", 404, false},
		{"GET", "//", "", 404, false},
		{"POST", "/", "text/html", 405, false},
		{"DELETE", "/assets/x", "", 404, false},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path+" "+tt.accept, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			r := httptest.NewRequest(tt.method, "http://example.com"+tt.path, nil)
			r.Header.Set("Accept", tt.accept)
			s.Echo.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
			h := w.Header()
			if tt.page && (!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("Cache-Control") != "no-store") {
				t.Errorf("page headers: %v", h)
			}
			if !tt.page && tt.method != "HEAD" && !strings.HasPrefix(w.Body.String(), `{"error":`) {
				t.Errorf("got %s", w.Body)
			}
			if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" || h.Get("Cross-Origin-Opener-Policy") == "" {
				t.Errorf("headers: %v", h)
			}
		})
	}
}

func TestTransportSecurityIsAskedForUnderTLSAlone(t *testing.T) {
	t.Parallel()
	for _, tls := range []bool{true, false} {
		w := httptest.NewRecorder()
		newServer(t, tls).Echo.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := w.Header().Get("Strict-Transport-Security") != ""; got != tls {
			t.Errorf("TLS %v: header set is %v", tls, got)
		}
	}
}

func TestABuildWithoutPagesIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := webui.New(fstest.MapFS{}); err == nil {
		t.Error("got no error")
	}
}
