package roaring

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// match holds the documents that a query finds in one segment.
type match struct {
	ctx          context.Context // of the query; the match does not outlive it
	view         segmentView
	x            *schemas
	set          *roaring.Bitmap // documents found
	fieldMatches []fieldMatch    // the matches that scores are computed from
	negations    int             // depth of negation; field matches below a negation are not kept
	spent        *int            // steps spent so far in all segments
	maxCost      int             // maximum number of steps
	reserved     *reservation    // reservation of the query
	segment      int             // index of the segment in its version
	visible      *roaring.Bitmap // live documents that the actor may see; nil for all
	wholeNames   bool            // see search.Query
	peers        []*match        // matches of all segments before the text is evaluated, by segment
	skipped      []*clause       // clauses not evaluated, because a clause beside them found nothing
	hits         int             // size of set, while scores are computed
	once         sync.Once
	unmatched    *roaring.Bitmap // see complement
}

// DefaultMaxQueryCost is the default limit on the work of one query, in steps of about 20 ns. The
// expensive part is reading terms and values one by one. The limit allows two patterns over the
// names of a million documents, or many prefixes of one letter.
const DefaultMaxQueryCost = 100_000_000

// Costs of more expensive operations, in steps.
const (
	perPattern    = 20 // comparing a term or value with a pattern
	perFuzzyTerm  = 10 // comparing a term with a word that may have typing errors
	perPhraseText = 50 // searching a text for consecutive pieces

	perClause   = 100 // looking up a word or value in a segment, with or without a result
	perDenseDoc = 8   // number of documents of several values that one step joins
	perAndDoc   = 256 // number of documents of a set that one step intersects
)

// charge adds to the cost of the query, reserves the steps, and reports whether the query is within
// its limits.
func (m *match) charge(n int) bool {
	*m.spent += n
	return *m.spent <= m.maxCost && m.reserved.take(m.ctx, n)
}

// fieldMatch holds the documents that match a clause in one field.
type fieldMatch struct {
	clause *clause
	field  int
	use    *fieldUse
	docs   postings
	weight float32
}

// eval returns the documents of the segment that match a clause, including deleted ones. The set is
// shared: callers must not change it.
func (m *match) eval(a *clause) *roaring.Bitmap {
	if m.ctx.Err() != nil {
		return empty
	}
	if len(a.children) == 0 && !m.reserved.take(m.ctx, perClause) {
		return empty
	}
	switch a.op {
	case opAll:
		return m.view.live()
	case opNone:
		return empty
	case opNot:
		m.negations++
		defer func() { m.negations-- }()
		return roaring.AndNot(m.view.live(), m.eval(a.children[0]))
	case opAnd:
		return m.and(a)
	case opOr:
		return m.or(a)
	case opPhrase:
		return m.phrase(a)
	case opLike:
		return m.pattern(a)
	case opRange:
		return m.valueRange(a)
	case opValue:
		return m.value(a)
	}
	return m.word(a)
}

func (m *match) and(a *clause) *roaring.Bitmap {
	var set *roaring.Bitmap
	for i, child := range a.children {
		if child.op == opNot {
			continue
		}
		found := m.eval(child)
		if set == nil {
			set = found
		} else {
			set = roaring.And(set, found)
		}
		if set.IsEmpty() {
			if m.negations == 0 {
				m.skipped = append(m.skipped, a.children[i+1:]...)
			}
			return set
		}
	}
	if set == nil {
		set = m.view.live()
	}
	for _, child := range a.children {
		if child.op == opNot {
			m.negations++
			set = roaring.AndNot(set, m.eval(child.children[0]))
			m.negations--
		}
	}
	return set
}

// complete evaluates the skipped clauses, for their contribution to the scores of documents found
// by other clauses. Whether a clause contributes must not depend on other documents of the segment,
// which may be hidden. Field matches keep the order of the query.
func (m *match) complete(query *clause) {
	if len(m.skipped) == 0 {
		return
	}
	for len(m.skipped) > 0 && !ended(m.ctx) {
		next := m.skipped
		m.skipped = nil
		for _, a := range next {
			if a.op != opNot {
				m.eval(a)
			}
		}
	}
	order := map[*clause]int{}
	query.number(order)
	slices.SortStableFunc(m.fieldMatches, func(a, b fieldMatch) int { return order[a.clause] - order[b.clause] })
}

// number numbers a clause and its descendants in evaluation order.
func (a *clause) number(order map[*clause]int) {
	order[a] = len(order)
	for _, child := range a.children {
		child.number(order)
	}
}

func (m *match) or(a *clause) *roaring.Bitmap {
	var sets []*roaring.Bitmap
	for _, child := range a.children {
		found := m.eval(child)
		if !child.scoreOnly && !found.IsEmpty() {
			sets = append(sets, found)
		}
	}
	switch len(sets) {
	case 0:
		return empty
	case 1:
		return sets[0]
	}
	return roaring.FastOr(sets...)
}

func (m *match) word(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	if a.op == opPrefix {
		f.withPrefix(a.text, 1, false, true)
		return f.finish()
	}
	self, known := f.direct()
	if m.visible == nil {
		a.documentFrequency += f.size()
	} else if !a.scoreOnly {
		direct := f.union.set()
		f.union = setBuilder{n: m.view.n, sets: []*roaring.Bitmap{direct}}
		keep(&a.direct, m, direct)
	}
	if a.byPrefix {
		f.withPrefix(a.text, weightPrefix, true, false)
	}
	if a.maxEdits > 0 {
		f.addEach(without(m.similar(a), self, known), weightFuzzy)
	}
	return f.finish()
}

// similar returns the words of the segment that match a word with typing errors. If some documents
// are hidden, the words are selected among those of all segments: which documents share a segment
// depends on hidden ones.
func (m *match) similar(a *clause) []uint32 {
	if m.visible == nil {
		if !m.charge(perFuzzyTerm * m.view.terms.words.len()) {
			return nil
		}
		return m.dictionary(a.fields.excluded).similar(m.ctx, a.text, a.maxEdits)
	}
	if !a.similarComputed {
		a.similarComputed = true
		var all []dictionary
		for _, p := range m.peers {
			if p.visible.IsEmpty() {
				continue
			}
			if !m.charge(perFuzzyTerm * p.view.terms.words.len()) {
				return nil
			}
			all = append(all, p.dictionary(a.fields.excluded))
		}
		a.similar = similarIn(m.ctx, all, a.text, a.maxEdits)
	}
	words := make([]uint32, 0, len(a.similar))
	for _, word := range a.similar {
		if i, ok := m.view.terms.find(word); ok {
			words = append(words, uint32(i))
		}
	}
	return words
}

// dictionary returns the words of the segment that are counted for the actor.
func (m *match) dictionary(excluded *excludedFields) dictionary {
	return dictionary{segment: m.view.segment, visible: m.visible, excluded: excluded}
}

// begins reports whether a word begins with the text of a clause. If some documents are hidden, it
// considers the words of visible documents in all segments: which documents share a segment depends
// on hidden ones.
func (m *match) begins(a *clause, text string, inSegment bool) bool {
	if m.visible == nil {
		return inSegment
	}
	if !a.beginsComputed {
		a.beginsComputed = true
		a.begins = slices.ContainsFunc(m.peers, func(p *match) bool {
			all := p.dictionary(nil)
			from, to := p.view.terms.withPrefix(text)
			for ; from < to && !cancelled(m.ctx, from); from++ {
				if all.has(from) {
					return true
				}
			}
			return false
		})
	}
	return a.begins
}

// beginningParts is the number of units into which the entries of a segment are divided, to round
// the cost of a prefix for an actor from whom documents are hidden.
const beginningParts = 1024

// beginningSteps returns the cost of a prefix that matches a number of entries. If documents are
// hidden, the cost is rounded up. Otherwise an actor could count hidden words with a prefix, using
// queries just below and just above the cost limit.
func (m *match) beginningSteps(entries int) int {
	if m.visible == nil {
		return entries
	}
	part := len(m.view.terms.fields)/beginningParts + 1
	return (entries/part + 1) * part
}

func without(words []uint32, word int, known bool) []uint32 {
	if !known {
		return words
	}
	for i, w := range words {
		if int(w) == word {
			return append(words[:i], words[i+1:]...)
		}
	}
	return words
}

// value finds documents by whole values, ignoring case, or by a prefix of values.
func (m *match) value(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	for i, use := range f.uses {
		if use == nil {
			continue
		}
		if m.view.names[i] == urnField {
			f.urn(i, a)
			continue
		}
		c := m.view.columns[i]
		if c.text == nil {
			continue
		}
		from, to := c.equalFold(a.text)
		if a.byPrefix {
			from, to = c.withPrefix(a.text)
		}
		f.valuesBut(i, c, from, to)
	}
	if len(a.fields.fields) > 0 {
		f.numbers(a)
	}
	return f.finish()
}

// valueRange finds values within a range: numbers by size, texts by their folded form.
func (m *match) valueRange(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	for _, name := range a.fields.fields {
		if c := m.view.column(name + numberSuffix); c != nil {
			f.numberRange(c, a)
		}
		i, ok := m.view.byName[name]
		if !ok || m.view.columns[i].text == nil || f.uses[i] == nil || name == urnField {
			continue
		}
		c := m.view.columns[i]
		from, to := 0, c.len()
		if a.query.Low != "" {
			low, high := c.equalFold(a.query.Low)
			if from = low; a.query.LowOpen {
				from = high
			}
		}
		if a.query.High != "" {
			low, high := c.equalFold(a.query.High)
			if to = high; a.query.HighOpen {
				to = low
			}
		}
		if a.query.Low == "" && a.query.High == "" {
			f.values(i, c, from, to) // for all values
			continue
		}
		f.valuesBut(i, c, from, to)
	}
	return f.finish()
}
