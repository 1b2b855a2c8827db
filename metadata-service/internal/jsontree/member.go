package jsontree

import (
	"encoding/json"
	"maps"
	"strconv"
)

// Functions that read members. An absent member, or one of another kind, reads as the zero value.
// They are therefore for values that conform to the model, and for values whose invalid members are
// ignored. A nil Object has no members.

// Text returns a string member.
func Text(o Object, name string) string {
	s, _ := o[name].(string)
	return s
}

// Bool returns a boolean member.
func Bool(o Object, name string) bool {
	b, _ := o[name].(bool)
	return b
}

// Int returns a member that is a whole number of 64 bits.
func Int(o Object, name string) int64 {
	n, _ := o[name].(json.Number)
	i, _ := n.Int64()
	return i
}

// Array returns an array member. It is not a copy.
func Array(o Object, name string) []any {
	list, _ := o[name].([]any)
	return list
}

// AsObject returns a value that is an object, nil for other kinds.
func AsObject(v any) Object {
	o, _ := v.(Object)
	return o
}

// Child returns an object member.
func Child(o Object, name string) Object {
	return AsObject(o[name])
}

// Children returns the objects in an array member.
func Children(o Object, name string) []Object {
	list := Array(o, name)
	out := make([]Object, 0, len(list))
	for _, e := range list {
		if inner, ok := e.(Object); ok {
			out = append(out, inner)
		}
	}
	return out
}

// Texts returns the strings in an array member.
func Texts(o Object, name string) []string {
	list := Array(o, name)
	out := make([]string, 0, len(list))
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// Number returns the tree node of a whole number.
func Number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// List returns the tree node of an array of strings.
func List(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
}

// With returns a copy of an object with other members set; a nil value removes a member. The values
// are shared.
func With(o, members Object) Object {
	c := make(Object, len(o)+len(members))
	maps.Copy(c, o)
	for name, v := range members {
		if v == nil {
			delete(c, name)
			continue
		}
		c[name] = v
	}
	return c
}
