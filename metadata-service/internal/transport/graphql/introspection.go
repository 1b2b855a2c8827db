package graphql

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// This file executes documents that select nothing but the schema, from the parsed schema. The
// library takes half a second for the queries that clients send at their start, and does not
// return the interfaces that an interface implements.

// introspect executes a document that selects only the schema. The response to a document without
// variables never changes, so it is cached.
func (e *Engine) introspect(ctx context.Context, d *document.Document, variables map[string]any) Response {
	known, ok := e.answers.get(d)
	work := schemaValueTime * time.Duration(d.SchemaValues())
	if ok {
		work = answerTime * time.Duration(len(known))
	}
	if err := admission.Work(ctx, work); err != nil {
		return e.refusedForMemory(ctx, d, err)
	}
	if ok {
		return Response{Data: known}
	}
	i := &introspector{canceled: ctx.Err, schema: e.parsed, variables: variables}
	data := i.object(nil, i.root, queryName, d.Definition().SelectionSet)
	if i.stopped {
		return Response{Errors: []Error{{
			Message:    fmt.Sprintf("the answer is larger than %d MiB: ask for less of the schema at a time", maxIntrospection>>20),
			Extensions: map[string]any{"classification": "ExecutionAborted"},
		}}}
	}
	if err := admission.ReserveCapped(ctx, int64(len(data))); err != nil {
		return e.refusedForMemory(ctx, d, err)
	}
	if len(variables) == 0 {
		e.answers.put(d, data)
	}
	return Response{Data: data}
}

const (
	queryName    = "Query"
	mutationName = "Mutation"
)

// maxIntrospection bounds a response about the schema in bytes. The query that clients send at
// their start needs a twentieth of it.
const maxIntrospection = 32 << 20

type introspector struct {
	canceled  func() error // returns an error once the request is cancelled
	schema    *ast.Schema
	variables map[string]any
	stopped   bool // the output is too long, or the request is cancelled
}

// field is a key of the response with its merged selections.
type field struct {
	key      string
	selected *ast.Field
	below    ast.SelectionSet
}

// object writes the selected fields of a node. The function resolve appends the value of one
// field.
func (i *introspector) object(to []byte, resolve func(to []byte, f *field) []byte, typeName string, set ast.SelectionSet) []byte {
	if i.stopped = i.stopped || len(to) > maxIntrospection || i.canceled() != nil; i.stopped {
		return to
	}
	var order []*field
	i.collect(&order, set, map[*ast.FragmentDefinition]bool{})
	to = append(to, '{')
	for n, f := range order {
		if n > 0 {
			to = append(to, ',')
		}
		to = append(appendText(to, f.key), ':')
		if f.selected.Name == "__typename" {
			to = appendText(to, typeName)
			continue
		}
		to = resolve(to, f)
	}
	return append(to, '}')
}

// collect merges fields with the same key. Each place has exactly one type, so type conditions of
// fragments always hold; a fragment counts once.
func (i *introspector) collect(order *[]*field, set ast.SelectionSet, seen map[*ast.FragmentDefinition]bool) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if !i.included(s.Directives) {
				continue
			}
			at := slices.IndexFunc(*order, func(f *field) bool { return f.key == s.Alias })
			if at < 0 {
				*order = append(*order, &field{key: s.Alias, selected: s})
				at = len(*order) - 1
			}
			(*order)[at].below = append((*order)[at].below, s.SelectionSet...)
		case *ast.InlineFragment:
			if i.included(s.Directives) {
				i.collect(order, s.SelectionSet, seen)
			}
		case *ast.FragmentSpread:
			if !seen[s.Definition] && i.included(s.Directives) {
				seen[s.Definition] = true
				i.collect(order, s.Definition.SelectionSet, seen)
			}
		}
	}
}

func (i *introspector) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		on, _ := d.ArgumentMap(i.variables)["if"].(bool)
		if d.Name == "skip" && on || d.Name == "include" && !on {
			return false
		}
	}
	return true
}

// flag returns the value of a boolean argument.
func (i *introspector) flag(f *field, name string) bool {
	on, _ := f.selected.ArgumentMap(i.variables)[name].(bool)
	return on
}

func (i *introspector) root(to []byte, f *field) []byte {
	switch f.selected.Name {
	case "__schema":
		return i.object(to, i.schemaField, "__Schema", f.below)
	case "__type":
		name, _ := f.selected.ArgumentMap(i.variables)["name"].(string)
		if def := i.schema.Types[name]; def != nil {
			return i.typeDefinition(to, def, f.below)
		}
	}
	return append(to, "null"...)
}

func (i *introspector) schemaField(to []byte, f *field) []byte {
	switch f.selected.Name {
	case "types":
		names := make([]string, 0, len(i.schema.Types))
		for name := range i.schema.Types {
			names = append(names, name)
		}
		slices.Sort(names)
		return list(to, names, func(to []byte, name string) []byte { return i.typeDefinition(to, i.schema.Types[name], f.below) })
	case "queryType":
		return i.typeDefinition(to, i.schema.Query, f.below)
	case "mutationType":
		return i.typeDefinition(to, i.schema.Mutation, f.below)
	case "directives":
		all := make([]*ast.DirectiveDefinition, 0, len(i.schema.Directives))
		for _, d := range i.schema.Directives {
			if slices.Contains(directives, d.Name) {
				all = append(all, d)
			}
		}
		slices.SortFunc(all, func(a, b *ast.DirectiveDefinition) int { return cmp.Compare(a.Name, b.Name) })
		return list(to, all, func(to []byte, d *ast.DirectiveDefinition) []byte { return i.directive(to, d, f.below) })
	}
	return append(to, "null"...)
}

// directives are the directives that documents or the schema may use. The parser defines others,
// and locations that clients do not support.
var directives = []string{"deprecated", "include", "skip", "specifiedBy"}

func locations(d *ast.DirectiveDefinition) []ast.DirectiveLocation {
	return slices.DeleteFunc(slices.Clone(d.Locations), func(l ast.DirectiveLocation) bool { return l == "DIRECTIVE_DEFINITION" })
}

func (i *introspector) directive(to []byte, d *ast.DirectiveDefinition, set ast.SelectionSet) []byte {
	return i.object(to, func(to []byte, f *field) []byte {
		switch f.selected.Name {
		case "name":
			return appendText(to, d.Name)
		case "description":
			return appendMaybe(to, d.Description)
		case "isRepeatable":
			return appendBool(to, d.IsRepeatable)
		case "locations":
			return list(to, locations(d), func(to []byte, l ast.DirectiveLocation) []byte { return appendText(to, string(l)) })
		case "args":
			return list(to, i.arguments(d.Arguments, f), func(to []byte, a *ast.ArgumentDefinition) []byte { return i.argument(to, a, f.below) })
		}
		return append(to, "null"...)
	}, "__Directive", set)
}

// typeReference writes a type as used by a field or argument, with its NON_NULL and LIST
// wrappers.
func (i *introspector) typeReference(to []byte, t *ast.Type, set ast.SelectionSet) []byte {
	kind, inner := "", (*ast.Type)(nil)
	switch {
	case t.NonNull:
		kind, inner = "NON_NULL", &ast.Type{NamedType: t.NamedType, Elem: t.Elem}
	case t.Elem != nil:
		kind, inner = "LIST", t.Elem
	default:
		return i.typeDefinition(to, i.schema.Types[t.NamedType], set)
	}
	return i.object(to, func(to []byte, f *field) []byte {
		switch f.selected.Name {
		case "kind":
			return appendText(to, kind)
		case "ofType":
			return i.typeReference(to, inner, f.below)
		}
		return append(to, "null"...)
	}, "__Type", set)
}

// typeDefinition writes a named type.
func (i *introspector) typeDefinition(to []byte, def *ast.Definition, set ast.SelectionSet) []byte {
	return i.object(to, func(to []byte, f *field) []byte { return i.typeField(to, def, f) }, "__Type", set)
}

func (i *introspector) typeField(to []byte, def *ast.Definition, f *field) []byte {
	fields := def.Kind == ast.Object || def.Kind == ast.Interface
	switch name := f.selected.Name; {
	case name == "kind":
		return appendText(to, string(def.Kind))
	case name == "name":
		return appendText(to, def.Name)
	case name == "description":
		return appendMaybe(to, def.Description)
	case name == "fields" && fields:
		return list(to, i.fields(def.Fields, f), func(to []byte, one *ast.FieldDefinition) []byte { return i.fieldOf(to, one, f.below) })
	case name == "inputFields" && def.Kind == ast.InputObject:
		return list(to, i.fields(def.Fields, f), func(to []byte, one *ast.FieldDefinition) []byte {
			return i.input(to, one.Name, one.Description, one.Type, one.DefaultValue, one.Directives, f.below)
		})
	case name == "interfaces" && fields:
		return list(to, def.Interfaces, func(to []byte, one string) []byte { return i.typeDefinition(to, i.schema.Types[one], f.below) })
	case name == "possibleTypes" && def.IsAbstractType():
		var members []*ast.Definition
		for _, m := range i.schema.GetPossibleTypes(def) {
			if m.Kind == ast.Object {
				members = append(members, m)
			}
		}
		slices.SortFunc(members, func(a, b *ast.Definition) int { return cmp.Compare(a.Name, b.Name) })
		return list(to, members, func(to []byte, m *ast.Definition) []byte { return i.typeDefinition(to, m, f.below) })
	case name == "enumValues" && def.Kind == ast.Enum:
		var values []*ast.EnumValueDefinition
		for _, v := range def.EnumValues {
			if v.Directives.ForName("deprecated") == nil || i.flag(f, "includeDeprecated") {
				values = append(values, v)
			}
		}
		return list(to, values, func(to []byte, v *ast.EnumValueDefinition) []byte { return i.enumValue(to, v, f.below) })
	}
	return append(to, "null"...)
}

// fields returns the fields without internal ones, and without deprecated ones unless the
// argument includeDeprecated is true.
func (i *introspector) fields(all ast.FieldList, f *field) []*ast.FieldDefinition {
	var out []*ast.FieldDefinition
	for _, one := range all {
		if !strings.HasPrefix(one.Name, "__") && (one.Directives.ForName("deprecated") == nil || i.flag(f, "includeDeprecated")) {
			out = append(out, one)
		}
	}
	return out
}

func (i *introspector) arguments(all ast.ArgumentDefinitionList, f *field) []*ast.ArgumentDefinition {
	var out []*ast.ArgumentDefinition
	for _, one := range all {
		if one.Directives.ForName("deprecated") == nil || i.flag(f, "includeDeprecated") {
			out = append(out, one)
		}
	}
	return out
}

func (i *introspector) fieldOf(to []byte, one *ast.FieldDefinition, set ast.SelectionSet) []byte {
	return i.object(to, func(to []byte, f *field) []byte {
		switch f.selected.Name {
		case "name":
			return appendText(to, one.Name)
		case "description":
			return appendMaybe(to, one.Description)
		case "type":
			return i.typeReference(to, one.Type, f.below)
		case "args":
			return list(to, i.arguments(one.Arguments, f), func(to []byte, a *ast.ArgumentDefinition) []byte { return i.argument(to, a, f.below) })
		}
		return deprecation(to, one.Directives, f)
	}, "__Field", set)
}

func (i *introspector) argument(to []byte, a *ast.ArgumentDefinition, set ast.SelectionSet) []byte {
	return i.input(to, a.Name, a.Description, a.Type, a.DefaultValue, a.Directives, set)
}

func (i *introspector) input(to []byte, name, description string, t *ast.Type, otherwise *ast.Value, directives ast.DirectiveList, set ast.SelectionSet) []byte {
	return i.object(to, func(to []byte, f *field) []byte {
		switch f.selected.Name {
		case "name":
			return appendText(to, name)
		case "description":
			return appendMaybe(to, description)
		case "type":
			return i.typeReference(to, t, f.below)
		case "defaultValue":
			if otherwise == nil {
				return append(to, "null"...)
			}
			return appendText(to, otherwise.String())
		}
		return deprecation(to, directives, f)
	}, "__InputValue", set)
}

func (i *introspector) enumValue(to []byte, v *ast.EnumValueDefinition, set ast.SelectionSet) []byte {
	return i.object(to, func(to []byte, f *field) []byte {
		switch f.selected.Name {
		case "name":
			return appendText(to, v.Name)
		case "description":
			return appendMaybe(to, v.Description)
		}
		return deprecation(to, v.Directives, f)
	}, "__EnumValue", set)
}

// deprecation writes isDeprecated and deprecationReason.
func deprecation(to []byte, directives ast.DirectiveList, f *field) []byte {
	mark := directives.ForName("deprecated")
	switch f.selected.Name {
	case "isDeprecated":
		return appendBool(to, mark != nil)
	case "deprecationReason":
		if mark != nil {
			if reason := mark.Arguments.ForName("reason"); reason != nil {
				return appendText(to, reason.Value.Raw)
			}
			return appendText(to, "No longer supported")
		}
	}
	return append(to, "null"...)
}

func list[T any](to []byte, all []T, one func([]byte, T) []byte) []byte {
	to = append(to, '[')
	for n, v := range all {
		if n > 0 {
			to = append(to, ',')
		}
		to = one(to, v)
	}
	return append(to, ']')
}

func appendText(to []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return append(to, `""`...)
	}
	return append(to, text...)
}

func appendMaybe(to []byte, s string) []byte {
	if s == "" {
		return append(to, "null"...)
	}
	return appendText(to, s)
}

func appendBool(to []byte, b bool) []byte {
	if b {
		return append(to, "true"...)
	}
	return append(to, "false"...)
}
