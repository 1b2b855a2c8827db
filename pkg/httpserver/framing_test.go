package httpserver_test

import (
	"bufio"
	"bytes"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

func TestALengthStatedTwiceClosesTheConnection(t *testing.T) {
	t.Parallel()
	address, _ := run(t, httpserver.Timeouts{}, routes)
	const chunks = "2\r\n{}\r\n0\r\n\r\n"
	const clean = "POST /reads HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
	const sized = "POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
	tests := []struct {
		name, before, request string
		closes                bool
	}{
		{"a coding alone", "", clean, false},
		{"a length alone", "", sized, false},
		{"one after the other", sized, clean, false},
		{"the same length twice", "", "POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}", false},
		{"length and coding", "", "POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, true},
		{"coding and length", "", "POST /reads HTTP/1.1\r\nHost: x\r\nTRANSFER-ENCODING: chunked\r\ncontent-LENGTH:4\r\n\r\n" + chunks, true},
		{"lines that end without a return", "", "POST /reads HTTP/1.1\nHost: x\nContent-Length: 4\nTransfer-Encoding: chunked\n\n" + chunks, true},
		{"after good ones", sized + clean, "POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, true},
		{"the old version", "", "POST /reads HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", true},
		{"the old version with a length", "", "POST /reads HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}", false},
		{"at a path that does not read", "", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, address)
			p.send(tt.before)
			for range strings.Count(tt.before, "POST") {
				if res, text := p.answer(); res.StatusCode != 200 || res.Close {
					t.Fatalf("before: got %d %q, closing %v", res.StatusCode, text, res.Close)
				}
			}
			p.send(tt.request)
			if res, text := p.answer(); res.Close != tt.closes || !strings.HasPrefix(text, "2") && res.StatusCode != 404 {
				t.Errorf("got %d %q, closing %v", res.StatusCode, text, res.Close)
			}
			if tt.closes {
				p.expectClosed()
				return
			}
			p.send(sized)
			if res, _ := p.answer(); res.StatusCode != 200 {
				t.Errorf("next request: got %d", res.StatusCode)
			}
		})
	}
}

// Each framing header that net/http accepts is counted, for any division of the stream into pieces.
func FuzzHeaderLines(f *testing.F) {
	for _, seed := range []string{
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST / HTTP/1.1\nHost: x\ntransfer-encoding:chunked\ncontent-length:0\n\n0\n\n", "\n:\n", "Content-Length",
		"GET / HTTP/1.0\r\nContent-Length-More: 1\r\nX: Content-Length: 2\r\n\r\n",
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, stream []byte, at int) {
		at = min(max(at, 0), len(stream))
		lengths, codings := httpserver.CountHeaderLines(stream)
		if l, c := httpserver.CountHeaderLines(stream[:at], stream[at:]); l != lengths || c != codings {
			t.Errorf("whole: %d and %d, in pieces: %d and %d", lengths, codings, l, c)
		}
		_, rest, _ := bytes.Cut(stream, []byte("\n"))
		header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(rest))).ReadMIMEHeader()
		if err != nil {
			return
		}
		if l, c := len(header["Content-Length"]), len(header["Transfer-Encoding"]); lengths < int64(l) || codings < int64(c) {
			t.Errorf("counted %d and %d of %d and %d", lengths, codings, l, c)
		}
	})
}

func TestTwoCredentialsAreRefused(t *testing.T) {
	t.Parallel()
	address, _ := run(t, httpserver.Timeouts{}, func(e *echo.Echo) {
		e.GET("/", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	})
	for header, want := range map[string]int{
		"":                            204,
		"Authorization: Bearer a\r\n": 204,
		"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n": 400,
		"Authorization: Bearer a\r\nauthorization: Bearer a\r\n": 400,
		"Authorization:\r\nAuthorization: Bearer a\r\n":          400,
	} {
		p := connect(t, address)
		p.send("GET / HTTP/1.1\r\nHost: x\r\n" + header + "\r\n")
		res, text := p.answer()
		if res.StatusCode != want || want == 400 && !strings.Contains(text, "2 Authorization headers; send one") {
			t.Errorf("%q: got %d %s, want %d", header, res.StatusCode, text, want)
		}
	}
}
