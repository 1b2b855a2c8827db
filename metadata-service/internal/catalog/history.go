package catalog

import (
	"context"
	"iter"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// History yields the stored versions of an aspect in ascending order, only the newest ones up to
// limit. Retention has deleted older versions; the version in System of the first one yielded shows
// how many are missing. Nothing is yielded for an absent or withheld aspect; an entity type without
// the aspect is fault.NotFound. An error ends the sequence. History keeps values of structured
// properties whose definition has been removed, since the versions contained them, and omits URNs
// of entities that view authorization hides from the actor. It reserves memory for the two largest
// versions, because a caller that compares versions holds two at a time.
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
		// Read the latest version first, so that a version that becomes history in the meantime is
		// not yielded twice.
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

// yield passes a version to the caller in its visible form, unless no part of it can be shown. It
// reports whether to continue.
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
