package bolt_test

import (
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// crowd queues updates behind one that blocks the writer, and records the order of their execution.
type crowd struct {
	*bolt.Store
	t       *testing.T
	release chan struct{}
	all     sync.WaitGroup
	queued  int
	mu      sync.Mutex
	order   []string
}

// newCrowd opens a store whose writer is blocked until run is called.
func newCrowd(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{Store: openStore(t, filepath.Join(t.TempDir(), "store.db")), t: t, release: make(chan struct{})}
	inside := make(chan struct{})
	hold := sync.OnceFunc(func() { close(inside); <-c.release })
	c.all.Go(func() {
		if _, err := c.Update(t.Context(), func(store.Tx) error { hold(); return nil }); err != nil {
			t.Error(err)
		}
	})
	<-inside
	return c
}

// add queues an update that announces its size, after all earlier ones.
func (c *crowd) add(name string, size int) {
	c.t.Helper()
	ctx := store.WithSize(c.t.Context(), size)
	c.all.Go(func() {
		_, err := c.Update(ctx, func(tx store.Tx) error {
			c.mu.Lock()
			c.order = append(c.order, name)
			c.mu.Unlock()
			return write(ctx, tx, urn.Make("tag", name), "status", strconv.Quote(strings.Repeat("x", size)))
		})
		if err != nil {
			c.t.Error(err)
		}
	})
	for c.queued++; c.Waiting() < c.queued; {
		runtime.Gosched()
	}
}

// run unblocks the writer, and returns the number of commits for the queued updates.
func (c *crowd) run() (commits int) {
	c.t.Helper()
	before, err := c.Commits()
	if err != nil {
		c.t.Fatal(err)
	}
	close(c.release)
	c.all.Wait()
	after, err := c.Commits()
	if err != nil {
		c.t.Fatal(err)
	}
	return after - before
}

func TestSmallUpdatesGoAheadOfLargeOnes(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	for n := range 6 {
		c.add("large"+strconv.Itoa(n), 1500<<10)
	}
	c.add("small", 10)
	commits := c.run()
	if c.order[0] != "small" {
		t.Errorf("updates ran in the order %q, want the small one first", c.order)
	}
	if large := c.order[1:]; !slices.IsSorted(large) {
		t.Errorf("large updates ran in the order %q, want that of their arrival", large)
	}
	if commits != 7 {
		t.Errorf("got %d commits, want one with the small update and one for each large one", commits)
	}
}

func TestLargeUpdatesAreNotKeptWaitingBySmallOnes(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	const small = 600
	for n := range small {
		c.add("small"+strconv.Itoa(n), 10)
	}
	c.add("large0", 1<<20)
	c.add("large1", 2<<20)
	c.run()
	// After each group of small updates follows one with a large update.
	for n, limit := range []int{2 * bolt.GroupSize, 4 * bolt.GroupSize} {
		if at := slices.Index(c.order, "large"+strconv.Itoa(n)); at > limit {
			t.Errorf("large update %d ran after %d others, want at most %d", n, at, limit)
		}
	}
}

func TestACommitTakesSeveralLargeUpdatesThatFit(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	for n := range 8 {
		c.add("large"+strconv.Itoa(n), 500<<10)
	}
	if commits := c.run(); commits != 2 {
		t.Errorf("8 updates of 500 KiB took %d commits, want 2", commits)
	}
}

// Updates without an announced size also close their group.
func TestAGroupThatHasWrittenMuchIsClosed(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	for n := range 4 {
		name := "unannounced" + strconv.Itoa(n)
		c.all.Go(func() {
			_, err := c.Update(t.Context(), func(tx store.Tx) error {
				return write(t.Context(), tx, urn.Make("tag", name), "status", strconv.Quote(strings.Repeat("x", 3<<20)))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for c.Waiting() < 4 {
		runtime.Gosched()
	}
	if commits := c.run(); commits != 4 {
		t.Errorf("4 updates of 3 MiB took %d commits, want one each", commits)
	}
}
