// Package canceltest provides contexts that count the calls of Err and end at a chosen call. With
// them a test can cancel an operation in the middle of a loop, and verify that the loop ends,
// without a clock.
package canceltest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Context is a context that ends at a chosen call of Err. It is safe for concurrent use.
type Context struct {
	context.Context
	cancel context.CancelFunc
	left   int64
	calls  atomic.Int64
}

// After returns a context that ends after n calls of Err, or never if n is negative.
func After(t testing.TB, n int) *Context {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return &Context{Context: ctx, cancel: cancel, left: int64(n)}
}

// Err counts the call and returns the error of the context.
func (c *Context) Err() error {
	if n := c.calls.Add(1); c.left >= 0 && n > c.left {
		c.cancel()
	}
	return c.Context.Err()
}

// Looks returns the number of calls of Err.
func (c *Context) Looks() int { return int(c.calls.Load()) }

// Loop verifies that an operation with a long loop checks its context. Without cancellation the
// operation must call Err at least minCalls times. When the context ends early, in the middle, or
// late, the operation must return context.Canceled after only a few more calls.
func Loop(t testing.TB, what string, minCalls int, do func(ctx context.Context) error) {
	t.Helper()
	counting := After(t, -1)
	if err := do(counting); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	total := counting.Looks()
	if total < minCalls {
		t.Errorf("%s: the context is looked at %d times, want at least %d", what, total, minCalls)
	}
	for _, n := range []int{1, total / 2, total * 3 / 4} {
		ctx := After(t, n)
		if err := do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled after %d of %d looks: %v", what, n, total, err)
		}
		if late := ctx.Looks() - n; late > allowedCalls {
			t.Errorf("%s: cancelled after %d of %d looks, it goes on for %d", what, n, total, late)
		}
	}
}

// allowedCalls is the number of calls of Err allowed after the end of a context: nested loops and
// parallel goroutines each call it.
const allowedCalls = 16
