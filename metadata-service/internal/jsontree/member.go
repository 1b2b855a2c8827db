package jsontree

import (
	"encoding/json"
	"maps"
	"strconv"
)

// Readers of members. A member that is absent, or of another kind, reads as the
// zero value, so they suit values that the model has conformed, and those whose
// odd members mean nothing. A nil Object has no members.

// Text is a member that is a string.
func Text(o Object, name string) string {
	s, _ := o[name].(string)
	return s
}

// Bool is a member that is true or false.
func Bool(o Object, name string) bool {
	b, _ := o[name].(bool)
	return b
}

// Int is a member that is a whole number of 64 bits.
func Int(o Object, name string) int64 {
	n, _ := o[name].(json.Number)
	i, _ := n.Int64()
	return i
}

// Array is a member that is an array. It is not a copy.
func Array(o Object, name string) []any {
	list, _ := o[name].([]any)
	return list
}

// AsObject is a value that is an object, nil when it is of another kind.
func AsObject(v any) Object {
	o, _ := v.(Object)
	return o
}

// Child is a member that is an object.
func Child(o Object, name string) Object {
	return AsObject(o[name])
}

// Children are the objects of a member that is an array.
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

// Texts are the strings of a member that is an array.
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

// Number is the value of a whole number.
func Number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// List is the value of an array of strings.
func List(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
}

// With copies an object and sets members of the copy; a nil value removes one.
// The values themselves are shared.
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
