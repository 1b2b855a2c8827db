package endpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// BodyError returns the error for a body that cannot be read.
func BodyError(reason string) error { return &bodyError{title: malformedBody, reason: reason} }

// Body reads the whole body, up to limit bytes, and checks that it is one JSON value.
func (c *Call) Body(limit int64) ([]byte, error) {
	text, err := httpserver.ReadBody(c.Context, limit)
	if errors.As(err, new(*utf8json.Error)) {
		return nil, BodyError(fault.Message(err))
	}
	if err != nil {
		return nil, err
	}
	if limit == BodyLimit {
		if err := jsontree.CheckBody(text); err != nil {
			return nil, err
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, BodyError("the body is empty, it must be JSON")
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

// Decode decodes the body into a Go value.
func (c *Call) Decode(limit int64, into any) error {
	text, err := c.Body(limit)
	if err != nil {
		return err
	}
	return DecodeAs(text, into)
}

// EachItem reads a body with a list of items to write, and passes the JSON text of each item to
// use: a list of short items takes many times the memory of its text when it is decoded as a
// whole. More than MaxItems items are refused.
func (c *Call) EachItem(what string, use func(item json.RawMessage) error) error {
	text, err := c.Body(EntityBodyLimit)
	if err != nil {
		return err
	}
	if FirstByte(text) != '[' {
		var none []json.RawMessage // accepts null
		return DecodeAs(text, &none)
	}
	items := 0
	return jsontree.Elements(text, func(item json.RawMessage) error {
		if items++; items > MaxItems {
			return TooMany(what)
		}
		return use(item)
	})
}

// TooMany returns the error for a request with more than MaxItems items.
func TooMany(what string) error {
	return fault.New(fault.Malformed, "a request may hold at most %d %s; send several requests", MaxItems, what)
}

// DecodeAs decodes valid JSON; an error means that its type is wrong.
func DecodeAs(text []byte, into any) error { return DecodeMember("", text, into) }

// DecodeMember is DecodeAs for the member with this name.
func DecodeMember(name string, text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		place := strings.Trim(name+"."+mismatch.Field, ".")
		if place == "" {
			place = "the body"
		}
		return BodyError(place + " must be " + expectedType(mismatch) + ", is " + mismatch.Value)
	}
	if err != nil {
		return BodyError(err.Error())
	}
	return nil
}

func expectedType(e *json.UnmarshalTypeError) string {
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

// FirstByte returns the first byte of a JSON value after white space, 0 when there is none.
func FirstByte(text []byte) byte {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0
	}
	return text[0]
}
