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

// maxRollbackRows is how many rows and URNs a rollback lists; counts are exact.
const maxRollbackRows = 100

// Rollback undoes what a run wrote: versions it wrote go, the newest survivor of
// an aspect is the latest again. An entity whose key the run wrote goes as a
// whole: for good with Hard or when nothing else is left of it, else by a soft
// deletion where its type knows that. Time-series documents of the run go, too.
//
// It needs auth.ManageIngestion and the right to delete each entity the run
// touched, with the aspects it wrote of it, for a dry run, too; one that is
// refused refuses all.
//
// A rollback of many entities is a series of transactions: each leaves whole
// entities behind, and the same call again goes on where one stopped.
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

// mayRollBack asks for the right to delete every entity that a run touched, and the
// aspects and time-series documents that it wrote of it, before any is changed: an
// actor who manages ingestion takes back no policies and no users by a run that wrote
// them, and one who manages users takes back no roles.
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
				continue // is left as it is
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

type rollback struct {
	*Service
	options Options
	id      string // of the run; empty when a registry is rolled back
	match   func(*model.Record) bool
	result  Result
}

// run takes back what next gives, page by page, until there is none. Histories
// are walked before the transaction, which other writers wait for.
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
			for group := range groups(keys) {
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

// plan is what becomes of the versions of one aspect.
type plan struct {
	latest *model.Record // that it was made of
	// reassigned are versions that the run only saw again, with the system metadata they get.
	// Such a version bears the id of the run, and yet another one wrote it: taking it back would
	// lose what the run has not changed.
	reassigned []model.Record
	versions   store.Versions
}

// history are reads of versions, of the store or of a transaction.
type history interface {
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

func (r *rollback) planOf(ctx context.Context, from history, key store.Key) (*plan, error) {
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

// reassign gives a version that the run only saw again to the run before it.
func (p *plan) reassign(rec *model.Record, run string) {
	if rec.System.RunID != run || !seenAgain(rec) {
		return
	}
	rec.System.RunID, rec.System.LastRunID = rec.System.LastRunID, model.DefaultRunID
	rec.System.Properties = maps.Clone(rec.System.Properties)
	delete(rec.System.Properties, model.PropertyNoOp)
	p.reassigned = append(p.reassigned, *rec)
}

// seenAgain reports whether the run of a version is not the one that wrote it.
func seenAgain(rec *model.Record) bool {
	return rec.System.Properties[model.PropertyNoOp] == "true" && rec.System.LastRunID != rec.System.RunID
}

// current is the plan for an aspect as the transaction finds it: the one made
// before, unless the aspect has changed since, by somebody else or by what was
// derived in this transaction.
func (r *rollback) current(ctx context.Context, tx catalog.Tx, key store.Key, made *plan) (*plan, error) {
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

// entity takes back what the run wrote of one entity.
func (r *rollback) entity(ctx context.Context, tx catalog.Tx, keys []store.Key, plans map[store.Key]*plan) error {
	u := keys[0].URN
	entity, ok := r.registry.Entity(u.Type())
	if !ok || entity.Key.Managed {
		return nil
	}
	current := make(map[store.Key]*plan, len(keys))
	for _, key := range keys {
		var err error
		if current[key], err = r.current(ctx, tx, key, plans[key]); err != nil {
			return err
		}
	}
	// Rules keep users and policies of the system, values that must stay, and definitions in use.
	if err := tx.AllowRollback(u, entity, r.restored(u, entity, current)); err != nil {
		if errors.Is(err, fault.Invalid) {
			r.unsafe(u)
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

// restored reports of which aspects of an entity a version of another writer stays.
func (r *rollback) restored(u urn.URN, entity *model.EntitySpec, plans map[store.Key]*plan) func(aspect string) bool {
	owned := plans[store.Key{URN: u, Aspect: entity.Key.Name}]
	whole := r.options.Hard && owned != nil && owned.versions.Latest
	return func(aspect string) bool {
		p := plans[store.Key{URN: u, Aspect: aspect}]
		return !whole && (p == nil || !p.versions.Latest || p.versions.Survivor != 0)
	}
}

// aspect takes back what the run wrote of one aspect, but for the key, which goes
// with the entity. It tells whether the run wrote the latest version.
func (r *rollback) aspect(ctx context.Context, tx catalog.Tx, entity *model.EntitySpec, key store.Key, made *plan, removed bool) (owned bool, err error) {
	p, err := r.current(ctx, tx, key, made)
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
		r.list(p.latest, isKey, removed)
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

// list notes a row that goes.
func (r *rollback) list(rec *model.Record, isKey, removed bool) {
	if spec, known := r.registry.Aspect(rec.Aspect); known && !spec.Confidential() && len(r.result.Rows) < maxRollbackRows {
		r.result.Rows = append(r.result.Rows, Row{Record: *rec, KeyAspect: isKey, SoftDelete: removed})
	}
}

// unsafe notes an entity that the run does not own alone.
func (r *rollback) unsafe(u urn.URN) {
	r.result.UnsafeCount++
	if len(r.result.UnsafeEntities) < maxRollbackRows {
		r.result.UnsafeEntities = append(r.result.UnsafeEntities, u)
	}
}

// eraseDocuments deletes the time-series documents of the run. The run index
// knows rows alone, so each index is asked whose they are.
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

// mayEraseDocuments asks for the right to delete the time-series aspects of which the
// run wrote documents.
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

// eachDocumented visits the entities of which a run wrote documents of a time-series
// aspect, page by page, each entity once for an aspect.
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

// removeOrKeep decides about an entity whose key the run wrote: a hard rollback
// deletes it, any other one hides it and leaves the key, so that its existence and
// what refers to it can still be told. What was written under a registry is deleted
// where nothing else is left.
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
		r.unsafe(u)
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
