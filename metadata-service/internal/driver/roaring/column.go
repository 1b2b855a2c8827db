package roaring

import (
	"bytes"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// column holds the values of one field in one segment, both ways: document to
// values and value to documents. Values are numbered in the order they sort by:
// texts folded and then by bytes, numbers by size.
//
// A column is dense, with a row for each document, or sparse, with rows for the
// documents in docs only. Places hold the number of a value plus one; zero is
// no value.
type column struct {
	text    *table    // values of a text field, else nil
	numbers []float64 // values of a number field
	docs    []uint32  // of the rows of a sparse column
	dense   bool
	offsets []uint32 // where each row begins in places; nil: row i is place i
	places  packedInts
	lists   postingsTable // documents by value
	ranks   []uint32      // of values in sort order, where some fold alike; else nil
	words   []uint8       // how many words a row has; nil for fields without words
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

// row is where a document's values are, false if it has none here.
func (c *column) row(doc uint32) (uint32, bool) {
	if c.dense {
		return doc, true
	}
	i, found := slices.BinarySearch(c.docs, doc)
	return uint32(i), found
}

// span gives the places of a document's values.
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

// value is the number of the value at a place that a span gave.
func (c *column) value(place uint32) uint32 { return c.places.at(place) - 1 }

// rank is the place of a value in sort order; values that fold alike share one.
func (c *column) rank(value uint32) uint32 {
	if c.ranks == nil {
		return value
	}
	return c.ranks[value]
}

// find gives the number of a text, false if no document has it.
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

// equalFold gives the values that are equal to a text but for case and accents.
func (c *column) equalFold(text string) (from, to int) {
	sought := analysis.Seek([]byte(text))
	from = c.text.search(func(have []byte) bool { return sought.Compare(have) >= 0 })
	for it := c.text.from(from); it.next() && sought.Compare(it.text) == 0; {
		to = it.index + 1
	}
	return from, max(from, to)
}

// withPrefix gives the values that begin with a text but for case and accents.
func (c *column) withPrefix(text string) (from, to int) {
	sought := analysis.Seek([]byte(text))
	from = c.text.search(func(have []byte) bool { return sought.Compare(have) >= 0 })
	to = c.text.search(func(have []byte) bool { return sought.Compare(have) >= 0 && !sought.Begins(have) })
	return from, max(from, to)
}

// columnWriter makes a column of values given in order with their documents.
type columnWriter struct {
	text    *tableWriter
	numbers []float64
	lists   postingsWriter
	ranks   []uint32    // nil until two values fold alike
	rows    *rowScratch // shared by the columns of a segment, one after the other
}

// rowScratch is what a column needs by document while it is written.
type rowScratch struct{ counts, next []uint32 }

// expect makes room for so many texts, with so many bytes and documents together, and
// chooses the blocks of the table.
func (w *columnWriter) expect(texts, bytes, docs int) {
	w.text.size = blockFor(bytes, texts)
	w.text.expect(texts, bytes)
	w.lists.expect(texts, docs)
}

func (w *columnWriter) addText(text []byte, docs []uint32) {
	n := w.text.n
	alike := n > 0 && analysis.CompareFolded(w.text.last, text) == 0
	if alike && w.ranks == nil {
		for i := range n {
			w.ranks = append(w.ranks, uint32(i))
		}
	}
	switch {
	case alike:
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

// finish fills the column of a segment of n documents; words counts the words by
// document and may be nil.
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

// fill derives the rows from the lists.
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

// layout chooses between dense and sparse, and between one and many values a row.
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

// starts fills docs, offsets and words of some rows, and gives in next the first place
// of each document.
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

// zeroed gives n zeros in a buffer, which is replaced when it is too small.
func zeroed(buffer *[]uint32, n int) []uint32 {
	if cap(*buffer) < n {
		*buffer = make([]uint32, n)
		return *buffer
	}
	list := (*buffer)[:n]
	clear(list)
	return list
}
