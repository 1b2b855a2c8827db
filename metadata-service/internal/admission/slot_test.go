package admission_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/urn"
)

// computing is a handler whose requests compute until the test releases them. It ignores their
// bodies.
type computing struct {
	echo   *echo.Echo
	begun  chan struct{}
	finish chan struct{}
}

func newComputing(g *admission.Gate) *computing {
	c := &computing{echo: httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)}).Echo, begun: make(chan struct{}, 100), finish: make(chan struct{})}
	c.echo.Use(g.Middleware())
	c.echo.Any("/*", func(ec echo.Context) error {
		c.begun <- struct{}{}
		<-c.finish
		return ec.NoContent(http.StatusOK)
	})
	return c
}

var (
	ann    = auth.Actor{URN: urn.Make("corpuser", "ann")}
	ben    = auth.Actor{URN: urn.Make("corpuser", "ben")}
	system = auth.Actor{URN: urn.Make("corpuser", "system"), System: true}
	nobody = auth.Actor{}
)

// ask sends a request of an actor. The channel returns its status.
func ask(e *echo.Echo, actor auth.Actor, method, path, body, address string) <-chan int {
	ctx := context.Background()
	if actor.URN != "" {
		ctx = auth.WithActor(ctx, actor)
	}
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	r.RemoteAddr = address + ":1"
	status := make(chan int, 1)
	go func() {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		status <- w.Code
	}()
	return status
}

// TestRequestsOfAnActorComputeInSlots sends various requests without reservations: reads, bodies
// that the handler ignores, and requests of anonymous clients.
func TestRequestsOfAnActorComputeInSlots(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor = 2
	g := admission.New(cfg)
	c := newComputing(g)
	var all []<-chan int
	send := func(actor auth.Actor, method, path, body, address string) {
		all = append(all, ask(c.echo, actor, method, path, body, address))
	}
	for _, first := range []struct {
		actor   auth.Actor
		address string
	}{{ann, "10.0.0.1"}, {nobody, "10.0.0.1"}} {
		send(first.actor, http.MethodGet, "/", "", first.address)
		send(first.actor, http.MethodGet, "/", "a body that nobody reads", first.address)
		<-c.begun
		<-c.begun
	}
	send(ann, http.MethodGet, "/", "", "10.0.0.1")
	send(ann, http.MethodGet, "/", "", "10.0.0.2")
	send(ann, http.MethodPost, "/", "a body that nobody reads", "10.0.0.1")
	send(nobody, http.MethodGet, "/", "", "10.0.0.1")
	awaitWaiting(t, g, 4)
	// Other actors, the system and probes do not wait for them.
	for range 3 {
		send(system, http.MethodGet, "/", "", "10.0.0.1")
	}
	send(ben, http.MethodGet, "/", "", "10.0.0.1")
	send(nobody, http.MethodGet, "/", "", "10.0.0.9")
	send(nobody, http.MethodGet, "/gms/health", "", "10.0.0.1")
	for range 6 {
		<-c.begun
	}
	if load := g.Load(); load.Waiting != 4 || len(c.begun) > 0 {
		t.Errorf("%d wait, and %d more compute", load.Waiting, len(c.begun))
	}
	close(c.finish)
	for _, status := range all {
		if got := <-status; got != http.StatusOK {
			t.Errorf("status %d", got)
		}
	}
}

// TestABodyThatArrivesKeepsNoSlot runs an actor with one slot, which another request takes while a
// body arrives.
func TestABodyThatArrivesKeepsNoSlot(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Budget, cfg.MaxRequest, cfg.MaxLight, cfg.LightPerActor = 64<<20, 64<<20, 64<<20, 1
	e := served(admission.New(cfg), func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	e.GET("/", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	u := beginAs(t, e, "10.0.0.1", ann.URN)
	u.send(10)
	if status := <-ask(e, ann, http.MethodGet, "/", "", "10.0.0.1"); status != http.StatusOK {
		t.Errorf("beside it: %d", status)
	}
	u.send(1<<20 - 10)
	if err := u.client.CloseWithError(io.EOF); err != nil {
		t.Error(err)
	}
	if status := u.status(); status != http.StatusOK {
		t.Errorf("the body: %d", status)
	}
}

// TestARequestThatWaitsKeepsNoSlot lets a request wait in the middle, and compute again afterwards.
func TestARequestThatWaitsKeepsNoSlot(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor = 1
	g := admission.New(cfg)
	e := served(g, nil)
	e.GET("/inner", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	e.GET("/", func(c echo.Context) error {
		ctx := c.Request().Context()
		end := idle.Begin(ctx)
		if status := <-ask(e, ann, http.MethodGet, "/inner", "", "10.0.0.1"); status != http.StatusOK {
			t.Errorf("while it waits: %d", status)
		}
		end()
		inner := ask(e, ann, http.MethodGet, "/inner", "", "10.0.0.1")
		awaitWaiting(t, g, 1)
		// A part has a turn of its own, and a request that reserves more already has the turn.
		if err := admission.Work(ctx, time.Millisecond); err != nil {
			t.Error(err)
		}
		part, done := g.Part(ctx)
		if err := admission.Work(part, time.Millisecond); err != nil {
			t.Error(err)
		}
		done()
		if status := <-inner; status != http.StatusOK {
			t.Errorf("behind it: %d", status)
		}
		return c.NoContent(http.StatusOK)
	})
	if status := <-ask(e, ann, http.MethodGet, "/", "", "10.0.0.1"); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// TestOneThatWaitsForRoomKeepsNoSlot runs an actor with one slot, while another actor has the whole
// budget.
func TestOneThatWaitsForRoomKeepsNoSlot(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor = 1
	g := admission.New(cfg)
	other := []*admission.Ticket{enter(t, g, "b", 50), enter(t, g, "c", 50)}
	e := served(g, func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	e.GET("/", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	large := ask(e, ann, http.MethodPost, "/", strings.Repeat("x", 20), "10.0.0.1")
	awaitWaiting(t, g, 1)
	if status := <-ask(e, ann, http.MethodGet, "/", "", "10.0.0.1"); status != http.StatusOK {
		t.Errorf("beside it: %d", status)
	}
	for _, ticket := range other {
		ticket.Release()
	}
	if status := <-large; status != http.StatusOK {
		t.Errorf("the large one: %d", status)
	}
}

func TestTheLineOfAnActorIsBounded(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor = 1
	g := admission.New(cfg)
	begin := func() error {
		return enter(t, g, "a", 0).Begin(t.Context())
	}
	if err := begin(); err != nil {
		t.Fatal(err)
	}
	const line = 1000
	waits := make(chan error, line)
	ctx, leave := context.WithCancel(t.Context())
	for range line {
		ticket := enter(t, g, "a", 0)
		go func() { waits <- ticket.Begin(ctx) }()
	}
	awaitWaiting(t, g, line)
	if err := begin(); !errors.Is(err, fault.Unavailable) {
		t.Errorf("one more than may wait: %v", err)
	}
	leave()
	for range line {
		if err := <-waits; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// clock is a clock that tests advance.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

// TestLongRequestsOfAnActorLeaveProcessorsToOthers runs long requests without reservations.
func TestLongRequestsOfAnActorLeaveProcessorsToOthers(t *testing.T) {
	t.Parallel()
	var c clock
	cfg := config()
	cfg.LightPerActor, cfg.PerActor, cfg.MaxLightWork, cfg.Now = 2, 1, 2*time.Millisecond, c.now
	g := admission.New(cfg)
	begin := func(actor string) *admission.Ticket {
		ticket := enter(t, g, actor, 0)
		if err := ticket.Begin(t.Context()); err != nil {
			t.Error(err)
		}
		return ticket
	}
	begun := make(chan *admission.Ticket, 3)
	later := func() {
		before := g.Load().Waiting
		go func() { begun <- begin("a") }()
		awaitWaiting(t, g, before+1)
	}
	first, second := begin("a"), begin("a")
	later()
	c.advance(time.Millisecond)
	first.Release() // it was short
	third := <-begun
	later()
	later()
	c.advance(300 * time.Millisecond)
	second.Release() // it was long
	if waiting := g.Load().Waiting; waiting != 2 {
		t.Fatalf("beside a long one: %d wait", waiting)
	}
	others := []*admission.Ticket{begin("b"), begin("b")}
	third.Release()
	computing := <-begun
	if waiting := g.Load().Waiting; waiting != 1 {
		t.Fatalf("behind long ones: %d wait", waiting)
	}
	// Short requests follow, one after the other, until the long ones no longer count.
	for side := 0; side == 0; {
		c.advance(2 * time.Millisecond)
		computing.Release()
		computing = <-begun
		go func() { begun <- begin("a") }()
		for g.Load().Waiting == 0 && side == 0 {
			side = len(begun)
		}
	}
	for _, ticket := range append(others, computing, <-begun) {
		ticket.Release()
	}
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// TestOneThatHoldsALockHasItsSlotAndRoomAtOnce lets requests of an actor wait for a lock whose
// holder waits for a commit. Meanwhile other requests of the actor have all slots, or all room.
func TestOneThatHoldsALockHasItsSlotAndRoomAtOnce(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor, cfg.Wait = 1, time.Hour
	g := admission.New(cfg)
	begin := func() (*admission.Ticket, context.Context) {
		ticket := enter(t, g, "a", 0)
		if err := ticket.Begin(t.Context()); err != nil {
			t.Error(err)
		}
		return ticket, idle.With(t.Context(), ticket)
	}
	var lock idle.Lock
	holder, ctx := begin()
	ctx, release, err := lock.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	end := idle.Begin(ctx)
	var others []<-chan struct{}
	for range 3 {
		ticket, ctx := begin() // after the earlier ones wait for the lock
		waits, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			defer ticket.Release()
			if _, release, err := lock.Acquire(idle.With(ctx, &pausing{Turn: ticket, paused: waits})); err != nil {
				t.Error(err)
			} else {
				release()
			}
		}()
		<-waits
		others = append(others, done)
	}
	computing, _ := begin() // has the only slot
	room := []*admission.Ticket{enter(t, g, "b", 50), enter(t, g, "c", 50)}
	end()
	if err := holder.Reserve(ctx, 20); err != nil {
		t.Error(err)
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		release() // releases the surplus slot, and waits for its own
	}()
	computing.Release()
	for _, done := range append(others, left) {
		<-done
	}
	holder.Release()
	for _, ticket := range room {
		ticket.Release()
	}
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// pausing is a turn that records its first pause.
type pausing struct {
	idle.Turn
	paused chan struct{}
	once   sync.Once
}

func (p *pausing) Pause() {
	p.Turn.Pause()
	p.once.Do(func() { close(p.paused) })
}
