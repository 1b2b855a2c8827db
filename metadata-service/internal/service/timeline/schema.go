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

const schemaAspect = "schemaMetadata"

// column is the URN of a column.
func column(u urn.URN, path string) urn.URN { return urn.Make("schemaField", string(u), path) }

// schemaFacts are the columns of a schema, with their descriptions and labels,
// and its foreign keys.
func schemaFacts(u urn.URN, v jsontree.Object) []fact {
	keys, _ := v["primaryKeys"].([]any)
	var out []fact
	for _, f := range objects(v, "fields") {
		path := text(f, "fieldPath")
		out = append(out, columnFact(u, path, f, slices.Contains(keys, any(path))))
		out = append(out, columnNotes(u, path, f)...)
	}
	for _, k := range objects(v, "foreignKeys") {
		name := text(k, "name")
		target := text(k, "foreignDataset")
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
	kind, native := typeOf(f), text(f, "nativeDataType")
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
		category: Schema, key: "column " + path, subject: u, modifier: modifier,
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
	out := description(u, at, text(f, "description"), "the description of column "+path)
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
	for _, f := range objects(v, "editableSchemaFieldInfo") {
		out = append(out, columnNotes(u, text(f, "fieldPath"), f)...)
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
	found, err := s.schema(ctx, dataset, false)
	if err != nil {
		return nil, err
	}
	out := make([]SchemaVersion, 0, len(found))
	for _, t := range found {
		out = append(out, t.schemaVersion())
	}
	return out, nil
}

func (t *told) schemaVersion() SchemaVersion { return SchemaVersion{t.Version, t.Stamp, t.Time} }

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
	found, err := s.schema(ctx, dataset, true)
	if err != nil {
		return Blame{}, err
	}
	if len(found) == 0 && version == "" {
		return Blame{Columns: []ColumnBlame{}}, nil
	}
	at := len(found) - 1
	if version != "" {
		at = slices.IndexFunc(found, func(t told) bool { return t.Version == version || t.Stamp == version })
	}
	if at < 0 {
		return Blame{}, fault.New(fault.NotFound, "version: the schema of %s has no version %.60q", dataset, version)
	}
	last := map[string]ColumnBlame{}
	for i := range found[:at+1] {
		t := &found[i]
		if len(t.Events) == 0 { // the oldest that is kept
			for _, f := range t.facts {
				last[f.modifier] = ColumnBlame{Version: t.schemaVersion(), Operation: Add, Description: "Added " + f.what + " in this version or before it."}
			}
		}
		for _, e := range t.Events {
			last[e.Modifier] = ColumnBlame{Version: t.schemaVersion(), Operation: e.Operation, Description: e.Description}
		}
	}
	shown := found[at].schemaVersion()
	out := Blame{Version: &shown, Columns: []ColumnBlame{}}
	for _, f := range found[at].facts {
		path, ok := strings.CutPrefix(f.key, "column ")
		if !ok {
			continue
		}
		blame := last[f.modifier]
		blame.Path = path
		out.Columns = append(out.Columns, blame)
	}
	return out, nil
}

// schema is the history of a schema alone.
func (s *Service) schema(ctx context.Context, dataset urn.URN, keep bool) ([]told, error) {
	events := 0
	w := walk{query: Query{URN: dataset, Categories: []Category{Schema}}, keep: keep, events: &events}
	if err := w.aspect(ctx, s.aspects, source{schemaAspect, w.query.Categories, schemaFacts}); err != nil {
		return nil, err
	}
	return w.transactions(), nil
}
