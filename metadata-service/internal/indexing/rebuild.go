package indexing

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Progress is the state of a rebuild. Reads and writes continue during a rebuild.
type Progress struct {
	Running bool
	Why     string // reason of the rebuild
	Since   time.Time
	Done    int // entities processed
	Total   int
	Err     error // error of the last rebuild, nil after success
}

// Progress returns the state of the current or last rebuild.
func (x *Indexer) Progress() Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.progress
}

// Rebuild rebuilds the whole index while reads and writes continue, and then saves it; a failed
// save is only logged. A second concurrent rebuild fails with fault.Conflict.
func (x *Indexer) Rebuild(ctx context.Context, why string) error {
	if err := x.begin(why); err != nil {
		return err
	}
	err := background.Protect(func() error { return x.rebuildAll(ctx, why) })
	x.end(err)
	if err != nil {
		return err
	}
	p := x.Progress()
	x.Log.InfoContext(ctx, "the search index is built", "entities", p.Done, "took", x.Now().Sub(p.Since))
	if _, err := x.Save(ctx); err != nil {
		x.Log.ErrorContext(ctx, "the search index was not saved; it is tried again with the next changes", "error", err)
	}
	return nil
}

// rebuildAll fills the index from the store while the log is still applied.
func (x *Indexer) rebuildAll(ctx context.Context, why string) error {
	// The following reads of the store include all changes up to this sequence.
	last, _ := x.Store.Last()
	total, err := x.Store.Count(ctx, "")
	if err != nil {
		return err
	}
	x.setTotal(total)
	x.Log.InfoContext(ctx, "building the search index anew", "reason", why, "entities", total)
	// This builder caches data of other entities and is not informed of changes, so it is used only
	// for the rebuild; changedMeanwhile holds the changes it has missed.
	builder := document.NewBuilder(x.Registry, x.Store)
	err = x.Index.Rebuild(ctx, last, func(put func([]*search.Document) error) error {
		return x.fill(ctx, builder, put)
	})
	if err != nil {
		return err
	}
	if err := x.catchUp(ctx); err != nil {
		return err
	}
	x.incomplete.Store(false)
	return nil
}

// catchUp rebuilds the search documents that depend on entities changed during a rebuild.
func (x *Indexer) catchUp(ctx context.Context) error {
	x.mu.Lock()
	changed := x.changedMeanwhile
	x.changedMeanwhile = nil
	x.mu.Unlock()
	urns := newURNSet(0)
	for d := range changed {
		if err := x.dependents(ctx, d, math.MaxInt, urns.add); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(urns.urns, chunk) {
		if err := x.rebuildDocuments(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// rebuildDocuments rebuilds the search documents of some entities from the store.
func (x *Indexer) rebuildDocuments(ctx context.Context, urns []urn.URN) error {
	applied, err := x.Index.Applied(ctx)
	if err != nil {
		return err
	}
	return x.refresh(ctx, applied, urns)
}

func (x *Indexer) begin(why string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.progress.Running {
		return fault.New(fault.Conflict, "the search index is being built anew already; wait until that is done")
	}
	x.progress = Progress{Running: true, Why: why, Since: x.Now()}
	x.changedMeanwhile = map[dependency]bool{}
	return nil
}

func (x *Indexer) end(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.progress.Running, x.changedMeanwhile = false, nil
	if !errors.Is(err, context.Canceled) {
		x.progress.Err = err
	}
}

func (x *Indexer) setTotal(total int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.progress.Total = total
}

func (x *Indexer) addDone(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.progress.Done += n
}

// fill reads all entities and stores their search documents, with one goroutine per processor.
func (x *Indexer) fill(ctx context.Context, builder *document.Builder, put func([]*search.Document) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	pages := make(chan []urn.URN)
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for page := range pages {
				if err := background.Protect(func() error { return x.putPage(ctx, builder, page, put) }); err != nil {
					stop(err)
				}
			}
		})
	}
	err := x.scan(ctx, pages)
	close(pages)
	work.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return errors.Join(err, ctx.Err())
}

func (x *Indexer) scan(ctx context.Context, pages chan<- []urn.URN) error {
	for after := urn.URN(""); ; {
		page, err := x.Store.Scan(ctx, store.Scan{After: after, Limit: chunk})
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1]
		select {
		case pages <- page:
		case <-ctx.Done():
			return nil
		}
	}
}

func (x *Indexer) putPage(ctx context.Context, builder *document.Builder, page []urn.URN, put func([]*search.Document) error) error {
	_, docs, err := x.documents(ctx, builder, page)
	if err != nil {
		return err
	}
	docs = slices.DeleteFunc(docs, func(d *search.Document) bool { return d == nil })
	x.addDone(len(page))
	return put(docs)
}
