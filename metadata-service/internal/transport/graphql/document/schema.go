package document

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// schemaIndex indexes a schema for the look-ups that the stage repeats.
type schemaIndex struct {
	schema *ast.Schema
	// possible lists the object types of each composite type, sorted by name.
	possible map[string][]string
	isA      map[string]map[string]bool
	// varies holds "Interface.field" for fields that some object type narrows to another type.
	varies map[string]bool
	// defaults holds the coerced defaults of arguments and input fields.
	defaults map[*ast.Value]any
}

// unsupportedMeta lists the introspection fields that the schema of the parser has and the
// library does not support.
var unsupportedMeta = map[string][]string{
	"__Schema":    {"description"},
	"__Type":      {"isOneOf"},
	"__Directive": {"isRepeatable"},
}

func newSchemaIndex(schema *ast.Schema) (*schemaIndex, error) {
	c := &schemaIndex{
		schema:   dropUnsupportedMeta(schema),
		possible: map[string][]string{},
		isA:      map[string]map[string]bool{},
		varies:   map[string]bool{},
		defaults: map[*ast.Value]any{},
	}
	for name, def := range c.schema.Types {
		if !def.IsCompositeType() {
			continue
		}
		c.isA[name] = map[string]bool{}
		for _, object := range c.schema.GetPossibleTypes(def) {
			if !c.isA[name][object.Name] {
				c.isA[name][object.Name] = true
				c.possible[name] = append(c.possible[name], object.Name)
			}
		}
		slices.Sort(c.possible[name])
		if def.Kind == ast.Interface {
			c.recordVariation(def)
		}
	}
	return c, c.coerceDefaults()
}

func dropUnsupportedMeta(schema *ast.Schema) *ast.Schema {
	out := *schema
	out.Types = maps.Clone(schema.Types)
	for name, unsupported := range unsupportedMeta {
		def, ok := out.Types[name]
		if !ok {
			continue
		}
		trimmed := *def
		trimmed.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool {
			return slices.Contains(unsupported, f.Name)
		})
		out.Types[name] = &trimmed
	}
	out.PossibleTypes = maps.Clone(schema.PossibleTypes)
	for name := range unsupportedMeta {
		if def, ok := out.Types[name]; ok {
			out.PossibleTypes[name] = []*ast.Definition{def}
		}
	}
	return &out
}

func (c *schemaIndex) recordVariation(def *ast.Definition) {
	for _, object := range c.possible[def.Name] {
		for _, f := range def.Fields {
			own := c.schema.Types[object].Fields.ForName(f.Name)
			if own != nil && own.Type.Name() != f.Type.Name() {
				c.varies[def.Name+"."+f.Name] = true
			}
		}
	}
}

func (c *schemaIndex) coerceDefaults() error {
	for _, name := range slices.Sorted(maps.Keys(c.schema.Types)) {
		def := c.schema.Types[name]
		for _, f := range def.Fields {
			if err := c.coerceDefault(f.Type, f.DefaultValue, nil); err != nil {
				return fmt.Errorf("default of %s.%s: %w", name, f.Name, err)
			}
			for _, a := range f.Arguments {
				if err := c.coerceDefault(a.Type, a.DefaultValue, nil); err != nil {
					return fmt.Errorf("default of %s.%s(%s:): %w", name, f.Name, a.Name, err)
				}
			}
		}
	}
	return nil
}

// coerceDefault stores the coerced value of a default in c.defaults, after the defaults it
// depends on. A default that contains itself is an error.
func (c *schemaIndex) coerceDefault(t *ast.Type, v *ast.Value, within []*ast.Value) error {
	if v == nil {
		return nil
	}
	if _, done := c.defaults[v]; done {
		return nil
	}
	if slices.Contains(within, v) {
		return fmt.Errorf("the default contains itself")
	}
	if err := c.coerceDefaultsBelow(t, v, append(within, v)); err != nil {
		return err
	}
	out, problem := c.coerce(t, valueOfLiteral(v, nil))
	if problem != nil {
		return problem
	}
	c.defaults[v] = out
	return nil
}

func (c *schemaIndex) coerceDefaultsBelow(t *ast.Type, v *ast.Value, within []*ast.Value) error {
	def := c.schema.Types[t.Name()]
	switch {
	case v.Kind == ast.ListValue:
		for _, child := range v.Children {
			if err := c.coerceDefaultsBelow(t, child.Value, within); err != nil {
				return err
			}
		}
	case v.Kind == ast.ObjectValue && def != nil:
		for _, f := range def.Fields {
			given := v.Children.ForName(f.Name)
			if given == nil || given.Kind == ast.NullValue {
				if err := c.coerceDefault(f.Type, f.DefaultValue, within); err != nil {
					return err
				}
				continue
			}
			if err := c.coerceDefaultsBelow(f.Type, given, within); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasDefault reports whether an argument or input field has a default other than null.
func hasDefault(v *ast.Value) bool { return v != nil && v.Kind != ast.NullValue }

// matchingObjects lists the object types of set that implement or equal the type name.
func (c *schemaIndex) matchingObjects(set []string, name string) []string {
	is := c.isA[name]
	all := true
	for _, object := range set {
		if !is[object] {
			all = false
			break
		}
	}
	if all {
		return set
	}
	var out []string
	for _, object := range set {
		if is[object] {
			out = append(out, object)
		}
	}
	return out
}

// isMeta reports whether a field belongs to introspection.
func isMeta(parent *ast.Definition, field string) bool {
	return strings.HasPrefix(field, "__") || strings.HasPrefix(parent.Name, "__")
}
