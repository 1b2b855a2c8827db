// Package stream sends events of the catalog to browsers and scripts as they happen, as
// server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
//
// There are two kinds of streams. Streams of a topic are for programs with the privilege to
// follow its events. The id of each event is the offset after it, so a client that was
// disconnected and sends the id of its last event continues with the next one: each event is sent
// once, in the order of the change log, across restarts of client and server. Streams of changes
// are for the pages of all users: short notices of changes of entities that the actor may see,
// from a single reader of the log for all streams. A client that is behind, or was disconnected,
// is asked to read again. A list of past changes complements them.
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
	// pollInterval is the longest time for which the end of a credential, of a privilege or of the
	// service may remain unnoticed.
	pollInterval = 2 * time.Second
	// keepAliveInterval is the interval of keep-alive messages, so that no intermediary closes an
	// idle connection.
	keepAliveInterval = 15 * time.Second
	// writeTimeout is the time after which a client that receives nothing is disconnected.
	writeTimeout = 30 * time.Second
	// reconnectMillis is the delay in milliseconds after which clients reconnect.
	reconnectMillis = 3000

	maxTopicStreams    = 128 // half of the pollers that may wait for events
	maxChangeStreams   = 1024
	maxStreamsPerActor = 16
	maxLookbackDays    = 36_500 // largest period to look back, in days
)

// Config holds the dependencies of a Server. All fields are required.
type Config struct {
	Events *event.Service
	// Authenticate returns the actor of a request. It is called repeatedly while a stream is
	// open, so that the stream ends with its credential.
	Authenticate func(ctx context.Context, h http.Header) (auth.Actor, error)
	// Page returns the context for each page; done is called when the page has been sent. So
	// pages reserve memory, and streams do not.
	Page func(ctx context.Context) (of context.Context, done func())
	// Stopping reports that the service is about to stop.
	Stopping func() bool
}

// Server serves streams. It is safe for concurrent use.
type Server struct {
	Config
	topics, changes *counter
}

// New creates a Server.
func New(cfg Config) *Server {
	return &Server{Config: cfg, topics: newCounter("streams of events", maxTopicStreams), changes: newCounter("streams of changes", maxChangeStreams)}
}

// Mount serves the paths below a group of routes.
func (s *Server) Mount(g *echo.Group) {
	g.GET(Path, s.serveTopic, httpserver.RenderWith(renderError))
	g.GET(ChangesPath, s.serveChanges, httpserver.RenderWith(renderError))
	g.GET(OwnedPath, s.serveOwned, httpserver.RenderWith(renderError))
}

// refusal states the actor and the missing privileges, for programs.
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
	release, err := s.topics.acquire(string(actor.URN))
	if err != nil {
		return err
	}
	defer release()
	out := newWriter(c.Response())
	return s.follow(c.Request(), actor, out, follow, func(ctx context.Context) error {
		page, err := s.Events.Poll(ctx, q)
		if err != nil {
			return err
		}
		q.Offset, q.Lookback, q.Wait = page.Offset, 0, pollInterval
		return out.page(q.Topic, &page)
	})
}

// follow sends a stream part by part for as long as the credential of the request is valid. The
// function part sends the available events, and waits for them at most for pollInterval. When
// the service stops or the request ends, the stream ends without a message.
func (s *Server) follow(r *http.Request, actor auth.Actor, out *writer, follow bool, part func(ctx context.Context) error) error {
	ctx := r.Context()
	for {
		if err := s.sendPage(ctx, part); err != nil {
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
		// A new cache for decisions, so that those of the previous round are not reused.
		ctx = auth.WithDecisionCache(auth.WithActor(r.Context(), now))
	}
}

func (s *Server) sendPage(ctx context.Context, send func(ctx context.Context) error) error {
	ctx, done := s.Page(ctx)
	defer done()
	return send(ctx)
}

// query reads the query parameters, and reports whether future events are requested. A browser
// that reconnects sends the id of the last event in a header.
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
		if err != nil || days < 0 || days > maxLookbackDays {
			return q, false, fault.New(fault.Malformed, "lookbackWindowDays: %.20q is not a number of days from 0 to %d", text, maxLookbackDays)
		}
		q.Lookback = time.Duration(days) * 24 * time.Hour
	}
	if follow, err = isFollowed(c); !follow {
		q.Limit = event.MaxLimit
	}
	return q, follow, err
}

// isFollowed reports whether future events are requested.
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
