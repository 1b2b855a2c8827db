package roaring

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// Scores follow BM25 with every word counted once a document: metadata is
// short, and a name that says orders three times is no better than one that
// says it once. What a score is made of depends on the document and on rounded
// statistics only, so a write in between does not shuffle the pages of a scroll.

// Constants of BM25: saturation, share of the length, and the length, in
// words, of an ordinary field.
const (
	saturation = 1.2
	lengthPart = 0.75
	ordinary   = 8
)

// norms are the factors of field lengths in words.
var norms = func() (n [math.MaxUint8 + 1]float32) {
	for length := range n {
		n[length] = float32((saturation + 1) / (1 + saturation*(1-lengthPart+lengthPart*float64(max(length, 1))/ordinary)))
	}
	return n
}()

// rarity is how much a word says: near 1 for one that hardly any of the
// documents have, near 0 for one that all have. Counts are rounded to powers of two.
func rarity(documents, frequency int) float32 {
	n, df := rounded(documents), rounded(frequency)
	return float32(math.Log(1+(max(n-df, 0)+0.5)/(df+0.5)) / math.Log(2+2*n))
}

func rounded(n int) float64 {
	if n <= 0 {
		return 0
	}
	return float64(uint64(1) << (bits.Len(uint(n)) - 1))
}

// board holds the scores of a segment's documents.
type board struct {
	scores     []float32
	everywhere bool // some scores are of documents that were not found
}

var boards = sync.Pool{New: func() any { return &board{} }}

// newBoard gives a board of n scores, all zero.
func newBoard(n int) *board {
	b := boards.Get().(*board)
	if cap(b.scores) < n {
		b.scores = make([]float32, n)
	}
	b.scores = b.scores[:n]
	return b
}

// release clears the scores that were given to a set.
func (b *board) release(set *roaring.Bitmap) {
	if b.everywhere || int(set.GetCardinality())*4 > len(b.scores) {
		clear(b.scores)
		b.everywhere = false
	} else {
		eachOf(set, func(docs []uint32) {
			for _, doc := range docs {
				b.scores[doc] = 0
			}
		})
	}
	boards.Put(b)
}

// score gives each document found its score.
func (m *match) score(documents int, weighted []weightedField) *board {
	b := newBoard(m.view.n)
	m.found = int(m.set.GetCardinality())
	types := m.view.column(typeField)
	for i := range m.parts {
		if m.ctx.Err() != nil {
			return b
		}
		p := &m.parts[i]
		w := p.weight
		if p.ask.op != opValue {
			frequency := p.ask.frequency
			if frequency == 0 {
				frequency = p.ask.wide
			}
			w *= rarity(documents, frequency)
		}
		m.add(b, p, w, types)
	}
	for _, wf := range weighted {
		m.weigh(b, wf, types)
	}
	return b
}

// add gives the documents of a part their share of the score.
func (m *match) add(b *board, p *part, weight float32, types *column) {
	c := m.view.columns[p.field]
	docs := p.list
	switch {
	case docs.mixed:
		b.everywhere = true
	case docs.bits == nil:
		docs = docs.within(m.set)
	case m.found < int(docs.bits.GetCardinality())/2:
		docs = list{bits: and(docs.bits, m.set)}
	default:
		// Scores of documents that were not found do no harm, and leaving them out costs more.
		b.everywhere = true
	}
	switch {
	case c.words == nil:
		docs.eachIn(m.ctx, func(docs []uint32) { p.addPlain(b.scores, docs, weight, types) })
	case c.dense && p.use.even != 0:
		// What nearly all documents found have in common: worth a loop of its own.
		factors := norms
		for i := range factors {
			factors[i] *= weight * p.use.even
		}
		words, scores := c.words, b.scores
		docs.eachIn(m.ctx, func(docs []uint32) {
			for _, doc := range docs {
				scores[doc] += factors[words[doc]]
			}
		})
	case c.dense:
		docs.eachIn(m.ctx, func(docs []uint32) {
			for _, doc := range docs {
				b.scores[doc] += weight * p.use.of(types, doc) * norms[c.words[doc]]
			}
		})
	case docs.mixed:
		for i, doc := range docs.few {
			if ended(m.ctx, i) {
				break
			}
			if row, ok := c.row(doc); ok {
				b.scores[doc] += weight * p.use.of(types, doc) * norms[c.words[row]]
			}
		}
	default:
		at := 0
		docs.eachIn(m.ctx, func(docs []uint32) {
			for _, doc := range docs {
				at += searchFrom(c.docs[at:], doc)
				if at < len(c.docs) && c.docs[at] == doc {
					b.scores[doc] += weight * p.use.of(types, doc) * norms[c.words[at]]
				}
			}
		})
	}
}

// addPlain is for fields without words, which have no length.
func (p *part) addPlain(scores []float32, docs []uint32, weight float32, types *column) {
	for _, doc := range docs {
		scores[doc] += weight * p.use.of(types, doc)
	}
}

// of is the boost of a document.
func (u *use) of(types *column, doc uint32) float32 {
	if u.even != 0 {
		return u.even
	}
	return u.boosts[types.value(doc)]
}

// searchFrom finds a document or the first one behind it, looking near the
// beginning first.
func searchFrom(docs []uint32, doc uint32) int {
	step := 1
	for step < len(docs) && docs[step] < doc {
		step *= 2
	}
	from := step / 2
	i, _ := slices.BinarySearch(docs[from:min(step+1, len(docs))], doc)
	return from + i
}

// weigh multiplies the scores of documents that have a weighted value.
func (m *match) weigh(b *board, wf weightedField, types *column) {
	t, ok := types.find(wf.entityType)
	if !ok {
		return
	}
	for _, value := range slices.Sorted(maps.Keys(wf.field.Weights)) {
		factor := wf.field.Weights[value]
		g := &gather{n: m.view.n}
		if c := m.view.column(wf.field.Name); c != nil && c.text != nil {
			if i, ok := c.find(value); ok {
				g.add(c.lists.at(i))
			}
		}
		if c := m.view.column(wf.field.Name + numberSuffix); c != nil {
			if n, ok := parseNumber(value); ok {
				if i, ok := slices.BinarySearch(c.numbers, n); ok {
					g.add(c.lists.at(i))
				}
			}
		}
		set := g.set()
		if set.IsEmpty() {
			continue
		}
		eachIn(m.ctx, roaring.And(set, m.set), func(docs []uint32) {
			for _, doc := range docs {
				if types.value(doc) == uint32(t) {
					b.scores[doc] *= float32(factor)
				}
			}
		})
	}
}
