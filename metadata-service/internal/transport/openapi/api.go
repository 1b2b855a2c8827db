package openapi

import (
	"cmp"
	"context"
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
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

const defaultAnswerLimit = 128 << 20

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
	router    *endpoint.Router
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
	endpoints := a.endpoints()
	a.router = endpoint.NewRouter(endpoints, func(text string) error { _, _, err := cfg.Registry.Resolve(text); return err }, a.Now)
	for _, group := range endpoint.Groups(endpoints) {
		a.documents[group] = sync.OnceValue(func() []byte { return a.document(group) })
	}
	return a
}

// document generates the document of a group.
func (a *API) document(group string) []byte {
	cfg := spec.Config{Registry: a.Registry, Version: a.Version}
	for _, op := range a.endpoints() {
		cfg.Operations = append(cfg.Operations, op.Operation)
	}
	return spec.Document(cfg, group)
}

// Mount adds the paths below a group of routes: e.Group("") serves /openapi, e.Group("/gms")
// serves /gms/openapi. It may be called for several groups.
func (a *API) Mount(g *echo.Group) {
	open := g.Group(spec.Root, httpserver.RenderWith(endpoint.RenderError), httpserver.WellFormed)
	open.Any("", a.router.Serve)
	open.Any("/*", a.router.Serve)
}

// Endpoint is one method on one path, with the names of its parameters in braces, and its
// document and summary.
type Endpoint struct{ Method, Path, Group, Summary string }

// Endpoints lists all endpoints, in the order of the OpenAPI documents.
func (a *API) Endpoints() []Endpoint {
	var list []Endpoint
	for _, op := range a.endpoints() {
		list = append(list, Endpoint{op.Method, spec.Root + op.Path, op.Group, op.Summary})
	}
	return list
}
