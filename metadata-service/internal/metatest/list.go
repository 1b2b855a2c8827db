package metatest

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// list is a list of records whose elements are checked.
type list struct {
	name    string
	aspect  string
	steps   []step
	of      *model.Type // nil for columns
	columns bool
}

// columnKinds are the properties of columns, with their kinds.
var columnKinds = map[string]valueKind{
	"path": text, "type": text, "nativeType": text, "description": text, "label": text, "tags": text, "terms": text, "nullable": boolean, "key": boolean,
}

func columnNames() string {
	names := []string{}
	for name := range columnKinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Aspects from which columns are derived.
const (
	schemaAspect = "schemaMetadata"
	editedAspect = "editableSchemaMetadata"
)

// list resolves the name of a list.
func (p *parser) list(at, name string) *list {
	if name == "columns" {
		if spec, ok := p.registry.Aspect(schemaAspect); !ok || !p.readable(at, spec, p.types) {
			return nil
		}
		p.reads.add(schemaAspect)
		p.reads.add(editedAspect)
		return &list{name: name, columns: true}
	}
	head, rest, _ := strings.Cut(name, ".")
	spec, ok := p.registry.Aspect(head)
	if !ok {
		p.problem(at, "%q is no list: name \"columns\", or a path to an array of objects that begins with an aspect", name)
		return nil
	}
	if !p.readable(at, spec, p.types) {
		return nil
	}
	l := &list{name: name, aspect: spec.Name}
	t := spec.Record
	for _, segment := range segments(rest) {
		f, ok := t.Field(segment)
		if t.Shape != model.RecordShape || !ok {
			p.problem(at, "%q: there is no member %q", name, segment)
			return nil
		}
		l.steps = append(l.steps, step{kind: toField, name: segment})
		t = f.Type
	}
	if t.Shape != model.Array || t.Elem.Shape != model.RecordShape {
		p.problem(at, "%q is no array of objects", name)
		return nil
	}
	l.of = t.Elem
	p.reads.add(spec.Name)
	return l
}

// elements returns the elements of the list in an asset.
func (l *list) elements(f *Facts) []any {
	if l.columns {
		return f.columns()
	}
	value, ok := f.aspect(l.aspect)
	if !ok {
		return nil
	}
	return follow(nil, f, value, l.steps)
}

// elementProperty is a property of an element, or of an entity to which the element refers.
type elementProperty struct {
	given string
	of    valueKind
	steps []step
}

func (e elementProperty) name() string    { return e.given }
func (e elementProperty) kind() valueKind { return e.of }
func (e elementProperty) field() string   { return "" }

func (e elementProperty) values(f *Facts, element any) ([]string, []float64) {
	return leaves(follow(nil, f, element, e.steps))
}

func (p *parser) elementProperty(at, name string) property {
	if p.element.columns {
		kind, ok := columnKinds[name]
		if !ok {
			p.problem(at, "%q is no property of a column; known are %s", name, columnNames())
			return nil
		}
		return elementProperty{name, kind, []step{{kind: toField, name: name}}}
	}
	w := walker{parser: p, at: at, name: name, hops: 1}
	kind, ok := w.walk(p.element.of, segments(name))
	if !ok {
		return nil
	}
	return elementProperty{name, kind, w.steps}
}

// columns returns the columns of the schema. Documentation by users replaces the ingested one; tags
// and terms of both count.
func (f *Facts) columns() []any {
	if f.columnsRead {
		return f.allColumns
	}
	f.columnsRead = true
	schema, _ := f.aspect(schemaAspect)
	said := map[string]jsontree.Object{}
	edited, _ := f.aspect(editedAspect)
	for _, e := range jsontree.Children(jsontree.AsObject(edited), "editableSchemaFieldInfo") {
		said[jsontree.Text(e, "fieldPath")] = e
	}
	primary := jsontree.Texts(jsontree.AsObject(schema), "primaryKeys")
	for _, field := range jsontree.Children(jsontree.AsObject(schema), "fields") {
		path := jsontree.Text(field, "fieldPath")
		own := said[path]
		description := jsontree.Text(own, "description")
		if description == "" {
			description = jsontree.Text(field, "description")
		}
		f.allColumns = append(f.allColumns, jsontree.Object{
			"path": path, "description": description, "label": jsontree.Text(field, "label"), "nativeType": jsontree.Text(field, "nativeDataType"),
			"type": columnType(field), "nullable": jsontree.Bool(field, "nullable"),
			"key":   jsontree.Bool(field, "isPartOfKey") || slices.Contains(primary, path),
			"tags":  append(labels(field, "globalTags", "tags", "tag"), labels(own, "globalTags", "tags", "tag")...),
			"terms": append(labels(field, "glossaryTerms", "terms", "urn"), labels(own, "glossaryTerms", "terms", "urn")...),
		})
	}
	return f.allColumns
}

// columnType returns the short name of a column's type, as "NumberType".
func columnType(field jsontree.Object) string {
	for name := range jsontree.Child(jsontree.Child(field, "type"), "type") {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return ""
}

func labels(o jsontree.Object, member, array, of string) []any {
	var out []any
	for _, e := range jsontree.Children(jsontree.Child(o, member), array) {
		out = append(out, jsontree.Text(e, of))
	}
	return out
}
