package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Managed reads and writes managed and secret aspects for the service that owns them and authorizes
// by itself. It is the only access to them.
type Managed struct {
	service *Service
	aspects []string
}

// Managed returns the access to some managed aspects. It panics if a name is not that of a managed
// aspect, which is a programming error.
func (s *Service) Managed(aspects ...string) *Managed {
	for _, name := range aspects {
		if spec, ok := s.Registry.Aspect(name); !ok || !spec.Managed {
			panic(fmt.Sprintf("catalog: %s is not a managed aspect", name))
		}
	}
	return &Managed{service: s, aspects: aspects}
}

func (m *Managed) owns(aspect string) error {
	spec, ok := m.service.Registry.Aspect(aspect)
	if ok && spec.Managed && !slices.Contains(m.aspects, aspect) {
		return fault.New(fault.Internal, "%s belongs to another service", aspect)
	}
	return nil
}

// Get returns the latest record of an aspect, nil if it is absent. It fails for a managed aspect of
// another service.
func (m *Managed) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	if err := m.owns(aspect); err != nil {
		return nil, err
	}
	records, err := m.service.Store.Get(ctx, store.Key{URN: u, Aspect: aspect})
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// Write is Service.Write for the actor in ctx, with access to the managed aspects. The batch may
// also contain aspects that are not managed.
func (m *Managed) Write(ctx context.Context, proposals []Proposal) error {
	_, err := m.service.write(ctx, proposals, WriteOptions{}, proposal.Writer{Managed: true, Owns: m.aspects})
	return err
}

// List pages through the URNs of an entity type in byte order, including soft-deleted and excluding
// revoked ones. It returns the URNs after the given one; fewer than limit, which is at least 1,
// means the end.
func (m *Managed) List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error) {
	entity, ok := m.service.Registry.Entity(entityType)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity type %q is not known", entityType)
	}
	var alive []urn.URN
	for {
		urns, err := m.service.Store.Scan(ctx, store.Scan{Type: entity.Name, After: after})
		if err != nil || len(urns) == 0 {
			return alive, err
		}
		after = urns[len(urns)-1]
		exists, err := m.exist(ctx, urns, entity.Key.Name)
		if err != nil {
			return nil, err
		}
		for i, u := range urns {
			if !exists[i] {
				continue
			}
			if alive = append(alive, u); len(alive) == limit {
				return alive, nil
			}
		}
	}
}

// Lookup lists the entities with a term of the rules, in byte order and after the given URN: at
// most limit, or 1000 if limit is 0 or less.
func (m *Managed) Lookup(ctx context.Context, t rule.Term, after urn.URN, limit int) ([]urn.URN, error) {
	return m.service.Store.Lookup(ctx, t, after, limit)
}

// exist reports which URNs have an aspect. Revoked ones have a row, but no key.
func (m *Managed) exist(ctx context.Context, urns []urn.URN, aspect string) ([]bool, error) {
	keys := make([]store.Key, len(urns))
	for i, u := range urns {
		keys[i] = store.Key{URN: u, Aspect: aspect}
	}
	records, err := m.service.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	exists := make([]bool, len(urns))
	for i, rec := range records {
		exists[i] = rec != nil
	}
	return exists, nil
}

// Revoke permanently removes an entity and leaves a tombstone: no later write, rollback or restore
// can recreate the URN. An absent entity is no error. It also works in read-only mode, because a
// revocation cannot wait.
func (m *Managed) Revoke(ctx context.Context, u urn.URN) error {
	_, entity, err := m.service.Registry.Resolve(string(u))
	if err != nil {
		return err
	}
	if !entity.Key.Managed {
		return fault.New(fault.Internal, "%s is not managed", entity.Name)
	}
	_, err = m.service.revoke(ctx, u, entity)
	return err
}

// revoke returns the number of rows removed.
func (s *Service) revoke(ctx context.Context, u urn.URN, entity *model.EntitySpec) (out Deleted, err error) {
	err = s.transactAlways(ctx, WriteOptions{}, func(t *txn) error {
		out.Rows, err = t.revoke(u, entity, 0)
		return err
	})
	return out, err
}

// Revoked lists a page of the revoked URNs of an entity type, after the given URN. next continues
// the listing and is empty at the end; a page may be empty before the end.
func (m *Managed) Revoked(ctx context.Context, entityType string, after urn.URN) (gone []urn.URN, next urn.URN, err error) {
	urns, err := m.service.Store.Scan(ctx, store.Scan{Type: entityType, After: after})
	if err != nil || len(urns) == 0 {
		return nil, "", err
	}
	buried, err := m.exist(ctx, urns, tombstone)
	if err != nil {
		return nil, "", err
	}
	for i, u := range urns {
		if buried[i] {
			gone = append(gone, u)
		}
	}
	return gone, urns[len(urns)-1], nil
}

// tombstone marks a URN that cannot be recreated. It is no aspect of the model.
const tombstone = "$tombstone"

// revoke removes an entity and leaves its tombstone. It does not ask the rules: no rule may prevent
// a revocation.
func (t *txn) revoke(u urn.URN, entity *model.EntitySpec, depth int) (rows int, err error) {
	key := store.Key{URN: u, Aspect: tombstone}
	if revoked, err := t.rows.get(t.ctx, key); err != nil || revoked != nil {
		return 0, err
	}
	if there, err := t.rows.get(t.ctx, store.Key{URN: u, Aspect: entity.Key.Name}); err != nil || there == nil {
		return 0, err // the entity never existed
	}
	if rows, err = t.removeEntity(u, entity, removalOptions{depth: depth, allowed: true}); err != nil {
		return 0, err
	}
	sequence, err := t.tx.LastSequence(t.ctx)
	if err != nil {
		return 0, err
	}
	rec := model.Record{
		URN: u, Aspect: tombstone, Value: jsontree.Encode(model.Object{"buried": jsontree.Number(t.now)}),
		CreatedOn: t.now, CreatedBy: t.actor.URN, Sequence: sequence,
	}
	t.rows.put(key, &rec)
	return rows, t.tx.Put(t.ctx, rec)
}

// checkNotRevoked refuses entities that have a tombstone.
func (t *txn) checkNotRevoked(u urn.URN, entity *model.EntitySpec) error {
	if !entity.Key.Managed {
		return nil
	}
	revoked, err := t.rows.get(t.ctx, store.Key{URN: u, Aspect: tombstone})
	if err == nil && revoked != nil {
		return fault.New(fault.Invalid, "%s was revoked for good and cannot be written again", u)
	}
	return err
}
