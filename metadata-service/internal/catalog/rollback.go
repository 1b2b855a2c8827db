package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxRollbackRows is how many rows and URNs a rollback lists; counts are exact.
const maxRollbackRows = 100

// Rollback undoes what a run wrote: versions it wrote go, the newest survivor of
// an aspect is the latest again. An entity whose key the run wrote goes as a
// whole: for good with Hard or when nothing else is left of it, else by a soft
// deletion where its type knows that. Time-series documents of the run go, too.
//
// It needs auth.ManageIngestion and the right to delete each entity the run
// touched, for a dry run, too; one that is refused refuses all.
//
// A rollback of many entities is a series of transactions: each leaves whole
// entities behind, and the same call again goes on where one stopped.
func (s *Service) Rollback(ctx context.Context, run string, o RollbackOptions) (RollbackResult, error) {
	if err := s.require(ctx, auth.ManageIngestion); err != nil {
		return RollbackResult{}, err
	}
	switch run {
	case "":
		return RollbackResult{}, fault.New(fault.Malformed, "runId is required")
	case model.DefaultRunID:
		return RollbackResult{}, fault.New(fault.Invalid, "runId %s stands for all writes without a run, which cannot be rolled back", run)
	}
	if err := s.mayRollBack(ctx, run); err != nil {
		return RollbackResult{}, err
	}
	r := rollbackRun{Service: s, options: o, id: run, match: func(rec *model.Record) bool { return rec.System.RunID == run }}
	var after store.Key
	next := func() ([]store.Key, error) {
		keys, err := s.Store.RunKeys(ctx, run, after, runPage)
		if len(keys) == runPage {
			keys = wholeEntities(keys)
		}
		if len(keys) > 0 {
			after = keys[len(keys)-1]
		}
		return keys, err
	}
	if err := r.run(ctx, next); err != nil || o.DryRun {
		return r.result, err
	}
	return r.result, r.eraseDocuments(ctx, run)
}

// mayRollBack asks for the right to delete every entity that a run touched,
// before any is changed: who manages ingestion takes back no policies and no
// users by a run that wrote them.
func (s *Service) mayRollBack(ctx context.Context, run string) error {
	var after store.Key
	for {
		keys, err := s.Store.RunKeys(ctx, run, after, runPage)
		if err != nil || len(keys) == 0 {
			return err
		}
		last := after.URN
		var checks []auth.Check
		for _, key := range keys {
			if key.URN == last {
				continue
			}
			last = key.URN
			if entity, ok := s.Registry.Entity(key.URN.Type()); !ok || entity.Key.Managed {
				continue // is left as it is
			}
			checks = append(checks, auth.On(auth.OpDelete, key.URN, ""))
		}
		if err := s.permit(ctx, checks...); err != nil {
			return fmt.Errorf("roll back %s: %w", run, err)
		}
		after = keys[len(keys)-1]
	}
}

// wholeEntities drops the keys of the last entity, of which there may be more,
// unless it is the only one.
func wholeEntities(keys []store.Key) []store.Key {
	last := keys[len(keys)-1].URN
	i := slices.IndexFunc(keys, func(k store.Key) bool { return k.URN == last })
	if i == 0 {
		return keys
	}
	return keys[:i]
}

type rollbackRun struct {
	*Service
	options RollbackOptions
	id      string // of the run; empty when a registry is rolled back
	match   func(*model.Record) bool
	result  RollbackResult
}

// run takes back what next gives, page by page, until there is none.
func (r *rollbackRun) run(ctx context.Context, next func() ([]store.Key, error)) error {
	transact := r.transactAlways
	if !r.options.DryRun {
		if err := r.writable(ctx); err != nil {
			return err
		}
		transact = r.transact
	}
	for {
		keys, err := next()
		if err != nil || len(keys) == 0 {
			return err
		}
		before := r.result
		err = transact(ctx, WriteOptions{}, func(t *txn) error {
			r.result = before
			r.result.Rows, r.result.UnsafeEntities = slices.Clone(before.Rows), slices.Clone(before.UnsafeEntities)
			if err := t.rows.load(t.ctx, keys); err != nil {
				return err
			}
			for group := range groups(keys) {
				if err := r.entity(t, group); err != nil {
					return err
				}
			}
			if r.options.DryRun {
				return errDryRun
			}
			return nil
		})
		if err != nil && err != errDryRun {
			return err
		}
	}
}

// errDryRun takes a transaction back that was only meant to be looked at.
var errDryRun = fault.New(fault.Internal, "dry run")

// groups yields the keys of each URN together; they come ordered by URN.
func groups(keys []store.Key) func(yield func([]store.Key) bool) {
	return func(yield func([]store.Key) bool) {
		for len(keys) > 0 {
			n := 1
			for n < len(keys) && keys[n].URN == keys[0].URN {
				n++
			}
			if !yield(keys[:n]) {
				return
			}
			keys = keys[n:]
		}
	}
}

// entity takes back what the run wrote of one entity.
func (r *rollbackRun) entity(t *txn, keys []store.Key) error {
	u := keys[0].URN
	entity, ok := r.Registry.Entity(u.Type())
	if !ok || entity.Key.Managed {
		return nil
	}
	if kept, err := r.keep(t, u, entity); err != nil || kept {
		return err
	}
	if err := r.handBack(t, keys); err != nil {
		return err
	}
	ownsKey, err := r.list(t, keys, entity)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if key.Aspect == entity.Key.Name {
			continue
		}
		if spec, known := entity.Aspect(key.Aspect); !known || spec.Managed {
			continue
		}
		c, err := t.newChange(entity, key, nil)
		if err != nil {
			return err
		}
		if c.old == nil {
			continue
		}
		c.versions, c.run = r.match, r.id
		stored, err := t.carry(c)
		if err != nil {
			return err
		}
		if stored.Rows > 0 {
			r.result.AspectsReverted++
		}
	}
	if !ownsKey {
		r.result.EntitiesAffected++
		return nil
	}
	r.result.AspectsReverted++
	return r.removeOrKeep(t, u, entity)
}

// handBack returns versions that the run only saw again to the run before it.
// Such a version bears the id of the run, and yet another one wrote it: taking
// it back would lose what the run has not changed.
func (r *rollbackRun) handBack(t *txn, keys []store.Key) error {
	for _, key := range keys {
		rows, err := t.tx.Rows(t.ctx, key)
		if err != nil {
			return err
		}
		for _, row := range append(rows, 0) {
			rec, err := t.tx.Row(t.ctx, key, row)
			if err != nil {
				return err
			}
			if rec == nil || rec.System.RunID != r.id || !seenAgain(rec) {
				continue
			}
			rec.System.RunID, rec.System.LastRunID = rec.System.LastRunID, model.DefaultRunID
			rec.System.Properties = maps.Clone(rec.System.Properties)
			delete(rec.System.Properties, model.PropertyNoOp)
			if err := t.tx.Put(t.ctx, *rec); err != nil {
				return err
			}
			if row == 0 {
				t.rows.put(key, rec)
			}
		}
	}
	return nil
}

// seenAgain reports whether the run of a version is not the one that wrote it.
func seenAgain(rec *model.Record) bool {
	return rec.System.Properties[model.PropertyNoOp] == "true" && rec.System.LastRunID != rec.System.RunID
}

// keep leaves an entity as it is that the rules do not let go, such as users and
// policies of the system.
func (r *rollbackRun) keep(t *txn, u urn.URN, entity *model.EntitySpec) (bool, error) {
	changes, err := t.removals(u, entity, removalOptions{})
	if err != nil {
		return false, err
	}
	err = t.allowRemovals(changes)
	if !errors.Is(err, fault.Invalid) {
		return false, err
	}
	r.unsafe(u)
	return true, nil
}

// unsafe notes an entity that the run does not own alone.
func (r *rollbackRun) unsafe(u urn.URN) {
	r.result.UnsafeCount++
	if len(r.result.UnsafeEntities) < maxRollbackRows {
		r.result.UnsafeEntities = append(r.result.UnsafeEntities, u)
	}
}

// list notes the rows that go and reports whether the key is among them.
func (r *rollbackRun) list(t *txn, keys []store.Key, entity *model.EntitySpec) (ownsKey bool, err error) {
	removed, err := t.removed(keys[0].URN)
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		rec, err := t.rows.get(t.ctx, key)
		if err != nil {
			return false, err
		}
		if rec == nil || !r.match(rec) {
			continue
		}
		isKey := key.Aspect == entity.Key.Name
		ownsKey = ownsKey || isKey
		if spec, known := r.Registry.Aspect(key.Aspect); known && !spec.Secret && len(r.result.Rows) < maxRollbackRows {
			r.result.Rows = append(r.result.Rows, RunRow{Record: *rec, KeyAspect: isKey, SoftDelete: removed})
		}
	}
	return ownsKey, nil
}

// eraseDocuments deletes the time-series documents of the run. The run index
// knows rows alone, so each index is asked whose they are.
func (r *rollbackRun) eraseDocuments(ctx context.Context, run string) error {
	for _, entity := range r.Registry.Entities() {
		for _, spec := range entity.Timeseries {
			if err := r.eraseFrom(ctx, run, entity, spec.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rollbackRun) eraseFrom(ctx context.Context, run string, entity *model.EntitySpec, aspect string) error {
	erased := map[urn.URN]bool{}
	q := timeseries.Query{RunID: run, Limit: runPage}
	for {
		docs, err := r.Documents.Find(ctx, timeseries.IndexName(entity.Name, aspect), q)
		if err != nil || len(docs) == 0 {
			return err
		}
		last := docs[len(docs)-1]
		q.After = &timeseries.Position{Time: last.Time, ID: last.ID}
		var due []urn.URN
		for _, doc := range docs {
			if !erased[doc.URN] {
				erased[doc.URN] = true
				due = append(due, doc.URN)
			}
		}
		err = r.transact(ctx, WriteOptions{}, func(t *txn) error {
			for _, u := range due {
				if err := t.eraseDocuments(u, aspect, loggedErasure{RunID: run}, run); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// removeOrKeep decides about an entity whose key the run wrote.
func (r *rollbackRun) removeOrKeep(t *txn, u urn.URN, entity *model.EntitySpec) error {
	left, err := store.AspectsOf(t.ctx, t.tx, u)
	if err != nil {
		return err
	}
	others := 0
	for _, rec := range left {
		if rec.Aspect != entity.Key.Name && !slices.Contains(entity.ServerDefaults, rec.Aspect) {
			others++
		}
	}
	if others > 0 {
		r.result.AspectsAffected += others
		r.unsafe(u)
		if !r.options.Hard {
			r.result.EntitiesAffected++
			return r.softDelete(t, u, entity)
		}
	}
	r.result.EntitiesDeleted++
	_, err = t.removeEntity(u, entity, removalOptions{run: r.id})
	return err
}

func (r *rollbackRun) softDelete(t *txn, u urn.URN, entity *model.EntitySpec) error {
	mark := r.Registry.SoftDelete()
	if _, carries := entity.Aspect(mark.Name); !carries {
		return nil
	}
	key := store.Key{URN: u, Aspect: mark.Name}
	value, err := t.read(u, mark.Name)
	if err != nil {
		return err
	}
	c, err := t.newChange(entity, key, jsontree.With(value, model.Object{mark.SoftDelete: true}))
	if err != nil {
		return err
	}
	c.Derived = true
	_, err = t.carry(c)
	return err
}
