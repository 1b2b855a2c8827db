package admission_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
)

// beginHeavy enters a query of an actor that is heavy with a MaxLightWork of 10 s. The channel
// returns when the query may run.
func beginHeavy(t *testing.T, g *admission.Gate, actor string) (*admission.Ticket, <-chan error) {
	t.Helper()
	ticket, done := enter(t, g, actor, 0), make(chan error, 1)
	go func() { done <- ticket.Work(t.Context(), 11*time.Second) }()
	return ticket, done
}

// TestACrowdOfActorsLeavesProcessorsToOthers runs heavy queries of more actors than
// Config.Together. Light requests wait for none of them.
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
	first.Resume(ctx) // and continues in addition to the two others
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

// TestALongQueryKeepsNobodyFromBeingWorkedOn lets a query that does not end hold the only place.
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

// TestLongRequestsOfACrowdShareProcessors runs long requests of many actors. Config.Together of
// them compute at a time, and a request of another actor at once.
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
	// Each of four actors has two requests that have computed for long, and one waiting request.
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
	first.Release() // each one that ends lets another continue
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

// TestWithoutAuthenticationNothingIsShared runs as many heavy queries and long requests as the
// single actor of an installation without authentication sends.
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
