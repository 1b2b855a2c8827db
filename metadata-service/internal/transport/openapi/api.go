package openapi

import (
	"cmp"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

const defaultAnswerLimit = 128 << 20

// Config holds the dependencies of an API. All are required unless stated otherwise. The endpoints
// for version sets need Versions.
type Config struct {
	system.Config
	Versions *version.Service
	// AnswerLimit bounds the aspect values in one response, in bytes; 0 means 128 MiB.
	AnswerLimit int
}

// API serves the paths under /openapi. It is safe for concurrent use.
type API struct {
	Config
	system    *system.API
	router    *endpoint.Router
	aspects   endpoint.AspectNames
	documents map[string]func() []byte
}

// New creates an API. OpenAPI documents are generated on their first use.
func New(cfg Config) *API {
	a := &API{Config: cfg, aspects: endpoint.NewAspectNames(cfg.Registry), documents: map[string]func() []byte{}}
	a.system = system.New(cfg.Config, func(group string) func() []byte { return a.documents[group] })
	a.AnswerLimit = cmp.Or(cfg.AnswerLimit, defaultAnswerLimit)
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
