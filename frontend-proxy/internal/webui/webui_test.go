package webui_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cartulary/cartulary/frontend-proxy/internal/webui"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

const document = `<html data-base="BASE-PATH"><script src="./scheme.js" nonce="STYLE-NONCE"></script><script src="./assets/index-1.js"></script>`

func build() fstest.MapFS {
	return fstest.MapFS{
		"placeholder.html":       {Data: []byte("<p>not in this build</p>")},
		"index.html":             {Data: []byte(document)},
		"scheme.js":              {Data: []byte("(function () {})();")},
		"assets/index-1.js.br":   {Data: []byte("brotli")},
		"assets/index-1.js.gz":   {Data: []byte("gzip")},
		"assets/small-1.css":     {Data: []byte("p{}")},
		".vite/manifest.json":    {Data: []byte("{}")},
		"assets/.not-to-be-seen": {Data: []byte("x")},
	}
}

func newServer(t *testing.T, files fstest.MapFS, base string) http.Handler {
	t.Helper()
	pages, err := webui.New(files, base)
	if err != nil {
		t.Fatal(err)
	}
	s := httpserver.New(httpserver.Config{Log: logging.Discard()})
	s.Echo.Pre(webui.Harden(false))
	pages.Mount(s.Echo)
	return s.Echo
}

func ask(h http.Handler, method, path string, header ...string) (*http.Response, string) {
	r := httptest.NewRequest(method, "http://example.com"+path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	res := w.Result()
	text, _ := io.ReadAll(res.Body)
	return res, string(text)
}

// A compressing server sends the weak form of the ETag.
func TestAFileThatABrowserHasIsNotSentAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t, build(), "")
	res, _ := ask(s, "GET", "/scheme.js")
	tag := res.Header.Get("ETag")
	for _, known := range []string{tag, "W/" + tag} {
		if res, body := ask(s, "GET", "/scheme.js", "If-None-Match", known); res.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s: got %d %q", known, res.StatusCode, body)
		}
	}
}

func TestBrowsersGetTheDocumentForEveryPathThatNothingElseKnows(t *testing.T) {
	t.Parallel()
	s := newServer(t, build(), "")
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	tests := []struct {
		method, path, accept string
		status               int
		page                 bool
	}{
		{"GET", "/", "", 200, true},
		{"HEAD", "/", "", 200, true},
		{"GET", "/?redirect_uri=%2Fx", browser, 200, true},
		{"GET", "/login", "", 200, true},
		{"GET", "/signup?invite_token=x", "", 200, true},
		{"GET", "/settings/tokens", browser, 200, true},
		{"HEAD", "/settings/tokens", browser, 200, true},
		{"GET", "/dataset/urn%3Ali%3Adataset%3A(a%2Fb)/Schema", browser, 200, true},
		{"GET", "/settings/tokens", "*/*", 404, false},
		{"GET", "/metrics", "application/json", 404, false},
		{"GET", "/api/unknown", browser, 404, false},
		{"GET", "/gms/unknown", browser, 404, false},
		{"GET", "/openapi/unknown", browser, 404, false},
		{"GET", "/assets/gone-2.js", browser, 404, false},
		{"GET", "/assets/", browser, 404, false},
		{"GET", "/assets/../index.html", browser, 404, false},
		{"POST", "/", browser, 405, false},
		{"DELETE", "/settings/tokens", browser, 404, false},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path+" "+tt.accept, func(t *testing.T) {
			t.Parallel()
			res, body := ask(s, tt.method, tt.path, "Accept", tt.accept)
			if res.StatusCode != tt.status {
				t.Fatalf("got %d %s", res.StatusCode, body)
			}
			if tt.page && (!strings.Contains(res.Header.Get("Content-Security-Policy"), "default-src 'none'") || res.Header.Get("Cache-Control") != "no-store") {
				t.Errorf("page headers: %v", res.Header)
			}
			if !tt.page && !strings.HasPrefix(body, `{"error":`) {
				t.Errorf("got %s", body)
			}
			if res.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers: %v", res.Header)
			}
		})
	}
}

func TestEachPageHasANonceOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newServer(t, build(), "")
	seen := map[string]bool{}
	for range 100 {
		res, body := ask(s, "GET", "/")
		found := regexp.MustCompile(`nonce="([\w-]{22})"`).FindStringSubmatch(body)
		if found == nil || !strings.Contains(res.Header.Get("Content-Security-Policy"), "'nonce-"+found[1]+"'") || seen[found[1]] {
			t.Fatalf("got %s with %s", body, res.Header.Get("Content-Security-Policy"))
		}
		seen[found[1]] = true
	}
}

func TestAddressesInTheDocumentBeginWithTheBasePath(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"":         `<html data-base=""><script src="/scheme.js"`,
		"/catalog": `<html data-base="/catalog"><script src="/catalog/scheme.js"`,
	} {
		_, body := ask(newServer(t, build(), base), "GET", "/")
		if !strings.HasPrefix(body, want) || !strings.Contains(body, `src="`+base+`/assets/index-1.js"`) {
			t.Errorf("%q: got %s", base, body)
		}
	}
}

func TestFilesAreKeptForEverWhenTheirNamesTellTheContent(t *testing.T) {
	t.Parallel()
	s := newServer(t, build(), "")
	res, body := ask(s, "GET", "/assets/index-1.js", "Accept-Encoding", "gzip, br")
	if body != "brotli" || res.Header.Get("Content-Encoding") != "br" || res.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("got %s with %v", body, res.Header)
	}
	res, _ = ask(s, "GET", "/scheme.js")
	etag := res.Header.Get("ETag")
	if res.Header.Get("Cache-Control") != "no-cache" || etag == "" || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("got %v", res.Header)
	}
	if res, body = ask(s, "GET", "/scheme.js", "If-None-Match", etag); res.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("got %d %s", res.StatusCode, body)
	}
}

func TestABuildWithoutPagesSaysSo(t *testing.T) {
	t.Parallel()
	s := newServer(t, fstest.MapFS{"placeholder.html": {Data: []byte("<p>not in this build</p>")}}, "")
	for _, path := range []string{"/", "/login", "/settings/tokens"} {
		if _, body := ask(s, "GET", path, "Accept", "text/html"); body != "<p>not in this build</p>" {
			t.Errorf("%s: got %s", path, body)
		}
	}
	if _, err := webui.New(fstest.MapFS{}, ""); err == nil {
		t.Error("a build without even that: got no error")
	}
}

func TestTransportSecurityIsAskedForUnderTLSAlone(t *testing.T) {
	t.Parallel()
	for _, tls := range []bool{true, false} {
		pages, err := webui.New(build(), "")
		if err != nil {
			t.Fatal(err)
		}
		s := httpserver.New(httpserver.Config{Log: logging.Discard()})
		s.Echo.Pre(webui.Harden(tls))
		pages.Mount(s.Echo)
		res, _ := ask(s.Echo, "GET", "/")
		if got := res.Header.Get("Strict-Transport-Security") != ""; got != tls {
			t.Errorf("TLS %v: header set is %v", tls, got)
		}
	}
}
