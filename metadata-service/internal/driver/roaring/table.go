package roaring

import (
	"encoding/binary"
	"sort"
)

// A block holds several texts: the first is stored whole, each further one as the part that it does
// not share with the previous one. Long texts share little and are expensive to skip, so their
// blocks hold fewer texts.
const (
	shortBlock = 16
	longBlock  = 2
	longText   = 48 // average length in bytes
)

// blockFor returns the block size for n texts with a total number of bytes.
func blockFor(bytes, n int) int {
	if n > 0 && bytes/n >= longText {
		return longBlock
	}
	return shortBlock
}

// table stores sorted texts, front-coded. It does not depend on the sort order.
type table struct {
	data   []byte
	blocks []uint32 // offset of each block in data
	n      int
	size   int // texts per block
}

func (t *table) len() int { return t.n }

// at returns text i in buf, which grows as needed.
func (t *table) at(i int, buf []byte) []byte {
	c := t.block(i/t.size, buf)
	for range i%t.size + 1 {
		c.next()
	}
	return c.text
}

func (t *table) string(i int) string { return string(t.at(i, nil)) }

// search returns the index of the first text for which reached is true. reached must be false for
// all texts before it and true for all after it.
func (t *table) search(reached func(text []byte) bool) int {
	block := sort.Search(len(t.blocks), func(b int) bool {
		c := cursor{data: t.data[t.blocks[b]:]}
		return reached(c.head())
	}) - 1
	if block < 0 {
		return 0
	}
	c := t.block(block, nil)
	for i := block * t.size; i < min((block+1)*t.size, t.n); i++ {
		if c.next(); reached(c.text) {
			return i
		}
	}
	return min((block+1)*t.size, t.n)
}

// from returns a cursor before text i.
func (t *table) from(i int) *cursor {
	if i >= t.n {
		return &cursor{index: t.n - 1}
	}
	c := t.block(i/t.size, nil)
	c.index = i - i%t.size - 1
	for range i % t.size {
		c.next()
	}
	return &c
}

func (t *table) block(b int, buf []byte) cursor {
	return cursor{data: t.data[t.blocks[b]:], text: buf[:0], index: b*t.size - 1}
}

// cursor walks a table; text is valid until the next step.
type cursor struct {
	data  []byte
	text  []byte
	index int
}

// next advances and reports whether there is a text.
func (c *cursor) next() bool {
	if len(c.data) == 0 {
		return false
	}
	shared, a := binary.Uvarint(c.data)
	size, b := binary.Uvarint(c.data[a:])
	start := a + b
	c.text = append(c.text[:shared], c.data[start:start+int(size)]...)
	c.data = c.data[start+int(size):]
	c.index++
	return true
}

// head returns the first text of a block without a copy.
func (c *cursor) head() []byte {
	_, a := binary.Uvarint(c.data)
	size, b := binary.Uvarint(c.data[a:])
	return c.data[a+b : a+b+int(size)]
}

// tableWriter builds a table from texts given in order.
type tableWriter struct {
	table // size may be set before the first text
	last  []byte
}

// expect allocates space for a number of texts with their total bytes. Texts usually share some
// bytes, and take two bytes each for their lengths.
func (w *tableWriter) expect(texts, bytes int) {
	w.data = make([]byte, 0, bytes+2*texts)
	w.blocks = make([]uint32, 0, (texts+max(w.size, 1)-1)/max(w.size, 1))
}

func (w *tableWriter) add(text []byte) {
	shared := 0
	if w.size == 0 {
		w.size = shortBlock
	}
	if w.n%w.size == 0 {
		w.blocks = append(w.blocks, uint32(len(w.data)))
	} else {
		for shared < len(text) && shared < len(w.last) && text[shared] == w.last[shared] {
			shared++
		}
	}
	w.data = binary.AppendUvarint(w.data, uint64(shared))
	w.data = binary.AppendUvarint(w.data, uint64(len(text)-shared))
	w.data = append(w.data, text[shared:]...)
	w.last = append(w.last[:0], text...)
	w.n++
}

func (w *tableWriter) finish() *table {
	return &table{data: exact(w.data), blocks: exact(w.blocks), n: w.n, size: max(w.size, 1)}
}

// exact copies a slice that grew by doubling to its exact size, if the memory saved is worth the
// copy.
func exact[T any](s []T) []T {
	const worthwhile = 64
	if cap(s)-len(s) < worthwhile {
		return s
	}
	return append(make([]T, 0, len(s)), s...)
}
