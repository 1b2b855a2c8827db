package auth

import (
	"context"
	"strconv"
	"strings"
	"sync"
)

// maxCached bounds the decisions that are kept for one request.
const maxCached = 20_000

// decisionCache holds the decisions of one request, and the facts they rest on.
type decisionCache struct {
	mu      sync.Mutex
	decided map[string]Decision
	facts   any
	writes  int // of the request so far
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
		c.facts = nil
		c.writes++
	}
}

// RequestFacts gives what an authorizer keeps for the duration of a request: the
// value that make gave when it was asked first, or first after a write. Without a
// cache in the context it is made anew each time. Only one authorizer may use it.
func RequestFacts[T any](ctx context.Context, make func() T) T {
	c, ok := ctx.Value(cacheKey{}).(*decisionCache)
	if !ok {
		return make()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	facts, ok := c.facts.(T)
	if !ok {
		facts = make()
		c.facts = facts
	}
	return facts
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
	open, writes := c.take(keys, out)
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
	c.keep(keys, open, decided, writes)
	return out, nil
}

// take fills in what is known. It gives the places of the rest, and how much the
// request has written so far.
func (c *decisionCache) take(keys []string, out []Decision) (open []int, writes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, key := range keys {
		d, ok := c.decided[key]
		if !ok {
			open = append(open, i)
		}
		out[i] = d
	}
	return open, c.writes
}

// keep remembers decisions, unless the request has written since they were begun.
func (c *decisionCache) keep(keys []string, open []int, decided []Decision, writes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writes != writes {
		return
	}
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
	part(actor.Scope.String())
	part(string(c.Operation))
	part(c.Type)
	part(c.Aspect)
	part(strconv.FormatBool(c.AnyEntity))
	part(strconv.FormatBool(c.DomainsAfter))
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
