package plan

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// writer appends an answer, or a part of one. Its methods tell whether they
// could.
type writer struct {
	planner   *Planner
	ctx       context.Context
	variables map[string]any
	slots     chan struct{} // one is taken by each element that is written beside others
	calls     int           // of functions, so far
	out       []byte
}

// beside makes a writer for another part of the answer.
func (w *writer) beside(ctx context.Context) *writer {
	return &writer{planner: w.planner, ctx: ctx, variables: w.variables, slots: w.slots}
}

// try writes and tells whether it could. What panics is left to the library, too,
// which most likely comes across it again and reports it.
func (w *writer) try(write func() bool) (ok bool) {
	defer func() {
		if value := recover(); value != nil {
			w.planner.panicked(w.ctx, value)
			ok = false
		}
	}()
	return write()
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
		w.calls++
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
		before := w.calls
		if !w.value(v.Index(i), t, f) {
			return false
		}
		if w.calls > before {
			if !w.rest(v.Slice(i+1, v.Len()), t, f) {
				return false
			}
			break
		}
	}
	w.out = append(w.out, ']')
	return true
}

// rest appends the elements after one that called functions. They most likely will,
// too, so they are written side by side while there are slots.
func (w *writer) rest(v reflect.Value, t *ast.Type, f *field) bool {
	elements := make([]*writer, v.Len())
	var all sync.WaitGroup
	var failed atomic.Bool
	for i := range elements {
		if failed.Load() {
			break
		}
		one := w.beside(w.ctx)
		elements[i] = one
		write := func() {
			if !one.try(func() bool { return one.value(v.Index(i), t, f) }) {
				failed.Store(true)
			}
		}
		select {
		case w.slots <- struct{}{}:
			all.Go(func() {
				defer func() { <-w.slots }()
				write()
			})
		default:
			write()
		}
	}
	all.Wait()
	if failed.Load() {
		return false
	}
	for _, e := range elements {
		w.out = append(append(w.out, ','), e.out...)
	}
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
