package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// bindings are the variables of a specialised text. Each represents one source value at places of
// one type with one default.
type bindings struct {
	catalog *schemaIndex
	list    []*binding
	index   map[string]*binding
	names   map[string]bool
}

type binding struct {
	name     string
	declared string
	typ      *ast.Type
	// fallback is the default of the argument in the schema.
	fallback *ast.Value
	source   *ast.Value
	// dynamic values depend on variables of the request; others are constant.
	dynamic  bool
	constant any
}

func newBindings(c *schemaIndex, op *ast.OperationDefinition) *bindings {
	b := &bindings{catalog: c, index: map[string]*binding{}, names: map[string]bool{}}
	for _, v := range op.VariableDefinitions {
		b.names[v.Variable] = false
	}
	return b
}

// arguments writes the arguments of a field. It omits an argument with a null value if the schema
// has a default for it, because the library does not accept that null.
func (sp *specialiser) arguments(def *ast.FieldDefinition, given ast.ArgumentList) []argument {
	var out []argument
	for _, arg := range given {
		to := def.Arguments.ForName(arg.Name)
		if to == nil {
			continue
		}
		if !usesVariables(arg.Value) {
			value, _ := sp.schema.coerce(to.Type, valueOfLiteral(arg.Value, nil))
			if value == nil && hasDefault(to.DefaultValue) {
				continue
			}
			if text, ok := sp.schema.literal(to.Type, value); ok {
				out = append(out, argument{arg.Name, text})
				continue
			}
		}
		out = append(out, argument{arg.Name, "$" + sp.bindings.variable(to.Type, to.DefaultValue, arg.Value)})
	}
	return out
}

// variable returns the name of the binding for a value at a place of type t.
func (b *bindings) variable(t *ast.Type, fallback, value *ast.Value) string {
	key := fmt.Sprintf("%s|%p|%s", t, fallback, value)
	if known, ok := b.index[key]; ok {
		return known.name
	}
	out := &binding{name: b.unique(value), declared: t.String(), typ: t, source: value, dynamic: usesVariables(value)}
	if hasDefault(fallback) {
		out.fallback = fallback
		if !t.NonNull {
			out.declared += "!"
		}
	}
	if !out.dynamic {
		out.constant, _ = b.catalog.coerce(t, valueOfLiteral(value, nil))
	}
	b.index[key] = out
	b.list = append(b.list, out)
	return out.name
}

// dropUnused drops the bindings that the printer did not write: they belong to selections that no
// object can have, and the library refuses unused variables.
func (b *bindings) dropUnused(written map[string]bool) {
	b.list = slices.DeleteFunc(b.list, func(v *binding) bool { return !written[v.name] })
}

// unique returns a new name for a binding. The first binding of a variable has the name of the
// variable.
func (b *bindings) unique(value *ast.Value) string {
	if value.Kind == ast.Variable && !b.names[value.Raw] {
		b.names[value.Raw] = true
		return value.Raw
	}
	for i := len(b.list); ; i++ {
		name := "v" + strconv.Itoa(i)
		if _, taken := b.names[name]; !taken {
			b.names[name] = true
			return name
		}
	}
}

func usesVariables(v *ast.Value) bool {
	if v.Kind == ast.Variable {
		return true
	}
	return slices.ContainsFunc(v.Children, func(c *ast.ChildValue) bool { return usesVariables(c.Value) })
}

// literal prints the values that the library reads unchanged: short plain text, 32-bit numbers,
// booleans and names.
func (c *schemaIndex) literal(t *ast.Type, value any) (string, bool) {
	if value == nil {
		return "null", true
	}
	if t.Elem != nil {
		return "", false
	}
	switch v := value.(type) {
	case int32:
		return strconv.Itoa(int(v)), true
	case bool:
		return strconv.FormatBool(v), t.NamedType == "Boolean"
	case string:
		if c.schema.Types[t.NamedType].Kind == ast.Enum {
			return v, true
		}
		return `"` + v + `"`, (t.NamedType == "String" || t.NamedType == "ID") && isPlainText(v)
	}
	return "", false
}

func isPlainText(s string) bool {
	if len(s) > 200 {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return true
}

// Variables returns the variables for Text, computed from those of the request: a JSON object,
// null or nothing. The values are coerced to the types that the document declares and contain all
// defaults, of variables and of the schema. The names are those of Text, not of the request. An
// argument whose schema has a default gets the default also when the value is null and its type
// allows null. Requests may share the values, so callers must not change them; the map itself
// belongs to the caller. Variables beyond the limits of bytes and values are refused.
func (d *Document) Variables(raw json.RawMessage) (map[string]any, Errors) {
	given, errs := d.decodeVariables(raw)
	if errs != nil {
		return nil, errs
	}
	values, errs := d.coerceVariables(given)
	if len(errs) > 0 {
		return nil, errs
	}
	vars := func(name string) any {
		if v, ok := values[name]; ok {
			return coercedValue{v}
		}
		return unsetVariable{}
	}
	out := make(map[string]any, len(d.bindings))
	for _, b := range d.bindings {
		value := b.constant
		if b.dynamic {
			v, p := b.evaluate(d.schema, vars)
			if p != nil {
				errs = append(errs, badVariable(firstVariable(b.source), p, locate(b.source.Position)))
				continue
			}
			value = v
		}
		out[b.name] = value
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return out, nil
}

func (b *binding) evaluate(c *schemaIndex, vars func(string) any) (any, *problem) {
	in := valueOfLiteral(b.source, vars)
	if b.fallback != nil && (isUnset(in) || isNull(in) && !b.typ.NonNull) {
		return c.defaults[b.fallback], nil
	}
	return c.coerce(b.typ, in)
}

// DeclaredValues counts the values in the variables that the operation declares, without decoding
// them, so that the memory for decoding can be estimated beforehand. It is zero for variables
// that Variables refuses because of their size or syntax.
func (d *Document) DeclaredValues(raw json.RawMessage) int {
	raw = bytes.TrimSpace(raw)
	if len(raw) > d.maxBytes || len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return 0
	}
	values := 0
	_ = jsontree.Members(raw, func(name string, text json.RawMessage) error {
		if d.op.VariableDefinitions.ForName(name) != nil {
			values += jsontree.Count(text)
		}
		return nil
	})
	if values > d.maxValues {
		return 0
	}
	return values
}

// decodeVariables decodes the variables that the operation declares. Other variables are not
// decoded, as clients send variables that no operation uses; without IgnoreUnknownVariables they
// are refused.
func (d *Document) decodeVariables(raw json.RawMessage) (map[string]any, Errors) {
	if len(raw) > d.maxBytes {
		return nil, overBudget("variables length", len(raw), d.maxBytes)
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] != '{' || !json.Valid(raw) {
		return nil, invalid(nil, `Variables are not a JSON object; send {"name": value}, null or nothing`)
	}
	given, values := map[string]any{}, 0
	var errs Errors
	err := jsontree.Members(raw, func(name string, text json.RawMessage) error {
		if d.op.VariableDefinitions.ForName(name) == nil {
			if !d.ignoreUnknown && len(errs) < maxErrors {
				errs = append(errs, invalid(nil, "Variable '%s' has an invalid value: the operation does not declare it", truncate(name))...)
			}
			return nil
		}
		if values += jsontree.Count(text); values > d.maxValues {
			errs = overBudget("variable values", values, d.maxValues)
			return errs
		}
		value, err := jsontree.Decode(text)
		given[name] = value
		return err
	})
	if len(errs) > 0 {
		return nil, errs
	}
	if err != nil {
		return nil, invalid(nil, "Variables cannot be read: %v", err)
	}
	return given, nil
}

// coerceVariables coerces the variables that the operation declares. A variable without a value
// and without a default is absent from the result.
func (d *Document) coerceVariables(given map[string]any) (map[string]any, Errors) {
	var errs Errors
	values := make(map[string]any, len(d.op.VariableDefinitions))
	for _, def := range d.op.VariableDefinitions {
		in, ok := given[def.Variable]
		switch {
		case !ok && def.DefaultValue != nil:
			in = valueOfLiteral(def.DefaultValue, nil)
		case !ok && !def.Type.NonNull:
			continue
		}
		value, p := d.schema.coerce(def.Type, in)
		if p != nil {
			errs = append(errs, badVariable(def.Variable, p, locate(def.Position)))
			continue
		}
		values[def.Variable] = value
	}
	return values, errs[:min(len(errs), maxErrors)]
}

func badVariable(name string, p *problem, at []Location) Error {
	return Error{
		Message:        p.sentence("Variable '" + name + "' has an invalid value: it"),
		Locations:      at,
		Classification: ValidationError,
	}
}

func firstVariable(v *ast.Value) string {
	if v.Kind == ast.Variable {
		return v.Raw
	}
	for _, child := range v.Children {
		if usesVariables(child.Value) {
			return firstVariable(child.Value)
		}
	}
	return ""
}
