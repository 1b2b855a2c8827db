package tracing

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartulary/cartulary/pkg/logging"
)

// Names of the headers of W3C Trace Context.
const (
	ParentHeader = "traceparent"
	StateHeader  = "tracestate"
)

// LogKey is the log attribute with the trace id of a request.
const LogKey = "trace_id"

var w3c propagation.TraceContext

// unobserved lists the paths of probes and scrapers, whose requests are frequent and uniform.
var unobserved = []string{"/health", "/admin", "/metrics", "/actuator/prometheus"}

// Middleware records a span for each request, and adds the trace id to the log lines of the
// request. It continues the trace of the request headers if proven reports that another program of
// the installation sent the request, or if the connection comes from a trusted network. It must be
// in front of all handlers that may respond. It renders errors itself, because the status is known
// only afterwards. Do not call it on a nil Tracer.
func (t *Tracer) Middleware(proven func(*http.Request) bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if slices.Contains(unobserved, r.URL.Path) {
				return next(c)
			}
			ctx := r.Context()
			if proven != nil && proven(r) || t.trusts(r) {
				ctx = w3c.Extract(ctx, propagation.HeaderCarrier(r.Header))
			}
			ctx, span := t.begin(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
			c.SetRequest(r.WithContext(logging.With(ctx, slog.String(LogKey, ID(ctx)))))
			if !span.Recording() {
				return next(c)
			}
			defer span.End(nil) // also of a request that panics
			err := next(c)
			if err != nil {
				c.Error(err)
			}
			span.answered(c)
			return nil
		}
	}
}

// answered adds the route and the result of a request to a span. It does not add the path, which
// may contain URNs.
func (s Span) answered(c echo.Context) {
	route, status := c.Path(), c.Response().Status
	if route == "" {
		route = "unmatched"
	}
	s.span.SetName(method(c.Request().Method) + " " + route)
	s.span.SetAttributes(
		attribute.String("http.request.method", method(c.Request().Method)), attribute.String("http.route", route),
		attribute.Int("http.response.status_code", status), attribute.Int64("http.response.body.size", c.Response().Size),
		attribute.String("cartulary.request_id", logging.RequestID(c.Request().Context())),
	)
	s.Name("url.path", c.Request().URL.Path)
	if status >= 500 {
		s.span.SetStatus(codes.Error, http.StatusText(status))
	}
}

// method prevents arbitrary method names in the names of spans.
func method(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return name
	}
	return "_OTHER"
}

func (t *Tracer) trusts(r *http.Request) bool {
	if len(t.trusted) == 0 {
		return false
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && slices.ContainsFunc(t.trusted, func(p netip.Prefix) bool { return p.Contains(from.Addr().Unmap()) })
}

// Header returns the traceparent header for the current span of ctx, or an empty string if there is
// none.
func Header(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	w3c.Inject(ctx, carrier)
	return carrier[ParentHeader]
}

// Strip removes trace headers of a client before a request is forwarded.
func Strip(h http.Header) {
	h.Del(ParentHeader)
	h.Del(StateHeader)
}

// Transport adds the trace to the requests that base sends, and records a span for each, which ends
// when the response begins.
func Transport(base http.RoundTripper, name string) http.RoundTripper {
	return transport{base, name}
}

type transport struct {
	http.RoundTripper
	name string
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	ctx, span := start(r.Context(), t.name, trace.WithSpanKind(trace.SpanKindClient))
	defer func() { span.End(err) }()
	if trace.SpanContextFromContext(ctx).IsValid() {
		r = r.Clone(ctx)
		Strip(r.Header)
		w3c.Inject(ctx, propagation.HeaderCarrier(r.Header))
	}
	if res, err = t.RoundTripper.RoundTrip(r); err == nil {
		span.Count("http.response.status_code", res.StatusCode)
	}
	return res, err
}
