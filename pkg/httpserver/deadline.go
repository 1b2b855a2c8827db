package httpserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// maxDiscard is the maximum number of bytes of an unread body that are read to keep the connection
// open; net/http has the same limit.
const maxDiscard = 256 << 10

// timedBody is the body of every request. It sets read deadlines on the connection: one for pauses,
// renewed by each read, one for the whole body, and one for the rate, where received bytes pay for
// the time of waiting.
//
// The deadline stays when the handler stops reading before the end of the body, because net/http
// then continues to read: it discards the rest, before or after it sends the response. At the end
// of the body net/http removes the deadline, and waits in the background for the client to
// disconnect; after that the deadline must not be changed.
type timedBody struct {
	body     io.ReadCloser
	control  *http.ResponseController
	timeouts Timeouts
	client   *clientWait
	deadline time.Time
	length   int64 // as declared, -1 when unknown
	awaits   bool  // the client waits for 100 Continue before it sends the body

	mu     sync.Mutex // a proxy reads on another goroutine than the one that answers
	read   int64
	credit time.Duration // remaining waiting time according to the rate
	slow   bool          // the rate ends the wait earlier than the pause limit
	err    error         // why reading has ended: io.EOF, an error, or that the body was closed
}

func (b *timedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return 0, b.err
	}
	return b.await(p)
}

// await is Read with the lock held, while the body has not ended.
func (b *timedBody) await(p []byte) (int, error) {
	b.renew()
	began := time.Now()
	b.client.begin()
	n, err := b.body.Read(p)
	b.client.end()
	b.read += int64(n)
	b.pay(int64(n), time.Since(began))
	b.err = b.explain(err)
	return n, b.err
}

// pay subtracts the waiting time from the credit, and adds the time that the bytes earn.
func (b *timedBody) pay(bytes int64, awaited time.Duration) {
	most := max(b.timeouts.BodyGrace, b.timeouts.BodyStall)
	earned := most
	if seconds := float64(bytes) / float64(b.timeouts.BodyRate); seconds < most.Seconds() {
		earned = time.Duration(seconds * float64(time.Second))
	}
	b.credit = min(b.credit-awaited+earned, most)
}

// Close discards a small rest of the body, as net/http does, within the deadline.
func (b *timedBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire()
	err := b.body.Close()
	if b.err != nil {
		return err
	}
	if b.err = b.explain(err); b.err == nil {
		b.err = http.ErrBodyReadAfterClose
	}
	return err
}

// release sets a deadline for data that net/http reads after the handler.
func (b *timedBody) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire()
}

// discard reads an unread body to its end if the rest is small, and returns the timeout error of
// this or an earlier read.
func (b *timedBody) discard() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && !b.awaits && b.length-b.read <= maxDiscard {
		// The rate limit prevents very slow bodies from blocking the connection; await keeps the
		// error.
		_, _ = io.CopyN(io.Discard, readerFunc(b.await), maxDiscard+1)
	}
	if isTimeout(b.err) {
		return b.err
	}
	return nil
}

// readerFunc implements io.Reader by a function.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// renew sets the deadline of the next read.
func (b *timedBody) renew() {
	b.slow = b.credit < b.timeouts.BodyStall
	at := time.Now().Add(min(b.credit, b.timeouts.BodyStall))
	if b.deadline.Before(at) {
		at = b.deadline
	}
	// Writers without deadlines, as in tests, return an error here, which is harmless.
	_ = b.control.SetReadDeadline(at)
}

// expire sets the final deadline, unless the body has already ended.
func (b *timedBody) expire() {
	if b.err == nil {
		b.renew()
	}
}

// explain assigns a kind to an error caused by a deadline.
func (b *timedBody) explain(err error) error {
	switch {
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case !time.Now().Before(b.deadline):
		return &timeoutError{cause: fault.Wrap(err, fault.Malformed,
			"the request body was not complete after %s; send less at once", b.timeouts.Body)}
	case b.slow:
		return &timeoutError{cause: fault.Wrap(err, fault.Malformed,
			"the request body came slower than %s in a second; send it by a faster line", formatBytes(b.timeouts.BodyRate))}
	default:
		return &timeoutError{cause: fault.Wrap(err, fault.Malformed,
			"the request body stopped arriving for %s; send it again without such a pause", b.timeouts.BodyStall)}
	}
}

// timeoutError reports a body that did not arrive in time. The response has the status 408.
type timeoutError struct{ cause error }

func (e *timeoutError) Error() string { return e.cause.Error() }
func (e *timeoutError) Unwrap() error { return e.cause }

func isTimeout(err error) bool {
	var late *timeoutError
	return errors.As(err, &late)
}

// exchange is the response writer of a request with a body. Before it sends the header it reads the
// body to its end. If the rest does not arrive, it answers 408 instead of the handler's response.
// Otherwise clients that send everything before they read would hang, and clients that stopped
// sending would hold the connection.
type exchange struct {
	http.ResponseWriter
	body     *timedBody
	response *echo.Response

	begun    bool
	replaced int64 // bytes of the 408 response, zero if the handler's response is sent
}

// guard sets deadlines for the body of a request, and returns nil if the request has none.
func (s *Server) guard(c echo.Context, wait *clientWait) *exchange {
	r := c.Request()
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	res := c.Response()
	body := &timedBody{
		body: r.Body, control: http.NewResponseController(res.Writer), timeouts: s.cfg.Timeouts, client: wait, deadline: time.Now().Add(s.cfg.Timeouts.Body),
		credit: s.cfg.Timeouts.BodyGrace,
		length: r.ContentLength, awaits: strings.EqualFold(r.Header.Get("Expect"), "100-continue"),
	}
	x := &exchange{ResponseWriter: res.Writer, body: body, response: res}
	r.Body, res.Writer = body, x
	return x
}

// end sets a deadline for data that net/http reads after the handler.
func (x *exchange) end() {
	if x == nil {
		return
	}
	x.body.release()
	if x.replaced > 0 {
		x.response.Size = x.replaced
	}
}

func (x *exchange) WriteHeader(status int) {
	if status >= http.StatusOK {
		x.begin(status)
	}
	if x.replaced == 0 {
		x.ResponseWriter.WriteHeader(status)
	}
}

func (x *exchange) Write(p []byte) (int, error) {
	x.begin(http.StatusOK)
	if x.replaced > 0 {
		return len(p), nil
	}
	return x.ResponseWriter.Write(p)
}

// FlushError implements flushing for http.ResponseController.
func (x *exchange) FlushError() error {
	x.begin(http.StatusOK)
	return http.NewResponseController(x.ResponseWriter).Flush()
}

// Unwrap returns the inner writer, for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *exchange) begin(status int) {
	if x.begun {
		return
	}
	x.begun = true
	// Without a next request on the connection the rest need not be read.
	if x.Header().Get("Connection") == "close" {
		return
	}
	late := x.body.discard()
	if late == nil {
		return
	}
	x.Header().Set("Connection", "close")
	if status != http.StatusRequestTimeout {
		x.replace(late)
	}
}

// replace sends a 408 response and drops the handler's response.
func (x *exchange) replace(late error) {
	header := x.Header()
	for name := range header {
		if !commonHeaders[name] {
			delete(header, name)
		}
	}
	text, _ := json.Marshal(errorBody{Error: fault.Message(late), Status: http.StatusRequestTimeout})
	header.Set("Connection", "close")
	header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	x.replaced, x.response.Status = int64(len(text)), http.StatusRequestTimeout
	x.ResponseWriter.WriteHeader(http.StatusRequestTimeout)
	// If the client has disconnected, the error is harmless.
	_, _ = x.ResponseWriter.Write(text)
}

// commonHeaders are headers that may be part of any response.
var commonHeaders = map[string]bool{
	http.CanonicalHeaderKey(requestIDHeader): true, "X-Content-Type-Options": true, "Referrer-Policy": true, "Cross-Origin-Opener-Policy": true,
	"Permissions-Policy": true, "Strict-Transport-Security": true, "Connection": true,
}
