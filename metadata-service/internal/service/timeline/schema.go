package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	schemaAspect = "schemaMetadata"
	columnKey    = "column " // begins keys of facts about columns
)

// column is the URN of a column.
func column(u urn.URN, path string) urn.URN { return urn.Make("schemaField", string(u), path) }

// schemaFacts are the columns of a schema, with their descriptions and labels,
// and its foreign keys.
func schemaFacts(u urn.URN, v jsontree.Object) []fact {
	keys, _ := v["primaryKeys"].([]any)
	var out []fact
	for _, f := range jsontree.Children(v, "fields") {
		path := jsontree.Text(f, "fieldPath")
		out = append(out, columnFact(u, path, f, slices.Contains(keys, any(path))))
		out = append(out, columnNotes(u, path, f)...)
	}
	for _, k := range jsontree.Children(v, "foreignKeys") {
		name := jsontree.Text(k, "name")
		target := jsontree.Text(k, "foreignDataset")
		value := string(jsontree.Encode([]any{target, k["foreignFields"], k["sourceFields"]}))
		out = append(out, fact{
			category: Schema, key: "foreign key " + name, subject: u, modifier: target, hard: value, what: "foreign key " + name,
			parameters: parameters("name", name, "foreignDataset", target),
		})
	}
	return out
}

func columnFact(u urn.URN, path string, f jsontree.Object, key bool) fact {
	inKey, _ := f["isPartOfKey"].(bool)
	nullable, _ := f["nullable"].(bool)
	kind, native := typeOf(f), jsontree.Text(f, "nativeDataType")
	show := kind
	if native != "" {
		show += " (" + native + ")"
	}
	if nullable {
		show += ", may be null"
	}
	if key || inKey {
		show += ", in the key"
	}
	modifier := string(column(u, path))
	return fact{
		category: Schema, key: columnKey + path, subject: u, modifier: modifier,
		hard: fmt.Sprint(kind, " ", nullable, " ", key || inKey), soft: native, what: "column " + path, show: show,
		parameters: parameters("fieldPath", path, "fieldUrn", modifier, "type", kind, "nativeDataType", native, "nullable", fmt.Sprint(nullable)),
	}
}

// typeOf is the short name of the record that stands for a column's type.
func typeOf(f jsontree.Object) string {
	outer, _ := f["type"].(jsontree.Object)
	inner, _ := outer["type"].(jsontree.Object)
	for name := range inner {
		return strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "Type")
	}
	return "Null"
}

// columnNotes are what is said of a column besides what it is.
func columnNotes(u urn.URN, path string, f jsontree.Object) []fact {
	at := column(u, path)
	out := description(u, at, jsontree.Text(f, "description"), "the description of column "+path)
	for i := range out {
		out[i].parameters = append(parameters("fieldPath", path), out[i].parameters...)
	}
	tags, _ := f["globalTags"].(jsontree.Object)
	terms, _ := f["glossaryTerms"].(jsontree.Object)
	return slices.Concat(out, labels(Tags, tags, at, path), labels(Terms, terms, at, path))
}

// editedFacts are what people say of columns.
func editedFacts(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for _, f := range jsontree.Children(v, "editableSchemaFieldInfo") {
		out = append(out, columnNotes(u, jsontree.Text(f, "fieldPath"), f)...)
	}
	return out
}

// SchemaVersion is a version of a dataset's schema.
type SchemaVersion struct {
	Version string
	Stamp   string
	Time    int64 // epoch ms
}

// SchemaVersions lists the versions of a schema that changed a column or key,
// oldest first. A dataset without a schema has none.
func (s *Service) SchemaVersions(ctx context.Context, dataset urn.URN) ([]SchemaVersion, error) {
	var out []SchemaVersion
	return out, s.schema(ctx, dataset, func(v SchemaVersion, _ *compared) bool {
		out = append(out, v)
		return true
	})
}

// schema visits the versions of a schema that changed a column or key, and the
// oldest that is kept, until visit gives false.
func (s *Service) schema(ctx context.Context, dataset urn.URN, visit func(v SchemaVersion, c *compared) bool) error {
	only := []Category{Schema}
	var number numbering
	for c, err := range versions(ctx, s.aspects, dataset, source{schemaAspect, only, schemaFacts}, only) {
		if err != nil {
			return err
		}
		if c.grade == "" && !c.unknown {
			continue
		}
		v := SchemaVersion{Version: number.next(c.grade), Stamp: stamp(map[string]int64{c.aspect: c.version}), Time: c.time}
		if !visit(v, c) {
			return nil
		}
	}
	return nil
}

// Blame is the last change to each column of one version of a schema.
type Blame struct {
	Version *SchemaVersion // nil without a schema
	Columns []ColumnBlame  // in the order of the schema
}

// ColumnBlame is the last change to one column.
type ColumnBlame struct {
	Path      string
	Version   SchemaVersion
	Operation Operation
	// Description is a sentence, for columns older than the oldest version kept, too.
	Description string
}

// Blame tells for each column which version changed it last. The version is
// named by its number or its stamp; empty is the latest. One that is not known
// is fault.NotFound.
func (s *Service) Blame(ctx context.Context, dataset urn.URN, version string) (Blame, error) {
	out := Blame{Columns: []ColumnBlame{}}
	last := map[string]ColumnBlame{} // by URN of the column
	var facts []fact
	met := false
	err := s.schema(ctx, dataset, func(v SchemaVersion, c *compared) bool {
		if c.unknown {
			for _, f := range c.facts {
				last[f.modifier] = ColumnBlame{Version: v, Operation: Add, Description: "Added " + f.what + " in this version or before it."}
			}
		}
		for _, e := range c.events {
			last[e.Modifier] = ColumnBlame{Version: v, Operation: e.Operation, Description: e.Description}
		}
		out.Version, facts = &v, c.facts
		met = version == v.Version || version == v.Stamp
		return !met
	})
	if err != nil {
		return Blame{}, err
	}
	if version != "" && !met {
		return Blame{}, fault.New(fault.NotFound, "version: the schema of %s has no version %.60q", dataset, version)
	}
	for _, f := range facts {
		if path, ok := strings.CutPrefix(f.key, columnKey); ok {
			blame := last[f.modifier]
			blame.Path = path
			out.Columns = append(out.Columns, blame)
		}
	}
	return out, nil
}
