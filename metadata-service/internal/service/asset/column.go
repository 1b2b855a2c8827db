package asset

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
)

// ColumnText holds the edits of a column.
type ColumnText struct {
	Path        string
	Description *string
	Tags        *[]string // URNs
}

// maxColumns is the maximum number of columns in one update.
const maxColumns = 20_000

func (s *Service) newColumns(ctx context.Context, up Updated) (*edit.Change, error) {
	if up.Columns == nil {
		return nil, nil
	}
	entries, err := s.columns(*up.Columns)
	if err != nil {
		return nil, err
	}
	at := place{"editableSchemaMetadata", "editableSchemaFieldInfo", jsontree.Object{}, true}
	change := s.write(ctx, up.URN, at, func(value jsontree.Object) error {
		before, _ := value[at.member].([]any)
		value[at.member] = keepTerms(before, entries)
		return nil
	})
	return &change, nil
}

// columns returns the aspect entries of columns.
func (s *Service) columns(list []ColumnText) ([]jsontree.Object, error) {
	if len(list) > maxColumns {
		return nil, fault.New(fault.TooLarge, "editableSchemaFieldInfo: %d entries, at most %d are allowed", len(list), maxColumns)
	}
	out := make([]jsontree.Object, 0, len(list))
	for _, c := range list {
		if err := edit.Text("fieldPath", c.Path, edit.MaxText, true); err != nil {
			return nil, err
		}
		entry := jsontree.Object{"fieldPath": c.Path}
		if c.Description != nil {
			if err := edit.Text("description", *c.Description, edit.MaxText, false); err != nil {
				return nil, err
			}
			entry["description"] = *c.Description
		}
		if c.Tags != nil {
			tags, err := s.edit.ParseAll("globalTags", *c.Tags, "tag")
			if err != nil {
				return nil, err
			}
			entry["globalTags"] = jsontree.Object{"tags": tagEntries(nil, tags)}
		}
		out = append(out, entry)
	}
	return out, nil
}

// keepTerms copies the stored glossary terms of columns into their new entries: an update cannot
// contain terms, so it must not remove them.
func keepTerms(before []any, entries []jsontree.Object) []any {
	out := make([]any, 0, len(entries))
	at := make(map[any]jsontree.Object, len(entries))
	for _, e := range entries {
		entry := jsontree.Clone(e).(jsontree.Object)
		at[entry["fieldPath"]] = entry
		out = append(out, entry)
	}
	for _, b := range before {
		was, _ := b.(jsontree.Object)
		terms := was["glossaryTerms"]
		if terms == nil {
			continue
		}
		if entry := at[was["fieldPath"]]; entry != nil {
			entry["glossaryTerms"] = terms
			continue
		}
		out = append(out, jsontree.Object{"fieldPath": was["fieldPath"], "glossaryTerms": terms})
	}
	return out
}
