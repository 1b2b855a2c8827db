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
	r := rollbackRun{Service: s, options: o, match: func(rec *model.Record) bool { return rec.System.RunID == run }}
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
	if err := r.run(ctx, run, next); err != nil || o.DryRun {
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
	match   func(*model.Record) bool
	by      store.Removal
	result  RollbackResult
}

// run takes back what next gives, page by page, until there is none.
func (r *rollbackRun) run(ctx context.Context, run string, next func() ([]store.Key, error)) error {
	if err := r.writable(); err != nil && !r.options.DryRun {
		return err
	}
	actor, _ := auth.ActorFrom(ctx)
	r.by = r.removal(actor)
	r.by.RunID = run
	for {
		keys, err := next()
		if err != nil || len(keys) == 0 {
			return err
		}
		before := r.result
		err = r.change(ctx, func(tx store.Tx) error {
			r.result = before
			r.result.Rows, r.result.UnsafeEntities = slices.Clone(before.Rows), slices.Clone(before.UnsafeEntities)
			for group := range groups(keys) {
				if err := r.entity(ctx, tx, group); err != nil {
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
func (r *rollbackRun) entity(ctx context.Context, tx store.Tx, keys []store.Key) error {
	u := keys[0].URN
	entity, ok := r.Registry.Entity(u.Type())
	if !ok || entity.Key.Managed {
		return nil
	}
	if kept, err := r.keep(ctx, tx, u); err != nil || kept {
		return err
	}
	if err := r.handBack(ctx, tx, keys); err != nil {
		return err
	}
	ownsKey, err := r.list(ctx, tx, keys, entity)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if key.Aspect == entity.Key.Name {
			continue
		}
		if spec, known := r.Registry.Aspect(key.Aspect); known && spec.Managed {
			continue
		}
		latest, err := store.Latest(ctx, tx, key)
		if err != nil {
			return err
		}
		stored, err := store.Delete(ctx, tx, latest, r.match, r.by)
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
	return r.removeOrKeep(ctx, tx, u, entity)
}

// handBack returns versions that the run only saw again to the run before it.
// Such a version bears the id of the run, and yet another one wrote it: taking
// it back would lose what the run has not changed.
func (r *rollbackRun) handBack(ctx context.Context, tx store.Tx, keys []store.Key) error {
	for _, key := range keys {
		rows, err := tx.Rows(ctx, key)
		if err != nil {
			return err
		}
		for _, row := range append(rows, 0) {
			rec, err := tx.Row(ctx, key, row)
			if err != nil {
				return err
			}
			if rec == nil || rec.System.RunID != r.by.RunID || !seenAgain(rec) {
				continue
			}
			rec.System.RunID, rec.System.LastRunID = rec.System.LastRunID, model.DefaultRunID
			rec.System.Properties = maps.Clone(rec.System.Properties)
			delete(rec.System.Properties, model.PropertyNoOp)
			if err := tx.Put(ctx, *rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// seenAgain reports whether the run of a version is not the one that wrote it.
func seenAgain(rec *model.Record) bool {
	return rec.System.Properties[model.PropertyNoOp] == "true" && rec.System.LastRunID != rec.System.RunID
}

// keep leaves users and policies of the system as they are: without the aspect
// that marks them nothing would protect them any more.
func (r *rollbackRun) keep(ctx context.Context, tx store.Tx, u urn.URN) (bool, error) {
	for _, aspect := range []string{userInfo, policyInfo} {
		err := (&txn{ctx: ctx, tx: tx}).checkRemovable(store.Key{URN: u, Aspect: aspect})
		if errors.Is(err, fault.Invalid) {
			r.unsafe(u)
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// unsafe notes an entity that the run does not own alone.
func (r *rollbackRun) unsafe(u urn.URN) {
	r.result.UnsafeCount++
	if len(r.result.UnsafeEntities) < maxRollbackRows {
		r.result.UnsafeEntities = append(r.result.UnsafeEntities, u)
	}
}

// list notes the rows that go and reports whether the key is among them.
func (r *rollbackRun) list(ctx context.Context, tx store.Tx, keys []store.Key, entity *model.EntitySpec) (ownsKey bool, err error) {
	removed, err := (&txn{ctx: ctx, tx: tx}).removed(keys[0].URN)
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		rec, err := store.Latest(ctx, tx, key)
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
		err = r.change(ctx, func(tx store.Tx) error {
			for _, u := range due {
				if err := eraseDocuments(ctx, tx, u, aspect, loggedErasure{RunID: run}, r.by); err != nil {
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
func (r *rollbackRun) removeOrKeep(ctx context.Context, tx store.Tx, u urn.URN, entity *model.EntitySpec) error {
	left, err := store.AspectsOf(ctx, tx, u)
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
			return r.softDelete(ctx, tx, u, entity)
		}
	}
	r.result.EntitiesDeleted++
	_, err = removeEntity(ctx, tx, u, entity, r.by)
	return err
}

func (r *rollbackRun) softDelete(ctx context.Context, tx store.Tx, u urn.URN, entity *model.EntitySpec) error {
	spec, ok := entity.Aspect(status)
	if !ok {
		return nil
	}
	old, err := store.Latest(ctx, tx, store.Key{URN: u, Aspect: status})
	if err != nil {
		return err
	}
	var current model.Object
	if old != nil {
		if current, err = jsontree.DecodeObject(old.Value); err != nil {
			return err
		}
	}
	value := jsontree.With(current, model.Object{"removed": true})
	_, err = store.Put(ctx, tx, old, withEdges(store.Write{
		Key: store.Key{URN: u, Aspect: status}, Value: jsontree.Encode(value),
		SchemaVersion: spec.SchemaVersion, Actor: r.by.Actor, Now: r.by.Now, Retention: r.retention.of(entity.Name, status),
	}, spec, value))
	return err
}
