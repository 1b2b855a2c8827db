package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// conversion is the Go expression of a function that converts a JSON node to the Go form of a
// GraphQL type, without regard to nullability. A nested conversion refers to w, the selection on
// the value.
type conversion struct {
	code   string
	nested bool
}

func (p *plannedTypes) convert(t *ast.Type, from *model.Type) (conversion, error) {
	if t.Elem != nil {
		switch from.Shape {
		case model.Array:
			c, err := p.convert(t.Elem, from.Elem)
			return conversion{"asList(" + p.element(t.Elem, c) + ")", c.nested}, err
		case model.Map:
			c, err := p.convert(t.Elem, entryOf(from))
			return conversion{"asEntries(" + p.element(t.Elem, c) + ")", c.nested}, err
		}
		return conversion{}, fmt.Errorf("%s is no list", describe(from))
	}
	def := p.schema.Types[t.NamedType]
	switch def.Kind {
	case ast.Scalar:
		return p.convertScalar(def.Name, from)
	case ast.Enum:
		return p.convertEnum(def, from)
	case ast.Object:
		return p.convertObject(def, from)
	}
	if from.Shape != model.String {
		return conversion{}, fmt.Errorf("%s is no URN of a %s", describe(from), def.Name)
	}
	return conversion{"func(v any) (*" + def.Name + ", bool) { return l.as" + def.Name + "(v, w) }", true}, nil
}

// element returns the conversion of list elements, wrapped to return pointers where the library
// requires them for nullable elements.
func (p *plannedTypes) element(t *ast.Type, c conversion) string {
	if t.NonNull || t.Elem != nil {
		return c.code
	}
	switch p.schema.Types[t.NamedType].Kind {
	case ast.Scalar, ast.Enum:
		return "nullableElement(" + c.code + ")"
	}
	return c.code
}

var scalarFunctions = map[string]string{"String": "asText", "ID": "asText", "Boolean": "asBool", "Int": "asInt", "Long": "asLong", "Float": "asFloat"}

func (p *plannedTypes) convertScalar(name string, from *model.Type) (conversion, error) {
	fits := map[string][]model.Shape{
		"String":  {model.String, model.Enum, model.Boolean, model.Int, model.Long, model.Float, model.Double, model.Bytes, model.Fixed},
		"Boolean": {model.Boolean}, "Int": {model.Int, model.Long},
		"Long":  {model.Int, model.Long},
		"Float": {model.Int, model.Long, model.Float, model.Double},
	}
	if !slices.Contains(fits[name], from.Shape) {
		return conversion{}, fmt.Errorf("%s is no %s", describe(from), name)
	}
	return conversion{code: scalarFunctions[name]}, nil
}

func (p *plannedTypes) convertEnum(def *ast.Definition, from *model.Type) (conversion, error) {
	if from.Shape != model.Enum && from.Shape != model.String {
		return conversion{}, fmt.Errorf("%s is no %s", describe(from), def.Name)
	}
	return conversion{code: "as" + exported(def.Name)}, nil
}

func (p *plannedTypes) convertObject(def *ast.Definition, from *model.Type) (conversion, error) {
	if p.byType[def.Name] != nil {
		if from.Shape != model.String {
			return conversion{}, fmt.Errorf("%s is no URN of a %s", describe(from), def.Name)
		}
		return conversion{"func(v any) (*" + def.Name + ", bool) { return l.as" + def.Name + "(v, w) }", true}, nil
	}
	wrap := "v"
	if from.Shape == model.String || from.Shape == model.Enum {
		from, wrap = valueOf(from), "asValue(v)"
	}
	if from.Shape != model.RecordShape {
		return conversion{}, fmt.Errorf("%s is no record for %s", describe(from), def.Name)
	}
	key := def.Name + " " + from.Name
	r, ok := p.pairs[key]
	if !ok {
		r = &projection{name: "to" + def.Name, def: def, record: from}
		for _, other := range p.projections {
			if other.name == r.name {
				r.name = "to" + def.Name + "From" + from.Short()
			}
		}
		p.pairs[key] = r
		p.projections = append(p.projections, r)
	}
	return conversion{"func(v any) (*" + def.Name + ", bool) { return l." + r.name + "(ctx, at, " + wrap + ", w) }", true}, nil
}

// valueOf wraps a string type into a record with the member value.
func valueOf(t *model.Type) *model.Type {
	return &model.Type{Shape: model.RecordShape, Name: "valueOf" + exported(describe(t)), Fields: []model.Field{{Name: "value", Type: t}}}
}

// entryOf is the type of a map entry as a record with the members key and value.
func entryOf(m *model.Type) *model.Type {
	return &model.Type{
		Shape: model.RecordShape, Name: "entryOf" + exported(describe(m.Elem)),
		Fields: []model.Field{{Name: "key", Type: &model.Type{Shape: model.String}}, {Name: "value", Type: m.Elem}},
	}
}

// assign returns the Go expression for a field of type t: it applies the conversion to the value
// and handles null and defaults. It returns an error when a non-null enum can have values outside
// its symbols and has no default.
func (p *plannedTypes) assign(t *ast.Type, from *model.Type, convert, value string, fallback *string) (string, error) {
	call := convert + "(" + value + ")"
	kind := ast.Object
	if t.Elem == nil {
		kind = p.schema.Types[t.NamedType].Kind
	}
	plain := t.Elem != nil || kind == ast.Scalar || kind == ast.Enum
	if fallback != nil {
		literal := *fallback
		if t.Elem == nil && (kind == ast.Enum || t.NamedType == "String" || !plain) {
			literal = strconv.Quote(literal)
		}
		if !plain {
			return "recordOrDefault(" + convert + ", " + value + ", " + literal + ")", nil
		}
		if t.NonNull {
			return "orDefault[" + goType(p.schema, t) + "](" + literal + ")(" + call + ")", nil
		}
		return "nullable(orDefault[" + goType(p.schema, &ast.Type{NamedType: t.NamedType, Elem: t.Elem, NonNull: true}) + "](" + literal + ")(" + call + "), true)", nil
	}
	switch {
	case t.Elem != nil && t.NonNull:
		return "listOrEmpty(" + call + ")", nil
	case plain && !t.NonNull:
		return "nullable(" + call + ")", nil
	case kind == ast.Scalar:
		return "orDefault[" + goType(p.schema, t) + "](" + zero[t.NamedType] + ")(" + call + ")", nil
	case kind == ast.Enum && covers(p.schema.Types[t.NamedType], from):
		return "orDefault[string](" + strconv.Quote(from.Symbols[0]) + ")(" + call + ")", nil
	case kind == ast.Enum:
		return "", fmt.Errorf("it is never null and cannot say all that %s can, so it needs a default", describe(from))
	case t.NonNull && kind == ast.Object && p.byType[t.NamedType] == nil:
		return "recordOrEmpty(" + convert + ", " + value + ")", nil
	}
	return "nullablePointer(" + call + ")", nil
}

// covers reports whether a GraphQL enum has all symbols of the model's enum.
func covers(def *ast.Definition, from *model.Type) bool {
	for _, symbol := range from.Symbols {
		if def.EnumValues.ForName(symbol) == nil {
			return false
		}
	}
	return len(from.Symbols) > 0
}

var zero = map[string]string{"String": `""`, "Boolean": "false", "Int": "0", "Long": "0", "Float": "0"}

// member returns the type of a member of a record.
func member(t *model.Type, name string) (*model.Type, bool) {
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Type, true
		}
	}
	return nil, false
}

func describe(t *model.Type) string {
	if t.Name != "" {
		return t.Short()
	}
	return t.Shape.String()
}

// goType returns the Go type that the library requires for a GraphQL type.
func goType(schema *ast.Schema, t *ast.Type) string {
	if t.Elem != nil {
		list := "[]" + goType(schema, t.Elem)
		if !t.NonNull {
			return "*" + list
		}
		return list
	}
	def := schema.Types[t.NamedType]
	name := map[string]string{"String": "string", "ID": "string", "Boolean": "bool", "Int": "int32", "Float": "float64"}[def.Name]
	switch {
	case name == "" && def.Kind == ast.Enum:
		name = "string"
	case name == "" && def.Kind == ast.Scalar:
		name = def.Name
	case name == "":
		if def.Kind == ast.InputObject && t.NonNull {
			return def.Name
		}
		return "*" + def.Name
	}
	if !t.NonNull {
		return "*" + name
	}
	return name
}
