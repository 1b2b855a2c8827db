package spec

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Param is a query parameter of an operation.
type Param struct {
	name, kind, defaultValue, description string
}

// Kinds of parameters.
const (
	KindFlag   = "boolean"
	KindNumber = "integer"
	KindText   = "string"
	KindList   = "array"
)

// NewParam returns a Param; an empty default stands for none.
func NewParam(name, kind, defaultValue, description string) Param {
	return Param{name, kind, defaultValue, description}
}

// Name returns the name of the parameter.
func (p Param) Name() string { return p.name }

// key is the name of the parameter among the components. Parameters of one name with different
// defaults have different keys.
func (p Param) key() string {
	return strings.TrimSuffix(p.name+"-"+strings.Trim(p.defaultValue, "*"), "-")
}

func (p Param) tree() jsontree.Object {
	s := jsontree.Object{"type": p.kind}
	switch {
	case p.kind == KindList:
		s["items"] = jsontree.Object{"type": KindText}
	case p.defaultValue == "":
	case p.kind == KindFlag:
		s["default"] = p.defaultValue == "true"
	case p.kind == KindNumber:
		s["default"] = 0
	default:
		s["default"] = p.defaultValue
	}
	return jsontree.Object{"name": p.name, "in": "query", "description": p.description, "schema": s}
}

// Schema builds the schema of a body: for the entity type and aspect when the path contains them,
// for all otherwise.
type Schema func(d *Documenter, e *model.EntitySpec, a *model.AspectSpec) jsontree.Object

// Object returns the schema of an object.
func Object(properties jsontree.Object) jsontree.Object {
	return jsontree.Object{"type": "object", "properties": properties}
}

// Array returns the schema of an array.
func Array(items jsontree.Object) jsontree.Object {
	return jsontree.Object{"type": "array", "items": items}
}

// Text returns the schema of a string.
func Text() jsontree.Object { return jsontree.Object{"type": "string"} }

// AnyObject is the Schema of an object with any members.
func AnyObject(*Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return jsontree.Object{"type": "object"}
}

// AnyText is the Schema of a string.
func AnyText(*Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object { return Text() }

// EmptyList is the Schema of an array without elements.
func EmptyList(*Documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return jsontree.Object{"type": "array", "items": jsontree.Object{}, "maxItems": 0}
}

// ListOf returns the Schema of an array.
func ListOf(item Schema) Schema {
	return func(d *Documenter, e *model.EntitySpec, a *model.AspectSpec) jsontree.Object {
		return Array(item(d, e, a))
	}
}

// ByType returns the Schema of arrays by entity type.
func ByType(item Schema) Schema {
	return func(d *Documenter, e *model.EntitySpec, a *model.AspectSpec) jsontree.Object {
		return jsontree.Object{"type": "object", "additionalProperties": Array(item(d, e, a))}
	}
}

// Entity is the Schema of an entity with wrapped aspects.
func Entity(d *Documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.entity("Entity", e, func(a *model.AspectSpec) jsontree.Object { return Aspect(d, e, a) })
}

// EntityPatch is the Schema of an entity with patches of aspects.
func EntityPatch(d *Documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.entity("EntityPatch", nil, func(*model.AspectSpec) jsontree.Object {
		return Object(jsontree.Object{"value": Patch(d, nil, nil), "headers": d.headers()})
	})
}

// EntityRequest is the Schema of an entity with the aspects to read.
func EntityRequest(d *Documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.entity("EntityWish", nil, func(*model.AspectSpec) jsontree.Object {
		return Object(jsontree.Object{"headers": d.headers()})
	})
}

// NestedEntity is the Schema of an entity with its aspects in a member.
func NestedEntity(d *Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("EntityWithAspects", func() jsontree.Object {
		return Object(jsontree.Object{
			"urn":     Text(),
			"aspects": jsontree.Object{"type": "object", "additionalProperties": Aspect(d, nil, nil)},
		})
	})
}

// EntityPage is the Schema of a page of entities.
func EntityPage(d *Documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return Object(jsontree.Object{
		"scrollId":   jsontree.Object{"type": "string", "nullable": true},
		"entities":   Array(Entity(d, e, nil)),
		"facets":     Array(jsontree.Object{"type": "object"}),
		"totalCount": jsontree.Object{"type": "integer"},
	})
}

// Aspect is the Schema of the wrapper of an aspect.
func Aspect(d *Documenter, _ *model.EntitySpec, a *model.AspectSpec) jsontree.Object {
	name, value := "Aspect", func() jsontree.Object { return jsontree.Object{"type": "object"} }
	if a != nil {
		name, value = a.Name+"Aspect", func() jsontree.Object { return d.of(a.Record) }
	}
	return d.Component(name, func() jsontree.Object {
		o := Object(jsontree.Object{
			"value": value(), "systemMetadata": d.systemMetadata(), "auditStamp": d.auditStamp(), "headers": d.headers(),
		})
		o["required"] = []any{"value"}
		return o
	})
}

// Patch is the Schema of a patch document.
func Patch(d *Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("Patch", func() jsontree.Object {
		op := Object(jsontree.Object{"op": Text(), "path": Text(), "from": Text(), "value": jsontree.Object{}})
		op["required"] = []any{"op", "path"}
		o := Object(jsontree.Object{
			"patch":             Array(op),
			"arrayPrimaryKeys":  jsontree.Object{"type": "object", "additionalProperties": Array(Text())},
			"forceGenericPatch": jsontree.Object{"type": "boolean"},
		})
		o["required"] = []any{"patch"}
		return o
	})
}
