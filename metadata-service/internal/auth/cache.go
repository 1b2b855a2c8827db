package auth

import (
	"context"
	"strconv"
	"sync"
)

// maxCached bounds the decisions that are kept for one request.
const maxCached = 20_000

// decisionCache holds the decisions of one request, and the facts they rest on.
type decisionCache struct {
	mu      sync.Mutex
	decided map[string]*Decision // by reference, as a map has room for eight of them from the first on
	facts   any
	writes  int // of the request so far
}

type cacheKey struct{}

// WithDecisionCache gives a request a cache of its decisions: the same question is
// then decided once, and by one state of the rules, until the request writes.
func WithDecisionCache(ctx context.Context) context.Context {
	return context.WithValue(ctx, cacheKey{}, &decisionCache{})
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
	actor, signedIn := ActorFrom(ctx)
	if !ok || !signedIn || actor.System {
		return decide(checks)
	}
	keys := make([]string, len(checks))
	for i := range checks {
		keys[i] = checks[i].key(actor)
	}
	known, writes := c.take(keys)
	if known == nil {
		decided, err := decide(checks)
		if err == nil {
			c.keep(keys, decided, writes)
		}
		return decided, err
	}
	return c.decideRest(checks, keys, known, writes, decide)
}

// take gives what is known, nil for nothing, and how much the request has written so far.
func (c *decisionCache) take(keys []string) (known []*Decision, writes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.decided) == 0 {
		return nil, c.writes
	}
	for i, key := range keys {
		d := c.decided[key]
		if d == nil {
			continue
		}
		if known == nil {
			known = make([]*Decision, len(keys))
		}
		known[i] = d
	}
	return known, c.writes
}

// decideRest asks decide about the checks that are not known.
func (c *decisionCache) decideRest(checks []Check, keys []string, known []*Decision, writes int, decide func([]Check) ([]Decision, error)) ([]Decision, error) {
	out := make([]Decision, len(checks))
	var open []int
	var asked []Check
	var askedKeys []string
	for i, d := range known {
		if d != nil {
			out[i] = *d
			continue
		}
		open, asked, askedKeys = append(open, i), append(asked, checks[i]), append(askedKeys, keys[i])
	}
	if len(open) == 0 {
		return out, nil
	}
	decided, err := decide(asked)
	if err != nil {
		return nil, err
	}
	for i, at := range open {
		out[at] = decided[i]
	}
	c.keep(askedKeys, decided, writes)
	return out, nil
}

// keep remembers decisions, unless the request has written since they were begun.
func (c *decisionCache) keep(keys []string, decided []Decision, writes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writes != writes {
		return
	}
	if c.decided == nil {
		c.decided = make(map[string]*Decision, min(len(keys), maxCached))
	}
	for i, key := range keys {
		if len(c.decided) < maxCached {
			c.decided[key] = &decided[i]
		}
	}
}

// key is the same for checks that ask the same of one actor, and for no others.
func (c *Check) key(actor Actor) string {
	var room [512]byte // enough for most, and on the stack
	b := part(room[:0], string(actor.URN))
	b = part(b, actor.Scope.String())
	b = part(b, string(c.Operation))
	b = part(b, c.Type)
	b = part(b, c.Aspect)
	b = strconv.AppendBool(b, c.AnyEntity)
	b = strconv.AppendBool(b, c.Named)
	b = strconv.AppendBool(b, c.Anywhere)
	b = strconv.AppendBool(b, c.DomainsAfter)
	b = strconv.AppendBool(b, c.Anew)
	b = strconv.AppendBool(b, c.WholeAnew)
	b = part(b, string(c.Within))
	b = parts(b, c.AnyOf)
	b = parts(b, c.Entities)
	b = parts(b, c.Tags)
	b = parts(b, c.Domains)
	b = parts(b, c.Names)
	b = parts(b, c.Writes)
	b = parts(b, c.Concerns)
	return string(b)
}

// part appends a text with its length before it, so that no two lists of texts
// give the same key.
func part(b []byte, text string) []byte {
	b = strconv.AppendInt(b, int64(len(text)), 10)
	b = append(b, ':')
	return append(b, text...)
}

func parts[T ~string](b []byte, texts []T) []byte {
	b = strconv.AppendInt(b, int64(len(texts)), 10)
	b = append(b, ';')
	for _, text := range texts {
		b = part(b, string(text))
	}
	return b
}
