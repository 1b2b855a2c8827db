package roaring

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Segments of about the same size are merged when there are mergeFactor of them, so a document is
// copied once per size class, of which there are few.
const (
	mergeFactor = 8
	maxSegments = 64
)

// indexState is the current state of the index: its version, and the segments being merged. One
// goroutine at a time changes it, under Index.writeMu; the version may be read at any time.
type indexState struct {
	version atomic.Pointer[version]
	merging map[uint64]bool // segments being merged
}

func newIndexState(v *version) *indexState {
	l := &indexState{merging: map[uint64]bool{}}
	l.version.Store(v)
	return l
}

// replace installs a version in which the documents of some URNs are those of a segment, which may
// be nil.
func (l *indexState) replace(urns []urn.URN, s *segment, applied uint64) {
	v := l.version.Load()
	e := v.edit()
	for _, u := range urns {
		if view, doc, ok := v.find(u); ok {
			e.remove(view, doc)
		}
	}
	if s != nil {
		e.segments = append(e.segments, segmentView{segment: s, cache: &viewCache{}})
	}
	l.version.Store(e.finish(applied))
}

// sizeClass returns the size class of a segment with n documents.
func sizeClass(n int) int { return (bits.Len(uint(n)) - 1) / 3 }

// mergeJob is a merge: its segments, with their deletions at the start.
type mergeJob struct{ views []segmentView }

type mergeResult struct {
	segment *segment // nil if no document is left
	numbers [][]uint32
}

// nextMerge returns a merge that is worthwhile, or nil: the smallest segments of which enough have
// the same size class, or a segment most of which is deleted.
func (l *indexState) nextMerge() *mergeJob {
	levels := map[int][]segmentView{}
	for _, view := range l.version.Load().segments {
		if l.merging[view.id] {
			continue
		}
		live := view.count()
		if live*2 < view.n {
			return l.reserve([]segmentView{view})
		}
		levels[sizeClass(live)] = append(levels[sizeClass(live)], view)
	}
	best := -1
	for at, segments := range levels {
		if len(segments) >= mergeFactor && (best < 0 || at < best) {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	segments := levels[best]
	// Smaller segments are included, since they would soon be merged into the result.
	for at, smaller := range levels {
		if at < best {
			segments = append(segments, smaller...)
		}
	}
	slices.SortFunc(segments, func(a, b segmentView) int { return cmp.Compare(a.id, b.id) })
	return l.reserve(segments)
}

func (l *indexState) reserve(views []segmentView) *mergeJob {
	for _, v := range views {
		l.merging[v.id] = true
	}
	return &mergeJob{views: views}
}

// run executes the merge; it needs no lock.
func (j *mergeJob) run(id uint64) *mergeResult {
	from := make([]*segment, len(j.views))
	deleted := make([]*roaring.Bitmap, len(j.views))
	for i, v := range j.views {
		from[i], deleted[i] = v.segment, v.deleted
	}
	s, numbers := merge(from, deleted)
	if s.n == 0 {
		return &mergeResult{}
	}
	s.id = id
	return &mergeResult{segment: s, numbers: numbers}
}

// install replaces the merged segments by the result, and carries over the deletions since the
// start of the merge.
func (l *indexState) install(j *mergeJob, m *mergeResult) {
	v := l.version.Load()
	source := map[uint64]int{}
	for i, view := range j.views {
		source[view.id] = i
		delete(l.merging, view.id)
	}
	deletedSince := roaring.New()
	segments := make([]segmentView, 0, len(v.segments))
	for _, view := range v.segments {
		i, replaced := source[view.id]
		if !replaced {
			segments = append(segments, view)
			continue
		}
		delete(source, view.id)
		if m.segment != nil {
			carryDeletions(deletedSince, view.deleted, j.views[i].deleted, m.numbers[i])
		}
	}
	// The last document of a segment that is no longer present was deleted meanwhile.
	for _, i := range source {
		if m.segment != nil {
			everything := roaring.New()
			everything.AddRange(0, uint64(j.views[i].n))
			carryDeletions(deletedSince, everything, j.views[i].deleted, m.numbers[i])
		}
	}
	if m.segment != nil {
		view := segmentView{segment: m.segment, cache: &viewCache{}}
		if !deletedSince.IsEmpty() {
			view.deleted = deletedSince
		}
		segments = append(segments, view)
	}
	e := &versionEdit{segments: segments}
	l.version.Store(e.finish(v.applied))
}

// carryDeletions adds the new numbers of documents that are deleted now and were not before.
func carryDeletions(deletedSince, now, before *roaring.Bitmap, numbers []uint32) {
	if now == nil {
		return
	}
	if before != nil {
		now = roaring.AndNot(now, before)
	}
	eachRun(now, func(docs []uint32) {
		for _, doc := range docs {
			deletedSince.Add(numbers[doc])
		}
	})
}
