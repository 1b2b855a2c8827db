package auth

import (
	"context"
	"strconv"
	"sync"
)

// maxCached limits the decisions that the cache of one request holds.
const maxCached = 20_000

// decisionCache holds the decisions of one request and the facts that they depend on.
type decisionCache struct {
	mu      sync.Mutex
	decided map[string]*Decision // pointers, since a new map allocates room for eight values
	facts   any
	writes  int // number of writes of the request so far
}

type cacheKey struct{}

// WithDecisionCache returns a context with a decision cache for one request. Until the request
// writes, each check is then decided once, and all checks are decided by the same state of the
// policies.
func WithDecisionCache(ctx context.Context) context.Context {
	return context.WithValue(ctx, cacheKey{}, &decisionCache{})
}

// ForgetDecisions empties the decision cache of a request, since a write of the request can change
// later decisions. It does nothing without a cache.
func ForgetDecisions(ctx context.Context) {
	if c, ok := ctx.Value(cacheKey{}).(*decisionCache); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		clear(c.decided)
		c.facts = nil
		c.writes++
	}
}

// RequestFacts returns the value that an authorizer keeps for the duration of a request. The first
// call calls make, and so does the first call after a write; the others return the kept value.
// Without a cache in the context every call calls make. Only one authorizer may use RequestFacts,
// since a request holds a single value.
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

// DecideCached answers checks from the decision cache of the request and passes the others to
// decide, all in one call. Decisions are in the order of the checks. Errors are not cached.
// Concurrent calls with the same check may each call decide. It is safe for concurrent use.
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

// take returns the cached decisions by position, nil if there are none, and the number of writes of
// the request so far.
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

// decideRest calls decide for the checks without a cached decision.
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

// keep caches decisions, unless the request has written since their evaluation began.
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

// key returns a text that is equal for checks with the same content and actor, and different for
// all others.
func (c *Check) key(actor Actor) string {
	var buffer [512]byte // large enough for most keys, and on the stack
	b := appendText(buffer[:0], string(actor.URN))
	b = appendText(b, actor.Scope.String())
	b = appendText(b, string(c.Operation))
	b = appendText(b, c.Type)
	b = appendText(b, c.Aspect)
	b = strconv.AppendBool(b, c.AnyEntity)
	b = strconv.AppendBool(b, c.Named)
	b = strconv.AppendBool(b, c.Anywhere)
	b = strconv.AppendBool(b, c.DomainsAfter)
	b = strconv.AppendBool(b, c.Anew)
	b = strconv.AppendBool(b, c.WholeAnew)
	b = appendText(b, string(c.Within))
	b = appendTexts(b, c.AnyOf)
	b = appendTexts(b, c.Entities)
	b = appendTexts(b, c.Tags)
	b = appendTexts(b, c.Domains)
	b = appendTexts(b, c.Names)
	b = appendTexts(b, c.Writes)
	b = appendTexts(b, c.Concerns)
	return string(b)
}

// appendText appends a text behind its length, so that different lists of texts give different keys.
func appendText(b []byte, text string) []byte {
	b = strconv.AppendInt(b, int64(len(text)), 10)
	b = append(b, ':')
	return append(b, text...)
}

func appendTexts[T ~string](b []byte, texts []T) []byte {
	b = strconv.AppendInt(b, int64(len(texts)), 10)
	b = append(b, ';')
	for _, text := range texts {
		b = appendText(b, string(text))
	}
	return b
}
