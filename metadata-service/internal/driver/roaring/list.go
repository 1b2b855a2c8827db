package roaring

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// bigList is the size from which documents are kept as a bitmap.
const bigList = 129

// list is an ascending list of documents: few as numbers, many as bits.
type list struct {
	few  []uint32
	bits *roaring.Bitmap
	// mixed lists are not in order, and may name a document twice: those of several values,
	// as they lie in the segment.
	mixed bool
}

func (l list) len() int {
	if l.bits != nil {
		return int(l.bits.GetCardinality())
	}
	return len(l.few)
}

func (l list) has(doc uint32) bool {
	if l.bits != nil {
		return l.bits.Contains(doc)
	}
	if l.mixed {
		return slices.Contains(l.few, doc)
	}
	_, found := slices.BinarySearch(l.few, doc)
	return found
}

// within gives the documents of a short list that are also in a set.
func (l list) within(set *roaring.Bitmap) list {
	var few []uint32
	for _, doc := range l.few {
		if set.Contains(doc) {
			few = append(few, doc)
		}
	}
	return list{few: few}
}

// live counts the documents that are not deleted.
func (l list) live(deleted *roaring.Bitmap) int {
	if deleted == nil {
		return l.len()
	}
	if l.bits != nil {
		return int(l.bits.GetCardinality() - l.bits.AndCardinality(deleted))
	}
	n := 0
	for _, doc := range l.few {
		if !deleted.Contains(doc) {
			n++
		}
	}
	return n
}

// each calls f with the documents in runs, ascending.
func (l list) each(f func(docs []uint32)) {
	if l.bits == nil {
		f(l.few)
		return
	}
	eachOf(l.bits, f)
}

// longestRun is how many documents eachOf gives at once.
const longestRun = 2048

// eachOf calls f with the members of a set in runs, ascending. They are valid
// during the call.
func eachOf(set *roaring.Bitmap, f func(docs []uint32)) {
	size := set.GetCardinality()
	if size == 0 {
		return
	}
	buf := make([]uint32, min(size, longestRun))
	it := set.ManyIterator()
	for n := it.NextMany(buf); n > 0; n = it.NextMany(buf) {
		f(buf[:n])
	}
}

// lists are many lists, numbered.
type lists struct {
	start []uint32 // of each list in docs, and the end of the last
	docs  []uint32
	big   map[uint32]*roaring.Bitmap
}

func (l *lists) at(i int) list {
	if from, to := l.start[i], l.start[i+1]; from < to {
		return list{few: l.docs[from:to]}
	}
	return list{bits: l.big[uint32(i)]}
}

// listWriter numbers lists in the order they come.
type listWriter struct{ lists }

func (w *listWriter) add(docs []uint32) {
	if len(w.start) == 0 {
		w.start = append(make([]uint32, 0, 4), 0)
	}
	if len(docs) < bigList {
		w.docs = append(w.docs, docs...)
	} else {
		bits := roaring.New()
		bits.AddMany(docs)
		bits.RunOptimize()
		if w.big == nil {
			w.big = map[uint32]*roaring.Bitmap{}
		}
		w.big[uint32(len(w.start)-1)] = bits
	}
	w.start = append(w.start, uint32(len(w.docs)))
}

func (w *listWriter) finish() lists {
	if len(w.start) == 0 {
		w.start = []uint32{0}
	}
	return lists{start: exact(w.start), docs: exact(w.docs), big: w.big}
}
