package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxRollbackRows bounds the rows and URNs that a rollback lists; counts are exact.
const maxRollbackRows = 100

// Rollback removes the versions that a run wrote. The newest remaining version of an aspect becomes
// the latest again. If the run wrote the key of an entity, Rollback removes the whole entity with
// Hard; otherwise it soft-deletes the entity, if its type supports that. It also removes the
// time-series documents of the run.
//
// It requires auth.ManageIngestion and the right to delete each entity that the run touched, with
// the aspects that the run wrote, also for a dry run; one refusal refuses the whole rollback.
//
// A rollback of many entities is a series of transactions, each of which handles whole entities.
// After an interruption, the same call continues where the first one stopped.
func (s *Service) Rollback(ctx context.Context, run string, o Options) (Result, error) {
	if err := s.kernel.Permit(ctx, auth.ForPlatform(auth.ManageIngestion)); err != nil {
		return Result{}, err
	}
	switch run {
	case "":
		return Result{}, fault.New(fault.Malformed, "runId is required")
	case model.DefaultRunID:
		return Result{}, fault.New(fault.Invalid, "runId %s stands for all writes without a run, which cannot be rolled back", run)
	}
	if err := s.mayRollBack(ctx, run); err != nil {
		return Result{}, err
	}
	r := rollback{Service: s, options: o, id: run, match: func(rec *model.Record) bool { return rec.System.RunID == run }}
	var after store.Key
	next := func() ([]store.Key, error) {
		keys, err := s.store.RunKeys(ctx, run, after, runPage)
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

// mayRollBack checks the right to delete every entity that a run touched, and the aspects and
// time-series documents that the run wrote, before the first change. An actor that manages
// ingestion therefore cannot roll back policies or users that a run wrote, and one that manages
// users cannot roll back roles.
func (s *Service) mayRollBack(ctx context.Context, run string) error {
	var after store.Key
	for {
		keys, err := s.store.RunKeys(ctx, run, after, runPage)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return s.mayEraseDocuments(ctx, run)
		}
		last := after.URN
		var checks []auth.Check
		for _, key := range keys {
			if entity, ok := s.registry.Entity(key.URN.Type()); !ok || entity.Key.Managed {
				continue // the rollback skips it
			}
			if key.URN != last {
				last = key.URN
				checks = append(checks, auth.On(auth.OpDelete, key.URN, ""))
			}
			checks = append(checks, auth.On(auth.OpDelete, key.URN, key.Aspect))
		}
		if err := s.kernel.Permit(ctx, checks...); err != nil {
			return fmt.Errorf("roll back %s: %w", run, err)
		}
		after = keys[len(keys)-1]
	}
}

// wholeEntities drops the keys of the last entity, since further keys may follow on the next page,
// unless it is the only entity.
func wholeEntities(keys []store.Key) []store.Key {
	last := keys[len(keys)-1].URN
	i := slices.IndexFunc(keys, func(k store.Key) bool { return k.URN == last })
	if i == 0 {
		return keys
	}
	return keys[:i]
}

type rollback struct {
	*Service
	options Options
	id      string // run ID; empty for the rollback of a registry
	match   func(*model.Record) bool
	result  Result
}

// run rolls back the keys that next returns, page by page, until there are none. It reads histories
// before the transaction, since other writers wait for that.
func (r *rollback) run(ctx context.Context, next func() ([]store.Key, error)) error {
	transact := r.kernel.Rehearse
	if !r.options.DryRun {
		if err := r.kernel.Writable(ctx); err != nil {
			return err
		}
		transact = r.kernel.Transact
	}
	for {
		keys, err := next()
		if err != nil || len(keys) == 0 {
			return err
		}
		plans, err := r.plan(ctx, keys)
		if err != nil {
			return err
		}
		before := r.result
		err = transact(ctx, func(tx catalog.Tx) error {
			r.result = before
			r.result.Rows, r.result.UnsafeEntities = slices.Clone(before.Rows), slices.Clone(before.UnsafeEntities)
			if _, err := tx.Latest(keys...); err != nil {
				return err
			}
			for group := range groupByURN(keys) {
				if err := r.entity(ctx, tx, group, plans); err != nil {
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

// groupByURN yields the keys of each URN together. The keys must be ordered by URN.
func groupByURN(keys []store.Key) func(yield func([]store.Key) bool) {
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

// plan determines which versions of one aspect are removed.
type plan struct {
	latest *model.Record // the latest row that the plan was made from
	// reassigned are versions that the run only observed again, with the system metadata they get.
	// Such a version has the ID of the run, although another run wrote it: removing it would lose
	// data that the run did not change.
	reassigned []model.Record
	versions   store.Versions
}

// versionReader reads versions, from the store or in a transaction.
type versionReader interface {
	Row(ctx context.Context, key store.Key, row int64) (*model.Record, error)
	Rows(ctx context.Context, key store.Key) ([]int64, error)
}

func (r *rollback) plan(ctx context.Context, keys []store.Key) (map[store.Key]*plan, error) {
	plans := make(map[store.Key]*plan, len(keys))
	for _, key := range keys {
		var err error
		if plans[key], err = r.planOf(ctx, r.store, key); err != nil {
			return nil, err
		}
	}
	return plans, nil
}

func (r *rollback) planOf(ctx context.Context, from versionReader, key store.Key) (*plan, error) {
	latest, err := from.Row(ctx, key, 0)
	if err != nil {
		return nil, err
	}
	rows, err := from.Rows(ctx, key)
	if err != nil {
		return nil, err
	}
	past := make([]model.Record, 0, len(rows))
	for _, row := range rows {
		rec, err := from.Row(ctx, key, row)
		if err != nil {
			return nil, err
		}
		if rec != nil {
			past = append(past, *rec)
		}
	}
	p := &plan{latest: latest}
	for i := range past {
		p.reassign(&past[i], r.id)
	}
	if latest != nil {
		own := *latest
		p.reassign(&own, r.id)
		latest = &own
	}
	p.versions = store.Match(latest, past, r.match)
	return p, nil
}

// reassign assigns a version that the run only observed again to the run before it.
func (p *plan) reassign(rec *model.Record, run string) {
	if rec.System.RunID != run || !isOnlyObserved(rec) {
		return
	}
	rec.System.RunID, rec.System.LastRunID = rec.System.LastRunID, model.DefaultRunID
	rec.System.Properties = maps.Clone(rec.System.Properties)
	delete(rec.System.Properties, model.PropertyNoOp)
	p.reassigned = append(p.reassigned, *rec)
}

// isOnlyObserved reports whether the run of a version only observed the version, and did not write
// it.
func isOnlyObserved(rec *model.Record) bool {
	return rec.System.Properties[model.PropertyNoOp] == "true" && rec.System.LastRunID != rec.System.RunID
}

// currentPlan returns the plan for the state of an aspect in the transaction: the plan made before,
// or a new one if the aspect has changed since, by another writer or by a derived change in this
// transaction.
func (r *rollback) currentPlan(ctx context.Context, tx catalog.Tx, key store.Key, made *plan) (*plan, error) {
	records, err := tx.Latest(key)
	if err != nil {
		return nil, err
	}
	if sameVersion(records[0], made.latest) {
		return made, nil
	}
	return r.planOf(ctx, tx, key)
}

func sameVersion(a, b *model.Record) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Sequence == b.Sequence && a.System.RunID == b.System.RunID && a.System.LastObserved == b.System.LastObserved
}

// entity rolls back the changes of the run to one entity.
func (r *rollback) entity(ctx context.Context, tx catalog.Tx, keys []store.Key, plans map[store.Key]*plan) error {
	u := keys[0].URN
	entity, ok := r.registry.Entity(u.Type())
	if !ok || entity.Key.Managed {
		return nil
	}
	current := make(map[store.Key]*plan, len(keys))
	for _, key := range keys {
		var err error
		if current[key], err = r.currentPlan(ctx, tx, key, plans[key]); err != nil {
			return err
		}
	}
	// Rules protect users and policies of the system, values that must remain, and definitions in
	// use.
	if err := tx.AllowRollback(u, entity, r.restored(u, entity, current)); err != nil {
		if errors.Is(err, fault.Invalid) {
			r.addUnsafe(u)
			return nil
		}
		return err
	}
	removed, err := tx.SoftDeleted(u)
	if err != nil {
		return err
	}
	ownsKey := false
	for _, key := range keys {
		owned, err := r.aspect(ctx, tx, entity, key, current[key], removed)
		if err != nil {
			return err
		}
		ownsKey = ownsKey || owned && key.Aspect == entity.Key.Name
	}
	if !ownsKey {
		r.result.EntitiesAffected++
		return nil
	}
	return r.removeOrKeep(tx, u, entity)
}

// restored returns a function that reports whether a version of another run remains of an aspect.
func (r *rollback) restored(u urn.URN, entity *model.EntitySpec, plans map[store.Key]*plan) func(aspect string) bool {
	owned := plans[store.Key{URN: u, Aspect: entity.Key.Name}]
	whole := r.options.Hard && owned != nil && owned.versions.Latest
	return func(aspect string) bool {
		p := plans[store.Key{URN: u, Aspect: aspect}]
		return !whole && (p == nil || !p.versions.Latest || p.versions.Survivor != 0)
	}
}

// aspect rolls back the changes of the run to one aspect, except for the key, which is removed with
// the entity. It reports whether the run wrote the latest version.
func (r *rollback) aspect(ctx context.Context, tx catalog.Tx, entity *model.EntitySpec, key store.Key, made *plan, removed bool) (owned bool, err error) {
	p, err := r.currentPlan(ctx, tx, key, made)
	if err != nil {
		return false, err
	}
	for _, rec := range p.reassigned {
		if err := tx.Reassign(rec); err != nil {
			return false, err
		}
	}
	isKey := key.Aspect == entity.Key.Name
	if p.versions.Latest {
		r.listRow(p.latest, isKey, removed)
	}
	spec, known := entity.Aspect(key.Aspect)
	if isKey || !known || spec.Managed {
		return p.versions.Latest, nil
	}
	stored, err := tx.RemoveVersions(entity, key, p.versions, r.id)
	if stored.Rows > 0 {
		r.result.AspectsReverted++
	}
	return p.versions.Latest, err
}

// listRow adds a removed row to the result.
func (r *rollback) listRow(rec *model.Record, isKey, removed bool) {
	if spec, known := r.registry.Aspect(rec.Aspect); known && !spec.Confidential() && len(r.result.Rows) < maxRollbackRows {
		r.result.Rows = append(r.result.Rows, Row{Record: *rec, KeyAspect: isKey, SoftDelete: removed})
	}
}

// addUnsafe adds to the result an entity that has aspects of other runs or that a rule protects.
func (r *rollback) addUnsafe(u urn.URN) {
	r.result.UnsafeCount++
	if len(r.result.UnsafeEntities) < maxRollbackRows {
		r.result.UnsafeEntities = append(r.result.UnsafeEntities, u)
	}
}

// eraseDocuments deletes the time-series documents of the run. The run index contains only rows, so
// it searches every time-series index.
func (r *rollback) eraseDocuments(ctx context.Context, run string) error {
	return r.eachDocumented(ctx, run, func(urns []urn.URN, aspect string) error {
		return r.kernel.Transact(ctx, func(tx catalog.Tx) error {
			for _, u := range urns {
				if err := tx.EraseRun(u, aspect, run); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// mayEraseDocuments checks the right to delete the time-series aspects of which the run wrote
// documents.
func (s *Service) mayEraseDocuments(ctx context.Context, run string) error {
	return s.eachDocumented(ctx, run, func(urns []urn.URN, aspect string) error {
		checks := make([]auth.Check, len(urns))
		for i, u := range urns {
			checks[i] = auth.On(auth.OpDelete, u, aspect)
		}
		if err := s.kernel.Permit(ctx, checks...); err != nil {
			return fmt.Errorf("roll back %s: %w", run, err)
		}
		return nil
	})
}

// eachDocumented visits the entities of which a run wrote time-series documents, page by page, each
// entity once per aspect.
func (s *Service) eachDocumented(ctx context.Context, run string, visit func(urns []urn.URN, aspect string) error) error {
	for _, entity := range s.registry.Entities() {
		for _, spec := range entity.Timeseries {
			if err := s.eachDocumentedOf(ctx, run, timeseries.IndexName(entity.Name, spec.Name), spec.Name, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) eachDocumentedOf(ctx context.Context, run, index, aspect string, visit func(urns []urn.URN, aspect string) error) error {
	visited := map[urn.URN]bool{}
	q := timeseries.Query{RunID: run, Limit: runPage}
	for {
		docs, err := s.kernel.Documents.Find(ctx, index, q)
		if err != nil || len(docs) == 0 {
			return err
		}
		last := docs[len(docs)-1]
		q.After = &timeseries.Position{Time: last.Time, ID: last.ID}
		var urns []urn.URN
		for _, doc := range docs {
			if !visited[doc.URN] {
				visited[doc.URN] = true
				urns = append(urns, doc.URN)
			}
		}
		if err := visit(urns, aspect); err != nil {
			return err
		}
	}
}

// removeOrKeep handles an entity with a key from the run. A hard rollback deletes the entity. Any
// other rollback of a run soft-deletes it and leaves the key, so that its existence and the
// references to it remain visible. The rollback of a registry deletes an entity that has no other
// aspects.
func (r *rollback) removeOrKeep(tx catalog.Tx, u urn.URN, entity *model.EntitySpec) error {
	left, err := tx.Aspects(u)
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
		r.addUnsafe(u)
	}
	ofRun := r.id != ""
	if !r.options.Hard && (ofRun || others > 0) {
		r.result.EntitiesAffected++
		return tx.SoftDelete(u, entity)
	}
	r.result.AspectsReverted++
	r.result.EntitiesDeleted++
	_, err = tx.RemoveEntity(u, entity, r.id)
	return err
}
