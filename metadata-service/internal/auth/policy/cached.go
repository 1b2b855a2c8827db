package policy

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Engine decides by some rules, as Root does.
type Engine interface {
	Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error)
	Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error)
	Deciding() []string
}

// Cached is an Engine whose decisions are computed once for each request that has
// a cache of them, see auth.WithDecisionCache. An engine that looks at nothing
// stored decides faster than a cache answers, so it is asked each time. It is safe
// for concurrent use.
type Cached struct{ Engine }

// Decide answers checks, one decision for each in the order asked.
func (c Cached) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	if len(c.Deciding()) == 0 {
		return c.Engine.Decide(ctx, checks)
	}
	return auth.DecideCached(ctx, checks, func(open []auth.Check) ([]auth.Decision, error) { return c.Engine.Decide(ctx, open) })
}
