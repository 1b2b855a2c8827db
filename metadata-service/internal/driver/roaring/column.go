package roaring

import (
	"bytes"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// column maps the documents of a segment to their values of one field and back. Values are numbered
// in sort order: texts by their folded form and then by bytes, numbers by size.
//
// A column is dense, with a row for each document, or sparse, with rows only for the documents in
// docs. Places hold the number of a value plus one; zero means no value.
type column struct {
	text    *table    // values of a text field, otherwise nil
	numbers []float64 // values of a number field
	docs    []uint32  // documents of the rows of a sparse column
	dense   bool
	offsets []uint32 // start of each row in places; nil: row i is place i
	places  packedInts
	lists   postingsTable // documents by value
	ranks   []uint32      // values by sort position if some have equal folded forms, otherwise nil
	words   []uint8       // number of words in each row; nil for fields without words
}

func compareValues(a, b []byte) int {
	if order := analysis.CompareFolded(a, b); order != 0 {
		return order
	}
	return bytes.Compare(a, b)
}

func (c *column) len() int {
	if c.text != nil {
		return c.text.len()
	}
	return len(c.numbers)
}

// row returns the row of a document, or false if the document has none in this column.
func (c *column) row(doc uint32) (uint32, bool) {
	if c.dense {
		return doc, true
	}
	i, found := slices.BinarySearch(c.docs, doc)
	return uint32(i), found
}

// span returns the range of places of a document's values.
func (c *column) span(doc uint32) (from, to uint32) {
	row, ok := c.row(doc)
	switch {
	case !ok:
		return 0, 0
	case c.offsets != nil:
		return c.offsets[row], c.offsets[row+1]
	case c.places.at(row) == 0:
		return 0, 0
	}
	return row, row + 1
}

// value returns the number of the value at a place within a span.
func (c *column) value(place uint32) uint32 { return c.places.at(place) - 1 }

// rank returns the sort position of a value; values with equal folded forms share one.
func (c *column) rank(value uint32) uint32 {
	if c.ranks == nil {
		return value
	}
	return c.ranks[value]
}

// find returns the number of a text, or false if no document has it.
func (c *column) find(text string) (int, bool) {
	if c.text == nil {
		return 0, false
	}
	want := []byte(text)
	sought := analysis.Seek(want)
	i := c.text.search(func(have []byte) bool {
		order := sought.Compare(have)
		if order == 0 {
			order = bytes.Compare(have, want)
		}
		return order >= 0
	})
	return i, i < c.text.len() && string(c.text.at(i, nil)) == text
}

// equalFold returns the range of values that equal a text when case and accents are ignored.
func (c *column) equalFold(text string) (from, to int) {
	sought := analysis.Seek([]byte(text))
	from = c.text.search(func(have []byte) bool { return sought.Compare(have) >= 0 })
	for it := c.text.from(from); it.next() && sought.Compare(it.text) == 0; {
		to = it.index + 1
	}
	return from, max(from, to)
}

// withPrefix returns the range of values that begin with a text when case and accents are ignored.
func (c *column) withPrefix(text string) (from, to int) {
	sought := analysis.Seek([]byte(text))
	from = c.text.search(func(have []byte) bool { return sought.Compare(have) >= 0 })
	to = c.text.search(func(have []byte) bool { return sought.Compare(have) >= 0 && !sought.Begins(have) })
	return from, max(from, to)
}

// columnWriter builds a column from values that are given in order, each with its documents.
type columnWriter struct {
	text    *tableWriter
	numbers []float64
	lists   postingsWriter
	ranks   []uint32    // nil until two values have equal folded forms
	rows    *rowScratch // shared by the columns of a segment, one after the other
}

// rowScratch holds per-document buffers that a column needs while it is written.
type rowScratch struct{ counts, next []uint32 }

// expect allocates space for a number of texts with their total bytes and documents, and selects
// the block size of the table.
func (w *columnWriter) expect(texts, bytes, docs int) {
	w.text.size = blockFor(bytes, texts)
	w.text.expect(texts, bytes)
	w.lists.expect(texts, docs)
}

func (w *columnWriter) addText(text []byte, docs []uint32) {
	n := w.text.n
	sameAsLast := n > 0 && analysis.CompareFolded(w.text.last, text) == 0
	if sameAsLast && w.ranks == nil {
		for i := range n {
			w.ranks = append(w.ranks, uint32(i))
		}
	}
	switch {
	case sameAsLast:
		w.ranks = append(w.ranks, w.ranks[n-1])
	case w.ranks != nil:
		w.ranks = append(w.ranks, uint32(n))
	}
	w.text.add(text)
	w.lists.add(docs)
}

func (w *columnWriter) addNumber(number float64, docs []uint32) {
	w.numbers = append(w.numbers, number)
	w.lists.add(docs)
}

// finish completes the column of a segment of n documents. words is the number of words by document
// and may be nil.
func (w *columnWriter) finish(c *column, n int, words []uint8) {
	c.lists = w.lists.finish()
	if w.text != nil {
		c.text = w.text.finish()
	} else {
		c.numbers = exact(w.numbers)
	}
	c.ranks = exact(w.ranks)
	c.fill(n, words, w.rows)
}

// fill computes the rows from the postings lists.
func (c *column) fill(n int, words []uint8, scratch *rowScratch) {
	counts := zeroed(&scratch.counts, n)
	for i := range c.len() {
		c.lists.at(i).each(func(docs []uint32) {
			for _, doc := range docs {
				counts[doc]++
			}
		})
	}
	rows, total, single := c.layout(counts, words)
	if !single {
		c.offsets = make([]uint32, rows+1)
	}
	size := total
	if single {
		size = rows
	}
	c.places = newPackedInts(size, c.len())
	next := c.starts(counts, words, rows, zeroed(&scratch.next, n))
	for i := range c.len() {
		c.lists.at(i).each(func(docs []uint32) {
			for _, doc := range docs {
				c.places.set(next[doc], uint32(i)+1)
				next[doc]++
			}
		})
	}
}

// layout decides between a dense and a sparse column, and between one and several values per row.
func (c *column) layout(counts []uint32, words []uint8) (rows, total int, single bool) {
	single = true
	for doc, count := range counts {
		if count > 0 || words != nil && words[doc] > 0 {
			rows++
		}
		single = single && count < 2
		total += int(count)
	}
	if c.dense = rows*4 >= len(counts); c.dense {
		rows = len(counts)
	} else {
		c.docs = make([]uint32, 0, rows)
	}
	return rows, total, single
}

// starts fills docs, offsets and words, and stores the first place of each document in next.
func (c *column) starts(counts []uint32, words []uint8, rows int, next []uint32) []uint32 {
	if words != nil {
		c.words = make([]uint8, 0, rows)
	}
	row, place := uint32(0), uint32(0)
	for doc, count := range counts {
		if !c.dense && count == 0 && (words == nil || words[doc] == 0) {
			continue
		}
		if !c.dense {
			c.docs = append(c.docs, uint32(doc))
		}
		if words != nil {
			c.words = append(c.words, words[doc])
		}
		next[doc] = row
		if c.offsets != nil {
			c.offsets[row], next[doc] = place, place
		}
		row++
		place += count
	}
	if c.offsets != nil {
		c.offsets[row] = place
	}
	return next
}

// zeroed returns n zeros in a buffer, and replaces the buffer when it is too small.
func zeroed(buffer *[]uint32, n int) []uint32 {
	if cap(*buffer) < n {
		*buffer = make([]uint32, n)
		return *buffer
	}
	list := (*buffer)[:n]
	clear(list)
	return list
}
