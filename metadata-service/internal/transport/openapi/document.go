package openapi

import (
	"cmp"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

const openapiVersion = "3.0.3"

// documenter builds one OpenAPI document and collects the schemas it refers to.
type documenter struct {
	schemas    jsontree.Object
	parameters jsontree.Object
	paths      jsontree.Object
}

// document encodes the document of a group without its first members, which contain the server
// URL: the rest is generated once.
func (a *API) document(group string) []byte {
	d := &documenter{schemas: jsontree.Object{}, parameters: jsontree.Object{}, paths: jsontree.Object{}}
	for _, op := range a.operations() {
		if op.group != group {
			continue
		}
		d.describe(&op, nil, nil)
		if group == groupV3 && strings.Contains(op.path, "{type}") {
			a.describeTyped(d, &op)
		}
	}
	return jsontree.Encode(jsontree.Object{
		"info":  jsontree.Object{"title": "Cartulary metadata service: " + group, "version": cmp.Or(a.Version, "unknown"), "description": signInHint},
		"paths": d.paths,
		"components": jsontree.Object{
			"schemas": d.schemas, "parameters": d.parameters,
			"responses":       jsontree.Object{"Refused": refusedResponse(d)},
			"securitySchemes": jsontree.Object{"token": jsontree.Object{"type": "http", "scheme": "bearer", "description": "A personal access token."}},
		},
		"security": []any{jsontree.Object{"token": []any{}}},
	})
}

// signInHint explains on the documentation page how requests are authenticated.
const signInHint = "Requests of this page use the session of the frontend proxy in this browser, or the access token given under Authorize."

// changeOf maps the methods of operations on one aspect to their change types.
var changeOf = map[string]model.ChangeType{http.MethodPost: model.Upsert, http.MethodPatch: model.Patch, http.MethodDelete: model.Delete}

// describeTyped describes an operation for each entity type and, when its path contains an
// aspect, for each aspect. It leaves out secret aspects, which are not served, and writes that
// only the owning service may perform.
func (a *API) describeTyped(d *documenter, op *operation) {
	for _, e := range a.Registry.Entities() {
		if e.Key.Secret {
			continue
		}
		if !strings.Contains(op.path, "{aspect}") {
			d.describe(op, e, nil)
			continue
		}
		for _, aspect := range e.All() {
			change, writes := changeOf[op.method]
			if !aspect.Secret && !(writes && aspect.OwnerOnly(change)) {
				d.describe(op, e, aspect)
			}
		}
	}
}

// describe adds an operation to the paths of the document.
func (d *documenter) describe(op *operation, e *model.EntitySpec, a *model.AspectSpec) {
	path, tag := root+op.path, op.tag
	if e != nil {
		path, tag = strings.Replace(path, "{type}", strings.ToLower(e.Name), 1), e.Name
	}
	if a != nil {
		path = strings.Replace(path, "{aspect}", strings.ToLower(a.Name), 1)
	}
	item, ok := d.paths[path].(jsontree.Object)
	if !ok {
		item = jsontree.Object{}
		d.paths[path] = item
		if inPath := pathParams(path); len(inPath) > 0 {
			item["parameters"] = inPath
		}
	}
	success := jsontree.Object{"description": http.StatusText(op.success())}
	if op.answer != nil {
		success["content"] = content(op.answer(d, e, a), op.media...)
	}
	tree := jsontree.Object{
		"tags": []any{tag}, "summary": op.summary, "operationId": operationID(op.method, path),
		"responses": jsontree.Object{
			strconv.Itoa(op.success()): success,
			"4XX":                      jsontree.Object{"$ref": "#/components/responses/Refused"},
		},
	}
	if other := op.otherAnswer; other.schema != nil {
		tree["responses"].(jsontree.Object)[strconv.Itoa(other.status)] = jsontree.Object{
			"description": http.StatusText(other.status), "content": jsonContent(other.schema(d, e, a)),
		}
	}
	if len(op.query) > 0 {
		tree["parameters"] = d.queryParams(op.query)
	}
	if op.body != nil {
		tree["requestBody"] = jsontree.Object{"required": true, "content": jsonContent(op.body(d, e, a))}
	}
	item[strings.ToLower(op.method)] = tree
}

func jsonContent(s jsontree.Object) jsontree.Object { return content(s, "application/json") }

// content describes a body with one of the media types, JSON when none is given.
func content(s jsontree.Object, media ...string) jsontree.Object {
	if len(media) == 0 {
		return jsonContent(s)
	}
	types := jsontree.Object{}
	for _, name := range media {
		types[name] = jsontree.Object{"schema": s}
	}
	return types
}

func operationID(method, path string) string {
	name := strings.NewReplacer("{", "", "}", "", "/", "_", "-", "_").Replace(strings.TrimPrefix(path, root+"/"))
	return strings.ToLower(method) + "_" + name
}

func pathParams(path string) []any {
	var params []any
	for _, segment := range strings.Split(path, "/") {
		if isParam(segment) {
			params = append(params, jsontree.Object{
				"name": segment[1 : len(segment)-1], "in": "path", "required": true, "schema": text(),
			})
		}
	}
	return params
}

func (d *documenter) queryParams(params []param) []any {
	out := make([]any, len(params))
	for i, p := range params {
		out[i] = jsontree.Object{"$ref": "#/components/parameters/" + d.parameter(p)}
	}
	return out
}

// parameter adds a parameter to the components, unless it is there, and returns its key.
// Parameters with the same name and different meanings get a number.
func (d *documenter) parameter(p param) string {
	tree := p.tree()
	key := p.key()
	for n := 2; d.parameters[key] != nil && !reflect.DeepEqual(d.parameters[key], any(tree)); n++ {
		key = p.key() + "-" + strconv.Itoa(n)
	}
	d.parameters[key] = tree
	return key
}

func refusedResponse(d *documenter) jsontree.Object {
	refused := d.component("Refused", func() jsontree.Object {
		return object(jsontree.Object{"error": text(), "message": text()})
	})
	return jsontree.Object{
		"description": "The request was refused. 404 with the header " + reasonHeader + " has no body: the path is right and nothing is stored there.",
		"content":     jsonContent(refused),
	}
}

// component returns a reference to a named schema, which it creates on the first call. The name
// is reserved before the schema is created, as schemas may refer to themselves.
func (d *documenter) component(name string, make func() jsontree.Object) jsontree.Object {
	if _, ok := d.schemas[name]; !ok {
		d.schemas[name] = nil
		d.schemas[name] = make()
	}
	return jsontree.Object{"$ref": "#/components/schemas/" + name}
}

// entity is the schema of an entity of a type, or of any type when e is nil.
func (d *documenter) entity(name string, e *model.EntitySpec, aspect func(*model.AspectSpec) jsontree.Object) jsontree.Object {
	if e != nil {
		name = e.Name + name
	}
	return d.component(name, func() jsontree.Object {
		properties := jsontree.Object{"urn": text()}
		o := object(properties)
		o["required"] = []any{"urn"}
		if e == nil {
			o["additionalProperties"] = aspect(nil)
			return o
		}
		for _, a := range e.All() {
			if !a.Secret {
				properties[a.Name] = aspect(a)
			}
		}
		return o
	})
}

func (d *documenter) headers() jsontree.Object {
	return jsontree.Object{"type": "object", "additionalProperties": text()}
}

func (d *documenter) auditStamp() jsontree.Object {
	return d.component("AuditStamp", func() jsontree.Object {
		return object(jsontree.Object{"time": jsontree.Object{"type": "integer", "format": "int64"}, "actor": text()})
	})
}

func (d *documenter) systemMetadata() jsontree.Object {
	return d.component("SystemMetadata", func() jsontree.Object {
		long := jsontree.Object{"type": "integer", "format": "int64"}
		return object(jsontree.Object{
			"lastObserved": long, "runId": text(), "lastRunId": text(), "pipelineName": text(),
			"registryName": text(), "registryVersion": text(), "version": text(), "schemaVersion": long,
			"properties":    jsontree.Object{"type": "object", "additionalProperties": text()},
			"aspectCreated": d.auditStamp(), "aspectModified": d.auditStamp(),
		})
	})
}

// of is the schema of a type of the model. Records and enums are components with their full
// names.
func (d *documenter) of(t *model.Type) jsontree.Object {
	switch t.Shape {
	case model.Boolean:
		return jsontree.Object{"type": "boolean"}
	case model.Int:
		return jsontree.Object{"type": "integer", "format": "int32"}
	case model.Long:
		return jsontree.Object{"type": "integer", "format": "int64"}
	case model.Float, model.Double:
		return jsontree.Object{"type": "number", "format": t.Shape.String()}
	case model.Enum:
		return d.component(t.Name, func() jsontree.Object {
			symbols := make([]any, len(t.Symbols))
			for i, s := range t.Symbols {
				symbols[i] = s
			}
			return jsontree.Object{"type": "string", "enum": symbols}
		})
	case model.RecordShape:
		return d.component(t.Name, func() jsontree.Object { return d.record(t) })
	case model.Array:
		return array(d.of(t.Elem))
	case model.Map:
		return jsontree.Object{"type": "object", "additionalProperties": d.of(t.Elem)}
	case model.Union:
		return d.union(t)
	}
	if t.Addresses != "" {
		return jsontree.Object{"type": "string", "format": "urn"}
	}
	return text()
}

func (d *documenter) record(t *model.Type) jsontree.Object {
	properties := make(jsontree.Object, len(t.Fields))
	var required []any
	for _, f := range t.Fields {
		properties[f.Name] = d.of(f.Type)
		if f.Required() {
			required = append(required, f.Name)
		}
	}
	o := object(properties)
	if required != nil {
		o["required"] = required
	}
	return o
}

// union is an object with exactly one of the members.
func (d *documenter) union(t *model.Type) jsontree.Object {
	properties := make(jsontree.Object, len(t.Members))
	for _, m := range t.Members {
		properties[m.Key] = d.of(m.Type)
	}
	o := object(properties)
	o["minProperties"], o["maxProperties"], o["additionalProperties"] = 1, 1, false
	return o
}
