package roaring

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// minSetSize is the size from which documents are kept as a bitmap.
const minSetSize = 129

// postings is a postings list, the ascending documents that have a value: short
// ones as numbers, those of minSetSize and more as a bitmap.
type postings struct {
	docs []uint32
	set  *roaring.Bitmap
	// unsorted postings are those of several values as they lie in the segment: not in order,
	// and a document may come twice.
	unsorted bool
}

func (l postings) len() int {
	if l.set != nil {
		return int(l.set.GetCardinality())
	}
	return len(l.docs)
}

// steps is about what joining the documents to others takes, and scoring them.
func (l postings) steps() int {
	const perStep = 4 // documents of a set
	if l.set != nil {
		return int(l.set.GetCardinality()) / perStep
	}
	return len(l.docs)
}

func (l postings) contains(doc uint32) bool {
	if l.set != nil {
		return l.set.Contains(doc)
	}
	if l.unsorted {
		return slices.Contains(l.docs, doc)
	}
	_, found := slices.BinarySearch(l.docs, doc)
	return found
}

// intersects reports whether a document is in a set.
func (l postings) intersects(set *roaring.Bitmap) bool {
	if l.set != nil {
		return l.set.Intersects(set)
	}
	return slices.ContainsFunc(l.docs, set.Contains)
}

// intersect gives the documents of short postings that are also in a set.
func (l postings) intersect(set *roaring.Bitmap) postings {
	var few []uint32
	for _, doc := range l.docs {
		if set.Contains(doc) {
			few = append(few, doc)
		}
	}
	return postings{docs: few}
}

// countLive counts the documents that are not deleted.
func (l postings) countLive(deleted *roaring.Bitmap) int {
	if deleted == nil {
		return l.len()
	}
	if l.set != nil {
		return int(l.set.GetCardinality() - l.set.AndCardinality(deleted))
	}
	n := 0
	for _, doc := range l.docs {
		if !deleted.Contains(doc) {
			n++
		}
	}
	return n
}

// each calls f with the documents in runs, ascending.
func (l postings) each(f func(docs []uint32)) {
	if l.set == nil {
		f(l.docs)
		return
	}
	eachRun(l.set, f)
}

// maxRun is how many documents eachRun gives at once.
const maxRun = 2048

// eachRun calls f with the members of a set in runs, ascending. They are valid
// during the call.
func eachRun(set *roaring.Bitmap, f func(docs []uint32)) {
	size := set.GetCardinality()
	if size == 0 {
		return
	}
	buf := make([]uint32, min(size, maxRun))
	it := set.ManyIterator()
	for n := it.NextMany(buf); n > 0; n = it.NextMany(buf) {
		f(buf[:n])
	}
}

// postingsTable holds many postings lists, addressed by number.
type postingsTable struct {
	start []uint32 // of each list in docs, and the end of the last
	docs  []uint32
	sets  map[uint32]*roaring.Bitmap
}

func (l *postingsTable) at(i int) postings {
	if from, to := l.start[i], l.start[i+1]; from < to {
		return postings{docs: l.docs[from:to]}
	}
	return postings{set: l.sets[uint32(i)]}
}

// joinSteps is about what joining the lists from (included) to (excluded) takes.
func (l *postingsTable) joinSteps(from, to int) int {
	return int(l.start[to]-l.start[from])/perDenseDoc + min(len(l.sets), to-from)*perClause
}

// postingsWriter numbers postings lists in the order they come.
type postingsWriter struct{ postingsTable }

// inList is how many of the documents of a list are kept as a list.
func inList(docs []uint32) int {
	if len(docs) < minSetSize {
		return len(docs)
	}
	return 0
}

// expect makes room for so many lists with so many documents together, as inList counts.
func (w *postingsWriter) expect(lists, docs int) {
	numbers := make([]uint32, lists+1+docs)
	w.start, w.docs = numbers[:1:lists+1], numbers[lists+1:lists+1]
}

func (w *postingsWriter) add(docs []uint32) {
	if len(w.start) == 0 {
		w.start = append(make([]uint32, 0, 4), 0)
	}
	if len(docs) < minSetSize {
		w.docs = append(w.docs, docs...)
	} else {
		bits := roaring.New()
		bits.AddMany(docs)
		bits.RunOptimize()
		if w.sets == nil {
			w.sets = map[uint32]*roaring.Bitmap{}
		}
		w.sets[uint32(len(w.start)-1)] = bits
	}
	w.start = append(w.start, uint32(len(w.docs)))
}

func (w *postingsWriter) finish() postingsTable {
	if len(w.start) == 0 {
		w.start = []uint32{0}
	}
	return postingsTable{start: exact(w.start), docs: exact(w.docs), sets: w.sets}
}
