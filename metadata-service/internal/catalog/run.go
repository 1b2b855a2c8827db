package catalog

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// runPage is how many keys of a run are looked at in one go.
const runPage = 2000

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
// first. Secret aspects are left out, what the actor may not read, and
// soft-deleted entities unless asked for.
func (s *Service) DescribeRun(ctx context.Context, run string, offset, limit int, includeSoftDeleted bool) ([]RunRow, error) {
	if err := s.mayRead(ctx, "", ""); err != nil {
		return nil, err
	}
	offset, limit = max(offset, 0), min(max(limit, 0), maxPage)
	rows := []RunRow{}
	var after store.Key
	for len(rows) < limit {
		keys, err := s.Store.RunKeys(ctx, run, after, runPage)
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
	refused, err := s.refusals(ctx, checks...)
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
			if rec.Value, err = masked(spec, rec.Value); err != nil {
				return nil, err
			}
			rows = append(rows, RunRow{Record: *rec, KeyAspect: spec.IsKey, SoftDelete: removed})
		}
	}
	return rows, nil
}
