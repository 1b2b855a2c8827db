package event

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The kinds of a change of a column, as clients know them.
const (
	otherwise  = "OTHER"
	renamed    = "RENAME"
	typeChange = "TYPE_CHANGE"
)

// columnSet is the columns of a schema by their paths, each path once.
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

// without lists the paths of a set that another lacks, in their order.
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

// columns tells what became of the columns and of the primary key, in the order of the
// paths. A column that is gone while a like one came was renamed; nullability and
// foreign keys are not told.
func columns(u urn.URN, before, after jsontree.Object) []change {
	old, now := columnsOf(before), columnsOf(after)
	var out []change
	for path, f := range old {
		if now[path] != nil && native(f) != native(now[path]) {
			out = append(out, columnChange(u, path, f, modified, typeChange))
		}
	}
	gone, came := old.without(now), now.without(old)
	retyped := paired(&gone, &came, func(path string, _ jsontree.Object) string { return withoutTypes(path) }, old, now)
	for path, successor := range retyped {
		if native(old[path]) != native(now[successor]) {
			out = append(out, columnChange(u, path, old[path], modified, typeChange))
		}
	}
	for path := range paired(&gone, &came, likeness, old, now) {
		out = append(out, columnChange(u, path, old[path], modified, renamed))
	}
	for _, path := range gone {
		out = append(out, columnChange(u, path, old[path], removed, otherwise))
	}
	for _, path := range came {
		out = append(out, columnChange(u, path, now[path], added, otherwise))
	}
	slices.SortStableFunc(out, func(a, b change) int { return cmp.Compare(a.modifier, b.modifier) })
	return append(out, primaryKeys(u, before, after, old, now)...)
}

// paired takes columns that are gone and columns that came out of their lists where a
// key makes them one, the first with the first, and gives the successor of each.
func paired(gone, came *[]string, key func(path string, f jsontree.Object) string, old, now columnSet) map[string]string {
	waiting := map[string][]string{}
	for _, path := range *came {
		if k := key(path, now[path]); k != "" {
			waiting[k] = append(waiting[k], path)
		}
	}
	successors, taken := map[string]string{}, map[string]bool{}
	for _, path := range *gone {
		k := key(path, old[path])
		if list := waiting[k]; k != "" && len(list) > 0 {
			successors[path], waiting[k] = list[0], list[1:]
			taken[list[0]] = true
		}
	}
	*gone = slices.DeleteFunc(*gone, func(path string) bool { _, ok := successors[path]; return ok })
	*came = slices.DeleteFunc(*came, func(path string) bool { return taken[path] })
	return successors
}

// withoutTypes is a path of version 2 without the types that it embeds, empty for others.
func withoutTypes(path string) string {
	if !strings.HasPrefix(path, "[version=2.0]") {
		return ""
	}
	steps := slices.DeleteFunc(strings.Split(path, "."), func(step string) bool { return strings.HasPrefix(step, "[") || strings.HasSuffix(step, "]") })
	return strings.Join(steps, ".")
}

// likeness is equal for columns of which one may be the other under another name.
func likeness(path string, f jsontree.Object) string {
	parent := "-"
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent = "+" + path[:i]
	}
	return strings.Join([]string{parent, native(f), jsontree.Text(f, "description")}, "\x00")
}

func native(f jsontree.Object) string { return jsontree.Text(f, "nativeDataType") }

// primaryKeys tells each column that enters or leaves the key.
func primaryKeys(u urn.URN, before, after jsontree.Object, old, now columnSet) []change {
	was, is := jsontree.Texts(before, "primaryKeys"), jsontree.Texts(after, "primaryKeys")
	var out []change
	tell := func(paths, others []string, set columnSet) {
		stay := make(map[string]bool, len(others))
		for _, path := range others {
			stay[path] = true
		}
		for _, path := range paths {
			if !stay[path] {
				out = append(out, columnChange(u, path, set[path], modified, otherwise))
			}
		}
	}
	tell(was, is, old)
	tell(is, was, now)
	return out
}

func columnChange(u urn.URN, path string, f jsontree.Object, operation, kind string) change {
	column := string(urn.Make("schemaField", string(u), path))
	return change{u, "TECHNICAL_SCHEMA", operation, column, jsontree.Object{
		"fieldPath": path, "fieldUrn": column, "nullable": jsontree.Bool(f, "nullable"), "modificationCategory": kind,
	}}
}
