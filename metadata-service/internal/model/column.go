package model

import (
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// ColumnType is the entity type of columns.
const ColumnType = "schemaField"

// columnPathPart is the key part of a column that holds its path.
const columnPathPart = "fieldPath"

// pathEncoder percent-encodes the characters of a field path that would split the key of a URN or a
// browse path, and pathDecoder decodes them. A percent sign itself stays as it is, as in the URNs
// that clients make: a path that contains "%28" has the URN of the path with "(" in its place.
var (
	pathEncoder = strings.NewReplacer("(", "%28", ")", "%29", ",", "%2C", PathSeparator, "%E2%90%9F")
	pathDecoder = strings.NewReplacer("%28", "(", "%29", ")", "%2C", ",", "%2c", ",", "%E2%90%9F", PathSeparator, "%e2%90%9f", PathSeparator)
)

// ColumnURN returns the URN of the column of a dataset, chart or dashboard with a field path in the
// spelling of the schema. Encoding an encoded path again changes nothing. For an empty path or
// parent the result is malformed, so callers with values from input must parse it.
func ColumnURN(parent urn.URN, path string) urn.URN {
	return urn.Make(ColumnType, string(parent), pathEncoder.Replace(path))
}

// SplitColumn returns the entity that a column belongs to and the field path of the column,
// decoded once. It also reads URNs with unencoded characters in the path. It reports false for
// URNs of other types, and for a column whose key does not start with a URN.
func SplitColumn(column urn.URN) (parent urn.URN, path string, ok bool) {
	if column.Type() != ColumnType {
		return "", "", false
	}
	parts := column.Parts()
	if len(parts) < 2 || !urn.Looks(parts[0]) {
		return "", "", false
	}
	return urn.URN(parts[0]), pathDecoder.Replace(strings.Join(parts[1:], ",")), true
}

// ColumnsPrefix returns the text that the URNs of all columns of an entity start with.
func ColumnsPrefix(parent urn.URN) string {
	return urn.TypePrefix(ColumnType) + "(" + string(parent) + ","
}

// CanonicalColumn returns the URN that ColumnURN makes for the same column. URNs of other types are
// returned unchanged.
func CanonicalColumn(u urn.URN) urn.URN {
	if parent, path, ok := SplitColumn(u); ok {
		return ColumnURN(parent, path)
	}
	return u
}

// ParentOfColumn returns the entity that a column belongs to, empty for URNs of other types. The
// URN of a column contains it, so the column is a part of that entity regardless of the stored
// facts.
func ParentOfColumn(column urn.URN) urn.URN {
	parent, _, _ := SplitColumn(column)
	return parent
}
