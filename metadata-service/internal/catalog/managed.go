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

// Managed reads and writes managed and secret aspects for the service that owns
// them, which authorizes by itself. It is the only way to them.
type Managed struct {
	service *Service
	aspects []string
}

// Managed hands out the access to some managed aspects. A name that is not
// managed is a mistake of the programmer: it panics.
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

// Get reads the latest record of any aspect that is not another service's, nil
// when it is absent.
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

// Write writes as Service.Write does, as the actor in ctx. Aspects that are not
// managed may be in the same batch.
func (m *Managed) Write(ctx context.Context, proposals []Proposal) error {
	_, err := m.service.write(ctx, proposals, WriteOptions{}, proposal.Writer{Managed: true, Owns: m.aspects})
	return err
}

// List pages through the URNs of an entity type in byte order, soft-deleted ones
// included, revoked ones not. Fewer than limit, which is at least 1, mean the end.
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

// Lookup lists the entities that make a term of the rules, in byte order, behind after, at
// most limit, 1000 when it is 0 or less.
func (m *Managed) Lookup(ctx context.Context, t rule.Term, after urn.URN, limit int) ([]urn.URN, error) {
	return m.service.Store.Lookup(ctx, t, after, limit)
}

// exist tells which URNs have an aspect. Revoked ones have a row, but no key.
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

// Revoke removes an entity for good and leaves a tombstone: nothing written,
// rolled back or restored later brings the URN back. An absent entity is no error. It works while the catalog
// is read-only, too, since a revocation cannot wait.
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

// revoke tells how many rows went.
func (s *Service) revoke(ctx context.Context, u urn.URN, entity *model.EntitySpec) (out Deleted, err error) {
	err = s.transactAlways(ctx, WriteOptions{}, func(t *txn) error {
		out.Rows, err = t.revoke(u, entity, 0)
		return err
	})
	return out, err
}

// Revoked lists a page of the URNs of an entity type that were revoked, behind after.
// next continues it and is empty at the end; a page may hold none.
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

// tombstone is no aspect of the model: it marks a URN that never comes back.
const tombstone = "$tombstone"

// revoke removes an entity and leaves its tombstone. Rules are not asked:
// nothing keeps a revocation from happening.
func (t *txn) revoke(u urn.URN, entity *model.EntitySpec, depth int) (rows int, err error) {
	key := store.Key{URN: u, Aspect: tombstone}
	if revoked, err := t.rows.get(t.ctx, key); err != nil || revoked != nil {
		return 0, err
	}
	if there, err := t.rows.get(t.ctx, store.Key{URN: u, Aspect: entity.Key.Name}); err != nil || there == nil {
		return 0, err // nothing is left of what never was
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

// checkNotRevoked refuses entities that left a tombstone.
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
