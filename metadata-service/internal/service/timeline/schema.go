package timeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/columns"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const schemaAspect = "schemaMetadata"

// column returns the URN of a column.
func column(u urn.URN, path string) urn.URN { return model.ColumnURN(u, path) }

// schemaFacts returns the descriptions and labels of the columns of a schema.
func schemaFacts(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for _, f := range jsontree.Children(v, "fields") {
		out = append(out, columnNotes(u, jsontree.Text(f, "fieldPath"), f)...)
	}
	return out
}

// columnEvents returns the changes of columns and of the primary key.
func columnEvents(u urn.URN, before, after jsontree.Object) []Event {
	diff := columns.Compare(before, after)
	out := make([]Event, len(diff.Changes))
	for i, c := range diff.Changes {
		modifier := string(column(u, c.Path))
		out[i] = Event{
			URN: u, Category: Schema, Operation: Operation(c.Operation), Modifier: modifier, Grade: columnGrade(c), Description: columnSentence(c, diff.Successors),
			Parameters: []Parameter{{"fieldPath", c.Path}, {"fieldUrn", modifier}, {"nullable", c.Nullable}, {"modificationCategory", string(c.Kind)}},
		}
	}
	return out
}

// columnGrade returns Major for changes that may break queries of the data, else Minor.
func columnGrade(c columns.Change) Grade {
	if c.Operation == columns.Added || c.Kind == columns.Rename {
		return Minor
	}
	return Major
}

func columnSentence(c columns.Change, successors map[string]string) string {
	switch {
	case c.Operation == columns.Added:
		return "Added column " + c.Path + "."
	case c.Operation == columns.Removed:
		return "Removed column " + c.Path + "."
	case c.Kind == columns.Rename:
		return "Renamed column " + c.Path + " to " + successors[c.Path] + "."
	case c.Kind == columns.TypeChange:
		return fmt.Sprintf("Changed column %s from %s to %s.", c.Path, truncate(c.Before, 200), truncate(c.After, 200))
	}
	return "Changed the primary key by column " + c.Path + "."
}

// columnNotes returns the description and labels of a column.
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

// editedFacts returns the descriptions and labels of columns that users edited.
func editedFacts(u urn.URN, v jsontree.Object) []fact {
	var out []fact
	for _, f := range jsontree.Children(v, "editableSchemaFieldInfo") {
		out = append(out, columnNotes(u, jsontree.Text(f, "fieldPath"), f)...)
	}
	return out
}

// SchemaVersion is a version of the schema of a dataset.
type SchemaVersion struct {
	Version string
	Stamp   string
	Time    int64 // epoch ms
}

// SchemaVersions lists the versions of a schema that changed a column or the key, oldest first. The
// list is empty for a dataset without a schema.
func (s *Service) SchemaVersions(ctx context.Context, dataset urn.URN) ([]SchemaVersion, error) {
	var out []SchemaVersion
	return out, s.schema(ctx, dataset, func(v SchemaVersion, _ *comparedVersion) bool {
		out = append(out, v)
		return true
	})
}

// schema visits the versions of a schema that changed a column or the key, and the oldest stored
// version, until visit returns false. It visits them oldest first.
func (s *Service) schema(ctx context.Context, dataset urn.URN, visit func(v SchemaVersion, c *comparedVersion) bool) error {
	only := []Category{Schema}
	entity, ok := s.registry.Entity(dataset.Type())
	if !ok {
		return fault.New(fault.Malformed, "urn: %s is of no type that is known", dataset)
	}
	t := schemaVisitor{visit: visit, rows: map[string]int64{}}
	// A version is delayed until the next one shows whether it is the current one.
	var held *comparedVersion
	for c, err := range versions(ctx, s.aspects, dataset, source{schemaAspect, only, schemaFacts, columnEvents}, only, &memoryBudget{reserve: s.reserve}) {
		if err != nil {
			return err
		}
		if held == nil {
			if t.uncompared, err = s.uncomparedVersions(ctx, dataset, entity, map[string]bool{schemaAspect: true}); err != nil {
				return err
			}
		} else if !t.visitVersion(held, held.version) {
			return nil
		}
		held = c
	}
	if held != nil {
		t.visitVersion(held, 0)
	}
	return nil
}

// schemaVisitor assigns numbers and stamps to versions of a schema. It receives them oldest first.
type schemaVisitor struct {
	visit      func(v SchemaVersion, c *comparedVersion) bool
	uncompared otherVersions
	number     numbering
	rows       map[string]int64
}

// visitVersion visits a version if it changed a column or the key. It returns false when the
// visitor stops.
func (t *schemaVisitor) visitVersion(c *comparedVersion, row int64) bool {
	c.row = row
	t.rows[c.aspect] = row
	if c.grade == "" && !c.unknown {
		return true
	}
	t.uncompared.advance(c.time, t.rows)
	return t.visit(SchemaVersion{Version: t.number.next(c.grade), Stamp: stamp(t.rows), Time: c.time}, c)
}

// Blame is the last change of each column in one version of a schema.
type Blame struct {
	Version *SchemaVersion // nil without a schema
	Columns []ColumnBlame  // in the order of the schema
}

// ColumnBlame is the last change of one column.
type ColumnBlame struct {
	Path      string
	Version   SchemaVersion
	Operation Operation
	// Description is a sentence. It is also set for columns older than the oldest stored version.
	Description string
}

// Blame returns for each column the version that changed it last. version is a number or a stamp;
// empty means the latest version. An unknown version is fault.NotFound.
func (s *Service) Blame(ctx context.Context, dataset urn.URN, version string) (Blame, error) {
	out := Blame{Columns: []ColumnBlame{}}
	last := map[urn.URN]ColumnBlame{} // by URN of the column
	// A stamp may name rows of other aspects, which are ignored here.
	stamped, _ := ParseStamp(version)
	row, asked := stamped[schemaAspect]
	var schema jsontree.Object
	met := false
	err := s.schema(ctx, dataset, func(v SchemaVersion, c *comparedVersion) bool {
		if c.unknown {
			for _, path := range fieldPaths(c.value) {
				last[column(dataset, path)] = ColumnBlame{Version: v, Operation: Add, Description: "Added column " + path + " in this version or before it."}
			}
		} else {
			for _, e := range c.events {
				last[urn.URN(e.Modifier)] = ColumnBlame{Version: v, Operation: e.Operation, Description: e.Description}
			}
			for was, is := range columns.Compare(c.old, c.value).Successors {
				last[column(dataset, is)] = last[column(dataset, was)]
			}
		}
		out.Version, schema = &v, c.value
		met = version == v.Version || version == v.Stamp || asked && row == c.row
		return !met
	})
	if err != nil {
		return Blame{}, err
	}
	if version != "" && !met {
		return Blame{}, fault.New(fault.NotFound, "version: the schema of %s has no version %.60q", dataset, version)
	}
	for _, path := range fieldPaths(schema) {
		blame := last[column(dataset, path)]
		blame.Path = path
		out.Columns = append(out.Columns, blame)
	}
	return out, nil
}

// fieldPaths returns the columns of a schema without duplicates.
func fieldPaths(schema jsontree.Object) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range jsontree.Children(schema, "fields") {
		if path := jsontree.Text(f, "fieldPath"); !seen[path] {
			seen[path] = true
			out = append(out, path)
		}
	}
	return out
}
