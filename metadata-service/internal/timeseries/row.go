package timeseries

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// row is a document during the evaluation of a filter. Its event is decoded at most once, and only
// if a condition names a field that is neither fixed nor a column.
type row struct {
	doc       *Document
	event     any
	isDecoded bool
}

// object represents a value that exists and matches no other value.
type object struct{}

// any reports whether test is true for any value of the field.
func (r *row) any(field string, test func(any) bool) bool {
	if value, fixed := r.doc.Fixed(field); fixed {
		return value != nil && test(value)
	}
	if value, ok := r.doc.Columns[field]; ok {
		return test(value)
	}
	return anyAt(r.parsedEvent(), field, test)
}

func (r *row) parsedEvent() any {
	if !r.isDecoded {
		r.isDecoded = true
		event, err := decodeJSON(r.doc.Event)
		if err == nil {
			r.event = event
		}
	}
	return r.event
}

func decodeJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("there is something behind the value")
	}
	return value, nil
}

// anyAt follows a path with dots. A list is replaced by each of its elements. It also finds a
// member whose name is the whole rest of the path, including dots.
func anyAt(value any, path string, test func(any) bool) bool {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			if anyAt(element, path, test) {
				return true
			}
		}
		return false
	case map[string]any:
		if path == "" {
			return test(object{})
		}
		if member, ok := v[path]; ok && anyAt(member, "", test) {
			return true
		}
		head, rest, dotted := strings.Cut(path, ".")
		if !dotted || rest == "" {
			return false
		}
		return anyAt(v[head], rest, test)
	}
	return path == "" && value != nil && test(scalar(value))
}

// scalar converts a JSON scalar to a type of columns.
func scalar(value any) any {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return v.String()
	}
	return value
}
