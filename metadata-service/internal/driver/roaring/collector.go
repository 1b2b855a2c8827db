package roaring

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

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
