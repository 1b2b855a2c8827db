package event

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// meaning holds the platform events of a log entry before they are encoded.
type meaning struct {
	changes []change
	edges   []edgeChange
}

func (m *meaning) derived(e *store.Entry) derived {
	return derived{count: len(m.changes) + len(m.edges), event: func(i int) json.RawMessage {
		if i < len(m.changes) {
			return platformEvent(EntityChange, m.changes[i].payload(), e)
		}
		return platformEvent(RelationshipChange, m.edges[i-len(m.changes)].payload(), e)
	}}
}

// Limits of the cache of a partly delivered entry.
const (
	minCachedEdges = 500     // edges; fewer are derived again quickly
	maxCachedEdges = 200_000 // edges, each about 150 bytes as an event
	cachedFor      = time.Minute
)

// partialCache caches the meaning of the last entry that a page delivered in part. One write may
// give more events than many pages hold, and deriving all of them for each page would cost
// quadratic time.
type partialCache struct {
	mu       sync.Mutex
	sequence uint64
	meaning  *meaning
	used     time.Time
}

// of returns the cached meaning of an entry, or nil. It evicts a meaning of another entry that was
// not used for cachedFor.
func (p *partialCache) of(sequence uint64, now time.Time) *meaning {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.meaning == nil || p.sequence == sequence {
		p.used = now
		return p.meaning
	}
	if now.Sub(p.used) > cachedFor {
		p.meaning = nil
	}
	return nil
}

// record caches the meaning of an entry that was delivered in part, and evicts it once it is
// complete.
func (p *partialCache) record(sequence uint64, m *meaning, whole bool, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch n := len(m.edges); {
	case !whole && n >= minCachedEdges && n <= maxCachedEdges:
		p.sequence, p.meaning, p.used = sequence, m, now
	case whole && p.sequence == sequence:
		p.meaning = nil
	}
}

// meaningOf derives the meaning of an entry, without relationships if the query omits them.
func (r *reading) meaningOf(ctx context.Context, e *store.Entry) (*meaning, error) {
	v, err := r.values(ctx, e)
	if err != nil {
		return nil, err
	}
	m := &meaning{}
	if m.changes, err = r.changes(ctx, e, v); err != nil || r.withoutEdges {
		return m, err
	}
	m.edges, err = r.edgeChanges(ctx, e, v)
	return m, err
}
