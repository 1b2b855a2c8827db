package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Complete writes the missing default aspects of entities, including the key. Rows of other origin
// may lack them. Entities without any aspect stay absent. It returns the number of aspects written,
// and requires auth.RestoreIndices or auth.ManageSystem.
func (s *Service) Complete(ctx context.Context, urns []urn.URN) (int, error) {
	if err := s.requirePrivilege(ctx, auth.RestoreIndices, auth.ManageSystem); err != nil {
		return 0, err
	}
	incomplete, err := s.incompleteEntities(ctx, urns)
	if err != nil || len(incomplete) == 0 {
		return 0, err
	}
	written := 0
	ctx = auth.WithActor(ctx, auth.Actor{URN: model.SystemActor})
	err = s.transact(ctx, WriteOptions{}, func(t *txn) error {
		for _, it := range incomplete {
			if err := t.completeStored(it); err != nil {
				return err
			}
		}
		written = len(t.added)
		return nil
	})
	return written, err
}

// incompleteEntities selects the entities that lack a default aspect, so that complete entities
// cost no transaction.
func (s *Service) incompleteEntities(ctx context.Context, urns []urn.URN) ([]*item, error) {
	rows, err := s.Store.Aspects(ctx, urns)
	if err != nil {
		return nil, err
	}
	var list []*item
	for i, u := range urns {
		entity, known := s.Registry.Entity(u.Type())
		if !known || entity.Key.Managed || len(rows[i]) == 0 {
			continue
		}
		has := func(name string) bool {
			return slices.ContainsFunc(rows[i], func(rec model.Record) bool { return rec.Aspect == name })
		}
		lacks := func(name string) bool { return !has(name) }
		if lacks(entity.Key.Name) || slices.ContainsFunc(entity.ServerDefaults, lacks) {
			list = append(list, &item{Item: proposal.Item{Index: -1, URN: u, Entity: entity}})
		}
	}
	return list, nil
}

// completeStored completes an entity unless it has been deleted in the meantime.
func (t *txn) completeStored(it *item) error {
	rows, err := store.AspectsOf(t.ctx, t.tx, it.URN)
	if err != nil || len(rows) == 0 {
		return err
	}
	there, err := t.exists(it.URN)
	if err != nil {
		return err
	}
	if !there {
		if err := t.addDefault(it, it.Entity.Key, it.Entity.KeyValue(it.URN)); err != nil {
			return err
		}
	}
	return t.complete(it)
}
