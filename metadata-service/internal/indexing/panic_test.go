package indexing_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// panicking is an index that panics while it is filled, until mended is set.
type panicking struct {
	*roaring.Index
	mended atomic.Bool
}

func (p *panicking) Rebuild(ctx context.Context, sequence uint64, fill func(func([]*search.Document) error) error) error {
	return p.Index.Rebuild(ctx, sequence, func(put func([]*search.Document) error) error {
		return fill(func(docs []*search.Document) error {
			if !p.mended.Load() {
				panic("on purpose")
			}
			return put(docs)
		})
	})
}

func TestARebuildThatPanicsIsReportedAndCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := range 10 {
		f.put(domain(n), "domainProperties", fmt.Sprintf(`{"name":"d%d"}`, n))
	}
	index := &panicking{Index: f.index}
	f.restartWith(index)
	err := f.indexer.Rebuild(t.Context(), "a test asks")
	if err == nil || !strings.Contains(err.Error(), "panic: on purpose at ") {
		t.Errorf("got %v, want the panic and its place", err)
	}
	if p := f.indexer.Progress(); p.Running || p.Err == nil {
		t.Errorf("progress is %+v", p)
	}
	index.mended.Store(true)
	if err := f.indexer.Rebuild(t.Context(), "a test asks"); err != nil {
		t.Error(err)
	}
	f.wantEqual()
}
