package idle_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
)

// turn records the calls for the turn of a request.
type turn struct {
	paused chan struct{}
	holds  chan bool // whether the request held a resource when it resumed
}

func newTurn() *turn { return &turn{paused: make(chan struct{}, 10), holds: make(chan bool, 10)} }

func (t *turn) Pause()                     { t.paused <- struct{}{} }
func (t *turn) Resume(ctx context.Context) { t.holds <- idle.Holds(ctx) }
func (*turn) Yield(context.Context)        {}

func TestALockIsAwaitedWithoutATurnAndHeldWithOneAtOnce(t *testing.T) {
	t.Parallel()
	var l idle.Lock
	first, second := newTurn(), newTurn()
	ctx, release, err := l.Acquire(idle.With(t.Context(), first))
	if err != nil || !idle.Holds(ctx) || len(first.paused) > 0 {
		t.Fatalf("a free lock: %v, holds %v, %d pauses", err, idle.Holds(ctx), len(first.paused))
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		ctx, release, err := l.Acquire(idle.With(t.Context(), second))
		if err != nil || !idle.Holds(ctx) {
			t.Errorf("behind another: %v, holds %v", err, idle.Holds(ctx))
			return
		}
		release()
	}()
	<-second.paused
	idle.Begin(ctx)() // as for a commit
	if !<-first.holds {
		t.Error("the one that holds the lock waits for its turn")
	}
	release()
	if <-first.holds {
		t.Error("behind the lock the request does not wait for its turn")
	}
	if !<-second.holds {
		t.Error("the next one waits for its turn while it holds the lock")
	}
	<-left
}

func TestAWaitForALockEndsWithItsContext(t *testing.T) {
	t.Parallel()
	var l idle.Lock
	_, release, err := l.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, _, err := l.Acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	release()
	if _, release, err = l.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	release()
}
