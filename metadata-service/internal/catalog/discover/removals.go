package discover

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// statusAspect is the aspect with the soft-deletion mark.
const statusAspect = "status"

// removals caches the soft-deleted entities of each type, so that the total of a listing does not
// require a scan of all entities. The first total of a type scans its entities; from then on a sink
// applies changes. Without a sink every total requires a scan. It is safe for concurrent use.
type removals struct {
	mu       sync.Mutex
	followed bool
	types    map[string]*removedType
}

type removedType struct {
	urns map[urn.URN]bool // nil during the first scan
	// changed holds changes during the scan.
	changed map[urn.URN]bool
}

// count returns the number of soft-deleted entities of a type.
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
		setRemoved(found, u, removed)
	}
	known.urns, known.changed = found, nil
	return len(found), nil
}

func setRemoved(urns map[urn.URN]bool, u urn.URN, removed bool) {
	if removed {
		urns[u] = true
		return
	}
	delete(urns, u)
}

// apply applies the current state of entities.
func (r *removals) apply(urns []urn.URN, removed []bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, u := range urns {
		switch known := r.types[u.Type()]; {
		case known == nil:
		case known.urns == nil:
			known.changed[u] = removed[i]
		default:
			setRemoved(known.urns, u, removed[i])
		}
	}
}

// forget drops the cached entities of a type, so that the next total scans again. Columns are
// soft-deleted with the entities that they belong to.
func (r *removals) forget(entityType string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.types, entityType)
}

// RemovalSink updates a Service with soft-deleted and restored entities.
type RemovalSink struct{ service *Service }

// NewRemovalSink returns the sink, which must follow the log from then on.
func NewRemovalSink(s *Service) RemovalSink {
	s.removals.mu.Lock()
	defer s.removals.mu.Unlock()
	s.removals.followed = true
	return RemovalSink{service: s}
}

// Name implements projection.Sink.
func (RemovalSink) Name() string { return "removals" }

// Durable implements projection.Sink: the cache is in memory.
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
		r.service.removals.apply(urns, removed)
		if columns {
			r.service.removals.forget(columnType)
		}
	}
	return err
}
