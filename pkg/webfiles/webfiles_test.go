package webfiles_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/leaktest"
	"github.com/cartulary/cartulary/pkg/webfiles"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var script = strings.Repeat("let a = 1;\n", 10_000)

// counted counts the opened files.
type counted struct {
	fstest.MapFS
	opened atomic.Int64
}

func (c *counted) Open(name string) (fs.File, error) {
	if !strings.HasSuffix(name, "assets") {
		c.opened.Add(1)
	}
	return c.MapFS.Open(name)
}

func (c *counted) ReadFile(name string) ([]byte, error) {
	c.opened.Add(1)
	return c.MapFS.ReadFile(name)
}

func build(t *testing.T) *counted {
	t.Helper()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte(script)) // writing into memory cannot fail
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &counted{MapFS: fstest.MapFS{"assets/a.js.gz": {Data: zipped.Bytes()}, "assets/a.js.br": {Data: []byte("brotli")}, "assets/b.svg": {Data: []byte("<svg/>")}}}
}

// slow is a response whose client reads nothing until all have begun.
type slow struct {
	*httptest.ResponseRecorder
	begun *sync.WaitGroup
}

func (s slow) Write(p []byte) (int, error) {
	s.begun.Done()
	s.begun.Wait()
	return s.ResponseRecorder.Write(p)
}

func TestClientsThatTakeAFileSlowlyShareIt(t *testing.T) {
	t.Parallel()
	built := build(t)
	files, err := webfiles.New(built, "assets")
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	e.GET("/:name", func(c echo.Context) error { return files.Send(c, c.Param("name")) })
	for _, accepted := range []string{"", "gzip", "gzip, br"} {
		const clients = 50
		before := built.opened.Load()
		var begun, ended sync.WaitGroup
		begun.Add(clients)
		for range clients {
			ended.Go(func() {
				r := httptest.NewRequest(http.MethodGet, "/a.js", nil)
				r.Header.Set(echo.HeaderAcceptEncoding, accepted)
				w := slow{httptest.NewRecorder(), &begun}
				e.ServeHTTP(w, r)
				got := w.Body.Bytes()
				if w.Header().Get(echo.HeaderContentLength) != strconv.Itoa(len(got)) {
					t.Errorf("Accept-Encoding %q: %d bytes, announced as %v", accepted, len(got), w.Header())
				}
				if accepted == "" && string(got) != script {
					t.Error("the file is not as it was built")
				}
			})
		}
		ended.Wait()
		if n := built.opened.Load() - before; n != 1 {
			t.Errorf("Accept-Encoding %q: the file was read %d times for %d clients", accepted, n, clients)
		}
	}
}

func TestFilesAreSentInTheBestCodingThatIsAccepted(t *testing.T) {
	t.Parallel()
	files, err := webfiles.New(build(t), "assets")
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	e.GET("/:name", func(c echo.Context) error { return files.Send(c, c.Param("name")) })
	for _, tt := range []struct{ name, accepted, coding, kind string }{
		{"a.js", "gzip, br", "br", "text/javascript; charset=utf-8"},
		{"a.js", "gzip", "gzip", "text/javascript; charset=utf-8"},
		{"a.js", "br;q=0", "", "text/javascript; charset=utf-8"},
		{"b.svg", "gzip, br", "", "image/svg+xml"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/"+tt.name, nil)
		r.Header.Set(echo.HeaderAcceptEncoding, tt.accepted)
		w := httptest.NewRecorder()
		if e.ServeHTTP(w, r); w.Header().Get(echo.HeaderContentEncoding) != tt.coding || w.Header().Get(echo.HeaderContentType) != tt.kind || w.Body.Len() == 0 {
			t.Errorf("%s for %q: %v", tt.name, tt.accepted, w.Header())
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/c.js", nil)
	w := httptest.NewRecorder()
	if e.ServeHTTP(w, r); w.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", w.Code)
	}
}
