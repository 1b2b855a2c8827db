package catalog

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Tx is a transaction of the kernel for packages above it that change facts in their own ways, such
// as package run. Its changes pass through the same steps as all others: rules, relationships,
// terms, log and derived changes. It is valid only during the call of the function that received
// it, and not safe for concurrent use.
type Tx struct{ t *txn }

// Transact runs fn in a transaction for the actor in ctx and returns when the changes are durable
// and visible. fn may run more than once and must keep results only of its last run. Transact
// checks no authorization; the caller must do so before. In read-only mode it fails with
// fault.Unavailable.
func (s *Service) Transact(ctx context.Context, fn func(Tx) error) error {
	return s.transact(ctx, WriteOptions{}, func(t *txn) error { return fn(Tx{t}) })
}

// Rehearse runs fn as Transact does and rolls the transaction back. It also works in read-only
// mode.
func (s *Service) Rehearse(ctx context.Context, fn func(Tx) error) error {
	err := s.transactAlways(ctx, WriteOptions{}, func(t *txn) error {
		if err := fn(Tx{t}); err != nil {
			return err
		}
		return errRehearsal
	})
	if errors.Is(err, errRehearsal) {
		return nil
	}
	return err
}

var errRehearsal = errors.New("rehearsal")

// Latest returns the latest rows of the keys in one read, in their order, nil for absent ones.
// Callers must not change them.
func (tx Tx) Latest(keys ...store.Key) ([]*model.Record, error) {
	if err := tx.t.rows.load(tx.t.ctx, keys); err != nil {
		return nil, err
	}
	records := make([]*model.Record, len(keys))
	for i, key := range keys {
		records[i] = tx.t.rows.rows[key]
	}
	return records, nil
}

// Aspects returns the latest rows of an entity.
func (tx Tx) Aspects(u urn.URN) ([]model.Record, error) {
	return store.AspectsOf(tx.t.ctx, tx.t.tx, u)
}

// SoftDeleted reports whether an entity is soft-deleted.
func (tx Tx) SoftDeleted(u urn.URN) (bool, error) { return tx.t.removed(u) }

// AllowRollback asks the rules whether all stored aspects of an entity may be rolled back, and
// returns their refusal. restored reports whether a version of another run remains of an aspect.
func (tx Tx) AllowRollback(u urn.URN, entity *model.EntitySpec, restored func(aspect string) bool) error {
	changes, err := tx.t.removals(u, entity, removalOptions{})
	if err != nil {
		return err
	}
	for _, c := range changes {
		c.Reverted, c.Restored = true, restored(c.Aspect.Name)
	}
	return tx.t.allowRemovals(changes)
}

// RemoveVersions removes versions of an aspect, by their row numbers, on behalf of a run. If the
// latest version is removed, the newest remaining one takes its place.
func (tx Tx) RemoveVersions(entity *model.EntitySpec, key store.Key, v store.Versions, run string) (store.Stored, error) {
	c, err := tx.t.newChange(entity, key, nil)
	if err != nil || c.old == nil {
		return store.Stored{}, err
	}
	c.versions, c.run = &v, run
	stored, err := tx.t.carry(c)
	if err != nil || !stored.Changed {
		return stored, err
	}
	if err := tx.t.validateRestored(c); err != nil {
		return stored, err
	}
	// A restored value grants its rights again, and a removal may itself require a right.
	c.Reverted = c.After == nil
	return stored, tx.t.meetDemands(c, placing{}, rule.ByRollback)
}

// validateRestored runs Validate of the rules that set ValidateRestored, which may refuse a
// restored value.
func (t *txn) validateRestored(c *change) error {
	if c.After == nil {
		return nil
	}
	for _, r := range c.rules {
		if !r.ValidateRestored {
			continue
		}
		if err := r.Validate(ruleTx{t}, &c.Change); err != nil {
			return err
		}
	}
	return nil
}

// RemoveEntity asks the rules and removes all rows of an entity on behalf of a run. It returns the
// number of rows removed.
func (tx Tx) RemoveEntity(u urn.URN, entity *model.EntitySpec, run string) (int, error) {
	return tx.t.removeEntity(u, entity, removalOptions{run: run})
}

// SoftDelete marks an entity as soft-deleted. It does nothing if its type has no such mark.
func (tx Tx) SoftDelete(u urn.URN, entity *model.EntitySpec) error {
	mark := tx.t.Service.Registry.SoftDelete()
	if _, carries := entity.Aspect(mark.Name); !carries {
		return nil
	}
	value, err := tx.t.read(u, mark.Name)
	if err != nil {
		return err
	}
	c, err := tx.t.newChange(entity, store.Key{URN: u, Aspect: mark.Name}, jsontree.With(value, model.Object{mark.SoftDelete: true}))
	if err != nil {
		return err
	}
	c.Derived = true
	_, err = tx.t.carry(c)
	return err
}

// Row reads a version of an aspect, as store.Reader.Row does. A caller that reads many rows should
// do so before the transaction.
func (tx Tx) Row(ctx context.Context, key store.Key, row int64) (*model.Record, error) {
	return tx.t.tx.Row(ctx, key, row)
}

// Rows returns the row numbers of the history of an aspect, ascending.
func (tx Tx) Rows(ctx context.Context, key store.Key) ([]int64, error) {
	return tx.t.tx.Rows(ctx, key)
}

// Reassign stores the system metadata of a version, the latest or one of the history. Its value
// must be unchanged, because no further change is derived from it.
func (tx Tx) Reassign(rec model.Record) error {
	if rec.Row == 0 {
		tx.t.rows.put(rec.Key(), &rec)
	}
	return tx.t.tx.Put(tx.t.ctx, rec)
}

// EraseRun removes the documents of a time-series aspect that a run wrote.
func (tx Tx) EraseRun(u urn.URN, aspect, run string) error {
	return tx.t.eraseDocuments(u, aspect, LoggedErasure{RunID: run}, run)
}
