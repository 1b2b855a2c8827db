package ops

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxRetentionDays bounds how long documents may be kept by a rule.
const maxRetentionDays = 36_500

// When retention looks at the series: a while after the start, as others start, too, and then daily.
const (
	firstRetention = time.Minute
	retainEvery    = 24 * time.Hour
)

// Retention keeps the documents of one time series for some days.
type Retention struct {
	EntityType, Aspect string
	Days               int
}

// ParseRetention reads a rule as dataset.datasetProfile=365.
func ParseRetention(text string) (r Retention, err error) {
	series, days, ok := strings.Cut(text, "=")
	entity, aspect, dotted := strings.Cut(series, ".")
	if !ok || !dotted || entity == "" || aspect == "" {
		return r, fault.New(fault.Malformed, "%.100q is no rule of retention; it has the form <entity type>.<aspect>=<days>, as dataset.datasetProfile=365", text)
	}
	r = Retention{EntityType: strings.TrimSpace(entity), Aspect: strings.TrimSpace(aspect)}
	r.Days, err = strconv.Atoi(strings.TrimSpace(days))
	if err != nil || r.Days < 1 || r.Days > maxRetentionDays {
		return r, fault.New(fault.Malformed, "%.100q: must keep 1 to %d days", text, maxRetentionDays)
	}
	return r, nil
}

// CheckRetention refuses rules about what is no time series, and two about the same.
func (s *Service) CheckRetention(rules []Retention) error {
	var seen []string
	for _, r := range rules {
		of, err := s.Catalog.Series(r.EntityType, r.Aspect)
		if err != nil {
			return err
		}
		if slices.Contains(seen, of.Index()) {
			return fault.New(fault.Malformed, "%s.%s has two rules of retention; it must have one", of.Entity.Name, of.Aspect.Name)
		}
		seen = append(seen, of.Index())
	}
	return nil
}

// Retain truncates time series that hold documents older than their rules allow, until ctx
// ends: a while after it was called, and then daily. Each truncation is a task like those
// of operators, with progress and cancellation; one that failed is tried again the next day. Each tick tells
// the time, and is when it looks whether there is something to do. It acts as the actor in ctx.
func (s *Service) Retain(ctx context.Context, rules []Retention, tick <-chan time.Time) error {
	first := func(now time.Time) time.Time { return now.Add(firstRetention) }
	return repeat(ctx, tick, first, retainEvery, func() {
		for _, r := range rules {
			if err := s.retain(ctx, r); err != nil && ctx.Err() == nil {
				s.Log.ErrorContext(ctx, "a time series was not truncated by its rule of retention", "entity_type", r.EntityType, "aspect", r.Aspect, "days", r.Days, "retry_in", retainEvery, "error", err)
			}
		}
	})
}

// retain starts a truncation when there is something to delete. Nothing is written for a
// series that is within its rule, and a file that the disk has no room to copy stays as long as it is.
func (s *Service) retain(ctx context.Context, r Retention) error {
	of, err := s.Catalog.Series(r.EntityType, r.Aspect)
	if err != nil {
		return err
	}
	end := s.Now().AddDate(0, 0, -r.Days).UnixMilli() - 1 // what is exactly so old stays
	if end < 0 {
		return nil
	}
	if old, err := s.anyUntil(ctx, of, end); err != nil || !old {
		return err
	}
	force := true
	_, err = s.Truncate(ctx, Truncation{EntityType: of.Entity.Name, Aspect: of.Aspect.Name, End: end, ForceDelete: &force})
	if errors.Is(err, fault.Conflict) {
		return nil // somebody does so already
	}
	return err
}

func (s *Service) anyUntil(ctx context.Context, of catalog.Series, end int64) (bool, error) {
	rows, _, err := s.Catalog.CountUntil(ctx, of, end)
	return rows > 0, err
}
