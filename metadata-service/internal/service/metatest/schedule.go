package metatest

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// firstSweep is the delay of the first evaluation of all assets after the start, so that other
// parts start first.
const firstSweep = time.Minute

// lookEvery is the interval at which own schedules of definitions are read.
const lookEvery = time.Minute

// Schedule evaluates all tests about all assets until ctx ends: first after firstSweep, then once
// per interval every, and at the next tick after a test was written or changes were missed. Tests
// with a schedule of their own are also evaluated as their definitions say. It logs a sweep that
// fails and repeats it after firstSweep. Each tick carries the current time and triggers one check
// for due work. It acts as the actor in ctx.
func (o *OnChange) Schedule(ctx context.Context, every time.Duration, tick <-chan time.Time) error {
	ctx = store.WithOrigin(ctx, SinkName)
	var due time.Time
	own := ownSchedules{next: map[urn.URN]time.Time{}}
	for {
		var now time.Time
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now = <-tick:
		}
		if due.IsZero() {
			due = now.Add(firstSweep)
		}
		trigger := Scheduled
		if o.Stale() {
			trigger = Changed
		} else if now.Before(due) {
			_ = o.sweepNow(ctx, own.due(ctx, o.Service, now), Scheduled)
			continue
		}
		due = now.Add(every)
		if err := o.sweepNow(ctx, []urn.URN{}, trigger); err != nil {
			due = now.Add(min(firstSweep, every))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// sweepNow evaluates tests about all assets: all tests for an empty list, none for nil. If tasks
// are available it runs as a task, which can be seen and cancelled and resumes after a restart. It
// returns when the evaluation has ended.
func (o *OnChange) sweepNow(ctx context.Context, tests []urn.URN, trigger Trigger) error {
	if tests == nil {
		return nil
	}
	if len(tests) == 0 {
		if valid, invalid, err := o.Service.all(ctx); err == nil && len(valid)+len(invalid) == 0 {
			return nil // avoid an empty task every day
		}
	}
	if o.Tasks == nil {
		return o.sweepHere(ctx, tests)
	}
	if len(tests) == 0 {
		return o.runNow(ctx, nil, trigger)
	}
	for some := range slices.Chunk(tests, MaxTests) {
		if err := o.runNow(ctx, some, trigger); err != nil {
			return err
		}
	}
	return nil
}

// runNow starts a run and waits for it. If the same run, started by another actor or before a
// restart, is active, the error is fault.Conflict: that run may already have passed assets that
// changed since, so the caller tries again later.
func (o *OnChange) runNow(ctx context.Context, tests []urn.URN, trigger Trigger) error {
	run, err := o.startRun(ctx, tests, trigger)
	if err == nil {
		run.Task, err = o.Tasks.Wait(ctx, run.ID)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case fault.KindOf(err) == fault.Conflict:
		o.Log.InfoContext(ctx, "metadata tests are being evaluated already", "tests", len(tests), "retry_in", firstSweep, "reason", err)
		return err
	case err != nil:
		o.Log.ErrorContext(ctx, "evaluating metadata tests about all assets was not possible", "tests", len(tests), "retry_in", firstSweep, "error", err)
		return err
	case run.State == task.Failed: // the task manager has logged it
		return run.Err()
	}
	return nil // also for a cancelled run, which must not start again at once
}

// sweepHere evaluates tests without a task, and logs the outcome.
func (o *OnChange) sweepHere(ctx context.Context, tests []urn.URN) error {
	began := time.Now()
	done, err := o.EvaluateAll(ctx, tests, nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		o.Log.ErrorContext(ctx, "evaluating metadata tests about all assets failed", "tests", len(tests), "retry_in", firstSweep, "error", err)
	case done.Assets > 0:
		o.Log.InfoContext(ctx, "evaluated metadata tests about all assets", "tests", len(tests), "assets", done.Assets, "passing", done.Passing, "failing", done.Failing,
			"changed", done.Changed, "took", time.Since(began).Round(time.Millisecond))
	}
	return err
}

// ownSchedules tracks the schedules in definitions.
type ownSchedules struct {
	lastRead time.Time
	next     map[urn.URN]time.Time
}

// due returns the tests whose own schedule has elapsed, or nil. The first evaluation of a test is
// due one period after it was first seen.
func (w *ownSchedules) due(ctx context.Context, s *Service, now time.Time) (due []urn.URN) {
	if now.Before(w.lastRead.Add(lookEvery)) {
		return nil
	}
	w.lastRead = now
	tests, _, err := s.all(ctx)
	if err != nil {
		s.Log.WarnContext(ctx, "schedules of metadata tests were not read", "error", err)
		return nil
	}
	next := make(map[urn.URN]time.Time, len(w.next))
	for _, t := range tests {
		if t.test.Every == 0 {
			continue
		}
		at, known := w.next[t.urn]
		switch {
		case !known:
			at = now.Add(t.test.Every)
		case !now.Before(at):
			due = append(due, t.urn)
			at = now.Add(t.test.Every)
		case at.After(now.Add(t.test.Every)): // the period was shortened
			at = now.Add(t.test.Every)
		}
		next[t.urn] = at
	}
	w.next = next
	return due
}
