package openapi

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// param is a query parameter in the documents.
type param struct {
	name, kind, defaultValue, description string
}

// Kinds of parameters.
const (
	kindFlag   = "boolean"
	kindNumber = "integer"
	kindText   = "string"
	kindList   = "array"
)

var (
	asyncOn          = param{"async", kindFlag, "true", "Answer 202; the write is complete and visible at that moment nevertheless."}
	asyncOff         = param{"async", kindFlag, "false", "Answer 202; the write is complete and visible at that moment nevertheless."}
	asyncIgnored     = param{"async", kindFlag, "false", "Taken for clients that send it, without effect: the answer is the same."}
	asyncUnmet       = param{"async", kindFlag, "false", "Leave out proposals whose condition does not hold, and report them in the trace; otherwise all proposals are refused. The status is the same."}
	withSystem       = param{"systemMetadata", kindFlag, "false", "Include the writer, time, run and version of each aspect."}
	aspectsParam     = param{"aspects", kindList, "", "Names of aspects, repeated or separated by commas; all when absent."}
	aspectNamesParam = param{"aspectNames", kindList, "", "Names of aspects, repeated; all when absent."}
	softDeleted      = param{"includeSoftDelete", kindFlag, "false", "Take soft-deleted entities for present."}
	clearParam       = param{"clear", kindFlag, "false", "Delete all aspects but the key."}
	versionParam     = param{"version", kindNumber, "0", "0 is the latest version; of a time-series aspect the newest document up to this time."}
	createAspect     = param{"createIfNotExists", kindFlag, "true", "Refuse the write when the aspect exists."}
	createAspectOff  = param{"createIfNotExists", kindFlag, "false", "Refuse the write when the aspect exists."}
	createEntity     = param{"createIfEntityNotExists", kindFlag, "false", "Refuse the write when the entity exists."}
	createEntityOld  = param{"createEntityIfNotExists", kindFlag, "false", "Refuse the write when the entity exists."}
	countParam       = param{"count", kindNumber, "", "Size of a page; at most 1000 are given."}
	scrollParam      = param{"scrollId", kindText, "", "The scrollId of the page before."}
	scrollEach       = param{"scrollIdPerEntity", kindFlag, "false", "Give a scrollId with each entity."}
	startParam       = param{"start", kindNumber, "0", "How many to skip."}
	startMillis      = param{"startTimeMillis", kindNumber, "", "Earliest time, in milliseconds."}
	endMillis        = param{"endTimeMillis", kindNumber, "", "Latest time, in milliseconds."}
	urnsParam        = param{"urns", kindList, "", "URNs, repeated."}
	softParam        = param{"soft", kindFlag, "true", "Mark as removed, keep everything."}
	typesParam       = param{"types", kindList, "", "Entity types, repeated or separated by commas; all when absent."}
	totalParam       = param{"includeTotal", kindFlag, "false", "Add the sum."}
	traceDetailed    = param{"detailed", kindFlag, "false", "Also report each error as an exception with all details."}
	traceCache       = param{"skipCache", kindFlag, "false", "Taken for clients that send it: nothing is cached."}
	errorsOnly       = param{"onlyIncludeErrors", kindFlag, "true", "Leave out successful writes."}

	pageParams = []param{
		countParam, scrollParam, aspectsParam, withSystem, softDeleted,
		{"query", kindText, "*", "What to search for; an expression when it starts with /q and a blank."},
		{"sort", kindText, "urn", "A field to sort by; ties are in the order of URNs."},
		{"sortCriteria", kindText, "", "Fields to sort by, one after the other; in place of sort."},
		{"sortOrder", kindText, "ASCENDING", "ASCENDING or DESCENDING."},
		{"sliceId", kindNumber, "", "Number of a slice of a parallel scroll, from 0."},
		{"sliceMax", kindNumber, "", "How many slices there are."},
	}
)

// key is the name of the parameter among the components. Parameters of one name with different
// defaults have different keys.
func (p param) key() string {
	return strings.TrimSuffix(p.name+"-"+strings.Trim(p.defaultValue, "*"), "-")
}

func (p param) tree() jsontree.Object {
	s := jsontree.Object{"type": p.kind}
	switch {
	case p.kind == kindList:
		s["items"] = jsontree.Object{"type": kindText}
	case p.defaultValue == "":
	case p.kind == kindFlag:
		s["default"] = p.defaultValue == "true"
	case p.kind == kindNumber:
		s["default"] = 0
	default:
		s["default"] = p.defaultValue
	}
	return jsontree.Object{"name": p.name, "in": "query", "description": p.description, "schema": s}
}

// schema builds the schema of a body: for the entity type and aspect when the path contains them,
// for all otherwise.
type schema func(d *documenter, e *model.EntitySpec, a *model.AspectSpec) jsontree.Object

func object(properties jsontree.Object) jsontree.Object {
	return jsontree.Object{"type": "object", "properties": properties}
}

func array(items jsontree.Object) jsontree.Object {
	return jsontree.Object{"type": "array", "items": items}
}

func text() jsontree.Object { return jsontree.Object{"type": "string"} }

func anyObject(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return jsontree.Object{"type": "object"}
}

func textSchema(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object { return text() }

func emptyList(*documenter, *model.EntitySpec, *model.AspectSpec) jsontree.Object {
	return jsontree.Object{"type": "array", "items": jsontree.Object{}, "maxItems": 0}
}

func listOf(item schema) schema {
	return func(d *documenter, e *model.EntitySpec, a *model.AspectSpec) jsontree.Object {
		return array(item(d, e, a))
	}
}

func byType(item schema) schema {
	return func(d *documenter, e *model.EntitySpec, a *model.AspectSpec) jsontree.Object {
		return jsontree.Object{"type": "object", "additionalProperties": array(item(d, e, a))}
	}
}

func entitySchema(d *documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.entity("Entity", e, func(a *model.AspectSpec) jsontree.Object { return aspectSchema(d, e, a) })
}

func patchedEntity(d *documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.entity("EntityPatch", nil, func(*model.AspectSpec) jsontree.Object {
		return object(jsontree.Object{"value": patchSchema(d, nil, nil), "headers": d.headers()})
	})
}

func entityRequestSchema(d *documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.entity("EntityWish", nil, func(*model.AspectSpec) jsontree.Object {
		return object(jsontree.Object{"headers": d.headers()})
	})
}

func nestedEntity(d *documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.component("EntityWithAspects", func() jsontree.Object {
		return object(jsontree.Object{
			"urn":     text(),
			"aspects": jsontree.Object{"type": "object", "additionalProperties": aspectSchema(d, nil, nil)},
		})
	})
}

func entityPage(d *documenter, e *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return object(jsontree.Object{
		"scrollId":   jsontree.Object{"type": "string", "nullable": true},
		"entities":   array(entitySchema(d, e, nil)),
		"facets":     array(jsontree.Object{"type": "object"}),
		"totalCount": jsontree.Object{"type": "integer"},
	})
}

// aspectSchema is the schema of the wrapper of an aspect.
func aspectSchema(d *documenter, _ *model.EntitySpec, a *model.AspectSpec) jsontree.Object {
	name, value := "Aspect", func() jsontree.Object { return jsontree.Object{"type": "object"} }
	if a != nil {
		name, value = a.Name+"Aspect", func() jsontree.Object { return d.of(a.Record) }
	}
	return d.component(name, func() jsontree.Object {
		o := object(jsontree.Object{
			"value": value(), "systemMetadata": d.systemMetadata(), "auditStamp": d.auditStamp(), "headers": d.headers(),
		})
		o["required"] = []any{"value"}
		return o
	})
}

func patchSchema(d *documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.component("Patch", func() jsontree.Object {
		op := object(jsontree.Object{"op": text(), "path": text(), "from": text(), "value": jsontree.Object{}})
		op["required"] = []any{"op", "path"}
		o := object(jsontree.Object{
			"patch":             array(op),
			"arrayPrimaryKeys":  jsontree.Object{"type": "object", "additionalProperties": array(text())},
			"forceGenericPatch": jsontree.Object{"type": "boolean"},
		})
		o["required"] = []any{"patch"}
		return o
	})
}
