package audit

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Observe records refusals of requests: for lack of a privilege, for a bad credential, or for too
// many requests. Register it outside of the middleware that finds actors.
func (l *Log) Observe() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if l == nil {
			return next
		}
		return func(c echo.Context) error {
			r := c.Request()
			ctx := auth.WithRefusals(store.WithCaller(r.Context(), callerOf(c)))
			c.SetRequest(r.WithContext(ctx))
			err := next(c)
			l.observe(c, err)
			return err
		}
	}
}

// Identify adds the access token to the caller of the request. Register it inside of the middleware
// that finds actors.
func Identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx := c.Request().Context()
		actor, _ := auth.ActorFrom(ctx)
		if caller := store.CallerOf(ctx); caller != nil && actor.TokenID != "" {
			known := *caller
			known.Token = actor.TokenID
			c.SetRequest(c.Request().WithContext(store.WithCaller(ctx, known)))
		}
		return next(c)
	}
}

func callerOf(c echo.Context) store.Caller {
	r := c.Request()
	return store.Caller{
		Request: logging.RequestID(r.Context()), Address: c.RealIP(), Agent: r.UserAgent(), Door: doorOf(r.URL.EscapedPath()),
	}
}

// doorOf returns the interface of a path. Calls of the proxy for signing in have none.
func doorOf(path string) string {
	for _, prefix := range []string{"/gms/", "/api/gms/"} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			path = "/" + rest
			break
		}
	}
	switch {
	case strings.HasPrefix(path, "/openapi/"):
		return "OPENAPI"
	case path == "/api/graphql", path == "/api/v2/graphql":
		return "GRAPHQL"
	case path == "/mcp":
		return "MCP"
	case strings.HasPrefix(path, "/auth/"):
		return ""
	}
	return "RESTLI"
}

// observe records the refusals of a request.
func (l *Log) observe(c echo.Context, err error) {
	// The context set by the inner middleware, with the actor.
	ctx := c.Request().Context()
	for _, refusal := range auth.Refusals(ctx) {
		l.refused(ctx, c, refusal)
	}
	switch kind := fault.KindOf(err); {
	case err != nil && kind == fault.Forbidden:
		l.refused(ctx, c, err)
	case err != nil && kind == fault.Throttled:
		l.Record(ctx, Event{Type: Throttled, Actor: actorOf(ctx), Operation: operationOf(c), Reason: fault.Message(err)})
	case err != nil && kind == fault.Unauthenticated, err == nil && c.Response().Status == http.StatusUnauthorized:
		l.Record(ctx, Event{Type: RefusedCredential, Actor: unknownActor, Operation: operationOf(c), Reason: credentialReason(c)})
	}
}

func (l *Log) refused(ctx context.Context, c echo.Context, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	e := Event{Type: RefusedAction, Actor: actorOf(ctx), Operation: operationOf(c), Reason: fault.Message(err)}
	for _, m := range fault.RefusalOf(err).Missing {
		if e.Entity == "" {
			e.Entity = entityOf(m.Resource)
		}
		for _, p := range m.Privileges {
			if !strings.Contains(","+e.Privileges+",", ","+p+",") {
				e.Privileges = strings.TrimPrefix(e.Privileges+","+p, ",")
			}
		}
	}
	l.Record(ctx, e)
}

// entityOf returns the resource of a refusal if it is one entity.
func entityOf(resource string) urn.URN {
	u, err := urn.Parse(resource)
	if err != nil {
		return ""
	}
	return u
}

// operationOf uses the pattern of the route, since a path may contain secrets.
func operationOf(c echo.Context) string { return c.Request().Method + " " + c.Path() }

// credentialReason distinguishes a bad credential from a missing one by the challenge in the
// answer.
func credentialReason(c echo.Context) string {
	switch challenge := c.Response().Header().Get(echo.HeaderWWWAuthenticate); {
	case strings.Contains(challenge, "invalid_token"):
		return "the credential is not valid"
	case challenge != "":
		return "no credential was sent"
	}
	return "nobody is signed in"
}

func actorOf(ctx context.Context) urn.URN {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return unknownActor
	}
	return actor.URN
}
