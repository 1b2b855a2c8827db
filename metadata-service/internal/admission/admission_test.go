package admission_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"go.uber.org/goleak"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// config returns a gate of a hundred bytes whose requests wait as long as a test may take.
func config() admission.Config {
	return admission.Config{Budget: 100, MaxRequest: 150, MaxLight: 10, PerActor: 2, Together: 100, Wait: time.Minute}
}

func enter(t *testing.T, g *admission.Gate, actor string, weight int64) *admission.Ticket {
	t.Helper()
	ticket, err := g.Enter(t.Context(), actor, weight)
	if err != nil {
		t.Fatalf("%s with %d: %v", actor, weight, err)
	}
	return ticket
}

// later enters in a goroutine and returns when the request waits in the queue.
func later(t *testing.T, g *admission.Gate, actor string, weight int64) <-chan *admission.Ticket {
	t.Helper()
	before := g.Load().Waiting
	in := make(chan *admission.Ticket, 1)
	go func() {
		ticket, err := g.Enter(t.Context(), actor, weight)
		if err != nil {
			t.Errorf("%s with %d: %v", actor, weight, err)
		}
		in <- ticket
	}()
	awaitWaiting(t, g, before+1)
	return in
}

func awaitWaiting(t *testing.T, g *admission.Gate, n int) {
	t.Helper()
	for g.Load().Waiting != n {
		select {
		case <-t.Context().Done():
			t.Fatalf("%d wait, want %d", g.Load().Waiting, n)
		default:
		}
	}
}

func TestLightRequestsPassWhateverIsInside(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	enter(t, g, "a", 100)
	for i := range 1000 {
		enter(t, g, strconv.Itoa(i), 10)
	}
	if load := g.Load(); load.Bytes != 100 || load.Heavy != 1 {
		t.Errorf("%+v", load)
	}
}

// A client that reads many small answers slowly keeps the reservation of each.
func TestLightRequestsOfOneActorAreBoundedTogether(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	light := make([]*admission.Ticket, 5)
	for i := range light {
		light[i] = enter(t, g, "a", 10)
	}
	if load := g.Load(); load.Heavy != 0 {
		t.Fatalf("half of the budget: %+v", load)
	}
	crowded := enter(t, g, "a", 2)
	enter(t, g, "b", 10)
	if load := g.Load(); load.Bytes != 2 || load.Heavy != 1 {
		t.Fatalf("more than half: %+v", load)
	}
	light[0].Release()
	if err := crowded.Reserve(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if load := g.Load(); load.Bytes != 5 || load.Heavy != 1 {
		t.Errorf("one that counted as large does not go on so: %+v", load)
	}
	// A ticket that becomes large leaves the sum of the light ones.
	if err := light[1].Reserve(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	again := []*admission.Ticket{enter(t, g, "a", 10), enter(t, g, "a", 10)}
	if load := g.Load(); load.Bytes != 35 || load.Heavy != 2 {
		t.Errorf("with room among the light ones: %+v", load)
	}
	for _, ticket := range append(append(light, again...), crowded) {
		ticket.Release()
	}
	for range 5 {
		enter(t, g, "a", 10)
	}
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

func TestHeavyRequestsShareABudget(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	first, other := enter(t, g, "a", 50), enter(t, g, "b", 40)
	next := later(t, g, "c", 20)
	select {
	case <-next:
		t.Fatal("110 of 100 are inside")
	default:
	}
	first.Release()
	first.Release()
	(<-next).Release()
	other.Release()
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// An actor whose answers are read slowly keeps its reservations for long.
func TestWhatOneActorHoldsLeavesHalfOfTheBudgetToOthers(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	large := enter(t, g, "a", 150)
	own := later(t, g, "a", 11) // of the same actor, which has more than its half
	other := enter(t, g, "b", 30)
	enter(t, g, "c", 20).Release()
	third := later(t, g, "c", 21)
	select {
	case <-own:
		t.Fatal("the actor has 161 of 100")
	case <-third:
		t.Fatal("the others have 51 of the half that is left to them")
	default:
	}
	other.Release()
	(<-third).Release()
	large.Release()
	(<-own).Release()
	if load := g.Load(); load != (admission.Load{}) {
		t.Errorf("left: %+v", load)
	}
}

// An actor with less than its half keeps its place in the queue.
func TestSmallRequestsDoNotOvertakeAnActorWithinItsHalf(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	enter(t, g, "a", 11)
	enter(t, g, "c", 20)
	others := enter(t, g, "b", 60)
	beyond := later(t, g, "b", 40) // beyond its half, so others pass it
	within := later(t, g, "a", 25)
	last := later(t, g, "d", 11)
	enter(t, g, "d", 1)
	select {
	case <-last:
		t.Fatal("the last one overtook one that waits for others")
	case <-beyond:
		t.Fatal("an actor has 100 beside others")
	case <-within:
		t.Fatal("106 of 100 are inside")
	default:
	}
	others.Release()
	(<-beyond).Release()
	<-within
	<-last
}

func TestOneOverTheMostIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	if _, err := g.Enter(t.Context(), "a", 151); !errors.Is(err, fault.TooLarge) {
		t.Errorf("got %v", err)
	}
	ticket := enter(t, g, "a", 150)
	if err := ticket.Reserve(t.Context(), 1); !errors.Is(err, fault.TooLarge) {
		t.Errorf("grown: %v", err)
	}
	ticket.Release()
	if load := g.Load(); load.Bytes != 0 || load.Heavy != 0 {
		t.Errorf("left: %+v", load)
	}
}

func TestOneActorHasFewInside(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	one, _ := enter(t, g, "a", 20), enter(t, g, "a", 20)
	third := later(t, g, "a", 20)
	enter(t, g, "b", 20) // passes queued requests that may not enter anyway
	one.Release()
	<-third
}

// TestBatchesOfOneActorOnlyHaveToFit sends more heavy bodies than one actor may have heavy queries,
// and answers none before all are admitted.
func TestBatchesOfOneActorOnlyHaveToFit(t *testing.T) {
	t.Parallel()
	const batches = 5
	cfg := config()
	cfg.Budget, cfg.LightPerActor, cfg.Wait = batches*80, batches, 10*time.Millisecond
	g := admission.New(cfg)
	var inside sync.WaitGroup
	inside.Add(batches)
	e := served(g, func(echo.Context) error {
		inside.Done()
		inside.Wait()
		return nil
	})
	var all sync.WaitGroup
	for range batches {
		all.Go(func() {
			if w := post(e, strings.NewReader(strings.Repeat("x", 20))); w.Code != http.StatusOK {
				t.Errorf("%d %s", w.Code, w.Body)
				inside.Done()
			}
		})
	}
	all.Wait()
}

func TestTheLineIsInOrder(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	first := enter(t, g, "a", 90)
	large := later(t, g, "b", 80)
	small := later(t, g, "c", 15)
	select {
	case <-small:
		t.Fatal("the small one overtook the large one")
	default:
	}
	first.Release()
	<-large
	<-small
}

// TestThoseThatGrowNeverWaitForEachOther runs many requests that all grow beyond the budget at the
// same time.
func TestThoseThatGrowNeverWaitForEachOther(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	var all sync.WaitGroup
	var done atomic.Int64
	for i := range 20 {
		all.Go(func() {
			ticket, err := g.Enter(t.Context(), string(rune('a'+i)), 11)
			if err != nil {
				t.Error(err)
				return
			}
			defer ticket.Release()
			for range 13 {
				if err := ticket.Reserve(t.Context(), 10); err != nil {
					t.Error(err)
					return
				}
			}
			done.Add(1)
		})
	}
	all.Wait()
	if load := g.Load(); done.Load() != 20 || load.Bytes != 0 || load.Waiting != 0 {
		t.Errorf("%d done, %+v", done.Load(), load)
	}
}

// TestARequestThatReadsSideBySideIsWeighedOnce grows few tickets from many goroutines each, with
// some refusals.
func TestARequestThatReadsSideBySideIsWeighedOnce(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.MaxRequest = 1000
	g := admission.New(cfg)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			ticket, err := g.Enter(t.Context(), string(rune('a'+i)), 1)
			if err != nil {
				t.Error(err)
				return
			}
			var parts sync.WaitGroup
			for n := range 8 {
				parts.Go(func() {
					ctx, leave := context.WithCancel(t.Context())
					if n == 3 {
						leave()
					}
					defer leave()
					for range 20 {
						if err := ticket.Reserve(ctx, 5); err != nil && n != 3 {
							t.Error(err)
						}
					}
				})
			}
			parts.Wait()
			ticket.Release()
			if err := ticket.Reserve(t.Context(), 50); err != nil {
				t.Errorf("after it left: %v", err)
			}
		})
	}
	all.Wait()
	if load := g.Load(); load.Bytes != 0 || load.Heavy != 0 || load.Waiting != 0 {
		t.Errorf("left: %+v", load)
	}
}

func TestWaitingHasAnEnd(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Wait = time.Millisecond
	g := admission.New(cfg)
	enter(t, g, "a", 100)
	_, err := g.Enter(t.Context(), "b", 60)
	if !errors.Is(err, fault.Unavailable) || !strings.Contains(fault.Message(err), "busy with other large requests") {
		t.Errorf("got %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := g.Enter(gone, "b", 60); !errors.Is(err, context.Canceled) && !errors.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
	if load := g.Load(); load.Refused != 2 || load.Bytes != 100 || load.Waiting != 0 {
		t.Errorf("%+v", load)
	}
}

func TestAboveTheMemoryLimitHeavyRequestsAreRefused(t *testing.T) {
	t.Parallel()
	var live atomic.Int64
	collected := 0
	cfg := config()
	cfg.Limit, cfg.Live, cfg.Collect = 1000, live.Load, func() { collected++ }
	g := admission.New(cfg)
	enter(t, g, "a", 20).Release()
	live.Store(1000)
	if _, err := g.Enter(t.Context(), "a", 20); !errors.Is(err, fault.Unavailable) || !strings.Contains(fault.Message(err), "short of memory") {
		t.Errorf("got %v", err)
	}
	enter(t, g, "a", 10)
	if collected != 1 {
		t.Errorf("collected %d times", collected)
	}
	live.Store(999)
	enter(t, g, "a", 20)
}

// A collection is slow when memory is short. Health checks pass meanwhile.
func TestACollectionKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	var live atomic.Int64
	live.Store(1000)
	begun, end := make(chan struct{}, 10), make(chan struct{})
	cfg := config()
	cfg.Limit, cfg.Live, cfg.Collect = 1000, live.Load, func() {
		begun <- struct{}{}
		<-end
	}
	g := admission.New(cfg)
	refused := make(chan error)
	for _, actor := range []string{"a", "b", "c"} {
		go func() {
			_, err := g.Enter(t.Context(), actor, 20)
			refused <- err
		}()
	}
	<-begun
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		_, _ = g.Enter(t.Context(), "d", 10)
	}()
	select {
	case <-passed:
	case <-time.After(10 * time.Second):
		t.Error("a light request waits for the collection")
	}
	close(end)
	for range 3 {
		if err := <-refused; !errors.Is(err, fault.Unavailable) {
			t.Errorf("got %v", err)
		}
	}
	<-passed
	live.Store(10)
	enter(t, g, "a", 20)
}

// TestOneThatLeavesDuringACollectionTakesNoRoom releases a request during a collection.
func TestOneThatLeavesDuringACollectionTakesNoRoom(t *testing.T) {
	t.Parallel()
	var live atomic.Int64
	live.Store(1000)
	cfg := config()
	var ticket *admission.Ticket
	cfg.Limit, cfg.Live, cfg.Collect = 1000, live.Load, func() {
		ticket.Release()
		live.Store(10)
	}
	g := admission.New(cfg)
	ticket = enter(t, g, "a", 1)
	if err := ticket.Reserve(t.Context(), 50); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if load := g.Load(); load.Bytes != 0 || load.Heavy != 0 || load.Waiting != 0 {
		t.Errorf("left: %+v", load)
	}
}

func TestWithoutAGateEverybodyPasses(t *testing.T) {
	t.Parallel()
	var g *admission.Gate
	ticket := enter(t, g, "a", 1<<60)
	if err := ticket.Reserve(t.Context(), 1<<60); err != nil {
		t.Error(err)
	}
	ticket.Release()
}

func BenchmarkEnter(b *testing.B) {
	g := admission.New(admission.Config{})
	for name, weight := range map[string]int64{"light": 1 << 10, "heavy": 2 << 20} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ticket, err := g.Enter(b.Context(), "a", weight)
				if err != nil {
					b.Fatal(err)
				}
				ticket.Release()
			}
		})
	}
}

// TestQueriesThatNeedProcessorTimeAreHeavy admits two queries of an actor that need little memory.
// A third one waits, and continues when one of them has ended; queries of others, and light ones,
// do not wait.
func TestQueriesThatNeedProcessorTimeAreHeavy(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.MaxLightWork = 10 * time.Second
	g := admission.New(cfg)
	ctx := t.Context()
	work := func(actor string, d time.Duration) (*admission.Ticket, <-chan error) {
		ticket, done := enter(t, g, actor, 0), make(chan error, 1)
		go func() { done <- ticket.Work(ctx, d) }()
		return ticket, done
	}
	granted := func(done <-chan error) {
		t.Helper()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	first, done := work("a", 11*time.Second)
	granted(done)
	_, done = work("a", 11*time.Second)
	granted(done)
	enter(t, g, "c", 100) // fills the budget, which does not affect queries without memory
	third, waits := work("a", 11*time.Second)
	awaitWaiting(t, g, 1)

	_, done = work("a", 10*time.Second)
	granted(done)
	other, done := work("b", 11*time.Second)
	granted(done)
	if err := other.Work(ctx, time.Hour); err != nil { // it is already heavy
		t.Error(err)
	}
	select {
	case err := <-waits:
		t.Fatalf("three are inside: %v", err)
	default:
	}
	first.Release()
	granted(waits)
	third.Release()
	if load := g.Load(); load.Waiting != 0 || load.Bytes != 100 {
		t.Errorf("%+v", load)
	}
}

// TestProcessorTimeAddsUp reserves processor time in parts that are light each.
func TestProcessorTimeAddsUp(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.MaxLightWork, cfg.Wait, cfg.PerActor = 10*time.Second, time.Millisecond, 1
	g := admission.New(cfg)
	ctx := t.Context()
	inside := enter(t, g, "a", 20)
	small := enter(t, g, "a", 0)
	for range 10 {
		if err := small.Work(ctx, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // a refused reservation is not kept
		if err := small.Work(ctx, time.Second); !errors.Is(err, fault.Unavailable) {
			t.Errorf("got %v", err)
		}
	}
	inside.Release()
	if err := small.Work(ctx, time.Second); err != nil {
		t.Error(err)
	}
	// A query that is heavy for its time takes part in the budget when it also needs memory.
	if err := small.Reserve(ctx, 60); err != nil || g.Load().Bytes != 60 || g.Load().Heavy != 1 {
		t.Errorf("%v, %+v", err, g.Load())
	}
	if _, err := g.Enter(ctx, "a", 20); !errors.Is(err, fault.Unavailable) {
		t.Errorf("a second one of the actor: %v", err)
	}
	small.Release()
	enter(t, g, "a", 20).Release()
	if load := g.Load(); load.Bytes != 0 || load.Heavy != 0 || load.Waiting != 0 {
		t.Errorf("left: %+v", load)
	}
}

// TestRequestsForRoomAndForProcessorTimePassEachOther lets one of each wait.
func TestRequestsForRoomAndForProcessorTimePassEachOther(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.MaxLightWork, cfg.PerActor = time.Second, 1
	g := admission.New(cfg)
	full := enter(t, g, "a", 100)
	large := later(t, g, "b", 80)
	first, second := enter(t, g, "c", 0), enter(t, g, "c", 0)
	if err := first.Work(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() { waits <- second.Work(t.Context(), time.Minute) }()
	awaitWaiting(t, g, 2)
	full.Release()
	<-large
	awaitWaiting(t, g, 1)
	if load := g.Load(); load.Bytes != 80 {
		t.Errorf("%+v", load)
	}
	first.Release()
	if err := <-waits; err != nil {
		t.Error(err)
	}
}

func TestAsManyLightQueriesOfAnActorRunAsThereAreSlots(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor, cfg.MaxLightWork = 2, time.Hour
	g := admission.New(cfg)
	ctx := t.Context()
	begin := func(actor string) *admission.Ticket {
		ticket := enter(t, g, actor, 1)
		if err := ticket.Work(ctx, time.Second); err != nil {
			t.Error(err)
		}
		return ticket
	}
	begun := make(chan *admission.Ticket, 2)
	later := func() {
		before := g.Load().Waiting
		go func() { begun <- begin("a") }()
		awaitWaiting(t, g, before+1)
	}
	first, second := begin("a"), begin("a")
	if err := second.Work(ctx, time.Second); err != nil { // it already computes
		t.Error(err)
	}
	later()
	later()
	begin("b")
	enter(t, g, "a", 10) // needs no processor time
	select {
	case <-begun:
		t.Fatal("three run")
	default:
	}
	first.Release()
	third := <-begun
	// A query that becomes heavy passes its slot to others.
	if err := second.Work(ctx, 2*time.Hour); err != nil {
		t.Error(err)
	}
	fourth := <-begun
	gone, leave := context.WithCancel(ctx)
	leave()
	if err := enter(t, g, "a", 1).Work(gone, time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("one that leaves: %v", err)
	}
	for _, ticket := range []*admission.Ticket{second, third, fourth} {
		ticket.Release()
	}
	begin("a").Release()
	if load := g.Load(); load.Waiting != 0 || load.Bytes != 0 {
		t.Errorf("left: %+v", load)
	}
}

func TestASlotIsNotLostWhenManyComeAndLeave(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.LightPerActor, cfg.MaxLightWork, cfg.Wait = 2, time.Hour, time.Minute
	g := admission.New(cfg)
	var all sync.WaitGroup
	var running, most atomic.Int64
	for i := range 200 {
		all.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if i%3 == 0 {
				go leave()
			}
			ticket := enter(t, g, "a", 1)
			defer ticket.Release()
			var parts sync.WaitGroup
			var granted atomic.Int64
			for range 3 {
				parts.Go(func() {
					if ticket.Work(ctx, time.Second) == nil {
						granted.Add(1)
					}
				})
			}
			parts.Wait()
			if granted.Load() == 3 {
				for now := running.Add(1); ; {
					if old := most.Load(); now <= old || most.CompareAndSwap(old, now) {
						break
					}
				}
				running.Add(-1)
			}
		})
	}
	all.Wait()
	if most.Load() > 2 {
		t.Errorf("%d ran at once", most.Load())
	}
	for range 2 {
		if err := enter(t, g, "a", 1).Work(t.Context(), time.Second); err != nil {
			t.Error(err)
		}
	}
	if load := g.Load(); load.Waiting != 0 {
		t.Errorf("left: %+v", load)
	}
}

// All sign-ins belong to one, still unknown actor.
func TestSmallRequestsAreLightHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Budget, cfg.MaxRequest, cfg.MaxLight = 6_400, 6_400, 640
	g := admission.New(cfg)
	for range 1_000 {
		enter(t, g, "", 10)
	}
	if load := g.Load(); load.Heavy != 0 {
		t.Errorf("%+v", load)
	}
	enter(t, g, "", 11)
	if load := g.Load(); load.Heavy != 1 {
		t.Errorf("one that is not small: %+v", load)
	}
}
