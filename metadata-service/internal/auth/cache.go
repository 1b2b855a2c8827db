package auth

import (
	"context"
	"strconv"
	"strings"
	"sync"
)

// maxCached bounds the decisions that are kept for one request.
const maxCached = 20_000

// decisionCache holds the decisions of one request.
type decisionCache struct {
	mu      sync.Mutex
	decided map[string]Decision
}

type cacheKey struct{}

// WithDecisionCache gives a request a cache of its decisions: the same question is
// then decided once, and by one state of the rules, until the request writes.
func WithDecisionCache(ctx context.Context) context.Context {
	return context.WithValue(ctx, cacheKey{}, &decisionCache{decided: map[string]Decision{}})
}

// ForgetDecisions empties the cache of a request, since what it wrote may decide
// otherwise. Without a cache it does nothing.
func ForgetDecisions(ctx context.Context) {
	if c, ok := ctx.Value(cacheKey{}).(*decisionCache); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		clear(c.decided)
	}
}

// DecideCached answers checks from the cache of the request, and asks decide about
// the others, all in one call. Errors are not kept. Of goroutines that ask the same
// at once each may decide. It is safe for concurrent use.
func DecideCached(ctx context.Context, checks []Check, decide func([]Check) ([]Decision, error)) ([]Decision, error) {
	c, ok := ctx.Value(cacheKey{}).(*decisionCache)
	actor, known := ActorFrom(ctx)
	if !ok || !known || actor.System {
		return decide(checks)
	}
	keys := make([]string, len(checks))
	for i := range checks {
		keys[i] = checks[i].key(actor)
	}
	out := make([]Decision, len(checks))
	open := c.take(keys, out)
	if len(open) == 0 {
		return out, nil
	}
	asked := make([]Check, len(open))
	for i, at := range open {
		asked[i] = checks[at]
	}
	decided, err := decide(asked)
	if err != nil {
		return nil, err
	}
	for i, at := range open {
		out[at] = decided[i]
	}
	c.keep(keys, open, decided)
	return out, nil
}

// take fills in what is known and gives the places of the rest.
func (c *decisionCache) take(keys []string, out []Decision) (open []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, key := range keys {
		d, ok := c.decided[key]
		if !ok {
			open = append(open, i)
		}
		out[i] = d
	}
	return open
}

func (c *decisionCache) keep(keys []string, open []int, decided []Decision) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, at := range open {
		if len(c.decided) < maxCached {
			c.decided[keys[at]] = decided[i]
		}
	}
}

// key is the same for checks that ask the same of one actor, and for no others.
func (c *Check) key(actor Actor) string {
	var b strings.Builder
	part := func(text string) {
		b.WriteString(strconv.Itoa(len(text)))
		b.WriteByte(':')
		b.WriteString(text)
	}
	part(string(actor.URN))
	part(string(c.Operation))
	part(c.Type)
	part(c.Aspect)
	part(strconv.FormatBool(c.AnyEntity))
	list(part, c.AnyOf)
	list(part, c.Entities)
	list(part, c.Tags)
	list(part, c.Domains)
	return b.String()
}

func list[T ~string](part func(string), texts []T) {
	part(strconv.Itoa(len(texts)))
	for _, text := range texts {
		part(string(text))
	}
}
