package explorer_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cartulary/cartulary/pkg/explorer"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

const script = "console.assert(true)"

func build(t testing.TB) fstest.MapFS {
	t.Helper()
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	_, _ = w.Write([]byte(script))
	_ = w.Close()
	return fstest.MapFS{
		"placeholder.txt":      {Data: []byte("not in this build")},
		"graphiql.html":        {Data: []byte(`<meta name="sign-in" content="SIGN-IN-ADDRESS">`)},
		"graphiql/a-123.js.br": {Data: []byte("brotli of a")},
		"graphiql/a-123.js.gz": {Data: gz.Bytes()},
		"graphiql/b-123.woff2": {Data: []byte("font")},
	}
}

func newServer(t testing.TB, files fs.FS, signIn string) http.Handler {
	t.Helper()
	h, err := explorer.New(files, signIn)
	if err != nil {
		t.Fatal(err)
	}
	s := httpserver.New(httpserver.Config{Log: logging.Discard()})
	h.Mount(s.Echo)
	return s.Echo
}

func ask(h http.Handler, method, path, encoding string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	if encoding != "" {
		r.Header.Set("Accept-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestThePageIsNeverKeptAndLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	res := ask(newServer(t, build(t), `../authenticate?a="b"`), "GET", "/api/graphiql", "")
	want := `<meta name="sign-in" content="../authenticate?a=&#34;b&#34;">`
	if got := body(t, res); res.StatusCode != 200 || got != want {
		t.Errorf("got %d %s", res.StatusCode, got)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=UTF-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	policy := res.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self';", "connect-src 'self';", "worker-src 'self';", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %s: %s", part, policy)
		}
	}
	if strings.Contains(policy, "http") || strings.Contains(policy, "eval") || strings.Contains(policy, "blob") {
		t.Errorf("the policy allows too much: %s", policy)
	}
}

func TestFilesAreSentInACodingTheClientTakes(t *testing.T) {
	t.Parallel()
	files := build(t)
	packed := string(files["graphiql/a-123.js.gz"].Data)
	h := newServer(t, files, "")
	const js, font = "/api/graphiql/a-123.js", "/api/graphiql/b-123.woff2"
	tests := []struct{ name, path, accept, coding, body, kind string }{
		{"a browser of today", js, "gzip, deflate, br, zstd", "br", "brotli of a", "text/javascript; charset=utf-8"},
		{"without TLS", js, "gzip, deflate", "gzip", packed, "text/javascript; charset=utf-8"},
		{"brotli refused", js, "br;q=0, gzip;q=0.5", "gzip", packed, "text/javascript; charset=utf-8"},
		{"anything", js, "*", "br", "brotli of a", "text/javascript; charset=utf-8"},
		{"anything but one", js, "BR; q=0.0, *;q=0.1", "gzip", packed, "text/javascript; charset=utf-8"},
		{"nothing said", js, "", "", script, "text/javascript; charset=utf-8"},
		{"nothing taken", js, "identity, gzip;q=0", "", script, "text/javascript; charset=utf-8"},
		{"a weight that is none", js, "gzip;q=much", "", script, "text/javascript; charset=utf-8"},
		{"what does not compress", font, "gzip, br", "", "font", "font/woff2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []string{"GET", "HEAD"} {
				res := ask(h, method, tt.path, tt.accept)
				got, want := body(t, res), tt.body
				if method == "HEAD" {
					want = ""
				}
				if res.StatusCode != 200 || got != want || res.Header.Get("Content-Encoding") != tt.coding {
					t.Errorf("%s: got %d %q in %q", method, res.StatusCode, got, res.Header.Get("Content-Encoding"))
				}
				if (res.Header.Get("Vary") == "Accept-Encoding") != (tt.path == js) {
					t.Errorf("%s: Vary is %q", method, res.Header.Get("Vary"))
				}
				if got := res.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
					t.Errorf("%s: Cache-Control is %q", method, got)
				}
				if res.Header.Get("Content-Type") != tt.kind || res.Header.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%s: headers %v", method, res.Header)
				}
			}
		})
	}
}

func TestOtherPathsAndMethods(t *testing.T) {
	t.Parallel()
	h := newServer(t, build(t), "")
	tests := []struct {
		method, path string
		status       int
	}{
		{"HEAD", "/api/graphiql", 200},
		{"GET", "/api/graphiql/", 308},
		{"GET", "/api/graphiql/none.js", 404},
		{"GET", "/api/graphiql/a-123.js.gz", 404},
		{"GET", "/api/graphiql/..%2Fplaceholder.txt", 404},
		{"GET", "/api/graphiql/graphiql/a-123.js", 404},
		{"POST", "/api/graphiql", 405},
		{"DELETE", "/api/graphiql/a-123.js", 405},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			t.Parallel()
			res := ask(h, tt.method, tt.path, "")
			if res.StatusCode != tt.status {
				t.Errorf("got %d %s", res.StatusCode, body(t, res))
			}
			if got := res.Header.Get("Allow"); tt.status == 405 && got != "GET, HEAD" {
				t.Errorf("Allow is %q", got)
			}
			if got := res.Header.Get("Location"); tt.status == 308 && got != "../graphiql" {
				t.Errorf("Location is %q", got)
			}
			if got := res.Header.Get("Cache-Control"); tt.status >= 400 && got != "" {
				t.Errorf("a refusal would be kept: %q", got)
			}
		})
	}
}

func TestABuildWithoutTheExplorerSaysSo(t *testing.T) {
	t.Parallel()
	h := newServer(t, fstest.MapFS{"placeholder.txt": {Data: []byte("not in this build")}}, "")
	res := ask(h, "GET", "/api/graphiql", "")
	if got := body(t, res); res.StatusCode != 404 || got != "not in this build" || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("got %d %s %v", res.StatusCode, got, res.Header)
	}
}

func TestABuildThatLacksPartsIsRefused(t *testing.T) {
	t.Parallel()
	onlyBrotli := build(t)
	delete(onlyBrotli, "graphiql/a-123.js.gz")
	for name, files := range map[string]fstest.MapFS{"nothing at all": {}, "brotli alone": onlyBrotli} {
		if _, err := explorer.New(files, ""); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func FuzzAcceptEncoding(f *testing.F) {
	for _, header := range []string{"", "br", "gzip;q=0.5, *;q=0", "*;q=1e-9", "br;q=NaN,gzip;q=-1", "identity;;,,q=;=", "BR ; Q=0"} {
		f.Add(header)
	}
	files := build(f)
	h := newServer(f, files, "")
	f.Fuzz(func(t *testing.T, header string) {
		res := ask(h, "GET", "/api/graphiql/a-123.js", header)
		coding := res.Header.Get("Content-Encoding")
		named := strings.Contains(header, "*") || strings.Contains(strings.ToLower(header), coding)
		if res.StatusCode != 200 || !named {
			t.Errorf("got %d in %q", res.StatusCode, coding)
		}
		want := map[string]string{"br": "brotli of a", "gzip": string(files["graphiql/a-123.js.gz"].Data), "": script}[coding]
		if got := body(t, res); got != want {
			t.Errorf("got %q in %q", got, coding)
		}
	})
}

func TestWhatIsEmbeddedIsServed(t *testing.T) {
	t.Parallel()
	built, err := explorer.Built()
	if err != nil {
		t.Fatal(err)
	}
	h := newServer(t, built, "")
	res := ask(h, "GET", "/api/graphiql", "")
	text := body(t, res)
	if res.StatusCode == 404 && strings.Contains(text, "not in this build") {
		return
	}
	_, rest, found := strings.Cut(text, `src="./graphiql/`)
	if res.StatusCode != 200 || !found || strings.Contains(text, "//") {
		t.Fatalf("got %d %s", res.StatusCode, text)
	}
	name, _, _ := strings.Cut(rest, `"`)
	if got := ask(h, "GET", "/api/graphiql/"+name, "br").StatusCode; got != 200 {
		t.Errorf("%s: got %d", name, got)
	}
}
