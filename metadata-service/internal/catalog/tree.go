package catalog

import (
	"encoding/json"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Readers of conformed values: the model has checked the kinds, an absent
// member reads as the zero value.

func text(o model.Object, name string) string {
	s, _ := o[name].(string)
	return s
}

func flag(o model.Object, name string) bool {
	b, _ := o[name].(bool)
	return b
}

func object(o model.Object, name string) model.Object {
	inner, _ := o[name].(model.Object)
	return inner
}

// objects lists the elements of an array of records.
func objects(o model.Object, name string) []model.Object {
	list, _ := o[name].([]any)
	out := make([]model.Object, 0, len(list))
	for _, e := range list {
		if inner, ok := e.(model.Object); ok {
			out = append(out, inner)
		}
	}
	return out
}

// texts lists the elements of an array of strings.
func texts(o model.Object, name string) []string {
	list, _ := o[name].([]any)
	out := make([]string, 0, len(list))
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func whole(o model.Object, name string) int64 {
	n, _ := o[name].(json.Number)
	i, _ := n.Int64()
	return i
}

// with copies an object and sets members of the copy; a nil value removes one.
func with(o model.Object, members model.Object) model.Object {
	c := make(model.Object, len(o)+len(members))
	for name, v := range o {
		c[name] = v
	}
	for name, v := range members {
		if v == nil {
			delete(c, name)
			continue
		}
		c[name] = v
	}
	return c
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
