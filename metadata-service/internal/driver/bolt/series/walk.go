package series

import (
	"bytes"
	"container/heap"
	"context"
	"iter"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// hit is a position in a listing. Its slices belong to the file.
type hit struct {
	order  []byte // time and id, comparable as bytes
	number []byte // key in docs
}

func (h hit) id() []byte { return h.order[timeBytes:] }

// checkEvery is the number of hits between two checks of the context.
const checkEvery = 256

// hits lists, in the order of q, the documents that match q's URNs, time range, IDs and After. The
// caller checks the other conditions of q. The index must not be changed while the listing runs.
func (v view) hits(ctx context.Context, q *timeseries.Query, exploded bool) iter.Seq2[hit, error] {
	return func(yield func(hit, error) bool) {
		source, err := v.source(q, exploded)
		if err != nil {
			yield(hit{}, err)
			return
		}
		for n := 0; source.Len() > 0; n++ {
			if n%checkEvery == 0 && ctx.Err() != nil {
				yield(hit{}, ctx.Err())
				return
			}
			first := source.iterators[0]
			if !yield(first.hit(), nil) {
				return
			}
			if first.next() {
				heap.Fix(source, 0)
			} else {
				heap.Pop(source)
			}
		}
	}
}

// source opens the walks whose union is the listing: one over the given ids, or one per URN, or one
// over all times.
func (v view) source(q *timeseries.Query, exploded bool) (*merge, error) {
	merge := &merge{ascending: q.Ascending}
	if len(q.IDs) > 0 {
		list, err := v.listIDs(q, exploded)
		merge.add(list)
		return merge, err
	}
	if len(q.URNs) == 0 {
		merge.add(newWalk(v.times.Cursor(), []byte{flagOf(exploded)}, q))
		return merge, nil
	}
	for u := range setOf(q.URNs) {
		merge.add(newWalk(v.urns.Cursor(), urnPrefix(u, exploded), q))
	}
	heap.Init(merge)
	return merge, nil
}

// listIDs looks up each id and sorts the documents within the range.
func (v view) listIDs(q *timeseries.Query, exploded bool) (*hitList, error) {
	hashes := make(map[[hashBytes]byte]struct{}, len(q.URNs))
	for _, u := range q.URNs {
		hashes[hashOf(u)] = struct{}{}
	}
	list, within := &hitList{}, rangeOf(nil, q)
	for id := range setOf(q.IDs) {
		b := v.ids.Get([]byte(id))
		if b == nil {
			continue
		}
		location, err := decodeLocation(b)
		if err != nil {
			return list, err
		}
		_, asked := hashes[location.hash]
		order := append(appendTime(nil, location.time), id...)
		if location.flag != flagOf(exploded) || (!asked && len(q.URNs) > 0) || !within.has(order) {
			continue
		}
		list.hits = append(list.hits, hit{order: order, number: appendNumber(nil, location.number)})
	}
	slices.SortFunc(list.hits, func(a, b hit) int {
		if q.Ascending {
			return bytes.Compare(a.order, b.order)
		}
		return bytes.Compare(b.order, a.order)
	})
	return list, nil
}

func setOf[T comparable](list []T) map[T]struct{} {
	set := make(map[T]struct{}, len(list))
	for _, v := range list {
		set[v] = struct{}{}
	}
	return set
}

// iterator yields hits in order: next advances, to the first hit at its first call, and hit returns
// the current one.
type iterator interface {
	next() bool
	hit() hit
}

// merge merges several iterators in order, as a heap with the next hit on top.
type merge struct {
	iterators []iterator
	ascending bool
}

// add adds an iterator unless it is empty. The caller restores the heap order.
func (m *merge) add(s iterator) {
	if s.next() {
		m.iterators = append(m.iterators, s)
	}
}

func (m *merge) Len() int      { return len(m.iterators) }
func (m *merge) Swap(i, j int) { m.iterators[i], m.iterators[j] = m.iterators[j], m.iterators[i] }
func (m *merge) Push(any)      {}

func (m *merge) Less(i, j int) bool {
	order := bytes.Compare(m.iterators[i].hit().order, m.iterators[j].hit().order)
	if m.ascending {
		return order < 0
	}
	return order > 0
}

func (m *merge) Pop() any {
	last := len(m.iterators) - 1
	m.iterators = m.iterators[:last]
	return nil
}

// hitList iterates over a list.
type hitList struct {
	hits []hit
	at   int // index of the current hit plus 1
}

func (l *hitList) next() bool { l.at++; return l.at <= len(l.hits) }
func (l *hitList) hit() hit   { return l.hits[l.at-1] }

// walk iterates over a range of an index bucket in one direction.
type walk struct {
	cursor    *bbolt.Cursor
	within    keyRange
	prefix    int // bytes of a key before its time
	ascending bool
	started   bool
	key       []byte
	number    []byte
}

func newWalk(cursor *bbolt.Cursor, prefix []byte, q *timeseries.Query) *walk {
	return &walk{cursor: cursor, within: rangeOf(prefix, q), prefix: len(prefix), ascending: q.Ascending}
}

func (w *walk) hit() hit { return hit{order: w.key[w.prefix:], number: w.number} }

func (w *walk) next() bool {
	switch {
	case w.started && w.ascending:
		w.key, w.number = w.cursor.Next()
	case w.started:
		w.key, w.number = w.cursor.Prev()
	case w.ascending:
		w.key, w.number = w.cursor.Seek(w.within.begin)
	default:
		w.key, w.number = w.last()
	}
	w.started = true
	return w.key != nil && w.within.has(w.key)
}

// last moves to the greatest key before the end of the range.
func (w *walk) last() (key, number []byte) {
	if w.within.end == nil {
		return w.cursor.Last()
	}
	if key, _ := w.cursor.Seek(w.within.end); key == nil {
		return w.cursor.Last()
	}
	return w.cursor.Prev()
}
