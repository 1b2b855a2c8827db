package projection_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// keeper is a sink with snapshots.
type keeper struct {
	sink
	mu       sync.Mutex
	position uint64
	kept     uint64
	saves    int
	refuse   error
}

func newKeeper(position uint64) *keeper {
	return &keeper{sink: sink{name: "keeper", durable: true}, position: position, kept: position}
}

func (k *keeper) Apply(ctx context.Context, entries []store.Entry) error {
	if err := k.sink.Apply(ctx, entries); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.position = entries[len(entries)-1].Sequence
	return nil
}

func (k *keeper) Applied(context.Context) (uint64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.position, nil
}

func (k *keeper) Save(context.Context) (uint64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.refuse != nil {
		return 0, k.refuse
	}
	k.saves++
	k.kept = k.position
	return k.kept, nil
}

func (k *keeper) saved() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.saves
}

func TestKeeperGoesOnFromItsOwnPosition(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	last := appendEntries(t, s, 10, time.Now())
	if err := s.SetPosition(t.Context(), "keeper", 2); err != nil {
		t.Fatal(err)
	}
	k := newKeeper(6)
	f := start(t, s, k)
	wait(t, f, last)
	closeFollower(t, f)
	if got := k.applied(); len(got) != 4 || got[0] != 7 {
		t.Errorf("applied %v, want 7 to 10", got)
	}
	if got := position(t, s, "keeper"); got != last {
		t.Errorf("position after closing is %d, want %d: closing keeps everything", got, last)
	}
}

func TestKeeperIsSavedNowAndThenAndItsPositionOnlyThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.NewStore()
		k := newKeeper(0)
		f := start(t, s, k)
		last := appendEntries(t, s, 10, time.Now())
		wait(t, f, last)
		time.Sleep(20 * time.Second) // on the clock of the synctest bubble
		synctest.Wait()
		if k.saved() != 0 || position(t, s, "keeper") != 0 {
			t.Errorf("after 20 s: %d saves, position %d; both should be 0", k.saved(), position(t, s, "keeper"))
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if k.saved() != 1 || position(t, s, "keeper") != last {
			t.Errorf("after 40 s: %d saves, position %d; want 1 and %d", k.saved(), position(t, s, "keeper"), last)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if k.saved() != 1 {
			t.Errorf("%d saves though nothing has changed, want 1", k.saved())
		}
		last = appendEntries(t, s, 25_000, time.Now())
		wait(t, f, last)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if k.saved() != 2 {
			t.Errorf("%d saves after many changes, want 2 before the period is over", k.saved())
		}
		closeFollower(t, f)
	})
}

func TestKeeperThatDoesNotSaveHoldsBackTrimming(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	long := time.Now().Add(-30 * 24 * time.Hour)
	last := appendEntries(t, s, 10, long)
	k := newKeeper(4)
	k.refuse = errors.New("disk full")
	if err := s.SetPosition(t.Context(), "keeper", 4); err != nil {
		t.Fatal(err)
	}
	f := start(t, s, k)
	wait(t, f, last)
	if err := f.Trim(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first, err := s.First(t.Context()); err != nil || first != 5 {
		t.Errorf("first entry kept is %d, %v, want 5", first, err)
	}
	if err := f.Close(); !errors.Is(err, k.refuse) {
		t.Errorf("closing gave %v, want why nothing could be kept", err)
	}
}

func TestAKeeperThatDoesNotSaveLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	broken, panicking := newKeeper(0), &panickingKeeper{keeper: newKeeper(0)}
	broken.name, broken.refuse = "broken", errors.New("disk full")
	panicking.name = "panicking"
	after, durable := newKeeper(0), &sink{name: "durable", durable: true}
	f := start(t, s, broken, panicking, after, durable)
	last := appendEntries(t, s, 10, time.Now())
	wait(t, f, last)
	err := f.Close()
	if !errors.Is(err, broken.refuse) || !strings.Contains(err.Error(), "save panicking: panic: on purpose") {
		t.Errorf("closing gave %v, want why two of them could not be saved", err)
	}
	for _, name := range []string{"keeper", "durable"} {
		if got := position(t, s, name); got != last {
			t.Errorf("position of %s is %d, want %d", name, got, last)
		}
	}
}

var _ projection.Keeper = (*keeper)(nil)
