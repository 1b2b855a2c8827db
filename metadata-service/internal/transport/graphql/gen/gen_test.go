package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// small is a schema and a mapping that fit together. Tests add to them.
const (
	small = `type Query { tag(urn: String!): Tag }
enum EntityType { TAG }
type Tag { urn: String! type: EntityType! name: String! MORE }
`
	smallMapping = "type\tfield\tsource\n" +
		"Tag\t*\tentity tag TAG\n" +
		"Tag\turn\t$urn\n" +
		"Tag\ttype\t$type\n" +
		"Tag\tname\ttagProperties.name ?? tagKey.name\n"
)

// generate runs the generator on the small schema with fields added to Tag, types added to the
// schema and rows added to the mapping.
func generate(t *testing.T, fields, types, rows string) (folder string, err error) {
	t.Helper()
	source, target := t.TempDir(), t.TempDir()
	put(t, source, "schema/tag.graphql", strings.Replace(small, "MORE", fields, 1)+types)
	put(t, source, "mapping.tsv", smallMapping+rows)
	put(t, target, "zz_gone.go", "package gqltype\n")
	put(t, target, "kept.go", "package gqltype\n")
	return target, run(loaded(t), source, target)
}

var registry = sync.OnceValues(model.Load)

func loaded(t *testing.T) *model.Registry {
	t.Helper()
	r, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fields, types, rows, want string }{
		{"a field without a source", "shade: String", "", "", "Tag.shade has no source"},
		{"a record's field without a source", "properties: Props", "type Props { shade: String }", "Tag\tproperties\ttagProperties\n", "Props.shade has no source in TagProperties"},
		{"an aspect the type does not have", "a: String", "", "Tag\ta\tdatasetProperties.name\n", "tag has no aspect datasetProperties"},
		{"an aspect nobody has", "a: String", "", "Tag\ta\t^nothing.name\n", "no aspect nothing"},
		{"an entity as a record", "a: String", "", "Tag\ta\t.\n", "an entity is no record"},
		{"a member the record does not have", "a: String", "", "Tag\ta\ttagProperties.shade\n", "TagProperties has no member shade"},
		{"a member of a text", "a: String", "", "Tag\ta\ttagProperties.name.first\n", "string has no members"},
		{"another scalar", "a: Int", "", "Tag\ta\ttagProperties.name\n", "string is no Int"},
		{"a list of what is none", "a: [String]", "", "Tag\ta\ttagProperties.name\n", "string is no list"},
		{"a record as a text", "a: String", "", "Tag\ta\tstatus\n", "Status is no String"},
		{"a flag as an enum", "a: State", "enum State { ON }", "Tag\ta\tstatus.removed\n", "boolean is no State"},
		{"a flag as an object", "a: Props", "type Props { x: String }", "Tag\ta\tstatus.removed\n", "boolean is no record for Props"},
		{"a record as a reference", "a: Tag", "", "Tag\ta\tstatus\n", "Status is no URN of a Tag"},
		{"a record as a reference to any of several", "a: Any", "union Any = Tag", "Tag\ta\tstatus\n", "Status is no URN of a Any"},
		{"an enum without a default that is never null", "a: State!", "enum State { ON }", "Tag\ta\ttagProperties.name\n", "so it needs a default"},
		{"nothing for what is never null", "a: String!", "", "Tag\ta\t-\n", "it is never null and has no source"},
		{"arguments that nobody looks at", "a(x: Int): String", "", "Tag\ta\ttagProperties.name\n", "it has arguments, so it is computed"},
		{"one method with two results", "a: String b: Int", "", "Tag\ta\t@A\nTag\tb\t@A\n", "other fields computed by A are"},
		{"one method with two lists of arguments", "a(x: Int): String b(y: Int): String", "", "Tag\ta\t@A\nTag\tb\t@A\n", "other fields computed by A have other arguments"},
		{"a row that no field needs", "", "", "Tag\told\ttagProperties.name\n", "mapping.tsv:6: no field Tag.old needs this row"},
		{"two rows of a field", "", "", "Tag\tname\ttagKey.name\n", ":6: a second row for Tag.name"},
		{"a row of two cells", "", "", "Tag\tname\n", ":6: 2 cells, not type, field and source"},
		{"a row without a source", "", "", "Tag\ta\t\n", ":6: no source"},
		{"a method that is no name", "", "", "Tag\ta\t@A B\n", ":6: \"@A B\" is not @Name(aspects)"},
		{"an unknown word", "", "", "Tag\ta\t$name\n", ":6: \"$name\" is neither $urn nor $type"},
		{"a type the schema does not have", "", "", "Nobody\t*\tbuilt\n", "mapping.tsv: no type Nobody"},
		{"a kind without its words", "", "type Other { a: String }", "Other\t*\tentity\n", "Other needs a kind, an entity type and an EntityType"},
		{"no kind", "", "", "Tag\t*\t\n", ":6: no kind"},
		{"an entity type the model does not have", "", "type Other { a: String }", "Other\t*\tentity nothing OTHER\n", "Other: no entity type nothing"},
		{"a record of an aspect that is not there", "", "type Other { a: String }", "Other\t*\trecord nothing\n", "Other: no aspect nothing"},
		{"a record without an aspect", "", "type Other { a: String }", "Other\t*\trecord\n", "Other needs a kind"},
		{"a type that nothing fills in", "", "type Lost { a: String }", "", "Lost is not reached from an entity; mark it as built"},
		{"a schema that is none", "a: Nothing", "", "Tag\ta\t-\n", "Undefined type Nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := generate(t, c.fields, c.types, c.rows); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestATimeSeriesIsNoSource(t *testing.T) {
	t.Parallel()
	_, err := generate(t, "", "type Dataset { urn: String! rows: Int }", "Dataset\t*\tentity dataset DATASET\nDataset\turn\t$urn\nDataset\trows\tdatasetProfile.rowCount\n")
	if err == nil || !strings.Contains(err.Error(), "datasetProfile is a time series") {
		t.Errorf("got %v", err)
	}
}

func TestWhatFitsIsWritten(t *testing.T) {
	t.Parallel()
	folder, err := generate(t, "properties: Props colours: [String!]! removed: Boolean! parent: Any near(first: Int = 3): [Tag!] state: State!",
		"type Props { name: String colorHex: String } union Any = Tag enum State { ON OFF } type Made { a: String }",
		"Tag\tproperties\ttagProperties\nTag\tcolours\t-\nTag\tremoved\tstatus.removed\nTag\tparent\townership.owners.0.owner\nTag\tnear\t@Near\nTag\tstate\ttagProperties.colorHex | OFF\nMade\t*\tbuilt\n")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "zz_tag.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"// Code generated by transport/graphql/gen. DO NOT EDIT.\n",
		"func (l *Loader) Tag(u urn.URN, w *selection.Set) *Tag {",
		`firstValue(valueAt(at.Aspect("tagProperties"), "name"), valueAt(at.Aspect("tagKey"), "name"))`,
		"Near       func(context.Context, NearArgs) (*[]*Tag, error)",
		"type NearArgs struct {\n\tFirst int32\n}",
		"func (x *Any) ToTag() (*Tag, bool) {",
		"type Made struct {\n\tA *string\n}",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "zz_gone.go")); err == nil {
		t.Error("the file of a topic that is gone was left")
	}
	if _, err := os.Stat(filepath.Join(folder, "kept.go")); err != nil {
		t.Errorf("a file that is not generated went: %v", err)
	}
}

func TestMissingFilesAreReported(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	if err := run(loaded(t), source, t.TempDir()); err == nil {
		t.Error("a folder without a schema was taken")
	}
	put(t, source, "schema/tag.graphql", strings.Replace(small, "MORE", "", 1))
	if err := run(loaded(t), source, t.TempDir()); err == nil || !strings.Contains(err.Error(), "mapping.tsv") {
		t.Errorf("without a mapping: %v", err)
	}
}

// The files in gqltype equal the output of the generator for the current schema and mapping. To
// update them: go generate ./internal/transport/graphql/gqltype.
func TestTheGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	target := t.TempDir()
	if err := run(loaded(t), "..", target); err != nil {
		t.Fatal(err)
	}
	const there = "../gqltype"
	fresh, stale := generated(t, target), generated(t, there)
	for name := range stale {
		if fresh[name] == nil {
			t.Errorf("%s is of a topic that is gone", name)
		}
	}
	for name, text := range fresh {
		if !bytes.Equal(stale[name], text) {
			t.Errorf("%s is out of date: run go generate ./internal/transport/graphql/gqltype", name)
		}
	}
}

func generated(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(folder + "/zz_*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated files in %s: %v", folder, err)
	}
	out := map[string][]byte{}
	for _, file := range files {
		if out[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
