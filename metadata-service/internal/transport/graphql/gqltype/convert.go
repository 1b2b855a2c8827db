package gqltype

import (
	"encoding/json"
	"sort"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Long is the scalar for 64-bit integers, encoded as a plain JSON number.
type Long int64

// ImplementsGraphQLType reports whether name is the name of the scalar.
func (Long) ImplementsGraphQLType(name string) bool { return name == "Long" }

// UnmarshalGraphQL sets an argument from a value that the document stage has coerced. It returns
// an error when the value is text or a JSON number and no 64-bit integer.
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

// The following functions convert a node of a JSON tree to the Go form of a GraphQL type; ok is
// false when the node is absent or does not fit.

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

// asList converts each element and omits those that do not fit.
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

// asEntries converts a map to a list of objects with the members key and value, ordered by key.
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

// asValue wraps a string into an object with the member value, for types that represent a string
// as an object.
func asValue(v any) any {
	if v == nil {
		return nil
	}
	return jsontree.Object{"value": v}
}

// nullableElement returns a conversion for nullable list elements.
func nullableElement[T any](convert func(any) (T, bool)) func(any) (*T, bool) {
	return func(v any) (*T, bool) {
		t, ok := convert(v)
		return &t, ok
	}
}

// nullable returns the value of a nullable field.
func nullable[T any](v T, ok bool) *T {
	if !ok {
		return nil
	}
	return &v
}

// nullablePointer is nullable for values that are pointers already.
func nullablePointer[T any](v *T, ok bool) *T {
	if !ok {
		return nil
	}
	return v
}

// orDefault returns the value of a non-null field, with a default.
func orDefault[T any](otherwise T) func(T, bool) T {
	return func(v T, ok bool) T {
		if !ok {
			return otherwise
		}
		return v
	}
}

// recordOrEmpty converts v to the object of a non-null field, or an empty record when v does not fit.
func recordOrEmpty[T any](convert func(any) (*T, bool), v any) *T {
	if o, ok := convert(v); ok {
		return o
	}
	o, _ := convert(jsontree.Object{})
	return o
}

// recordOrDefault converts v, or the string otherwise when v is absent or does not fit.
func recordOrDefault[T any](convert func(any) (*T, bool), v any, otherwise string) *T {
	if o, ok := convert(v); ok {
		return o
	}
	o, _ := convert(otherwise)
	return o
}

// listOrEmpty returns the value of a non-null list, empty when there is none.
func listOrEmpty[T any](v []T, ok bool) []T {
	if !ok {
		return []T{}
	}
	return v
}

// valueAt follows a path of members of objects; a number selects an element of a list. It returns nil
// when the path leads to no value.
func valueAt(v any, path ...string) any {
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

// firstValue returns the first value that is not nil.
func firstValue(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
