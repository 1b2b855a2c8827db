// Package run lists ingestion runs, describes the changes that a run wrote under its run ID, and
// rolls them back.
package run

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// runPage is the number of keys of a run that are read at once.
const runPage = 2000

// maxRows bounds the rows that one description of a run returns.
const maxRows = 10_000

// Service lists, describes and rolls back runs. It is safe for concurrent use.
type Service struct {
	kernel   *catalog.Service
	store    store.Store
	registry *model.Registry
}

// New returns a Service.
func New(kernel *catalog.Service) *Service { return &Service{kernel, kernel.Store, kernel.Registry} }

// Row is one row that a run wrote.
type Row struct {
	Record     model.Record
	KeyAspect  bool
	SoftDelete bool // the entity is soft-deleted
}

// Result is the result of a rollback, or with DryRun the result it would have. Rows holds at most
// 100 rows.
type Result struct {
	Rows             []Row
	EntitiesAffected int // entities that the rollback keeps in part or soft-deletes
	AspectsAffected  int // aspects of other runs, in entities whose key the run wrote
	AspectsReverted  int
	EntitiesDeleted  int
	UnsafeEntities   []urn.URN // entities with aspects of other runs, or protected by a rule; at most 100
	UnsafeCount      int
}

// Options qualifies a rollback.
type Options struct {
	DryRun bool
	// Hard removes entities with a key aspect from the run, including aspects of other runs.
	// Otherwise such entities are soft-deleted.
	Hard bool
}

// List returns ingestion runs, newest first, without the default run. It requires the right to
// read.
func (s *Service) List(ctx context.Context, offset, limit int) ([]store.Run, error) {
	if err := s.kernel.MayRead(ctx, "", ""); err != nil {
		return nil, err
	}
	runs, err := s.store.Runs(ctx)
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

// Describe lists the rows that a run wrote, ordered by URN and aspect, latest versions first, with
// encrypted members masked. It leaves out secret aspects, aspects that the actor may not read, and
// soft-deleted entities unless includeSoftDeleted is set. It returns at most 10,000 rows.
func (s *Service) Describe(ctx context.Context, run string, offset, limit int, includeSoftDeleted bool) ([]Row, error) {
	if err := s.kernel.MayRead(ctx, "", ""); err != nil {
		return nil, err
	}
	offset, limit = max(offset, 0), min(max(limit, 0), maxRows)
	rows := []Row{}
	var after store.Key
	for len(rows) < limit {
		keys, err := s.store.RunKeys(ctx, run, after, runPage)
		if err != nil || len(keys) == 0 {
			return rows, err
		}
		after = keys[len(keys)-1]
		if keys, err = s.readableKeys(ctx, keys); err != nil {
			return nil, err
		}
		for _, key := range keys {
			found, err := s.runRows(ctx, run, key)
			if err != nil {
				return nil, err
			}
			for _, row := range found {
				switch {
				case row.SoftDelete && !includeSoftDeleted:
				case offset > 0:
					offset--
				case len(rows) < limit:
					rows = append(rows, row)
				}
			}
		}
	}
	return rows, nil
}

// readableKeys drops the aspects that the actor may not read.
func (s *Service) readableKeys(ctx context.Context, keys []store.Key) ([]store.Key, error) {
	checks := make([]auth.Check, len(keys))
	for i, key := range keys {
		checks[i] = auth.On(auth.OpRead, key.URN, key.Aspect)
	}
	refused, err := s.kernel.Refusals(ctx, checks...)
	if err != nil {
		return nil, err
	}
	kept := keys[:0]
	for i, key := range keys {
		if refused[i] == nil {
			kept = append(kept, key)
		}
	}
	return kept, nil
}

// runRows returns the versions of an aspect that have the run ID, the latest first.
func (s *Service) runRows(ctx context.Context, run string, key store.Key) ([]Row, error) {
	spec, ok := s.registry.Aspect(key.Aspect)
	if !ok || spec.Secret {
		return nil, nil
	}
	removed, err := s.kernel.SoftDeleted(ctx, []urn.URN{key.URN})
	if err != nil {
		return nil, err
	}
	history, err := s.store.Rows(ctx, key)
	if err != nil {
		return nil, err
	}
	slices.Reverse(history)
	var rows []Row
	for _, n := range append([]int64{0}, history...) {
		rec, err := s.store.Row(ctx, key, n)
		if err != nil {
			return nil, err
		}
		if rec != nil && rec.System.RunID == run {
			if rec.Value, err = catalog.Masked(spec, rec.Value); err != nil {
				return nil, err
			}
			rows = append(rows, Row{Record: *rec, KeyAspect: spec.IsKey, SoftDelete: removed[0]})
		}
	}
	return rows, nil
}
