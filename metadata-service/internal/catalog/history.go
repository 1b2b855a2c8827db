package catalog

import (
	"context"
	"iter"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// History yields the versions of an aspect that are kept, oldest first and at
// most limit of the newest. Older ones are gone by retention; the version in
// System of the first one tells how many that are. Nothing is yielded of what is
// absent or secret; an entity type without the aspect is fault.NotFound. An
// error ends the sequence. Values of structured properties whose definition was
// removed are not hidden: they were there. Entities that view authorization hides
// from the actor are left out. Room in memory is taken for the largest two versions, as
// who compares versions holds two at a time.
func (s *Service) History(ctx context.Context, u urn.URN, aspect string, limit int) iter.Seq2[Aspect, error] {
	return func(yield func(Aspect, error) bool) {
		_, entity, err := s.Registry.Resolve(string(u))
		if err != nil {
			yield(Aspect{}, err)
			return
		}
		spec, ok := entity.AspectFold(aspect)
		if !ok || spec.Timeseries {
			yield(Aspect{}, fault.New(fault.NotFound, "%s has no versioned aspect %q", entity.Name, aspect))
			return
		}
		withheld, err := s.mayReadAspect(ctx, u, spec)
		if err != nil {
			yield(Aspect{}, err)
		}
		if err != nil || withheld {
			return
		}
		d, err := s.discloser(ctx)
		if err != nil {
			yield(Aspect{}, err)
			return
		}
		key := store.Key{URN: u, Aspect: spec.Name}
		if err := s.reserveHistory(ctx, key, limit); err != nil {
			yield(Aspect{}, err)
			return
		}
		// The latest is read first: what becomes history meanwhile is then not yielded twice.
		latest, err := s.Store.Row(ctx, key, 0)
		if err != nil || latest == nil {
			if err != nil {
				yield(Aspect{}, err)
			}
			return
		}
		rows, err := s.Store.Rows(ctx, key)
		if err != nil {
			yield(Aspect{}, err)
			return
		}
		for len(rows) > 0 && rows[len(rows)-1] >= store.LogicalVersion(latest) {
			rows = rows[:len(rows)-1]
		}
		for _, n := range rows[max(0, len(rows)-max(limit-1, 0)):] {
			rec, err := s.Store.Row(ctx, key, n)
			if err != nil {
				yield(Aspect{}, err)
				return
			}
			if rec != nil && !d.yield(ctx, spec, *rec, yield) {
				return
			}
		}
		d.yield(ctx, spec, *latest, yield)
	}
}

// yield hands on a version as it is shown, unless nothing of it can be. It reports
// whether to go on.
func (d *discloser) yield(ctx context.Context, spec *model.AspectSpec, rec model.Record, yield func(Aspect, error) bool) bool {
	var err error
	if rec.Value, err = Masked(spec, rec.Value); err != nil {
		return yield(Aspect{Spec: spec, Record: rec}, err)
	}
	a := Aspect{Spec: spec, Record: rec}
	if shown, err := d.aspect(ctx, &a, Omitted); err != nil || shown {
		return yield(a, err)
	}
	return true
}
