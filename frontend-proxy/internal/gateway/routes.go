package gateway

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// methods are what goes through; GraphQL takes POST alone.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// otherMethods are refused at every path of the table.
var otherMethods = []string{http.MethodOptions, http.MethodTrace, http.MethodConnect, echo.PROPFIND, echo.REPORT}

// route says which paths go to the service, and where they arrive there.
type route struct {
	// pattern is matched by the router against the escaped path.
	pattern string
	methods []string
	// strip is taken off the front.
	strip string
	// to is where all of the pattern arrives; empty is the path itself, stripped.
	to string
}

// routes is the path table: everything the proxy hands to the service.
func routes() []route {
	post := []string{http.MethodPost}
	return []route{
		{pattern: "/api/graphql", methods: post, to: graphqlPath},
		{pattern: "/api/v2/graphql", methods: post, to: graphqlPath},
		// The command line derives this one from a base address that ends in /api/gms.
		{pattern: "/api/api/v2/graphql", methods: post, to: graphqlPath},
		{pattern: "/api/gms", methods: methods, strip: "/api/gms"},
		{pattern: "/api/gms/*", methods: methods, strip: "/api/gms"},
		{pattern: "/gms", methods: methods, strip: "/gms"},
		{pattern: "/gms/*", methods: methods, strip: "/gms"},
		{pattern: mcpPath, methods: methods},
		{pattern: "/events/stream", methods: []string{http.MethodGet}},
		{pattern: "/events/changes", methods: []string{http.MethodGet}},
		{pattern: "/events/owned", methods: []string{http.MethodGet}},
		{pattern: "/assets/platforms/*", methods: []string{http.MethodGet, http.MethodHead}},
		{pattern: "/openapi", methods: methods},
		{pattern: "/openapi/*", methods: methods},
	}
}

// matches tells whether the router hands a path to the route.
func (r route) matches(path string) bool {
	start, open := strings.CutSuffix(r.pattern, "*")
	return path == r.pattern || open && strings.HasPrefix(path, start)
}

const (
	graphqlPath = "/api/graphql"
	mcpPath     = "/mcp"
)

// jsonPaths are where the service takes documents that change things, whatever they are
// declared as: GraphQL, and calls of tools.
var jsonPaths = []string{graphqlPath, "/api/v2/graphql", mcpPath}

// privateSegments are the first parts of paths that answer the proxy, operators and
// probes. The gateway answers 404 for them.
var privateSegments = map[string]bool{"auth": true, "actuator": true, "metrics": true}

// openPaths are answered without a credential; a trailing * stands for the rest.
var openPaths = []string{
	"/config", "/config/search/export", "/health", "/health/live", "/health/detailed",
	"/openapi/operations/dev/featureFlags", "/openapi/operations/dev/featureFlags/*",
	"/assets/platforms/*",
}

// memberPaths want a session or a token here, although the service answers them to
// everybody: browsers are sent to sign in before a page that shows nothing without. Each is
// the start of a normalized path.
var memberPaths = []string{"/openapi/swagger-ui"}

// ingestPaths take large bodies. Each is the start of a path.
var ingestPaths = []string{
	"/aspects", "/entities", "/openapi/v1/entity", "/openapi/v2/entity", "/openapi/v3/entity", "/openapi/entities/",
	"/openapi/v2/timeseries", "/openapi/openlineage/",
}
