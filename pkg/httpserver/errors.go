package httpserver

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

// ErrorRenderer writes the response to a failed request. It should send status, unless its protocol
// requires another status for a kind. err has a fault.Kind, and fault.Message(err) is the message
// for users. Headers such as Allow and Retry-After are already set. Nothing has been written yet.
type ErrorRenderer func(c echo.Context, status int, err error) error

const rendererKey = "httpserver.renderer"

var errPanic = errors.New("panic while handling the request")

// RenderWith sets the ErrorRenderer for errors and panics of a group of routes. The innermost group
// applies. A group with middleware also answers unknown paths below its prefix. Therefore never use
// it on a group without a prefix if other groups have routes: add it to the routes themselves in
// that case.
func RenderWith(render ErrorRenderer) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			failed := true
			// Deferred because of panics. Storing the value only on failure avoids the allocation
			// of echo's value map for successful requests.
			defer func() {
				if failed && c.Get(rendererKey) == nil {
					c.Set(rendererKey, render)
				}
			}()
			err := next(c)
			failed = err != nil
			return err
		}
	}
}

// RenderJSON sends {"error": message, "status": status}. For an internal error it adds the request
// id, which identifies the log line.
func RenderJSON(c echo.Context, status int, err error) error {
	if c.Request().Method == http.MethodHead {
		return c.NoContent(status)
	}
	body := errorBody{Error: fault.Message(err), Status: status}
	if fault.KindOf(err) == fault.Internal {
		body.RequestID = logging.RequestID(c.Request().Context())
	}
	return c.JSON(status, body)
}

type errorBody struct {
	Error     string `json:"error"`
	Status    int    `json:"status"`
	RequestID string `json:"requestId,omitempty"`
}

func (s *Server) renderError(err error, c echo.Context) {
	ctx := c.Request().Context()
	status, err := classify(err)
	if allowed := c.Response().Header().Get(echo.HeaderAllow); status == http.StatusMethodNotAllowed && allowed != "" {
		err = fault.New(fault.Unsupported, "this path does not take this method, only %s", allowed)
	}
	if fault.KindOf(err) == fault.Internal && !errors.Is(err, errPanic) {
		s.cfg.Log.ErrorContext(ctx, "request failed", "error", err)
	}
	if c.Response().Committed {
		return
	}
	if status == http.StatusRequestEntityTooLarge || status == http.StatusRequestTimeout {
		// The following data on the connection is the unread rest of the body.
		c.Response().Header().Set("Connection", "close")
	}
	if wait, ok := fault.RetryAfter(err); ok {
		SetRetryAfter(c.Response().Header(), wait)
	}
	render, ok := c.Get(rendererKey).(ErrorRenderer)
	if !ok {
		render = RenderJSON
	}
	if err := render(c, status, err); err != nil {
		s.cfg.Log.DebugContext(ctx, "answer not written", "error", err)
	}
}

// SetRetryAfter sets the header Retry-After, in whole seconds rounded up and at least one. An
// existing value stays. The frame sets the header for errors of the kinds fault.Unavailable and
// fault.Throttled; handlers need this function only for responses that are not errors.
func SetRetryAfter(h http.Header, wait time.Duration) {
	if h.Get(echo.HeaderRetryAfter) != "" {
		return
	}
	seconds := max(1, int64(math.Ceil(wait.Seconds())))
	h.Set(echo.HeaderRetryAfter, strconv.FormatInt(seconds, 10))
}

// classify returns the status of an error, and assigns a kind to errors of the router or the
// network.
func classify(err error) (int, error) {
	var routed *echo.HTTPError
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		// This case comes first: decoders report it as an unreadable body.
		err = tooLarge(tooLong.Limit)
	case isTimeout(err):
		return http.StatusRequestTimeout, err
	case fault.KindOf(err) != fault.Internal:
	case errors.As(err, &routed):
		return routed.Code, fromRouter(routed)
	case errors.Is(err, context.Canceled):
		err = fault.Wrap(err, fault.Canceled, "the request was canceled")
	}
	return fault.KindOf(err).Status(), err
}

func fromRouter(e *echo.HTTPError) error {
	switch {
	case e.Code == http.StatusNotFound:
		return fault.New(fault.NotFound, "there is nothing at this path")
	case e.Code == http.StatusMethodNotAllowed:
		return fault.New(fault.Unsupported, "this path does not take this method")
	case e.Code >= http.StatusInternalServerError:
		return e
	}
	return fault.Wrap(e, fault.Malformed, "%v", e.Message)
}
