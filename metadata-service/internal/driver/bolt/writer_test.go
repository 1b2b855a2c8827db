package bolt_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestAFailingCommitFailsItsGroupAndNothingElse(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	put(t, s, "urn:li:tag:before", "status", "1")
	want := dump(t, s)
	s.SetMaxSize(bolt.PageBytes)
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		return write(t.Context(), tx, "urn:li:tag:large", "otherAspect", strings.Repeat("x", 32<<20))
	})
	if err == nil || fault.KindOf(err) != fault.Internal {
		t.Fatalf("got error %v, want an internal one", err)
	}
	if got := dump(t, s); got != want {
		t.Errorf("after the failure got\n%s\nwant\n%s", got, want)
	}
	s.SetMaxSize(0)
	commit, err := s.Update(t.Context(), func(tx store.Tx) error { return write(t.Context(), tx, "urn:li:tag:after", "status", "2") })
	if err != nil || commit.First != 2 {
		t.Errorf("next update: got %v, %v", commit, err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAMemberThatTheFileRefusesLeavesItsGroupAlone(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	inside, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		once := sync.OnceFunc(func() { close(inside); <-release })
		_, err := s.Update(t.Context(), func(tx store.Tx) error {
			once()
			return write(t.Context(), tx, "urn:li:tag:first", "status", "1")
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	all.Go(func() {
		if err := s.UpdateRejected(t.Context()); err == nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("the rejected member got error %v, want an internal one", err)
		}
	})
	for n := range 5 {
		all.Go(func() {
			_, err := s.Update(t.Context(), func(tx store.Tx) error {
				return write(t.Context(), tx, urn.Make("tag", fmt.Sprint(n)), "status", "1")
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for s.Waiting() < 6 {
		runtime.Gosched()
	}
	close(release)
	all.Wait()
	if n, err := s.Count(t.Context(), "tag"); err != nil || n != 6 {
		t.Errorf("got %d entities, %v, want 6", n, err)
	}
	if last, _ := s.Last(); last != 6 {
		t.Errorf("the log ends at %d, want 6", last)
	}
	commits, err := s.Commits()
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "urn:li:tag:last", "status", "1")
	if again, err := s.Commits(); err != nil || again != commits+1 {
		t.Errorf("transactions went from %d to %d, %v", commits, again, err)
	}
}

func TestAGroupSharesOneCommit(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	before, err := s.Commits()
	if err != nil {
		t.Fatal(err)
	}
	inside, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	const members = 50
	for n := range members {
		all.Go(func() {
			_, err := s.Update(t.Context(), func(tx store.Tx) error {
				if n == 0 {
					close(inside)
					<-release
				}
				return write(t.Context(), tx, urn.Make("tag", fmt.Sprint(n)), "status", "1")
			})
			if err != nil {
				t.Error(err)
			}
		})
		if n == 0 {
			<-inside
		}
	}
	for s.Waiting() < members-1 {
		runtime.Gosched()
	}
	close(release)
	all.Wait()
	if after, err := s.Commits(); err != nil || after != before+1 {
		t.Errorf("%d updates that waited together took %d commits, %v, want 1", members, after-before, err)
	}
}

func TestAfterACommitInDoubtTheStoreCanOnlyBeRead(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	put(t, s, "urn:li:tag:a", "status", "1")
	want := dump(t, s)
	s.Poison(fault.New(fault.Unavailable, "the disk failed"))
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(write(t.Context(), tx, "urn:li:tag:b", "status", "2"), errors.New("is not run"))
	})
	if !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "the disk failed") {
		t.Errorf("got error %v", err)
	}
	if got := dump(t, s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
