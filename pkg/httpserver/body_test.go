package httpserver_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

func TestReadBody(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.POST("/", func(c echo.Context) error {
		body, err := httpserver.ReadBody(c, 1024)
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "text/plain", body)
	})
	live := httptest.NewServer(s.Echo)
	defer live.Close()
	// chunked hides the length from the client, which then cannot declare it.
	chunked := func(text string) io.Reader { return io.MultiReader(strings.NewReader(text)) }
	tests := []struct {
		name   string
		body   io.Reader
		status int
		want   string
	}{
		{"no body", nil, 200, ""},
		{"declared", strings.NewReader("abc"), 200, "abc"},
		{"chunked", chunked(strings.Repeat("y", 1024)), 200, strings.Repeat("y", 1024)},
		{"declared and too long", strings.NewReader(strings.Repeat("x", 1025)), 413, "1 KiB"},
		{"chunked and too long", chunked(strings.Repeat("x", 1025)), 413, "1 KiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := http.Post(live.URL, "text/plain", tt.body)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
				t.Errorf("got %d %q", res.StatusCode, body)
			}
		})
	}
}

func TestBodyLimitHoldsForHandlersThatStream(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.POST("/", func(c echo.Context) error {
		_, err := io.Copy(io.Discard, c.Request().Body)
		return err
	}, httpserver.BodyLimit(10))
	for body, want := range map[string]int{strings.Repeat("x", 10): 200, strings.Repeat("x", 11): 413} {
		r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(body)))
		if got := serve(s, r).Code; got != want {
			t.Errorf("%d bytes: got %d, want %d", len(body), got, want)
		}
	}
}

func TestReadBodyOfAnAbortedUpload(t *testing.T) {
	t.Parallel()
	s, log := newServer(t)
	s.Echo.POST("/", func(c echo.Context) error {
		_, err := httpserver.ReadBody(c, 1024)
		return err
	})
	for cause, want := range map[error]int{io.ErrUnexpectedEOF: 400, os.ErrDeadlineExceeded: 408} {
		r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader("x"), broken{cause}))
		if w := serve(s, r); w.Code != want {
			t.Errorf("%v: got %d %s; %s", cause, w.Code, w.Body, log)
		}
	}
}

type broken struct{ cause error }

func (b broken) Read([]byte) (int, error) { return 0, b.cause }

func TestGzip(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.Use(httpserver.Gzip(100))
	long := strings.Repeat("abcdefghij", 50)
	s.Echo.GET("/short", func(c echo.Context) error { return c.String(http.StatusCreated, "short") })
	s.Echo.GET("/long", func(c echo.Context) error { return c.JSON(http.StatusCreated, long) })
	s.Echo.GET("/pieces", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "text/plain")
		for piece := range strings.SplitSeq(strings.TrimSuffix(long, "j"), "j") {
			if _, err := io.WriteString(c.Response(), piece+"j"); err != nil {
				return err
			}
		}
		return nil
	})
	s.Echo.GET("/picture", func(c echo.Context) error { return c.Blob(http.StatusOK, "image/png", []byte(long)) })
	s.Echo.GET("/encoded", func(c echo.Context) error {
		c.Response().Header().Set("Content-Encoding", "br")
		return c.String(http.StatusOK, long)
	})
	s.Echo.GET("/flushed", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(c.Response(), "a")
		c.Response().Flush()
		_, err := io.WriteString(c.Response(), long)
		return err
	})
	s.Echo.GET("/empty", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	s.Echo.GET("/error", func(c echo.Context) error { return errBroken })
	tests := []struct {
		name, path, accept, want string
		status                   int
		zipped                   bool
	}{
		{"long JSON is compressed", "/long", "gzip, deflate", `"` + long + `"` + "\n", 201, true},
		{"text written in pieces is compressed", "/pieces", "gzip", long, 200, true},
		{"short answers are not", "/short", "gzip", "short", 201, false},
		{"not asked for", "/long", "", `"` + long + `"` + "\n", 201, false},
		{"refused by weight", "/long", "gzip;q=0", `"` + long + `"` + "\n", 201, false},
		{"refused by a weight with decimals", "/long", "gzip;q=0.0", `"` + long + `"` + "\n", 201, false},
		{"refused by another spelling of it", "/long", "gzip; Q=0.00", `"` + long + `"` + "\n", 201, false},
		{"the star stands for it", "/long", "br, *;q=0.1", `"` + long + `"` + "\n", 201, true},
		{"pictures are not", "/picture", "gzip", long, 200, false},
		{"what is encoded already is not", "/encoded", "gzip", long, 200, false},
		{"a flushed beginning goes out at once", "/flushed", "gzip", "a" + long, 200, false},
		{"no content", "/empty", "gzip", "", 204, false},
		{"errors are rendered", "/error", "gzip", `{"error":"Internal server error occurred","status":500,"requestId":"made-here"}` + "\n", 500, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, tt.path, nil)
			r.Header.Set("Accept-Encoding", tt.accept)
			w := serve(s, r)
			if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped != tt.zipped {
				t.Fatalf("compressed: got %v, want %v", zipped, tt.zipped)
			}
			body := w.Body.Bytes()
			if tt.zipped {
				body = unzip(t, body)
			}
			if w.Code != tt.status || string(body) != tt.want {
				t.Errorf("got %d %q", w.Code, body)
			}
		})
	}
}

// All responses of a server that compresses by itself, including errors.
func TestAServerCompressesAnswersOfAnyLength(t *testing.T) {
	t.Parallel()
	s := httpserver.New(httpserver.Config{Log: logging.Discard(), Gzip: true, NewID: func() string { return "made-here" }})
	answer := func(path, contentType string, headers ...string) {
		s.Echo.Match([]string{http.MethodGet, http.MethodHead}, path, func(c echo.Context) error {
			for i := 0; i < len(headers); i += 2 {
				c.Response().Header().Set(headers[i], headers[i+1])
			}
			return c.Blob(http.StatusOK, contentType, []byte("{}"))
		})
	}
	answer("/json", "application/json", "ETag", `"1"`, "Accept-Ranges", "bytes", "Content-Length", "2")
	answer("/script", "text/javascript; charset=utf-8", "Vary", "Accept-Encoding, Origin", "ETag", `W/"1"`)
	answer("/events", "text/event-stream")
	answer("/part", "text/plain", "Content-Range", "bytes 0-1/9")
	answer("/untouched", "text/plain", "Cache-Control", "private, no-transform", "ETag", `"1"`)
	answer("/picture", "image/png")
	answer("/same", "text/css", "Content-Encoding", "gzip")
	s.Echo.GET("/error", func(c echo.Context) error { return fault.New(fault.NotFound, "gone") })
	s.Echo.GET("/empty", func(c echo.Context) error { return c.Blob(http.StatusOK, "text/plain", nil) })
	s.Echo.GET("/flushed", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "text/plain")
		c.Response().WriteHeader(http.StatusOK)
		c.Response().Flush()
		_, err := io.WriteString(c.Response(), "{}")
		return err
	})
	tests := []struct {
		name, path, accept, site, want string
		zipped                         bool
		header                         http.Header
	}{
		{"JSON", "/json", "gzip", "", "{}", true, http.Header{"Etag": {`W/"1"`}, "Vary": {"Accept-Encoding"}, "Accept-Ranges": nil, "Content-Length": nil}},
		{"a script of a page of ours", "/script", "br, gzip", "same-origin", "{}", true, http.Header{"Vary": {"Accept-Encoding, Origin"}, "Etag": {`W/"1"`}}},
		{"an address that somebody typed", "/json", "gzip", "none", "{}", true, nil},
		{"an error", "/error", "gzip", "", `{"error":"gone","status":404}` + "\n", true, nil},
		{"not asked for", "/json", "", "", "{}", false, http.Header{"Etag": {`"1"`}, "Vary": {"Accept-Encoding"}, "Content-Length": {"2"}}},
		{"another site caused it", "/json", "gzip", "cross-site", "{}", false, http.Header{"Etag": {`"1"`}}},
		{"a neighbour caused it", "/json", "gzip", "same-site", "{}", false, nil},
		{"events", "/events", "gzip", "", "{}", false, http.Header{"Vary": nil}},
		{"a part", "/part", "gzip", "", "{}", false, nil},
		{"not to be transformed", "/untouched", "gzip", "", "{}", false, http.Header{"Etag": {`"1"`}}},
		{"a picture", "/picture", "gzip", "", "{}", false, nil},
		{"a stream whose header goes first", "/flushed", "gzip", "", "{}", true, nil},
		{"nothing", "/empty", "gzip", "", "", false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, tt.path, nil)
			r.Header.Set("Accept-Encoding", tt.accept)
			r.Header.Set("Sec-Fetch-Site", tt.site)
			w := serve(s, r)
			if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped != tt.zipped {
				t.Fatalf("compressed: got %v, want %v", zipped, tt.zipped)
			}
			body := w.Body.Bytes()
			if tt.zipped {
				body = unzip(t, body)
			}
			if string(body) != tt.want {
				t.Errorf("got %q, want %q", body, tt.want)
			}
			for name, want := range tt.header {
				if got := w.Header()[name]; !slices.Equal(got, want) {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
	}
	t.Run("what is compressed already stays so", func(t *testing.T) {
		t.Parallel()
		r := httptest.NewRequest(http.MethodGet, "/same", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		if w := serve(s, r); w.Body.String() != "{}" {
			t.Errorf("got %q", w.Body)
		}
	})
	t.Run("a HEAD has the headers of the GET and no body", func(t *testing.T) {
		t.Parallel()
		live := httptest.NewServer(s.Echo)
		defer live.Close()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, live.URL+"/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip")
		res, err := live.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil || len(body) != 0 || res.Header.Get("Content-Encoding") != "gzip" || res.Header.Get("ETag") != `W/"1"` {
			t.Errorf("got %q %v %v", body, res.Header, err)
		}
	})
}

func unzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func TestADeclaredLengthAloneAllocatesLittle(t *testing.T) {
	var before, after runtime.MemStats
	s, _ := newServer(t)
	s.Echo.POST("/", func(c echo.Context) error {
		runtime.ReadMemStats(&before)
		_, err := httpserver.ReadBody(c, 1<<30)
		runtime.ReadMemStats(&after)
		return err
	})
	r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader("x"), broken{io.ErrUnexpectedEOF}))
	r.ContentLength = 1 << 30
	if w := serve(s, r); w.Code != http.StatusBadRequest {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<10 {
		t.Errorf("%d KiB are allocated for a byte", took>>10)
	}
}

// A read of a body may wait for memory after the bytes that have already arrived.
func TestABodyThatWaitsForMoreHoldsWhatHasArrived(t *testing.T) {
	waiting := &measuredEnd{}
	s, _ := newServer(t)
	s.Echo.POST("/", func(c echo.Context) error {
		runtime.ReadMemStats(&waiting.before)
		_, err := httpserver.ReadBody(c, 1<<30)
		return err
	})
	r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(strings.Repeat("x", 64<<10)), waiting))
	r.ContentLength = 16 << 20
	if w := serve(s, r); w.Code != http.StatusBadRequest {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	if took := waiting.after.TotalAlloc - waiting.before.TotalAlloc; took > 128<<10 {
		t.Errorf("%d KiB are allocated when 64 have arrived", took>>10)
	}
}

// measuredEnd is a read that fails, and records the allocations until then.
type measuredEnd struct{ before, after runtime.MemStats }

func (m *measuredEnd) Read([]byte) (int, error) {
	runtime.ReadMemStats(&m.after)
	return 0, io.ErrUnexpectedEOF
}

// Bodies whose lengths are close to those of buffers.
func TestReadBodyOfAnyLength(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.POST("/", func(c echo.Context) error {
		body, err := httpserver.ReadBody(c, 1<<20)
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "text/plain", body)
	})
	for _, n := range []int{1, 511, 512, 513, 4 << 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 68 << 10, 128<<10 + 1, 1 << 20} {
		text := strings.Repeat("0123456789", n/10+1)[:n]
		for _, length := range []int64{int64(n), -1} {
			r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(text)))
			r.ContentLength = length
			if w := serve(s, r); w.Code != http.StatusOK || w.Body.String() != text {
				t.Errorf("%d bytes, declared %d: got %d and %d bytes", n, length, w.Code, w.Body.Len())
			}
		}
	}
}

// Each compressed response holds a compressor until the client has read it.
func TestFewAnswersAreCompressedAtATime(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.Use(httpserver.Gzip(10))
	var held sync.WaitGroup
	end := make(chan struct{})
	held.Add(httpserver.MaxGzipWriters)
	text := strings.Repeat("x", 1000)
	s.Echo.GET("/", func(c echo.Context) error { return c.String(http.StatusOK, text) })
	s.Echo.GET("/held", func(c echo.Context) error {
		err := c.String(http.StatusOK, text)
		held.Done()
		<-end
		return err
	})
	s.Echo.GET("/broken", func(c echo.Context) error {
		_ = c.String(http.StatusOK, text)
		panic("broken")
	})
	ask := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		return serve(s, r)
	}
	for range 2 * httpserver.MaxGzipWriters {
		func() {
			defer func() { _ = recover() }()
			ask("/broken")
		}()
	}
	var all sync.WaitGroup
	for range httpserver.MaxGzipWriters {
		all.Go(func() {
			if w := ask("/held"); w.Header().Get("Content-Encoding") != "gzip" {
				t.Error("one within the limit is not compressed")
			}
		})
	}
	held.Wait()
	if w := ask("/"); w.Header().Get("Content-Encoding") != "" || w.Body.String() != text {
		t.Errorf("one beyond the limit: %v %q", w.Header(), w.Body)
	}
	close(end)
	all.Wait()
	if w := ask("/"); w.Header().Get("Content-Encoding") != "gzip" || string(unzip(t, w.Body.Bytes())) != text {
		t.Errorf("one after the others: %v", w.Header())
	}
}
