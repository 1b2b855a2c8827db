package jsontree

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Count returns the number of values in a valid JSON text, including those in arrays and objects.
// It allocates nothing, so that a text can be judged before it is decoded.
func Count(text []byte) int {
	count := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case ',', '{', '[':
			count++ // an empty array counts like one with an element
		}
	}
	return count
}

// MaxBodyValues is the maximum number of values in the body of a request that writes no aspects.
// The largest allowed filters have about 160,000, including the names of their members.
const MaxBodyValues = 200_000

// HasMoreThan reports whether a JSON text has more than most values, as counted by Count. It stops
// as soon as the result is known, and the text need not be valid.
func HasMoreThan(most int, text []byte) bool {
	count := 1
	for i := 0; i < len(text) && count <= most; i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case ',', '{', '[':
			count++
		}
	}
	return count > most
}

// CheckBody refuses the body of a request that writes no aspects if it has more than MaxBodyValues,
// before it is decoded: a value of two bytes needs a hundred in memory. The error is
// fault.TooLarge.
func CheckBody(text []byte) error {
	if HasMoreThan(MaxBodyValues, text) {
		return fault.New(fault.TooLarge, "the request body holds more than %d values; ask for less, or split the request", MaxBodyValues)
	}
	return nil
}

// Elements calls use for each element of a valid JSON array. The elements are slices of text, not
// copies, since bodies may be large. The first error of use ends it and is returned.
func Elements(text []byte, use func(element json.RawMessage) error) error {
	i := skipSpace(text, skipSpace(text, 0)+1)
	for text[i] != ']' {
		end := skipValue(text, i)
		if err := use(text[i:end]); err != nil {
			return err
		}
		i = skipSeparator(text, end)
	}
	return nil
}

// Members calls use for each member of a valid JSON object, in the order of the text. The values
// are slices of text, not copies. The first error of use ends it and is returned.
func Members(text []byte, use func(name string, value json.RawMessage) error) error {
	i := skipSpace(text, skipSpace(text, 0)+1)
	for text[i] != '}' {
		end := skipValue(text, i)
		name, err := stringOf(text[i:end])
		if err != nil {
			return err
		}
		i = skipSpace(text, skipSpace(text, end)+1) // behind the colon
		end = skipValue(text, i)
		if err := use(name, text[i:end]); err != nil {
			return err
		}
		i = skipSeparator(text, end)
	}
	return nil
}

// stringOf decodes a valid JSON string.
func stringOf(text []byte) (string, error) {
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text[1 : len(text)-1]), nil
	}
	var s string
	err := json.Unmarshal(text, &s)
	return s, err
}

func skipSpace(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' {
		i++
	}
	return i
}

// skipSeparator returns the position of the next element or member, or of the closing bracket.
func skipSeparator(text []byte, i int) int {
	if i = skipSpace(text, i); text[i] == ',' {
		i = skipSpace(text, i+1)
	}
	return i
}

// skipValue returns the end of the value that begins at i.
func skipValue(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
			if depth < 0 { // the bracket closes the parent of a scalar
				return i
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// endOfString returns the position of the quote that closes the one at i.
func endOfString(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
