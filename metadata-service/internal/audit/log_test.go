package audit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const jo urn.URN = "urn:li:corpuser:jo"

// clock is a clock that tests set.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ms.Store(1_754_000_000_000)
	return c
}

func (c *clock) now() time.Time       { return time.UnixMilli(c.ms.Load()) }
func (c *clock) move(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// fixture is a log with a store in memory.
type fixture struct {
	*testing.T
	*audit.Log
	clock *clock
	store *failing
}

// failing is a store whose writes fail while fails is set.
type failing struct {
	*memory.AuditStore
	fails atomic.Bool
}

func (s *failing) Append(ctx context.Context, events []audit.Event) error {
	if s.fails.Load() {
		return fault.New(fault.StorageFull, "full")
	}
	return s.AuditStore.Append(ctx, events)
}

func newFixture(t *testing.T, change ...func(*audit.Config)) *fixture {
	t.Helper()
	f := &fixture{T: t, clock: newClock(), store: &failing{AuditStore: memory.NewAuditStore()}}
	cfg := audit.Config{
		Open: func() (audit.Store, error) { return f.store, nil }, Now: f.clock.now, Log: logging.Discard(), Pause: time.Millisecond,
	}
	for _, c := range change {
		c(&cfg)
	}
	f.Log = audit.New(cfg)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f *fixture) all(q audit.Query) []audit.Event {
	f.Helper()
	found, err := f.Find(f.Context(), q, 0)
	if err != nil {
		f.Fatal(err)
	}
	return found.Events
}

func TestWhatIsRecordedIsFoundWithWhatTheRequestTells(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := store.WithCaller(t.Context(), store.Caller{Request: "r", Address: "192.0.2.7", Agent: strings.Repeat("ü", 400), Door: "OPENAPI", Token: "id"})
	f.Record(ctx, audit.Event{Type: audit.LogOut, Actor: jo, Source: "own"})
	got := f.all(audit.Query{})
	if len(got) != 1 || got[0].Address != "192.0.2.7" || got[0].Request != "r" || got[0].Token != "id" || got[0].Source != "own" || got[0].Time != f.clock.now().UnixMilli() {
		t.Fatalf("got %+v", got)
	}
	if n := len(got[0].Agent); n == 0 || n > audit.MaxTextBytes || !strings.HasPrefix(got[0].Agent, "ü") {
		t.Errorf("the program is %d bytes", n)
	}
}

func TestEventsOfOneMomentAreAllKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 50 {
				f.Record(t.Context(), audit.Event{Type: audit.LogIn, Actor: jo})
			}
		})
	}
	work.Wait()
	if n := len(f.all(audit.Query{})); n != 400 {
		t.Errorf("got %d events", n)
	}
}

func TestEventsWaitWhileTheStoreFailsAndTheOldestStay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.store.fails.Store(true)
	for i := range 10_050 {
		f.Record(t.Context(), audit.Event{Type: audit.LogIn, Actor: jo, Reason: fmt.Sprint(i)})
	}
	if err := f.Flush(t.Context()); !errors.Is(err, fault.StorageFull) {
		t.Errorf("got %v", err)
	}
	if n := f.Figures(); n.Queued+int(n.Dropped) != 10_050 || n.Queued > 10_000 || n.Failures == 0 {
		t.Errorf("got %+v", n)
	}
	f.store.fails.Store(false)
	got := f.all(audit.Query{Limit: 20_000})
	if len(got)+int(f.Figures().Dropped) != 10_050 || got[0].Reason != "0" {
		t.Errorf("%d events, the first is %q, %+v", len(got), got[0].Reason, f.Figures())
	}
}

func TestAStoreThatCannotBeOpenedIsTriedAgain(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	away.Store(true)
	held := memory.NewAuditStore()
	f := newFixture(t, func(c *audit.Config) {
		c.Open = func() (audit.Store, error) {
			if away.Load() {
				return nil, errors.New("no such disk")
			}
			return held, nil
		}
	})
	f.Record(t.Context(), audit.Event{Type: audit.LogIn, Actor: jo})
	if err := f.Flush(t.Context()); err == nil || f.Condition().Err == nil {
		t.Errorf("got %v, condition %+v", err, f.Condition())
	}
	away.Store(false)
	if n := len(f.all(audit.Query{})); n != 1 || f.Condition().Err != nil {
		t.Errorf("%d events, condition %+v", n, f.Condition())
	}
}

// lasting is a store that can be read after Close.
type lasting struct{ *memory.AuditStore }

func (lasting) Close() error { return nil }

func TestWhatWaitsIsStoredAtTheEndWithOpenCounts(t *testing.T) {
	t.Parallel()
	held := lasting{memory.NewAuditStore()}
	f := newFixture(t, func(c *audit.Config) {
		c.Pause = time.Hour
		c.Open = func() (audit.Store, error) { return held, nil }
	})
	for range 30 {
		f.Record(t.Context(), audit.Event{Type: audit.RefusedAction, Actor: jo})
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := held.Find(t.Context(), audit.Query{})
	if err != nil || len(got) != 11 || got[10].Count != 20 {
		t.Errorf("got %d events, %v: %+v", len(got), err, got)
	}
}

func TestALoopOfRefusalsBecomesACount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 5000 {
		f.Record(t.Context(), audit.Event{Type: audit.RefusedCredential, Actor: jo, Address: "192.0.2.7"})
	}
	f.Record(t.Context(), audit.Event{Type: audit.RefusedCredential, Actor: jo, Address: "192.0.2.8"})
	if n := len(f.all(audit.Query{})); n != 11 {
		t.Errorf("%d events in the first minute", n)
	}
	f.clock.move(time.Minute)
	counted := f.all(audit.Query{})
	if len(counted) != 12 || f.Figures().Counted != 4990 {
		t.Fatalf("%d events, %+v", len(counted), f.Figures())
	}
	var sum int64
	for _, e := range counted {
		sum += max(1, e.Count)
	}
	if sum != 5001 {
		t.Errorf("the events stand for %d refusals", sum)
	}
	f.Record(t.Context(), audit.Event{Type: audit.RefusedCredential, Actor: jo, Address: "192.0.2.7"})
	if n := len(f.all(audit.Query{})); n != 13 {
		t.Errorf("%d events in the next minute", n)
	}
}

func TestRefusalsOfManyAddressesStayWithinBounds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	for i := range n {
		f.Record(t.Context(), audit.Event{Type: audit.RefusedCredential, Actor: jo, Address: fmt.Sprintf("2001:db8::%x", i)})
	}
	f.clock.move(time.Minute)
	got := f.all(audit.Query{Limit: 10_000})
	var sum int64
	for _, e := range got {
		sum += max(1, e.Count)
	}
	if len(got) > 2100 || sum+int64(f.Figures().Dropped) != int64(n) {
		t.Errorf("%d events stand for %d refusals, %+v", len(got), sum, f.Figures())
	}
}

func TestOtherEventsAreNeverCountedTogether(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 100 {
		f.Record(t.Context(), audit.Event{Type: audit.LogIn, Actor: jo})
	}
	if n := len(f.all(audit.Query{})); n != 100 {
		t.Errorf("got %d events", n)
	}
}

func TestFollowersGetWhatIsStoredInTheOrderOfItsArrival(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	from := f.Now()
	arrived := make(chan audit.Arrived)
	go func() {
		got, err := f.Follow(t.Context(), from)
		if err != nil {
			t.Error(err)
		}
		arrived <- got
	}()
	late := []audit.Event{{Type: audit.LogIn, Time: 500, Actor: jo, Number: 1}, {Type: audit.LogIn, Time: 100, Actor: jo, Number: 2}}
	if err := f.Append(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	if got := <-arrived; len(got.Events) != 2 || got.Events[1].Time != 100 || got.UpTo != from+2 || got.Missed != 0 {
		t.Errorf("got %+v", got)
	}
	ended, stop := context.WithDeadline(t.Context(), time.Now())
	defer stop()
	if got, err := f.Follow(ended, from+2); err != nil || len(got.Events) != 0 || got.UpTo != from+2 {
		t.Errorf("nothing came: %+v, %v", got, err)
	}
	many := make([]audit.Event, 9000)
	for i := range many {
		many[i] = audit.Event{Type: audit.LogIn, Time: int64(i), Number: uint64(i)}
	}
	if err := f.Append(t.Context(), many); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Follow(t.Context(), from+2); err != nil || got.Missed == 0 || int(got.Missed)+len(got.Events) != 9000 {
		t.Errorf("missed %d, got %d, %v", got.Missed, len(got.Events), err)
	}
}

func TestOldEventsAreTrimmed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *audit.Config) { c.Keep = 24 * time.Hour })
	f.Record(t.Context(), audit.Event{Type: audit.LogIn, Actor: jo})
	if err := f.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.clock.move(25 * time.Hour)
	f.Record(t.Context(), audit.Event{Type: audit.LogOut, Actor: jo})
	if err := errors.Join(f.Flush(t.Context()), f.Trim(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := f.all(audit.Query{}); len(got) != 1 || got[0].Type != audit.LogOut {
		t.Errorf("got %+v", got)
	}
}

func TestALogThatIsOffRecordsNothingAndSaysSo(t *testing.T) {
	t.Parallel()
	var off *audit.Log
	off.Record(t.Context(), audit.Event{Type: audit.LogIn})
	_, found := off.Find(t.Context(), audit.Query{}, 1)
	_, followed := off.Follow(t.Context(), off.Now())
	if !errors.Is(found, fault.Unsupported) || !errors.Is(followed, fault.Unsupported) {
		t.Errorf("got %v, %v", found, followed)
	}
	if err := errors.Join(off.Flush(t.Context()), off.Close()); err != nil {
		t.Error(err)
	}
}

func BenchmarkRecordRefusal(b *testing.B) {
	l := audit.New(audit.Config{Open: func() (audit.Store, error) { return memory.NewAuditStore(), nil }, Now: time.Now, Log: logging.Discard()})
	b.Cleanup(func() { _ = l.Close() })
	b.ReportAllocs()
	for b.Loop() {
		l.Record(b.Context(), audit.Event{Type: audit.RefusedAction, Actor: jo, Address: "192.0.2.7", Reason: "no"})
	}
}
