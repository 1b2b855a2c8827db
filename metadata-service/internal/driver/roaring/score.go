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

// Scores follow BM25 with every word counted once a document: metadata is
// short, and a name that says orders three times is no better than one that
// says it once. What a score is made of depends on the document and on rounded
// statistics only, so a write in between does not shuffle the pages of a scroll.

// Constants of BM25: saturation, share of the length, and the length, in
// words, of an ordinary field.
const (
	saturation     = 1.2
	lengthShare    = 0.75
	ordinaryLength = 8
)

// norms are the factors of field lengths in words. A value without words has no length, as in a
// segment in which no document has words in the field.
var norms = func() (n [math.MaxUint8 + 1]float32) {
	n[0] = 1
	for length := 1; length < len(n); length++ {
		n[length] = float32((saturation + 1) / (1 + saturation*(1-lengthShare+lengthShare*float64(length)/ordinaryLength)))
	}
	return n
}()

// inverseFrequency is the IDF of a word, scaled: near 1 for one that hardly any of the
// documents have, near 0 for one that all have. Counts are rounded to powers of two.
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
	beyondSet bool // some scores are of documents that were not found
}

// accumulatorPool reuses the accumulators of an index. What is in the pool is all
// zero. It is safe for concurrent use.
type accumulatorPool struct{ pool sync.Pool }

// get gives an accumulator of n scores, all zero.
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

// put takes back an accumulator whose scores were given to a set. Where the set is
// small it clears the scores of the set alone.
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

// score adds to an accumulator the score of each document found. Once the context
// has ended it stops early.
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

// frequency is how many documents have the word of a clause, or what it stands for where none has
// the word.
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

// countVisible counts the documents of a clause, or of what it stands for, among those that the actor may see, in all
// segments: also in those where it was not evaluated, as whether a clause before it found
// something there may depend on hidden documents.
func (m *match) countVisible(a *clause) {
	if a.scoreOnly {
		return // as it finds nothing, it has no frequency
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
			if *sets != nil && (*sets)[i] != nil { // unless the context has ended
				n += int((*sets)[i].AndCardinality(p.visible))
			}
		}
		if n > 0 {
			a.documentFrequency = n
			return
		}
	}
}

// counting is a match in which a clause is evaluated to be counted. The limit of the query holds
// for what its answer depends on and not here: this takes no more than that.
func (m *match) counting() *match {
	c := m.evaluation(new(int))
	c.maxCost, c.negations = math.MaxInt, 1
	return c
}

// visibleCount is how many documents the actor may see.
func (m *match) visibleCount() int {
	n := 0
	for _, p := range m.peers {
		n += int(p.visible.GetCardinality())
	}
	return n
}

// hasScores tells whether a field match is of a document found.
func (m *match) hasScores() bool {
	return slices.ContainsFunc(m.fieldMatches, func(p fieldMatch) bool { return p.docs.intersects(m.set) })
}

// addScores adds what a field match contributes to the scores of its documents. A product is
// rounded before it is added (float32), whichever of the loops makes it: which one does may
// depend on hidden documents, and processors that multiply and add at once round otherwise.
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
		// Scores of documents that were not found do no harm, and leaving them out costs more.
		b.beyondSet = true
	}
	switch {
	case c.words == nil:
		docs.eachUntil(m.ctx, func(docs []uint32) { p.addUnnormed(b.scores, docs, weight, types) })
	case c.dense && p.use.uniform != 0:
		// What nearly all documents found have in common: worth a loop of its own.
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

// addUnnormed is for fields without words, which have no length.
func (p *fieldMatch) addUnnormed(scores []float32, docs []uint32, weight float32, types *column) {
	for _, doc := range docs {
		scores[doc] += float32(weight * p.use.boost(types, doc))
	}
}

// boost is the boost of a document.
func (u *fieldUse) boost(types *column, doc uint32) float32 {
	if u.uniform != 0 {
		return u.uniform
	}
	return u.boosts[types.value(doc)]
}

// gallop finds a document, or the first one behind it, by galloping search: steps
// that double, then a binary search.
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
