package httpserver_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

// bounded is a running server with few connections.
type bounded struct {
	*httpserver.Server
	t     *testing.T
	began chan struct{} // a body has begun to arrive
}

func newBounded(t *testing.T) *bounded {
	t.Helper()
	return newBoundedTo(t, 4)
}

func newBoundedTo(t *testing.T, connections int) *bounded {
	t.Helper()
	s := httpserver.New(httpserver.Config{Address: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Timeouts: httpserver.Timeouts{Connections: connections}})
	s.Echo.GET("/", func(c echo.Context) error { return c.String(http.StatusOK, "ok") })
	began := make(chan struct{}, 10)
	s.Echo.POST("/", func(c echo.Context) error {
		if _, err := c.Request().Body.Read(make([]byte, 4)); err != nil {
			return err
		}
		began <- struct{}{}
		_, err := httpserver.ReadBody(c, 1<<20)
		return err
	})
	if err := s.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &bounded{s, t, began}
}

// dial opens a connection from a local address.
func (b *bounded) dial(from string) net.Conn {
	b.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(b.t.Context(), "tcp", b.Addr().String())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// send sends text, and answer reads a response.
func (b *bounded) send(conn net.Conn, text string) {
	b.t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bounded) answer(conn net.Conn) *http.Response {
	b.t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	return answer
}

const whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

func TestANewConnectionTakesThePlaceOfAnIdleOne(t *testing.T) {
	t.Parallel()
	b := newBounded(t)
	var conns []net.Conn
	for i := range 4 {
		conn := b.dial("127.0.0.1")
		b.send(conn, whole)
		if answer := b.answer(conn); answer.StatusCode != http.StatusOK {
			t.Fatalf("connection %d: %d", i, answer.StatusCode)
		}
		for httpserver.IdleConnections(b.Server) != i+1 {
			time.Sleep(0)
		}
		conns = append(conns, conn)
	}
	b.send(conns[0], whole) // so that the second one is idle longest
	b.answer(conns[0])
	more := b.dial("127.0.0.1")
	b.send(more, whole)
	if answer := b.answer(more); answer.StatusCode != http.StatusOK {
		t.Errorf("one more: %d", answer.StatusCode)
	}
	if _, err := conns[1].Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the one that was idle longest: %v", err)
	}
}

func TestConnectionsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	b := newBounded(t)
	for range 4 {
		b.send(b.dial("127.0.0.1"), "GET / HTTP/1.1\r\nX-Half-Sent: ")
	}
	refused := b.dial("127.0.0.1")
	if answer := b.answer(refused); answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("of the address that has the most: %d %v", answer.StatusCode, answer.Header)
	}
	other := b.dial("127.0.0.2")
	b.send(other, "GET / HTTP/1.1\r\nHost: x\r\n")
	if answer := b.answer(b.dial("127.0.0.3")); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a quarter beyond the limit: %d", answer.StatusCode)
	}
	b.send(other, "\r\n")
	if answer := b.answer(other); answer.StatusCode != http.StatusOK {
		t.Errorf("of another address: %d", answer.StatusCode)
	}
}

// TestARequestThatWaitsForItsClientMakesRoom uses up the share of one address, so that the next
// request of the address, possibly of another client behind it, must replace one.
func TestARequestThatWaitsForItsClientMakesRoom(t *testing.T) {
	t.Parallel()
	b := newBounded(t)
	half := b.dial("127.0.0.1")
	b.send(half, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
	<-b.began
	for !httpserver.WaitsForItsClient(b.Server) {
		time.Sleep(0)
	}
	conn := b.dial("127.0.0.1")
	b.send(conn, whole)
	if answer := b.answer(conn); answer.StatusCode != http.StatusOK {
		t.Errorf("the next one: %d", answer.StatusCode)
	}
	if _, err := half.Read(make([]byte, 1)); err == nil {
		t.Error("the half-sent one is answered")
	}
}

func TestRequestsOfAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	s := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler), Timeouts: httpserver.Timeouts{Connections: 4}})
	var err error
	if s.Echo.IPExtractor, err = httpserver.ClientAddress([]string{"10.0.0.0/8"}); err != nil {
		t.Fatal(err)
	}
	ask := func(path, client, text string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(text))
		r.RemoteAddr = "10.0.0.1:1" // a proxy
		r.Header.Set("X-Forwarded-For", client)
		w := httptest.NewRecorder()
		s.Echo.ServeHTTP(w, r)
		return w
	}
	s.Echo.POST("/inner", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	s.Echo.POST("/", func(c echo.Context) error {
		w := ask("/inner", "192.0.2.1", "body")
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Connection") != "close" {
			t.Errorf("of the same address: %d %v", w.Code, w.Header())
		}
		if w := ask("/inner", "192.0.2.2", "body"); w.Code != http.StatusOK {
			t.Errorf("of another client of the proxy: %d", w.Code)
		}
		return c.NoContent(http.StatusOK)
	})
	for range 2 {
		if w := ask("/", "192.0.2.1", "body"); w.Code != http.StatusOK {
			t.Errorf("status %d", w.Code)
		}
	}
}

// TestLongHeadsOfAnAddressAreBounded opens connections that send a long, incomplete request head.
func TestLongHeadsOfAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	b := newBoundedTo(t, 64)
	long := "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("a", 12<<10)
	await := func(places int) {
		for httpserver.LongHeads(b.Server) != places {
			time.Sleep(0)
		}
	}
	var held []net.Conn
	for i := range 4 { // a quarter of sixteen places
		held = append(held, b.dial("127.0.0.1"))
		b.send(held[i], long)
		await(i + 1)
	}
	fifth := b.dial("127.0.0.1")
	_, _ = io.WriteString(fifth, long+"\r\n\r\n")
	// Unread data of the client may cause the loss of the response.
	if got, err := http.ReadResponse(bufio.NewReader(fifth), nil); err == nil {
		_ = got.Body.Close()
		if got.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a fifth long head of an address is answered %s", got.Status)
		}
	}
	short := b.dial("127.0.0.1")
	for range 4 { // a connection that stays open may read many heads
		b.send(short, "GET / HTTP/1.1\r\nHost: x\r\nX-Some: "+strings.Repeat("a", 4<<10)+"\r\n\r\n")
		if got := b.answer(short); got.StatusCode != http.StatusOK {
			t.Fatalf("a short head is answered %s", got.Status)
		}
	}
	other := b.dial("127.0.0.2")
	b.send(other, long+"\r\n\r\n")
	if got := b.answer(other); got.StatusCode != http.StatusOK {
		t.Errorf("a long head of another address is answered %s", got.Status)
	}
	b.send(held[0], "\r\n\r\n")
	if got := b.answer(held[0]); got.StatusCode != http.StatusOK {
		t.Errorf("a long head that arrived is answered %s", got.Status)
	}
	await(3)
	_ = held[1].Close()
	await(2)
}

// pipeline sends n requests at once and returns how many answers come before the connection ends.
func (b *bounded) pipeline(request string, n int) (answers int) {
	b.t.Helper()
	conn := b.dial("127.0.0.1")
	b.send(conn, strings.Repeat(request, n))
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		b.t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	for {
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			return answers
		}
		answers++
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return answers
		}
	}
}

func TestAConnectionPipelinesAFewRequests(t *testing.T) {
	t.Parallel()
	b := newBounded(t)
	short := "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, tt := range map[string]struct {
		request    string
		sent, want int
	}{
		"a few": {request: short, sent: 17, want: 17},
		"many":  {request: short, sent: 1000, want: 18},
	} {
		if got := b.pipeline(tt.request, tt.sent); got != tt.want {
			t.Errorf("%s: of %d requests sent at once %d are answered, want %d", name, tt.sent, got, tt.want)
		}
	}
}

func TestAConnectionThatAwaitsAnswersIsKept(t *testing.T) {
	t.Parallel()
	b := newBounded(t)
	conn := b.dial("127.0.0.1")
	in := bufio.NewReader(conn)
	for i := range 500 {
		b.send(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil || res.Close {
			t.Fatalf("request %d: the connection is closed: %v, %v", i, res.Close, err)
		}
	}
}
