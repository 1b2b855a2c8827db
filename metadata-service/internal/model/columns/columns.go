// Package columns compares two versions of a dataset's schema, column by column.
//
// Change events and timelines both use it, so that they agree on which columns were renamed.
package columns

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Operation is the kind of change of a column.
type Operation string

// The operations.
const (
	Added    Operation = "ADD"
	Removed  Operation = "REMOVE"
	Modified Operation = "MODIFY"
)

// Kind is the modification category of a change, in the spelling of the API.
type Kind string

// The kinds.
const (
	Other      Kind = "OTHER"
	Rename     Kind = "RENAME"
	TypeChange Kind = "TYPE_CHANGE"
)

// Change is the change of one column.
type Change struct {
	Path      string // the former path of a renamed column
	Operation Operation
	Kind      Kind
	Nullable  bool
	// Before and After are native types. Before is empty for a new column, After for a removed one.
	Before, After string
}

// Diff holds the changes of the columns of a schema.
type Diff struct {
	// Changes are ordered by path; changes of the primary key follow.
	Changes []Change
	// Successors maps the former paths of columns to their new ones, where the path changed.
	Successors map[string]string
}

// columnSet holds the columns of a schema by path. Of columns with equal paths it holds the first.
type columnSet map[string]jsontree.Object

func columnsOf(v jsontree.Object) columnSet {
	set := columnSet{}
	for _, f := range jsontree.Children(v, "fields") {
		if path := jsontree.Text(f, "fieldPath"); set[path] == nil {
			set[path] = f
		}
	}
	return set
}

// without returns the paths that the other set lacks, sorted.
func (s columnSet) without(other columnSet) []string {
	var out []string
	for path := range s {
		if other[path] == nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// Compare returns the changes of the columns and of the primary key between two values of the
// aspect schemaMetadata, the first of which may be nil. If one column was removed and a similar one
// was added, it counts as renamed. Changes of nullability and foreign keys are not reported.
func Compare(before, after jsontree.Object) Diff {
	old, now := columnsOf(before), columnsOf(after)
	var out []Change
	addChange := func(path, successor string, o Operation, k Kind) {
		f := old[path]
		if o == Added {
			f = now[path]
		}
		out = append(out, Change{path, o, k, jsontree.Bool(f, "nullable"), nativeType(old[path]), nativeType(now[successor])})
	}
	for path, f := range old {
		if now[path] != nil && nativeType(f) != nativeType(now[path]) {
			addChange(path, path, Modified, TypeChange)
		}
	}
	removed, added := old.without(now), now.without(old)
	successors := matchColumns(&removed, &added, func(path string, _ jsontree.Object) string { return withoutTypes(path) }, old, now)
	for path, successor := range successors {
		if nativeType(old[path]) != nativeType(now[successor]) {
			addChange(path, successor, Modified, TypeChange)
		}
	}
	for path, successor := range matchColumns(&removed, &added, renameKey, old, now) {
		addChange(path, successor, Modified, Rename)
		successors[path] = successor
	}
	for _, path := range removed {
		addChange(path, "", Removed, Other)
	}
	for _, path := range added {
		addChange(path, path, Added, Other)
	}
	slices.SortStableFunc(out, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return Diff{append(out, primaryKeys(before, after, old, now)...), successors}
}

// matchColumns matches removed and added columns with equal keys, in the order of the lists. It
// takes the pairs out of both lists and returns the successor of each removed column.
func matchColumns(removed, added *[]string, key func(path string, f jsontree.Object) string, old, now columnSet) map[string]string {
	waiting := map[string][]string{}
	for _, path := range *added {
		if k := key(path, now[path]); k != "" {
			waiting[k] = append(waiting[k], path)
		}
	}
	successors, taken := map[string]string{}, map[string]bool{}
	for _, path := range *removed {
		k := key(path, old[path])
		if list := waiting[k]; k != "" && len(list) > 0 {
			successors[path], waiting[k] = list[0], list[1:]
			taken[list[0]] = true
		}
	}
	*removed = slices.DeleteFunc(*removed, func(path string) bool { _, ok := successors[path]; return ok })
	*added = slices.DeleteFunc(*added, func(path string) bool { return taken[path] })
	return successors
}

// withoutTypes returns a path of version 2 without the embedded types, empty for other paths.
func withoutTypes(path string) string {
	if !strings.HasPrefix(path, "[version=2.0]") {
		return ""
	}
	steps := slices.DeleteFunc(strings.Split(path, "."), func(step string) bool { return strings.HasPrefix(step, "[") || strings.HasSuffix(step, "]") })
	return strings.Join(steps, ".")
}

// renameKey returns a text that is equal for columns that can be the same column under another
// name.
func renameKey(path string, f jsontree.Object) string {
	parent := "-"
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent = "+" + path[:i]
	}
	return strings.Join([]string{parent, nativeType(f), jsontree.Text(f, "description")}, "\x00")
}

func nativeType(f jsontree.Object) string { return jsontree.Text(f, "nativeDataType") }

// primaryKeys returns a change for each column that was added to the primary key or removed from
// it.
func primaryKeys(before, after jsontree.Object, old, now columnSet) []Change {
	was, is := jsontree.Texts(before, "primaryKeys"), jsontree.Texts(after, "primaryKeys")
	var out []Change
	addChanges := func(paths, others []string, set columnSet) {
		stay := make(map[string]bool, len(others))
		for _, path := range others {
			stay[path] = true
		}
		for _, path := range paths {
			if !stay[path] {
				out = append(out, Change{path, Modified, Other, jsontree.Bool(set[path], "nullable"), nativeType(old[path]), nativeType(now[path])})
			}
		}
	}
	addChanges(was, is, old)
	addChanges(is, was, now)
	return out
}
