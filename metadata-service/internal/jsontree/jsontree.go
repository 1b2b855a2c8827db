// Package jsontree decodes JSON texts into plain trees and encodes trees in one canonical form:
// object members sorted, no white space, minimal escaping. Equal trees give equal bytes.
//
// A tree consists of map[string]any, []any, string, json.Number, bool and nil. Numbers stay text,
// so that 64-bit integers keep all their digits.
package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/pkg/utf8json"
)

// MaxDepth is the maximum nesting of arrays and objects in a text.
const MaxDepth = 200

// ErrDepth is the error for a text with deeper nesting than MaxDepth.
var ErrDepth = fmt.Errorf("nested deeper than %d levels", MaxDepth)

// Object is a JSON object in a tree.
type Object = map[string]any

// Decode parses exactly one JSON value. Of repeated members the last one counts. It refuses text
// that is not well-formed Unicode, see CheckText, and deeper nesting than MaxDepth.
func Decode(text []byte) (any, error) {
	if v, ok := decodeFast(text); ok {
		return v, nil
	}
	return decodeStandard(text)
}

// CheckText refuses JSON text with invalid UTF-8 or half of an escaped surrogate pair, which
// encoding/json would silently replace by U+FFFD. Call it before decoding by other means than this
// package. Errors are of kind fault.Malformed and name the byte.
func CheckText(text []byte) error { return utf8json.Check(text) }

func decodeStandard(text []byte) (any, error) {
	if err := CheckText(text); err != nil {
		return nil, err
	}
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, syntaxError(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more text after the JSON value")
	}
	return v, nil
}

// DecodeObject parses one JSON object.
func DecodeObject(text []byte) (Object, error) {
	v, err := Decode(text)
	if err != nil {
		return nil, err
	}
	o, ok := v.(Object)
	if !ok {
		return nil, fmt.Errorf("must be a JSON object, is %s", KindOf(v))
	}
	return o, nil
}

func syntaxError(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not valid JSON at byte %d: %s", syntax.Offset, syntax.Error())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not valid JSON: the text ends too early")
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

// checkDepth limits the nesting before any recursion.
func checkDepth(text []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return fmt.Errorf("%w at byte %d", ErrDepth, i)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// Encode returns the canonical form of a tree. In addition to the types of trees it accepts Go
// integers and floats.
func Encode(v any) json.RawMessage { return Append(nil, v) }

// Append appends the canonical form of a tree.
func Append(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return AppendString(dst, v)
	case json.Number:
		return append(dst, v...)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return append(dst, Float(v)...)
	case json.RawMessage:
		return append(dst, v...)
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(dst, e)
		}
		return append(dst, ']')
	case Object:
		return appendObject(dst, v)
	case fmt.Stringer:
		return AppendString(dst, v.String())
	}
	panic(fmt.Sprintf("jsontree: %T is not part of a tree", v))
}

func appendObject(dst []byte, o Object) []byte {
	var few [16]string
	names := few[:0]
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, name)
		dst = append(dst, ':')
		dst = Append(dst, o[name])
	}
	return append(dst, '}')
}

const hex = "0123456789abcdef"

// AppendString appends s as a JSON string.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[start:i]...)
				dst = append(dst, "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// Float returns the canonical text of a floating-point number. NaN and the infinities have no JSON
// form and become null.
func Float(f float64) json.Number {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "null"
	}
	if f == 0 {
		return "0" // minus zero equals zero and must give the same bytes
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// Double returns the canonical text of a value of type double or float, with a fraction even for
// whole numbers: 30.0.
func Double(f float64) json.Number {
	text := Float(f)
	if strings.ContainsAny(string(text), ".en") {
		return text
	}
	return text + ".0"
}

// Clone returns a deep copy of a tree.
func Clone(v any) any {
	switch v := v.(type) {
	case Object:
		c := make(Object, len(v))
		for name, e := range v {
			c[name] = Clone(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = Clone(e)
		}
		return c
	}
	return v
}

// Equal compares two trees by value. It compares numbers by their text, except for the fraction of
// whole ones, so both trees must be canonical.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case Object:
		if b, ok := b.(Object); ok {
			return maps.EqualFunc(a, b, Equal)
		}
	case []any:
		if b, ok := b.([]any); ok {
			return slices.EqualFunc(a, b, Equal)
		}
	case json.Number:
		if b, ok := b.(json.Number); ok {
			return WithoutFraction(a) == WithoutFraction(b)
		}
	}
	return bytes.Equal(Encode(a), Encode(b))
}

// SameText reports whether two canonical texts are equal except for the fraction of whole numbers,
// which texts of older values lack.
func SameText(older, newer []byte) bool {
	at, inString, escaped := 0, false, false // at is the position in newer
	for i, c := range older {
		if !inString && i > 0 && isDigit(older[i-1]) && !isDigit(c) && c != '.' && bytes.HasPrefix(newer[at:], []byte(".0")) {
			at += len(".0")
		}
		if at >= len(newer) || newer[at] != c {
			return false
		}
		at++
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
	}
	return at == len(newer)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// WithoutFraction returns the text of a number without the fraction .0, which is equal for 30 and
// 30.0.
func WithoutFraction(n json.Number) string { return strings.TrimSuffix(string(n), ".0") }

// KindOf returns the JSON kind of a tree node, for messages.
func KindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number, int, int64, float64:
		return "a number"
	case []any:
		return "an array"
	case Object:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}

// Sorted returns the member names of an object in canonical order.
func Sorted(o Object) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
