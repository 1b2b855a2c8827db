// Package modeltest generates values of aspects from the types and rules of the model, for tests
// that need values of every aspect of the registry.
package modeltest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Generator generates values of an aspect in canonical form.
type Generator struct {
	Registry *model.Registry
	Aspect   *model.AspectSpec
	// Maximal fills every field, with one element in every array and an array element for each
	// member of a union. Otherwise only required fields are filled.
	Maximal bool
	// Variant selects the member of each union, the symbol of each enum and the entity type of each
	// URN, modulo their number.
	Variant int
	// URN overrides the URN at a place, which is a path such as /owners/*/owner. allowed lists the
	// entity types of the place, empty for any. If URN is nil, the generator uses the example URN
	// of one of these types.
	URN func(path string, allowed []string) string

	path []string
	open []*model.Type // records around the current place
}

// Variants is the number of variants that covers every member of every union and every symbol of
// small enums.
const Variants = 13

// Minimal returns a value of an aspect with only the required fields.
func Minimal(r *model.Registry, a *model.AspectSpec) model.Object {
	return (&Generator{Registry: r, Aspect: a}).Value()
}

// Maximal returns a value of an aspect with every field.
func Maximal(r *model.Registry, a *model.AspectSpec, variant int) model.Object {
	return (&Generator{Registry: r, Aspect: a, Maximal: true, Variant: variant}).Value()
}

// Value returns a new value. The caller owns it.
func (g *Generator) Value() model.Object { return g.of(g.Aspect.Record).(model.Object) }

func (g *Generator) of(t *model.Type) any {
	switch t.Shape {
	case model.RecordShape:
		return g.record(t)
	case model.Array:
		return g.array(t)
	case model.Map:
		return g.mapping(t)
	case model.Union:
		return g.member(t.Members[g.Variant%len(t.Members)])
	case model.Boolean:
		return g.Maximal
	case model.Int, model.Long:
		return jsontree.Float(float64(g.Variant))
	case model.Float, model.Double:
		return jsontree.Float(float64(g.Variant) + 0.5)
	case model.Enum:
		return t.Symbols[g.Variant%len(t.Symbols)]
	case model.Fixed:
		return strings.Repeat("\u00ff", t.Size)
	case model.Bytes:
		return "\u0000\u00ff"
	}
	if t.Addresses != "" {
		return g.urn(t)
	}
	return fmt.Sprintf("text %d \u2028", g.Variant)
}

func (g *Generator) record(t *model.Type) any {
	o := model.Object{}
	g.open = append(g.open, t)
	for _, f := range t.Fields {
		if !g.Maximal && !f.Required() || !f.Required() && slices.Contains(g.open, f.Type) {
			continue
		}
		o[f.Name] = g.below(f.Name, f.Type)
	}
	g.open = g.open[:len(g.open)-1]
	return o
}

func (g *Generator) below(step string, t *model.Type) any {
	g.path = append(g.path, step)
	v := g.of(t)
	g.path = g.path[:len(g.path)-1]
	return v
}

func (g *Generator) array(t *model.Type) any {
	list := []any{}
	if !g.Maximal || slices.Contains(g.open, t.Elem) {
		return list
	}
	if t.Elem.Shape != model.Union {
		return append(list, g.below("*", t.Elem))
	}
	g.path = append(g.path, "*")
	for _, m := range t.Elem.Members {
		list = append(list, g.member(m))
	}
	g.path = g.path[:len(g.path)-1]
	return list
}

func (g *Generator) mapping(t *model.Type) any {
	o := model.Object{}
	if g.Maximal && !slices.Contains(g.open, t.Elem) {
		o["a key / with ~ signs"] = g.below("*", t.Elem)
	}
	return o
}

func (g *Generator) member(m model.Member) any {
	return model.Object{m.Key: g.below(m.Key, m.Type)}
}

// urn returns the example of an entity type that is allowed at the place.
func (g *Generator) urn(t *model.Type) string {
	path := "/" + strings.Join(g.path, "/")
	allowed := AllowedTypes(g.Aspect, path)
	if t.Addresses != "*" {
		allowed = []string{t.Addresses}
	}
	if g.URN != nil {
		return g.URN(path, allowed)
	}
	entityType := "corpuser"
	if len(allowed) > 0 {
		entityType = allowed[g.Variant%len(allowed)]
	}
	if e, ok := g.Registry.Entity(entityType); ok {
		return e.Example
	}
	return "urn:li:" + entityType + ":x"
}

// AllowedTypes returns the entity types that a rule or a relationship allows for the URNs at a
// place of an aspect. It is empty for any.
func AllowedTypes(a *model.AspectSpec, path string) []string {
	for _, rule := range a.URNs {
		if rule.Path == path {
			return rule.EntityTypes
		}
	}
	var allowed []string
	for _, rel := range a.Relationships {
		if rel.Path == path {
			allowed = append(allowed, rel.To...)
		}
	}
	return allowed
}
