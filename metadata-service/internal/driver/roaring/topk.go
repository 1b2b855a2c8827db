package roaring

import (
	"cmp"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// candidate is a document with its key for the first criterion.
type candidate struct {
	key int64
	doc uint32
}

// selector selects the first documents of a segment in an order.
type selector struct {
	order *segmentOrder
	limit int // number of documents wanted
	// For a cursor: keys equal to it are in [low, high) of each criterion.
	hasCursor bool
	low, high []int64
	firstDoc  uint32 // first document after the cursor's URN

	heapItems []candidate // a heap with the worst candidate on top once it is full
}

// candidateList holds documents of a segment that may be on a page.
type candidateList struct {
	order  *segmentOrder
	all    []candidate
	sorted bool // all is sorted in the order
}

// topK returns documents after the cursor that include the first k.
func (l *segmentOrder) topK(k int, after *search.Cursor) candidateList {
	list := candidateList{order: l, sorted: true}
	if k <= 0 {
		return list
	}
	s := &selector{order: l, limit: k}
	if after != nil {
		s.startBehind(after)
	}
	switch {
	case l.byDocument():
		list.all = s.ascendingDocs()
	case l.keys[0].urns:
		list.all = s.descendingDocs()
	case len(l.keys) == 1 && l.keys[0].rank.walkable() && k < l.m.view.n/walkThreshold && int(l.m.set.GetCardinality()) > l.m.view.n/walkThreshold:
		list.all = s.walkValues(&l.keys[0])
	case k <= heapLimit:
		list.all = s.heap()
	default:
		list.all, list.sorted = s.everything(), false
	}
	return list
}

// startBehind sets the cursor that afterCursor compares with.
func (s *selector) startBehind(after *search.Cursor) {
	s.hasCursor = true
	for i := range s.order.keys {
		low, high := s.order.keys[i].bounds(s.order.m, after.Values[i], after.Missing[i])
		s.low, s.high = append(s.low, low), append(s.high, high)
	}
	s.firstDoc = uint32(s.order.m.view.segment.seek(string(after.URN), false))
}

// walkThreshold is the share of a segment, one in so many documents, from which most values occur
// among the hits, so that a walk of the values finds the first hits quickly.
const walkThreshold = 8

// heapLimit is the page depth up to which each segment keeps its first candidates in a heap. For
// deeper pages the hits are selected from the candidates of all segments together.
const heapLimit = 250

// byDocument reports whether all documents have equal keys, so that the order is that of the
// document numbers.
func (l *segmentOrder) byDocument() bool {
	for i := range l.keys {
		k := &l.keys[i]
		constant := k.scored && k.scores == nil || !k.scored && !k.urns && k.rank == nil
		if !constant {
			return k.urns && !k.Descending
		}
	}
	return true
}

func (s *selector) ascendingDocs() []candidate {
	out := s.room()
	it := s.order.m.set.Iterator()
	for step := 0; it.HasNext() && len(out) < s.limit && !cancelled(s.order.m.ctx, step); step++ {
		if s.hasCursor {
			// Keys before the cursor's are possible only if the cursor comes from a segment with
			// another kind of values.
			if doc := it.PeekNext(); s.keysEqual(doc) && doc < s.firstDoc {
				it.AdvanceIfNeeded(s.firstDoc)
				continue
			}
		}
		if c := s.candidate(it.Next()); s.afterCursor(c) {
			out = append(out, c)
		}
	}
	return out
}

// room returns an empty list with capacity for all possible candidates.
func (s *selector) room() []candidate {
	return make([]candidate, 0, min(s.limit, int(s.order.m.set.GetCardinality())))
}

// keysEqual reports whether the documents before the cursor's URN can be skipped.
func (s *selector) keysEqual(doc uint32) bool {
	for i := range s.order.keys {
		k := &s.order.keys[i]
		if n := k.at(doc); !k.urns && (n < s.low[i] || n >= s.high[i]) {
			return false
		}
	}
	return true
}

// descendingDocs selects documents from the last one on.
func (s *selector) descendingDocs() []candidate {
	out := s.room()
	it := s.order.m.set.ReverseIterator()
	for step := 0; it.HasNext() && len(out) < s.limit && !cancelled(s.order.m.ctx, step); step++ {
		if c := s.candidate(it.Next()); s.afterCursor(c) {
			out = append(out, c)
		}
	}
	return out
}

// walkValues walks the values in order until enough documents are selected.
func (s *selector) walkValues(k *sortKey) []candidate {
	var out []candidate
	c := k.rank.columns[0]
	take := func(set *bitmap, key int64) {
		eachRunUntil(s.order.m.ctx, set, func(docs []uint32) {
			for _, doc := range docs {
				c := candidate{key: key, doc: doc}
				// A document with several values counts only at the value that it is sorted by.
				if len(out) < s.limit && k.at(doc) == key && s.afterCursor(c) {
					out = append(out, c)
				}
			}
		})
	}
	without := func() {
		present := s.order.m.view.queryCache.cachedSet(s.order.m.ctx, "present "+k.Field, func() *bitmap {
			g := &setBuilder{n: s.order.m.view.n}
			g.addAll(&c.lists, 0, c.len())
			return g.set()
		})
		take(roaring.AndNot(s.order.m.set, present), k.missing())
	}
	if k.MissingFirst {
		without()
	}
	for i := 0; i < c.len() && len(out) < s.limit && !cancelled(s.order.m.ctx, i); i++ {
		value := i
		if k.Descending {
			value = c.len() - 1 - i
		}
		key := k.directed(int64(value))
		if s.hasCursor && key < s.low[0] {
			continue
		}
		l := c.lists.at(value)
		if l.set != nil {
			take(and(l.set, s.order.m.set), key)
			continue
		}
		for _, doc := range l.intersect(s.order.m.set).docs {
			if c := (candidate{key: key, doc: doc}); len(out) < s.limit && k.at(doc) == key && s.afterCursor(c) {
				out = append(out, c)
			}
		}
	}
	if !k.MissingFirst && len(out) < s.limit {
		without()
	}
	return out
}

// walkable reports whether the values of a ranking are those of one column, each with a distinct
// rank.
func (r *ranking) walkable() bool {
	return r != nil && r.ranks == nil && r.skipped == nil && r.columns[0].ranks == nil
}

func (s *selector) candidate(doc uint32) candidate {
	return candidate{key: s.order.keys[0].at(doc), doc: doc}
}

// afterCursor reports whether a candidate comes after the cursor.
func (s *selector) afterCursor(c candidate) bool {
	if !s.hasCursor {
		return true
	}
	key := c.key
	for i := range s.order.keys {
		if i > 0 {
			key = s.order.keys[i].at(c.doc)
		}
		if key < s.low[i] {
			return false
		}
		if key >= s.high[i] {
			return true
		}
	}
	return c.doc >= s.firstDoc
}

func (s *selector) compare(a, b candidate) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	for i := 1; i < len(s.order.keys); i++ {
		k := &s.order.keys[i]
		if x, y := k.at(a.doc), k.at(b.doc); x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a.doc, b.doc)
}

// heap keeps the best candidates, up to limit, in a heap with the worst of them on top.
func (s *selector) heap() []candidate {
	first := &s.order.keys[0]
	worst := uint32(0) // score of the worst of the best, if scores decide
	eachRunUntil(s.order.m.ctx, s.order.m.set, func(docs []uint32) {
		for _, doc := range docs {
			if worst > 0 && math.Float32bits(first.scores[doc]) < worst {
				continue
			}
			c := s.candidate(doc)
			if len(s.heapItems) == s.limit {
				if c.key > s.heapItems[0].key || s.compare(c, s.heapItems[0]) > 0 || !s.afterCursor(c) {
					continue
				}
				s.heapItems[0] = c
				s.siftDown(0)
				if first.scored && first.Descending && first.scores != nil {
					worst = math.Float32bits(first.scores[s.heapItems[0].doc])
				}
				continue
			}
			if s.afterCursor(c) {
				s.heapItems = append(s.heapItems, c)
				s.siftUp(len(s.heapItems) - 1)
			}
		}
	})
	slices.SortFunc(s.heapItems, s.compare)
	return s.heapItems
}

func (s *selector) siftUp(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if s.compare(s.heapItems[i], s.heapItems[parent]) <= 0 {
			return
		}
		s.heapItems[i], s.heapItems[parent] = s.heapItems[parent], s.heapItems[i]
		i = parent
	}
}

func (s *selector) siftDown(i int) {
	for {
		child := 2*i + 1
		if child >= len(s.heapItems) {
			return
		}
		if child+1 < len(s.heapItems) && s.compare(s.heapItems[child+1], s.heapItems[child]) > 0 {
			child++
		}
		if s.compare(s.heapItems[child], s.heapItems[i]) <= 0 {
			return
		}
		s.heapItems[i], s.heapItems[child] = s.heapItems[child], s.heapItems[i]
		i = child
	}
}

// everything returns all documents after the cursor, in no order.
func (s *selector) everything() []candidate {
	all := make([]candidate, 0, s.order.m.set.GetCardinality())
	eachRunUntil(s.order.m.ctx, s.order.m.set, func(docs []uint32) {
		for _, doc := range docs {
			if c := s.candidate(doc); s.afterCursor(c) {
				all = append(all, c)
			}
		}
	})
	return all
}
