package idle

import (
	"context"
	"sync"
)

// A request that holds a resource other requests wait for, such as a lock, must not wait for a
// turn: the others have the turns, or wait for turns behind it. Take and Lock therefore return a
// context whose request gets its turn back at once after each wait, beyond the regular number of
// turns. Requests that wait for the same resource have returned their turns.

type holdKey struct{}

// Hold returns a context that marks its request as holding a resource that others wait for.
func Hold(ctx context.Context) context.Context { return context.WithValue(ctx, holdKey{}, true) }

// Holds reports whether the request of ctx holds a resource that others wait for. Such a request
// gets turns and memory at once.
func Holds(ctx context.Context) bool {
	holds, _ := ctx.Value(holdKey{}).(bool)
	return holds
}

// Take puts a token into places. While places is full it waits, and returns the turn of the request
// meanwhile. Work that needs the place must use the context holding. The caller must call release
// when the place is free again: it takes the token out, and first gives other requests of the actor
// their turns if there are too many. The error is that of ctx.
func Take(ctx context.Context, places chan struct{}) (holding context.Context, release func(), err error) {
	holding = Hold(ctx)
	release = func() {
		<-places
		Begin(ctx)()
	}
	select {
	case places <- struct{}{}:
		return holding, release, nil
	default:
	}
	defer Begin(holding)()
	select {
	case places <- struct{}{}:
		return holding, release, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// Lock is a mutex for locks that are held across waits, such as for a commit. The zero value is
// unlocked.
type Lock struct {
	once  sync.Once
	place chan struct{}
}

// Acquire locks l, in the way of Take.
func (l *Lock) Acquire(ctx context.Context) (holding context.Context, release func(), err error) {
	l.once.Do(func() { l.place = make(chan struct{}, 1) })
	return Take(ctx, l.place)
}
