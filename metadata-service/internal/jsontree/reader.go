package jsontree

import (
	"strconv"
	"unicode/utf8"
)

// Reader reads a text piece by piece, without a tree and without reflection, for frequent texts of
// a known form. Its methods consume the next value and report whether it was of their kind and
// plain: valid JSON, in valid UTF-8, without surrogates. After a false result the position is
// undefined: decode the whole text in another way, which also provides the error. Returned values
// do not refer to the text.
type Reader struct{ plain fastDecoder }

// NewReader returns a Reader of one value.
func NewReader(text []byte) *Reader {
	r := &Reader{plain: fastDecoder{text: text}}
	r.plain.space()
	return r
}

// Object consumes an object. It calls member with the name of each member, which must consume the
// value; a false result ends the reading.
func (r *Reader) Object(member func(name string) bool) bool {
	f := &r.plain
	return r.list('{', '}', func() bool {
		name, ok := f.name()
		if f.space(); !ok || !f.take(':') {
			return false
		}
		f.space()
		return member(name)
	})
}

// Array consumes an array. element must consume each element; a false result ends the reading.
func (r *Reader) Array(element func() bool) bool { return r.list('[', ']', element) }

func (r *Reader) list(first, last byte, item func() bool) bool {
	f := &r.plain
	if !f.take(first) {
		return false
	}
	if f.space(); f.take(last) {
		f.space()
		return true
	}
	for {
		if !item() {
			return false
		}
		if f.space(); f.take(last) {
			f.space()
			return true
		}
		if !f.take(',') {
			return false
		}
		f.space()
	}
}

// IsText reports whether a string is next. It consumes nothing.
func (r *Reader) IsText() bool {
	f := &r.plain
	return f.at < len(f.text) && f.text[f.at] == '"'
}

// Text consumes a string.
func (r *Reader) Text() (string, bool) { return r.plain.string() }

// Bytes consumes a string and returns it as bytes that belong to the caller.
func (r *Reader) Bytes() ([]byte, bool) {
	f := &r.plain
	if !f.take('"') {
		return nil, false
	}
	end := f.at
	for ; end < len(f.text) && f.text[end] != '"'; end++ {
		if f.text[end] == '\\' {
			end++
		}
	}
	if end >= len(f.text) {
		return nil, false
	}
	out := make([]byte, 0, end-f.at)
	for f.at < end {
		start := f.at
		for f.at < end && f.text[f.at] != '\\' {
			if f.text[f.at] < ' ' {
				return nil, false
			}
			f.at++
		}
		if out = append(out, f.text[start:f.at]...); f.at == end {
			break
		}
		f.at++
		var ok bool
		if out, ok = f.escape(out); !ok {
			return nil, false
		}
	}
	f.at = end + 1
	return out, utf8.Valid(out)
}

// Int consumes a whole number without fraction or exponent.
func (r *Reader) Int() (int64, bool) {
	text, ok := r.plain.number()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

// Bool consumes true or false.
func (r *Reader) Bool() (value, ok bool) {
	if r.plain.word("true") {
		return true, true
	}
	return false, r.plain.word("false")
}

// Null consumes null if it is next, and nothing otherwise.
func (r *Reader) Null() bool { return r.plain.word("null") }

// Texts consumes an object of strings.
func (r *Reader) Texts() (map[string]string, bool) {
	texts := map[string]string{}
	ok := r.Object(func(name string) bool {
		text, ok := r.Text()
		texts[name] = text
		return ok
	})
	return texts, ok
}

// End reports whether only white space is left.
func (r *Reader) End() bool {
	r.plain.space()
	return r.plain.at == len(r.plain.text)
}
