package roaring

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// candidate is a document with the key of the first criterion.
type candidate struct {
	key int64
	doc uint32
}

// selector picks the first documents of a segment in an order.
type selector struct {
	l *local
	k int // wanted
	// Behind a cursor: keys equal to it lie in [low, high) of each criterion.
	after     bool
	low, high []int64
	from      uint32 // first document behind the cursor's URN

	best []candidate // a heap with the last one on top while it is full
}

// top gives the first k documents behind the cursor, in order.
func (l *local) top(k int, after *search.Cursor) []candidate {
	if k <= 0 {
		return nil
	}
	s := &selector{l: l, k: k}
	if after != nil {
		s.after = true
		for i := range l.keys {
			low, high := l.keys[i].bounds(l.m, after.Values[i], after.Missing[i])
			s.low, s.high = append(s.low, low), append(s.high, high)
		}
		s.from = uint32(l.m.view.segment.after(string(after.URN), false))
	}
	switch {
	case l.byDocument():
		return s.inOrder()
	case l.keys[0].urns:
		return s.reversed()
	case len(l.keys) == 1 && l.keys[0].rank.walkable() && k < l.m.view.n/sparse && int(l.m.set.GetCardinality()) > l.m.view.n/sparse:
		return s.byValue(&l.keys[0])
	}
	if k <= heapLimit {
		return s.heap()
	}
	return s.nth()
}

// sparse is the part of a segment from which most of its values are found, so
// that walking values finds the first ones soon.
const sparse = 8

// heapLimit is the page depth up to which a heap is the cheapest way.
const heapLimit = 1000

// byDocument tells whether all keys are equal for all documents, so that the
// numbers of documents are the order.
func (l *local) byDocument() bool {
	for i := range l.keys {
		k := &l.keys[i]
		constant := k.scored && k.scores == nil || !k.scored && !k.urns && k.rank == nil
		if !constant {
			return k.urns && !k.Descending
		}
	}
	return true
}

func (s *selector) inOrder() []candidate {
	out := make([]candidate, 0, min(s.k, 1024))
	it := s.l.m.set.Iterator()
	for step := 0; it.HasNext() && len(out) < s.k && !ended(s.l.m.ctx, step); step++ {
		if s.after {
			// Keys before the cursor's are possible only where the cursor is of another segment's kind.
			if doc := it.PeekNext(); s.skips(doc) && doc < s.from {
				it.AdvanceIfNeeded(s.from)
				continue
			}
		}
		if c := s.candidate(it.Next()); s.behind(c) {
			out = append(out, c)
		}
	}
	return out
}

// skips tells whether the documents before the cursor's URN can be passed by.
func (s *selector) skips(doc uint32) bool {
	for i := range s.l.keys {
		k := &s.l.keys[i]
		if n := k.at(doc); !k.urns && (n < s.low[i] || n >= s.high[i]) {
			return false
		}
	}
	return true
}

// reversed takes documents from the last one on.
func (s *selector) reversed() []candidate {
	var out []candidate
	it := s.l.m.set.ReverseIterator()
	for step := 0; it.HasNext() && len(out) < s.k && !ended(s.l.m.ctx, step); step++ {
		if c := s.candidate(it.Next()); s.behind(c) {
			out = append(out, c)
		}
	}
	return out
}

// byValue walks the values in order until enough documents have come.
func (s *selector) byValue(k *key) []candidate {
	var out []candidate
	c := k.rank.columns[0]
	take := func(set *bitmap, key int64) {
		eachIn(s.l.m.ctx, set, func(docs []uint32) {
			for _, doc := range docs {
				c := candidate{key: key, doc: doc}
				// A document with several values counts where it sorts.
				if len(out) < s.k && k.at(doc) == key && s.behind(c) {
					out = append(out, c)
				}
			}
		})
	}
	without := func() {
		present := s.l.m.view.derived.remembered(s.l.m.ctx, "present "+k.Field, func() *bitmap {
			g := &gather{n: s.l.m.view.n}
			g.addAll(&c.lists, 0, c.len())
			return g.set()
		})
		take(roaring.AndNot(s.l.m.set, present), k.none())
	}
	if k.MissingFirst {
		without()
	}
	for i := 0; i < c.len() && len(out) < s.k && !ended(s.l.m.ctx, i); i++ {
		value := i
		if k.Descending {
			value = c.len() - 1 - i
		}
		key := k.signed(int64(value))
		if s.after && key < s.low[0] {
			continue
		}
		l := c.lists.at(value)
		if l.bits != nil {
			take(and(l.bits, s.l.m.set), key)
			continue
		}
		for _, doc := range l.within(s.l.m.set).few {
			if c := (candidate{key: key, doc: doc}); len(out) < s.k && k.at(doc) == key && s.behind(c) {
				out = append(out, c)
			}
		}
	}
	if !k.MissingFirst && len(out) < s.k {
		without()
	}
	return out
}

// walkable tells whether the values of a ranking are those of one column, each
// with a rank of its own.
func (r *ranking) walkable() bool {
	return r != nil && r.ranks == nil && r.columns[0].ranks == nil
}

func (s *selector) candidate(doc uint32) candidate {
	return candidate{key: s.l.keys[0].at(doc), doc: doc}
}

// behind tells whether a candidate comes after the cursor.
func (s *selector) behind(c candidate) bool {
	if !s.after {
		return true
	}
	key := c.key
	for i := range s.l.keys {
		if i > 0 {
			key = s.l.keys[i].at(c.doc)
		}
		if key < s.low[i] {
			return false
		}
		if key >= s.high[i] {
			return true
		}
	}
	return c.doc >= s.from
}

func (s *selector) compare(a, b candidate) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	for i := 1; i < len(s.l.keys); i++ {
		k := &s.l.keys[i]
		if x, y := k.at(a.doc), k.at(b.doc); x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a.doc, b.doc)
}

// heap keeps the best k in a heap whose top is the worst of them.
func (s *selector) heap() []candidate {
	first := &s.l.keys[0]
	worst := uint32(0) // score of the last of the best, when scores decide
	eachIn(s.l.m.ctx, s.l.m.set, func(docs []uint32) {
		for _, doc := range docs {
			if worst > 0 && math.Float32bits(first.scores[doc]) < worst {
				continue
			}
			c := s.candidate(doc)
			if len(s.best) == s.k {
				if c.key > s.best[0].key || s.compare(c, s.best[0]) > 0 || !s.behind(c) {
					continue
				}
				s.best[0] = c
				s.down(0)
				if first.scored && first.Descending && first.scores != nil {
					worst = math.Float32bits(first.scores[s.best[0].doc])
				}
				continue
			}
			if s.behind(c) {
				s.best = append(s.best, c)
				s.up(len(s.best) - 1)
			}
		}
	})
	slices.SortFunc(s.best, s.compare)
	return s.best
}

func (s *selector) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if s.compare(s.best[i], s.best[parent]) <= 0 {
			return
		}
		s.best[i], s.best[parent] = s.best[parent], s.best[i]
		i = parent
	}
}

func (s *selector) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(s.best) {
			return
		}
		if child+1 < len(s.best) && s.compare(s.best[child+1], s.best[child]) > 0 {
			child++
		}
		if s.compare(s.best[child], s.best[i]) <= 0 {
			return
		}
		s.best[i], s.best[child] = s.best[child], s.best[i]
		i = child
	}
}

// nth takes all, finds which are the first k, and sorts these.
func (s *selector) nth() []candidate {
	all := make([]candidate, 0, s.l.m.set.GetCardinality())
	eachIn(s.l.m.ctx, s.l.m.set, func(docs []uint32) {
		for _, doc := range docs {
			if c := s.candidate(doc); s.behind(c) {
				all = append(all, c)
			}
		}
	})
	if len(all) > s.k {
		s.partition(all)
		all = all[:s.k]
	}
	if s.l.m.ctx.Err() != nil {
		return nil
	}
	slices.SortFunc(all, s.compare)
	return all
}

// partition moves the first k of a list to its front.
func (s *selector) partition(all []candidate) {
	low, high := 0, len(all)-1
	for low < high && s.l.m.ctx.Err() == nil {
		pivot := s.median(all[low], all[(low+high)/2], all[high])
		i, j := low, high
		for i <= j {
			for s.compare(all[i], pivot) < 0 {
				i++
			}
			for s.compare(all[j], pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case s.k-1 <= j:
			high = j
		case s.k-1 >= i:
			low = i
		default:
			return
		}
	}
}

func (s *selector) median(a, b, c candidate) candidate {
	if s.compare(a, b) > 0 {
		a, b = b, a
	}
	if s.compare(b, c) > 0 {
		b = c
	}
	if s.compare(a, b) > 0 {
		b = a
	}
	return b
}

// hit is a document found with what orders it among those of other segments.
type hit struct {
	m       *match
	doc     uint32
	values  []search.Value
	missing []bool
}

func (l *local) hit(c candidate) hit {
	h := hit{m: l.m, doc: c.doc}
	for i := range l.keys {
		v, missing := l.keys[i].value(l.m, c.doc)
		h.values, h.missing = append(h.values, v), append(h.missing, missing)
	}
	return h
}

func (h *hit) urn() urn.URN { return h.m.view.urn(h.doc) }

// mix merges the documents of all segments and gives those from skip on, at
// most size, and whether there are more.
func (o order) mix(ctx context.Context, lists [][]candidate, locals []*local, skip, size int) ([]hit, bool) {
	if len(lists) == 0 {
		return nil, false
	}
	if only, ok := single(lists); ok {
		list := lists[only]
		list = list[min(skip, len(list)):]
		hits := make([]hit, 0, min(size, len(list)))
		for i, c := range list[:min(size, len(list))] {
			if ended(ctx, i) {
				break
			}
			hits = append(hits, locals[only].hit(c))
		}
		return hits, len(list) > size
	}
	heads := make([]*hit, len(lists))
	at := make([]int, len(lists))
	advance := func(i int) {
		heads[i] = nil
		if at[i] < len(lists[i]) {
			h := locals[i].hit(lists[i][at[i]])
			heads[i] = &h
			at[i]++
		}
	}
	for i := range lists {
		advance(i)
	}
	var hits []hit
	for n := 0; ; n++ {
		first := -1
		for i, h := range heads {
			if h != nil && (first < 0 || o.compare(h, heads[first]) < 0) {
				first = i
			}
		}
		if first < 0 {
			return hits, false
		}
		if n >= skip+size || ended(ctx, n) {
			return hits, true
		}
		if n >= skip {
			hits = append(hits, *heads[first])
		}
		advance(first)
	}
}

// single names the only list with anything in it.
func single(lists [][]candidate) (int, bool) {
	only := -1
	for i := range lists {
		if len(lists[i]) == 0 {
			continue
		}
		if only >= 0 {
			return 0, false
		}
		only = i
	}
	return max(only, 0), true
}

func (o order) compare(a, b *hit) int {
	for i, s := range o.by {
		if order := compareKeys(s, a.values[i], b.values[i], a.missing[i], b.missing[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(a.urn(), b.urn())
}
