package ops

import (
	"context"
	"time"
)

// repeat does something again and again until ctx ends, whose error it gives: at the
// time that first tells when it is asked at the first tick, and then every so often after
// it was begun. Each tick tells the time, and is when it looks whether something is due.
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
