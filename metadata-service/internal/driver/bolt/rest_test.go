package bolt

import (
	"testing"
	"time"
)

// requests queues requests of the given sizes.
func requests(t *testing.T, sizes ...int) *queue {
	t.Helper()
	var q queue
	q.init()
	for _, size := range sizes {
		if err := q.push(&request{size: size}); err != nil {
			t.Fatal(err)
		}
	}
	return &q
}

func TestLargeUpdatesWaitWhileSmallOnesHaveTheWriter(t *testing.T) {
	t.Parallel()
	const large = smallUpdate + 1
	q := requests(t, large, 1)
	until := time.Now().Add(time.Hour)
	if next := q.wait(true, until); next.isLarge() {
		t.Error("a large update ran before a small one that was waiting")
	}
	got := make(chan *request)
	go func() { got <- q.wait(true, until) }()
	if err := q.push(&request{size: 2}); err != nil {
		t.Fatal(err)
	}
	if next := <-got; next.size != 2 {
		t.Error("a large update ran before a small one that came later")
	}
	go func() { got <- q.wait(true, until) }()
	q.close() // queued requests are still executed
	if next := <-got; !next.isLarge() {
		t.Errorf("got an update of size %d", next.size)
	}
	if next := q.wait(true, until); next != nil {
		t.Error("a closed queue without requests gave one")
	}
	if next := requests(t, large).wait(false, time.Now()); !next.isLarge() {
		t.Error("a large update waits although the time is over")
	}
}

// After a long group of large updates, small updates that had to wait get time.
func TestSmallUpdatesHaveTheWriterAfterALongLargeOne(t *testing.T) {
	t.Parallel()
	began := time.UnixMilli(1)
	for name, tc := range map[string]struct {
		size        int
		took        time.Duration
		smallWaited bool
		want        time.Duration
	}{
		"a long one, and a small one waits":  {smallUpdate + 1, 3 * longGroup, true, 6 * longGroup},
		"a long one, and nobody waits":       {smallUpdate + 1, 3 * longGroup, false, 0},
		"a short one, and a small one waits": {smallUpdate + 1, longGroup, true, 0},
		"small ones that took long":          {smallUpdate, 3 * longGroup, true, 0},
	} {
		var s Store
		s.reserveForSmall(&request{size: tc.size}, began, began.Add(tc.took), tc.smallWaited)
		var got time.Duration
		if !s.smallUntil.IsZero() {
			got = s.smallUntil.Sub(began)
		}
		if got != tc.want {
			t.Errorf("%s: small ones have the writer until %s after it began, want %s", name, got, tc.want)
		}
	}
}

// Small updates that joined the group of a large one count as updates that waited.
func TestAGroupTellsOfTheSmallUpdatesInIt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sizes []int
		want  bool
	}{{[]int{smallUpdate + 1}, false}, {[]int{smallUpdate + 1, 1}, true}} {
		g := group{}
		for _, size := range tc.sizes {
			g.members = append(g.members, &request{size: size})
		}
		if got := g.hasSmall(); got != tc.want {
			t.Errorf("updates of %v: small ones: %v", tc.sizes, got)
		}
	}
}
