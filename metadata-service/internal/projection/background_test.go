package projection_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// backgroundSink is a sink that records the gaps reported to it.
type backgroundSink struct {
	sink
	refuse func(gap projection.Gap) error // called for each gap unless nil

	mu     sync.Mutex
	missed []projection.Gap
}

func newBackgroundSink(name string) *backgroundSink {
	return &backgroundSink{sink: sink{name: name, durable: true}}
}

func (s *backgroundSink) Missed(_ context.Context, gap projection.Gap) error {
	if s.refuse != nil {
		if err := s.refuse(gap); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = append(s.missed, gap)
	return nil
}

func (s *backgroundSink) gaps() []projection.Gap {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.missed)
}

// startBackground starts a Follower with one awaited sink and background sinks.
func startBackground(t *testing.T, s store.Store, awaited projection.Sink, sinks ...projection.BackgroundSink) *projection.Follower {
	t.Helper()
	cfg := config(s, awaited)
	cfg.Background = sinks
	f, err := projection.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	f.BeginBackground(t.Context())
	return f
}

// at returns a check that calls do for pages that contain the sequence.
func at(sequence uint64, do func() error) func(entries []store.Entry) error {
	return func(entries []store.Entry) error {
		if slices.ContainsFunc(entries, func(e store.Entry) bool { return e.Sequence == sequence }) {
			return do()
		}
		return nil
	}
}

func TestWritersDoNotWaitForABackgroundSink(t *testing.T) {
	t.Parallel()
	log := memory.NewStore()
	entered := make(chan struct{})
	slow := newBackgroundSink("slow")
	slow.gate = func(ctx context.Context) error {
		close(entered)
		<-ctx.Done()
		return ctx.Err()
	}
	quick := &sink{name: "quick"}
	f := startBackground(t, log, quick, slow)
	last := appendEntries(t, log, 3, time.Now())
	<-entered
	wait(t, f, last)
	last = appendEntries(t, log, 3, time.Now())
	wait(t, f, last)
	if got := quick.applied(); !slices.Equal(got, upTo(1, 6)) {
		t.Errorf("the awaited sink applied %v", got)
	}
	if s := f.Status()[1]; s.Sink != "slow" || s.Awaited || s.Behind != 6 || s.Err != nil {
		t.Errorf("status is %+v", s)
	}
	closeFollower(t, f)
}

func TestBackgroundSinksBeginWhenTheyAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		later := newBackgroundSink("later")
		cfg := config(log, &sink{name: "awaited"})
		cfg.Background = []projection.BackgroundSink{later}
		f, err := projection.Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		appendEntries(t, log, 3, time.Now())
		synctest.Wait()
		if n := later.attempts(); n != 0 {
			t.Errorf("it began by itself: %d pages", n)
		}
		f.BeginBackground(t.Context())
		f.BeginBackground(t.Context())
		synctest.Wait()
		if got := later.applied(); !slices.Equal(got, upTo(1, 3)) {
			t.Errorf("it applied %v", got)
		}
		closeFollower(t, f)
		f.BeginBackground(t.Context())
	})
}

func TestABackgroundSinkActsAsTheCallerSaysAndUnderItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		type actorKey struct{}
		outlet := newBackgroundSink("outlet")
		outlet.gate = func(ctx context.Context) error {
			if actor, _ := ctx.Value(actorKey{}).(string); actor != "system" || store.OriginOf(ctx) != "outlet" {
				t.Errorf("actor %q, origin %q", actor, store.OriginOf(ctx))
			}
			return nil
		}
		awaited := &sink{name: "awaited", gate: func(ctx context.Context) error {
			if origin := store.OriginOf(ctx); origin != "" {
				t.Errorf("the awaited sink has origin %q", origin)
			}
			return nil
		}}
		cfg := config(log, awaited)
		cfg.Background = []projection.BackgroundSink{outlet}
		cfg.Identify = func(ctx context.Context) context.Context { return context.WithValue(ctx, actorKey{}, "system") }
		f, err := projection.Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		f.BeginBackground(t.Context())
		appendEntries(t, log, 1, time.Now())
		synctest.Wait()
		if outlet.attempts() == 0 || awaited.attempts() == 0 {
			t.Error("a sink was not called")
		}
		closeFollower(t, f)
	})
}

func TestEntriesBeforeTheOneAtFaultAreApplied(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, broken := memory.NewStore(), errors.New("cannot be read")
		var mended atomic.Bool
		appendEntries(t, log, 10, time.Now())
		bad := &sink{name: "bad", durable: true, check: at(6, func() error {
			if mended.Load() {
				return nil
			}
			return broken
		})}
		f := start(t, log, bad)
		time.Sleep(time.Minute) // on the clock of the synctest bubble
		synctest.Wait()
		if got := bad.applied(); !slices.Equal(got, upTo(1, 5)) {
			t.Errorf("it applied %v, want what comes before the sixth", got)
		}
		if s := f.Status()[0]; s.Position != 5 || s.Behind != 5 || !errors.Is(s.Err, broken) || s.Failures == 0 || s.Panics != 0 || s.Skipped != 0 {
			t.Errorf("status is %+v", s)
		}
		if err := f.Wait(t.Context(), 5); err != nil {
			t.Errorf("waiting for what is applied gives %v", err)
		}
		if err := f.Wait(t.Context(), 6); !errors.Is(err, broken) {
			t.Errorf("waiting for the sixth gives %v", err)
		}
		mended.Store(true)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := bad.applied(); !slices.Equal(got, upTo(1, 10)) {
			t.Errorf("once mended it applied %v", got)
		}
		if s := f.Status()[0]; s.Err != nil || s.Behind != 0 {
			t.Errorf("once mended the status is %+v", s)
		}
		closeFollower(t, f)
	})
}

func TestABackgroundSinkPassesOverAnEntryThatMakesItPanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		appendEntries(t, log, 10, time.Now())
		poisoned, healthy := newBackgroundSink("poisoned"), newBackgroundSink("healthy")
		poisoned.check = at(6, func() error { panic("on purpose") })
		refusals := 0
		poisoned.refuse = func(projection.Gap) error {
			if refusals++; refusals == 1 {
				return errors.New("not now")
			}
			return nil
		}
		f := startBackground(t, log, &sink{name: "awaited"}, poisoned, healthy)
		time.Sleep(50 * time.Second)
		synctest.Wait()
		if got := healthy.applied(); !slices.Equal(got, upTo(1, 10)) {
			t.Errorf("the healthy one applied %v", got)
		}
		if s := f.Status()[1]; s.Position != 5 || s.Err == nil || s.Skipped != 0 {
			t.Errorf("within a minute the status is %+v, want it to try", s)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got, want := poisoned.applied(), slices.Concat(upTo(1, 5), upTo(7, 10)); !slices.Equal(got, want) {
			t.Errorf("it applied %v, want %v", got, want)
		}
		gap := projection.Gap{First: 6, Last: 6, Cause: projection.Skipped}
		if got := poisoned.gaps(); !slices.Equal(got, []projection.Gap{gap}) {
			t.Errorf("it was told of %v", got)
		}
		s := f.Status()[1]
		if s.Position != 10 || s.Err != nil || s.Panics != 11 || s.Failures != 12 || s.Skipped != 1 || s.Lost != 0 || s.Missed == nil || *s.Missed != gap {
			t.Errorf("status is %+v", s)
		}
		closeFollower(t, f)
	})
}

func TestABackgroundSinkStaysAtAnEntryThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, away := memory.NewStore(), errors.New("the other machine is away")
		appendEntries(t, log, 10, time.Now())
		outlet := newBackgroundSink("outlet")
		outlet.check = at(6, func() error { return away })
		f := startBackground(t, log, &sink{name: "awaited"}, outlet)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if got := outlet.applied(); !slices.Equal(got, upTo(1, 5)) {
			t.Errorf("it applied %v", got)
		}
		if s := f.Status()[1]; !errors.Is(s.Err, away) || s.Skipped != 0 || s.Failures < 1000 || outlet.gaps() != nil {
			t.Errorf("after a day the status is %+v, gaps %v", s, outlet.gaps())
		}
		closeFollower(t, f)
	})
}

func TestTwoSinksOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	cfg := config(memory.NewStore(), &sink{name: "search"})
	cfg.Background = []projection.BackgroundSink{newBackgroundSink("search")}
	if _, err := projection.Start(t.Context(), cfg); fault.KindOf(err) != fault.Internal || err == nil {
		t.Errorf("got %v", err)
	}
}

func TestTheLogWaitsForBackgroundSinksUpToALimit(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	tests := []struct {
		name     string
		limits   projection.Limits
		ages     []time.Duration // ages of the entries
		position uint64          // position of the background sink
		first    uint64          // first entry left after Trim
		lost     uint64
	}{
		{"what it has not read stays", projection.Limits{Keep: 7 * day, MaxLagAge: 30 * day, MaxLagEntries: 100}, []time.Duration{20 * day, 19 * day, 18 * day, 1}, 1, 2, 0},
		{"without limits it stays for ever", projection.Limits{Keep: 7 * day}, []time.Duration{900 * day, 19 * day, 18 * day, 1}, 0, 1, 0},
		{"what is too old goes", projection.Limits{Keep: 7 * day, MaxLagAge: 30 * day}, []time.Duration{40 * day, 31 * day, 18 * day, 1}, 1, 3, 1},
		{"what has too many behind it goes", projection.Limits{Keep: 7 * day, MaxLagEntries: 2}, []time.Duration{20 * day, 19 * day, 18 * day, 1}, 1, 3, 1},
		{"what everybody may ask for stays", projection.Limits{Keep: 7 * day, MaxLagEntries: 2}, []time.Duration{20 * day, 6 * day, 5 * day, 1}, 1, 2, 0},
		{"what it has read goes by age", projection.Limits{Keep: 7 * day, MaxLagEntries: 2}, []time.Duration{20 * day, 19 * day, 18 * day, 1}, 4, 4, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			log := memory.NewStore()
			for _, age := range tt.ages {
				appendEntries(t, log, 1, now.Add(-age))
			}
			if err := log.SetPosition(t.Context(), "background", tt.position); err != nil {
				t.Fatal(err)
			}
			// The background sink does not start, as if it made no progress.
			cfg := config(log, &sink{name: "volatile"})
			cfg.Background, cfg.Limits, cfg.Now = []projection.BackgroundSink{newBackgroundSink("background")}, tt.limits, func() time.Time { return now }
			f, err := projection.Start(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := f.Trim(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if first, err := log.First(t.Context()); err != nil || first != tt.first {
				t.Errorf("the first entry kept is %d (%v), want %d", first, err, tt.first)
			}
			if got := f.Status()[1].Lost; got != tt.lost {
				t.Errorf("%d entries are told to be lost, want %d", got, tt.lost)
			}
			closeFollower(t, f)
		})
	}
}

func TestABackgroundSinkLearnsWhatItHasLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		appendEntries(t, log, 10, time.Now())
		if err := log.SetPosition(t.Context(), "outlet", 3); err != nil {
			t.Fatal(err)
		}
		if err := log.Trim(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		outlet := newBackgroundSink("outlet")
		var rebuilt atomic.Bool
		outlet.refuse = func(projection.Gap) error {
			if !rebuilt.Load() {
				panic("cannot rebuild yet")
			}
			return nil
		}
		f := startBackground(t, log, &sink{name: "awaited"}, outlet)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		gap := projection.Gap{First: 4, Last: 8, Cause: projection.Trimmed}
		if s := f.Status()[1]; s.Position != 3 || s.Lost != 5 || s.Err == nil || *s.Missed != gap || outlet.attempts() != 0 {
			t.Errorf("before it has made up for them the status is %+v, and %d pages came", s, outlet.attempts())
		}
		rebuilt.Store(true)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := outlet.gaps(); !slices.Equal(got, []projection.Gap{gap}) {
			t.Errorf("it was told of %v", got)
		}
		if got := outlet.applied(); !slices.Equal(got, upTo(9, 10)) {
			t.Errorf("it applied %v", got)
		}
		if s := f.Status()[1]; s.Lost != 5 || s.Err != nil || s.Behind != 0 {
			t.Errorf("status is %+v", s)
		}
		closeFollower(t, f)
		if got := position(t, log, "outlet"); got != 10 {
			t.Errorf("its position is %d", got)
		}
	})
}

func TestANewBackgroundSinkLearnsWhatWasTrimmedBeforeItAndHasLostNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		appendEntries(t, log, 10, time.Now())
		if err := log.Trim(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		fresh := newBackgroundSink("fresh")
		f := startBackground(t, log, &sink{name: "awaited"}, fresh)
		synctest.Wait()
		if got := fresh.gaps(); !slices.Equal(got, []projection.Gap{{First: 1, Last: 10, Cause: projection.Trimmed}}) {
			t.Errorf("it was told of %v", got)
		}
		if s := f.Status()[1]; s.Lost != 0 || s.Missed != nil || s.Position != 10 {
			t.Errorf("status is %+v", s)
		}
		closeFollower(t, f)
	})
}

func TestTheLogWaitsForSinksThatLiveInMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, broken := memory.NewStore(), errors.New("broken")
		volatile := &sink{name: "volatile", gate: func(context.Context) error { return broken }}
		f := start(t, log, volatile)
		appendEntries(t, log, 3, time.Now().Add(-30*24*time.Hour))
		synctest.Wait()
		if err := f.Trim(t.Context()); err != nil {
			t.Fatal(err)
		}
		if first, err := log.First(t.Context()); err != nil || first != 1 {
			t.Errorf("the first entry kept is %d, %v", first, err)
		}
		closeFollower(t, f)
	})
}
