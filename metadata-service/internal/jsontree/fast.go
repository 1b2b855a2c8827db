package jsontree

import (
	"encoding/json"
	"unicode/utf8"
)

// fastDecoder parses the form of nearly all texts: valid JSON in valid UTF-8, without surrogates.
// Its result is correct if it accepts the text. For all other texts Decode uses encoding/json,
// which also provides the errors, after CheckText has accepted the text.
type fastDecoder struct {
	text  []byte
	at    int
	depth int
	// names caches member names, since lists contain many objects with the same ones.
	names [32]string
}

// decodeFast parses exactly one value.
func decodeFast(text []byte) (any, bool) {
	f := fastDecoder{text: text}
	f.space()
	v, ok := f.value()
	f.space()
	return v, ok && f.at == len(text)
}

func (f *fastDecoder) space() {
	for f.at < len(f.text) {
		switch f.text[f.at] {
		case ' ', '\t', '\n', '\r':
			f.at++
		default:
			return
		}
	}
}

// take consumes a byte if it is next.
func (f *fastDecoder) take(c byte) bool {
	if f.at < len(f.text) && f.text[f.at] == c {
		f.at++
		return true
	}
	return false
}

func (f *fastDecoder) word(w string) bool {
	if len(f.text)-f.at < len(w) || string(f.text[f.at:f.at+len(w)]) != w {
		return false
	}
	f.at += len(w)
	return true
}

func (f *fastDecoder) value() (any, bool) {
	if f.at == len(f.text) {
		return nil, false
	}
	switch f.text[f.at] {
	case '{':
		return f.object()
	case '[':
		return f.array()
	case '"':
		return toAny(f.string())
	case 't':
		return true, f.word("true")
	case 'f':
		return false, f.word("false")
	case 'n':
		return nil, f.word("null")
	}
	return toAny(f.number())
}

func toAny[T any](v T, ok bool) (any, bool) { return v, ok }

func (f *fastDecoder) object() (any, bool) {
	if f.depth++; f.depth > MaxDepth {
		return nil, false
	}
	f.at++
	out := make(Object)
	f.space()
	if f.take('}') {
		f.depth--
		return out, true
	}
	for {
		name, ok := f.name()
		if f.space(); !ok || !f.take(':') {
			return nil, false
		}
		f.space()
		if out[name], ok = f.value(); !ok {
			return nil, false
		}
		f.space()
		if f.take('}') {
			f.depth--
			return out, true
		}
		if !f.take(',') {
			return nil, false
		}
		f.space()
	}
}

func (f *fastDecoder) array() (any, bool) {
	if f.depth++; f.depth > MaxDepth {
		return nil, false
	}
	f.at++
	out := []any{}
	f.space()
	if f.take(']') {
		f.depth--
		return out, true
	}
	for {
		v, ok := f.value()
		if !ok {
			return nil, false
		}
		out = append(out, v)
		f.space()
		if f.take(']') {
			f.depth--
			return out, true
		}
		if !f.take(',') {
			return nil, false
		}
		f.space()
	}
}

// name parses the name of a member.
func (f *fastDecoder) name() (string, bool) {
	start := f.at + 1
	for end := start; end < len(f.text); end++ {
		switch c := f.text[end]; {
		case c == '"' && end > start && f.text[f.at] == '"':
			inner := f.text[start:end]
			seen := &f.names[(len(inner)*7+int(inner[0])*3+int(inner[len(inner)-1]))%len(f.names)]
			if *seen != string(inner) {
				*seen = string(inner)
			}
			f.at = end + 1
			return *seen, true
		case c == '"', c == '\\', c < ' ', c >= utf8.RuneSelf:
			return f.string()
		}
	}
	return "", false
}

// string parses a string and copies it, so that a kept string does not keep the whole text in
// memory.
func (f *fastDecoder) string() (string, bool) {
	if !f.take('"') {
		return "", false
	}
	start, plain := f.at, true
	for ; f.at < len(f.text); f.at++ {
		switch c := f.text[f.at]; {
		case c == '"':
			inner := f.text[start:f.at]
			f.at++
			return string(inner), plain || utf8.Valid(inner)
		case c == '\\':
			return f.escaped(start)
		case c < ' ':
			return "", false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return "", false
}

// escaped parses the rest of a string from its first escape on.
func (f *fastDecoder) escaped(start int) (string, bool) {
	out := append(make([]byte, 0, f.at-start+32), f.text[start:f.at]...)
	for f.at < len(f.text) {
		c := f.text[f.at]
		f.at++
		switch {
		case c == '"':
			return string(out), utf8.Valid(out)
		case c < ' ':
			return "", false
		case c != '\\':
			out = append(out, c)
			continue
		}
		var ok bool
		if out, ok = f.escape(out); !ok {
			return "", false
		}
	}
	return "", false
}

func (f *fastDecoder) escape(out []byte) ([]byte, bool) {
	if f.at == len(f.text) {
		return nil, false
	}
	c := f.text[f.at]
	f.at++
	switch c {
	case '"', '\\', '/':
		return append(out, c), true
	case 'b':
		return append(out, '\b'), true
	case 'f':
		return append(out, '\f'), true
	case 'n':
		return append(out, '\n'), true
	case 'r':
		return append(out, '\r'), true
	case 't':
		return append(out, '\t'), true
	case 'u':
		r, ok := f.hexRune()
		return utf8.AppendRune(out, r), ok
	}
	return nil, false
}

func (f *fastDecoder) hexRune() (rune, bool) {
	if len(f.text)-f.at < 4 {
		return 0, false
	}
	var r rune
	for _, c := range f.text[f.at : f.at+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	f.at += 4
	return r, utf8.ValidRune(r) // halves of a surrogate pair are left to encoding/json
}

func (f *fastDecoder) number() (json.Number, bool) {
	start := f.at
	f.take('-')
	if !f.take('0') && !f.digits() {
		return "", false
	}
	if f.take('.') && !f.digits() {
		return "", false
	}
	if f.take('e') || f.take('E') {
		if !f.take('+') {
			f.take('-')
		}
		if !f.digits() {
			return "", false
		}
	}
	return json.Number(f.text[start:f.at]), true
}

// digits consumes at least one digit.
func (f *fastDecoder) digits() bool {
	start := f.at
	for f.at < len(f.text) && '0' <= f.text[f.at] && f.text[f.at] <= '9' {
		f.at++
	}
	return f.at > start
}
