package roaring

import (
	"encoding/binary"
	"errors"
	"sort"
)

// blockSize is how many texts share a block: the first is stored whole, each
// further one as what it does not share with the one before it.
const blockSize = 16

// table holds sorted texts, front-coded. It does not know by which order.
type table struct {
	data   []byte
	blocks []uint32 // place of each block in data
	n      int
}

func (t *table) len() int { return t.n }

// at gives text i in buf, which is grown as needed.
func (t *table) at(i int, buf []byte) []byte {
	c := t.block(i/blockSize, buf)
	for range i%blockSize + 1 {
		c.next()
	}
	return c.text
}

func (t *table) string(i int) string { return string(t.at(i, nil)) }

// search finds the first text for which reached is true; reached must be false
// for all before and true for all after it.
func (t *table) search(reached func(text []byte) bool) int {
	block := sort.Search(len(t.blocks), func(b int) bool {
		c := cursor{data: t.data[t.blocks[b]:]}
		return reached(c.head())
	}) - 1
	if block < 0 {
		return 0
	}
	c := t.block(block, nil)
	for i := block * blockSize; i < min((block+1)*blockSize, t.n); i++ {
		if c.next(); reached(c.text) {
			return i
		}
	}
	return min((block+1)*blockSize, t.n)
}

// from walks the texts from i on.
func (t *table) from(i int) *cursor {
	if i >= t.n {
		return &cursor{index: t.n - 1}
	}
	c := t.block(i/blockSize, nil)
	c.index = i - i%blockSize - 1
	for range i % blockSize {
		c.next()
	}
	return &c
}

func (t *table) block(b int, buf []byte) cursor {
	return cursor{data: t.data[t.blocks[b]:], text: buf[:0], index: b*blockSize - 1}
}

// cursor walks a table; text is valid until the next step.
type cursor struct {
	data  []byte
	text  []byte
	index int
}

// next steps on and tells whether there is a text.
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

// head is the first text of a block, without a copy.
func (c *cursor) head() []byte {
	_, a := binary.Uvarint(c.data)
	size, b := binary.Uvarint(c.data[a:])
	return c.data[a+b : a+b+int(size)]
}

var errTable = errors.New("texts are damaged")

// check walks a table from outside, so that later walks cannot fail.
func (t *table) check() error {
	if len(t.blocks) != (t.n+blockSize-1)/blockSize {
		return errTable
	}
	at, last := 0, 0
	for i := range t.n {
		if i%blockSize == 0 {
			if int(t.blocks[i/blockSize]) != at {
				return errTable
			}
			last = 0
		}
		shared, a := binary.Uvarint(t.data[at:])
		if a <= 0 || shared > uint64(last) {
			return errTable
		}
		size, b := binary.Uvarint(t.data[at+a:])
		if b <= 0 || size > uint64(len(t.data)-at-a-b) {
			return errTable
		}
		last = int(shared) + int(size)
		at += a + b + int(size)
	}
	if at != len(t.data) {
		return errTable
	}
	return nil
}

// tableWriter makes a table of texts given in order.
type tableWriter struct {
	table
	last []byte
}

func (w *tableWriter) add(text []byte) {
	shared := 0
	if w.n%blockSize == 0 {
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
	return &table{data: exact(w.data), blocks: exact(w.blocks), n: w.n}
}

// exact copies a slice that grew by doubling into one of its size.
func exact[T any](s []T) []T {
	if len(s) == cap(s) {
		return s
	}
	return append(make([]T, 0, len(s)), s...)
}
