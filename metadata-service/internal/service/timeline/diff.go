package timeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Diff is the change of one aspect by a transaction.
type Diff struct {
	Aspect  string
	Version int64 // version of the aspect after the change
	// Patch transforms the previous version into this one. It is a JSON patch (RFC 6902).
	Patch []PatchOperation
}

// PatchOperation is one operation of a JSON patch. Value is nil for "remove".
type PatchOperation struct {
	Op    string
	Path  string
	Value any
}

// diff appends operations that transform before into after. It compares objects by member and
// arrays by position, and replaces other values that differ.
func diff(out []PatchOperation, at string, before, after any) []PatchOperation {
	if jsontree.Equal(before, after) {
		return out
	}
	switch after := after.(type) {
	case jsontree.Object:
		// a nil map stands for an absent value
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

// diffElements removes elements from the end, so that earlier positions stay valid.
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
