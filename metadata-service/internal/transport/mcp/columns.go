package mcp

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ColumnsInput are the arguments of list_schema_fields.
type ColumnsInput struct {
	URN      string   `json:"urn" jsonschema:"the dataset"`
	Keywords []string `json:"keywords,omitempty" jsonschema:"words that must all be in the path, description, tags or terms of a column"`
	Offset   int      `json:"offset,omitempty" jsonschema:"columns to skip"`
	Limit    int      `json:"limit,omitempty" jsonschema:"columns to give, 100 unless said, at most 200"`
}

// ColumnsOutput is a page of columns, in the order of the schema.
type ColumnsOutput struct {
	Total   int      `json:"total"`
	Columns []Column `json:"columns"`
}

// Column is a column of a dataset. Descriptions by users take precedence over those by programs.
type Column struct {
	Path        string   `json:"path"`
	Type        string   `json:"type,omitempty"`
	Nullable    bool     `json:"nullable,omitempty"`
	Key         bool     `json:"key,omitempty"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Terms       []string `json:"terms,omitempty"`
}

const (
	defaultColumns = 100
	schemaAspect   = "schemaMetadata"
	editableSchema = "editableSchemaMetadata"
)

func (s *Server) listSchemaFields(ctx context.Context, in ColumnsInput) (out ColumnsOutput, err error) {
	offset, limit, err := pageOf(in.Offset, in.Limit, defaultColumns, maxColumns)
	if err != nil {
		return out, err
	}
	u, err := s.parse("urn", in.URN)
	if err != nil {
		return out, err
	}
	entities, err := s.entities(ctx, []urn.URN{u}, catalog.EntityQuery{Aspects: []string{schemaAspect, editableSchema}, Disclosure: catalog.Omitted})
	if err != nil {
		return out, err
	}
	e := entities[0]
	schema, err := objectOf(e, schemaAspect)
	if err != nil {
		return out, err
	}
	if schema == nil {
		return out, fault.New(fault.NotFound, "urn: %s has no schema", u)
	}
	edited, err := objectOf(e, editableSchema)
	if err != nil {
		return out, err
	}
	out.Columns = []Column{}
	for _, c := range columnsOf(schema, edited) {
		if !c.matches(in.Keywords) {
			continue
		}
		if out.Total++; out.Total > offset && len(out.Columns) < limit {
			out.Columns = append(out.Columns, c)
		}
	}
	return out, nil
}

// objectOf returns an aspect of an entity, nil when it is absent.
func objectOf(e catalog.Entity, aspect string) (jsontree.Object, error) {
	a, ok := e.Find(aspect)
	if !ok {
		return nil, nil
	}
	return jsontree.DecodeObject(a.Value)
}

func columnsOf(schema, edited jsontree.Object) []Column {
	notes := map[string]jsontree.Object{}
	for _, field := range jsontree.Array(edited, "editableSchemaFieldInfo") {
		o, _ := field.(jsontree.Object)
		notes[plainPath(text(o, "fieldPath", longText))] = o
	}
	fields := jsontree.Array(schema, "fields")
	out := make([]Column, 0, len(fields))
	for _, field := range fields {
		o, _ := field.(jsontree.Object)
		path := text(o, "fieldPath", longText)
		note := notes[plainPath(path)]
		c := Column{
			Path: plainPath(path), Type: text(o, "nativeDataType", shortText), Nullable: jsontree.Bool(o, "nullable"), Key: jsontree.Bool(o, "isPartOfKey"),
			Description: text(note, "description", shortText), Tags: mergedLabels(note, o, "globalTags", "tags", "tag"), Terms: mergedLabels(note, o, "glossaryTerms", "terms", "urn"),
		}
		if c.Description == "" {
			c.Description = text(o, "description", shortText)
		}
		out = append(out, c)
	}
	return out
}

// plainPath removes the types from a field path of version 2, such as
// [version=2.0].[type=struct].address.[type=string].city.
func plainPath(path string) string {
	if !strings.HasPrefix(path, "[version=2.0]") {
		return path
	}
	var out []string
	for _, part := range strings.Split(path, ".") {
		if !strings.HasPrefix(part, "[") && !strings.HasSuffix(part, "]") {
			out = append(out, part)
		}
	}
	return strings.Join(out, ".")
}

// mergedLabels returns the tags or terms of a column, first those that users added, then those of
// programs, without duplicates.
func mergedLabels(note, field jsontree.Object, aspect, list, member string) (out []string) {
	seen := map[string]bool{}
	for _, of := range []jsontree.Object{note, field} {
		aspect, _ := of[aspect].(jsontree.Object)
		for _, label := range jsontree.Array(aspect, list) {
			o, _ := label.(jsontree.Object)
			if u, _ := o[member].(string); u != "" && !seen[u] {
				seen[u] = true
				out = append(out, u)
			}
		}
	}
	return out
}

func (c Column) matches(keywords []string) bool {
	all := strings.ToLower(strings.Join(append([]string{c.Path, c.Description}, append(c.Tags, c.Terms...)...), "\n"))
	for _, word := range keywords {
		if !strings.Contains(all, strings.ToLower(word)) {
			return false
		}
	}
	return true
}
