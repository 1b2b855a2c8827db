package app

import (
	"errors"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/ratelimit"
)

// guessDelays slow down attempts to guess the system credential.
var guessDelays = ratelimit.Delays{Free: 10, First: time.Second, Longest: time.Minute, Forget: time.Hour}

// limiters limit requests; nil limiters are off.
type limiters struct {
	address, actor *ratelimit.Limiter
	secretAttempts *ratelimit.Attempts // for the system credential
}

func (a *App) newLimiters() limiters {
	l := limiters{secretAttempts: ratelimit.NewAttempts(guessDelays, 0, a.now)}
	if a.cfg.RateLimits.Enabled {
		l.address = ratelimit.NewLimiter(ratelimit.ByAddress, a.cfg.RateLimits.Address(), ratelimit.AddressKey, a.now)
		l.actor = ratelimit.NewLimiter(ratelimit.ByActor, a.cfg.RateLimits.Actor(), actorKey, a.now)
	}
	return l
}

// refusals returns the number of refusals by rule, for metrics.
func (l *limiters) refusals() map[string]uint64 {
	return map[string]uint64{
		ratelimit.ByAddress: l.address.Refused(), ratelimit.ByActor: l.actor.Refused(), "system credential": l.secretAttempts.Refused(),
	}
}

// actorKey returns the actor of a request. The service itself and the proxy are not limited.
func actorKey(c echo.Context) string {
	actor, ok := auth.ActorFrom(c.Request().Context())
	if !ok || actor.System {
		return ""
	}
	return string(actor.URN)
}

// renderLimits renders errors of requests that were refused before routing in the format of the
// requested API.
func renderLimits(native httpserver.ErrorRenderer) httpserver.ErrorRenderer {
	return func(c echo.Context, status int, err error) error {
		path := c.Request().URL.EscapedPath()
		if !errors.Is(err, fault.Throttled) || strings.Contains(path, "/openapi/") || strings.HasSuffix(path, "/graphql") {
			return httpserver.RenderJSON(c, status, err)
		}
		return native(c, status, err)
	}
}
