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
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

const root = "/openapi"

// Limits of bodies in bytes, and of items in them. Large batches of entities
// are what loaders send; nothing else here is large.
const (
	entityBodyLimit = 64 << 20
	bodyLimit       = 16 << 20
	maxItems        = 20_000

	defaultAnswerLimit = 128 << 20
)

// Consumers tells how far the followers of the change log have come.
type Consumers interface {
	// Lag has one entry a follower, in a stable order.
	Lag() []ConsumerLag
}

// ConsumerLag is the place of one follower in the change log.
type ConsumerLag struct {
	Name       string // such as "search"
	Timeseries bool   // it follows the documents of time-series aspects
	Position   uint64 // sequence applied last
	Lag        uint64 // entries after it
}

// Config is what an API works with. Catalog, Discover, Operations, Timeline,
// Registry, Consumers, Audit, Events, Webhooks, Lineage and Now are required.
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
	Polled     func(context.Context, event.Topic) // hears of polls that were answered; nil for nobody
	Webhooks   *eventhook.Service
	Lineage    *openlineage.Converter
	Now        func() time.Time
	// Version of the service, shown in documents and system info.
	Version string
	// Flags are the feature flags clients may read without signing in.
	Flags map[string]bool
	// Properties gives the configuration for people who manage the system. Secrets must be
	// masked in it already.
	Properties func() map[string]string
	// AnswerLimit bounds the values of aspects in one answer, in bytes; 0 means 128 MiB.
	AnswerLimit int
}

// API serves the paths under /openapi. It is safe for concurrent use.
type API struct {
	Config
	resources []*resource
	aspects   map[string]string // aspect names by their lower-case form
	documents map[string]func() []byte
	// testSchema is the JSON Schema of definitions of metadata tests.
	testSchema func() []byte
}

// New makes an API.
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

// Mount adds the paths below a group of routes: e.Group("") serves /openapi,
// e.Group("/gms") serves /gms/openapi. It may be called for several groups.
func (a *API) Mount(g *echo.Group) {
	open := g.Group(root, httpserver.RenderWith(renderError), httpserver.WellFormed)
	open.Any("", a.serve)
	open.Any("/*", a.serve)
}

// Endpoint is one method on one path, with the names of its parameters in braces, and
// where and how the documents describe it.
type Endpoint struct{ Method, Path, Group, Summary string }

// Endpoints lists all there are, in the order of the documents.
func (a *API) Endpoints() []Endpoint {
	var list []Endpoint
	for _, op := range a.operations() {
		list = append(list, Endpoint{op.method, root + op.path, op.group, op.summary})
	}
	return list
}

// call is one request on its way through a handler.
type call struct {
	echo.Context
	operation *operation
	path      map[string]string // path parameters, decoded
	traceID   string
	answered  int // bytes of values read for the answer so far
}

func (c *call) ctx() context.Context { return c.Request().Context() }

// json answers with a body that is encoded already.
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
	c.SetPath(root + operation.path)
	c.Set(operationKey, operation)
	if err := c.refusePreconditions(); err != nil {
		return err
	}
	return operation.handle(c)
}

// find looks for the resource at a path below the root, escaped. It is nil when there is none.
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

// badURN tells what is wrong with the URN in a path that would be one of an entity, nil
// for other paths: the endpoint is right, and its parameter is not.
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

// routeError says that no endpoint has the path.
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

// notFound answers that nothing is stored at an address that could hold
// something. Clients tell it from an unknown path by the header.
func (c *call) notFound() error {
	c.Response().Header().Set(reasonHeader, "ENTITY")
	return c.NoContent(http.StatusNotFound)
}
