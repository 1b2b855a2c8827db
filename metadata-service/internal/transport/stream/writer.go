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

// writer writes a stream. It begins with the first page: what is wrong before is told as
// other answers tell it.
type writer struct {
	to      *echo.Response
	control *http.ResponseController
	buffer  bytes.Buffer
	last    time.Time // something was sent
}

func newWriter(to *echo.Response) *writer {
	return &writer{to: to, control: http.NewResponseController(to)}
}

// page sends events of a topic, or a comment when there was nothing to send for a while.
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

// changes sends notices, or a comment when there was nothing to send for a while. The id is
// that of all of them: a client that was cut off in between is told to read again.
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

// beat sends what has been written, or a comment when there was nothing for a while.
func (w *writer) beat() error {
	if w.buffer.Len() == 0 && time.Since(w.last) >= beat {
		w.buffer.WriteString(":\n\n")
	}
	return w.flush()
}

// begin is the head of the stream, with the place from which a client goes on that is
// cut off before the first event, if there is one.
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

// end tells a client that still listens why the stream is over.
func (w *writer) end(err error) error {
	if !w.to.Committed {
		return err
	}
	reason, _ := json.Marshal(map[string]string{"reason": fault.Message(err)}) // of a text
	fmt.Fprintf(&w.buffer, "event: end\ndata: %s\n\n", reason)
	_ = w.flush() // or it is gone
	return nil
}

// flush fails for a client that takes nothing.
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

// mostKept is how many bytes of the buffer a stream keeps from page to page.
const mostKept = 64 << 10

func (w *writer) empty() {
	if w.buffer.Cap() > mostKept {
		w.buffer = bytes.Buffer{}
	}
	w.buffer.Reset()
}
