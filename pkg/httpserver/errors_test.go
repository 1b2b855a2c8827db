package httpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

func TestErrorsBecomeAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		err    error
		status int
		body   string
	}{
		{"a fault shows its message", fault.New(fault.Conflict, "taken"), 409, `{"error":"taken","status":409}`},
		{"a wrapped fault hides what is around", fmt.Errorf("inner: %w", fault.New(fault.NotFound, "gone")), 404, `{"error":"gone","status":404}`},
		{"a cause is for the log", fault.Wrap(errBroken, fault.Unavailable, "later"), 503, `{"error":"later","status":503}`},
		{
			"a defect shows a fixed sentence and the request id", errBroken, 500,
			`{"error":"Internal server error occurred","status":500,"requestId":"made-here"}`,
		},
		{"echo's own errors keep their status", echo.ErrUnsupportedMediaType, 415, `{"error":"Unsupported Media Type","status":415}`},
		{
			"a body limit is 413 even where a decoder reports it", fault.Wrap(&http.MaxBytesError{Limit: 2 << 20}, fault.Malformed, "bad JSON"), 413,
			`{"error":"the request body is larger than the 2 MiB accepted here","status":413}`,
		},
		{"a caller that left", context.Canceled, 499, `{"error":"the request was canceled","status":499}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, log := newServer(t)
			s.Echo.GET("/", func(echo.Context) error { return tt.err })
			w := get(s, "/")
			if w.Code != tt.status || strings.TrimSpace(w.Body.String()) != tt.body {
				t.Errorf("got %d %s, want %d %s", w.Code, w.Body, tt.status, tt.body)
			}
			if inLog := strings.Contains(log.String(), "request failed"); inLog != (tt.status == 500) {
				t.Errorf("defect in log: %v: %s", inLog, log)
			}
		})
	}
}

func TestAnswersThatWaitingCuresCarryRetryAfter(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	own := httpserver.RenderWith(func(c echo.Context, status int, err error) error { return c.String(status, fault.Message(err)) })
	s.Echo.GET("/away", func(echo.Context) error { return fault.New(fault.Unavailable, "away") })
	s.Echo.GET("/form", func(echo.Context) error { return fault.New(fault.Unavailable, "away") }, own)
	s.Echo.GET("/often", func(echo.Context) error { return fault.New(fault.Throttled, "too often") })
	s.Echo.GET("/known", func(c echo.Context) error {
		httpserver.SetRetryAfter(c.Response().Header(), 1500*time.Millisecond)
		return fault.New(fault.Throttled, "too often")
	})
	s.Echo.GET("/wrong", func(echo.Context) error { return fault.New(fault.Invalid, "wrong") })
	for path, want := range map[string]string{"/away": "1", "/form": "1", "/often": "1", "/known": "2", "/wrong": ""} {
		if got := get(s, path).Header().Get("Retry-After"); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestPanicsStayInside(t *testing.T) {
	t.Parallel()
	s, log := newServer(t)
	s.Echo.GET("/early", func(echo.Context) error { panic("secret state") })
	s.Echo.GET("/late", func(c echo.Context) error {
		if err := c.String(http.StatusOK, "half of"); err != nil {
			return err
		}
		panic("secret state")
	})
	w := get(s, "/early")
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), ".go") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if n := strings.Count(log.String(), "secret state"); n != 1 {
		t.Errorf("cause is %d times in the log: %s", n, log)
	}
	if got := log.last(t); got["status"] != 500.0 {
		t.Errorf("access line: %v", got)
	}

	live := httptest.NewServer(s.Echo)
	defer live.Close()
	res, err := http.Get(live.URL + "/late")
	if err == nil {
		defer res.Body.Close()
		if _, err = res.Body.Read(make([]byte, 100)); err == nil {
			t.Error("a torn answer arrived as a whole one")
		}
	}
}

func TestGroupsRenderTheirOwnErrors(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	as := func(word string) echo.MiddlewareFunc {
		return httpserver.RenderWith(func(c echo.Context, status int, err error) error {
			return c.String(status, word+": "+fault.Message(err))
		})
	}
	fail := func(echo.Context) error { return fault.New(fault.Invalid, "no") }
	outer := s.Echo.Group("/outer", as("outer"))
	outer.GET("/x", fail)
	outer.GET("/panic", func(echo.Context) error { panic("x") })
	outer.Group("/inner", as("inner")).GET("/x", fail)
	s.Echo.GET("/x", fail)
	for path, want := range map[string]string{
		"/outer/x": "outer: no", "/outer/inner/x": "inner: no", "/outer/panic": "outer: Internal server error occurred",
		"/x": `{"error":"no","status":400}`,
	} {
		if got := strings.TrimSpace(get(s, path).Body.String()); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestRouterErrors(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.POST("/only", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	w := get(s, "/only")
	if w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "POST") || !json.Valid(w.Body.Bytes()) {
		t.Errorf("wrong method: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w = get(s, "/none"); w.Code != http.StatusNotFound || !json.Valid(w.Body.Bytes()) {
		t.Errorf("unknown path: %d %s", w.Code, w.Body)
	}
	if w = serve(s, httptest.NewRequest(http.MethodHead, "/none", nil)); w.Body.Len() != 0 {
		t.Errorf("HEAD got a body: %s", w.Body)
	}
}
