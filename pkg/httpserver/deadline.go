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

// maxDiscard is how much of a body that no handler wanted is read, so that the
// connection can be kept; net/http has the same limit.
const maxDiscard = 256 << 10

// timedBody is the body of every request, with a read deadline on its
// connection: one for silence, renewed by each read, one for the whole, and one for
// its rate: time that was awaited is paid with bytes that came.
//
// The deadline stays when reading ends before the body does, as net/http itself
// goes on to read: it discards what the handler left, before or after it sends
// the answer. At the end of the body net/http takes the deadline away, and waits
// in the background for the client to leave; from then on it must not be touched.
type timedBody struct {
	body     io.ReadCloser
	control  *http.ResponseController
	timeouts Timeouts
	client   *clientWait
	deadline time.Time
	length   int64 // as declared, -1 when unknown
	awaits   bool  // the client waits for 100 Continue before it sends

	mu     sync.Mutex // a proxy reads on another goroutine than the one that answers
	read   int64
	credit time.Duration // for how long more may be awaited by the rate
	slow   bool          // the rate ends the wait before silence does
	err    error         // why there is no more: io.EOF, an error, or that it was closed
}

func (b *timedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return 0, b.err
	}
	return b.await(p)
}

// await is Read behind the lock, while there may be more.
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

// pay takes the time that bytes were awaited from the credit, and adds what they are
// good for.
func (b *timedBody) pay(bytes int64, awaited time.Duration) {
	most := max(b.timeouts.BodyGrace, b.timeouts.BodyStall)
	earned := most
	if seconds := float64(bytes) / float64(b.timeouts.BodyRate); seconds < most.Seconds() {
		earned = time.Duration(seconds * float64(time.Second))
	}
	b.credit = min(b.credit-awaited+earned, most)
}

// Close discards a small rest, as net/http does, within the deadline.
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

// release leaves a deadline behind for what net/http reads after the handler.
func (b *timedBody) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire()
}

// discard reads a body that no handler wanted to its end when that is near, and
// returns the timeout that ended this or an earlier read.
func (b *timedBody) discard() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && !b.awaits && b.length-b.read <= maxDiscard {
		// Its rate keeps anybody from holding on drop by drop; await keeps the error.
		_, _ = io.CopyN(io.Discard, readerFunc(b.await), maxDiscard+1)
	}
	if isTimeout(b.err) {
		return b.err
	}
	return nil
}

// readerFunc is a function that reads.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// renew starts the time of one read.
func (b *timedBody) renew() {
	b.slow = b.credit < b.timeouts.BodyStall
	at := time.Now().Add(min(b.credit, b.timeouts.BodyStall))
	if b.deadline.Before(at) {
		at = b.deadline
	}
	// Writers without deadlines, as in tests, need none.
	_ = b.control.SetReadDeadline(at)
}

// expire is renew for the last time, unless the body has ended already.
func (b *timedBody) expire() {
	if b.err == nil {
		b.renew()
	}
}

// explain gives a kind to an error that a deadline caused.
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

// timeoutError is a body that did not come in time, answered with 408.
type timeoutError struct{ cause error }

func (e *timeoutError) Error() string { return e.cause.Error() }
func (e *timeoutError) Unwrap() error { return e.cause }

func isTimeout(err error) bool {
	var late *timeoutError
	return errors.As(err, &late)
}

// exchange is the writer of a request with a body. Before the header goes out it
// sees the body to its end, and answers 408 in place of the handler when the rest
// does not come: clients that send all before they read would hang otherwise, and
// those that stopped sending would hold the connection.
type exchange struct {
	http.ResponseWriter
	body     *timedBody
	response *echo.Response

	begun    bool
	replaced int64 // bytes of the 408, zero while the handler's answer holds
}

// guard puts deadlines on the body of a request, and returns nil when it has none.
func (s *Server) guard(c echo.Context, one *clientWait) *exchange {
	r := c.Request()
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	res := c.Response()
	body := &timedBody{
		body: r.Body, control: http.NewResponseController(res.Writer), timeouts: s.cfg.Timeouts, client: one, deadline: time.Now().Add(s.cfg.Timeouts.Body),
		credit: s.cfg.Timeouts.BodyGrace,
		length: r.ContentLength, awaits: strings.EqualFold(r.Header.Get("Expect"), "100-continue"),
	}
	x := &exchange{ResponseWriter: res.Writer, body: body, response: res}
	r.Body, res.Writer = body, x
	return x
}

// end leaves a deadline behind for what net/http reads after the handler.
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

// FlushError serves http.ResponseController.
func (x *exchange) FlushError() error {
	x.begin(http.StatusOK)
	return http.NewResponseController(x.ResponseWriter).Flush()
}

// Unwrap serves http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *exchange) begin(status int) {
	if x.begun {
		return
	}
	x.begun = true
	// Without a next request on the connection there is no need to read on.
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

// replace answers in place of the handler, whose answer is dropped.
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
	// A client that is gone misses nothing.
	_, _ = x.ResponseWriter.Write(text)
}

// commonHeaders are headers that belong to any answer.
var commonHeaders = map[string]bool{
	http.CanonicalHeaderKey(requestIDHeader): true, "X-Content-Type-Options": true, "Referrer-Policy": true, "Cross-Origin-Opener-Policy": true,
	"Permissions-Policy": true, "Strict-Transport-Security": true, "Connection": true,
}
