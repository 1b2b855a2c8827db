package openapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/auditlog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Limits of bodies in bytes, and of the items in them. Loaders send large batches of entities; no
// other requests are large.
const (
	entityBodyLimit = 64 << 20
	bodyLimit       = 16 << 20
	maxItems        = 20_000

	defaultAnswerLimit = 128 << 20
)

// Consumers reports the progress of the followers of the change log.
type Consumers interface {
	// Lag returns one entry for each follower, in a stable order.
	Lag() []ConsumerLag
}

// ConsumerLag is the position of one follower in the change log.
type ConsumerLag struct {
	Name       string // such as "search"
	Timeseries bool   // it follows the documents of time-series aspects
	Position   uint64 // sequence number of the last applied entry
	Lag        uint64 // number of entries after it
}

// Config holds the dependencies of an API. Catalog, Discover, Operations, Timeline, Registry,
// Consumers, Audit, Events, Webhooks, Lineage and Now are required. The endpoints for version
// sets need Versions, those that explain decisions need Access.
type Config struct {
	Catalog    *catalog.Service
	Discover   *discover.Service
	Operations *ops.Service
	Timeline   *timeline.Service
	Versions   *version.Service
	Access     *access.Service
	Registry   *model.Registry
	Consumers  Consumers
	Audit      *auditlog.Service
	Events     *event.Service
	Polled     func(context.Context, event.Topic) // called after each answered poll; may be nil
	Webhooks   *eventhook.Service
	Lineage    *openlineage.Converter
	Now        func() time.Time
	// Version of the service, shown in OpenAPI documents and system information.
	Version string
	// Flags are the feature flags that clients may read without authentication.
	Flags map[string]bool
	// Properties returns the configuration for actors that manage the system. Secrets must be
	// masked in it already. It may be nil.
	Properties func() map[string]string
	// AnswerLimit bounds the aspect values in one response, in bytes; 0 means 128 MiB.
	AnswerLimit int
}

// API serves the paths under /openapi. It is safe for concurrent use.
type API struct {
	Config
	resources []*resource
	aspects   map[string]string // aspect names by their lower-case form
	documents map[string]func() []byte
	// testSchema is the JSON Schema for definitions of metadata tests.
	testSchema func() []byte
}

// New creates an API. OpenAPI documents are generated on their first use.
func New(cfg Config) *API {
	a := &API{Config: cfg, aspects: map[string]string{}, documents: map[string]func() []byte{}}
	a.testSchema = sync.OnceValue(func() []byte { return metatest.Schema(cfg.Registry) })
	a.AnswerLimit = cmp.Or(cfg.AnswerLimit, defaultAnswerLimit)
	for _, spec := range cfg.Registry.Aspects() {
		a.aspects[strings.ToLower(spec.Name)] = spec.Name
	}
	operations := a.operations()
	a.resources = resourcesOf(operations)
	for _, group := range groupsOf(operations) {
		a.documents[group] = sync.OnceValue(func() []byte { return a.document(group) })
	}
	return a
}

// document generates the document of a group.
func (a *API) document(group string) []byte {
	cfg := spec.Config{Registry: a.Registry, Version: a.Version}
	for _, op := range a.operations() {
		cfg.Operations = append(cfg.Operations, op.Operation)
	}
	return spec.Document(cfg, group)
}

// Mount adds the paths below a group of routes: e.Group("") serves /openapi, e.Group("/gms")
// serves /gms/openapi. It may be called for several groups.
func (a *API) Mount(g *echo.Group) {
	open := g.Group(spec.Root, httpserver.RenderWith(renderError), httpserver.WellFormed)
	open.Any("", a.serve)
	open.Any("/*", a.serve)
}

// Endpoint is one method on one path, with the names of its parameters in braces, and its
// document and summary.
type Endpoint struct{ Method, Path, Group, Summary string }

// Endpoints lists all endpoints, in the order of the OpenAPI documents.
func (a *API) Endpoints() []Endpoint {
	var list []Endpoint
	for _, op := range a.operations() {
		list = append(list, Endpoint{op.Method, spec.Root + op.Path, op.Group, op.Summary})
	}
	return list
}

// call is the state of one request.
type call struct {
	echo.Context
	operation     *operation
	path          map[string]string // path parameters, decoded
	traceID       string
	responseBytes int // bytes of aspect values read for the response so far
}

func (c *call) ctx() context.Context { return c.Request().Context() }

// json responds with an encoded body.
func (c *call) json(status int, body []byte) error { return c.JSONBlob(status, body) }

func (a *API) serve(ec echo.Context) error {
	c := &call{Context: ec}
	var parent string
	c.traceID, parent = traceOf(c.ctx(), a.Now())
	c.Response().Header().Set(traceHeader, parent)
	r := c.Request()
	res, path, err := a.find(httpserver.EscapedRest(ec))
	if err != nil {
		return err
	}
	if res == nil {
		if err := a.badURN(httpserver.EscapedRest(ec)); err != nil {
			return err
		}
		return &routeError{method: r.Method, path: r.URL.EscapedPath()}
	}
	operation := res.operations[r.Method]
	if operation == nil {
		c.Response().Header().Set(echo.HeaderAllow, res.allow)
		return fault.New(fault.Unsupported, "%s does not take %s, it takes %s", res.pattern(), r.Method, res.allow)
	}
	c.operation, c.path = operation, path
	c.SetPath(spec.Root + operation.Path)
	c.Set(operationKey, operation)
	if err := c.refusePreconditions(); err != nil {
		return err
	}
	return operation.handle(c)
}

// find returns the resource for an escaped path below the root, and the decoded path parameters.
// The resource is nil when no endpoint has the path.
func (a *API) find(escaped string) (*resource, map[string]string, error) {
	segments := splitPath(escaped)
	for _, res := range a.resources {
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
func (a *API) badURN(escaped string) error {
	segments := splitPath(escaped)
	for _, res := range a.resources {
		text, ok := res.template.inPlaceOfURN(segments)
		if !ok {
			continue
		}
		plain, err := url.PathUnescape(text)
		if err != nil {
			return fault.New(fault.Malformed, "path parameter urn is not well percent-encoded")
		}
		_, _, err = a.Registry.Resolve(plain)
		return err
	}
	return nil
}

// routeError is the error for a path without an endpoint.
type routeError struct{ method, path string }

func (e *routeError) Error() string {
	return fmt.Sprintf("No endpoint %s %s.", e.method, truncate(e.path))
}
func (e *routeError) FaultKind() fault.Kind { return fault.NotFound }
func (e *routeError) PublicMessage() string { return e.Error() }

func truncate(text string) string {
	const readable = 300
	if len(text) <= readable {
		return text
	}
	return strings.ToValidUTF8(text[:readable], "") + "…"
}

// notFound responds that nothing is stored at an address that could hold a value. A header
// distinguishes this response from that for an unknown path.
func (c *call) notFound() error {
	c.Response().Header().Set(spec.ReasonHeader, "ENTITY")
	return c.NoContent(http.StatusNotFound)
}
