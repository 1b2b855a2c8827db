package plan

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// call is a function that computes a field.
type call struct {
	method     reflect.Value // of an operation; other functions are fields of the struct
	input      reflect.Type  // type of the arguments, nil when there are none
	parameters map[string]parameter
}

type parameter struct {
	index    int // in the struct of arguments
	fallback any // value of an absent argument; nil leaves the zero value
}

// argumentValue is an argument of a field of the text.
type argumentValue struct {
	parameter
	variable string
	constant any
}

// argumentValues reads the arguments of a field. Absent arguments have their default. ok is false
// when a value has a form that does not occur in specialised texts.
func (c *call) argumentValues(list ast.ArgumentList) (out []argumentValue, ok bool) {
	if c == nil {
		return nil, len(list) == 0
	}
	for name, a := range c.parameters {
		arg := list.ForName(name)
		switch {
		case arg == nil && a.fallback != nil:
			out = append(out, argumentValue{parameter: a, constant: a.fallback})
		case arg == nil:
		case arg.Value.Kind == ast.Variable:
			out = append(out, argumentValue{parameter: a, variable: arg.Value.Raw})
		default:
			constant, ok := literal(arg.Value)
			if !ok {
				return nil, false
			}
			out = append(out, argumentValue{parameter: a, constant: constant})
		}
	}
	return out, true
}

func literal(v *ast.Value) (any, bool) {
	switch v.Kind {
	case ast.IntValue:
		n, err := strconv.ParseInt(v.Raw, 10, 32)
		return int32(n), err == nil
	case ast.StringValue, ast.EnumValue:
		return v.Raw, true
	case ast.BooleanValue:
		return v.Raw == "true", true
	case ast.NullValue:
		return nil, true
	}
	return nil, false
}

// arguments converts arguments to the struct that the function takes. The function must not
// change them. ok is false when a value does not fit.
func (p *Planner) arguments(c *call, args []argumentValue, variables map[string]any) (packed reflect.Value, ok bool) {
	packed = reflect.New(c.input).Elem()
	for _, a := range args {
		value := a.constant
		if a.variable != "" {
			value = variables[a.variable]
		}
		if !p.assign(packed.Field(a.index), value) {
			return reflect.Value{}, false
		}
	}
	return packed, true
}

// invoke calls the function for a value; arguments is the result of the method arguments, if the
// function takes any. The error is errArguments when the function is nil, ErrPanic when it
// panicked, and otherwise the error of the function.
func (p *Planner) invoke(ctx context.Context, c *call, function, arguments reflect.Value) (value reflect.Value, err error) {
	if c.method.IsValid() {
		function = c.method
	}
	if function.IsNil() {
		return reflect.Value{}, errArguments
	}
	var buffer [2]reflect.Value
	in := append(buffer[:0], reflect.ValueOf(ctx))
	if c.input != nil {
		in = append(in, arguments)
	}
	defer func() {
		if cause := recover(); cause != nil {
			p.logPanic(ctx, cause)
			value, err = reflect.Value{}, ErrPanic
		}
	}()
	out := function.Call(in)
	err, _ = out[1].Interface().(error)
	return out[0], err
}

// unmarshaler is the interface of the library for scalars that decode themselves.
type unmarshaler interface {
	UnmarshalGraphQL(input any) error
}

// assign sets an argument, or a part of one, to a coerced value. It returns false when the value
// does not fit.
func (p *Planner) assign(into reflect.Value, value any) bool {
	if into.Kind() == reflect.Pointer {
		if value == nil {
			return true
		}
		into.Set(reflect.New(into.Type().Elem()))
		return p.assign(into.Elem(), value)
	}
	if custom, ok := into.Addr().Interface().(unmarshaler); ok {
		return value != nil && custom.UnmarshalGraphQL(value) == nil
	}
	switch into.Kind() {
	case reflect.Struct:
		return p.assignObject(into, value)
	case reflect.Slice:
		return p.assignList(into, value)
	case reflect.String:
		text, ok := value.(string)
		into.SetString(text)
		return ok
	case reflect.Bool:
		yes, ok := value.(bool)
		into.SetBool(yes)
		return ok
	case reflect.Int32:
		n, ok := value.(int32)
		into.SetInt(int64(n))
		return ok
	case reflect.Float64:
		f, ok := value.(float64)
		into.SetFloat(f)
		return ok
	}
	return false
}

func (p *Planner) assignList(into reflect.Value, value any) bool {
	list, ok := value.([]any)
	if !ok {
		return false
	}
	into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
	for i, element := range list {
		if !p.assign(into.Index(i), element) {
			return false
		}
	}
	return true
}

func (p *Planner) assignObject(into reflect.Value, value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return false
	}
	fields := p.fieldsOf(into.Type())
	for name, v := range object {
		index, ok := fields[strings.ToLower(name)]
		if !ok || !p.assign(into.Field(index), v) {
			return false
		}
	}
	return true
}

// fieldsOf returns the index of each field of a struct by its name in lower case, because names
// in the schema begin with a lower-case letter.
func (p *Planner) fieldsOf(t reflect.Type) map[string]int {
	if known, ok := p.inputs.Load(t); ok {
		return known.(map[string]int)
	}
	made := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		made[strings.ToLower(t.Field(i).Name)] = i
	}
	p.inputs.Store(t, made)
	return made
}
