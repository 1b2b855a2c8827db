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

func TestUnknownPathsArePages(t *testing.T) {
	t.Parallel()
	s := newServer(t, false)
	tests := []struct {
		method, path string
		status       int
	}{
		{"GET", "/", 200},
		{"GET", "/dataset/urn%3Ali%3Adataset%3A(a%2Fb)/Schema", 200},
		{"GET", "/dataset/urn:li:dataset:(s3://a,b)", 200},
		{"HEAD", "/search?query=x", 200},
		{"GET", "/apiary", 200},
		{"GET", "/api", 404},
		{"GET", "/api/unknown", 404},
		{"GET", "/API/unknown", 404},
		{"GET", "/assets/none.js", 404},
		{"POST", "/", 404},
		{"POST", "/search", 404},
		{"DELETE", "/assets/x", 404},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			s.Echo.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
			if w.Code != tt.status {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
			h := w.Header()
			if tt.status == 200 && (!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("Cache-Control") != "no-store") {
				t.Errorf("page headers: %v", h)
			}
			if tt.status == 404 && !strings.HasPrefix(w.Body.String(), `{"error":`) {
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
