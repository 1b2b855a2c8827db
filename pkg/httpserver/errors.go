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

// ErrorRenderer writes the answer to a request that failed. status is the one
// to send unless the protocol says otherwise for a kind; err has a fault.Kind,
// and fault.Message(err) is what users may read. Headers such as Allow and
// Retry-After are set already. Nothing has been written yet.
type ErrorRenderer func(c echo.Context, status int, err error) error

const rendererKey = "httpserver.renderer"

var errPanic = errors.New("panic while handling the request")

// RenderWith makes render responsible for the errors and panics of a group of
// routes. The innermost group decides. A group with middleware also answers the
// unknown paths beneath its prefix, so never give it to one without a prefix
// when others have routes: pass it to the routes themselves there.
func RenderWith(render ErrorRenderer) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			failed := true
			// Deferred for panics; storing it only on failure keeps the usual
			// request free of echo's value map.
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

// RenderJSON answers {"error": message, "status": status}; an internal error
// also tells the request id, by which its log line is found.
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
		// What follows on the connection is the rest of a body nobody wants.
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

// SetRetryAfter tells a client when to try again, in whole seconds rounded up and
// at least one. A value that is there already stays. Errors of the kinds
// fault.Unavailable and fault.Throttled get the header from the frame; handlers
// need this only for such answers that are no errors.
func SetRetryAfter(h http.Header, wait time.Duration) {
	if h.Get(echo.HeaderRetryAfter) != "" {
		return
	}
	seconds := max(1, int64(math.Ceil(wait.Seconds())))
	h.Set(echo.HeaderRetryAfter, strconv.FormatInt(seconds, 10))
}

// classify finds the status, and gives a kind to errors that come from the
// router or the network rather than from our own floors.
func classify(err error) (int, error) {
	var routed *echo.HTTPError
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		// Before the rest: decoders report it as a body they cannot read.
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
