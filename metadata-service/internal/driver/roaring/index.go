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
	Log     *slog.Logger
}

// Index implements search.Index, search.Rebuilder and search.Auditor. It is
// safe for concurrent use.
type Index struct {
	schemas *schemas
	log     *slog.Logger
	disk    *folder // nil without a path
	live    atomic.Pointer[line]
	segment atomic.Uint64 // the id given last

	writing sync.Mutex // held while a version is prepared
	next    *line      // of the rebuild in progress
	fresh   map[urn.URN]struct{}

	saving sync.Mutex
	saved  *version

	condition disk.Condition

	state  sync.Mutex
	stale  string
	closed atomic.Bool
	work   sync.WaitGroup // merges
}

// Open opens the snapshot at a path, or begins anew. What cannot be used of a
// snapshot is left out: Stale tells.
func Open(cfg Config) (*Index, error) {
	x := &Index{schemas: newSchemas(cfg.Schemas), log: cfg.Log}
	if x.log == nil {
		x.log = slog.New(slog.DiscardHandler)
	}
	v := &version{}
	if cfg.Path != "" {
		d, err := openFolder(cfg.Path)
		if err != nil {
			return nil, err
		}
		x.disk = d
		var last uint64
		if v, last, x.stale, err = d.load(x.schemas.hash); err != nil {
			return nil, err
		}
		x.segment.Store(last)
		x.saved = v
		if x.stale != "" {
			x.log.Warn("the search index has to be built again", "reason", x.stale)
		}
	}
	x.live.Store(newLine(v))
	return x, nil
}

// Applied implements search.Index.
func (x *Index) Applied() uint64 { return x.current().applied }

func (x *Index) current() *version { return x.live.Load().version.Load() }

// Stale implements search.Rebuilder.
func (x *Index) Stale() string {
	x.state.Lock()
	defer x.state.Unlock()
	return x.stale
}

// Apply implements search.Index.
func (x *Index) Apply(ctx context.Context, sequence uint64, changes []search.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if x.closed.Load() {
		return errClosed()
	}
	urns, s := x.prepare(changes)
	x.writing.Lock()
	defer x.writing.Unlock()
	live := x.live.Load()
	live.replace(urns, s, max(sequence, live.version.Load().applied))
	if x.next != nil {
		for _, u := range urns {
			x.fresh[u] = struct{}{}
		}
		x.next.replace(urns, s, max(sequence, x.next.version.Load().applied))
	}
	x.tidy(live)
	return nil
}

// prepare gives the URNs that change and the segment of their new documents,
// nil for none. Of several changes of a URN the last one counts.
func (x *Index) prepare(changes []search.Change) ([]urn.URN, *segment) {
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
	s.id = x.segment.Add(1)
	return s
}

// tidy starts merges that are due. While there are too many segments for
// searches to be fast, the writer merges itself.
func (x *Index) tidy(l *line) {
	job := l.due()
	if job == nil {
		return
	}
	if len(l.version.Load().parts) > maxSegments {
		l.install(job, job.run(x.segment.Add(1)))
		return
	}
	x.mergeAside(l, job)
}

// mergeAside merges in a goroutine that Close waits for. A merge that fails
// leaves the segments as they are; searches go on.
func (x *Index) mergeAside(l *line, job *job) {
	x.work.Go(func() {
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

// merge carries out a job, and gives the one that is due next.
func (x *Index) merge(l *line, job *job) *job {
	merged := job.run(x.segment.Add(1))
	x.writing.Lock()
	defer x.writing.Unlock()
	l.install(job, merged)
	return l.due()
}

// Documents implements search.Index.
func (x *Index) Documents() map[string]int {
	counts := map[string]int{}
	for _, part := range x.current().parts {
		types := part.column(typeField)
		for i := range types.len() {
			if n := types.lists.at(i).live(part.deleted); n > 0 {
				counts[types.text.string(i)] += n
			}
		}
	}
	return counts
}

// Fingerprints implements search.Auditor.
func (x *Index) Fingerprints(yield func(u urn.URN, fingerprint uint64) bool) {
	parts := x.current().parts
	cursors := make([]*cursor, len(parts))
	for i, part := range parts {
		cursors[i] = part.urns.from(0)
	}
	queue := newQueue(cursors, func(a, b []byte) int { return slices.Compare(a, b) })
	for least := queue.least(); len(least) > 0; least = queue.least() {
		for _, i := range least {
			doc := uint32(cursors[i].index)
			if parts[i].isLive(doc) && !yield(urn.URN(cursors[i].text), parts[i].prints[doc]) {
				return
			}
		}
		queue.step()
	}
}

// Save implements search.Index.
func (x *Index) Save(ctx context.Context) error {
	if x.disk == nil {
		return nil
	}
	x.saving.Lock()
	defer x.saving.Unlock()
	x.state.Lock()
	stale := x.stale != ""
	x.state.Unlock()
	// A snapshot of what is known to be wrong would hide that it is.
	if stale {
		return nil
	}
	v := x.current()
	if v == x.saved {
		return nil
	}
	if err := x.disk.save(ctx, x.schemas.hash, v); err != nil {
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

// Close implements search.Index.
func (x *Index) Close() error {
	if x.closed.Swap(true) {
		return nil
	}
	x.work.Wait()
	return nil
}

func errClosed() error {
	return fault.New(fault.Unavailable, "the search index is closed")
}
