package bolt

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// requests queues requests of some sizes.
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
	q.close() // what is queued is carried out
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

// A long group of large updates is followed by time for small ones where some had to wait for it.
func TestSmallUpdatesHaveTheWriterAfterALongLargeOne(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		small bool
		takes time.Duration
		want  bool
	}{
		"a long one, and a small one waits": {true, 2 * longGroup, true},
		"a long one, and nobody waits":      {false, 2 * longGroup, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), Config{})
			if err != nil {
				t.Fatal(err)
			}
			small := make(chan error, 1)
			_, err = s.Update(store.WithSize(t.Context(), smallUpdate+1), func(store.Tx) error {
				if tc.small {
					go func() {
						_, err := s.Update(t.Context(), func(store.Tx) error { return nil })
						small <- err
					}()
					for !s.queue.hasSmall() {
						time.Sleep(time.Millisecond)
					}
				}
				time.Sleep(tc.takes)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if tc.small {
				if err := <-small; err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil { // the writer has ended
				t.Fatal(err)
			}
			if got := !s.smallUntil.IsZero(); got != tc.want {
				t.Errorf("small updates have the writer: %v", got)
			}
		})
	}
}
