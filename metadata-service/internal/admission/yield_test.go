package admission_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
)

// TestHeavyQueriesTakeTurns lets two long queries, and a later one, share the only place.
func TestHeavyQueriesTakeTurns(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = 1, 1, time.Hour, 10*time.Second
	g := admission.New(cfg)
	ctx := t.Context()
	yield := func(ticket *admission.Ticket) <-chan error {
		done := make(chan error)
		go func() {
			idle.Yield(idle.With(ctx, ticket))
			close(done)
		}()
		return done
	}
	first, done := beginHeavy(t, g, "a")
	<-done
	<-yield(first) // its place has not expired
	second, waits := beginHeavy(t, g, "b")
	awaitWaiting(t, g, 1)
	admission.EndPlace(first)
	<-waits
	idle.Yield(idle.Hold(idle.With(ctx, first))) // others may wait for a resource that it holds
	again, part := yield(first), yield(first)
	awaitWaiting(t, g, 2)
	third, waits := beginHeavy(t, g, "c")
	awaitWaiting(t, g, 3)
	admission.EndPlace(second)
	<-waits // queries that have not begun come first
	awaitWaiting(t, g, 2)
	behind := yield(second)
	awaitWaiting(t, g, 3)
	third.Release()
	<-again
	<-part
	awaitWaiting(t, g, 1)
	<-yield(first) // it has its place
	first.Release()
	<-behind
	second.Release()
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// TestAQueryGoesOnWithoutAPlace lets a query hold the only place forever while another one waits
// for its second turn.
func TestAQueryGoesOnWithoutAPlace(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = 1, 1, time.Millisecond, 10*time.Second
	g := admission.New(cfg)
	first, second := enter(t, g, "a", 0), enter(t, g, "b", 0)
	for _, ticket := range []*admission.Ticket{first, second} {
		if err := ticket.Work(t.Context(), 11*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		admission.EndPlace(first)
		first.Yield(t.Context())
	}
	if load := g.Load(); load.Refused != 0 {
		t.Errorf("%+v", load)
	}
}

// TestPartsOfAQueryYieldSideBySide lets many parts of two queries yield concurrently, with places
// that expire at once.
func TestPartsOfAQueryYieldSideBySide(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = 1, 1, 20*time.Microsecond, 10*time.Second
	g := admission.New(cfg)
	var parts sync.WaitGroup
	var queries []*admission.Ticket
	for _, actor := range []string{"a", "b"} {
		query := enter(t, g, actor, 0)
		if err := query.Work(t.Context(), 11*time.Second); err != nil {
			t.Fatal(err)
		}
		queries = append(queries, query)
		for range 50 {
			parts.Go(func() {
				for range 50 {
					query.Yield(t.Context())
				}
			})
		}
	}
	parts.Wait()
	for _, query := range queries {
		query.Release()
	}
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// TestAQueryThatGoesOnWithoutAPlaceTakesNone lets a query that has waited long enough continue
// while the only place is taken. Another query gets the place when it is free.
func TestAQueryThatGoesOnWithoutAPlaceTakesNone(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.PerActor, cfg.Together, cfg.Place, cfg.MaxLightWork = 1, 1, time.Hour, 10*time.Second
	g := admission.New(cfg)
	first, done := beginHeavy(t, g, "a")
	<-done
	admission.EndPlace(first)
	second, done := beginHeavy(t, g, "b")
	<-done
	ended, end := context.WithCancel(t.Context())
	end()
	first.Yield(ended)
	_, waits := beginHeavy(t, g, "c")
	awaitWaiting(t, g, 1)
	second.Release()
	<-waits
	admission.EndPlace(first) // its time without a place has expired, too
	away := make(chan struct{})
	go func() {
		first.Yield(t.Context())
		close(away)
	}()
	awaitWaiting(t, g, 1)
	first.Release()
	<-away
}

// TestLongRequestsTakeTurns lets a request of an actor with long requests wait at its Yield for one
// of another such actor.
func TestLongRequestsTakeTurns(t *testing.T) {
	t.Parallel()
	now := &clock{}
	cfg := config()
	cfg.PerActor, cfg.LightPerActor, cfg.Together, cfg.Place, cfg.MaxLightWork, cfg.Now = 1, 2, 1, time.Hour, second/100, now.now
	g := admission.New(cfg)
	ctx := t.Context()
	begin := func(actor string) (*admission.Ticket, <-chan error) {
		ticket, done := enter(t, g, actor, 0), make(chan error, 1)
		go func() { done <- ticket.Begin(ctx) }()
		return ticket, done
	}
	// long begins a request of an actor whose other request has computed for long.
	long := func(actor string) (*admission.Ticket, <-chan error) {
		waiting := g.Load().Waiting
		stays, done := begin(actor)
		<-done
		ends, done := begin(actor)
		<-done
		now.advance(second)
		ends.Release()
		ticket, done := begin(actor)
		awaitWaiting(t, g, waiting+1)
		stays.Release()
		return ticket, done
	}
	first, done := long("a")
	<-done
	second, waits := long("b")
	awaitWaiting(t, g, 1)
	first.Yield(ctx) // its place has not expired
	admission.EndPlace(first)
	<-waits
	again := make(chan struct{})
	go func() {
		first.Yield(ctx)
		close(again)
	}()
	awaitWaiting(t, g, 1)
	second.Release()
	<-again
	first.Release()
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}
