package ops

import (
	"context"
	"time"
)

// repeat calls do repeatedly until ctx ends, and returns the error of ctx. It calls first at the
// first tick; the result is the time of the first call of do. Further calls follow every period,
// counted from the start of the previous one. Each tick carries the current time and triggers one
// check for due work.
func repeat(ctx context.Context, tick <-chan time.Time, first func(now time.Time) time.Time, every time.Duration, do func()) error {
	var due time.Time
	for {
		var now time.Time
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now = <-tick:
		}
		if due.IsZero() {
			due = first(now)
		}
		if now.Before(due) {
			continue
		}
		due = now.Add(every)
		do()
	}
}
