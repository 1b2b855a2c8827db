package gateway

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// methods lists the forwarded methods; GraphQL accepts only POST.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// otherMethods are refused at every path of the table.
var otherMethods = []string{http.MethodOptions, http.MethodTrace, http.MethodConnect, echo.PROPFIND, echo.REPORT}

// route maps paths of the proxy to paths of the service.
type route struct {
	// pattern is matched against the escaped path.
	pattern string
	methods []string
	// strip is the prefix to remove.
	strip string
	// to is the target of all matching paths; if empty, the target is the path itself without the
	// prefix.
	to string
}

// routes returns the path table: all paths that the proxy forwards to the service.
func routes() []route {
	post := []string{http.MethodPost}
	return []route{
		{pattern: "/api/graphql", methods: post, to: graphqlPath},
		{pattern: "/api/v2/graphql", methods: post, to: graphqlPath},
		// The command line derives this path from a base address that ends in /api/gms.
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

// matches reports whether the router assigns a path to the route.
func (r route) matches(path string) bool {
	start, open := strings.CutSuffix(r.pattern, "*")
	return path == r.pattern || open && strings.HasPrefix(path, start)
}

const (
	graphqlPath = "/api/graphql"
	mcpPath     = "/mcp"
)

// jsonPaths are the paths where the service accepts JSON that changes data, whatever its
// Content-Type: GraphQL, and tool calls.
var jsonPaths = []string{graphqlPath, "/api/v2/graphql", mcpPath}

// privateSegments are the first segments of paths for the proxy, operators and probes. The gateway
// answers 404 for them.
var privateSegments = map[string]bool{"auth": true, "actuator": true, "metrics": true}

// openPaths need no credential; a trailing * matches the rest.
var openPaths = []string{
	"/config", "/config/search/export", "/health", "/health/live", "/health/detailed",
	"/openapi/operations/dev/featureFlags", "/openapi/operations/dev/featureFlags/*",
	"/assets/platforms/*",
}

// memberPaths require a session or a token at the proxy, although they are open at the service:
// browsers are redirected to sign in before they get a page that shows nothing without a session.
// Each is the prefix of a normalized path.
var memberPaths = []string{"/openapi/swagger-ui"}

// ingestPaths accept large bodies. Each is the prefix of a path.
var ingestPaths = []string{
	"/aspects", "/entities", "/openapi/v1/entity", "/openapi/v2/entity", "/openapi/v3/entity", "/openapi/entities/",
	"/openapi/v2/timeseries", "/openapi/openlineage/",
}
