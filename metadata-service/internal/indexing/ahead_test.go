package indexing_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
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
	if err := f.indexer.ApplyAhead(f.ctx(), []store.Entry{{Kind: store.Written, URN: dataset("b"), Aspect: "globalTags"}}); err != nil {
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
	if err := f.indexer.ApplyAhead(f.ctx(), many); !errors.Is(err, fault.Unsupported) {
		t.Errorf("many entries: %v", err)
	}
	f.restartWith(f.index)
	f.wantFound("tags", gold, dataset("a"), dataset("b"))
	f.wantEqual()
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
