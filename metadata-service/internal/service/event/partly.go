package event

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// meaning is what an entry of the log means: its platform events before they are encoded.
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

// Bounds of what is kept of an entry that a page has told in part.
const (
	keptFrom  = 500     // events: fewer are derived again in no time
	keptUpTo  = 200_000 // events, of some 150 bytes each
	keptSince = time.Minute
)

// partly keeps the meaning of the entry that a page told in part last. A write may make more
// events than many pages take, and deriving them for each page would cost their square.
type partly struct {
	mu       sync.Mutex
	sequence uint64
	meaning  *meaning
	used     time.Time
}

// of gives what is kept of an entry, nil for nothing, and forgets what nobody has asked for
// in a while.
func (p *partly) of(sequence uint64, now time.Time) *meaning {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.meaning == nil || p.sequence == sequence {
		p.used = now
		return p.meaning
	}
	if now.Sub(p.used) > keptSince {
		p.meaning = nil
	}
	return nil
}

// told keeps the meaning of an entry that has not been told as a whole.
func (p *partly) told(sequence uint64, m *meaning, whole bool, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch n := len(m.edges); {
	case !whole && n >= keptFrom && n <= keptUpTo:
		p.sequence, p.meaning, p.used = sequence, m, now
	case whole && p.sequence == sequence:
		p.meaning = nil
	}
}

// meaningOf tells what an entry means, without its relationships if they are left out.
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
