package plan

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

const null = "null"

// execution is the state that the writers of one response share.
type execution struct {
	planner          *Planner
	variables        map[string]any
	slots            chan struct{} // each element that is written concurrently takes one
	fellBack         atomic.Bool   // to the library
	mutationsStarted bool          // mutations are called: the library must not call them again
	argumentCache    sync.Map      // *field: reflect.Value of its arguments
}

// fallBack leaves the document to the library because a plan cannot write a value of type t.
// After a mutation was called the value is null instead, with a failure.
func (w *writer) fallBack(t *ast.Type) bool {
	if !w.mutationsStarted {
		w.fellBack.Store(true)
		return false
	}
	w.planner.logPanic(w.ctx, "a plan cannot write the value of a field of type "+t.String())
	w.out = append(w.out, null...)
	w.addFailure(ErrPanic)
	return !t.NonNull
}

// writer appends a response, or a part of one. Its methods report whether the value is valid. A
// null is invalid when its type does not allow null; then the enclosing value becomes null.
type writer struct {
	*execution
	ctx      context.Context
	path     []step
	calls    int // number of function calls so far
	out      []byte
	failures []Failure
}

// fork creates a writer for another part of the response.
func (w *writer) fork() *writer {
	return &writer{execution: w.execution, ctx: w.ctx, path: slices.Clone(w.path)}
}

// join appends the output and failures of another writer, after open if it is the first and after
// a comma otherwise.
func (w *writer) join(one *writer, first bool, open byte) {
	separator := byte(',')
	if first {
		separator = open
	}
	w.out = append(append(w.out, separator), one.out...)
	w.addFailures(one.failures...)
}

// try calls write. After a panic outside of functions the value is null and invalid.
func (w *writer) try(at []step, write func() bool) (valid bool) {
	start := len(w.out)
	defer func() {
		if value := recover(); value != nil {
			w.planner.logPanic(w.ctx, value)
			w.path = append(w.path[:0], at...)
			w.out = append(w.out[:start], null...)
			w.addFailure(ErrPanic)
			valid = false
		}
	}()
	return write()
}

// field appends a key and the value of the object's field.
func (w *writer) field(f *field, object reflect.Value) bool {
	w.out = append(w.out, f.key...)
	if f.member == nil {
		w.out = append(w.out, f.typenameValue...)
		return true
	}
	w.path = append(w.path, step{field: f})
	valid := w.member(f, object)
	w.path = w.path[:len(w.path)-1]
	return valid
}

func (w *writer) member(f *field, object reflect.Value) bool {
	var v reflect.Value
	if object.IsValid() {
		v = object.FieldByIndex(f.member.index)
	}
	if f.member.call != nil {
		w.calls++
		if w.fellBack.Load() || w.ctx.Err() != nil {
			return false
		}
		arguments, ok := w.arguments(f, object.IsValid())
		if !ok {
			return w.fallBack(f.member.typ)
		}
		var err error
		if w.mutationsStarted && !object.IsValid() && w.planner.begin != nil {
			err = w.planner.begin(w.ctx)
		}
		if err == nil {
			v, err = w.planner.invoke(w.ctx, f.member.call, v, arguments)
		}
		if err != nil {
			if err == errArguments {
				return w.fallBack(f.member.typ)
			}
			w.addFailure(err)
			w.out = append(w.out, null...)
			return !f.member.typ.NonNull
		}
	}
	return w.value(v, f.member.typ, f)
}

// arguments returns the arguments for the function of a field. ok is false when the arguments do
// not fit. They are converted once for fields of many elements: lists in variables can be long,
// and a conversion for each element would multiply both.
func (w *writer) arguments(f *field, often bool) (packed reflect.Value, ok bool) {
	if f.member.call.input == nil {
		return packed, true
	}
	if known, ok := w.argumentCache.Load(f); ok {
		return known.(reflect.Value), true
	}
	packed, ok = w.planner.arguments(f.member.call, f.arguments, w.variables)
	if ok && often {
		known, _ := w.argumentCache.LoadOrStore(f, packed)
		packed = known.(reflect.Value)
	}
	return packed, ok
}

// value appends a value of a GraphQL type.
func (w *writer) value(v reflect.Value, t *ast.Type, f *field) bool {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return w.null(t)
		}
		v = v.Elem()
	}
	if t.Elem != nil {
		return w.list(v, t, f)
	}
	if f.member.leaf {
		return w.leaf(v, t, f.member)
	}
	return w.object(v, t, f)
}

// null appends null for an absent value.
func (w *writer) null(t *ast.Type) bool {
	w.out = append(w.out, null...)
	if t.NonNull {
		w.addFailure(ErrNoValue)
	}
	return !t.NonNull
}

// replaceWithNull replaces the output from start with null, because a part of the value is
// invalid.
func (w *writer) replaceWithNull(start int, t *ast.Type) bool {
	w.out = append(w.out[:start], null...)
	return !t.NonNull
}

// elementsPerYield is the number of list elements that are written between two yields of the
// processor to other requests.
const elementsPerYield = 32

func (w *writer) list(v reflect.Value, t *ast.Type, f *field) bool {
	if v.Kind() != reflect.Slice {
		return w.fallBack(t)
	}
	start, valid := len(w.out), true
	w.out = append(w.out, '[')
	for i := range v.Len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if i%elementsPerYield == elementsPerYield-1 {
			idle.Yield(w.ctx)
		}
		before := w.calls
		valid = w.element(v, i, t.Elem, f) && valid
		if w.calls > before {
			valid = w.remainingElements(v, i+1, t.Elem, f) && valid
			break
		}
	}
	w.out = append(w.out, ']')
	return valid || w.replaceWithNull(start, t)
}

func (w *writer) element(v reflect.Value, i int, t *ast.Type, f *field) bool {
	w.path = append(w.path, step{index: i})
	valid := w.value(v.Index(i), t, f)
	w.path = w.path[:len(w.path)-1]
	return valid
}

// elementsPerJoin is the number of elements that are written concurrently before they are joined.
// Until then their output is held twice.
const elementsPerJoin = 256

// remainingElements appends the elements after the first one that called functions. They probably
// call functions, too, so they are written concurrently while slots are free.
func (w *writer) remainingElements(v reflect.Value, from int, t *ast.Type, f *field) bool {
	valid := true
	for ; from < v.Len(); from += elementsPerJoin {
		valid = w.elements(v, from, min(from+elementsPerJoin, v.Len()), t, f) && valid
	}
	return valid
}

// elements appends elements that are written concurrently.
func (w *writer) elements(v reflect.Value, from, to int, t *ast.Type, f *field) bool {
	elements := make([]*writer, to-from)
	var all sync.WaitGroup
	var invalid atomic.Bool
	for n := range elements {
		if n%elementsPerYield == 0 {
			idle.Yield(w.ctx)
		}
		if w.fellBack.Load() || w.ctx.Err() != nil {
			elements = elements[:n]
			break
		}
		one := w.fork()
		elements[n] = one
		write := func() {
			if !one.try(w.path, func() bool { return one.element(v, from+n, t, f) }) {
				invalid.Store(true)
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
	for _, one := range elements {
		w.join(one, false, 0)
	}
	return !invalid.Load()
}

func (w *writer) object(v reflect.Value, t *ast.Type, f *field) bool {
	if v.Kind() != reflect.Struct {
		return w.fallBack(t)
	}
	set := f.below.of(v.Type())
	if set == nil {
		return w.fallBack(t)
	}
	if set.isWrapper {
		return w.value(reflect.ValueOf(v.Addr().Interface().(wrapper).Held()), t, f)
	}
	return w.members(set, v, t)
}

// members appends an object with its selected fields.
func (w *writer) members(set *set, v reflect.Value, t *ast.Type) bool {
	start, valid := len(w.out), true
	w.out = append(w.out, '{')
	for i := range set.fields {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		valid = w.field(&set.fields[i], v) && valid
	}
	w.out = append(w.out, '}')
	return valid || w.replaceWithNull(start, t)
}

func (w *writer) leaf(v reflect.Value, t *ast.Type, m *member) bool {
	switch v.Kind() {
	case reflect.String:
		if m.enum != nil && !m.enum[v.String()] {
			w.out = append(w.out, null...)
			w.addFailure(ErrNoValue)
			return !t.NonNull
		}
		w.out = jsontree.AppendString(w.out, v.String())
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Int32, reflect.Int64:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Float64:
		text, err := json.Marshal(v.Float())
		if err != nil {
			w.out = append(w.out, null...)
			w.addFailure(ErrNoValue)
			return !t.NonNull
		}
		w.out = append(w.out, text...)
	default:
		return w.fallBack(t)
	}
	return true
}
