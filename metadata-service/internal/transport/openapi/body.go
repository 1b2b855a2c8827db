package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

func unreadable(reason string) error { return &bodyError{title: malformedBody, reason: reason} }

// body reads the whole body and makes sure that it is one JSON value.
func (c *call) body(limit int64) ([]byte, error) {
	text, err := httpserver.ReadBody(c.Context, limit)
	if errors.As(err, new(*utf8json.Error)) {
		return nil, unreadable(fault.Message(err))
	}
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, unreadable("the body is empty, it must be JSON")
	}
	if !json.Valid(text) {
		return nil, syntaxError(text)
	}
	return text, nil
}

func syntaxError(text []byte) error {
	_, err := jsontree.Decode(text)
	if err == nil {
		err = errors.New("not valid JSON")
	}
	return &bodyError{title: malformedJSON, reason: err.Error()}
}

// decode reads the body into a Go value.
func (c *call) decode(limit int64, into any) error {
	text, err := c.body(limit)
	if err != nil {
		return err
	}
	return decodeAs(text, into)
}

// decodeAs decodes JSON known to be valid; what can fail is its shape.
func decodeAs(text []byte, into any) error { return decodeMember("", text, into) }

// decodeMember is decodeAs for the member of that name.
func decodeMember(name string, text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		place := strings.Trim(name+"."+mismatch.Field, ".")
		if place == "" {
			place = "the body"
		}
		return unreadable(place + " must be " + wanted(mismatch) + ", is " + mismatch.Value)
	}
	if err != nil {
		return unreadable(err.Error())
	}
	return nil
}

func wanted(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "slice":
		return "an array"
	case "struct", "map", "ptr":
		return "an object"
	case "int", "int64", "float64":
		return "a number"
	case "bool":
		return "a boolean"
	}
	return "a " + e.Type.Kind().String()
}

// first is the first byte of a JSON value that counts.
func first(text []byte) byte {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0
	}
	return text[0]
}

// elements calls use for each element of a JSON array known to be valid. The
// elements are parts of text, not copies: bodies may be large.
func elements(text []byte, use func(element json.RawMessage) error) error {
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

// members calls use for each member of a JSON object known to be valid, in the
// order of the text: entries for one URN are applied in that order.
func members(text []byte, use func(name string, value json.RawMessage) error) error {
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

// stringOf decodes a JSON string known to be valid.
func stringOf(text []byte) (string, error) {
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text[1 : len(text)-1]), nil
	}
	var s string
	err := decodeAs(text, &s)
	return s, err
}

func skipSpace(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' {
		i++
	}
	return i
}

// skipSeparator goes to the next element or member, or to the closing bracket.
func skipSeparator(text []byte, i int) int {
	if i = skipSpace(text, i); text[i] == ',' {
		i = skipSpace(text, i+1)
	}
	return i
}

// skipValue gives the end of the value that begins at i.
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
			if depth < 0 { // the bracket closes what a scalar stands in
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

// endOfString gives the place of the quote that closes the one at i.
func endOfString(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
