package roaring

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
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

// collector collects the documents of a clause by field.
type collector struct {
	m      *match
	clause *clause
	uses   []*fieldUse
	union  setBuilder
}

func (m *match) collect(a *clause) *collector {
	return &collector{m: m, clause: a, uses: m.view.fieldUses(m.x, a.fields), union: setBuilder{n: m.view.n}}
}

// add adds documents of a field, if the clause selects the field.
func (f *collector) add(field int, l postings, weight float32) {
	use := f.uses[field]
	if use == nil {
		return
	}
	f.m.reserved.take(f.m.ctx, l.steps())
	if use.exclude != nil {
		l = postings{set: roaring.AndNot(setOf(l), use.exclude)}
	}
	if !f.clause.scoreOnly {
		f.union.add(l)
	}
	if f.m.negations == 0 {
		f.m.fieldMatches = append(f.m.fieldMatches, fieldMatch{f.clause, field, use, l, weight * f.clause.weight})
	}
}

// direct adds the documents of the word itself, of its compound form, and of the words with its
// stem. It returns the number of the word, if the segment has it.
func (f *collector) direct() (self int, known bool) {
	a, t := f.clause, f.m.view.terms
	if self, known = t.find(a.text); known {
		f.term(self, 1)
	}
	if a.scoreOnly {
		return self, known
	}
	if compound, ok := t.find(compoundMark + a.text); ok {
		f.term(compound, weightCompound)
	}
	for _, i := range t.stemmed(analysis.Stem(a.text)) {
		if !known || int(i) != self {
			f.term(int(i), weightStem)
		}
	}
	return self, known
}

// term adds all entries of a word.
func (f *collector) term(i int, weight float32) {
	t := f.m.view.terms
	for e := t.start[i]; e < t.start[i+1]; e++ {
		f.add(int(t.fields[e]), t.lists.at(int(e)), weight)
	}
}

// fieldUnion joins the documents of several words into one set per field.
type fieldUnion struct {
	collector *collector
	fields    []*setBuilder // by number
	prefixed  bool          // only fields whose words are matched by prefix
}

func (f *collector) newFieldUnion(prefixed bool) *fieldUnion {
	return &fieldUnion{collector: f, fields: make([]*setBuilder, len(f.uses)), prefixed: prefixed}
}

// addWords adds the entries of the words from (included) to (excluded).
func (j *fieldUnion) addWords(from, to int) {
	t := j.collector.m.view.terms
	for e := t.start[from]; e < t.start[to] && !cancelled(j.collector.m.ctx, int(e)); e++ {
		field := t.fields[e]
		use := j.collector.uses[field]
		if use == nil || j.prefixed && !use.prefix {
			continue
		}
		g := j.fields[field]
		if g == nil {
			g = &setBuilder{n: j.collector.m.view.n}
			j.fields[field] = g
		}
		g.add(t.lists.at(int(e)))
	}
}

func (j *fieldUnion) finish(weight float32) {
	for field, g := range j.fields {
		if g == nil {
			continue
		}
		set := g.set()
		if use := j.collector.uses[field]; j.prefixed && use.notPrefixed != nil {
			set = roaring.AndNot(set, use.notPrefixed)
		}
		j.collector.add(field, postings{set: set}, weight)
	}
}

// addEach adds words that are not in one range.
func (f *collector) addEach(words []uint32, weight float32) {
	j := f.newFieldUnion(false)
	for _, i := range words {
		j.addWords(int(i), int(i)+1)
	}
	j.finish(weight)
}

// withPrefix adds the words that begin with a text, except the word equal to it unless itself is
// set.
func (f *collector) withPrefix(text string, weight float32, prefixed, itself bool) {
	t := f.m.view.terms
	from, to := t.withPrefix(text)
	more, end := 0, 0
	if !f.m.begins(f.clause, text, from < to) || f.clause.fields.excluded != nil {
		// A text that begins no word may begin a compound typed without separators. A word of an
		// excluded field must not change the result, so with excluded fields compounds are always
		// searched.
		more, end = t.withPrefix(compoundMark + text)
	}
	if from < to && !itself && string(t.words.at(from, nil)) == text {
		from++
	}
	if !f.m.charge(f.m.beginningSteps(int(t.start[to]-t.start[from]) + int(t.start[end]-t.start[more]))) {
		return
	}
	if !f.m.reserved.take(f.m.ctx, t.joinSteps(from, to)+t.joinSteps(more, end)) {
		return
	}
	j := f.newFieldUnion(prefixed)
	j.addWords(from, to)
	j.addWords(more, end)
	j.finish(weight)
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

// size returns the approximate number of documents found so far.
func (f *collector) size() int {
	n := len(f.union.docs)
	for _, bits := range f.union.sets {
		n = max(n, int(bits.GetCardinality()))
	}
	if f.union.dense != nil {
		n = max(n, maxSparseDocs)
	}
	return n
}

func (f *collector) finish() *roaring.Bitmap {
	set := f.union.set()
	if f.m.visible == nil {
		f.clause.expandedFrequency += int(set.GetCardinality())
	} else {
		keep(&f.clause.found, f.m, set)
	}
	return set
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

// valuesBut adds values except those that name entities and are compared only as a whole.
func (f *collector) valuesBut(field int, c *column, from, to int) {
	runs := runsWithout(f.m.view.naming(f.m.ctx, f.m.view.names[field], f.m.form(field)), from, to)
	if len(runs) <= 1 || f.clause.scoreOnly {
		for _, run := range runs {
			f.values(field, c, run.from, run.to)
		}
		return
	}
	g := &setBuilder{n: f.m.view.n}
	for _, run := range runs {
		if !f.m.reserved.take(f.m.ctx, c.lists.joinSteps(run.from, run.to)) {
			return
		}
		g.addAll(&c.lists, run.from, run.to)
	}
	f.add(field, postings{set: g.set()}, 1)
}

func (f *collector) values(field int, c *column, from, to int) {
	switch {
	case from >= to:
	case from+1 == to:
		f.add(field, c.lists.at(from), 1)
	case f.clause.scoreOnly:
		// A clause that only adds to scores needs no set.
		f.add(field, postings{docs: c.lists.docs[c.lists.start[from]:c.lists.start[to]], unsorted: true}, 1)
		for _, i := range slices.Sorted(maps.Keys(c.lists.sets)) {
			if int(i) >= from && int(i) < to {
				f.add(field, c.lists.at(int(i)), 1)
			}
		}
	default:
		if !f.m.reserved.take(f.m.ctx, c.lists.joinSteps(from, to)) {
			return
		}
		g := &setBuilder{n: f.m.view.n}
		g.addAll(&c.lists, from, to)
		f.add(field, postings{set: g.set()}, 1)
	}
}

// urn finds entities by their URN, in the table of URNs.
func (f *collector) urn(field int, a *clause) {
	raw := strings.TrimSpace(a.raw)
	if !strings.HasPrefix(a.text, "urn:") {
		return
	}
	s := f.m.view.segment
	from := s.seek(raw, true)
	to := from
	for it := s.urns.from(from); it.next() && bytes.HasPrefix(it.text, []byte(raw)) && (a.byPrefix || len(it.text) == len(raw)) && !cancelled(f.m.ctx, it.index); {
		to = it.index + 1
	}
	if from < to {
		set := roaring.New()
		set.AddRange(uint64(from), uint64(to))
		f.add(field, postings{set: set}, 1)
	}
}

// numbers finds documents by a number in a named field.
func (f *collector) numbers(a *clause) {
	n, ok := search.ParseNumber(a.raw)
	if !ok || a.byPrefix {
		return
	}
	for _, name := range a.fields.fields {
		if c := f.m.view.column(name + numberSuffix); c != nil {
			if i := sort.SearchFloat64s(c.numbers, n); i < c.len() && c.numbers[i] == n {
				f.union.add(c.lists.at(i))
			}
		}
	}
}

// phrase finds values with consecutive pieces: it reads the values that contain all of them one by
// one. A last piece that may be a prefix is looked up only in these values.
func (m *match) phrase(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	t := m.view.terms
	found := map[uint16]*roaring.Bitmap{}
	whole := a.pieces
	if a.byPrefix {
		whole = whole[:len(whole)-1]
	}
	only := !slices.ContainsFunc(whole, func(piece string) bool { return !analysis.IsStopWord(piece) })
	searched := 0
	for _, piece := range distinct(whole) {
		if !only && analysis.IsStopWord(piece) {
			continue // not every field contains stop words
		}
		searched++
		i, ok := t.find(piece)
		if !ok {
			return f.finish()
		}
		inFields := map[uint16]*roaring.Bitmap{}
		for e := t.start[i]; e < t.start[i+1]; e++ {
			field := t.fields[e]
			if f.uses[field] == nil {
				continue
			}
			before, known := found[field]
			if !known {
				if searched > 1 {
					continue // an earlier piece is not in this field
				}
				before = m.set
			}
			l := t.lists.at(int(e))
			if !m.reserved.take(m.ctx, perClause/2+l.len()/perAndDoc) {
				return f.finish()
			}
			if set := and(before, setOf(l)); !set.IsEmpty() {
				inFields[field] = set
			}
		}
		found = inFields
	}
	for _, field := range slices.Sorted(maps.Keys(found)) {
		if !m.charge(perPhraseText * int(found[field].GetCardinality())) {
			break
		}
		if rows := m.phraseIn(int(field), found[field], a); !rows.IsEmpty() {
			f.add(int(field), postings{set: rows}, 1)
		}
	}
	return f.finish()
}

// distinct returns the pieces of a phrase in order, without duplicates.
func distinct(pieces []string) []string {
	seen := make(map[string]bool, len(pieces))
	out := make([]string, 0, len(pieces))
	for _, piece := range pieces {
		if !seen[piece] {
			seen[piece] = true
			out = append(out, piece)
		}
	}
	return out
}

func (m *match) phraseIn(field int, set *roaring.Bitmap, a *clause) *roaring.Bitmap {
	c := m.view.columns[field]
	urns := m.view.names[field] == urnField
	found := roaring.New()
	// If many documents share a value, it is read once.
	var results map[uint32]bool
	if c.len()*2 < m.view.n {
		results = map[uint32]bool{}
	}
	phrase, form := newPhraseMatcher(a), m.form(field)
	var buf []byte
	holds := func(value uint32) bool {
		if has, seen := results[value]; seen {
			return has
		}
		buf = c.text.at(int(value), buf)
		has := phrase.matches(buf) && !form.names(buf)
		if results != nil {
			results[value] = has
		}
		return has
	}
	eachRunUntil(m.ctx, set, func(docs []uint32) {
		for i, doc := range docs {
			if cancelled(m.ctx, i) {
				return
			}
			if urns {
				if buf = m.view.urns.at(int(doc), buf); phrase.matches(buf) {
					found.Add(doc)
				}
				continue
			}
			from, to := c.span(doc)
			for place := from; place < to; place++ {
				if holds(c.value(place)) {
					found.Add(doc)
					break
				}
			}
		}
	})
	return found
}

// pattern finds values in named fields, or else words, that match a text with * and ? or a regular
// expression.
func (m *match) pattern(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	if !m.charge(a.patternSteps(m.view.terms.words)) {
		return f.finish()
	}
	if len(a.fields.fields) > 0 {
		for i, use := range f.uses {
			if use == nil || !m.charge(a.patternSteps(m.compared(i))) {
				continue
			}
			if m.view.names[i] == urnField {
				g := &setBuilder{n: m.view.n}
				for it := m.view.urns.from(0); it.next() && !cancelled(m.ctx, it.index); {
					if a.looksLike(foldBytes(it.text)) {
						g.addDocs([]uint32{uint32(it.index)})
					}
				}
				f.add(i, postings{set: g.set()}, 1)
				continue
			}
			if c := m.view.columns[i]; c.text != nil {
				g, form := &setBuilder{n: m.view.n}, m.form(i)
				if a.isAnything() {
					form = inParts // for all values
				}
				for it := c.text.from(0); it.next() && !cancelled(m.ctx, it.index); {
					if a.looksLike(foldBytes(it.text)) && !form.names(it.text) {
						g.add(c.lists.at(it.index))
					}
				}
				f.add(i, postings{set: g.set()}, 1)
			}
		}
		for _, name := range a.fields.fields {
			if c := m.view.column(name + numberSuffix); c != nil && a.isAnything() {
				f.union.addAll(&c.lists, 0, c.len())
			}
		}
	}
	t := m.view.terms
	var words []uint32
	for it := t.words.from(t.afterMark(pairMark)); it.next() && !cancelled(m.ctx, it.index); {
		if a.looksLike(bytes.TrimPrefix(it.text, []byte(compoundMark))) {
			words = append(words, uint32(it.index))
		}
	}
	f.addEach(words, 1)
	return f.finish()
}

// compared returns the table of the values of a column.
func (m *match) compared(column int) *table {
	if m.view.names[column] == urnField {
		return m.view.urns
	}
	if c := m.view.columns[column]; c.text != nil {
		return c.text
	}
	return &table{}
}

// bytesPerStep is the number of bytes that one instruction of a regular expression reads per step.
const bytesPerStep = 4

// patternSteps returns the cost of comparing all texts of a table.
func (a *clause) patternSteps(t *table) int {
	steps := perPattern * t.len()
	if a.regexp != nil {
		steps += len(t.data) / bytesPerStep * a.query.Program
	}
	return steps
}

// isAnything reports whether the pattern matches every value.
func (a *clause) isAnything() bool { return a.regexp == nil && strings.Trim(a.text, "*") == "" }

// looksLike reports whether a folded text matches the pattern.
func (a *clause) looksLike(text []byte) bool {
	if a.regexp != nil {
		return a.regexp.Match(text)
	}
	return matchesPattern(text, a.text)
}

// matchesPattern reports whether a text matches a pattern in which * stands for any letters and ?
// for one. It backtracks to the last star only, which bounds its run time.
func matchesPattern(text []byte, pattern string) bool {
	t, p, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
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

func (f *collector) numberRange(c *column, a *clause) {
	from, to := 0, c.len()
	if n, ok := search.ParseNumber(a.query.Low); ok {
		from = sort.SearchFloat64s(c.numbers, n)
		if a.query.LowOpen && from < c.len() && c.numbers[from] == n {
			from++
		}
	} else if a.query.Low != "" {
		return
	}
	if n, ok := search.ParseNumber(a.query.High); ok {
		to = sort.SearchFloat64s(c.numbers, n)
		if !a.query.HighOpen && to < c.len() && c.numbers[to] == n {
			to++
		}
	} else if a.query.High != "" {
		return
	}
	if from < to && f.m.reserved.take(f.m.ctx, c.lists.joinSteps(from, to)) {
		f.union.addAll(&c.lists, from, to)
	}
}
