package model

import "github.com/cartulary/cartulary/pkg/urn"

// ColumnType is the entity type of columns.
const ColumnType = "schemaField"

// ParentOfColumn is what a column belongs to, empty for what is no column. A column names it
// in its URN, so it is a part of that entity whatever is stored about either.
func ParentOfColumn(column urn.URN) urn.URN {
	if column.Type() != ColumnType {
		return ""
	}
	parts := column.Parts()
	if len(parts) == 0 || !urn.Looks(parts[0]) {
		return ""
	}
	return urn.URN(parts[0])
}
