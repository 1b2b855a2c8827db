package roaring

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Scores follow BM25, but count every word once per document: metadata is short, and a name that
// contains "orders" three times is no better than a name that contains it once. A score depends
// only on the document and on rounded statistics, so a concurrent write does not reorder the pages
// of a scroll.

// Constants of BM25: saturation, share of the length, and the length in words of an average field.
const (
	saturation     = 1.2
	lengthShare    = 0.75
	ordinaryLength = 8
)

// norms are the factors by field length in words. Index 0 is for values without words, which have
// no length, as in a segment where no document has words in the field.
var norms = func() (n [math.MaxUint8 + 1]float32) {
	n[0] = 1
	for length := 1; length < len(n); length++ {
		n[length] = float32((saturation + 1) / (1 + saturation*(1-lengthShare+lengthShare*float64(length)/ordinaryLength)))
	}
	return n
}()

// inverseFrequency returns the scaled IDF of a word: near 1 for a word in hardly any document, near
// 0 for a word in all of them. Counts are rounded to powers of two.
func inverseFrequency(documents, frequency int) float32 {
	n, df := roundedDown(documents), roundedDown(frequency)
	return float32(math.Log(1+(max(n-df, 0)+0.5)/(df+0.5)) / math.Log(2+2*n))
}

func roundedDown(n int) float64 {
	if n <= 0 {
		return 0
	}
	return float64(uint64(1) << (bits.Len(uint(n)) - 1))
}

// scoreAccumulator holds the scores of a segment's documents.
type scoreAccumulator struct {
	scores    []float32
	beyondSet bool // some scores belong to documents that were not found
}

// accumulatorPool reuses the accumulators of an index. All scores in the pool are zero. It is safe
// for concurrent use.
type accumulatorPool struct{ pool sync.Pool }

// get returns an accumulator of n scores, all zero.
func (p *accumulatorPool) get(n int) *scoreAccumulator {
	b, _ := p.pool.Get().(*scoreAccumulator)
	if b == nil {
		b = &scoreAccumulator{}
	}
	if cap(b.scores) < n {
		b.scores = make([]float32, n)
	}
	b.scores = b.scores[:n]
	return b
}

// put returns an accumulator to the pool. set holds the documents with scores; if it is small, only
// their scores are cleared.
func (p *accumulatorPool) put(b *scoreAccumulator, set *roaring.Bitmap) {
	if b.beyondSet || int(set.GetCardinality())*4 > len(b.scores) {
		clear(b.scores)
		b.beyondSet = false
	} else {
		eachRun(set, func(docs []uint32) {
			for _, doc := range docs {
				b.scores[doc] = 0
			}
		})
	}
	p.pool.Put(b)
}

// score adds the score of each document found to an accumulator. It stops early once the context
// has ended.
func (m *match) score(b *scoreAccumulator, documents int, weighted []weightedField) {
	m.hits = int(m.set.GetCardinality())
	types := m.view.column(typeField)
	for i := range m.fieldMatches {
		if ended(m.ctx) {
			return
		}
		p := &m.fieldMatches[i]
		w := p.weight
		if p.clause.op != opValue {
			w *= inverseFrequency(documents, m.frequency(p.clause))
		}
		m.addScores(b, p, w, types)
	}
	for _, wf := range weighted {
		m.multiplyWeights(b, wf, types)
	}
}

// frequency returns the number of documents with the word of a clause, or with its expansions if no
// document has the word.
func (m *match) frequency(a *clause) int {
	if m.visible != nil && !a.counted {
		a.counted = true
		m.countVisible(a)
	}
	if a.documentFrequency > 0 {
		return a.documentFrequency
	}
	return a.expandedFrequency
}

// countVisible counts the visible documents of a clause, or of its expansions, in all segments.
// These include segments where the clause was not evaluated, since that depends on the documents
// found by earlier clauses, which may be hidden.
func (m *match) countVisible(a *clause) {
	if a.scoreOnly {
		return // finds no documents, so it has no frequency
	}
	for _, sets := range []*[]*bitmap{&a.direct, &a.found} {
		n := 0
		for i, p := range m.peers {
			if p.visible.IsEmpty() || sets == &a.direct && a.op != opWord {
				continue
			}
			if *sets == nil || (*sets)[i] == nil {
				p.counting().eval(a)
			}
			if *sets != nil && (*sets)[i] != nil { // nil if the context has ended
				n += int((*sets)[i].AndCardinality(p.visible))
			}
		}
		if n > 0 {
			a.documentFrequency = n
			return
		}
	}
}

// counting returns a match for evaluating a clause only to count its documents. The cost limit
// applies to the evaluation that determines the answer, not to this one, which costs no more.
func (m *match) counting() *match {
	c := m.evaluation(new(int))
	c.maxCost, c.negations = math.MaxInt, 1
	return c
}

// visibleCount returns the number of documents that the actor may see.
func (m *match) visibleCount() int {
	n := 0
	for _, p := range m.peers {
		n += int(p.visible.GetCardinality())
	}
	return n
}

// hasScores reports whether a field match concerns a document found.
func (m *match) hasScores() bool {
	return slices.ContainsFunc(m.fieldMatches, func(p fieldMatch) bool { return p.docs.intersects(m.set) })
}

// addScores adds the contribution of a field match to the scores of its documents. Each product is
// rounded (float32) before it is added, in all loops. The loop that runs may depend on hidden
// documents, and processors that fuse multiplication and addition would round differently.
func (m *match) addScores(b *scoreAccumulator, p *fieldMatch, weight float32, types *column) {
	c := m.view.columns[p.field]
	docs := p.docs
	switch {
	case docs.unsorted:
		b.beyondSet = true
	case docs.set == nil:
		docs = docs.intersect(m.set)
	case m.hits < int(docs.set.GetCardinality())/2:
		docs = postings{set: and(docs.set, m.set)}
	default:
		// Scores of documents that were not found do no harm, and excluding them would cost more.
		b.beyondSet = true
	}
	switch {
	case c.words == nil:
		docs.eachUntil(m.ctx, func(docs []uint32) { p.addUnnormed(b.scores, docs, weight, types) })
	case c.dense && p.use.uniform != 0:
		// The most frequent case for large results, with a separate fast loop.
		factors := norms
		for i := range factors {
			factors[i] *= weight * p.use.uniform
		}
		words, scores := c.words, b.scores
		docs.eachUntil(m.ctx, func(docs []uint32) {
			for _, doc := range docs {
				scores[doc] += factors[words[doc]]
			}
		})
	case c.dense:
		docs.eachUntil(m.ctx, func(docs []uint32) {
			for _, doc := range docs {
				b.scores[doc] += float32(weight * p.use.boost(types, doc) * norms[c.words[doc]])
			}
		})
	case docs.unsorted:
		for i, doc := range docs.docs {
			if cancelled(m.ctx, i) {
				break
			}
			if row, ok := c.row(doc); ok {
				b.scores[doc] += float32(weight * p.use.boost(types, doc) * norms[c.words[row]])
			}
		}
	default:
		at := 0
		docs.eachUntil(m.ctx, func(docs []uint32) {
			for _, doc := range docs {
				at += gallop(c.docs[at:], doc)
				if at < len(c.docs) && c.docs[at] == doc {
					b.scores[doc] += float32(weight * p.use.boost(types, doc) * norms[c.words[at]])
				}
			}
		})
	}
}

// addUnnormed adds scores for fields without words, which have no length.
func (p *fieldMatch) addUnnormed(scores []float32, docs []uint32, weight float32, types *column) {
	for _, doc := range docs {
		scores[doc] += float32(weight * p.use.boost(types, doc))
	}
}

// boost returns the boost for a document.
func (u *fieldUse) boost(types *column, doc uint32) float32 {
	if u.uniform != 0 {
		return u.uniform
	}
	return u.boosts[types.value(doc)]
}

// gallop returns the index of a document, or of the first one after it, by galloping search:
// doubling steps, then a binary search.
func gallop(docs []uint32, doc uint32) int {
	step := 1
	for step < len(docs) && docs[step] < doc {
		step *= 2
	}
	from := step / 2
	i, _ := slices.BinarySearch(docs[from:min(step+1, len(docs))], doc)
	return from + i
}

// multiplyWeights multiplies the scores of documents that have a weighted value.
func (m *match) multiplyWeights(b *scoreAccumulator, wf weightedField, types *column) {
	t, ok := types.find(wf.entityType)
	if !ok {
		return
	}
	for _, value := range slices.Sorted(maps.Keys(wf.field.Weights)) {
		factor := wf.field.Weights[value]
		g := &setBuilder{n: m.view.n}
		if c := m.view.column(wf.field.Name); c != nil && c.text != nil {
			if i, ok := c.find(value); ok {
				g.add(c.lists.at(i))
			}
		}
		if c := m.view.column(wf.field.Name + numberSuffix); c != nil {
			if n, ok := search.ParseNumber(value); ok {
				if i, ok := slices.BinarySearch(c.numbers, n); ok {
					g.add(c.lists.at(i))
				}
			}
		}
		set := g.set()
		if set.IsEmpty() {
			continue
		}
		eachRunUntil(m.ctx, roaring.And(set, m.set), func(docs []uint32) {
			for _, doc := range docs {
				if types.value(doc) == uint32(t) {
					b.scores[doc] *= float32(factor)
				}
			}
		})
	}
}
