package httpserver_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
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
