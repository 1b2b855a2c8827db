package projection_test

import (
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
)

func TestTrimKeepsAWeekAndWhatDurableSinksNeed(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	tests := []struct {
		name      string
		old, new  int               // numbers of entries that are eight days and one hour old
		positions map[string]uint64 // positions of durable sinks
		first     uint64            // first entry left after Trim
	}{
		{"old entries go", 5, 3, map[string]uint64{"a": 8}, 6},
		{"more than a page of old entries goes", 2500, 3, map[string]uint64{"a": 2503}, 2501},
		{"all go when all are old", 5, 0, map[string]uint64{"a": 5}, 0},
		{"the slowest durable sink decides", 5, 3, map[string]uint64{"a": 8, "b": 2}, 3},
		{"a sink that has stored nothing keeps all", 5, 3, map[string]uint64{"a": 8, "b": 0}, 1},
		{"entries of the week stay", 0, 3, map[string]uint64{"a": 3}, 1},
		{"without durable sinks age alone decides", 5, 3, nil, 6},
		{"an empty log is fine", 0, 0, map[string]uint64{"a": 0}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			log := memory.NewStore()
			appendEntries(t, log, tt.old, now.Add(-8*day))
			appendEntries(t, log, tt.new, now.Add(-time.Hour))
			sinks := []projection.Sink{&sink{name: "volatile"}}
			for name, n := range tt.positions {
				if err := log.SetPosition(t.Context(), name, n); err != nil {
					t.Fatal(err)
				}
				sinks = append(sinks, &sink{name: name, durable: true})
			}
			f, err := projection.Start(t.Context(), projection.Config{
				Log: log, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler), Awaited: sinks, Limits: projection.DefaultLimits(),
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Trim(t.Context()); err != nil {
				t.Fatal(err)
			}
			if first, err := log.First(t.Context()); err != nil || first != tt.first {
				t.Errorf("the first entry kept is %d (%v), want %d", first, err, tt.first)
			}
			closeFollower(t, f)
		})
	}
}

// A new durable sink on a log without entries must reach the end of the log instead of searching
// for entries for ever.
func TestSinksGoOnBehindTrimmedEntries(t *testing.T) {
	t.Parallel()
	for _, left := range []int{0, 2} {
		log := memory.NewStore()
		trimmed := appendEntries(t, log, 5, time.Now())
		if err := log.Trim(t.Context(), trimmed); err != nil {
			t.Fatal(err)
		}
		appendEntries(t, log, left, time.Now())
		s := &sink{name: "new", durable: true}
		f := start(t, log, s)
		last, _ := log.Last()
		wait(t, f, last)
		closeFollower(t, f)
		if got := s.applied(); !slices.Equal(got, upTo(6, last)) {
			t.Errorf("with %d entries left it applied %v", left, got)
		}
		if got := position(t, log, "new"); got != last {
			t.Errorf("with %d entries left its position is %d", left, got)
		}
	}
}

func TestHousekeepingStoresPositionsAndTrims(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, s := memory.NewStore(), &sink{name: "sink", durable: true}
		f := start(t, log, s)
		wait(t, f, appendEntries(t, log, 3, time.Now()))
		<-time.After(6 * time.Second)
		if got := position(t, log, "sink"); got != 3 {
			t.Errorf("the position stored after some seconds is %d", got)
		}
		<-time.After(7 * 24 * time.Hour)
		appendEntries(t, log, 1, time.Now())
		<-time.After(2 * time.Hour)
		if first, err := log.First(t.Context()); err != nil || first != 4 {
			t.Errorf("the first entry kept after a week is %d, %v", first, err)
		}
		closeFollower(t, f)
	})
}
