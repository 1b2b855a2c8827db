// Package indexing keeps the search index equal to the store: it follows the
// change log, builds everything anew when the index cannot go on from where it
// is, restores parts on request, and proves that index and graph hold what the
// store says.
package indexing

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Index is what a search driver has to offer to be kept: an index that can be
// filled anew. One that is a search.Auditor, too, can be verified.
type Index interface {
	search.Index
	search.Rebuilder
}

// Config is what an Indexer works with. All fields are required.
type Config struct {
	Registry *model.Registry
	Store    store.Store
	Graph    graph.Reader
	Index    Index
	Now      func() time.Time
	Log      *slog.Logger
}

// Indexer follows the log as the sink "search". It is safe for concurrent use.
type Indexer struct {
	Config
	builder *document.Builder
	types   []string // that are searched

	// incomplete is set while the content is not what its position says: a rebuild is due, and no
	// snapshot may be taken. The follower goes on from resumeAt then: a rebuild reads the store
	// later, and so all that came before.
	incomplete atomic.Bool
	resumeAt   uint64
	saved      atomic.Uint64

	applying sync.Mutex // held from reading the store to having applied what was read

	mu               sync.Mutex
	progress         Progress
	changedMeanwhile map[dependency]bool // what a rebuild may have missed; nil while there is none

	work         sync.WaitGroup
	firstRebuilt chan struct{} // closed when the rebuild that New began has ended the first time
	stop         context.CancelFunc
}

// dependency names the documents that hold a URN in a field.
type dependency struct {
	field string
	urn   urn.URN
}

// longestReplay is how many changes an index catches up with one by one; with
// more it is sooner built anew.
const longestReplay = 200_000

// New makes an Indexer. When the index cannot go on from where it is, it begins
// to build it anew in the background; small stores are done before New returns.
func New(ctx context.Context, cfg Config) (*Indexer, error) {
	x := &Indexer{Config: cfg, builder: document.NewBuilder(cfg.Registry, cfg.Store), firstRebuilt: make(chan struct{}), stop: func() {}}
	for _, s := range document.Schemas(cfg.Registry) {
		x.types = append(x.types, s.EntityType)
	}
	why, err := x.needsRebuild(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		applied, err := cfg.Index.Applied(ctx)
		if err != nil {
			return nil, err
		}
		x.saved.Store(applied)
		close(x.firstRebuilt)
		return x, nil
	}
	last, _ := cfg.Store.Last()
	x.incomplete.Store(true)
	x.resumeAt = last
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	x.stop = stop
	x.work.Go(func() { x.rebuildUntilDone(running, why) })
	select {
	case <-x.firstRebuilt:
	case <-time.After(rebuildWait):
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), x.Close())
	}
	return x, nil
}

// rebuildWait is how long New waits for a rebuild, retryPause how long a rebuild
// that failed waits for another try.
const (
	rebuildWait = 2 * time.Second
	retryPause  = time.Minute
)

// Settle waits until the index holds what it is to hold, as far as the follower
// has come: for the end of the rebuild that New began, if any. The error says
// why that failed.
func (x *Indexer) Settle(ctx context.Context) error {
	select {
	case <-x.firstRebuilt:
		return x.Progress().Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rebuildUntilDone rebuilds until it has gone well or ctx ends.
func (x *Indexer) rebuildUntilDone(ctx context.Context, why string) {
	first := sync.OnceFunc(func() { close(x.firstRebuilt) })
	for {
		err := background.Protect(func() error { return x.Rebuild(ctx, why) })
		first()
		if err == nil || ctx.Err() != nil {
			return
		}
		x.Log.ErrorContext(ctx, "building the search index anew failed", "retry_in", retryPause, "error", err)
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return
		}
	}
}

// needsRebuild tells why the index cannot follow the log from where it is,
// empty when it can.
func (x *Indexer) needsRebuild(ctx context.Context) (string, error) {
	if why, err := x.Index.Stale(ctx); why != "" || err != nil {
		return why, err
	}
	first, err := x.Store.First(ctx)
	if err != nil {
		return "", err
	}
	last, _ := x.Store.Last()
	applied, err := x.Index.Applied(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case applied > last:
		return "the index is ahead of the store, which is an older copy", nil
	case applied == last:
		return "", nil
	case first == 0 || applied+1 < first:
		return "the changes since the last snapshot are no longer kept", nil
	case last-applied > longestReplay:
		return "there are many changes since the last snapshot", nil
	}
	return "", nil
}

// Name implements projection.Sink.
func (x *Indexer) Name() string { return "search" }

// Durable implements projection.Sink.
func (x *Indexer) Durable() bool { return true }

// Applied implements projection.Keeper. While the index has to be built anew it
// is a sequence whose changes the rebuild reads.
func (x *Indexer) Applied(ctx context.Context) (uint64, error) {
	if x.incomplete.Load() {
		return x.resumeAt, nil
	}
	return x.Index.Applied(ctx)
}

// Save implements projection.Keeper. An index that is being built anew, having
// been of no use, keeps what it had.
func (x *Indexer) Save(ctx context.Context) (uint64, error) {
	if x.incomplete.Load() {
		return x.saved.Load(), nil
	}
	applied, err := x.Index.Applied(ctx)
	if err != nil {
		return x.saved.Load(), err
	}
	if err := x.Index.Save(ctx); err != nil {
		return x.saved.Load(), err
	}
	x.saved.Store(applied)
	return applied, nil
}

// Close ends a rebuild that is under way; it begins again with the next start.
func (x *Indexer) Close() error {
	x.stop()
	x.work.Wait()
	return nil
}
