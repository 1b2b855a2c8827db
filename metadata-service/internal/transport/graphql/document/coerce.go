package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// The input values of coerce are those that encoding/json decodes with UseNumber, and the
// following types, which only literals of a document produce.
type (
	// enumName is a bare name in a document.
	enumName string
	// unsetVariable is a variable without a value: absent in an object, null in a list.
	unsetVariable struct{}
	// unknownVariable is a variable during validation of a document; it fits every type.
	unknownVariable struct{}
	// coercedValue is the value of a variable that has been coerced already.
	coercedValue struct{ value any }
)

// problem is the reason why a value does not fit its type. predicate is the part of a sentence
// whose subject is the value, or the member of the value at path.
type problem struct {
	path      []string
	predicate string
}

func (p *problem) Error() string { return p.sentence("the value") }

// sentence returns the whole sentence; subject names the coerced value.
func (p *problem) sentence(subject string) string {
	if len(p.path) == 0 {
		return subject + " " + p.predicate
	}
	return subject + ": '" + strings.TrimPrefix(strings.Join(p.path, ""), ".") + "' " + p.predicate
}

func (p *problem) atStep(step string) *problem {
	p.path = slices.Insert(p.path, 0, step)
	return p
}

func newProblem(format string, args ...any) *problem {
	return &problem{predicate: fmt.Sprintf(format, args...)}
}

// valueOfLiteral converts a literal into an input value of coerce. The function vars returns the
// value of a variable; nil means that no variable has a value.
func valueOfLiteral(v *ast.Value, vars func(name string) any) any {
	switch v.Kind {
	case ast.Variable:
		if vars == nil {
			return unsetVariable{}
		}
		return vars(v.Raw)
	case ast.IntValue, ast.FloatValue:
		return json.Number(v.Raw)
	case ast.StringValue, ast.BlockValue:
		return v.Raw
	case ast.BooleanValue:
		return v.Raw == "true"
	case ast.EnumValue:
		return enumName(v.Raw)
	case ast.ListValue:
		list := make([]any, len(v.Children))
		for i, child := range v.Children {
			list[i] = valueOfLiteral(child.Value, vars)
		}
		return list
	case ast.ObjectValue:
		object := make(map[string]any, len(v.Children))
		for _, child := range v.Children {
			object[child.Name] = valueOfLiteral(child.Value, vars)
		}
		return object
	}
	return nil
}

// coerce converts in to type t: int32 for Int, int64 for Long, float64, string, bool, []any, and
// map[string]any with all defaults filled in. It accepts numbers and booleans for String and ID,
// numeric text for numbers, "true" and "false" for Boolean, and a single value where t is a list.
func (c *schemaIndex) coerce(t *ast.Type, in any) (any, *problem) {
	switch v := in.(type) {
	case unknownVariable:
		return nil, nil
	case coercedValue:
		if v.value != nil || !t.NonNull {
			return v.value, nil
		}
		in = nil
	case unsetVariable:
		in = nil
	}
	if in == nil {
		if t.NonNull {
			return nil, newProblem("must not be null, its type is '%s'", t)
		}
		return nil, nil
	}
	if t.Elem != nil {
		return c.coerceList(t.Elem, in)
	}
	def := c.schema.Types[t.NamedType]
	switch {
	case def == nil:
		return nil, newProblem("has the unknown type '%s'", t.NamedType)
	case def.Kind == ast.InputObject:
		return c.coerceObject(def, in)
	case def.Kind == ast.Enum:
		return coerceEnum(def, in)
	}
	return coerceScalar(def.Name, in)
}

func (c *schemaIndex) coerceList(elem *ast.Type, in any) (any, *problem) {
	list, ok := in.([]any)
	if !ok {
		one, p := c.coerce(elem, in)
		if p != nil {
			return nil, p
		}
		return []any{one}, nil
	}
	out := make([]any, len(list))
	for i, v := range list {
		var p *problem
		if out[i], p = c.coerce(elem, v); p != nil {
			return nil, p.atStep("[" + strconv.Itoa(i) + "]")
		}
	}
	return out, nil
}

func (c *schemaIndex) coerceObject(def *ast.Definition, in any) (any, *problem) {
	object, ok := in.(map[string]any)
	if !ok {
		return nil, newProblem("is not a valid '%s' - expected an object but it was %s", def.Name, kindOf(in))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if def.Fields.ForName(name) == nil {
			return nil, newProblem("contains a field not in '%s': '%s'", def.Name, truncate(name))
		}
	}
	if def.Directives.ForName("oneOf") != nil {
		if p := checkOneOf(def, object); p != nil {
			return nil, p
		}
	}
	out := make(map[string]any, len(def.Fields))
	for _, f := range def.Fields {
		v, present := object[f.Name]
		if isUnset(v) {
			present = false
		}
		if hasDefault(f.DefaultValue) && (!present || isNull(v) && !f.Type.NonNull) {
			out[f.Name] = c.defaults[f.DefaultValue]
			continue
		}
		if !present {
			if f.Type.NonNull {
				return nil, newProblem("is missing required fields '[%s]'", f.Name)
			}
			continue
		}
		value, p := c.coerce(f.Type, v)
		if p != nil {
			return nil, p.atStep("." + f.Name)
		}
		out[f.Name] = value
	}
	return out, nil
}

func checkOneOf(def *ast.Definition, object map[string]any) *problem {
	given := 0
	for _, v := range object {
		if isNull(v) {
			return newProblem("must give one field of '%s', and not null", def.Name)
		}
		given++
	}
	if given != 1 {
		return newProblem("must give exactly one field of '%s'", def.Name)
	}
	return nil
}

func isUnset(v any) bool {
	_, ok := v.(unsetVariable)
	return ok
}

func isNull(v any) bool {
	if r, ok := v.(coercedValue); ok {
		return r.value == nil
	}
	return v == nil || isUnset(v)
}
