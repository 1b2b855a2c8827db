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

// page selects the hits of a page from the candidates of all segments. Hits before the page are
// counted without being built: selected hits serve as pivots. A pivot becomes a range of keys and a
// document number in each segment, so candidates are compared as integers. A page costs a few such
// comparisons per candidate, and text reads only for its own hits.
type page struct {
	ctx   context.Context
	order sortOrder
	lists []candidateList // none is empty
}

// hit is a document found, with its position in the order.
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

// hits returns the hits from skip on, at most size, and reports whether there are more. The result
// is incomplete if the context has ended.
func (p *page) hits(skip, size int) ([]hit, bool) {
	if skip > sampleSize || len(p.lists) == 1 { // building fewer hits is faster than skipping them
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

// sort sorts the first candidates of all lists together, and drops the others from lists that are
// not sorted yet.
func (p *page) sort(first int) {
	if !slices.ContainsFunc(p.lists, func(l candidateList) bool { return !l.sorted }) {
		return
	}
	for i, at := range p.split(first) {
		p.lists[i].all = p.lists[i].all[:at]
		p.lists[i].sort()
	}
}

// split moves the first candidates of all lists together to the front of their lists, and returns
// their number in each list.
func (p *page) split(first int) []int {
	if len(p.lists) == 1 && p.lists[0].sorted {
		return []int{min(first, len(p.lists[0].all))}
	}
	s := splitter{page: p, from: make([]int, len(p.lists)), to: make([]int, len(p.lists)), first: first}
	for i, l := range p.lists {
		s.to[i] = len(l.all)
		s.undecided += len(l.all)
	}
	return s.split()
}

// splitter determines which candidates are the first of all lists.
type splitter struct {
	*page
	from      []int // by list: candidates before this index are among the first
	to        []int // by list: candidates from this index on are not
	undecided int   // number of undecided candidates
	first     int   // number of undecided candidates that are among the first
}

// Sizes of the samples that pivots are chosen from.
const (
	sampleSize   = 64
	sampleMargin = 6 // distance of a pivot from the estimate, about 1.5 standard deviations
)

func (s *splitter) split() []int {
	for s.first > 0 && s.first < s.undecided && !ended(s.ctx) {
		before := s.undecided
		if s.round(); s.undecided == before {
			s.takeAny()
		}
	}
	if s.first >= s.undecided {
		return s.to
	}
	return s.from
}

// round decides most of the candidates, or all of them when they are few.
func (s *splitter) round() {
	sample := s.sample()
	if len(sample) == s.undecided {
		s.cut(&sample[s.first-1])
		return
	}
	// The last of the sample may be the last of all candidates, which would decide nothing.
	at := s.first * len(sample) / s.undecided
	low, high := max(at-sampleMargin, 0), min(at+sampleMargin, len(sample)-2)
	s.cut(&sample[low])
	s.cut(&sample[high])
}

// takeAny decides by positions in the lists. With a consistent order every round decides some
// candidates, and takeAny is not needed. If keys and texts are ever inconsistent, the page is in a
// wrong order, but the search still ends.
func (s *splitter) takeAny() {
	for i := range s.lists {
		n := min(s.first, s.to[i]-s.from[i])
		s.from[i] += n
		s.first -= n
		s.undecided -= n
	}
}

// sample builds hits of undecided candidates, one chosen at random from each of several equal
// parts, and sorts them.
func (s *splitter) sample() []hit {
	n := min(s.undecided, sampleSize)
	hits := make([]hit, 0, n)
	list, passed := 0, 0
	for i := range n {
		low, high := i*s.undecided/n, (i+1)*s.undecided/n
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

// cut decides either the undecided candidates up to a pivot, or those after it.
func (s *splitter) cut(pivot *hit) {
	cuts, before := make([]int, len(s.lists)), 0
	for i := range s.lists {
		cuts[i] = s.from[i] + s.lists[i].partition(s.from[i], s.to[i], &pivot.cursor)
		before += cuts[i] - s.from[i]
	}
	if before <= s.first {
		s.from, s.undecided, s.first = cuts, s.undecided-before, s.first-before
		return
	}
	s.to, s.undecided = cuts, before
}

// partition moves the candidates that do not come after a cursor to the front of a part of the
// list, and returns their number.
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

// merge builds the first hits of sorted lists. Its heads form a heap with the first hit on top.
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

// next advances to the next hit and reports whether there is one.
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
