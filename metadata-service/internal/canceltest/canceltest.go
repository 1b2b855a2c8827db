// Package canceltest makes contexts that count how often they are looked at and
// end at a chosen look. By that a test cancels in the middle of a loop, and sees
// that the loop ends, without a clock.
package canceltest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Context is a context that ends at a look at it. It is safe for concurrent use.
type Context struct {
	context.Context
	cancel context.CancelFunc
	left   int64
	looks  atomic.Int64
}

// After makes a context that is looked at n times before it ends, or never ends
// when n is negative.
func After(t testing.TB, n int) *Context {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return &Context{Context: ctx, cancel: cancel, left: int64(n)}
}

// Err counts as a look.
func (c *Context) Err() error {
	if n := c.looks.Add(1); c.left >= 0 && n > c.left {
		c.cancel()
	}
	return c.Context.Err()
}

// Looks is how often Err was called.
func (c *Context) Looks() int { return int(c.looks.Load()) }

// Loop holds an operation with a long loop to its context: uncancelled it looks
// at least that often, and cancelled in the beginning, in the middle or later it
// fails and looks a few times more at most, on its way out.
func Loop(t testing.TB, what string, looks int, do func(ctx context.Context) error) {
	t.Helper()
	whole := After(t, -1)
	if err := do(whole); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	total := whole.Looks()
	if total < looks {
		t.Errorf("%s: the context is looked at %d times, want at least %d", what, total, looks)
	}
	for _, n := range []int{1, total / 2, total * 3 / 4} {
		ctx := After(t, n)
		if err := do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled after %d of %d looks: %v", what, n, total, err)
		}
		if late := ctx.Looks() - n; late > wayOut {
			t.Errorf("%s: cancelled after %d of %d looks, it goes on for %d", what, n, total, late)
		}
	}
}

// wayOut is how many looks may follow the one that ends a context: loops in loops
// each see it, in goroutines side by side.
const wayOut = 16
