package roaring

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Segments of about the same size are merged when there are as many as fan; so
// a document is copied once per level, and levels are few.
const (
	fan         = 8
	maxSegments = 64
)

// line is a sequence of versions. Changes are made by one goroutine at a time;
// the version may be read at any time.
type line struct {
	version atomic.Pointer[version]
	busy    map[uint64]bool // segments being merged
}

func newLine(v *version) *line {
	l := &line{busy: map[uint64]bool{}}
	l.version.Store(v)
	return l
}

// replace makes the version in which the documents of some URNs are those of a
// segment, which may be nil.
func (l *line) replace(urns []urn.URN, s *segment, applied uint64) {
	v := l.version.Load()
	e := v.edit()
	for _, u := range urns {
		if part, doc, ok := v.find(u); ok {
			e.remove(part, doc)
		}
	}
	if s != nil {
		e.parts = append(e.parts, view{segment: s, cache: &viewCache{}})
	}
	l.version.Store(e.finish(applied))
}

// level is the size class of a segment.
func level(n int) int { return (bits.Len(uint(n)) - 1) / 3 }

// job is a merge: segments, and the deletions they had when it began.
type job struct{ views []view }

type merged struct {
	segment *segment // nil when nothing is left
	numbers [][]uint32
}

// due finds a merge worth making: the smallest segments of which there are
// enough of their size, or one of which most is deleted.
func (l *line) due() *job {
	levels := map[int][]view{}
	for _, part := range l.version.Load().parts {
		if l.busy[part.id] {
			continue
		}
		live := part.count()
		if live*2 < part.n {
			return l.begin([]view{part})
		}
		levels[level(live)] = append(levels[level(live)], part)
	}
	best := -1
	for at, parts := range levels {
		if len(parts) >= fan && (best < 0 || at < best) {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	parts := levels[best]
	// What is smaller still comes along: it would be merged into the result soon.
	for at, smaller := range levels {
		if at < best {
			parts = append(parts, smaller...)
		}
	}
	slices.SortFunc(parts, func(a, b view) int { return cmp.Compare(a.id, b.id) })
	return l.begin(parts)
}

func (l *line) begin(views []view) *job {
	for _, v := range views {
		l.busy[v.id] = true
	}
	return &job{views: views}
}

// run does the work; it needs no lock.
func (j *job) run(id uint64) *merged {
	from := make([]*segment, len(j.views))
	deleted := make([]*roaring.Bitmap, len(j.views))
	for i, v := range j.views {
		from[i], deleted[i] = v.segment, v.deleted
	}
	s, numbers := merge(from, deleted)
	if s.n == 0 {
		return &merged{}
	}
	s.id = id
	return &merged{segment: s, numbers: numbers}
}

// install puts the result in the place of what it was made of, and carries
// over what was deleted meanwhile.
func (l *line) install(j *job, m *merged) {
	v := l.version.Load()
	source := map[uint64]int{}
	for i, part := range j.views {
		source[part.id] = i
		delete(l.busy, part.id)
	}
	gone := roaring.New()
	parts := make([]view, 0, len(v.parts))
	for _, part := range v.parts {
		i, replaced := source[part.id]
		if !replaced {
			parts = append(parts, part)
			continue
		}
		delete(source, part.id)
		if m.segment != nil {
			carry(gone, part.deleted, j.views[i].deleted, m.numbers[i])
		}
	}
	// A part that is no longer there had its last document deleted meanwhile.
	for _, i := range source {
		if m.segment != nil {
			everything := roaring.New()
			everything.AddRange(0, uint64(j.views[i].n))
			carry(gone, everything, j.views[i].deleted, m.numbers[i])
		}
	}
	if m.segment != nil {
		part := view{segment: m.segment, cache: &viewCache{}}
		if !gone.IsEmpty() {
			part.deleted = gone
		}
		parts = append(parts, part)
	}
	e := &edit{parts: parts}
	l.version.Store(e.finish(v.applied))
}

// carry adds to gone the new numbers of what is deleted now and was not before.
func carry(gone, now, before *roaring.Bitmap, numbers []uint32) {
	if now == nil {
		return
	}
	if before != nil {
		now = roaring.AndNot(now, before)
	}
	eachOf(now, func(docs []uint32) {
		for _, doc := range docs {
			gone.Add(numbers[doc])
		}
	})
}
