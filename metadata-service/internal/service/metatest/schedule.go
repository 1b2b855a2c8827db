package metatest

import (
	"context"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// firstSweep is how long after the start all assets are evaluated first: others
// start, too.
const firstSweep = time.Minute

// Schedule evaluates all tests about all assets until ctx ends: a while after it
// was called, then every so often, and soon after a test was written or changes
// were missed. A sweep that fails is logged, and made again after a pause. Each
// tick tells the time, and is when it looks whether there is something to do. It
// acts as the actor in ctx.
func (o *OnChange) Schedule(ctx context.Context, every time.Duration, tick <-chan time.Time) error {
	ctx = store.WithOrigin(ctx, SinkName)
	var due time.Time
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
		if !o.Stale() && now.Before(due) {
			continue
		}
		due = now.Add(every)
		began := time.Now()
		done, err := o.EvaluateAll(ctx, nil, nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			o.Log.ErrorContext(ctx, "evaluating metadata tests about all assets failed", "retry_in", firstSweep, "error", err)
			due = now.Add(min(firstSweep, every))
		case done.Assets > 0:
			o.Log.InfoContext(ctx, "evaluated metadata tests about all assets", "assets", done.Assets, "passing", done.Passing, "failing", done.Failing,
				"changed", done.Changed, "took", time.Since(began).Round(time.Millisecond))
		}
	}
}
