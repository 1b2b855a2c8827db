package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/pkg/fault"
)

// writer writes a stream. The stream begins with the first page; earlier errors are regular error
// responses.
type writer struct {
	response  *echo.Response
	control   *http.ResponseController
	buffer    bytes.Buffer
	lastWrite time.Time // time of the last write
}

func newWriter(to *echo.Response) *writer {
	return &writer{response: to, control: http.NewResponseController(to)}
}

// page sends events of a topic, or a comment when nothing was sent for keepAliveInterval.
func (w *writer) page(topic string, page *event.Page) error {
	if !w.response.Committed {
		at := ""
		if len(page.Events) == 0 {
			at = page.Offset
		}
		w.begin(at)
	}
	if page.Missed {
		w.buffer.WriteString("event: missed\ndata: {\"reason\":\"events after the last one are not kept any more; these are the oldest that are\"}\n\n")
	}
	for i, text := range page.Events {
		name, data := event.Plain(event.Topic(topic), text)
		fmt.Fprintf(&w.buffer, "id: %s\nevent: %s\ndata: %s\n\n", page.OffsetAfter(i), name, data)
	}
	return w.flushOrKeepAlive()
}

// changes sends notices, or a comment when nothing was sent for keepAliveInterval. The last notice
// has the id of all of them: a client that is disconnected in between is asked to read again.
func (w *writer) changes(notices []event.Told, reset bool, at string) error {
	if reset {
		fmt.Fprintf(&w.buffer, "id: %s\nevent: reset\ndata: {\"reason\":\"changes were left out; read again\"}\n\n", at)
	}
	for i, t := range notices {
		if i == len(notices)-1 {
			fmt.Fprintf(&w.buffer, "id: %s\n", at)
		}
		w.buffer.WriteString("event: change\ndata: ")
		w.buffer.Write(t.AppendJSON(w.buffer.AvailableBuffer()))
		w.buffer.WriteString("\n\n")
	}
	return w.flushOrKeepAlive()
}

// flushOrKeepAlive sends the buffered output, or a comment when nothing was sent for
// keepAliveInterval.
func (w *writer) flushOrKeepAlive() error {
	if w.buffer.Len() == 0 && time.Since(w.lastWrite) >= keepAliveInterval {
		w.buffer.WriteString(":\n\n")
	}
	return w.flush()
}

// begin writes the head of the stream. at, if any, is the position from which a client continues
// that is disconnected before the first event.
func (w *writer) begin(at string) {
	h := w.response.Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set(echo.HeaderCacheControl, "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	w.response.WriteHeader(http.StatusOK)
	fmt.Fprintf(&w.buffer, "retry: %d\n", reconnectMillis)
	if at != "" {
		fmt.Fprintf(&w.buffer, "id: %s\n", at)
	}
	w.buffer.WriteByte('\n')
}

// end sends the reason for the end of the stream to a connected client. Before the stream has
// begun it returns err.
func (w *writer) end(err error) error {
	if !w.response.Committed {
		return err
	}
	reason, _ := json.Marshal(map[string]string{"reason": fault.Message(err)}) // encoding a text cannot fail
	fmt.Fprintf(&w.buffer, "event: end\ndata: %s\n\n", reason)
	_ = w.flush() // the client may have disconnected
	return nil
}

// flush sends the buffer. It fails when the client does not read within writeTimeout.
func (w *writer) flush() error {
	if w.buffer.Len() == 0 {
		return nil
	}
	if err := w.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	defer w.resetBuffer()
	if _, err := w.response.Write(w.buffer.Bytes()); err != nil {
		return err
	}
	w.lastWrite = time.Now()
	return w.control.Flush()
}

// maxReusedBuffer is the largest buffer, in bytes, that a stream reuses for the next page.
const maxReusedBuffer = 64 << 10

func (w *writer) resetBuffer() {
	if w.buffer.Cap() > maxReusedBuffer {
		w.buffer = bytes.Buffer{}
	}
	w.buffer.Reset()
}
