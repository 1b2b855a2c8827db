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

// firstSweep is how long after the start all assets are evaluated first: others
// start, too.
const firstSweep = time.Minute

// lookEvery is how often the definitions are looked at for schedules of their own.
const lookEvery = time.Minute

// Schedule evaluates all tests about all assets until ctx ends: a while after it
// was called, then every so often, and soon after a test was written or changes
// were missed; and single tests as often as their definitions say. A sweep that
// fails is logged, and made again after a pause. Each tick tells the time, and is
// when it looks whether there is something to do. It acts as the actor in ctx.
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

// sweepNow evaluates tests about all assets: all of them when none are named, and
// nothing for nil. It is a task where there are tasks, so that it is seen and can be
// cancelled, and goes on after a restart. It returns when that has ended.
func (o *OnChange) sweepNow(ctx context.Context, tests []urn.URN, trigger Trigger) error {
	if tests == nil {
		return nil
	}
	if len(tests) == 0 {
		if valid, invalid, err := o.Service.all(ctx); err == nil && len(valid)+len(invalid) == 0 {
			return nil // and no task that says so every day
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

// runNow starts a run and waits for it. The same run, started by somebody else or before
// a restart, may have passed by what changed since: it is fault.Conflict, and the caller
// tries again later.
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
	case run.State == task.Failed: // which the manager of tasks has logged
		return run.Err()
	}
	return nil // as for one that was cancelled, which is not to begin anew at once
}

// sweepHere evaluates tests without a task, and logs how it went.
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

// ownSchedules are those that definitions give.
type ownSchedules struct {
	looked time.Time
	next   map[urn.URN]time.Time
}

// due are the tests that are to be evaluated by a schedule of their own; nil for
// none. A test is due first when its period has passed since it was seen.
func (w *ownSchedules) due(ctx context.Context, s *Service, now time.Time) (due []urn.URN) {
	if now.Before(w.looked.Add(lookEvery)) {
		return nil
	}
	w.looked = now
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
		case at.After(now.Add(t.test.Every)): // it was made to run more often
			at = now.Add(t.test.Every)
		}
		next[t.urn] = at
	}
	w.next = next
	return due
}
