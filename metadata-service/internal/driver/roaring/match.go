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

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// match is what a query finds in one segment.
type match struct {
	ctx   context.Context // of the query, which the match does not outlive
	view  view
	x     *schemas
	set   *roaring.Bitmap // found
	parts []part          // what scores are made of
	quiet int             // above zero, parts are not kept
	work  *int            // steps of all segments so far
	found int             // size of set, while scores are given
	once  sync.Once
	rest  *roaring.Bitmap // see others
}

// Looking at terms and values one by one is what a query can spend time on. The
// work of one is bounded, in steps of about 20 ns: enough for two patterns over
// the names of a million documents, or for many beginnings of one letter.
const (
	maxWork    = 100_000_000
	perPattern = 20 // steps of comparing a term or value with a pattern
	perNear    = 10 // of comparing a term with a word that may have typing errors
	perText    = 50 // of looking for pieces in a row in a text
)

// step counts work and tells whether there may be more.
func (m *match) step(n int) bool {
	*m.work += n
	return *m.work <= maxWork
}

// part is a list of documents that match an ask in a field.
type part struct {
	ask    *ask
	field  int
	use    *use
	list   list
	weight float32
}

// eval gives the documents of the segment that an ask finds, deleted ones
// included. The set is shared: it is read, never changed.
func (m *match) eval(a *ask) *roaring.Bitmap {
	if m.ctx.Err() != nil {
		return empty
	}
	switch a.op {
	case opAll:
		return m.view.live()
	case opNone:
		return empty
	case opNot:
		m.quiet++
		defer func() { m.quiet-- }()
		return roaring.AndNot(m.view.live(), m.eval(a.children[0]))
	case opAnd:
		return m.and(a)
	case opOr:
		return m.or(a)
	case opPhrase:
		return m.phrase(a)
	case opLike:
		return m.like(a)
	case opRange:
		return m.span(a)
	case opValue:
		return m.value(a)
	}
	return m.word(a)
}

func (m *match) and(a *ask) *roaring.Bitmap {
	var set *roaring.Bitmap
	for _, child := range a.children {
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
			return set
		}
	}
	if set == nil {
		set = m.view.live()
	}
	for _, child := range a.children {
		if child.op == opNot {
			m.quiet++
			set = roaring.AndNot(set, m.eval(child.children[0]))
			m.quiet--
		}
	}
	return set
}

func (m *match) or(a *ask) *roaring.Bitmap {
	var sets []*roaring.Bitmap
	for _, child := range a.children {
		found := m.eval(child)
		if !child.bonus && !found.IsEmpty() {
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

// finding collects the documents of an ask by field.
type finding struct {
	m    *match
	ask  *ask
	uses []*use
	all  gather
}

func (m *match) find(a *ask) *finding {
	return &finding{m: m, ask: a, uses: m.view.usesFor(m.x, a.purpose), all: gather{n: m.view.n}}
}

// add takes documents of a field, if the ask looks there.
func (f *finding) add(field int, l list, weight float32) {
	use := f.uses[field]
	if use == nil {
		return
	}
	if use.exclude != nil {
		l = list{bits: roaring.AndNot(setOf(l), use.exclude)}
	}
	if !f.ask.bonus {
		f.all.add(l)
	}
	if f.m.quiet == 0 {
		f.m.parts = append(f.m.parts, part{f.ask, field, use, l, weight * f.ask.weight})
	}
}

// term takes all entries of a word.
func (f *finding) term(i int, weight float32) {
	t := f.m.view.terms
	for e := t.start[i]; e < t.start[i+1]; e++ {
		f.add(int(t.fields[e]), t.lists.at(int(e)), weight)
	}
}

// joined takes documents of several words as one list a field.
type joined struct {
	f        *finding
	fields   []*gather // by number
	prefixed bool      // only fields that are searched by how words begin
}

func (f *finding) join(prefixed bool) *joined {
	return &joined{f: f, fields: make([]*gather, len(f.uses)), prefixed: prefixed}
}

// words adds the entries of the words from (included) to (excluded).
func (j *joined) words(from, to int) {
	t := j.f.m.view.terms
	for e := t.start[from]; e < t.start[to] && !ended(j.f.m.ctx, int(e)); e++ {
		field := t.fields[e]
		use := j.f.uses[field]
		if use == nil || j.prefixed && !use.prefix {
			continue
		}
		g := j.fields[field]
		if g == nil {
			g = &gather{n: j.f.m.view.n}
			j.fields[field] = g
		}
		g.add(t.lists.at(int(e)))
	}
}

func (j *joined) done(weight float32) {
	for field, g := range j.fields {
		if g != nil {
			j.f.add(field, list{bits: g.set()}, weight)
		}
	}
}

// several takes words that lie scattered.
func (f *finding) several(words []uint32, weight float32) {
	j := f.join(false)
	for _, i := range words {
		j.words(int(i), int(i)+1)
	}
	j.done(weight)
}

// starting takes the words that begin with a text, but for the one that is it.
func (f *finding) starting(text string, weight float32, prefixed, itself bool) {
	from, to := f.m.view.terms.beginning(text)
	if from == to {
		// A beginning that no word has may be that of a compound typed without its parts.
		from, to = f.m.view.terms.beginning(compoundMark + text)
	}
	if from < to && !itself && string(f.m.view.terms.words.at(from, nil)) == text {
		from++
	}
	t := f.m.view.terms
	if !f.m.step(int(t.start[to] - t.start[from])) {
		return
	}
	j := f.join(prefixed)
	j.words(from, to)
	j.done(weight)
}

func (m *match) word(a *ask) *roaring.Bitmap {
	f := m.find(a)
	t := m.view.terms
	if a.op == opPrefix {
		f.starting(a.text, 1, false, true)
		return f.done()
	}
	self, known := t.find(a.text)
	if known {
		f.term(self, 1)
	}
	if compound, ok := t.find(compoundMark + a.text); ok && !a.bonus {
		f.term(compound, weightWhole)
	}
	if stem := analysis.Stem(a.text); !a.bonus {
		for _, i := range t.stemmed(stem) {
			if !known || int(i) != self {
				f.term(int(i), weightStem)
			}
		}
	}
	a.frequency += f.size()
	if a.beginning {
		f.starting(a.text, weightBegin, true, false)
	}
	if a.fuzz > 0 && m.step(perNear*t.words.len()) {
		f.several(without(t.near(m.ctx, a.text, a.fuzz), self, known), weightNear)
	}
	return f.done()
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

// size is about how many documents were found so far.
func (f *finding) size() int {
	n := len(f.all.few)
	for _, bits := range f.all.big {
		n = max(n, int(bits.GetCardinality()))
	}
	if f.all.bits != nil {
		n = max(n, manyDocs)
	}
	return n
}

func (f *finding) done() *roaring.Bitmap {
	set := f.all.set()
	f.ask.wide += int(set.GetCardinality())
	return set
}

// value finds whole values, ignoring case, or how they begin.
func (m *match) value(a *ask) *roaring.Bitmap {
	f := m.find(a)
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
		from, to := c.folded(a.text)
		if a.beginning {
			from, to = c.beginning(a.text)
		}
		f.values(i, c, from, to)
	}
	if len(a.purpose.fields) > 0 {
		f.numbers(a)
	}
	return f.done()
}

func (f *finding) values(field int, c *column, from, to int) {
	switch {
	case from >= to:
	case from+1 == to:
		f.add(field, c.lists.at(from), 1)
	case f.ask.bonus:
		// What only adds to scores need not become a set.
		f.add(field, list{few: c.lists.docs[c.lists.start[from]:c.lists.start[to]], mixed: true}, 1)
		for _, i := range slices.Sorted(maps.Keys(c.lists.big)) {
			if int(i) >= from && int(i) < to {
				f.add(field, c.lists.at(int(i)), 1)
			}
		}
	default:
		g := &gather{n: f.m.view.n}
		g.addAll(&c.lists, from, to)
		f.add(field, list{bits: g.set()}, 1)
	}
}

// urn finds entities by their URN, which the table of URNs holds.
func (f *finding) urn(field int, a *ask) {
	raw := strings.TrimSpace(a.raw)
	if !strings.HasPrefix(a.text, "urn:") {
		return
	}
	s := f.m.view.segment
	from := s.after(raw, true)
	to := from
	for it := s.urns.from(from); it.next() && bytes.HasPrefix(it.text, []byte(raw)) && (a.beginning || len(it.text) == len(raw)) && !ended(f.m.ctx, it.index); {
		to = it.index + 1
	}
	if from < to {
		set := roaring.New()
		set.AddRange(uint64(from), uint64(to))
		f.add(field, list{bits: set}, 1)
	}
}

// numbers finds documents by a number in a named field.
func (f *finding) numbers(a *ask) {
	n, ok := parseNumber(a.raw)
	if !ok || a.beginning {
		return
	}
	for _, name := range a.purpose.fields {
		if c := f.m.view.column(name + numberSuffix); c != nil {
			if i := sort.SearchFloat64s(c.numbers, n); i < c.len() && c.numbers[i] == n {
				f.all.add(c.lists.at(i))
			}
		}
	}
}

// phrase finds values in which pieces stand in a row: those that hold all of
// them, looked at one by one.
func (m *match) phrase(a *ask) *roaring.Bitmap {
	f := m.find(a)
	t := m.view.terms
	found := map[uint16]*roaring.Bitmap{}
	weak := 0
	only := !slices.ContainsFunc(a.pieces, func(piece string) bool { return !analysis.Weak(piece) })
	for n, piece := range a.pieces {
		if !only && analysis.Weak(piece) {
			weak++
			continue // not every field holds weak words
		}
		i, ok := t.find(piece)
		if !ok {
			return f.done()
		}
		here := map[uint16]*roaring.Bitmap{}
		for e := t.start[i]; e < t.start[i+1]; e++ {
			field := t.fields[e]
			if f.uses[field] == nil {
				continue
			}
			set := and(setOf(t.lists.at(int(e))), m.set)
			if before, ok := found[field]; ok {
				set = roaring.And(before, set)
			} else if n > weak {
				continue // a piece before is not in this field
			}
			if !set.IsEmpty() {
				here[field] = set
			}
		}
		found = here
	}
	for _, field := range slices.Sorted(maps.Keys(found)) {
		if !m.step(perText * int(found[field].GetCardinality())) {
			break
		}
		if rows := m.inARow(int(field), found[field], a.pieces); !rows.IsEmpty() {
			f.add(int(field), list{bits: rows}, 1)
		}
	}
	return f.done()
}

func (m *match) inARow(field int, set *roaring.Bitmap, pieces []string) *roaring.Bitmap {
	c := m.view.columns[field]
	urns := m.view.names[field] == urnField
	rows := roaring.New()
	// Where many documents share a value it is looked at once.
	var known map[uint32]bool
	if c.len()*2 < m.view.n {
		known = map[uint32]bool{}
	}
	row := newRow(pieces)
	var buf []byte
	holds := func(value uint32) bool {
		if has, seen := known[value]; seen {
			return has
		}
		buf = c.text.at(int(value), buf)
		has := row.in(buf)
		if known != nil {
			known[value] = has
		}
		return has
	}
	eachIn(m.ctx, set, func(docs []uint32) {
		for i, doc := range docs {
			if ended(m.ctx, i) {
				return
			}
			if urns {
				if buf = m.view.urns.at(int(doc), buf); row.in(buf) {
					rows.Add(doc)
				}
				continue
			}
			from, to := c.span(doc)
			for place := from; place < to; place++ {
				if holds(c.value(place)) {
					rows.Add(doc)
					break
				}
			}
		}
	})
	return rows
}

// like finds values, in named fields, or else words that look like a text with
// * and ?.
func (m *match) like(a *ask) *roaring.Bitmap {
	f := m.find(a)
	if !m.step(perPattern * m.view.terms.words.len()) {
		return f.done()
	}
	if len(a.purpose.fields) > 0 {
		for i, use := range f.uses {
			if use == nil || !m.step(perPattern*m.view.columns[i].len()) {
				continue
			}
			if m.view.names[i] == urnField {
				g := &gather{n: m.view.n}
				for it := m.view.urns.from(0); it.next() && !ended(m.ctx, it.index); {
					if looksLike(foldBytes(it.text), a.text) {
						g.addDocs([]uint32{uint32(it.index)})
					}
				}
				f.add(i, list{bits: g.set()}, 1)
				continue
			}
			if c := m.view.columns[i]; c.text != nil {
				g := &gather{n: m.view.n}
				for it := c.text.from(0); it.next() && !ended(m.ctx, it.index); {
					if looksLike(foldBytes(it.text), a.text) {
						g.add(c.lists.at(it.index))
					}
				}
				f.add(i, list{bits: g.set()}, 1)
			}
		}
		for _, name := range a.purpose.fields {
			if c := m.view.column(name + numberSuffix); c != nil && strings.Trim(a.text, "*") == "" {
				f.all.addAll(&c.lists, 0, c.len())
			}
		}
	}
	t := m.view.terms
	var words []uint32
	for it := t.words.from(t.behind(pairMark)); it.next() && !ended(m.ctx, it.index); {
		if looksLike(bytes.TrimPrefix(it.text, []byte(compoundMark)), a.text) {
			words = append(words, uint32(it.index))
		}
	}
	f.several(words, 1)
	return f.done()
}

// looksLike compares a text with a pattern in which * stands for any letters
// and ? for one. It goes back to the last star only, so it ends soon.
func looksLike(text []byte, pattern string) bool {
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

// span finds values from low to high: numbers as such, texts folded.
func (m *match) span(a *ask) *roaring.Bitmap {
	f := m.find(a)
	for _, name := range a.purpose.fields {
		if c := m.view.column(name + numberSuffix); c != nil {
			f.numberSpan(c, a)
		}
		i, ok := m.view.byName[name]
		if !ok || m.view.columns[i].text == nil || f.uses[i] == nil || name == urnField {
			continue
		}
		c := m.view.columns[i]
		from, to := 0, c.len()
		if a.query.Low != "" {
			low, high := c.folded(analysis.Fold(a.query.Low))
			if from = low; a.query.LowOpen {
				from = high
			}
		}
		if a.query.High != "" {
			low, high := c.folded(analysis.Fold(a.query.High))
			if to = high; a.query.HighOpen {
				to = low
			}
		}
		f.values(i, c, from, to)
	}
	return f.done()
}

func (f *finding) numberSpan(c *column, a *ask) {
	from, to := 0, c.len()
	if n, ok := parseNumber(a.query.Low); ok {
		from = sort.SearchFloat64s(c.numbers, n)
		if a.query.LowOpen && from < c.len() && c.numbers[from] == n {
			from++
		}
	} else if a.query.Low != "" {
		return
	}
	if n, ok := parseNumber(a.query.High); ok {
		to = sort.SearchFloat64s(c.numbers, n)
		if !a.query.HighOpen && to < c.len() && c.numbers[to] == n {
			to++
		}
	} else if a.query.High != "" {
		return
	}
	f.all.addAll(&c.lists, from, to)
}
