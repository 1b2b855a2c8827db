package rest

import (
	"bytes"
	"encoding/json"

	"github.com/cartulary/cartulary/pkg/fault"
)

// maxElements bounds the arrays of parameters. An element may take many times the memory of its
// text, so a limit on the body alone would not suffice.
const maxElements = 10_000

// boundedList is an array of a parameter.
type boundedList[T any] []T

// UnmarshalJSON decodes at most maxElements elements. More elements are a fault.TooLarge error.
func (b *boundedList[T]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, _ := d.Token(); first != json.Delim('[') {
		return wrongType[[]struct{}](text)
	}
	*b = boundedList[T]{}
	for d.More() {
		if len(*b) == maxElements {
			return fault.New(fault.TooLarge, "an array in the request has more than %d elements; split the request", maxElements)
		}
		var element T
		if err := d.Decode(&element); err != nil {
			return err
		}
		*b = append(*b, element)
	}
	return nil
}

// taggedValue is an object with one member, whose name states the type of its value. Name is
// empty for any other object.
type taggedValue struct {
	Name  string
	Value json.RawMessage
}

// UnmarshalJSON decodes the name and keeps the value as JSON text.
func (t *taggedValue) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, _ := d.Token(); first != json.Delim('{') {
		return wrongType[struct{}](text)
	}
	if !d.More() {
		return nil
	}
	name, err := d.Token()
	if err != nil {
		return err
	}
	var value json.RawMessage
	if err := d.Decode(&value); err != nil {
		return err
	}
	if !d.More() {
		t.Name, t.Value = name.(string), value
	}
	return nil
}
