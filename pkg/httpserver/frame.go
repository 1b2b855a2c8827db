package httpserver

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/logging"
)

const (
	requestIDHeader = echo.HeaderXRequestID
	maxRequestID    = 64
	maxLoggedPath   = 1024

	actorKey = "httpserver.actor"
)

// SetActor records the actor of a request for its access log line.
func SetActor(c echo.Context, actor string) { c.Set(actorKey, actor) }

// frame wraps each request. It is one middleware instead of five, because echo builds the chain
// anew for each request, and because the order of the steps matters.
func (s *Server) frame(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.cfg.Now()
		r := c.Request()
		id := r.Header.Get(requestIDHeader)
		if !validRequestID(id) {
			id = s.cfg.NewID()
		}
		path := r.URL.EscapedPath()
		r.URL.RawPath = path
		c.SetRequest(r.WithContext(logging.WithRequestID(r.Context(), id)))
		c.Response().Header().Set(requestIDHeader, id)
		defer s.accessLine(c, start, path)
		wait := &clientWait{conn: connOf(r.Context())}
		defer s.timeAnswer(c, wait).end()
		defer s.guard(c, wait).end()

		if s.gzip == nil {
			s.answer(next, c, wait)
			return nil
		}
		// An error of closing the writer means that the client has disconnected.
		_ = s.gzip.around(c, func(c echo.Context) error {
			s.answer(next, c, wait)
			return nil
		})
		return nil
	}
}

// answer calls next, or refuses the request, and renders errors.
func (s *Server) answer(next echo.HandlerFunc, c echo.Context, wait *clientWait) {
	leave, err := s.enter(c, wait)
	defer leave()
	if err == nil {
		err = checkAmbiguity(c)
	}
	if err == nil {
		err = s.recovering(next, c)
	}
	if err != nil {
		s.renderError(err, c)
	}
}

// recovering converts a panic into an error, unless the response has begun: then it breaks the
// connection, so that the client does not treat a partial response as complete.
func (s *Server) recovering(next echo.HandlerFunc, c echo.Context) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		s.cfg.Log.ErrorContext(c.Request().Context(), "panic", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
		if c.Response().Committed {
			panic(http.ErrAbortHandler)
		}
		err = errPanic
	}()
	return next(c)
}

// accessLine writes the access log line of a request. It calls the handler of the logger directly:
// the logger would first determine the source position, which the line does not contain.
func (s *Server) accessLine(c echo.Context, start time.Time, path string) {
	ctx, lines := c.Request().Context(), s.cfg.Log.Handler()
	if !lines.Enabled(ctx, slog.LevelInfo) {
		return
	}
	res, end := c.Response(), s.cfg.Now()
	line := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	line.AddAttrs(
		slog.String("method", c.Request().Method),
		slog.String("path", path[:min(len(path), maxLoggedPath)]),
		slog.Int("status", res.Status),
		slog.Duration("took", end.Sub(start)),
		slog.Int64("bytes", res.Size),
	)
	if actor, ok := c.Get(actorKey).(string); ok {
		line.AddAttrs(slog.String("actor", actor))
	}
	// A logger also drops this error, which cannot be reported anywhere.
	_ = lines.Handle(ctx, line)
}

// validRequestID accepts ids of other programs if they are harmless in a log.
func validRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}
