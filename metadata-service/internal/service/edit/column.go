package edit

import (
	"bytes"
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// columnsAspect holds the edits of dataset columns, by field path.
const columnsAspect = "editableSchemaMetadata"

// CheckColumn returns fault.Malformed for a column that is neither in the stored schema of a
// dataset nor in that of a sibling. It checks no privileges.
func CheckColumn(ctx context.Context, e *Editor, u urn.URN, path string) error {
	found, err := hasColumn(ctx, e, u, path)
	if err != nil || found {
		return err
	}
	siblings, err := e.Stored(ctx, u, "siblings")
	if err != nil {
		return err
	}
	list, _ := siblings["siblings"].([]any)
	for _, s := range list {
		text, _ := s.(string)
		if sibling, err := urn.Parse(text); err == nil {
			if found, err = hasColumn(ctx, e, sibling, path); err != nil || found {
				return err
			}
		}
	}
	return fault.New(fault.Malformed, "field %s does not exist in the schema of %s", path, u)
}

func hasColumn(ctx context.Context, e *Editor, u urn.URN, path string) (bool, error) {
	schema, err := e.Stored(ctx, u, "schemaMetadata")
	if err != nil {
		return false, fmt.Errorf("columns of %s: %w", u, err)
	}
	fields, _ := schema["fields"].([]any)
	for _, f := range fields {
		if field, ok := f.(jsontree.Object); ok && field["fieldPath"] == path {
			return true, nil
		}
	}
	return false, nil
}

// ColumnChange returns a change of the edits of a column. apply receives the entry of the column
// and changes it in place. If the entry stays equal, nothing is written.
func ColumnChange(ctx context.Context, e *Editor, u urn.URN, path string, apply func(column jsontree.Object)) Change {
	return Change{URN: u, Aspect: columnsAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"created": e.Stamp(ctx)}
		}
		entries, _ := value["editableSchemaFieldInfo"].([]any)
		var column jsontree.Object
		for _, entry := range entries {
			if o, ok := entry.(jsontree.Object); ok && o["fieldPath"] == path {
				column = o
			}
		}
		if column == nil {
			column = jsontree.Object{"fieldPath": path}
			entries = append(entries, column)
		}
		before := jsontree.Encode(column)
		apply(column)
		if bytes.Equal(before, jsontree.Encode(column)) {
			return nil, nil
		}
		value["editableSchemaFieldInfo"] = entries
		value["lastModified"] = e.Stamp(ctx)
		return value, nil
	}}
}
