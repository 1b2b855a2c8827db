package roaring

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// page selects the hits of a page from the candidates of all segments. The hits before
// the page are counted and not made: a hit serves as a pivot, which becomes a range of
// keys and a document number in each segment, so that candidates are compared as integers.
// A page costs a few such comparisons for each candidate, and texts for its own hits.
type page struct {
	ctx   context.Context
	order sortOrder
	lists []candidateList // none is empty
}

// hit is a document found, with its place in the order.
type hit struct {
	m      *match
	doc    uint32
	cursor search.Cursor
}

func (h *hit) urn() urn.URN { return h.m.view.urn(h.doc) }

func (p *page) add(l candidateList) {
	if len(l.all) > 0 {
		p.lists = append(p.lists, l)
	}
}

// hits gives the hits from skip on, at most size, and whether there are more. What it
// gives is incomplete when the context has ended.
func (p *page) hits(skip, size int) ([]hit, bool) {
	if skip > sampleSize || len(p.lists) == 1 { // fewer hits are made sooner than passed by
		for i, at := range p.split(skip) {
			p.lists[i].all = p.lists[i].all[at:]
		}
		skip = 0
	}
	total := 0
	for _, l := range p.lists {
		total += len(l.all)
	}
	p.sort(skip + size)
	hits := p.merge(skip + size)
	return hits[min(skip, len(hits)):], total > skip+size
}

// sort sorts the first candidates of all lists together; the others are dropped from lists
// that are not sorted yet.
func (p *page) sort(first int) {
	if !slices.ContainsFunc(p.lists, func(l candidateList) bool { return !l.sorted }) {
		return
	}
	for i, at := range p.split(first) {
		p.lists[i].all = p.lists[i].all[:at]
		p.lists[i].sort()
	}
}

// split moves the first candidates of all lists together to the front of their lists, and
// gives how many of each these are.
func (p *page) split(first int) []int {
	if len(p.lists) == 1 && p.lists[0].sorted {
		return []int{min(first, len(p.lists[0].all))}
	}
	s := splitter{page: p, from: make([]int, len(p.lists)), to: make([]int, len(p.lists)), first: first}
	for i, l := range p.lists {
		s.to[i] = len(l.all)
		s.between += len(l.all)
	}
	return s.split()
}

// splitter narrows down which candidates are the first of all lists.
type splitter struct {
	*page
	from    []int // of each list: those before are among the first
	to      []int // those from here on are not
	between int   // candidates that are undecided
	first   int   // how many of these are among the first
}

// Sizes of the samples that pivots are taken from.
const (
	sampleSize   = 64
	sampleMargin = 6 // between a pivot and the estimate, about 1.5 deviations
)

func (s *splitter) split() []int {
	for s.first > 0 && s.first < s.between && !ended(s.ctx) {
		undecided := s.between
		if s.round(); s.between == undecided {
			s.takeAny()
		}
	}
	if s.first >= s.between {
		return s.to
	}
	return s.from
}

// round decides about most of the candidates, or about all when they are few.
func (s *splitter) round() {
	sample := s.sample()
	if len(sample) == s.between {
		s.cut(&sample[s.first-1])
		return
	}
	// The last of a sample may be the last of all, which decides nothing.
	at := s.first * len(sample) / s.between
	low, high := max(at-sampleMargin, 0), min(at+sampleMargin, len(sample)-2)
	s.cut(&sample[low])
	s.cut(&sample[high])
}

// takeAny decides by the places in the lists. In an order every round decides something; should
// keys and texts ever disagree, the page is in a wrong order and the search ends all the same.
func (s *splitter) takeAny() {
	for i := range s.lists {
		n := min(s.first, s.to[i]-s.from[i])
		s.from[i] += n
		s.first -= n
		s.between -= n
	}
}

// sample makes hits of undecided candidates, one at random of each of equal parts, sorted.
func (s *splitter) sample() []hit {
	n := min(s.between, sampleSize)
	hits := make([]hit, 0, n)
	list, passed := 0, 0
	for i := range n {
		low, high := i*s.between/n, (i+1)*s.between/n
		at := low + rand.IntN(high-low)
		for at-passed >= s.to[list]-s.from[list] {
			passed += s.to[list] - s.from[list]
			list++
		}
		l := &s.lists[list]
		hits = append(hits, l.order.hit(l.all[s.from[list]+at-passed]))
	}
	slices.SortFunc(hits, func(a, b hit) int { return s.order.compare(&a, &b) })
	return hits
}

// cut decides about the undecided candidates up to a pivot, or about those behind it.
func (s *splitter) cut(pivot *hit) {
	cuts, before := make([]int, len(s.lists)), 0
	for i := range s.lists {
		cuts[i] = s.from[i] + s.lists[i].partition(s.from[i], s.to[i], &pivot.cursor)
		before += cuts[i] - s.from[i]
	}
	if before <= s.first {
		s.from, s.between, s.first = cuts, s.between-before, s.first-before
		return
	}
	s.to, s.between = cuts, before
}

// partition moves the candidates that do not come after a cursor to the front of a part of
// the list, and counts them.
func (l *candidateList) partition(from, to int, after *search.Cursor) int {
	if from == to {
		return 0
	}
	s := &selector{order: l.order}
	s.startBehind(after)
	part := l.all[from:to]
	if l.sorted {
		return sort.Search(len(part), func(i int) bool { return s.afterCursor(part[i]) })
	}
	n := 0
	for i, c := range part {
		if cancelled(l.order.m.ctx, i) {
			break
		}
		if !s.afterCursor(c) {
			part[i], part[n] = part[n], c
			n++
		}
	}
	return n
}

func (l *candidateList) sort() {
	if !l.sorted && l.order.m.ctx.Err() == nil {
		slices.SortFunc(l.all, (&selector{order: l.order}).compare)
		l.sorted = true
	}
}

// head is the next hit of a list.
type head struct {
	hit
	rest candidateList
}

// merge makes the first hits of sorted lists. Its heads are a heap with the first hit on top.
func (p *page) merge(first int) []hit {
	total := 0
	heads := make([]head, 0, len(p.lists))
	for _, l := range p.lists {
		total += len(l.all)
		if h := (head{rest: l}); h.next() {
			heads = append(heads, h)
		}
	}
	for i := len(heads)/2 - 1; i >= 0; i-- {
		p.siftDown(heads, i)
	}
	hits := make([]hit, 0, min(first, total))
	for len(heads) > 0 && !cancelled(p.ctx, len(hits)) {
		if hits = append(hits, heads[0].hit); len(hits) == first {
			break
		}
		if !heads[0].next() {
			heads[0] = heads[len(heads)-1]
			heads = heads[:len(heads)-1]
		}
		p.siftDown(heads, 0)
	}
	return hits
}

// next steps to the next hit and tells whether there is one.
func (h *head) next() bool {
	if len(h.rest.all) == 0 {
		return false
	}
	h.hit = h.rest.order.hit(h.rest.all[0])
	h.rest.all = h.rest.all[1:]
	return true
}

func (p *page) siftDown(heads []head, i int) {
	for {
		child := 2*i + 1
		if child >= len(heads) {
			return
		}
		if child+1 < len(heads) && p.order.compare(&heads[child+1].hit, &heads[child].hit) < 0 {
			child++
		}
		if p.order.compare(&heads[i].hit, &heads[child].hit) <= 0 {
			return
		}
		heads[i], heads[child] = heads[child], heads[i]
		i = child
	}
}

func (l *segmentOrder) hit(c candidate) hit {
	h := hit{m: l.m, doc: c.doc, cursor: search.Cursor{
		Values: make([]search.Value, len(l.keys)), Missing: make([]bool, len(l.keys)), URN: l.m.view.urn(c.doc),
	}}
	for i := range l.keys {
		h.cursor.Values[i], h.cursor.Missing[i] = l.keys[i].value(l.m, c.doc)
	}
	return h
}

func (o sortOrder) compare(a, b *hit) int {
	x, y := &a.cursor, &b.cursor
	for i, s := range o.by {
		if order := compareKeys(s, x.Values[i], y.Values[i], x.Missing[i], y.Missing[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(x.URN, y.URN)
}
