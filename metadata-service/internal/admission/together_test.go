package admission_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
)

// beginHeavy enters a query of an actor that is heavy where MaxLightWork is 10 s. The channel tells when it may be worked on.
func beginHeavy(t *testing.T, g *admission.Gate, actor string) (*admission.Ticket, <-chan error) {
	t.Helper()
	ticket, done := enter(t, g, actor, 0), make(chan error, 1)
	go func() { done <- ticket.Work(t.Context(), 11*time.Second) }()
	return ticket, done
}

// TestACrowdOfActorsLeavesProcessorsToOthers has heavy queries of more actors than may be worked on together. Light
// requests wait for none of them.
func TestACrowdOfActorsLeavesProcessorsToOthers(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = 1, 2, time.Hour, 10*time.Second
	g := admission.New(cfg)
	ctx := t.Context()
	heavy := func(actor string) (*admission.Ticket, <-chan error) { return beginHeavy(t, g, actor) }
	granted := func(done <-chan error) {
		t.Helper()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	first, done := heavy("a")
	granted(done)
	second, done := heavy("b")
	granted(done)
	third, waits := heavy("c")
	awaitWaiting(t, g, 1)
	light := enter(t, g, "d", 0)
	if err := light.Begin(ctx); err != nil {
		t.Error(err)
	}
	if err := light.Work(ctx, time.Second); err != nil {
		t.Error(err)
	}
	first.Pause() // it waits for its client
	granted(waits)
	first.Resume(ctx) // and goes on beside the two others
	fourth, waits := heavy("d")
	awaitWaiting(t, g, 1)
	first.Release()
	awaitWaiting(t, g, 1)
	second.Release()
	granted(waits)
	third.Release()
	fourth.Release()
	light.Release()
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// TestALongQueryKeepsNobodyFromBeingWorkedOn has the only place taken by a query that does not end.
func TestALongQueryKeepsNobodyFromBeingWorkedOn(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = 1, 1, time.Millisecond, 10*time.Second
	g := admission.New(cfg)
	for _, actor := range []string{"a", "b", "c"} {
		if err := enter(t, g, actor, 0).Work(t.Context(), 11*time.Second); err != nil {
			t.Errorf("%s: %v", actor, err)
		}
	}
}

// TestLongRequestsOfACrowdShareProcessors has requests of many actors compute for long. As many as may be together go
// on at a time, and a request of another actor at once.
func TestLongRequestsOfACrowdShareProcessors(t *testing.T) {
	t.Parallel()
	time := &clock{}
	cfg := config()
	cfg.PerActor, cfg.LightPerActor, cfg.Together, cfg.Place, cfg.MaxLightWork, cfg.Now = 1, 2, 2, 3600*second, second/100, time.now
	g := admission.New(cfg)
	ctx := t.Context()
	went := make(chan *admission.Ticket, 100)
	begin := func(actor string) {
		ticket := enter(t, g, actor, 0)
		go func() {
			if err := ticket.Begin(ctx); err != nil {
				t.Error(err)
			}
			went <- ticket
		}()
	}
	// Each of four actors has two requests that have computed for long, and one behind them.
	const crowd = 4
	var old []*admission.Ticket
	for i := range crowd {
		actor := fmt.Sprint("actor ", i)
		for range 2 {
			begin(actor)
			old = append(old, <-went)
		}
		begin(actor)
		awaitWaiting(t, g, i+1)
	}
	time.advance(second)
	for _, ticket := range old {
		ticket.Release()
	}
	first, more := <-went, <-went
	awaitWaiting(t, g, crowd-2)
	begin("another")
	(<-went).Release()
	first.Release() // each that ends lets one more go on
	third := <-went
	more.Release()
	fourth := <-went
	third.Release()
	fourth.Release()
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

const second = time.Second

// TestWithoutAuthenticationNothingIsShared has as many heavy queries and long requests as come of the one actor that
// everybody is then.
func TestWithoutAuthenticationNothingIsShared(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.LightPerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = math.MaxInt, math.MaxInt, 0, time.Hour, 10*time.Second
	g := admission.New(cfg)
	for range 20 {
		if err := enter(t, g, "everybody", 0).Work(t.Context(), 11*time.Second); err != nil {
			t.Fatal(err)
		}
	}
}
