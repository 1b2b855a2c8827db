package indexing_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// recording is an index that records the number of documents of each application.
type recording struct {
	*roaring.Index
	mu     sync.Mutex
	pieces []int
}

func (r *recording) Apply(ctx context.Context, sequence uint64, changes []search.Change) error {
	r.mu.Lock()
	r.pieces = append(r.pieces, len(changes))
	r.mu.Unlock()
	return r.Index.Apply(ctx, sequence, changes)
}

func TestLargeTextsAreAppliedInPieces(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const datasets, bytes = 64, 100 << 10
	index := &recording{Index: f.index}
	f.restartWith(index)
	batch := make([]catalog.Proposal, datasets)
	for i := range batch {
		value := fmt.Sprintf(`{"description":%q}`, strings.Repeat(fmt.Sprintf("word%d ", i), bytes/8))
		batch[i] = catalog.Proposal{URN: string(dataset(fmt.Sprint("t", i))), Aspect: "datasetProperties", Value: json.RawMessage(value)}
	}
	for range 2 { // again with the size of a piece that is known
		for i := range batch {
			batch[i].Value = json.RawMessage(strings.Replace(string(batch[i].Value), "word", "next", 1))
		}
		if _, err := f.catalog.Write(f.ctx(), batch, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	index.mu.Lock()
	defer index.mu.Unlock()
	documents := 0
	for _, n := range index.pieces {
		if documents += n; n > 13 {
			t.Errorf("a piece has %d documents of 100 KiB", n)
		}
	}
	if documents < 2*datasets {
		t.Errorf("%d documents in pieces of %v", documents, index.pieces)
	}
	f.wantEqual()
}

func TestEntriesAreAppliedAheadWithoutTheirPosition(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before, err := f.index.Applied(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.running.Close(); err != nil {
		t.Fatal(err)
	}
	behind(t, f.store, dataset("a"))
	behind(t, f.store, dataset("b"))
	f.wantFound("tags", gold)
	// The entries of a sequence that the index has applied are not applied once more.
	if err := f.indexer.ApplyAhead(f.ctx(), before, []store.Entry{{Kind: store.Written, URN: dataset("b"), Aspect: "globalTags"}}); err != nil {
		t.Fatal(err)
	}
	f.wantFound("tags", gold)
	if err := f.indexer.ApplyAhead(f.ctx(), before+1000, []store.Entry{{Kind: store.Written, URN: dataset("b"), Aspect: "globalTags"}}); err != nil {
		t.Fatal(err)
	}
	f.wantFound("tags", gold, dataset("b"))
	if applied, err := f.index.Applied(t.Context()); err != nil || applied != before {
		t.Errorf("the position went from %d to %d, %v", before, applied, err)
	}
	many := make([]store.Entry, 201)
	for i := range many {
		many[i] = store.Entry{Kind: store.Written, URN: dataset(fmt.Sprint(i)), Aspect: "globalTags"}
	}
	if err := f.indexer.ApplyAhead(f.ctx(), before+1000, many); !errors.Is(err, fault.Unsupported) {
		t.Errorf("many entries: %v", err)
	}
	f.restartWith(f.index)
	f.wantFound("tags", gold, dataset("a"), dataset("b"))
	f.wantEqual()
}

// TestWaitingWritersShareOneApplication lets one writer apply its entries for long, while others wait.
func TestWaitingWritersShareOneApplication(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const writers = 20
	index := &counting{Index: f.index, begun: make(chan struct{}), free: make(chan struct{})}
	f.restartWith(index)
	if err := f.running.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range writers {
		behind(t, f.store, dataset(fmt.Sprint("w", i)))
	}
	index.applied.Store(0)
	index.gated.Store(true)
	var ahead sync.WaitGroup
	apply := func(i int, sequence uint64) {
		ahead.Go(func() {
			if err := f.indexer.ApplyAhead(f.ctx(), sequence, []store.Entry{{Kind: store.Written, URN: dataset(fmt.Sprint("w", i)), Aspect: "globalTags"}}); err != nil {
				t.Error(err)
			}
		})
		for f.indexer.WaitingAhead() <= i {
			runtime.Gosched()
		}
	}
	apply(0, 1<<40)
	<-index.begun
	apply(1, 0) // has been applied by the follower, so it applies nothing, neither its entries nor those of others
	for i := 2; i < writers; i++ {
		apply(i, 1<<40)
	}
	close(index.free)
	ahead.Wait()
	if n := index.applied.Load(); n != 2 {
		t.Errorf("%d applications for %d writers, want 2", n, writers)
	}
	if found := f.found("tags", gold); len(found) != writers-1 {
		t.Errorf("%d datasets are found, want all but one", len(found))
	}
}

// counting is an index that counts applications. The first one while gated waits for free.
type counting struct {
	*roaring.Index
	applied     atomic.Int64
	gated       atomic.Bool
	begun, free chan struct{}
}

func (c *counting) Apply(ctx context.Context, sequence uint64, changes []search.Change) error {
	c.applied.Add(1)
	if c.gated.CompareAndSwap(true, false) {
		close(c.begun)
		<-c.free
	}
	return c.Index.Apply(ctx, sequence, changes)
}

// TestASmallWriteDoesNotWaitForALargeBatch writes a large batch whose pieces take long, and a tag of
// another dataset meanwhile.
func TestASmallWriteDoesNotWaitForALargeBatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	index := &pausing{Index: f.index, begun: make(chan struct{}), free: make(chan struct{})}
	f.restartWith(index)
	batch := make([]catalog.Proposal, 40)
	for i := range batch {
		value := fmt.Sprintf(`{"description":%q}`, strings.Repeat("x", 300<<10))
		batch[i] = catalog.Proposal{URN: string(dataset(fmt.Sprint("t", i))), Aspect: "datasetProperties", Value: json.RawMessage(value)}
	}
	large := make(chan error, 1)
	go func() {
		_, err := f.catalog.Write(f.ctx(), batch, catalog.WriteOptions{})
		large <- err
	}()
	<-index.begun
	f.put(dataset("other"), "globalTags", tagged)
	f.wantFound("tags", gold, dataset("other"))
	select {
	case err := <-large:
		t.Errorf("the large batch has ended: %v", err)
	default:
	}
	close(index.free)
	if err := <-large; err != nil {
		t.Fatal(err)
	}
	f.catchUp()
	f.wantEqual()
}

// pausing is an index that takes long to apply pieces of more than one document, until free is closed.
type pausing struct {
	*roaring.Index
	once        sync.Once
	begun, free chan struct{}
}

func (s *pausing) Apply(ctx context.Context, sequence uint64, changes []search.Change) error {
	if len(changes) > 1 {
		s.once.Do(func() { close(s.begun) })
		select {
		case <-s.free:
		case <-time.After(200 * time.Millisecond):
		}
	}
	return s.Index.Apply(ctx, sequence, changes)
}
