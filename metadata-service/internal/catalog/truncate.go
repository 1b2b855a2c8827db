package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Series is a time-series aspect of an entity type.
type Series struct {
	Entity *model.EntitySpec
	Aspect *model.AspectSpec
}

// Index is the name of the time-series index of the series.
func (s Series) Index() string { return timeseries.IndexName(s.Entity.Name, s.Aspect.Name) }

// Series returns the time-series aspect with the given name, in any case. An unknown entity type or
// another aspect is fault.Malformed.
func (s *Service) Series(entityType, aspect string) (Series, error) {
	entity, ok := s.Registry.Entity(entityType)
	if !ok {
		return Series{}, fault.New(fault.Malformed, "entityType: there is no entity type %.100q", entityType)
	}
	spec, ok := entity.AspectFold(aspect)
	if !ok || !spec.Timeseries {
		return Series{}, fault.New(fault.Malformed, "aspect: %s has no time-series aspect %.100q", entity.Name, aspect)
	}
	return Series{Entity: entity, Aspect: spec}, nil
}

// CountUntil returns the number of rows of a series at or before a time and the number of all rows,
// exploded ones included. It requires auth.TruncateTimeseries.
func (s *Service) CountUntil(ctx context.Context, of Series, end int64) (until, all int64, err error) {
	if err := s.requirePrivilege(ctx, auth.TruncateTimeseries); err != nil {
		return 0, 0, err
	}
	for _, exploded := range []bool{false, true} {
		for _, c := range []struct {
			to  *int64
			sum *int64
		}{{&end, &until}, {nil, &all}} {
			n, err := s.Documents.Count(ctx, of.Index(), timeseries.Query{To: c.to, Exploded: exploded})
			if err != nil {
				return 0, 0, err
			}
			*c.sum += n
		}
	}
	return until, all, nil
}

// EraseOldest deletes the oldest documents of a series at or before a time, at most the given
// number, with their exploded documents. It reports whether there were any. It returns when reads
// no longer find them. It requires auth.TruncateTimeseries.
func (s *Service) EraseOldest(ctx context.Context, of Series, end int64, most int) (bool, error) {
	if err := s.requirePrivilege(ctx, auth.TruncateTimeseries); err != nil {
		return false, err
	}
	for _, exploded := range []bool{false, true} {
		found, err := s.Documents.Find(ctx, of.Index(), timeseries.Query{To: &end, Exploded: exploded, Ascending: true, Limit: 1})
		if err != nil {
			return false, err
		}
		if len(found) > 0 {
			return true, s.eraseOldest(ctx, of, LoggedErasure{EntityType: of.Entity.Name, To: &end, Limit: most})
		}
	}
	return false, nil
}

func (s *Service) eraseOldest(ctx context.Context, of Series, e LoggedErasure) error {
	var sequence uint64
	err := s.transact(ctx, WriteOptions{}, func(t *txn) (err error) {
		sequence, err = t.logErasure(urn.URN(entityTypes+of.Entity.Name), of.Aspect.Name, e, "")
		return err
	})
	if err != nil {
		return err
	}
	applied, err := s.Documents.Applied(ctx, of.Index())
	if err == nil && applied < sequence {
		return fault.New(fault.Unavailable, "the time series are behind the change log; the documents are deleted as soon as they follow it again, and /health/detailed shows the reason")
	}
	return err
}

// entityTypes is the prefix of the URNs of entities that represent entity types.
const entityTypes = "urn:li:entityType:datahub."

// CompactSeries frees the space of erased documents of a series and returns the number of bytes
// freed. It requires auth.TruncateTimeseries.
func (s *Service) CompactSeries(ctx context.Context, of Series) (int64, error) {
	if err := s.requirePrivilege(ctx, auth.TruncateTimeseries); err != nil {
		return 0, err
	}
	return s.Documents.Compact(ctx, of.Index())
}

// SeriesSizes lists the time-series indices by name. It requires auth.GetTimeseriesSizes or
// auth.ManageSystem.
func (s *Service) SeriesSizes(ctx context.Context) ([]timeseries.Size, error) {
	if err := s.requirePrivilege(ctx, auth.GetTimeseriesSizes, auth.ManageSystem); err != nil {
		return nil, err
	}
	return s.Documents.Sizes(ctx)
}
