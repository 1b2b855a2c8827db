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

// maxRetentionDays is the longest retention of documents in a rule.
const maxRetentionDays = 36_500

// Times at which retention checks the series: shortly after the start, so that other parts start
// first, and then daily.
const (
	firstRetention = time.Minute
	retainEvery    = 24 * time.Hour
)

// Retention is a rule that keeps the documents of one time series for a number of days.
type Retention struct {
	EntityType, Aspect string
	Days               int
}

// ParseRetention parses a rule such as dataset.datasetProfile=365. Other texts are fault.Malformed.
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

// CheckRetention returns an error for rules about aspects that are not time series, and for two
// rules about the same series.
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

// Retain truncates time series with documents older than their rules allow, until ctx ends: first
// shortly after the call, then daily. Each truncation is a task like those of operators, with
// progress and cancellation. A failed truncation is repeated the next day. Each tick carries the
// current time and triggers one check for due work. It acts as the actor in ctx.
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

// retain starts a truncation if there are documents to delete. It writes nothing for a series
// within its rule. If the disk has no space for a copy, the file keeps its size.
func (s *Service) retain(ctx context.Context, r Retention) error {
	of, err := s.Catalog.Series(r.EntityType, r.Aspect)
	if err != nil {
		return err
	}
	end := s.Now().AddDate(0, 0, -r.Days).UnixMilli() - 1 // documents of exactly that age stay
	if end < 0 {
		return nil
	}
	if old, err := s.hasDocumentsUntil(ctx, of, end); err != nil || !old {
		return err
	}
	force := true
	_, err = s.Truncate(ctx, Truncation{EntityType: of.Entity.Name, Aspect: of.Aspect.Name, End: end, ForceDelete: &force})
	if errors.Is(err, fault.Conflict) {
		return nil // such a task already runs
	}
	return err
}

func (s *Service) hasDocumentsUntil(ctx context.Context, of catalog.Series, end int64) (bool, error) {
	rows, _, err := s.Catalog.CountUntil(ctx, of, end)
	return rows > 0, err
}
