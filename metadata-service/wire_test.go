package main_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"testing"
)

// wire is a connection that sends prerendered requests. On a machine where clients and service
// share the cores, the work of an ordinary client would be measured as the service's.
type wire struct {
	conn   net.Conn
	reader *bufio.Reader
}

func dial(tb testing.TB, p *program) *wire {
	tb.Helper()
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return &wire{conn: conn, reader: bufio.NewReader(conn)}
}

// render returns the text of a POST with a body.
func (p *program) render(path string, body []byte) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		path, p.address, p.token, len(body))
	text.Write(body)
	return text.Bytes()
}

// send sends a rendered request and requires the status 200. For the same reason it reads only the
// status and the length of the response.
func (w *wire) send(request []byte) error {
	if _, err := w.conn.Write(request); err != nil {
		return err
	}
	line, err := w.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, statusOK) {
		return w.refused(string(line))
	}
	length, err := w.skipHeader()
	if err != nil {
		return err
	}
	_, err = w.reader.Discard(length)
	return err
}

var (
	statusOK      = []byte("HTTP/1.1 200 ")
	contentLength = []byte("Content-Length: ")
)

// skipHeader reads up to the body and returns its length.
func (w *wire) skipHeader() (length int, err error) {
	length = -1
	for {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		if text, ok := bytes.CutPrefix(line, contentLength); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(text))); err != nil {
				return 0, err
			}
		}
	}
	if length < 0 {
		return 0, errors.New("the answer does not tell its length")
	}
	return length, nil
}

// refused describes a response other than 200, as far as it has arrived.
func (w *wire) refused(status string) error {
	rest, err := w.reader.Peek(w.reader.Buffered())
	return errors.Join(fmt.Errorf("%s%.600s", status, rest), err)
}

// mark is the placeholder in rendered requests for a number that makes each of them new.
var mark = []byte("##########")

// numbered copies a request and replaces the marks by numbers of ten digits, from n on, each used a
// given number of times.
func numbered(request []byte, n int64, times int) []byte {
	text := bytes.Clone(request)
	var digits []byte
	for at, used := 0, 0; ; used++ {
		next := bytes.Index(text[at:], mark)
		if next < 0 {
			return text
		}
		if used%times == 0 {
			digits = strconv.AppendInt(digits[:0], 1_000_000_000+n, 10)
			n++
		}
		at += next
		at += copy(text[at:], digits)
	}
}
