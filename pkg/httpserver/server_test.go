package httpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

// logged is a log that a test may read while handlers write it.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// last returns the fields of the last line.
func (l *logged) last(t *testing.T) map[string]any {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(l.String()), "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &fields); err != nil {
		t.Fatalf("log line %q: %v", lines[len(lines)-1], err)
	}
	return fields
}

func newServer(t *testing.T) (*httpserver.Server, *logged) {
	t.Helper()
	log := &logged{}
	return httpserver.New(httpserver.Config{
		Address: "127.0.0.1:0",
		Log:     logging.New(log, slog.LevelInfo, logging.JSON),
		NewID:   func() string { return "made-here" },
		Now:     func() time.Time { return time.Unix(0, 0) },
	}), log
}

func serve(s *httpserver.Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Echo.ServeHTTP(w, r)
	return w
}

func get(s *httpserver.Server, target string) *httptest.ResponseRecorder {
	return serve(s, httptest.NewRequest(http.MethodGet, target, nil))
}

func TestRunDrainsRunningRequests(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	entered, release := make(chan struct{}), make(chan struct{})
	s.Echo.GET("/slow", func(c echo.Context) error {
		close(entered)
		<-release
		return c.String(http.StatusOK, c.Request().Context().Value(key{}).(string))
	})
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "still here"))
	defer cancel()
	if err := s.Listen(ctx); err != nil {
		t.Fatal(err)
	}
	if got := s.State(); got != httpserver.Starting {
		t.Errorf("before SetReady: got %v", got)
	}
	s.SetReady()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()

	answer := make(chan string, 1)
	go func() {
		res, err := http.Get("http://" + s.Addr().String() + "/slow")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		answer <- string(body)
	}()
	<-entered
	cancel()
	for s.State() != httpserver.Stopping {
		select {
		case err := <-ended:
			t.Fatalf("ended before the request did: %v", err)
		default:
			runtime.Gosched()
		}
	}
	s.SetReady()
	if got := s.State(); got != httpserver.Stopping {
		t.Errorf("SetReady undid Stopping: %v", got)
	}
	close(release)
	if got := <-answer; got != "still here" {
		t.Errorf("got %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
}

type key struct{}

func TestRunCutsOffWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	log := &logged{}
	s := httpserver.New(httpserver.Config{
		Address: "127.0.0.1:0", Drain: time.Millisecond, Log: logging.New(log, slog.LevelInfo, logging.JSON),
	})
	entered, left := make(chan struct{}), make(chan struct{})
	s.Echo.GET("/endless", func(c echo.Context) error {
		close(entered)
		<-c.Request().Context().Done()
		close(left)
		return c.Request().Context().Err()
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := s.Listen(ctx); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	go func() {
		if res, err := http.Get("http://" + s.Addr().String() + "/endless"); err == nil {
			res.Body.Close()
		}
	}()
	<-entered
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	<-left
	if !strings.Contains(log.String(), "requests cut off") {
		t.Errorf("log does not tell: %s", log)
	}
}

func TestRunDrainsWhenItsListenerFails(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	entered, release := make(chan struct{}), make(chan struct{})
	s.Echo.GET("/slow", func(c echo.Context) error {
		close(entered)
		<-release
		return c.String(http.StatusOK, "done")
	})
	if err := s.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	p := connect(t, s.Addr().String())
	p.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
	<-entered
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for s.State() != httpserver.Stopping {
		runtime.Gosched()
	}
	close(release)
	if _, text := p.answer(); text != "done" {
		t.Errorf("got %q", text)
	}
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestRunReportsRequestsThatDoNotEnd(t *testing.T) {
	t.Parallel()
	log := &logged{}
	s := httpserver.New(httpserver.Config{
		Address: "127.0.0.1:0", Drain: time.Millisecond, Grace: time.Millisecond, Log: logging.New(log, slog.LevelInfo, logging.JSON),
	})
	entered, release := make(chan struct{}), make(chan struct{})
	s.Echo.GET("/stubborn", func(echo.Context) error {
		close(entered)
		<-release
		return nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := s.Listen(ctx); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	p := connect(t, s.Addr().String())
	p.send("GET /stubborn HTTP/1.1\r\nHost: x\r\n\r\n")
	<-entered
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	if got := log.last(t); got["msg"] != "requests do not end" || got["requests"] != 1.0 {
		t.Errorf("last line: %v", got)
	}
	close(release)
}

func TestListenNamesTheAddressItCannotTake(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	s := httpserver.New(httpserver.Config{Address: taken.Addr().String(), Log: logging.Discard()})
	if err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), taken.Addr().String()) {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close without a listener: %v", err)
	}
}

func TestAccessLine(t *testing.T) {
	t.Parallel()
	s, log := newServer(t)
	s.Echo.GET("/entities/*", func(c echo.Context) error {
		httpserver.SetActor(c, "urn:li:corpuser:jo")
		return c.String(http.StatusAccepted, logging.RequestID(c.Request().Context()))
	})
	r := httptest.NewRequest(http.MethodGet, "/entities/a%2Fb?token=hidden", nil)
	r.Header.Set("Authorization", "Bearer hidden")
	r.Header.Set("X-Request-Id", "from-outside.1")
	w := serve(s, r)
	want := map[string]any{
		"msg": "request", "method": "GET", "path": "/entities/a%2Fb", "status": 202.0, "bytes": 14.0,
		"actor": "urn:li:corpuser:jo", "request_id": "from-outside.1", "took": "0s",
	}
	got := log.last(t)
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: got %v, want %v", k, got[k], v)
		}
	}
	if w.Body.String() != "from-outside.1" || w.Header().Get("X-Request-Id") != "from-outside.1" {
		t.Errorf("id did not travel: %q, %v", w.Body, w.Header())
	}
	if strings.Contains(log.String(), "hidden") {
		t.Errorf("log shows a credential: %s", log)
	}
	for _, bad := range []string{"", "a b", "x\ny", strings.Repeat("x", 65), `"`} {
		r.Header.Set("X-Request-Id", bad)
		if got := serve(s, r).Header().Get("X-Request-Id"); got != "made-here" {
			t.Errorf("id %q from outside: got %q", bad, got)
		}
	}
}

func TestPathsReachHandlersEscaped(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.GET("/entities/*", func(c echo.Context) error {
		return c.String(http.StatusOK, httpserver.EscapedRest(c))
	})
	s.Echo.GET("/v3/:type/:urn", func(c echo.Context) error {
		text, err := httpserver.PathParam(c, "urn")
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, c.Param("urn")+" "+text)
	})
	tests := []struct{ name, path, want string }{
		{"encoded URN stays encoded", "/entities/urn%3Ali%3Atag%3Aa%2Fb", "urn%3Ali%3Atag%3Aa%2Fb"},
		{"raw URN", "/entities/urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)"},
		{"an encoded percent sign is not decoded twice", "/entities/a%2525b", "a%2525b"},
		{"a space stays encoded", "/entities/a%20b", "a%20b"},
		{"double slashes stay", "/entities/s3://bucket//key", "s3://bucket//key"},
		{"dot segments stay", "/entities/a/../b/./c", "a/../b/./c"},
		{"trailing slash is not redirected", "/entities/", ""},
		{"parameters are decoded once", "/v3/dataset/a%252Fb%2Fc", "a%252Fb%2Fc a%2Fb/c"},
		{"a last parameter takes the slashes", "/v3/dataset/a/b", "a/b a/b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := get(s, tt.path)
			if w.Code != http.StatusOK || w.Body.String() != tt.want {
				t.Errorf("got %d %q, want %q", w.Code, w.Body, tt.want)
			}
		})
	}
}

func TestHeadersAreLimited(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	ctx, cancel := context.WithCancel(context.Background())
	if err := s.Listen(ctx); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	r, err := http.NewRequest(http.MethodGet, "http://"+s.Addr().String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Long", strings.Repeat("x", 64<<10))
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("got %d", res.StatusCode)
	}
}

func BenchmarkFrame(b *testing.B) {
	s := httpserver.New(httpserver.Config{Log: logging.New(io.Discard, slog.LevelInfo, logging.JSON)})
	s.Echo.GET("/entities/*", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	r := httptest.NewRequest(http.MethodGet, "/entities/urn%3Ali%3Atag%3Aa%2Fb", nil)
	b.ReportAllocs()
	for b.Loop() {
		s.Echo.ServeHTTP(httptest.NewRecorder(), r)
	}
}

var errBroken = errors.New("disk /secret/place is broken")
