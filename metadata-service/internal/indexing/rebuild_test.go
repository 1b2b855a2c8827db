package indexing_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func domain(n int) urn.URN { return urn.URN(fmt.Sprint("urn:li:domain:d", n)) }

func TestRebuildWhileMuchIsWritten(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const domains, datasets, writers, writes, rebuilds = 6, 300, 4, 150, 5
	for n := range domains {
		f.put(domain(n), "domainProperties", fmt.Sprintf(`{"name":"d%d"}`, n))
	}
	for n := range datasets {
		f.put(dataset(fmt.Sprint(n)), "domains", fmt.Sprintf(`{"domains":["%s"]}`, domain(n%domains)))
	}
	var work sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			for range writes {
				if err := f.change(random, domains, datasets); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range rebuilds {
		if err := f.indexer.Rebuild(t.Context(), "a test asks"); err != nil {
			t.Error(err)
		}
	}
	work.Wait()
	f.wantEqual()
	f.stop()
	f.start()
	f.wantEqual()
}

// change makes a change that also affects other search documents.
func (f *fixture) change(random *rand.Rand, domains, datasets int) error {
	u := dataset(fmt.Sprint(random.IntN(datasets)))
	switch random.IntN(4) {
	case 0:
		n := 1 + random.IntN(domains-1)
		return f.write(domain(n), "domainProperties", fmt.Sprintf(`{"name":"d%d","parentDomain":"%s"}`, n, domain(random.IntN(n))))
	case 1:
		_, err := f.catalog.DeleteEntity(f.ctx(), u)
		return err
	case 2:
		return f.write(u, "domains", fmt.Sprintf(`{"domains":["%s"]}`, domain(random.IntN(domains))))
	}
	return f.write(u, "globalTags", fmt.Sprintf(`{"tags":[{"tag":"urn:li:tag:t%d"}]}`, random.IntN(10)))
}

// slow is an index whose rebuild waits until it is released.
type slow struct {
	*roaring.Index
	stale   string
	filling chan struct{}
	gate    chan struct{}
}

func (s *slow) Stale(context.Context) (string, error) { return s.stale, nil }

func (s *slow) Rebuild(ctx context.Context, sequence uint64, fill func(func([]*search.Document) error) error) error {
	return s.Index.Rebuild(ctx, sequence, func(put func([]*search.Document) error) error {
		close(s.filling)
		select {
		case <-s.gate:
		case <-ctx.Done():
			return ctx.Err()
		}
		return fill(put)
	})
}

func TestWritesAreFoundWhileTheIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(dataset("a"), "globalTags", tagged)
	s := &slow{Index: f.index, filling: make(chan struct{}), gate: make(chan struct{})}
	f.restartWith(s)
	done := make(chan error, 1)
	go func() { done <- f.indexer.Rebuild(t.Context(), "a test asks") }()
	<-s.filling
	if p := f.indexer.Progress(); !p.Running || p.Why != "a test asks" || p.Total == 0 || p.Since.IsZero() {
		t.Errorf("progress is %+v", p)
	}
	if err := f.indexer.Rebuild(t.Context(), "again"); !errors.Is(err, fault.Conflict) {
		t.Errorf("a second rebuild gave %v, want a conflict", err)
	}
	f.put(dataset("b"), "globalTags", tagged)
	f.wantFound("tags", gold, dataset("a"), dataset("b"))
	close(s.gate)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	f.wantFound("tags", gold, dataset("a"), dataset("b"))
	f.wantEqual()
}

func TestRebuildThatIsStoppedKeepsNothingAndBeginsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.put(dataset("a"), "globalTags", tagged)
		f.put(dataset("b"), "globalTags", tagged)
		f.stop()
		last, _ := f.store.Last()
		damage(t, f.path)
		f.open()
		why, err := f.index.Stale(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s := &slow{Index: f.index, stale: why, filling: make(chan struct{}), gate: make(chan struct{})}
		f.startWith(s)
		<-s.filling
		if got, err := f.indexer.Applied(t.Context()); err != nil || got != last {
			t.Errorf("the follower goes on from %d (%v), want %d: the rebuild reads all before", got, err, last)
		}
		f.put(dataset("c"), "globalTags", tagged)
		if kept, err := f.indexer.Save(t.Context()); err != nil || kept != 0 {
			t.Errorf("kept %d, %v during a rebuild, want nothing", kept, err)
		}
		f.stop()
		f.start()
		if p := f.indexer.Progress(); p.Why == "" {
			t.Error("the next start did not build anew")
		}
		f.wantFound("tags", gold, dataset("a"), dataset("b"), dataset("c"))
		f.wantEqual()
	})
}
