package columns_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model/columns"
)

// schema returns a schema with columns in the form "path native description", and keys behind a
// bar.
func schema(t *testing.T, text string) jsontree.Object {
	t.Helper()
	listed, keys, _ := strings.Cut(text, "|")
	fields, primary := []string{}, []string{}
	for column := range strings.SplitSeq(listed, ",") {
		if words := strings.Fields(column); len(words) > 0 {
			words = append(words, "", "")
			fields = append(fields, fmt.Sprintf(`{"fieldPath":%q,"nativeDataType":%q,"description":%q}`, words[0], words[1], words[2]))
		}
	}
	for _, key := range strings.Fields(keys) {
		primary = append(primary, fmt.Sprintf("%q", key))
	}
	o, err := jsontree.DecodeObject([]byte(`{"fields":[` + strings.Join(fields, ",") + `],"primaryKeys":[` + strings.Join(primary, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestWhatBecomesOfColumns(t *testing.T) {
	t.Parallel()
	const v2 = "[version=2.0].[type=struct]."
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"nothing":                           {"b int, a text x", "a text y, b int", nil},
		"added in the order of paths":       {"", "b int, a text", []string{"ADD OTHER a", "ADD OTHER b"}},
		"another native type":               {"a int", "a text", []string{"MODIFY TYPE_CHANGE a"}},
		"renamed":                           {"a int, k text", "b int, k text", []string{"MODIFY RENAME a"}},
		"the first like one is the new one": {"a int", "c int, b int", []string{"MODIFY RENAME a", "ADD OTHER c"}},
		"another description is another":    {"a int x", "b int y", []string{"REMOVE OTHER a", "ADD OTHER b"}},
		"another parent is another":         {"s.a int", "t.a int", []string{"REMOVE OTHER s.a", "ADD OTHER t.a"}},
		"a child is not like a top column":  {"a int", "s.a int", []string{"REMOVE OTHER a", "ADD OTHER s.a"}},
		"moved within its parent":           {"s.a int", "s.b int", []string{"MODIFY RENAME s.a"}},
		"types in paths alone":              {v2 + "[type=int].a int", v2 + "[type=long].a int", nil},
		"types in paths, and native ones":   {v2 + "[type=int].a int", v2 + "[type=long].a bigint", []string{"MODIFY TYPE_CHANGE " + v2 + "[type=int].a"}},
		"a key that leaves, one that comes": {"a int, b int|a", "a int, b int|b", []string{"MODIFY OTHER a", "MODIFY OTHER b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, change := range columns.Compare(schema(t, c.before), schema(t, c.after)).Changes {
				got = append(got, fmt.Sprint(change.Operation, " ", change.Kind, " ", change.Path))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSuccessorsOfColumns(t *testing.T) {
	t.Parallel()
	got := columns.Compare(schema(t, "a int, b text, [version=2.0].[type=int].c int"), schema(t, "z int, b text, [version=2.0].[type=long].c int")).Successors
	if len(got) != 2 || got["a"] != "z" || got["[version=2.0].[type=int].c"] != "[version=2.0].[type=long].c" {
		t.Errorf("got %v", got)
	}
	if got := columns.Compare(nil, schema(t, "a int")); len(got.Changes) != 1 || len(got.Successors) != 0 {
		t.Errorf("got %v", got)
	}
}
