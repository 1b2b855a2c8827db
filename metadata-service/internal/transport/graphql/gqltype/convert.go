package gqltype

import (
	"encoding/json"
	"sort"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Long is the scalar for 64-bit integers. It travels as a plain JSON number.
type Long int64

// ImplementsGraphQLType names the scalar.
func (Long) ImplementsGraphQLType(name string) bool { return name == "Long" }

// UnmarshalGraphQL takes an argument, whose value the document stage has coerced.
func (l *Long) UnmarshalGraphQL(input any) error {
	switch v := input.(type) {
	case int64:
		*l = Long(v)
	case int32:
		*l = Long(v)
	case int:
		*l = Long(v)
	case float64:
		*l = Long(v)
	case json.Number:
		n, err := v.Int64()
		*l = Long(n)
		return err
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		*l = Long(n)
		return err
	}
	return nil
}

// The functions below turn a node of a JSON tree into the Go form of a GraphQL
// type; ok is false when there is nothing, or nothing that fits.

func asText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

func asBool(v any) (bool, bool) {
	b, ok := v.(bool)
	return b, ok
}

func asInt(v any) (int32, bool) {
	n, ok := asLong(v)
	if !ok || int64(n) != int64(int32(n)) {
		return 0, false
	}
	return int32(n), true
}

func asLong(v any) (Long, bool) {
	number, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	if n, err := number.Int64(); err == nil {
		return Long(n), true
	}
	f, err := number.Float64()
	if err != nil || f < -(1<<63) || f >= 1<<63 {
		return 0, false
	}
	return Long(f), true
}

func asFloat(v any) (float64, bool) {
	number, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := number.Float64()
	return f, err == nil
}

// asList converts each element and leaves out those that do not fit.
func asList[T any](element func(any) (T, bool)) func(any) ([]T, bool) {
	return func(v any) ([]T, bool) {
		list, ok := v.([]any)
		if !ok {
			return nil, false
		}
		out := make([]T, 0, len(list))
		for _, e := range list {
			if t, ok := element(e); ok {
				out = append(out, t)
			}
		}
		return out, true
	}
}

// asEntries converts a map as a list of objects with the members key and value,
// in the order of keys.
func asEntries[T any](element func(any) (T, bool)) func(any) ([]T, bool) {
	return func(v any) ([]T, bool) {
		object, ok := v.(jsontree.Object)
		if !ok {
			return nil, false
		}
		keys := make([]string, 0, len(object))
		for k := range object {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		out := make([]T, 0, len(keys))
		for _, k := range keys {
			if t, ok := element(jsontree.Object{"key": k, "value": object[k]}); ok {
				out = append(out, t)
			}
		}
		return out, true
	}
}

// asValue makes an object of a text, for types that wrap one.
func asValue(v any) any {
	if v == nil {
		return nil
	}
	return jsontree.Object{"value": v}
}

// maybe is for list elements that may be null.
func maybe[T any](convert func(any) (T, bool)) func(any) (*T, bool) {
	return func(v any) (*T, bool) {
		t, ok := convert(v)
		return &t, ok
	}
}

// opt is for fields that may be null.
func opt[T any](v T, ok bool) *T {
	if !ok {
		return nil
	}
	return &v
}

// some is opt for what is a pointer already.
func some[T any](v *T, ok bool) *T {
	if !ok {
		return nil
	}
	return v
}

// or gives the default of a field that is never null.
func or[T any](otherwise T) func(T, bool) T {
	return func(v T, ok bool) T {
		if !ok {
			return otherwise
		}
		return v
	}
}

// whole builds the object of a field that is never null, from nothing if need be.
func whole[T any](convert func(any) (*T, bool), v any) *T {
	if o, ok := convert(v); ok {
		return o
	}
	o, _ := convert(jsontree.Object{})
	return o
}

// either converts a text instead when there is nothing, or nothing that fits.
func either[T any](convert func(any) (*T, bool), v any, otherwise string) *T {
	if o, ok := convert(v); ok {
		return o
	}
	o, _ := convert(otherwise)
	return o
}

// all is for lists that are never null.
func all[T any](v []T, ok bool) []T {
	if !ok {
		return []T{}
	}
	return v
}

// dig follows members of objects; a number picks an element of a list.
func dig(v any, path ...string) any {
	for _, step := range path {
		switch node := v.(type) {
		case jsontree.Object:
			v = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}

// first is the first value that is there.
func first(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
