package httpserver

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// checkAmbiguity handles requests that two programs in sequence may interpret differently. It
// rejects two credentials, since each program may use another one. For a request with two length
// specifications it closes the connection afterwards, as RFC 9112, section 6.1, requires: a program
// in front may have split the stream elsewhere, and the rest would be read as a request of another
// client.
func checkAmbiguity(c echo.Context) error {
	r := c.Request()
	if conn := connOf(r.Context()); conn != nil && conn.lines.conflict(r) {
		c.Response().Header().Set("Connection", "close")
	}
	if n := len(r.Header["Authorization"]); n > 1 {
		return fault.New(fault.Malformed, "the request has %d Authorization headers; send one", n)
	}
	return nil
}

// headerLines counts the framing headers that arrive on a connection. net/http drops one of two
// contradicting headers before a handler sees it, so the lines are counted in the stream and
// compared with the headers of the requests.
//
// Matching lines of a body count as well. Too many lines close a connection without need. There
// cannot be too few, since each header of a request is such a line.
type headerLines struct {
	lengths, codings atomic.Int64

	// of the reading goroutine only
	line  [len(codingHeader)]byte // beginning of the current line in lower case
	width int                     // bytes in it; -1 when the rest of the line does not matter

	// of the handler only
	knownLengths, knownCodings int64
}

const (
	lengthHeader = "content-length"
	codingHeader = "transfer-encoding"
)

// scan processes the next bytes of the stream.
func (h *headerLines) scan(p []byte) {
	for len(p) > 0 {
		if h.width < 0 {
			end := bytes.IndexByte(p, '\n')
			if end < 0 {
				return
			}
			p, h.width = p[end+1:], 0
			continue
		}
		h.add(p[0])
		p = p[1:]
	}
}

func (h *headerLines) add(c byte) {
	switch {
	case c == '\n':
		h.width = 0
	case c == ':':
		h.count(string(h.line[:h.width]))
		h.width = -1
	case h.width == len(h.line):
		h.width = -1
	default:
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		h.line[h.width] = c
		h.width++
	}
}

func (h *headerLines) count(name string) {
	switch name {
	case lengthHeader:
		h.lengths.Add(1)
	case codingHeader:
		h.codings.Add(1)
	}
}

// conflict reports whether a request specified its length in two ways. net/http uses the transfer
// coding, or the length in HTTP/1.0, which has no codings.
func (h *headerLines) conflict(r *http.Request) bool {
	if r.Header.Get("Content-Length") != "" {
		h.knownLengths++
	}
	if len(r.TransferEncoding) > 0 {
		h.knownCodings++
		return h.lengths.Load() > h.knownLengths
	}
	return !r.ProtoAtLeast(1, 1) && h.codings.Load() > h.knownCodings
}

type connKey struct{}

// framingListener counts header lines on the connections that it accepts.
type framingListener struct{ net.Listener }

func (l framingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framingConn{Conn: conn}, nil
}

type framingConn struct {
	net.Conn
	lines headerLines
	peer  peer         // of connections
	owner *connections // nil before the connection is counted
	head  head
}

func (c *framingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.lines.scan(p[:n])
	if refused := c.readHead(n, len(p)); refused != nil {
		return 0, refused
	}
	return n, err
}

// CloseWrite lets net/http end a response before it stops reading.
func (c *framingConn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// withConn implements http.Server.ConnContext.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	if counted, ok := conn.(*framingConn); ok {
		return context.WithValue(ctx, connKey{}, counted)
	}
	return ctx
}

// connOf returns the connection of a request; nil without a listener.
func connOf(ctx context.Context) *framingConn {
	conn, _ := ctx.Value(connKey{}).(*framingConn)
	return conn
}
