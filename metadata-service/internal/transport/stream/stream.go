// Package stream sends events of the catalog to browsers and scripts as they happen,
// as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
//
// There are two sorts of streams. Events of a topic are for programs that may follow it.
// The id of each is the offset behind it, so that a client that was cut off and sends the
// last one it saw goes on with the next: each event comes once, in the order of the change
// log, across restarts of either side. Changes are for the pages of everybody: short notices
// of what changed among what one may see, by one reader of the log for all streams. A client
// that is behind, or was cut off, is told to read again. A list of past changes is beside them.
package stream

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Paths of the streams of topics and of changes, and of the list of past changes.
const (
	Path        = "/events/stream"
	ChangesPath = "/events/changes"
	OwnedPath   = "/events/owned"
)

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

	mostTopics  = 128 // half of what may wait for events, polls included
	mostChanges = 1024
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
	topics, changes *counter
}

// New makes a Server.
func New(cfg Config) *Server {
	return &Server{Config: cfg, topics: newCounter("streams of events", mostTopics), changes: newCounter("streams of changes", mostChanges)}
}

// Mount serves the paths below a group of routes.
func (s *Server) Mount(g *echo.Group) {
	g.GET(Path, s.serveTopic, httpserver.RenderWith(renderError))
	g.GET(ChangesPath, s.serveChanges, httpserver.RenderWith(renderError))
	g.GET(OwnedPath, s.serveOwned, httpserver.RenderWith(renderError))
}

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

func (s *Server) serveTopic(c echo.Context) error {
	actor, ok := auth.ActorFrom(c.Request().Context())
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to follow events")
	}
	q, follow, err := query(c)
	if err != nil {
		return err
	}
	leave, err := s.topics.enter(string(actor.URN))
	if err != nil {
		return err
	}
	defer leave()
	out := newWriter(c.Response())
	return s.follow(c.Request(), actor, out, follow, func(ctx context.Context) error {
		page, err := s.Events.Poll(ctx, q)
		if err != nil {
			return err
		}
		q.Offset, q.Lookback, q.Wait = page.Offset, 0, round
		return out.page(q.Topic, &page)
	})
}

// follow sends a stream part by part, for as long as the credential lasts that asked for it:
// part sends what there is, and waits for it no longer than a round. The end of the service,
// and of the request, end the stream without a word.
func (s *Server) follow(r *http.Request, actor auth.Actor, out *writer, follow bool, part func(ctx context.Context) error) error {
	ctx := r.Context()
	for {
		if err := s.part(ctx, part); err != nil {
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
	}
}

func (s *Server) part(ctx context.Context, send func(ctx context.Context) error) error {
	ctx, done := s.Page(ctx)
	defer done()
	return send(ctx)
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
	if follow, err = isFollowed(c); !follow {
		q.Limit = event.MaxLimit
	}
	return q, follow, err
}

// isFollowed tells whether what is still to come is asked for.
func isFollowed(c echo.Context) (bool, error) {
	switch text := c.QueryParam("follow"); text {
	case "", "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, fault.New(fault.Malformed, "follow: %.20q is neither true nor false", text)
	}
}
