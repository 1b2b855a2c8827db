package httpserver

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// answerChunk is how much of an answer is written between two deadlines.
const answerChunk = 64 << 10

// timedAnswer is the writer of every answer, with a write deadline on its connection: a
// client that takes nothing, or takes an answer at less than the least rate, holds neither
// the connection nor what the handler keeps in memory. Only the time that is spent in
// writing counts. It is the innermost writer.
type timedAnswer struct {
	http.ResponseWriter
	control  *http.ResponseController
	timeouts Timeouts
	client   *clientWait
	credit   time.Duration // for how long more may be waited
}

// timeAnswer puts deadlines on the answer of a request.
func (s *Server) timeAnswer(c echo.Context, one *clientWait) *timedAnswer {
	res := c.Response()
	w := &timedAnswer{ResponseWriter: res.Writer, control: http.NewResponseController(res.Writer), timeouts: s.cfg.Timeouts, client: one, credit: s.cfg.Timeouts.AnswerStall}
	res.Writer = w
	return w
}

// Write fails with os.ErrDeadlineExceeded for a client that does not take what is written.
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

// pay takes the time of a write from the credit, and adds what its bytes are good for.
func (w *timedAnswer) pay(bytes int, took time.Duration) {
	earned := time.Duration(float64(bytes) / float64(w.timeouts.AnswerRate) * float64(time.Second))
	w.credit = min(w.credit-took+earned, w.timeouts.AnswerStall)
}

// FlushError serves http.ResponseController.
func (w *timedAnswer) FlushError() error {
	w.renew()
	return w.control.Flush()
}

// Unwrap serves http.ResponseController.
func (w *timedAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// end leaves a deadline behind for what net/http writes after the handler.
func (w *timedAnswer) end() { w.renew() }

func (w *timedAnswer) renew() {
	// Writers without deadlines, as in tests, need none.
	_ = w.control.SetWriteDeadline(time.Now().Add(max(w.credit, 0)))
}
