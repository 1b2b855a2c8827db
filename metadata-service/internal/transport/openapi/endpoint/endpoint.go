// Package endpoint finds the endpoint of a request below /openapi, and decodes what all endpoints
// share: path and query parameters, JSON bodies, preconditions and trace ids. It writes the error
// responses, whose texts clients compare. It calls no service.
//
// Paths contain URNs with slashes, commas and parentheses. So the package matches the escaped path
// itself (see template) instead of leaving that to echo, which has only two routes: the root and
// all paths below it.
package endpoint

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Limits of bodies in bytes, and of the items in them. Loaders send large batches of entities; no
// other requests are large.
const (
	EntityBodyLimit = 64 << 20
	BodyLimit       = 16 << 20
	MaxItems        = 20_000
)

// Endpoint is one method on one path: its description and its handler.
type Endpoint struct {
	spec.Operation
	// RejectedStatus is the status for input that violates a rule of the model; 0 means that of the
	// error kind.
	RejectedStatus int
	// Conditional endpoints support preconditions in HTTP headers when they write one aspect.
	Conditional bool
	Handle      func(*Call) error
}

// InGroup sets the group and the tag of endpoints and returns them.
func InGroup(list []Endpoint, group, tag string) []Endpoint {
	for i := range list {
		list[i].Group, list[i].Tag = group, tag
	}
	return list
}

// Call is the state of one request.
type Call struct {
	echo.Context
	Endpoint      *Endpoint
	PathParams    map[string]string // decoded
	TraceID       string
	ResponseBytes int // bytes of aspect values read for the response so far
}

// Ctx returns the context of the request.
func (c *Call) Ctx() context.Context { return c.Request().Context() }

// NotFound responds that nothing is stored at an address that could hold a value. A header
// distinguishes this response from that for an unknown path.
func (c *Call) NotFound() error {
	c.Response().Header().Set(spec.ReasonHeader, "ENTITY")
	return c.NoContent(http.StatusNotFound)
}

// NoEndpoint returns the error for the path of the request, as if no endpoint had it.
func (c *Call) NoEndpoint() error {
	r := c.Request()
	return &routeError{method: r.Method, path: r.URL.EscapedPath()}
}

// Router passes requests to endpoints. It is safe for concurrent use.
type Router struct {
	resources []*resource
	resolve   func(text string) error
	now       func() time.Time
}

// NewRouter returns a Router. The function resolve returns the error of a text that is not the URN
// of an entity.
func NewRouter(endpoints []Endpoint, resolve func(text string) error, now func() time.Time) *Router {
	return &Router{resources: resourcesOf(endpoints), resolve: resolve, now: now}
}

// Serve serves a request.
func (r *Router) Serve(ec echo.Context) error {
	c := &Call{Context: ec}
	var parent string
	c.TraceID, parent = traceOf(c.Ctx(), r.now())
	c.Response().Header().Set(traceHeader, parent)
	method, escaped := c.Request().Method, httpserver.EscapedRest(ec)
	res, path, err := r.find(escaped)
	if err != nil {
		return err
	}
	if res == nil {
		if err := r.badURN(escaped); err != nil {
			return err
		}
		return c.NoEndpoint()
	}
	e := res.endpoints[method]
	if e == nil {
		c.Response().Header().Set(echo.HeaderAllow, res.allow)
		return fault.New(fault.Unsupported, "%s does not take %s, it takes %s", res.pattern(), method, res.allow)
	}
	c.Endpoint, c.PathParams = e, path
	c.SetPath(spec.Root + e.Path)
	c.Set(endpointKey, e)
	if err := c.refusePreconditions(); err != nil {
		return err
	}
	return e.Handle(c)
}

// Match returns the pattern of an escaped path below the root and its decoded parameters. The
// pattern is empty when no endpoint has the path.
func (r *Router) Match(escaped string) (pattern string, params map[string]string, err error) {
	res, params, err := r.find(escaped)
	if res == nil {
		return "", nil, err
	}
	return res.pattern(), params, err
}

// find returns the resource for an escaped path below the root, and the decoded path parameters.
// The resource is nil when no endpoint has the path.
func (r *Router) find(escaped string) (*resource, map[string]string, error) {
	segments := splitPath(escaped)
	for _, res := range r.resources {
		raw, ok := res.template.match(segments)
		if !ok {
			continue
		}
		path, err := decodeParams(raw)
		return res, path, err
	}
	return nil, nil, nil
}

// badURN returns the error for the URN in a path that would be the path of an entity, because
// then the endpoint is right and its parameter is wrong. It returns nil for other paths.
func (r *Router) badURN(escaped string) error {
	segments := splitPath(escaped)
	for _, res := range r.resources {
		text, ok := res.template.inPlaceOfURN(segments)
		if !ok {
			continue
		}
		plain, err := url.PathUnescape(text)
		if err != nil {
			return fault.New(fault.Malformed, "path parameter urn is not well percent-encoded")
		}
		return r.resolve(plain)
	}
	return nil
}

// routeError is the error for a path without an endpoint.
type routeError struct{ method, path string }

func (e *routeError) Error() string {
	return fmt.Sprintf("No endpoint %s %s.", e.method, Truncate(e.path))
}
func (e *routeError) FaultKind() fault.Kind { return fault.NotFound }
func (e *routeError) PublicMessage() string { return e.Error() }

// Truncate shortens a text of the request for an error message.
func Truncate(text string) string {
	const readable = 300
	if len(text) <= readable {
		return text
	}
	return strings.ToValidUTF8(text[:readable], "") + "…"
}
