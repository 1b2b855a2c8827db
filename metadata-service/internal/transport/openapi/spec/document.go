package spec

import (
	"cmp"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// OpenAPIVersion is the version of the format of the documents.
const OpenAPIVersion = "3.0.3"

// Documenter builds one OpenAPI document and collects the schemas it refers to.
type Documenter struct {
	schemas    jsontree.Object
	parameters jsontree.Object
	paths      jsontree.Object
}

// Config holds the operations to describe.
type Config struct {
	Registry   *model.Registry
	Version    string // of the service; "unknown" when empty
	Operations []Operation
}

// Document encodes the document of a group without its first members, which contain the server
// URL: the rest is generated once.
func Document(cfg Config, group string) []byte {
	d := &Documenter{schemas: jsontree.Object{}, parameters: jsontree.Object{}, paths: jsontree.Object{}}
	for i := range cfg.Operations {
		op := &cfg.Operations[i]
		if op.Group != group {
			continue
		}
		d.describe(op, nil, nil)
		if group == GroupV3 && strings.Contains(op.Path, "{type}") {
			d.describeTyped(cfg.Registry, op)
		}
	}
	return jsontree.Encode(jsontree.Object{
		"info":  jsontree.Object{"title": "Cartulary metadata service: " + group, "version": cmp.Or(cfg.Version, "unknown"), "description": signInHint},
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
func (d *Documenter) describeTyped(registry *model.Registry, op *Operation) {
	for _, e := range registry.Entities() {
		if e.Key.Secret {
			continue
		}
		if !strings.Contains(op.Path, "{aspect}") {
			d.describe(op, e, nil)
			continue
		}
		for _, aspect := range e.All() {
			change, writes := changeOf[op.Method]
			if !aspect.Secret && !(writes && aspect.OwnerOnly(change)) {
				d.describe(op, e, aspect)
			}
		}
	}
}

// describe adds an operation to the paths of the document.
func (d *Documenter) describe(op *Operation, e *model.EntitySpec, a *model.AspectSpec) {
	path, tag := Root+op.Path, op.Tag
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
	success := jsontree.Object{"description": http.StatusText(op.Success())}
	if op.Answer != nil {
		success["content"] = content(op.Answer(d, e, a), op.Media...)
	}
	tree := jsontree.Object{
		"tags": []any{tag}, "summary": op.Summary, "operationId": operationID(op.Method, path),
		"responses": jsontree.Object{
			strconv.Itoa(op.Success()): success,
			"4XX":                      jsontree.Object{"$ref": "#/components/responses/Refused"},
		},
	}
	if other := op.OtherAnswer; other.Schema != nil {
		tree["responses"].(jsontree.Object)[strconv.Itoa(other.Status)] = jsontree.Object{
			"description": http.StatusText(other.Status), "content": jsonContent(other.Schema(d, e, a)),
		}
	}
	if len(op.Query) > 0 {
		tree["parameters"] = d.queryParams(op.Query)
	}
	if op.Body != nil {
		tree["requestBody"] = jsontree.Object{"required": true, "content": jsonContent(op.Body(d, e, a))}
	}
	item[strings.ToLower(op.Method)] = tree
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
	name := strings.NewReplacer("{", "", "}", "", "/", "_", "-", "_").Replace(strings.TrimPrefix(path, Root+"/"))
	return strings.ToLower(method) + "_" + name
}

func pathParams(path string) []any {
	var params []any
	for _, segment := range strings.Split(path, "/") {
		if IsParam(segment) {
			params = append(params, jsontree.Object{
				"name": segment[1 : len(segment)-1], "in": "path", "required": true, "schema": Text(),
			})
		}
	}
	return params
}

func (d *Documenter) queryParams(params []Param) []any {
	out := make([]any, len(params))
	for i, p := range params {
		out[i] = jsontree.Object{"$ref": "#/components/parameters/" + d.parameter(p)}
	}
	return out
}

// parameter adds a parameter to the components, unless it is there, and returns its key.
// Parameters with the same name and different meanings get a number.
func (d *Documenter) parameter(p Param) string {
	tree := p.tree()
	key := p.key()
	for n := 2; d.parameters[key] != nil && !reflect.DeepEqual(d.parameters[key], any(tree)); n++ {
		key = p.key() + "-" + strconv.Itoa(n)
	}
	d.parameters[key] = tree
	return key
}

func refusedResponse(d *Documenter) jsontree.Object {
	refused := d.Component("Refused", func() jsontree.Object {
		return Object(jsontree.Object{"error": Text(), "message": Text()})
	})
	return jsontree.Object{
		"description": "The request was refused. 404 with the header " + ReasonHeader + " has no body: the path is right and nothing is stored there.",
		"content":     jsonContent(refused),
	}
}

// Component returns a reference to a named schema, which it creates on the first call. The name
// is reserved before the schema is created, as schemas may refer to themselves.
func (d *Documenter) Component(name string, make func() jsontree.Object) jsontree.Object {
	if _, ok := d.schemas[name]; !ok {
		d.schemas[name] = nil
		d.schemas[name] = make()
	}
	return jsontree.Object{"$ref": "#/components/schemas/" + name}
}

// entity is the schema of an entity of a type, or of any type when e is nil.
func (d *Documenter) entity(name string, e *model.EntitySpec, aspect func(*model.AspectSpec) jsontree.Object) jsontree.Object {
	if e != nil {
		name = e.Name + name
	}
	return d.Component(name, func() jsontree.Object {
		properties := jsontree.Object{"urn": Text()}
		o := Object(properties)
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

func (d *Documenter) headers() jsontree.Object {
	return jsontree.Object{"type": "object", "additionalProperties": Text()}
}

func (d *Documenter) auditStamp() jsontree.Object {
	return d.Component("AuditStamp", func() jsontree.Object {
		return Object(jsontree.Object{"time": jsontree.Object{"type": "integer", "format": "int64"}, "actor": Text()})
	})
}

func (d *Documenter) systemMetadata() jsontree.Object {
	return d.Component("SystemMetadata", func() jsontree.Object {
		long := jsontree.Object{"type": "integer", "format": "int64"}
		return Object(jsontree.Object{
			"lastObserved": long, "runId": Text(), "lastRunId": Text(), "pipelineName": Text(),
			"registryName": Text(), "registryVersion": Text(), "version": Text(), "schemaVersion": long,
			"properties":    jsontree.Object{"type": "object", "additionalProperties": Text()},
			"aspectCreated": d.auditStamp(), "aspectModified": d.auditStamp(),
		})
	})
}

// of is the schema of a type of the model. Records and enums are components with their full
// names.
func (d *Documenter) of(t *model.Type) jsontree.Object {
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
		return d.Component(t.Name, func() jsontree.Object {
			symbols := make([]any, len(t.Symbols))
			for i, s := range t.Symbols {
				symbols[i] = s
			}
			return jsontree.Object{"type": "string", "enum": symbols}
		})
	case model.RecordShape:
		return d.Component(t.Name, func() jsontree.Object { return d.record(t) })
	case model.Array:
		return Array(d.of(t.Elem))
	case model.Map:
		return jsontree.Object{"type": "object", "additionalProperties": d.of(t.Elem)}
	case model.Union:
		return d.union(t)
	}
	if t.Addresses != "" {
		return jsontree.Object{"type": "string", "format": "urn"}
	}
	return Text()
}

func (d *Documenter) record(t *model.Type) jsontree.Object {
	properties := make(jsontree.Object, len(t.Fields))
	var required []any
	for _, f := range t.Fields {
		properties[f.Name] = d.of(f.Type)
		if f.Required() {
			required = append(required, f.Name)
		}
	}
	o := Object(properties)
	if required != nil {
		o["required"] = required
	}
	return o
}

// union is an object with exactly one of the members.
func (d *Documenter) union(t *model.Type) jsontree.Object {
	properties := make(jsontree.Object, len(t.Members))
	for _, m := range t.Members {
		properties[m.Key] = d.of(m.Type)
	}
	o := Object(properties)
	o["minProperties"], o["maxProperties"], o["additionalProperties"] = 1, 1, false
	return o
}
