package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"
)

// wire is a connection that sends requests rendered beforehand. On a machine
// where clients and service share the cores, the work of an ordinary client
// would be measured as the service's.
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

// render is the text of a POST with a body.
func (p *program) render(path string, body []byte) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		path, p.address, p.token, len(body))
	text.Write(body)
	return text.Bytes()
}

// send sends a rendered request and demands the status 200.
func (w *wire) send(request []byte) error {
	if _, err := w.conn.Write(request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(w.reader, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %.300s", answer.StatusCode, text)
	}
	return err
}

// mark stands in rendered requests for a number that makes each of them new.
var mark = []byte("##########")

// numbered copies a request and puts a number of ten digits in the place of the mark.
func numbered(request []byte, n int64) []byte {
	digits := strconv.AppendInt(nil, 1_000_000_000+n, 10)
	return bytes.Replace(request, mark, digits, 1)
}
