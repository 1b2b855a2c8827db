// Package run knows what was written under one run id: it lists ingestion runs,
// describes what they wrote and rolls them back.
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

// runPage is how many keys of a run are looked at in one go.
const runPage = 2000

// maxRows bounds what one description of a run returns.
const maxRows = 10_000

// Service answers for runs. It is safe for concurrent use.
type Service struct {
	kernel   *catalog.Service
	store    store.Store
	registry *model.Registry
}

// New makes a Service.
func New(kernel *catalog.Service) *Service { return &Service{kernel, kernel.Store, kernel.Registry} }

// Row is one row a run wrote.
type Row struct {
	Record     model.Record
	KeyAspect  bool
	SoftDelete bool // the entity is soft-deleted
}

// Result is what a rollback did, or with DryRun would do. Rows holds at most 100 rows.
type Result struct {
	Rows             []Row
	EntitiesAffected int // entities of which something stays
	AspectsAffected  int // aspects written by other runs of entities that would go with them
	AspectsReverted  int
	EntitiesDeleted  int
	UnsafeEntities   []urn.URN // entities with aspects of other runs, or parts of the system, at most 100
	UnsafeCount      int
}

// Options qualifies a rollback.
type Options struct {
	DryRun bool
	// Hard removes entities whose key aspect the run wrote, with what other runs wrote of
	// them. Otherwise such entities are soft-deleted.
	Hard bool
}

// List lists ingestion runs, newest first.
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

// Describe lists the rows a run wrote, by URN and aspect, latest versions
// first. Secret aspects are left out, what the actor may not read, and
// soft-deleted entities unless asked for.
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

// runRows are the rows of a key that carry the run.
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
