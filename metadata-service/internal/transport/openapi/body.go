package openapi

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

func unreadable(reason string) error { return &bodyError{title: malformedBody, reason: reason} }

// body reads the whole body and makes sure that it is one JSON value.
func (c *call) body(limit int64) ([]byte, error) {
	text, err := httpserver.ReadBody(c.Context, limit)
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
func decodeAs(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		place := mismatch.Field
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

// elements calls use for each element of a JSON array known to be valid.
func elements(text []byte, use func(element json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return unreadable(err.Error())
	}
	for d.More() {
		var element json.RawMessage
		if err := d.Decode(&element); err != nil {
			return unreadable(err.Error())
		}
		if err := use(element); err != nil {
			return err
		}
	}
	return nil
}

// members calls use for each member of a JSON object, in the order of the text:
// entries for one URN are applied in that order.
func members(text []byte, use func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return unreadable(err.Error())
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return unreadable(err.Error())
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return unreadable(err.Error())
		}
		if err := use(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}
