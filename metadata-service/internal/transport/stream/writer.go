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
	to      *echo.Response
	control *http.ResponseController
	buffer  bytes.Buffer
	last    time.Time // time of the last write
}

func newWriter(to *echo.Response) *writer {
	return &writer{to: to, control: http.NewResponseController(to)}
}

// page sends events of a topic, or a comment when nothing was sent for the period beat.
func (w *writer) page(topic string, page *event.Page) error {
	if !w.to.Committed {
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
	return w.beat()
}

// changes sends notices, or a comment when nothing was sent for the period beat. The last notice
// has the id of all of them: a client that is disconnected in between is asked to read again.
func (w *writer) changes(told []event.Told, reset bool, at string) error {
	if reset {
		fmt.Fprintf(&w.buffer, "id: %s\nevent: reset\ndata: {\"reason\":\"changes were left out; read again\"}\n\n", at)
	}
	for i, t := range told {
		if i == len(told)-1 {
			fmt.Fprintf(&w.buffer, "id: %s\n", at)
		}
		w.buffer.WriteString("event: change\ndata: ")
		w.buffer.Write(t.AppendJSON(w.buffer.AvailableBuffer()))
		w.buffer.WriteString("\n\n")
	}
	return w.beat()
}

// beat sends the buffered output, or a comment when nothing was sent for the period beat.
func (w *writer) beat() error {
	if w.buffer.Len() == 0 && time.Since(w.last) >= beat {
		w.buffer.WriteString(":\n\n")
	}
	return w.flush()
}

// begin writes the head of the stream. at, if any, is the position from which a client continues
// that is disconnected before the first event.
func (w *writer) begin(at string) {
	h := w.to.Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set(echo.HeaderCacheControl, "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	w.to.WriteHeader(http.StatusOK)
	fmt.Fprintf(&w.buffer, "retry: %d\n", again)
	if at != "" {
		fmt.Fprintf(&w.buffer, "id: %s\n", at)
	}
	w.buffer.WriteByte('\n')
}

// end sends the reason for the end of the stream to a connected client. Before the stream has
// begun it returns err.
func (w *writer) end(err error) error {
	if !w.to.Committed {
		return err
	}
	reason, _ := json.Marshal(map[string]string{"reason": fault.Message(err)}) // encoding a text cannot fail
	fmt.Fprintf(&w.buffer, "event: end\ndata: %s\n\n", reason)
	_ = w.flush() // the client may have disconnected
	return nil
}

// flush sends the buffer. It fails when the client does not read within the period unread.
func (w *writer) flush() error {
	if w.buffer.Len() == 0 {
		return nil
	}
	if err := w.control.SetWriteDeadline(time.Now().Add(unread)); err != nil {
		return err
	}
	defer w.empty()
	if _, err := w.to.Write(w.buffer.Bytes()); err != nil {
		return err
	}
	w.last = time.Now()
	return w.control.Flush()
}

// mostKept is the largest buffer, in bytes, that a stream reuses for the next page.
const mostKept = 64 << 10

func (w *writer) empty() {
	if w.buffer.Cap() > mostKept {
		w.buffer = bytes.Buffer{}
	}
	w.buffer.Reset()
}
