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
}

type turnKey struct{}

// With keeps the turn of a request in its context.
func With(ctx context.Context, t Turn) context.Context { return context.WithValue(ctx, turnKey{}, t) }

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
