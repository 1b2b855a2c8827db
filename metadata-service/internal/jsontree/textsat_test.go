package jsontree_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

func TestTextsAreFoundAtTheirPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		path []string
		want []string
	}{
		{`{"domains":["a","b"]}`, []string{"domains"}, []string{"a", "b"}},
		{` { "other" : {"domains":["x"]} , "domains" : [ "a" ] } `, []string{"domains"}, []string{"a"}},
		{`{"tags":[{"tag":"a","context":null},{"tag":"b","n":[1,-2.5e3,{"tag":"x"}]},{"none":true}]}`, []string{"tags", "tag"}, []string{"a", "b"}},
		{`{"container":"a"}`, []string{"container"}, []string{"a"}},
		{`{"container":{"a":"b"}}`, []string{"container"}, nil},
		{`{"container":7,"x":false}`, []string{"container"}, nil},
		{`{}`, []string{"container"}, nil},
		{`[]`, []string{"container"}, nil},
		{`"a"`, nil, []string{"a"}},
		{`{"a":"line\nbreak \u00e9 \ud83d\ude00"}`, []string{"a"}, []string{"line\nbreak \u00e9 \U0001F600"}},
		{`{"note":"say \"x\"","a":"b"}`, []string{"a"}, []string{"b"}},
		{`{"\u0061":"b"}`, []string{"a"}, []string{"b"}},
	} {
		got, err := jsontree.AppendTextsAt([]string{"before"}, []byte(c.text), c.path...)
		if err != nil || !slices.Equal(got, append([]string{"before"}, c.want...)) {
			t.Errorf("%s at %v: %q, %v; want %q", c.text, c.path, got, err, c.want)
		}
	}
}

func TestTextsOfWhatIsNoJSONAreAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":"b"`, `{"a":"b"} x`, `{"a":"b",}`, `{"a":["b"`, `{"b":tru,"a":"b"}`, `{"b":01}`, `{'a':"b"}`, "{\"b\":\"\x01\"}", `nul`} {
		if got, err := jsontree.AppendTextsAt(nil, []byte(text), "a"); err == nil {
			t.Errorf("%q gave %q", text, got)
		}
	}
	deep := slices.Repeat([]byte("["), jsontree.MaxDepth+1)
	if _, err := jsontree.AppendTextsAt(nil, append(deep, slices.Repeat([]byte("]"), jsontree.MaxDepth+1)...), "a"); err == nil {
		t.Error("a text that is too deep was taken")
	}
}

// The strings found without a tree are those in the tree.
func TestTextsAgreeWithTheTree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	found := 0
	for range 3000 {
		tree := random(r, 4)
		paths := pathsOf(nil, tree)
		paths = append(paths, []string{"absent"})
		for _, path := range paths {
			got, err := jsontree.AppendTextsAt(nil, jsontree.Encode(tree), path...)
			if err != nil {
				t.Fatalf("%s: %v", jsontree.Encode(tree), err)
			}
			if want := textsOf(nil, tree, path); !slices.Equal(got, want) {
				t.Fatalf("%s at %q: %q, want %q", jsontree.Encode(tree), path, got, want)
			}
			found += len(got)
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts were found", found)
	}
}

func pathsOf(path []string, v any) (paths [][]string) {
	paths = append(paths, slices.Clone(path))
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			paths = append(paths, pathsOf(path, element)...)
		}
	case jsontree.Object:
		for name, member := range v {
			paths = append(paths, pathsOf(append(path, name), member)...)
		}
	}
	return paths
}

func textsOf(to []string, v any, path []string) []string {
	switch v := v.(type) {
	case string:
		if len(path) == 0 {
			to = append(to, v)
		}
	case []any:
		for _, element := range v {
			to = textsOf(to, element, path)
		}
	case jsontree.Object:
		if len(path) > 0 {
			to = textsOf(to, v[path[0]], path[1:])
		}
	}
	return to
}

func BenchmarkTextsAt(b *testing.B) {
	text := []byte(`{"domains":["urn:li:domain:a"],"domainAssociations":[{"domain":"urn:li:domain:a","attribution":{"time":1,"actor":"urn:li:corpuser:x"}}]}`)
	b.ReportAllocs()
	for b.Loop() {
		if found, err := jsontree.AppendTextsAt(nil, text, "domains"); err != nil || len(found) != 1 {
			b.Fatal(found, err)
		}
	}
}
