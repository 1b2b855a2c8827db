// Package stream sends events of the catalog to browsers and scripts as they happen,
// as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
//
// The id of each event is the offset behind it, so that a client that was cut off and
// sends the last one it saw goes on with the next: each event comes once, in the order
// of the change log, across restarts of either side.
package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Path is where streams are.
const Path = "/events/stream"

const (
	// round is how long the end of a credential, of a right or of the service may go unnoticed.
	round = 2 * time.Second
	// beat is how often something is sent when nothing happens, so that nobody in between takes
	// the connection for dead.
	beat = 15 * time.Second
	// unread is how long a client may take nothing.
	unread = 30 * time.Second
	// again is after how many milliseconds clients connect anew.
	again = 3000

	mostStreams = 128 // half of what may wait for events, polls included
	mostOfActor = 16
	longest     = 36_500 // days to look back
)

// Config is what a Server works with. All fields are required.
type Config struct {
	Events *event.Service
	// Authenticate finds who sends a request. It is asked again and again while a stream lasts,
	// so that one ends with its credential.
	Authenticate func(ctx context.Context, h http.Header) (auth.Actor, error)
	// Page is asked for the context of each page, and told when the page has been sent, so that
	// memory is held by pages and not by streams.
	Page func(ctx context.Context) (of context.Context, done func())
	// Stopping tells that the service is about to end.
	Stopping func() bool
}

// Server serves streams. It is safe for concurrent use.
type Server struct {
	Config
	mu    sync.Mutex
	open  int
	users map[string]int // streams that an actor has open
}

// New makes a Server.
func New(cfg Config) *Server { return &Server{Config: cfg, users: map[string]int{}} }

// Mount serves Path below a group of routes.
func (s *Server) Mount(g *echo.Group) { g.GET(Path, s.serve, httpserver.RenderWith(renderError)) }

// refusal tells programs who lacks what.
type refusal struct {
	Error string `json:"error"`
	Code  string `json:"code"`
	*fault.Refusal
}

func renderError(c echo.Context, status int, err error) error {
	if fault.KindOf(err) != fault.Forbidden {
		return httpserver.RenderJSON(c, status, err)
	}
	return c.JSON(status, refusal{fault.Message(err), auth.CodeForbidden, auth.RefusalOf(c.Request().Context(), err)})
}

func (s *Server) serve(c echo.Context) error {
	r := c.Request()
	actor, ok := auth.ActorFrom(r.Context())
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to follow events")
	}
	q, follow, err := query(c)
	if err != nil {
		return err
	}
	leave, err := s.enter(string(actor.URN))
	if err != nil {
		return err
	}
	defer leave()
	out := newWriter(c.Response(), q.Topic)
	ctx := r.Context()
	for {
		if q.Offset, err = s.send(ctx, q, out); err != nil {
			return out.end(err)
		}
		if !follow || r.Context().Err() != nil || s.Stopping() {
			return nil
		}
		now, err := s.Authenticate(r.Context(), r.Header)
		if err == nil && now.URN != actor.URN {
			err = fault.New(fault.Unauthenticated, "the credential is that of somebody else now")
		}
		if err != nil {
			return out.end(err)
		}
		// Not with the decisions of the round before, which are as old as it is.
		ctx = auth.WithDecisionCache(auth.WithActor(r.Context(), now))
		q.Lookback, q.Wait = 0, round
	}
}

// send sends the next page, and gives the offset behind it.
func (s *Server) send(ctx context.Context, q event.Query, out *writer) (offset string, err error) {
	ctx, done := s.Page(ctx)
	defer done()
	page, err := s.Events.Poll(ctx, q)
	if err != nil {
		return "", err
	}
	return page.Offset, out.page(&page)
}

// query reads what is asked for, and whether events that are still to come are. A browser
// that connects anew sends the id of the last event in a header.
func query(c echo.Context) (q event.Query, follow bool, err error) {
	q = event.Query{Topic: c.QueryParam("topic"), Offset: c.QueryParam("offsetId")}
	if q.Topic == "" {
		q.Topic = string(event.PlatformEvents)
	}
	if last := c.Request().Header.Get("Last-Event-ID"); last != "" {
		q.Offset = last
	}
	if text := c.QueryParam("lookbackWindowDays"); text != "" {
		days, err := strconv.Atoi(text)
		if err != nil || days < 0 || days > longest {
			return q, false, fault.New(fault.Malformed, "lookbackWindowDays: %.20q is not a number of days from 0 to %d", text, longest)
		}
		q.Lookback = time.Duration(days) * 24 * time.Hour
	}
	switch text := c.QueryParam("follow"); text {
	case "", "true":
		return q, true, nil
	case "false":
		q.Limit = event.MaxLimit
		return q, false, nil
	default:
		return q, false, fault.New(fault.Malformed, "follow: %.20q is neither true nor false", text)
	}
}

// enter counts a stream, which is refused when there are too many.
func (s *Server) enter(actor string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.open >= mostStreams:
		return nil, fault.New(fault.Throttled, "%d streams of events are open, which is all there may be; try again later", s.open)
	case s.users[actor] >= mostOfActor:
		return nil, fault.New(fault.Throttled, "%s has %d streams of events open, which is all that one may have", actor, s.users[actor])
	}
	s.open++
	s.users[actor]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		if s.users[actor]--; s.users[actor] == 0 {
			delete(s.users, actor)
		}
	}, nil
}

// writer writes a stream. It begins with the first page: what is wrong before is told as
// other answers tell it.
type writer struct {
	to      *echo.Response
	control *http.ResponseController
	topic   string
	buffer  bytes.Buffer
	last    time.Time // something was sent
}

func newWriter(to *echo.Response, topic string) *writer {
	return &writer{to: to, control: http.NewResponseController(to), topic: topic}
}

// page sends events, or a comment when there was nothing to send for a while.
func (w *writer) page(page *event.Page) error {
	if !w.to.Committed {
		w.begin(page)
	}
	if page.Missed {
		w.buffer.WriteString("event: missed\ndata: {\"reason\":\"events after the last one are not kept any more; these are the oldest that are\"}\n\n")
	}
	for i, text := range page.Events {
		name, data := event.Plain(event.Topic(w.topic), text)
		fmt.Fprintf(&w.buffer, "id: %s\nevent: %s\ndata: %s\n\n", page.OffsetAfter(i), name, data)
	}
	if w.buffer.Len() == 0 && time.Since(w.last) >= beat {
		w.buffer.WriteString(":\n\n")
	}
	return w.flush()
}

// begin is the head of the stream, with the place from which a client goes on that is
// cut off before the first event.
func (w *writer) begin(page *event.Page) {
	h := w.to.Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set(echo.HeaderCacheControl, "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	w.to.WriteHeader(http.StatusOK)
	fmt.Fprintf(&w.buffer, "retry: %d\n", again)
	if len(page.Events) == 0 {
		fmt.Fprintf(&w.buffer, "id: %s\n", page.Offset)
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
