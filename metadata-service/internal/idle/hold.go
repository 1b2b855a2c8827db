package idle

import (
	"context"
	"sync"
)

// A request that holds something others wait for, such as a lock, must not wait for its turn
// meanwhile: the others have the turns, or wait for theirs behind it. So Take and Lock give a
// context whose request has its turn at once after each wait, beyond the number of turns there
// are. Those who wait for the same thing have given their turns back.

type holdKey struct{}

// Hold gives the context of a request for as long as it holds something that others wait for.
func Hold(ctx context.Context) context.Context { return context.WithValue(ctx, holdKey{}, true) }

// Holds reports whether the request that ctx is of holds something that others wait for. It gets
// turns and room at once then.
func Holds(ctx context.Context) bool {
	holds, _ := ctx.Value(holdKey{}).(bool)
	return holds
}

// Take puts a token into places, and waits without the turn of the request while they are full.
// Work that needs the place uses the context holding. Call release when the place is free for
// others: it takes the token out, and gives others of the actor their turns first when there are
// too many. The error is that of ctx.
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

// Lock is a mutex that is held across waits, such as for a commit. The zero value is not locked.
type Lock struct {
	once  sync.Once
	place chan struct{}
}

// Acquire locks l like Take.
func (l *Lock) Acquire(ctx context.Context) (holding context.Context, release func(), err error) {
	l.once.Do(func() { l.place = make(chan struct{}, 1) })
	return Take(ctx, l.place)
}
