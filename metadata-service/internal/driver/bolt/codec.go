package bolt

import (
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// The binary form of rows and log entries. Both start with flags for the common cases, which need
// no further bytes. Variable-length integers and words follow. The value comes last; its length is
// the number of remaining bytes.
//
// A word is a text that many rows share. It is written as its number in the dictionary, or inline
// when it is too long for a dictionary entry: an even integer is twice the number (0 is the empty
// word), an odd integer is twice the length plus one, followed by the bytes.

// Maximum length of texts in the dictionary. Run ids must fit, because run numbers are the keys of
// the run index.
const (
	wordBytes     = store.MaxRunBytes
	propertyBytes = 64
)

// wordNumbers returns the number of a text and assigns a new one when the text has none.
type wordNumbers func(text string) (uint32, error)

// encoder appends to raw and keeps the first error of the dictionary.
type encoder struct {
	raw     []byte
	numbers wordNumbers
	err     error
}

func (e *encoder) uvarint(n uint64) { e.raw = binary.AppendUvarint(e.raw, n) }
func (e *encoder) varint(n int64)   { e.raw = binary.AppendVarint(e.raw, n) }

func (e *encoder) text(s string) {
	e.uvarint(uint64(len(s)))
	e.raw = append(e.raw, s...)
}

func (e *encoder) word(s string, longest int) {
	if s == "" {
		e.uvarint(0)
		return
	}
	if len(s) > longest {
		e.uvarint(uint64(len(s))<<1 | 1)
		e.raw = append(e.raw, s...)
		return
	}
	number, err := e.numbers(s)
	if err != nil && e.err == nil {
		e.err = err
	}
	e.uvarint(uint64(number) << 1)
}

// isTrace reports whether the text is 32 lower-case hex digits, the form that survives a round trip
// through 16 bytes.
func isTrace(text string) bool {
	if len(text) != 32 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func (e *encoder) trace(text string) {
	e.raw, _ = hex.AppendDecode(e.raw, []byte(text)) // checked by isTrace
}

// textLookup resolves the numbers of a dictionary for a decoder; source implements it.
type textLookup interface {
	text(d dictionary, number uint32) (string, bool)
}

// decoder consumes bytes from the front of raw. After the first malformed part bad is true and all
// methods return zero values.
type decoder struct {
	raw   []byte
	texts textLookup
	bad   bool
}

func (d *decoder) check(what string) error {
	if d.bad {
		return corrupt(what)
	}
	return nil
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.raw)
	if n <= 0 {
		d.bad, d.raw = true, nil
		return 0
	}
	d.raw = d.raw[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.raw)
	if n <= 0 {
		d.bad, d.raw = true, nil
		return 0
	}
	d.raw = d.raw[n:]
	return v
}

func (d *decoder) uint32() uint32 {
	v := d.uvarint()
	if v > math.MaxUint32 {
		d.bad, d.raw = true, nil
		return 0
	}
	return uint32(v)
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.raw)) {
		d.bad, d.raw = true, nil
		return nil
	}
	taken := d.raw[:n]
	d.raw = d.raw[n:]
	return taken
}

func (d *decoder) text() string { return string(d.take(d.uvarint())) }

// wordNumber returns the number of a word, or 0 for the empty word and for inline words.
func (d *decoder) wordNumber() uint32 {
	v := d.uvarint()
	if v&1 == 1 {
		d.take(v >> 1)
		return 0
	}
	if v>>1 > math.MaxUint32 {
		d.bad = true
		return 0
	}
	return uint32(v >> 1)
}

func (d *decoder) word() string {
	v := d.uvarint()
	switch {
	case v == 0:
		return ""
	case v&1 == 1:
		return string(d.take(v >> 1))
	case v>>1 > math.MaxUint32:
		d.bad = true
		return ""
	}
	text, known := d.texts.text(words, uint32(v>>1))
	d.bad = d.bad || !known
	return text
}

func (d *decoder) trace() string { return hex.EncodeToString(d.take(16)) }

// value returns a copy of the remaining bytes, which is valid after the transaction ends.
func (d *decoder) value() []byte {
	if len(d.raw) == 0 {
		return nil
	}
	dbfile.Prefetch(d.raw)
	return append(make([]byte, 0, len(d.raw)), d.raw...)
}
