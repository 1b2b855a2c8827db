package ratelimit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Config limits the requests of each address and of each actor.
type Config struct {
	Enabled bool `config:"enabled"`
	// AddressPerMinute and AddressBurst limit the requests of one client address.
	AddressPerMinute int `config:"address_per_minute"`
	AddressBurst     int `config:"address_burst"`
	// ActorPerMinute and ActorBurst limit the requests of one user or service account.
	ActorPerMinute int `config:"actor_per_minute"`
	ActorBurst     int `config:"actor_burst"`
}

// Address returns the rate of an address.
func (c Config) Address() Rate { return Rate{c.AddressPerMinute, c.AddressBurst} }

// Actor returns the rate of an actor.
func (c Config) Actor() Rate { return Rate{c.ActorPerMinute, c.ActorBurst} }

// DefaultConfig returns a disabled configuration. Its rates are far above those of people and
// pipelines.
func DefaultConfig() Config {
	return Config{AddressPerMinute: 12_000, AddressBurst: 1000, ActorPerMinute: 6000, ActorBurst: 500}
}

// Validate returns all problems.
func (c Config) Validate() (problems []error) {
	for _, setting := range []struct {
		name  string
		value int
	}{
		{"address_per_minute", c.AddressPerMinute}, {"address_burst", c.AddressBurst}, {"actor_per_minute", c.ActorPerMinute}, {"actor_burst", c.ActorBurst},
	} {
		if setting.value < 1 {
			problems = append(problems, fmt.Errorf("rate_limits.%s: must be at least 1, is %d", setting.name, setting.value))
		}
	}
	return problems
}

// Headers that DataHub clients evaluate.
const (
	SourceHeader = "X-DataHub-RateLimit-Source"
	RuleHeader   = "X-DataHub-RateLimit-Rule"
	TypeHeader   = "X-DataHub-RateLimit-Type"
)

// Names of rules in a header and in metrics.
const (
	ByAddress = "address"
	ByActor   = "actor"
)

// Limiter limits requests by a rule. A nil Limiter limits nothing.
type Limiter struct {
	rule    string
	quiet   bool
	buckets *Buckets
	key     func(echo.Context) string
}

// NewLimiter creates a Limiter; key returns the key of a request, empty for a request without a
// limit.
func NewLimiter(rule string, r Rate, key func(echo.Context) string, now func() time.Time) *Limiter {
	return &Limiter{rule: rule, buckets: NewBuckets(r, 0, now), key: key}
}

// Quiet makes the Limiter set its headers only in refusals, for use in front of another Limiter.
func (l *Limiter) Quiet() *Limiter {
	l.quiet = true
	return l
}

// AddressKey returns the network of the client address of a request.
func AddressKey(c echo.Context) string { return Network(c.RealIP()) }

// Middleware answers requests beyond the rate with an error of kind fault.Throttled. It does not
// limit probes, or the sign-in calls of the proxy, which have separate limits.
func (l *Limiter) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if l == nil {
			return next
		}
		return func(c echo.Context) error {
			key := l.key(c)
			if key == "" || isOpen(c.Request().URL.EscapedPath()) {
				return next(c)
			}
			header := c.Response().Header()
			wait := l.buckets.Take(key)
			if wait > 0 || !l.quiet && header.Get(RuleHeader) == "" {
				header.Set(SourceHeader, "servlet-filter")
				header.Set(RuleHeader, l.rule)
			}
			if wait > 0 {
				header.Set(TypeHeader, "capacity")
				return &limitError{wait}
			}
			return next(c)
		}
	}
}

// Refused returns the number of refused requests.
func (l *Limiter) Refused() uint64 {
	if l == nil {
		return 0
	}
	return l.buckets.Refused()
}

// isOpen reports whether a path is never limited.
func isOpen(path string) bool {
	for _, prefix := range []string{"/api/gms", "/gms"} {
		if rest, ok := strings.CutPrefix(path, prefix+"/"); ok {
			path = "/" + rest
			break
		}
	}
	return slices.Contains([]string{"/health", "/health/live", "/actuator/prometheus", "/metrics", "/admin"}, path) ||
		strings.HasPrefix(path, "/openapi/v1/rate-limits/") || strings.HasPrefix(path, "/auth/")
}

// limitError carries the time to wait.
type limitError struct{ wait time.Duration }

func (*limitError) Error() string               { return "Rate limit exceeded" }
func (*limitError) FaultKind() fault.Kind       { return fault.Throttled }
func (e *limitError) PublicMessage() string     { return e.Error() }
func (e *limitError) RetryAfter() time.Duration { return e.wait }

// Is makes errors.Is(err, fault.Throttled) true.
func (*limitError) Is(target error) bool { return target == fault.Throttled }

// NewWaitError returns the error for an attempt that has to wait.
func NewWaitError(wait time.Duration, message string) error {
	return &waitError{limitError{wait}, message}
}

type waitError struct {
	limitError
	message string
}

func (e *waitError) Error() string         { return e.message }
func (e *waitError) PublicMessage() string { return e.message }
