package memory

import (
	"context"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

var _ audit.Store = (*AuditStore)(nil)

// AuditStore keeps audit events in memory, for tests.
type AuditStore struct {
	mu     sync.Mutex
	events map[audit.Place]audit.Event
	closed bool
}

// NewAuditStore returns an empty store.
func NewAuditStore() *AuditStore { return &AuditStore{events: map[audit.Place]audit.Event{}} }

func (s *AuditStore) lock(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, fault.New(fault.Unavailable, "the audit log is closed")
	}
	return s.mu.Unlock, nil
}

// Append implements audit.Store.
func (s *AuditStore) Append(ctx context.Context, events []audit.Event) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for _, e := range events {
		s.events[e.Place()] = e
	}
	return nil
}

// Find implements audit.Store.
func (s *AuditStore) Find(ctx context.Context, q audit.Query) ([]audit.Event, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	found := s.selected(&q)
	if q.After != nil {
		found = slices.DeleteFunc(found, func(e audit.Event) bool { return e.Place().Compare(*q.After) <= 0 })
	}
	limit := q.Limit
	if limit <= 0 {
		limit = audit.DefaultLimit
	}
	return found[:min(limit, len(found))], nil
}

func (s *AuditStore) selected(q *audit.Query) (found []audit.Event) {
	for _, e := range s.events {
		if q.Selects(&e) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b audit.Event) int { return a.Place().Compare(b.Place()) })
	return found
}

// Count implements audit.Store.
func (s *AuditStore) Count(ctx context.Context, q audit.Query, most int) (int, error) {
	if err := q.Check(); err != nil {
		return 0, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return min(most, len(s.selected(&q))), nil
}

// Trim implements audit.Store. The size of an event is that of its texts.
func (s *AuditStore) Trim(ctx context.Context, l audit.Limits) (int, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	removed, sizes := 0, s.sizes()
	for _, e := range slices.Backward(s.selected(&audit.Query{})) {
		size := sizes[e.Class()]
		if e.Time >= l.Before && (l.MaxBytes <= 0 || size.Bytes <= l.Share(e.Class())) {
			continue
		}
		size.Bytes -= bytesOf(&e)
		sizes[e.Class()] = size
		delete(s.events, e.Place())
		removed++
	}
	return removed, nil
}

// Sizes implements audit.Store.
func (s *AuditStore) Sizes(ctx context.Context) (map[audit.Class]audit.Size, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return s.sizes(), nil
}

func (s *AuditStore) sizes() map[audit.Class]audit.Size {
	sizes := map[audit.Class]audit.Size{}
	for _, e := range s.events {
		size := sizes[e.Class()]
		size.Events++
		size.Bytes += bytesOf(&e)
		sizes[e.Class()] = size
	}
	return sizes
}

func bytesOf(e *audit.Event) int64 {
	return int64(len(e.Type) + len(e.Actor) + len(e.Entity) + len(e.Aspect) + len(e.Reason) + len(e.Agent) + 16)
}

// Condition implements audit.Store.
func (s *AuditStore) Condition() disk.State { return disk.State{} }

// Close implements audit.Store.
func (s *AuditStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}
