// Package roaring is the default driver of the search port: an inverted index
// in memory, made of compressed sets of document numbers.
//
// The index is a list of immutable segments. A segment holds documents numbered
// in the order of their URNs, a dictionary from words to the documents they
// occur in, and for each field a column from documents to values and back. What
// changes a document marks its old number as deleted and puts the new one into
// a new segment; small segments are merged into larger ones behind the scenes.
//
// Readers take the current version, a list of segments with their deletions,
// and never wait; a writer prepares the next version and swaps a pointer.
//
// On disk a segment is one file that never changes; the snapshot is a manifest
// that lists them with their deletions and the log sequence they stand for.
// Saving writes what is new, so it costs what changed. Files carry checksums: a
// damaged one is left out, and Stale tells that the index has to be built again.
package roaring

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config says what to open.
type Config struct {
	// Path is a directory for the snapshot, made if absent; empty keeps the index in memory only.
	Path string
	// Schemas are the fields of all entity types.
	Schemas []search.Schema
	// Revision tells in what way documents are made; a snapshot of another one is stale.
	Revision int
	// MaxQueryCost bounds what a query looks at, in steps of about 20 ns;
	// DefaultMaxQueryCost when zero.
	MaxQueryCost int
	// Reserve waits until a query may do so many more steps of about 20 ns, and is called
	// before it does them; nil for no bound.
	Reserve func(ctx context.Context, steps int) error
	Log     *slog.Logger
}

// Index implements search.Index, search.Rebuilder and search.Auditor. It is
// safe for concurrent use.
type Index struct {
	schemas     *schemas
	maxCost     int
	reserve     func(ctx context.Context, steps int) error
	log         *slog.Logger
	snapshots   *snapshotDir // nil without a path
	state       atomic.Pointer[indexState]
	lastSegment atomic.Uint64 // the id given last

	writeMu      sync.Mutex  // held while a version is prepared
	rebuilding   *indexState // of the rebuild in progress
	changedSince map[urn.URN]struct{}

	saveMu sync.Mutex
	saved  *version

	condition disk.Condition

	accumulators accumulatorPool
	visible      readyFilters

	staleMu sync.Mutex
	stale   string
	closed  atomic.Bool
	merges  sync.WaitGroup // merges
}

// Open opens the snapshot at a path, or begins anew. What cannot be used of a
// snapshot is left out: Stale tells.
func Open(cfg Config) (*Index, error) {
	x := &Index{schemas: newSchemas(cfg.Schemas, cfg.Revision), maxCost: cmp.Or(cfg.MaxQueryCost, DefaultMaxQueryCost), reserve: cfg.Reserve, log: cfg.Log}
	if x.log == nil {
		x.log = slog.New(slog.DiscardHandler)
	}
	v := &version{}
	if cfg.Path != "" {
		d, err := openSnapshotDir(cfg.Path)
		if err != nil {
			return nil, err
		}
		x.snapshots = d
		var last uint64
		if v, last, x.stale, err = d.load(x.schemas.hash); err != nil {
			return nil, err
		}
		x.lastSegment.Store(last)
		x.saved = v
		if x.stale != "" {
			x.log.Warn("the search index has to be built again", "reason", x.stale)
		}
	}
	x.state.Store(newIndexState(v))
	return x, nil
}

// Applied implements search.Index. It reads one pointer and never waits.
func (x *Index) Applied(ctx context.Context) (uint64, error) {
	return x.current().applied, x.usable(ctx)
}

// usable fails when ctx has ended or the index is closed.
func (x *Index) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if x.closed.Load() {
		return fault.New(fault.Unavailable, "the search index is closed")
	}
	return nil
}

func (x *Index) current() *version { return x.state.Load().version.Load() }

// Stale implements search.Rebuilder.
func (x *Index) Stale(ctx context.Context) (string, error) {
	x.staleMu.Lock()
	defer x.staleMu.Unlock()
	return x.stale, x.usable(ctx)
}

// Apply implements search.Index. The documents become one new segment; readers see
// it with a swap of a pointer, all at once. Writers take turns, and one pays for a
// merge itself when there are more than maxSegments segments. Of several changes of
// an entity the last one counts.
func (x *Index) Apply(ctx context.Context, sequence uint64, changes []search.Change) error {
	if err := x.usable(ctx); err != nil {
		return err
	}
	urns, s := x.prepareChanges(changes)
	x.writeMu.Lock()
	defer x.writeMu.Unlock()
	live := x.state.Load()
	live.replace(urns, s, max(sequence, live.version.Load().applied))
	if x.rebuilding != nil {
		for _, u := range urns {
			x.changedSince[u] = struct{}{}
		}
		x.rebuilding.replace(urns, s, max(sequence, x.rebuilding.version.Load().applied))
	}
	x.startMerges(live)
	return nil
}

// prepareChanges gives the URNs that change and the segment of their new documents,
// nil for none. Of several changes of a URN the last one counts.
func (x *Index) prepareChanges(changes []search.Change) ([]urn.URN, *segment) {
	last := make(map[urn.URN]*search.Document, len(changes))
	for i := range changes {
		last[changes[i].URN] = changes[i].Document
	}
	urns := make([]urn.URN, 0, len(last))
	docs := make([]*search.Document, 0, len(last))
	for u, d := range last {
		urns = append(urns, u)
		if d != nil {
			docs = append(docs, d)
		}
	}
	slices.Sort(urns)
	return urns, x.build(docs)
}

// build makes the segment of documents of different URNs, nil of none.
func (x *Index) build(docs []*search.Document) *segment {
	if len(docs) == 0 {
		return nil
	}
	slices.SortFunc(docs, func(a, b *search.Document) int { return cmp.Compare(a.URN, b.URN) })
	s := build(x.schemas, docs)
	s.id = x.lastSegment.Add(1)
	return s
}

// startMerges starts the next merge in the background. With more than maxSegments
// segments searches would be slow, so the writer merges itself before it returns.
func (x *Index) startMerges(l *indexState) {
	job := l.nextMerge()
	if job == nil {
		return
	}
	if len(l.version.Load().segments) > maxSegments {
		l.install(job, job.run(x.lastSegment.Add(1)))
		return
	}
	x.mergeInBackground(l, job)
}

// mergeInBackground merges in a goroutine that Close waits for. A merge that fails
// leaves the segments as they are; searches go on.
func (x *Index) mergeInBackground(l *indexState, job *mergeJob) {
	x.merges.Go(func() {
		err := background.Protect(func() error {
			for job != nil && !x.closed.Load() {
				job = x.merge(l, job)
			}
			return nil
		})
		if err != nil {
			x.log.Error("segments of the search index could not be merged", "error", err)
			x.condition.Damaged(err)
		}
	})
}

// merge carries out a job and gives the next one, nil for none.
func (x *Index) merge(l *indexState, job *mergeJob) *mergeJob {
	merged := job.run(x.lastSegment.Add(1))
	x.writeMu.Lock()
	defer x.writeMu.Unlock()
	l.install(job, merged)
	return l.nextMerge()
}

// Documents implements search.Index. It costs one step for each type and segment.
func (x *Index) Documents(ctx context.Context) (map[string]int, error) {
	if err := x.usable(ctx); err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, view := range x.current().segments {
		types := view.column(typeField)
		for i := range types.len() {
			if n := types.lists.at(i).countLive(view.deleted); n > 0 {
				counts[types.text.string(i)] += n
			}
		}
	}
	return counts, nil
}

// Fingerprints implements search.Auditor. It walks the version that was current when
// it began, so changes meanwhile do not show.
func (x *Index) Fingerprints(ctx context.Context, yield func(u urn.URN, fingerprint uint64) bool) error {
	if err := x.usable(ctx); err != nil {
		return err
	}
	views := x.current().segments
	cursors := make([]*cursor, len(views))
	for i, view := range views {
		cursors[i] = view.urns.from(0)
	}
	queue := newMergeQueue(cursors, func(a, b []byte) int { return slices.Compare(a, b) })
	for least := queue.least(); len(least) > 0; least = queue.least() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, i := range least {
			doc := uint32(cursors[i].index)
			if views[i].isLive(doc) && !yield(urn.URN(cursors[i].text), views[i].fingerprints[doc]) {
				return nil
			}
		}
		queue.step()
	}
	return nil
}

// Save implements search.Index. It writes the segments that are new since the last
// save, and then the manifest; a crash in between leaves the snapshot before. An
// index that is known to be stale is not saved.
func (x *Index) Save(ctx context.Context) error {
	if err := x.usable(ctx); err != nil {
		return err
	}
	if x.snapshots == nil {
		return nil
	}
	x.saveMu.Lock()
	defer x.saveMu.Unlock()
	x.staleMu.Lock()
	stale := x.stale != ""
	x.staleMu.Unlock()
	// A snapshot of what is known to be wrong would hide that it is.
	if stale {
		return nil
	}
	v := x.current()
	if v == x.saved {
		return nil
	}
	if err := x.snapshots.save(ctx, x.schemas.hash, v); err != nil {
		err = fmt.Errorf("save the search index: %w", disk.Translate(err))
		if ctx.Err() == nil {
			x.condition.Note(err)
		}
		return err
	}
	x.condition.Note(nil)
	x.saved = v
	return nil
}

// Condition tells whether the last snapshot could be saved.
func (x *Index) Condition() disk.State { return x.condition.State() }

// Close implements search.Index. Merges that run are waited for, however long ctx
// lives: they hold what is about to be released.
func (x *Index) Close(context.Context) error {
	if x.closed.Swap(true) {
		return nil
	}
	x.merges.Wait()
	return nil
}
