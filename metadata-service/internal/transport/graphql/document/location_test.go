package document_test

import (
	"fmt"
	"sync"
	"testing"
)

func TestLocationsFollowResponsePaths(t *testing.T) {
	t.Parallel()
	doc := mustCompile(t, newStage(t), `query {
  nodes {
    id
    ...F
    ... on Book { kids {
        name: id } }
  }
}
fragment F on Node {
  kids { rank }
}`)
	for _, c := range []struct {
		name string
		path []any
		want string
	}{
		{"a root field", []any{"nodes"}, "2:3 true"},
		{"indices are skipped", []any{"nodes", 3, "id"}, "3:5 true"},
		{"a field of a fragment comes first where it is spread first", []any{"nodes", 0, "kids"}, "10:3 true"},
		{"fields below are merged", []any{"nodes", 0, "kids", 1, "name"}, "6:9 true"},
		{"and of the fragment", []any{"nodes", 0, "kids", 1, "rank"}, "10:10 true"},
		{"a field that is not there", []any{"nodes", 0, "nope"}, "0:0 false"},
		{"no path", nil, "0:0 false"},
	} {
		for range 2 {
			line, column, ok := doc.Location(c.path)
			if got := fmt.Sprintf("%d:%d %t", line, column, ok); got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
		}
	}
}

func TestDocumentsMayBeUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	stage, lib := newStage(t), newLibrary(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			text := fmt.Sprintf(`query($v:[String!]=["a"]){a%d:search(in:{text:"x",tags:$v}) nodes{id}}`, i%3)
			doc, errs := stage.Compile(text, "")
			if errs != nil {
				t.Error(errs)
				return
			}
			if _, _, ok := doc.Location([]any{"nodes", i, "id"}); !ok {
				t.Error("no location")
			}
			dataOf(t, execute(t, lib, doc, ""))
		})
	}
	wg.Wait()
}
