package roaring

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// minSetSize is the number of documents from which postings are stored as a bitmap.
const minSetSize = 129

// postings is a postings list, the ascending documents that have a value. Short lists are stored as
// numbers, lists of minSetSize or more documents as a bitmap.
type postings struct {
	docs []uint32
	set  *roaring.Bitmap
	// unsorted postings combine the lists of several values as stored in the segment: they are not
	// in order and may contain a document twice.
	unsorted bool
}

func (l postings) len() int {
	if l.set != nil {
		return int(l.set.GetCardinality())
	}
	return len(l.docs)
}

// steps returns the approximate cost of joining the documents to others and of scoring them.
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

// intersects reports whether any of the documents is in a set.
func (l postings) intersects(set *roaring.Bitmap) bool {
	if l.set != nil {
		return l.set.Intersects(set)
	}
	return slices.ContainsFunc(l.docs, set.Contains)
}

// intersect returns the documents of short postings that are also in a set.
func (l postings) intersect(set *roaring.Bitmap) postings {
	var few []uint32
	for _, doc := range l.docs {
		if set.Contains(doc) {
			few = append(few, doc)
		}
	}
	return postings{docs: few}
}

// countLive returns the number of documents that are not deleted.
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

// maxRun is the maximum number of documents that eachRun passes at once.
const maxRun = 2048

// eachRun calls f with the members of a set in runs, ascending. The slice is valid during the call.
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

// postingsTable stores many postings lists, addressed by number.
type postingsTable struct {
	start []uint32 // start of each list in docs, and the end of the last
	docs  []uint32
	sets  map[uint32]*roaring.Bitmap
}

func (l *postingsTable) at(i int) postings {
	if from, to := l.start[i], l.start[i+1]; from < to {
		return postings{docs: l.docs[from:to]}
	}
	return postings{set: l.sets[uint32(i)]}
}

// joinSteps returns the approximate cost of joining the lists from (included) to (excluded).
func (l *postingsTable) joinSteps(from, to int) int {
	return int(l.start[to]-l.start[from])/perDenseDoc + min(len(l.sets), to-from)*perClause
}

// postingsWriter numbers postings lists in the order of their addition.
type postingsWriter struct{ postingsTable }

// inList returns the number of documents that are stored in docs, not as a bitmap.
func inList(docs []uint32) int {
	if len(docs) < minSetSize {
		return len(docs)
	}
	return 0
}

// expect allocates space for a number of lists with a total number of documents, as counted by
// inList.
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
