package discover

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// statusAspect tells whether an entity is soft-deleted.
const statusAspect = "status"

// removals knows the soft-deleted entities of each type, so that the total of a
// listing does not cost a walk through all entities. The entities of a type are
// looked at when its first total is asked for; from then on a sink follows
// what changes. Without a sink every total is counted anew.
type removals struct {
	mu       sync.Mutex
	followed bool
	types    map[string]*removedType
}

type removedType struct {
	urns map[urn.URN]bool // nil while they are looked for
	// changed holds what changed meanwhile.
	changed map[urn.URN]bool
}

// count gives how many entities of a type are soft-deleted.
func (r *removals) count(ctx context.Context, entityType string, scan func(context.Context, string) (map[urn.URN]bool, error)) (int, error) {
	r.mu.Lock()
	known := r.types[entityType]
	if known != nil && known.urns != nil {
		defer r.mu.Unlock()
		return len(known.urns), nil
	}
	mine := known == nil && r.followed
	if mine {
		known = &removedType{changed: map[urn.URN]bool{}}
		r.types[entityType] = known
	}
	r.mu.Unlock()
	found, err := scan(ctx, entityType)
	if !mine {
		return len(found), err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		delete(r.types, entityType)
		return 0, err
	}
	for u, removed := range known.changed {
		set(found, u, removed)
	}
	known.urns, known.changed = found, nil
	return len(found), nil
}

func set(urns map[urn.URN]bool, u urn.URN, removed bool) {
	if removed {
		urns[u] = true
		return
	}
	delete(urns, u)
}

// note takes in what is true of entities now.
func (r *removals) note(urns []urn.URN, removed []bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, u := range urns {
		switch known := r.types[u.Type()]; {
		case known == nil:
		case known.urns == nil:
			known.changed[u] = removed[i]
		default:
			set(known.urns, u, removed[i])
		}
	}
}

// forget has the soft-deleted entities of a type counted anew when they are asked for next.
// Columns are soft-deleted with the entities that they belong to.
func (r *removals) forget(entityType string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.types, entityType)
}

// RemovalSink tells a service which entities were soft-deleted or restored.
type RemovalSink struct{ service *Service }

// NewRemovalSink makes the sink, which must follow the log from then on.
func NewRemovalSink(s *Service) RemovalSink {
	s.removals.mu.Lock()
	defer s.removals.mu.Unlock()
	s.removals.followed = true
	return RemovalSink{service: s}
}

// Name implements projection.Sink.
func (RemovalSink) Name() string { return "removals" }

// Durable implements projection.Sink: what is known lives in memory.
func (RemovalSink) Durable() bool { return false }

// Apply implements projection.Sink.
func (r RemovalSink) Apply(ctx context.Context, entries []store.Entry) error {
	var urns []urn.URN
	columns := false
	for _, e := range entries {
		if e.Kind == store.EntityDeleted || e.Aspect == statusAspect && e.Kind != store.Touched {
			urns = append(urns, e.URN)
			columns = columns || e.URN.Type() != columnType
		}
	}
	if urns == nil {
		return nil
	}
	removed, err := r.service.Catalog.SoftDeleted(ctx, urns)
	if err == nil {
		r.service.removals.note(urns, removed)
		if columns {
			r.service.removals.forget(columnType)
		}
	}
	return err
}
