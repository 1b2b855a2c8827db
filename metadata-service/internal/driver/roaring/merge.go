package roaring

import (
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// notKept is the new number of a document that the merge drops.
const notKept = ^uint32(0)

// merger merges the live documents of several segments into one segment.
type merger struct {
	from    []*segment
	n       int
	numbers [][]uint32 // new number of each old document
	urns    tableWriter
	table   tableWriter // for one column after the other
	rows    rowScratch
	prints  []uint64
	scratch []uint32
}

// merge returns the new segment, and the new numbers of the old documents.
func merge(from []*segment, deleted []*roaring.Bitmap) (*segment, [][]uint32) {
	m := &merger{from: from}
	m.number(deleted)
	s := &segment{n: m.n, urns: m.urns.finish(), fingerprints: exact(m.prints)}
	var kept map[string]int
	s.names, kept = m.fieldNames()
	for _, name := range s.names {
		s.columns = append(s.columns, m.column(name))
	}
	s.terms = m.terms(kept)
	s.nameFields()
	return s, m.numbers
}

// number numbers the live documents of all segments in the order of their URNs.
func (m *merger) number(deleted []*roaring.Bitmap) {
	cursors := make([]*cursor, len(m.from))
	for i, s := range m.from {
		m.numbers = append(m.numbers, make([]uint32, s.n))
		cursors[i] = s.urns.from(0)
	}
	queue := newMergeQueue(cursors, func(a, b []byte) int { return slices.Compare(a, b) })
	for {
		least := queue.least()
		if len(least) == 0 {
			return
		}
		for _, i := range least {
			doc := cursors[i].index
			if deleted[i] != nil && deleted[i].Contains(uint32(doc)) {
				m.numbers[i][doc] = notKept
				continue
			}
			m.numbers[i][doc] = uint32(m.n)
			m.urns.add(cursors[i].text)
			m.prints = append(m.prints, m.from[i].fingerprints[doc])
			m.n++
		}
		queue.step()
	}
}

func (m *merger) fieldNames() ([]string, map[string]int) {
	set := map[string]int{}
	for _, s := range m.from {
		for _, name := range s.names {
			set[name] = 0
		}
	}
	names := slices.Sorted(maps.Keys(set))
	for i, name := range names {
		set[name] = i
	}
	return names, set
}

// collect appends the new numbers of postings to the scratch buffer.
func (m *merger) collect(source int, l postings) {
	numbers := m.numbers[source]
	l.each(func(docs []uint32) {
		for _, doc := range docs {
			if to := numbers[doc]; to != notKept {
				m.scratch = append(m.scratch, to)
			}
		}
	})
}

// collected returns the scratch buffer, sorted if it holds documents of several sources.
func (m *merger) collected(sources int) []uint32 {
	if sources > 1 && !slices.IsSorted(m.scratch) {
		slices.Sort(m.scratch)
	}
	return m.scratch
}

func (m *merger) column(name string) *column {
	var columns []*column
	var sources []int
	var words []uint8
	for i, s := range m.from {
		c := s.column(name)
		if c == nil {
			continue
		}
		columns, sources = append(columns, c), append(sources, i)
		if c.words != nil && words == nil {
			words = make([]uint8, m.n)
		}
		m.wordCounts(i, c, words)
	}
	w := &columnWriter{rows: &m.rows}
	if columns[0].text == nil {
		m.numberValues(w, columns, sources)
	} else {
		m.table = tableWriter{last: m.table.last[:0]}
		w.text = &m.table
		bytes, n := 0, 0
		for _, c := range columns {
			bytes, n = bytes+len(c.text.data), n+c.text.n
		}
		w.text.size = blockFor(bytes, n)
		m.textValues(w, columns, sources)
	}
	c := &column{}
	w.finish(c, m.n, words)
	return c
}

func (m *merger) wordCounts(source int, c *column, words []uint8) {
	for row, count := range c.words {
		doc := uint32(row)
		if !c.dense {
			doc = c.docs[row]
		}
		if to := m.numbers[source][doc]; to != notKept {
			words[to] = count
		}
	}
}

func (m *merger) textValues(w *columnWriter, columns []*column, sources []int) {
	cursors := make([]*cursor, len(columns))
	for i, c := range columns {
		cursors[i] = c.text.from(0)
	}
	queue := newMergeQueue(cursors, compareValues)
	for {
		least := queue.least()
		if len(least) == 0 {
			return
		}
		m.scratch = m.scratch[:0]
		for _, i := range least {
			m.collect(sources[i], columns[i].lists.at(cursors[i].index))
		}
		if docs := m.collected(len(least)); len(docs) > 0 {
			w.addText(cursors[least[0]].text, docs)
		}
		queue.step()
	}
}

func (m *merger) numberValues(w *columnWriter, columns []*column, sources []int) {
	next := make([]int, len(columns))
	for {
		var least []int
		for i, c := range columns {
			if next[i] >= len(c.numbers) {
				continue
			}
			if len(least) > 0 && c.numbers[next[i]] < columns[least[0]].numbers[next[least[0]]] {
				least = least[:0]
			}
			if len(least) == 0 || c.numbers[next[i]] == columns[least[0]].numbers[next[least[0]]] {
				least = append(least, i)
			}
		}
		if len(least) == 0 {
			return
		}
		m.scratch = m.scratch[:0]
		number := columns[least[0]].numbers[next[least[0]]]
		for _, i := range least {
			m.collect(sources[i], columns[i].lists.at(next[i]))
			next[i]++
		}
		if docs := m.collected(len(least)); len(docs) > 0 {
			w.addNumber(number, docs)
		}
	}
}

// termEntry is one entry of a term in one of the segments.
type termEntry struct {
	field         int
	source, entry int
}

func (m *merger) terms(kept map[string]int) *terms {
	cursors := make([]*cursor, len(m.from))
	fields := make([][]int, len(m.from))
	for i, s := range m.from {
		cursors[i] = s.terms.words.from(0)
		for _, name := range s.names {
			fields[i] = append(fields[i], kept[name])
		}
	}
	queue := newMergeQueue(cursors, func(a, b []byte) int { return slices.Compare(a, b) })
	var w termWriter
	var entries []termEntry
	for {
		least := queue.least()
		if len(least) == 0 {
			return w.finish()
		}
		entries = entries[:0]
		for _, i := range least {
			t := m.from[i].terms
			for e := t.start[cursors[i].index]; e < t.start[cursors[i].index+1]; e++ {
				entries = append(entries, termEntry{fields[i][t.fields[e]], i, int(e)})
			}
		}
		if len(least) > 1 {
			slices.SortStableFunc(entries, func(a, b termEntry) int { return a.field - b.field })
		}
		m.term(&w, cursors[least[0]].text, entries)
		queue.step()
	}
}

func (m *merger) term(w *termWriter, word []byte, entries []termEntry) {
	written := false
	for i := 0; i < len(entries); {
		m.scratch = m.scratch[:0]
		j := i
		for ; j < len(entries) && entries[j].field == entries[i].field; j++ {
			m.collect(entries[j].source, m.from[entries[j].source].terms.lists.at(entries[j].entry))
		}
		if docs := m.collected(j - i); len(docs) > 0 {
			if !written {
				w.word(word)
				written = true
			}
			w.entry(uint16(entries[i].field), docs)
		}
		i = j
	}
}

// mergeQueue walks several sorted cursors as one.
type mergeQueue struct {
	cursors []*cursor
	open    []bool
	compare func(a, b []byte) int
	lowest  []int
}

func newMergeQueue(cursors []*cursor, compare func(a, b []byte) int) *mergeQueue {
	q := &mergeQueue{cursors: cursors, open: make([]bool, len(cursors)), compare: compare}
	for i, c := range cursors {
		q.open[i] = c.next()
	}
	return q
}

// least returns the cursors that are at the least text, or none at the end.
func (q *mergeQueue) least() []int {
	q.lowest = q.lowest[:0]
	for i, c := range q.cursors {
		if !q.open[i] {
			continue
		}
		order := 0
		if len(q.lowest) > 0 {
			order = q.compare(c.text, q.cursors[q.lowest[0]].text)
		}
		if order < 0 {
			q.lowest = q.lowest[:0]
		}
		if order <= 0 {
			q.lowest = append(q.lowest, i)
		}
	}
	return q.lowest
}

// step advances the cursors that least returned.
func (q *mergeQueue) step() {
	for _, i := range q.lowest {
		q.open[i] = q.cursors[i].next()
	}
}
