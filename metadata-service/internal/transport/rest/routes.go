package rest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Deps holds the dependencies of the API. Catalog, Discover, Operations, Statistics, Tests,
// Health and Now are required.
type Deps struct {
	Catalog    *catalog.Service
	Discover   *discover.Service
	Operations *ops.Service
	Statistics *statistics.Service
	Tests      *metatest.Service
	// Commit changes whenever the model or the binary does: clients use it as a cache key. See
	// Fingerprint.
	Commit string
	// Health returns the state for the health paths. It must be fast and safe for concurrent use.
	Health func() Health
	// DeniedStatus is the status for a missing privilege: 401 (also for zero) or 403.
	DeniedStatus int
	// AnswerLimit bounds the aspect values in one response, in bytes; 64 MiB when zero. A
	// response is built in memory and takes three times as much.
	AnswerLimit int64
	Now         func() time.Time
	// Following reports whether a program follows the changes like an executor, and whether that
	// is known; nil means never.
	Following func() (following, known bool)
}

// Route is one method on one path.
type Route struct {
	Method string
	// Path is relative to the mount point. The route also serves it with a trailing slash, unless
	// it ends with a URN.
	Path string
	// Actions are the valid names for ?action=, sorted; nil for routes without actions.
	Actions []string

	handle echo.HandlerFunc
}

// Routes lists all routes.
func Routes(d Deps) []Route {
	d.AnswerLimit = cmp.Or(d.AnswerLimit, defaultAnswerLimit)
	s := &handlers{Deps: d, registry: d.Catalog.Registry}
	return []Route{
		{Method: http.MethodGet, Path: "/config", handle: s.config},
		{Method: http.MethodGet, Path: "/health", handle: s.ready},
		{Method: http.MethodHead, Path: "/health", handle: s.ready},
		{Method: http.MethodGet, Path: "/health/live", handle: s.live},
		{Method: http.MethodGet, Path: "/health/detailed", handle: s.healthDetails},
		{Method: http.MethodGet, Path: "/up", handle: s.up},
		{Method: http.MethodGet, Path: "/check/ready", handle: s.check},

		{Method: http.MethodGet, Path: "/aspects/:urn", handle: s.getAspect},
		actions("/aspects", s.aspectActions()),
		{Method: http.MethodGet, Path: "/entities/:urn", handle: s.getSnapshot},
		{Method: http.MethodGet, Path: "/entities", handle: s.getSnapshots},
		actions("/entities", s.entityActions()),
		{Method: http.MethodGet, Path: "/entitiesV2/:urn", handle: s.getEntity},
		{Method: http.MethodGet, Path: "/entitiesV2", handle: s.getEntities},
		{Method: http.MethodGet, Path: "/entitiesVersionedV2", handle: s.getVersioned},
		actions("/runs", s.runActions()),
		actions("/operations", s.operationActions()),
		actions("/test", s.testActions()),
		actions("/usageStats", s.usageActions()),
		actions("/analytics", s.analyticsActions()),
		{Method: http.MethodGet, Path: "/relationships", handle: s.getRelationships},
		actions("/relationships", s.relationshipActions()),
	}
}

// Renderer returns the error renderer of all routes.
func Renderer(d Deps) httpserver.ErrorRenderer { return (&handlers{Deps: d}).renderFailure }

// Mount adds all routes to a group, which may have any prefix. The context of requests must
// contain the actor; /config and the health paths work without one.
func Mount(g *echo.Group, d Deps) {
	render := httpserver.RenderWith(Renderer(d))
	methods := map[string][]string{}
	var paths []string
	for _, r := range Routes(d) {
		for _, path := range pathVariants(r.Path) {
			g.Add(r.Method, path, r.handle, render, httpserver.WellFormed)
			if methods[path] == nil {
				paths = append(paths, path)
			}
			methods[path] = append(methods[path], r.Method)
		}
	}
	for _, path := range paths {
		// The router's own response to a wrong method would bypass the renderer.
		g.RouteNotFound(path, wrongMethod(methods[path]), render)
	}
}

func pathVariants(path string) []string {
	if strings.HasSuffix(path, ":urn") {
		return []string{path}
	}
	return []string{path, path + "/"}
}

func wrongMethod(allowed []string) echo.HandlerFunc {
	slices.Sort(allowed)
	allow := strings.Join(allowed, ", ")
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, allow)
		return echo.ErrMethodNotAllowed
	}
}
