// Package idle marks the times in which a request waits without computing: for a commit, for an
// index that follows, for events, for another server. During these times the request returns its
// turn to other requests. The waiting packages do not depend on the implementation of turns.
package idle

import "context"

// Turn is the right of a request to compute. Its methods may be called concurrently by parts of the
// request.
type Turn interface {
	// Pause returns the turn.
	Pause()
	// Resume waits until the request has its turn again, or for a limited time. It returns at once
	// if the request of ctx holds a resource that others wait for, see Holds.
	Resume(ctx context.Context)
	// Yield passes the turn to waiting requests if this request has had it for long, and returns
	// when the request has it again, or after a limited time. It costs next to nothing if the turn
	// stays.
	Yield(ctx context.Context)
}

type turnKey struct{}

// With stores the turn of a request in its context.
func With(ctx context.Context, t Turn) context.Context { return context.WithValue(ctx, turnKey{}, t) }

// Yield passes the turn of the request of ctx to others, if the request has computed for long. Long
// computations call it between pieces of work of some milliseconds, as often as they check ctx.
// Requests that hold a resource others wait for, see Holds, keep their turn; do not call Yield
// while holding a mutex. Without a turn in ctx, Yield does nothing.
func Yield(ctx context.Context) {
	if t, ok := ctx.Value(turnKey{}).(Turn); ok && !Holds(ctx) {
		t.Yield(ctx)
	}
}

// Begin returns the turn of the request of ctx. The caller must call end when its wait is over; end
// returns when the request has its turn again. Without a turn in ctx, Begin does nothing.
func Begin(ctx context.Context) (end func()) {
	t, ok := ctx.Value(turnKey{}).(Turn)
	if !ok {
		return func() {}
	}
	t.Pause()
	return func() { t.Resume(ctx) }
}
