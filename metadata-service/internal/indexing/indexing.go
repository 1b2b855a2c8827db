// Package indexing keeps the search index equal to the store: it follows the change log, rebuilds
// the index when that cannot continue from its position, restores parts on request, and verifies
// that index and graph match the store.
//
// The index knows its own position. The driver saves a snapshot together with the sequence of the
// last applied log entry, and after a start, clean or not, the Indexer applies the later entries.
// The log is trimmed only up to the saved position. A rebuild is needed if the snapshot is damaged
// or was made for another model, if the log no longer holds the next entry, or if more than 200,000
// entries are missing. It runs in the background: searches return the present content meanwhile,
// and new writes are visible at once.
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

// Index is the interface of a search driver that the Indexer maintains: an index that can be
// rebuilt. Verify additionally requires a search.Auditor.
type Index interface {
	search.Index
	search.Rebuilder
}

// Config holds the dependencies of an Indexer. All fields are required.
type Config struct {
	Registry *model.Registry
	Store    store.Store
	Graph    graph.Reader
	Index    Index
	Now      func() time.Time
	Log      *slog.Logger
}

// Indexer is the sink "search" of the change log. It is safe for concurrent use.
type Indexer struct {
	Config
	builder *document.Builder
	types   []string // searched types

	// incomplete is set while the content of the index does not match its position: a rebuild is
	// needed, and no snapshot may be taken. Meanwhile the follower continues from resumeAt: a
	// rebuild reads the store later, and thus all changes before.
	incomplete atomic.Bool
	resumeAt   uint64
	saved      atomic.Uint64

	applying chan struct{} // full from reading the store until the result has been applied
	piece    int           // number of documents of the next piece; 0 at first. Guarded by applying

	mu               sync.Mutex
	progress         Progress
	ahead            []*aheadRequest     // entries of writers who wait for applying
	changedMeanwhile map[dependency]bool // changes that a rebuild may have missed; nil without a rebuild

	work         sync.WaitGroup
	firstRebuilt chan struct{} // closed when the rebuild started by New has ended for the first time
	stop         context.CancelFunc
}

// dependency identifies the search documents with a URN in a field.
type dependency struct {
	field string
	urn   urn.URN
}

// longestReplay is the maximum number of changes that an index applies one by one; with more, a
// rebuild is faster.
const longestReplay = 200_000

// New returns an Indexer. If the index cannot continue from its position, New starts a rebuild in
// the background and waits for it up to two seconds, so that small stores are complete when it
// returns.
func New(ctx context.Context, cfg Config) (*Indexer, error) {
	x := &Indexer{Config: cfg, builder: document.NewBuilder(cfg.Registry, cfg.Store), firstRebuilt: make(chan struct{}), applying: make(chan struct{}, 1), stop: func() {}}
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

// rebuildWait bounds the time that New waits for a rebuild. retryPause is the pause before a failed
// rebuild is repeated.
const (
	rebuildWait = 2 * time.Second
	retryPause  = time.Minute
)

// Settle waits for the first attempt of the rebuild that New has started, if any, and returns its
// error. After success the index matches the store up to the position of the follower.
func (x *Indexer) Settle(ctx context.Context) error {
	select {
	case <-x.firstRebuilt:
		return x.Progress().Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rebuildUntilDone repeats the rebuild until it succeeds or ctx ends.
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

// needsRebuild returns the reason why the index cannot follow the log from its position, empty if
// it can.
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

// Applied implements projection.Keeper. While a rebuild is needed it returns a sequence whose
// changes the rebuild reads.
func (x *Indexer) Applied(ctx context.Context) (uint64, error) {
	if x.incomplete.Load() {
		return x.resumeAt, nil
	}
	return x.Index.Applied(ctx)
}

// Save implements projection.Keeper. While the index is incomplete, it saves nothing and returns
// the sequence of the last snapshot.
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

// Close stops a running rebuild, which starts again at the next start.
func (x *Indexer) Close() error {
	x.stop()
	x.work.Wait()
	return nil
}
