package timeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Diff is what a transaction changed in one aspect.
type Diff struct {
	Aspect  string
	Version int64 // that the aspect has from then on
	// Patch makes the version of the version before, in the words of RFC 6902.
	Patch []PatchOperation
}

// PatchOperation is one operation of a JSON patch. Value is nil for "remove".
type PatchOperation struct {
	Op    string
	Path  string
	Value any
}

// diff appends what turns one value into another: objects are compared member
// by member, arrays element by element where they stand, and what differs
// otherwise is replaced.
func diff(out []PatchOperation, at string, before, after any) []PatchOperation {
	if jsontree.Equal(before, after) {
		return out
	}
	switch after := after.(type) {
	case jsontree.Object:
		// A nil map is a value that was absent.
		if before, ok := before.(jsontree.Object); ok && before != nil {
			return diffMembers(out, at, before, after)
		}
	case []any:
		if before, ok := before.([]any); ok {
			return diffElements(out, at, before, after)
		}
	}
	if o, ok := before.(jsontree.Object); ok && o == nil {
		return append(out, PatchOperation{"add", at, after})
	}
	return append(out, PatchOperation{"replace", at, after})
}

func diffMembers(out []PatchOperation, at string, before, after jsontree.Object) []PatchOperation {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	names := append(jsontree.Sorted(before), jsontree.Sorted(after)...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		path := at + "/" + escape.Replace(name)
		old, was := before[name]
		value, is := after[name]
		switch {
		case !is:
			out = append(out, PatchOperation{"remove", path, nil})
		case !was:
			out = append(out, PatchOperation{"add", path, value})
		default:
			out = diff(out, path, old, value)
		}
	}
	return out
}

// diffElements removes from the end, so that positions stay right.
func diffElements(out []PatchOperation, at string, before, after []any) []PatchOperation {
	shared := min(len(before), len(after))
	for i := range shared {
		out = diff(out, at+"/"+strconv.Itoa(i), before[i], after[i])
	}
	for i := len(before) - 1; i >= shared; i-- {
		out = append(out, PatchOperation{"remove", at + "/" + strconv.Itoa(i), nil})
	}
	for _, value := range after[shared:] {
		out = append(out, PatchOperation{"add", at + "/-", value})
	}
	return out
}
