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

// tsHit is a place in a listing. Its slices belong to the file.
type tsHit struct {
	order  []byte // time and id, comparable as bytes
	number []byte // key in docs
}

func (h tsHit) id() []byte { return h.order[tsTimeBytes:] }

// tsCheckEvery is how many hits go by between two looks at the context.
const tsCheckEvery = 256

// hits lists, in the order q asks for, the documents that q's URNs, time bounds,
// IDs and After leave over. What else q demands is for the caller to check. The
// listing must not be changed while it runs.
func (v tsView) hits(ctx context.Context, q *timeseries.Query, exploded bool) iter.Seq2[tsHit, error] {
	return func(yield func(tsHit, error) bool) {
		source, err := v.source(q, exploded)
		if err != nil {
			yield(tsHit{}, err)
			return
		}
		for n := 0; source.Len() > 0; n++ {
			if n%tsCheckEvery == 0 && ctx.Err() != nil {
				yield(tsHit{}, ctx.Err())
				return
			}
			first := source.steps[0]
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

// source opens the walks whose union is the listing: one over the ids asked for,
// or one per URN, or one over all time.
func (v tsView) source(q *timeseries.Query, exploded bool) (*tsMerge, error) {
	merge := &tsMerge{ascending: q.Ascending}
	if len(q.IDs) > 0 {
		list, err := v.listIDs(q, exploded)
		merge.add(list)
		return merge, err
	}
	if len(q.URNs) == 0 {
		merge.add(newTSWalk(v.times.Cursor(), []byte{tsFlag(exploded)}, q))
		return merge, nil
	}
	for u := range tsSet(q.URNs) {
		merge.add(newTSWalk(v.urns.Cursor(), tsURNPrefix(u, exploded), q))
	}
	heap.Init(merge)
	return merge, nil
}

// listIDs looks each id up and puts what lies in bounds in order.
func (v tsView) listIDs(q *timeseries.Query, exploded bool) (*tsList, error) {
	hashes := make(map[[tsHashBytes]byte]struct{}, len(q.URNs))
	for _, u := range q.URNs {
		hashes[tsHash(u)] = struct{}{}
	}
	list, within := &tsList{}, tsRangeOf(nil, q)
	for id := range tsSet(q.IDs) {
		b := v.ids.Get([]byte(id))
		if b == nil {
			continue
		}
		place, err := tsDecodePlace(b)
		if err != nil {
			return list, err
		}
		_, asked := hashes[place.hash]
		order := append(tsAppendTime(nil, place.time), id...)
		if place.flag != tsFlag(exploded) || (!asked && len(q.URNs) > 0) || !within.has(order) {
			continue
		}
		list.hits = append(list.hits, tsHit{order: order, number: tsAppendNumber(nil, place.number)})
	}
	slices.SortFunc(list.hits, func(a, b tsHit) int {
		if q.Ascending {
			return bytes.Compare(a.order, b.order)
		}
		return bytes.Compare(b.order, a.order)
	})
	return list, nil
}

func tsSet[T comparable](list []T) map[T]struct{} {
	set := make(map[T]struct{}, len(list))
	for _, v := range list {
		set[v] = struct{}{}
	}
	return set
}

// tsSteps goes through hits in order: next moves to the next one, the first at
// its first call, and hit gives it.
type tsSteps interface {
	next() bool
	hit() tsHit
}

// tsMerge makes one order of several, as a heap with the next hit on top.
type tsMerge struct {
	steps     []tsSteps
	ascending bool
}

// add takes up steps that have a hit at all. The heap is put in order by the caller.
func (m *tsMerge) add(s tsSteps) {
	if s.next() {
		m.steps = append(m.steps, s)
	}
}

func (m *tsMerge) Len() int      { return len(m.steps) }
func (m *tsMerge) Swap(i, j int) { m.steps[i], m.steps[j] = m.steps[j], m.steps[i] }
func (m *tsMerge) Push(any)      {}

func (m *tsMerge) Less(i, j int) bool {
	order := bytes.Compare(m.steps[i].hit().order, m.steps[j].hit().order)
	if m.ascending {
		return order < 0
	}
	return order > 0
}

func (m *tsMerge) Pop() any {
	last := len(m.steps) - 1
	m.steps = m.steps[:last]
	return nil
}

// tsList steps through a list.
type tsList struct {
	hits []tsHit
	at   int // 1 for the first
}

func (l *tsList) next() bool { l.at++; return l.at <= len(l.hits) }
func (l *tsList) hit() tsHit { return l.hits[l.at-1] }

// tsWalk steps through a range of an index bucket in one direction.
type tsWalk struct {
	cursor    *bbolt.Cursor
	within    tsRange
	prefix    int // bytes of a key before its time
	ascending bool
	started   bool
	key       []byte
	number    []byte
}

func newTSWalk(cursor *bbolt.Cursor, prefix []byte, q *timeseries.Query) *tsWalk {
	return &tsWalk{cursor: cursor, within: tsRangeOf(prefix, q), prefix: len(prefix), ascending: q.Ascending}
}

func (w *tsWalk) hit() tsHit { return tsHit{order: w.key[w.prefix:], number: w.number} }

func (w *tsWalk) next() bool {
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

// last goes to the largest key before the end of the range.
func (w *tsWalk) last() (key, number []byte) {
	if w.within.end == nil {
		return w.cursor.Last()
	}
	if key, _ := w.cursor.Seek(w.within.end); key == nil {
		return w.cursor.Last()
	}
	return w.cursor.Prev()
}
