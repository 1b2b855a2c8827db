package httpserver

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// answerChunk is the number of bytes of a response that are written between two deadlines.
const answerChunk = 64 << 10

// timedAnswer is the writer of every response. It sets write deadlines on the connection: a client
// that reads nothing, or reads slower than the minimum rate, blocks neither the connection nor the
// memory of the handler. Only the time spent in writes counts. It is the innermost writer.
type timedAnswer struct {
	http.ResponseWriter
	control  *http.ResponseController
	timeouts Timeouts
	client   *clientWait
	credit   time.Duration // remaining time for waiting
}

// timeAnswer sets deadlines for the response of a request.
func (s *Server) timeAnswer(c echo.Context, wait *clientWait) *timedAnswer {
	res := c.Response()
	w := &timedAnswer{ResponseWriter: res.Writer, control: http.NewResponseController(res.Writer), timeouts: s.cfg.Timeouts, client: wait, credit: s.cfg.Timeouts.AnswerStall}
	res.Writer = w
	return w
}

// Write returns os.ErrDeadlineExceeded if the client does not read the data in time.
func (w *timedAnswer) Write(p []byte) (written int, err error) {
	for {
		piece := p[written:min(len(p), written+answerChunk)]
		w.renew()
		began := time.Now()
		w.client.begin()
		n, err := w.ResponseWriter.Write(piece)
		w.client.end()
		w.pay(n, time.Since(began))
		if written += n; err != nil || written >= len(p) {
			return written, err
		}
	}
}

// pay subtracts the duration of a write from the credit, and adds the time that its bytes earn.
func (w *timedAnswer) pay(bytes int, took time.Duration) {
	earned := time.Duration(float64(bytes) / float64(w.timeouts.AnswerRate) * float64(time.Second))
	w.credit = min(w.credit-took+earned, w.timeouts.AnswerStall)
}

// FlushError implements flushing for http.ResponseController.
func (w *timedAnswer) FlushError() error {
	w.renew()
	return w.control.Flush()
}

// Unwrap returns the inner writer, for http.ResponseController.
func (w *timedAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// end sets a deadline for data that net/http writes after the handler.
func (w *timedAnswer) end() { w.renew() }

func (w *timedAnswer) renew() {
	// Writers without deadlines, as in tests, return an error here, which is harmless.
	_ = w.control.SetWriteDeadline(time.Now().Add(max(w.credit, 0)))
}
