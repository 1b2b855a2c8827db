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

// Deps is what the surface works with. Catalog, Discover, Operations, Statistics, Tests, Health and Now are required.
type Deps struct {
	Catalog    *catalog.Service
	Discover   *discover.Service
	Operations *ops.Service
	Statistics *statistics.Service
	Tests      *metatest.Service
	// Commit changes whenever the model or the binary does: clients cache by it. See Fingerprint.
	Commit string
	// Health is asked by the health paths. It must be quick and safe for concurrent use.
	Health func() Health
	// DeniedStatus answers a missing privilege: 401, which is meant by zero, or 403.
	DeniedStatus int
	// AnswerLimit bounds the values of aspects in one answer, in bytes; 64 MiB when zero. An answer is
	// made in memory, and takes three times as much.
	AnswerLimit int64
	Now         func() time.Time
	// Following tells whether a program follows the changes as executors do, and whether that
	// is known; nil for never.
	Following func() (following, known bool)
}

// Route is one method on one path.
type Route struct {
	Method string
	// Path is relative to the mount point; it is served with a slash at its end, too.
	Path string
	// Actions are the names ?action= may have, sorted; nil for routes without actions.
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
		{Method: http.MethodGet, Path: "/health/detailed", handle: s.detailed},
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

// Renderer answers errors as all routes do.
func Renderer(d Deps) httpserver.ErrorRenderer { return (&handlers{Deps: d}).renderFailure }

// Mount adds all routes to a group, which may stand at any prefix. Who asks must
// be in the context of requests already; /config and /health* work without.
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
		// The router's own answer to a wrong method would bypass the renderer.
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
