package httpserver_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

// run serves routes over loopback until the test ends, and returns the address.
func run(t *testing.T, timeouts httpserver.Timeouts, routes func(*echo.Echo)) (address string, log *logged) {
	t.Helper()
	log = &logged{}
	s := httpserver.New(httpserver.Config{
		Address: "127.0.0.1:0", Log: logging.New(log, slog.LevelInfo, logging.JSON), Timeouts: timeouts, NewID: func() string { return "made-here" },
	})
	routes(s.Echo)
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
	return s.Addr().String(), log
}

// peer is a client that sends arbitrary text.
type peer struct {
	testing.TB
	net.Conn
	in *bufio.Reader
}

func connect(t *testing.T, address string) peer {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return peer{t, conn, bufio.NewReader(conn)}
}

func (p peer) send(text string) {
	p.Helper()
	if _, err := io.WriteString(p, text); err != nil {
		p.Fatal(err)
	}
}

// answer reads the next response and its body.
func (p peer) answer() (*http.Response, string) {
	p.Helper()
	res, err := http.ReadResponse(p.in, nil)
	if err != nil {
		p.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.Fatal(err)
	}
	return res, string(text)
}

// expectClosed waits until the server closes the connection.
func (p peer) expectClosed() {
	p.Helper()
	if rest, err := io.ReadAll(p.in); len(rest) > 0 {
		p.Errorf("after the answer: %q, %v", rest, err)
	}
}

// routes are handlers that treat a body in different ways.
func routes(e *echo.Echo) {
	e.POST("/reads", func(c echo.Context) error {
		text, err := httpserver.ReadBody(c, 1<<20)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, strconv.Itoa(len(text)))
	})
	e.POST("/misreads", func(c echo.Context) error {
		if _, err := io.ReadAll(c.Request().Body); err != nil {
			return c.NoContent(http.StatusBadRequest)
		}
		return c.NoContent(http.StatusOK)
	})
	e.POST("/wraps", func(c echo.Context) error {
		_, err := io.ReadAll(c.Request().Body)
		return fault.Wrap(err, fault.Malformed, "not JSON")
	})
	e.POST("/ignores", func(c echo.Context) error {
		c.Response().Header().Set("ETag", "mine")
		return c.String(http.StatusOK, "ignored")
	})
	e.POST("/streams", func(c echo.Context) error {
		c.Response().Flush()
		_, err := io.WriteString(c.Response(), "streamed")
		return err
	})
	e.POST("/silent", func(echo.Context) error { return nil })
	e.POST("/refuses", func(echo.Context) error { return fault.New(fault.Unauthenticated, "who are you") })
	e.POST("/limits", func(c echo.Context) error { return httpserver.LimitBody(c, 10) })
	e.POST("/zips", func(c echo.Context) error { return c.String(http.StatusOK, strings.Repeat("x", 10_000)) }, httpserver.Gzip(10))
}

var impatient = httpserver.Timeouts{BodyStall: 20 * time.Millisecond, Body: time.Minute}

func TestAHalfSentBodyIsAnsweredAndTheConnectionClosed(t *testing.T) {
	t.Parallel()
	address, log := run(t, impatient, routes)
	const fixed, chunked = "Content-Length: 100\r\n\r\n{\"half\":", "Transfer-Encoding: chunked\r\n\r\n20\r\n{\"half\":"
	tests := []struct {
		name, path, rest string
		status           int
		want             string
	}{
		{"a handler reads", "/reads", fixed, 408, "stopped arriving for 20ms"},
		{"a handler reads chunks", "/reads", chunked, 408, "stopped arriving for 20ms"},
		{"a handler takes the error for bad input", "/misreads", fixed, 408, "stopped arriving"},
		{"a handler wraps the error", "/wraps", fixed, 408, `"status":408`},
		{"a handler does not read", "/ignores", fixed, 408, "stopped arriving"},
		{"a handler does not read chunks", "/ignores", chunked, 408, "stopped arriving"},
		{"a handler streams its answer", "/streams", fixed, 408, "stopped arriving"},
		{"a handler compresses its answer", "/zips", "Accept-Encoding: gzip\r\n" + fixed, 408, "stopped arriving"},
		{"a handler refuses", "/refuses", fixed, 408, "stopped arriving"},
		{"there is no handler", "/nowhere", fixed, 408, "stopped arriving"},
		{"the client wants to close", "/ignores", "Connection: close\r\n" + fixed, 408, "stopped arriving"},
		{"nothing of the body came", "/ignores", "Content-Length: 1\r\n\r\n", 408, "stopped arriving"},
		{"a handler answers nothing", "/silent", fixed, 200, ""},
		{"the body is too large anyway", "/limits", fixed, 413, "10 bytes"},
		{"the rest is too much to wait for", "/refuses", "Content-Length: 1000000\r\n\r\n{", 401, "who are you"},
		{"the client waits for permission", "/refuses", "Expect: 100-continue\r\n" + fixed, 401, "who are you"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, address)
			p.send("POST " + tt.path + " HTTP/1.1\r\nHost: x\r\n" + tt.rest)
			res, text := p.answer()
			if res.StatusCode != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("got %d %q, want %d %q", res.StatusCode, text, tt.status, tt.want)
			}
			if !res.Close || res.Header.Get("ETag") != "" || res.Header.Get("X-Request-Id") != "made-here" {
				t.Errorf("headers: %v, closing %v", res.Header, res.Close)
			}
			p.expectClosed()
		})
	}
	t.Cleanup(func() {
		if n := strings.Count(log.String(), `"status":408`); n != 12 {
			t.Errorf("access log has %d lines with 408, want 12: %s", n, log)
		}
	})
}

func TestABodyHasADeadlineAsAWhole(t *testing.T) {
	t.Parallel()
	address, _ := run(t, httpserver.Timeouts{BodyStall: time.Minute, Body: 20 * time.Millisecond}, routes)
	for _, path := range []string{"/reads", "/ignores"} {
		p := connect(t, address)
		p.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
		if res, text := p.answer(); res.StatusCode != 408 || !res.Close || !strings.Contains(text, "not complete after 20ms") {
			t.Errorf("%s: got %d %q", path, res.StatusCode, text)
		}
		p.expectClosed()
	}
}

// The pieces follow each other at once; only together do they take longer than a single pause may.
func TestABodyMayTakeLongAsLongAsItComes(t *testing.T) {
	t.Parallel()
	const stall = 500 * time.Millisecond
	arrived := make(chan struct{})
	address, _ := run(t, httpserver.Timeouts{BodyStall: stall, Body: time.Minute}, func(e *echo.Echo) {
		e.POST("/", func(c echo.Context) error {
			piece := make([]byte, 1)
			for {
				if _, err := c.Request().Body.Read(piece); errors.Is(err, io.EOF) {
					return c.NoContent(http.StatusNoContent)
				} else if err != nil {
					return err
				}
				arrived <- struct{}{}
			}
		})
	})
	p := connect(t, address)
	p.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
	for start := time.Now(); time.Since(start) < 2*stall; {
		p.send("1\r\nx\r\n")
		<-arrived
	}
	p.send("0\r\n\r\n")
	if res, text := p.answer(); res.StatusCode != http.StatusNoContent || res.Close {
		t.Errorf("got %d %q", res.StatusCode, text)
	}
}

// sendBytewise sends a byte every few milliseconds until the connection ends.
func (p peer) sendBytewise() {
	for {
		if _, err := io.WriteString(p, "x"); err != nil {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func TestABodyMustComeAtTheLeastRate(t *testing.T) {
	t.Parallel()
	address, _ := run(t, httpserver.Timeouts{BodyStall: time.Minute, Body: time.Hour, BodyGrace: 20 * time.Millisecond, BodyRate: 1 << 20}, routes)
	for name, tt := range map[string]struct{ path, rest string }{
		"a handler reads":                         {"/reads", "Content-Length: 100000\r\n\r\n"},
		"a handler reads chunks":                  {"/reads", "Transfer-Encoding: chunked\r\n\r\nffff\r\n"},
		"a handler takes the error for bad input": {"/misreads", "Content-Length: 100000\r\n\r\n"},
		"a handler does not read":                 {"/ignores", "Content-Length: 100000\r\n\r\n"},
		"a handler refuses":                       {"/refuses", "Content-Length: 100000\r\n\r\n"},
		"after a good beginning":                  {"/reads", "Content-Length: 100000\r\n\r\n" + strings.Repeat("x", 50_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, address)
			p.send("POST " + tt.path + " HTTP/1.1\r\nHost: x\r\n" + tt.rest)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				p.sendBytewise()
			}()
			res, text := p.answer()
			if res.StatusCode != http.StatusRequestTimeout || !res.Close || !strings.Contains(text, "slower than 1 MiB in a second") {
				t.Errorf("got %d %q, closing %v", res.StatusCode, text, res.Close)
			}
			p.Close()
			<-ended
		})
	}
}

// The time in which a handler does not read does not count against the client.
func TestOnlyTheTimeInWhichABodyIsAwaitedCounts(t *testing.T) {
	t.Parallel()
	const grace = 300 * time.Millisecond
	address, _ := run(t, httpserver.Timeouts{BodyStall: time.Minute, Body: time.Hour, BodyGrace: grace, BodyRate: 1}, func(e *echo.Echo) {
		e.POST("/", func(c echo.Context) error {
			time.Sleep(2 * grace)
			_, err := httpserver.ReadBody(c, 1<<20)
			return errors.Join(err, c.NoContent(http.StatusNoContent))
		})
	})
	p := connect(t, address)
	p.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	if res, text := p.answer(); res.StatusCode != http.StatusNoContent || res.Close {
		t.Errorf("got %d %q, closing %v", res.StatusCode, text, res.Close)
	}
}

func TestDeadlinesEndWithTheBody(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	address, _ := run(t, impatient, func(e *echo.Echo) {
		routes(e)
		e.POST("/slow", func(c echo.Context) error {
			if _, err := httpserver.ReadBody(c, 10); err != nil {
				return err
			}
			<-release
			return errors.Join(c.Request().Context().Err(), c.String(http.StatusOK, "done"))
		})
	})
	slow := connect(t, address)
	slow.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	// When a body that began later has stalled, the time of the first one is over.
	late := connect(t, address)
	late.send("POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{")
	if res, _ := late.answer(); res.StatusCode != 408 {
		t.Fatalf("got %d", res.StatusCode)
	}
	close(release)
	if res, text := slow.answer(); res.StatusCode != 200 || res.Close || text != "done" {
		t.Errorf("got %d %q, closing %v", res.StatusCode, text, res.Close)
	}
	slow.send("POST /ignores HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	if res, text := slow.answer(); res.StatusCode != 200 || res.Close || text != "ignored" {
		t.Errorf("next request: got %d %q, closing %v", res.StatusCode, text, res.Close)
	}
}

func TestAConnectionLivesOnAfterABodyThatNobodyRead(t *testing.T) {
	t.Parallel()
	address, _ := run(t, httpserver.Timeouts{}, routes)
	p := connect(t, address)
	for _, path := range []string{"/ignores", "/refuses", "/nowhere", "/reads"} {
		p.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
		if res, text := p.answer(); res.Close || res.StatusCode == 408 {
			t.Errorf("%s: got %d %q, closing %v", path, res.StatusCode, text, res.Close)
		}
	}
}

func TestTimeoutsAreValidated(t *testing.T) {
	t.Parallel()
	if err := errors.Join(httpserver.DefaultTimeouts().Validate()...); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	for want, change := range map[string]func(*httpserver.Timeouts){
		"http.header_timeout": func(l *httpserver.Timeouts) { l.Header = 0 },
		"http.idle_timeout":   func(l *httpserver.Timeouts) { l.Idle = -1 },
		"http.body_stall":     func(l *httpserver.Timeouts) { l.BodyStall = l.Body + 1 },
		"http.body_timeout":   func(l *httpserver.Timeouts) { l.Body = 0 },
		"http.body_grace":     func(l *httpserver.Timeouts) { l.BodyGrace = 0 },
		"http.body_rate":      func(l *httpserver.Timeouts) { l.BodyRate = -1 },
	} {
		limits := httpserver.DefaultTimeouts()
		change(&limits)
		if err := errors.Join(limits.Validate()...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
