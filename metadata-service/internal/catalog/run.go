package catalog

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxRollbackRows is how many rows and URNs a rollback lists; counts are exact.
const maxRollbackRows = 100

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Runs lists ingestion runs, newest first.
func (s *Service) Runs(ctx context.Context, offset, limit int) ([]store.Run, error) {
	if err := s.mayRead(ctx, "", ""); err != nil {
		return nil, err
	}
	runs, err := s.Store.Runs(ctx)
	if err != nil {
		return nil, err
	}
	runs = slices.DeleteFunc(runs, func(r store.Run) bool { return r.ID == model.DefaultRunID })
	return window(runs, offset, limit), nil
}

func window[T any](list []T, offset, limit int) []T {
	offset = min(max(offset, 0), len(list))
	return list[offset:min(offset+max(limit, 0), len(list))]
}

// DescribeRun lists the rows a run wrote, by URN and aspect, latest versions
// first. Secret aspects are left out, and soft-deleted entities unless asked for.
func (s *Service) DescribeRun(ctx context.Context, run string, offset, limit int, includeSoftDeleted bool) ([]RunRow, error) {
	if err := s.mayRead(ctx, "", ""); err != nil {
		return nil, err
	}
	keys, err := s.Store.RunKeys(ctx, run, store.Key{}, 0)
	if err != nil {
		return nil, err
	}
	rows := make([]RunRow, 0, min(len(keys), max(limit, 0)))
	for _, key := range keys {
		if len(rows) >= offset+limit {
			break
		}
		found, err := s.runRows(ctx, run, key)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			if includeSoftDeleted || !row.SoftDelete {
				rows = append(rows, row)
			}
		}
	}
	return window(rows, offset, limit), nil
}

// runRows are the rows of a key that carry the run.
func (s *Service) runRows(ctx context.Context, run string, key store.Key) ([]RunRow, error) {
	spec, ok := s.Registry.Aspect(key.Aspect)
	if !ok || spec.Secret {
		return nil, nil
	}
	removed, err := s.removed(ctx, key.URN)
	if err != nil {
		return nil, err
	}
	history, err := s.Store.Rows(ctx, key)
	if err != nil {
		return nil, err
	}
	slices.Reverse(history)
	var rows []RunRow
	for _, n := range append([]int64{0}, history...) {
		rec, err := s.Store.Row(ctx, key, n)
		if err != nil {
			return nil, err
		}
		if rec != nil && rec.System.RunID == run {
			rows = append(rows, RunRow{Record: *rec, KeyAspect: spec.IsKey, SoftDelete: removed})
		}
	}
	return rows, nil
}

// Rollback undoes what a run wrote: versions it wrote go, the newest survivor of
// an aspect is the latest again. An entity whose key the run wrote goes as a
// whole: for good with Hard or when nothing else is left of it, else by a soft
// deletion where its type knows that.
func (s *Service) Rollback(ctx context.Context, run string, o RollbackOptions) (RollbackResult, error) {
	if err := s.require(ctx, auth.ManageIngestion); err != nil {
		return RollbackResult{}, err
	}
	if run == "" {
		return RollbackResult{}, fault.New(fault.Malformed, "runId is required")
	}
	keys, err := s.Store.RunKeys(ctx, run, store.Key{}, 0)
	if err != nil {
		return RollbackResult{}, err
	}
	return s.rollback(ctx, keys, o, func(rec *model.Record) bool { return rec.System.RunID == run }, run)
}

// RollbackRegistry removes what was written under a model registry, named
// "name:version".
func (s *Service) RollbackRegistry(ctx context.Context, registry string, o RollbackOptions) (RollbackResult, error) {
	if err := s.require(ctx, auth.ManageSystem); err != nil {
		return RollbackResult{}, err
	}
	name, version, ok := strings.Cut(registry, ":")
	if !ok || name == "" {
		return RollbackResult{}, fault.New(fault.Malformed, "registryId must be name:version, is %q", registry)
	}
	match := func(rec *model.Record) bool {
		return rec.System.RegistryName == name && rec.System.RegistryVersion == version
	}
	var keys []store.Key
	after := urn.URN("")
	for {
		page, err := s.Store.Scan(ctx, store.Scan{After: after})
		if err != nil {
			return RollbackResult{}, err
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1]
		all, err := s.Store.Aspects(ctx, page)
		if err != nil {
			return RollbackResult{}, err
		}
		for _, records := range all {
			for _, rec := range records {
				if match(&rec) {
					keys = append(keys, rec.Key())
				}
			}
		}
	}
	return s.rollback(ctx, keys, o, match, "")
}

// rollbackBatch is how many entities one transaction takes back. A rollback of
// many entities is a series of transactions: each leaves whole entities behind,
// and the same call again goes on where one stopped.
const rollbackBatch = 500

func (s *Service) rollback(ctx context.Context, keys []store.Key, o RollbackOptions, match func(*model.Record) bool, run string) (RollbackResult, error) {
	actor, _ := auth.ActorFrom(ctx)
	if s.sealed.Load() && !o.DryRun {
		return RollbackResult{}, fault.New(fault.Unavailable, "the catalog is switched to read-only by an operator; try again later")
	}
	byEntity := slices.Collect(groups(keys))
	r := rollbackRun{Service: s, options: o, match: match, by: s.removal(actor)}
	r.by.RunID = run
	for len(byEntity) > 0 {
		batch := byEntity[:min(rollbackBatch, len(byEntity))]
		byEntity = byEntity[len(batch):]
		before := r.result
		err := s.change(ctx, func(tx store.Tx) error {
			r.result = before
			r.result.Rows, r.result.UnsafeEntities = slices.Clone(before.Rows), slices.Clone(before.UnsafeEntities)
			for _, keys := range batch {
				if err := r.entity(tx, keys); err != nil {
					return err
				}
			}
			if o.DryRun {
				return errDryRun
			}
			return nil
		})
		if err != nil && err != errDryRun {
			return RollbackResult{}, err
		}
	}
	return r.result, nil
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

type rollbackRun struct {
	*Service
	options RollbackOptions
	match   func(*model.Record) bool
	by      store.Removal
	result  RollbackResult
}

// entity takes back what the run wrote of one entity.
func (r *rollbackRun) entity(tx store.Tx, keys []store.Key) error {
	u := keys[0].URN
	entity, ok := r.Registry.Entity(u.Type())
	if !ok || entity.Key.Managed {
		return nil
	}
	ownsKey, err := r.list(tx, keys, entity)
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
		stored, err := store.Delete(tx, key, r.match, r.by)
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
	return r.removeOrKeep(tx, u, entity)
}

// list notes the rows that go and reports whether the key is among them.
func (r *rollbackRun) list(tx store.Tx, keys []store.Key, entity *model.EntitySpec) (ownsKey bool, err error) {
	removed, err := (&txn{tx: tx}).removed(keys[0].URN)
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		rec, err := tx.Get(key)
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

// removeOrKeep decides about an entity whose key the run wrote.
func (r *rollbackRun) removeOrKeep(tx store.Tx, u urn.URN, entity *model.EntitySpec) error {
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
		r.result.UnsafeCount++
		if len(r.result.UnsafeEntities) < maxRollbackRows {
			r.result.UnsafeEntities = append(r.result.UnsafeEntities, u)
		}
		if !r.options.Hard {
			r.result.EntitiesAffected++
			return r.softDelete(tx, u, entity)
		}
	}
	r.result.EntitiesDeleted++
	_, err = removeEntity(tx, u, entity, r.by)
	return err
}

func (r *rollbackRun) softDelete(tx store.Tx, u urn.URN, entity *model.EntitySpec) error {
	spec, ok := entity.Aspect(status)
	if !ok {
		return nil
	}
	current, err := (&txn{tx: tx}).read(u, status)
	if err != nil {
		return err
	}
	_, err = store.Put(tx, store.Write{
		Key: store.Key{URN: u, Aspect: status}, Value: jsontree.Encode(with(current, model.Object{"removed": true})),
		SchemaVersion: spec.SchemaVersion, Actor: r.by.Actor, Now: r.by.Now, Retention: r.retention.of(entity.Name, status),
	})
	return err
}
