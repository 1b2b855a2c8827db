package roaring

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"unsafe"

	"github.com/RoaringBitmap/roaring/v2"
)

// A segment file is a magic text, the parts of the segment as a sequence of numbers and blocks, and
// a CRC-32C of all bytes before it. A block is its length in bytes and its content, which starts at
// a multiple of eight bytes so that numbers can be read in place. All numbers are little-endian.
const segmentMagic = "CTLYSEG2"

const blockAlign = 8

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errDamaged = errors.New("is damaged")
)

// encoder writes a segment.
type encoder struct{ b []byte }

func (e *encoder) number(n uint64) { e.b = binary.LittleEndian.AppendUint64(e.b, n) }

func (e *encoder) block(content []byte) {
	e.number(uint64(len(content)))
	e.b = append(e.b, content...)
	for len(e.b)%blockAlign != 0 {
		e.b = append(e.b, 0)
	}
}

// numbers writes a slice of numbers as a block.
func numbers[T number](e *encoder, list []T) {
	size := int(unsafe.Sizeof(*new(T)))
	e.number(uint64(len(list) * size))
	for _, n := range list {
		switch v := any(n).(type) {
		case uint8:
			e.b = append(e.b, v)
		case uint16:
			e.b = binary.LittleEndian.AppendUint16(e.b, v)
		case uint32:
			e.b = binary.LittleEndian.AppendUint32(e.b, v)
		case uint64:
			e.b = binary.LittleEndian.AppendUint64(e.b, v)
		case float64:
			e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v))
		}
	}
	for len(e.b)%blockAlign != 0 {
		e.b = append(e.b, 0)
	}
}

type number interface {
	uint8 | uint16 | uint32 | uint64 | float64
}

func (e *encoder) table(t *table) {
	e.number(uint64(t.n))
	e.number(uint64(t.size))
	e.block(t.data)
	numbers(e, t.blocks)
}

func (e *encoder) lists(l *postingsTable) {
	numbers(e, l.start)
	numbers(e, l.docs)
	e.number(uint64(len(l.sets)))
	for i := range len(l.start) - 1 {
		if bits := l.sets[uint32(i)]; bits != nil {
			e.number(uint64(i))
			e.bitmap(bits)
		}
	}
}

func (e *encoder) bitmap(set *roaring.Bitmap) {
	content, err := set.ToBytes()
	if err != nil {
		panic(err) // writing into memory cannot fail
	}
	e.block(content)
}

func (e *encoder) column(c *column) {
	kind := uint64(0)
	if c.text != nil {
		kind = 1
	}
	if c.dense {
		kind |= 2
	}
	if c.offsets != nil {
		kind |= 4
	}
	e.number(kind)
	if c.text != nil {
		e.table(c.text)
	} else {
		numbers(e, c.numbers)
	}
	numbers(e, c.docs)
	numbers(e, c.offsets)
	numbers(e, c.places.bytes)
	numbers(e, c.places.halves)
	numbers(e, c.places.words)
	e.lists(&c.lists)
	numbers(e, c.ranks)
	numbers(e, c.words)
}

func encodeSegment(s *segment) []byte {
	e := &encoder{b: []byte(segmentMagic)}
	e.number(s.id)
	e.number(uint64(s.n))
	e.table(s.urns)
	numbers(e, s.fingerprints)
	e.number(uint64(len(s.names)))
	for i, name := range s.names {
		e.block([]byte(name))
		e.column(s.columns[i])
	}
	t := s.terms
	e.table(t.words)
	numbers(e, t.start)
	numbers(e, t.fields)
	e.lists(&t.lists)
	e.table(t.stems)
	numbers(e, t.stemStart)
	numbers(e, t.stemWords)
	return binary.LittleEndian.AppendUint64(e.b, uint64(crc32.Checksum(e.b, castagnoli)))
}

// decoder reads the output of an encoder and keeps the first error in err.
type decoder struct {
	b   []byte
	at  int
	err error
}

func (d *decoder) number() uint64 {
	if d.err != nil || len(d.b)-d.at < blockAlign {
		d.err = errDamaged
		return 0
	}
	n := binary.LittleEndian.Uint64(d.b[d.at:])
	d.at += blockAlign
	return n
}

// count reads the number of items that occupy at least size bytes each.
func (d *decoder) count(size int) int {
	n := d.number()
	if n > uint64(len(d.b)/size) {
		d.err = errDamaged
		return 0
	}
	return int(n)
}

func (d *decoder) block() []byte {
	n := d.count(1)
	if d.err != nil || n > len(d.b)-d.at {
		d.err = errDamaged
		return nil
	}
	content := d.b[d.at : d.at+n : d.at+n]
	d.at += (n + blockAlign - 1) / blockAlign * blockAlign
	return content
}

// inPlace reports whether the byte order of the machine is that of the file.
var inPlace = func() bool {
	n := uint16(1)
	return *(*byte)(unsafe.Pointer(&n)) == 1
}()

// slice reads a block of numbers. Where the machine allows it, the result is a view of the file's
// bytes, since most of an index consists of such blocks.
func slice[T number](d *decoder) []T {
	content := d.block()
	size := int(unsafe.Sizeof(*new(T)))
	if len(content)%size != 0 {
		d.err = errDamaged
		return nil
	}
	n := len(content) / size
	if n == 0 {
		return nil
	}
	if start := unsafe.Pointer(unsafe.SliceData(content)); inPlace && uintptr(start)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(start), n)
	}
	list := make([]T, n)
	for i := range list {
		switch p := any(&list[i]).(type) {
		case *uint8:
			*p = content[i]
		case *uint16:
			*p = binary.LittleEndian.Uint16(content[i*size:])
		case *uint32:
			*p = binary.LittleEndian.Uint32(content[i*size:])
		case *uint64:
			*p = binary.LittleEndian.Uint64(content[i*size:])
		case *float64:
			*p = math.Float64frombits(binary.LittleEndian.Uint64(content[i*size:]))
		}
	}
	return list
}

func (d *decoder) table() *table {
	t := &table{n: d.count(1), size: max(d.count(1), 1)}
	t.data = d.block()
	t.blocks = slice[uint32](d)
	if d.err == nil && len(t.blocks) != (t.n+t.size-1)/t.size {
		d.err = errDamaged
	}
	return t
}

func (d *decoder) lists() postingsTable {
	l := postingsTable{start: slice[uint32](d), docs: slice[uint32](d)}
	if n := d.count(blockAlign); n > 0 {
		l.sets = make(map[uint32]*roaring.Bitmap, n)
		for range n {
			i := d.number()
			l.sets[uint32(i)] = d.bitmap()
		}
	}
	return l
}

func (d *decoder) bitmap() *roaring.Bitmap {
	content := d.block()
	set := roaring.New()
	if d.err != nil {
		return set
	}
	if _, err := set.FromBuffer(content); err != nil {
		d.err = errDamaged
	}
	return set
}

func (d *decoder) column() *column {
	kind := d.number()
	c := &column{dense: kind&2 != 0}
	if kind&1 != 0 {
		c.text = d.table()
	} else {
		c.numbers = slice[float64](d)
	}
	c.docs = slice[uint32](d)
	c.offsets = slice[uint32](d)
	c.places = packedInts{bytes: slice[uint8](d), halves: slice[uint16](d), words: slice[uint32](d)}
	c.lists = d.lists()
	c.ranks = slice[uint32](d)
	c.words = slice[uint8](d)
	if kind&4 == 0 {
		c.offsets = nil
	}
	return c
}

// decodeSegment reads the output of encodeSegment. The segment refers to the bytes of file. The
// checksum makes further checks unnecessary.
func decodeSegment(file []byte) (*segment, error) {
	end := len(file) - blockAlign
	if end < len(segmentMagic) || string(file[:len(segmentMagic)]) != segmentMagic ||
		binary.LittleEndian.Uint64(file[end:]) != uint64(crc32.Checksum(file[:end], castagnoli)) {
		return nil, errDamaged
	}
	d := &decoder{b: file[:end], at: len(segmentMagic)}
	s := &segment{id: d.number(), n: d.count(1)}
	s.urns = d.table()
	s.fingerprints = slice[uint64](d)
	for range d.count(blockAlign) {
		s.names = append(s.names, string(d.block()))
		s.columns = append(s.columns, d.column())
	}
	t := &terms{words: d.table(), start: slice[uint32](d), fields: slice[uint16](d), lists: d.lists()}
	t.stems, t.stemStart, t.stemWords = d.table(), slice[uint32](d), slice[uint32](d)
	s.terms = t
	if d.err != nil || d.at != len(d.b) {
		return nil, errDamaged
	}
	s.nameFields()
	return s, nil
}
