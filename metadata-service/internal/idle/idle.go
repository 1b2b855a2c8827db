// Package idle marks the times in which a request waits and computes nothing: for a commit, for
// an index that follows, for events, for another server. Such a request gives its turn to others
// meanwhile. The packages that wait do not know what a turn is.
package idle

import "context"

// Turn is the right of a request to compute. Both methods may be called by parts of the request
// that run side by side.
type Turn interface {
	// Pause gives the turn back.
	Pause()
	// Resume returns when the turn is there again, or when it has been awaited long enough. It
	// returns at once when ctx is of a request that holds something others wait for, see Holds.
	Resume(ctx context.Context)
	// Yield lets others that wait have the turn when the request has had it for long, and returns
	// when it is there again, or when it has been awaited long enough. It costs next to nothing
	// when the turn is not to be given.
	Yield(ctx context.Context)
}

type turnKey struct{}

// With keeps the turn of a request in its context.
func With(ctx context.Context, t Turn) context.Context { return context.WithValue(ctx, turnKey{}, t) }

// Yield lets others have the turn of the request that ctx is of when it has computed for long. Long
// computations call it between pieces of work of some milliseconds, as often as they look whether ctx has
// ended. Requests that hold something others wait for, see Holds, keep their turn; do not call Yield while
// holding a mutex. Contexts without a turn pass.
func Yield(ctx context.Context) {
	if t, ok := ctx.Value(turnKey{}).(Turn); ok && !Holds(ctx) {
		t.Yield(ctx)
	}
}

// Begin gives back the turn of the request that ctx is of. Call end when the wait is over; it
// returns when the turn is there again. Contexts without a turn pass.
func Begin(ctx context.Context) (end func()) {
	t, ok := ctx.Value(turnKey{}).(Turn)
	if !ok {
		return func() {}
	}
	t.Pause()
	return func() { t.Resume(ctx) }
}
