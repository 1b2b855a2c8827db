package projection_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
	"github.com/cartulary/cartulary/pkg/fault"
)

// sink records the sequences that it applied.
type sink struct {
	name    string
	durable bool
	gate    func(ctx context.Context) error
	check   func(entries []store.Entry) error // called for each page unless nil

	mu    sync.Mutex
	got   []uint64
	pages int
	tries int
}

func (s *sink) Name() string  { return s.name }
func (s *sink) Durable() bool { return s.durable }

func (s *sink) Apply(ctx context.Context, entries []store.Entry) error {
	s.mu.Lock()
	s.tries++
	s.mu.Unlock()
	if s.gate != nil {
		if err := s.gate(ctx); err != nil {
			return err
		}
	}
	if s.check != nil {
		if err := s.check(entries); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages++
	for _, e := range entries {
		s.got = append(s.got, e.Sequence)
	}
	return nil
}

func (s *sink) applied() []uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

func (s *sink) attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

// upTo lists the numbers from first to last.
func upTo(first, last uint64) []uint64 {
	var list []uint64
	for n := first; n <= last; n++ {
		list = append(list, n)
	}
	return list
}

// appendEntries adds n entries with the given time to the log and returns the end of the log.
func appendEntries(t *testing.T, s store.Store, n int, at time.Time) uint64 {
	t.Helper()
	commit, err := s.Update(t.Context(), func(tx store.Tx) error {
		for range n {
			if _, err := tx.Append(t.Context(), store.Entry{Kind: store.Written, URN: "urn:li:tag:a", Aspect: "status", Time: at.UnixMilli()}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return commit.Last
}

// config is a configuration with awaited sinks and the default limits.
func config(s store.Store, sinks ...projection.Sink) projection.Config {
	return projection.Config{Log: s, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Awaited: sinks, Limits: projection.DefaultLimits()}
}

func start(t *testing.T, s store.Store, sinks ...projection.Sink) *projection.Follower {
	t.Helper()
	f, err := projection.Start(t.Context(), config(s, sinks...))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func closeFollower(t *testing.T, f *projection.Follower) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func wait(t *testing.T, f *projection.Follower, sequence uint64) {
	t.Helper()
	if err := f.Wait(t.Context(), sequence); err != nil {
		t.Error(err)
	}
}

func position(t *testing.T, s store.Store, name string) uint64 {
	t.Helper()
	n, err := s.Position(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEntriesArriveInOrderOnce(t *testing.T) {
	t.Parallel()
	log := memory.NewStore()
	first, second := &sink{name: "first"}, &sink{name: "second", durable: true}
	f := start(t, log, first, second)
	var last uint64
	for _, n := range []int{1, 2500, 1, 999} {
		last = appendEntries(t, log, n, time.Now())
		if n == 1 {
			wait(t, f, last)
		}
	}
	wait(t, f, last)
	for _, s := range []*sink{first, second} {
		if got := s.applied(); !slices.Equal(got, upTo(1, last)) {
			t.Errorf("%s applied %d entries, want %d in order", s.name, len(got), last)
		}
	}
	for _, lag := range f.Status() {
		if lag.Position != last || lag.Behind != 0 || lag.Err != nil {
			t.Errorf("lag is %+v", lag)
		}
	}
	closeFollower(t, f)
}

func TestALogWithGapsIsFollowedSavedAndTrimmed(t *testing.T) {
	t.Parallel()
	log := storetest.WithGaps(memory.NewStore())
	old := time.Now().Add(-365 * 24 * time.Hour)
	awaited, durable := &sink{name: "awaited"}, &sink{name: "durable", durable: true}
	f := start(t, log, awaited, durable)
	var last uint64
	for _, n := range []int{1, 2500, 3} {
		last = appendEntries(t, log, n, old)
		wait(t, f, last)
	}
	if a, d := len(awaited.applied()), len(durable.applied()); a != 2504 || d != 2504 {
		t.Errorf("applied %d and %d of 2504 entries", a, d)
	}
	for _, status := range f.Status() {
		if status.Behind != 0 || status.Position != last || status.Lost != 0 {
			t.Errorf("status is %+v", status)
		}
	}
	closeFollower(t, f)
	fresh := appendEntries(t, log, 2, time.Now())
	again := &sink{name: "durable", durable: true}
	f = start(t, log, again)
	wait(t, f, fresh)
	if err := f.Trim(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := again.applied(); len(got) != 2 || got[0] <= last || got[1] != fresh {
		t.Errorf("after a restart applied %v, the log had come from %d to %d", got, last, fresh)
	}
	if first, err := log.First(t.Context()); err != nil || first <= last || first >= fresh {
		t.Errorf("the oldest entry kept is %d, %v; want the first of those that are recent, behind %d", first, err, last)
	}
	closeFollower(t, f)
}

func TestManyWritersReadWhatTheyWrote(t *testing.T) {
	t.Parallel()
	log, s := memory.NewStore(), &sink{name: "sink"}
	f := start(t, log, s)
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 20 {
				last := appendEntries(t, log, 1, time.Now())
				wait(t, f, last)
				if !slices.Contains(s.applied(), last) {
					t.Errorf("entry %d is not applied after Wait", last)
				}
			}
		})
	}
	writers.Wait()
	closeFollower(t, f)
	if got := s.applied(); !slices.Equal(got, upTo(1, 160)) {
		t.Errorf("applied %v", got)
	}
}

func TestDurableSinksGoOnFromTheirPosition(t *testing.T) {
	t.Parallel()
	log := memory.NewStore()
	appendEntries(t, log, 10, time.Now())
	if err := log.SetPosition(t.Context(), "durable", 4); err != nil {
		t.Fatal(err)
	}
	durable, fresh, volatile := &sink{name: "durable", durable: true}, &sink{name: "fresh", durable: true}, &sink{name: "volatile"}
	f := start(t, log, durable, fresh, volatile)
	last := appendEntries(t, log, 2, time.Now())
	wait(t, f, last)
	closeFollower(t, f)
	for s, want := range map[*sink][]uint64{durable: upTo(5, 12), fresh: upTo(1, 12), volatile: upTo(11, 12)} {
		if got := s.applied(); !slices.Equal(got, want) {
			t.Errorf("%s applied %v, want %v", s.name, got, want)
		}
	}
	if got := position(t, log, "durable"); got != 12 {
		t.Errorf("Close stored position %d", got)
	}
	if got := position(t, log, "volatile"); got != 0 {
		t.Errorf("a sink that is not durable has position %d", got)
	}
	last = appendEntries(t, log, 1, time.Now())
	again := &sink{name: "durable", durable: true}
	f = start(t, log, again)
	wait(t, f, last)
	closeFollower(t, f)
	if got := again.applied(); !slices.Equal(got, upTo(13, 13)) {
		t.Errorf("after a restart it applied %v", got)
	}
}

func TestFailingSinkBlocksNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, broken := memory.NewStore(), errors.New("disk is full")
		var mended bool
		var mu sync.Mutex
		bad := &sink{name: "bad", durable: true, gate: func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			if mended {
				return nil
			}
			return broken
		}}
		good := &sink{name: "good", durable: true}
		f := start(t, log, bad, good)
		last := appendEntries(t, log, 3, time.Now())
		err := f.Wait(t.Context(), last)
		if !errors.Is(err, broken) || err.Error() != "bad: disk is full" {
			t.Errorf("Wait gives %v", err)
		}
		synctest.Wait()
		lags := f.Status()
		if lags[0].Sink != "bad" || lags[0].Position != 0 || lags[0].Behind != 3 || !errors.Is(lags[0].Err, broken) {
			t.Errorf("lag of the bad one is %+v", lags[0])
		}
		if lags[1].Position != 3 || lags[1].Behind != 0 || lags[1].Err != nil {
			t.Errorf("lag of the good one is %+v", lags[1])
		}
		<-time.After(5 * time.Minute)
		if n := bad.attempts(); n < 10 || n > 30 {
			t.Errorf("%d attempts in five minutes, want ever longer pauses up to 30 s", n)
		}
		mu.Lock()
		mended = true
		mu.Unlock()
		<-time.After(30 * time.Second)
		wait(t, f, last)
		if got := bad.applied(); !slices.Equal(got, upTo(1, 3)) {
			t.Errorf("once mended it applied %v", got)
		}
		if lag := f.Status()[0]; lag.Err != nil || lag.Behind != 0 {
			t.Errorf("lag is %+v", lag)
		}
		closeFollower(t, f)
	})
}

// documents is a sink that only entries of time-series documents concern.
type documents struct{ *sink }

func (documents) Concerns(kind store.EntryKind) bool { return kind == store.Document }

// A large batch of time-series documents does not delay writers of other kinds.
func TestASinkIsAwaitedForWhatConcernsIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, free := memory.NewStore(), make(chan struct{})
		slow := documents{&sink{name: "slow", gate: func(context.Context) error { <-free; return nil }}}
		f := start(t, log, slow, &sink{name: "fast"})
		last := appendEntries(t, log, 3, time.Now())
		if err := f.Wait(t.Context(), last, store.Written, store.Deleted); err != nil {
			t.Error(err)
		}
		for _, kinds := range [][]store.EntryKind{nil, {store.Document}, {store.Written, store.Document}} {
			ctx, leave := context.WithTimeout(t.Context(), time.Minute)
			if err := f.Wait(ctx, last, kinds...); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("kinds %v: %v", kinds, err)
			}
			leave()
		}
		close(free)
		wait(t, f, last)
		closeFollower(t, f)
	})
}

func TestWaitEndsWithItsContextOrWithClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		slow := &sink{name: "slow", gate: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		f := start(t, log, slow)
		last := appendEntries(t, log, 1, time.Now())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := f.Wait(ctx, last); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait gives %v", err)
		}
		waiting := make(chan error, 1)
		go func() { waiting <- f.Wait(t.Context(), last) }()
		synctest.Wait()
		closeFollower(t, f)
		if err := <-waiting; !errors.Is(err, fault.Unavailable) {
			t.Errorf("Wait gives %v after Close", err)
		}
		if lag := f.Status()[0]; lag.Err != nil || lag.Behind != 1 {
			t.Errorf("lag is %+v", lag)
		}
	})
}

func TestFollowerOutlivesTheContextOfItsStart(t *testing.T) {
	t.Parallel()
	log, s := memory.NewStore(), &sink{name: "sink"}
	ctx, cancel := context.WithCancel(t.Context())
	f, err := projection.Start(ctx, config(log, s))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	wait(t, f, appendEntries(t, log, 1, time.Now()))
	closeFollower(t, f)
}

func TestStartNeedsTheStore(t *testing.T) {
	t.Parallel()
	log := memory.NewStore()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := projection.Start(t.Context(), config(log, &sink{name: "s", durable: true}))
	if !errors.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
}
