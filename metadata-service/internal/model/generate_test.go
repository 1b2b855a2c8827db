package model_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// generator makes values of an aspect from its type and rules, in canonical
// form: minimal ones with required fields alone, or maximal ones with every
// field, one element in every array and an array element for each member of a union.
type generator struct {
	registry *model.Registry
	aspect   *model.AspectSpec
	maximal  bool
	variant  int // which member a union takes, counted round
	path     []string
	open     []*model.Type // records around the current place
}

func (g *generator) value() model.Object { return g.of(g.aspect.Record).(model.Object) }

func (g *generator) of(t *model.Type) any {
	switch t.Shape {
	case model.RecordShape:
		return g.record(t)
	case model.Array:
		return g.array(t)
	case model.Map:
		return g.mapping(t)
	case model.Union:
		return g.member(t.Members[g.variant%len(t.Members)])
	case model.Boolean:
		return g.maximal
	case model.Int, model.Long:
		return jsontree.Float(float64(g.variant))
	case model.Float, model.Double:
		return jsontree.Float(float64(g.variant) + 0.5)
	case model.Enum:
		return t.Symbols[g.variant%len(t.Symbols)]
	case model.Fixed:
		return strings.Repeat("\u00ff", t.Size)
	case model.Bytes:
		return "\u0000\u00ff"
	}
	if t.Addresses != "" {
		return g.urn(t)
	}
	return fmt.Sprintf("text %d \u2028", g.variant)
}

func (g *generator) record(t *model.Type) any {
	o := model.Object{}
	g.open = append(g.open, t)
	for _, f := range t.Fields {
		if !g.maximal && !f.Required() || !f.Required() && slices.Contains(g.open, f.Type) {
			continue
		}
		o[f.Name] = g.below(f.Name, f.Type)
	}
	g.open = g.open[:len(g.open)-1]
	return o
}

func (g *generator) below(step string, t *model.Type) any {
	g.path = append(g.path, step)
	v := g.of(t)
	g.path = g.path[:len(g.path)-1]
	return v
}

func (g *generator) array(t *model.Type) any {
	list := []any{}
	if !g.maximal || slices.Contains(g.open, t.Elem) {
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

func (g *generator) mapping(t *model.Type) any {
	o := model.Object{}
	if g.maximal && !slices.Contains(g.open, t.Elem) {
		o["a key / with ~ signs"] = g.below("*", t.Elem)
	}
	return o
}

func (g *generator) member(m model.Member) any {
	return model.Object{m.Key: g.below(m.Key, m.Type)}
}

// urn takes the example of an entity type that is allowed at the place.
func (g *generator) urn(t *model.Type) string {
	entityType := "corpuser"
	if allowed := allowedTypes(g.aspect, "/"+strings.Join(g.path, "/")); len(allowed) > 0 {
		entityType = allowed[g.variant%len(allowed)]
	}
	if t.Addresses != "*" {
		entityType = t.Addresses
	}
	if e, ok := g.registry.Entity(entityType); ok {
		return e.Example
	}
	return "urn:li:" + entityType + ":x"
}

func allowedTypes(a *model.AspectSpec, path string) []string {
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

// variants is enough to see every member of every union and every symbol of small enums.
const variants = 13

func minimal(r *model.Registry, a *model.AspectSpec) model.Object {
	return (&generator{registry: r, aspect: a}).value()
}

func maximal(r *model.Registry, a *model.AspectSpec, variant int) model.Object {
	return (&generator{registry: r, aspect: a, maximal: true, variant: variant}).value()
}
