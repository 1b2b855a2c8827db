package plan

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// writer appends an answer, or a part of one. Its methods tell whether they
// could.
type writer struct {
	planner   *Planner
	ctx       context.Context
	variables map[string]any
	out       []byte
}

// field appends a key and what the object has for it.
func (w *writer) field(f *field, object reflect.Value) bool {
	w.out = append(w.out, f.key...)
	if f.member == nil {
		w.out = append(w.out, f.fixed...)
		return true
	}
	var v reflect.Value
	if object.IsValid() {
		v = object.FieldByIndex(f.member.index)
	}
	if c := f.member.call; c != nil {
		var ok bool
		if v, ok = w.planner.do(w.ctx, c, v, f.given, w.variables); !ok {
			return false
		}
	}
	return w.value(v, f.member.typ, f)
}

// value appends a value of a GraphQL type.
func (w *writer) value(v reflect.Value, t *ast.Type, f *field) bool {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			w.out = append(w.out, "null"...)
			return !t.NonNull
		}
		v = v.Elem()
	}
	if t.Elem != nil {
		return w.list(v, t.Elem, f)
	}
	if f.member.leaf {
		return w.leaf(v, f.member)
	}
	return w.object(v, t, f)
}

func (w *writer) list(v reflect.Value, t *ast.Type, f *field) bool {
	if v.Kind() != reflect.Slice {
		return false
	}
	w.out = append(w.out, '[')
	for i := range v.Len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if !w.value(v.Index(i), t, f) {
			return false
		}
	}
	w.out = append(w.out, ']')
	return true
}

func (w *writer) object(v reflect.Value, t *ast.Type, f *field) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	set := f.below.of(v.Type())
	if set == nil {
		return false
	}
	if set.holds {
		return w.value(reflect.ValueOf(v.Addr().Interface().(holder).Held()), t, f)
	}
	w.out = append(w.out, '{')
	for i := range set.fields {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if !w.field(&set.fields[i], v) {
			return false
		}
	}
	w.out = append(w.out, '}')
	return true
}

func (w *writer) leaf(v reflect.Value, m *member) bool {
	switch v.Kind() {
	case reflect.String:
		if m.enum != nil && !m.enum[v.String()] {
			return false
		}
		w.out = jsontree.AppendString(w.out, v.String())
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Int32, reflect.Int64:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Float64:
		text, err := json.Marshal(v.Float())
		w.out = append(w.out, text...)
		return err == nil
	default:
		return false
	}
	return true
}
