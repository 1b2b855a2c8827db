package searchtest

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

func testSort(f *fixture) {
	f.put(doc("b", "rows", 2, "kind", "x"), doc("C", "rows", 1, "kind", "x"), doc("a", "rows", 3))
	f.put(doc("d", "kind", "w"))
	for _, tt := range []struct {
		by   []search.Sort
		want []string
	}{
		{[]search.Sort{{Field: "rows"}}, []string{"C", "b", "a", "d"}},
		{[]search.Sort{{Field: "rows", Descending: true}}, []string{"a", "b", "C", "d"}},
		{[]search.Sort{{Field: "rows", MissingFirst: true}}, []string{"d", "C", "b", "a"}},
		{[]search.Sort{{Field: "name"}}, []string{"a", "b", "C", "d"}},
		{[]search.Sort{{Field: "_entityName", Descending: true}}, []string{"d", "C", "b", "a"}},
		{[]search.Sort{{Field: "kind"}, {Field: "rows"}}, []string{"d", "C", "b", "a"}},
		{[]search.Sort{{Field: "kind"}, {Field: "rows", Descending: true}}, []string{"d", "b", "C", "a"}},
		{[]search.Sort{{Field: "urn"}}, []string{"C", "a", "b", "d"}},
		{[]search.Sort{{Field: "urn", Descending: true}}, []string{"d", "b", "a", "C"}},
		{nil, []string{"C", "a", "b", "d"}},
		{[]search.Sort{{Field: "nothing"}}, []string{"C", "a", "b", "d"}},
	} {
		if got := names(f.search(search.Query{Sort: tt.by}).Hits); !slices.Equal(got, tt.want) {
			f.Errorf("by %+v: %q, want %q", tt.by, got, tt.want)
		}
	}
}

// orders are the orders in which pages are tested.
var orders = [][]search.Sort{nil, {{Field: "rows"}}, {{Field: "name", Descending: true}}, {{Field: "kind", MissingFirst: true}, {Field: "rows", Descending: true}}, {{Field: "urn", Descending: true}}, {{Field: "removed"}}, {{Field: "removed", Descending: true, MissingFirst: true}}}

func (f *fixture) putNumbered(n int) {
	f.Helper()
	for i := range n {
		d := doc(fmt.Sprintf("word n%03d", i), "rows", i%7)
		if i%3 > 0 {
			d.Fields["kind"] = []search.Value{{Text: fmt.Sprintf("k%d", i%4)}}
		}
		if i%40 < 39 { // a value that nearly all search documents have
			d.Fields["removed"] = []search.Value{{Text: strconv.FormatBool(i%30 == 29)}}
		}
		f.put(d)
	}
}

func testPages(f *fixture) {
	const n = 97
	f.putNumbered(n)
	for _, text := range []string{"*", "word"} {
		for _, by := range orders {
			whole := names(f.search(search.Query{Text: text, Sort: by}).Hits)
			if len(whole) != n {
				f.Fatalf("%d of %d are found", len(whole), n)
			}
			var paged, scrolled []string
			for from := 0; from < n+20; from += 10 {
				r := f.search(search.Query{Text: text, Sort: by, From: from, Size: 10})
				paged = append(paged, names(r.Hits)...)
				if r.Total != n || r.More != (from+10 < n) {
					f.Fatalf("page from %d says %d and %t", from, r.Total, r.More)
				}
			}
			q := search.Query{Text: text, Sort: by, Size: 9}
			for {
				r := f.search(q)
				scrolled = append(scrolled, names(r.Hits)...)
				if !r.More {
					break
				}
				q.After = &r.Hits[len(r.Hits)-1].Cursor
			}
			if !slices.Equal(paged, whole) || !slices.Equal(scrolled, whole) {
				f.Errorf("%q by %+v: pages differ from the whole", text, by)
			}
		}
	}
}

func testCursorAmongChanges(f *fixture) {
	const n = 60
	f.putNumbered(n)
	for round, by := range orders {
		seen := map[string]int{}
		q := search.Query{Text: "word", Sort: by, Size: 7}
		for page := 0; ; page++ {
			r := f.search(q)
			for _, name := range names(r.Hits) {
				seen[name]++
			}
			if !r.More {
				break
			}
			q.After = &r.Hits[len(r.Hits)-1].Cursor
			f.put(doc(fmt.Sprintf("word extra%d-%d", round, page), "rows", page))
			f.apply(search.Change{URN: id(fmt.Sprintf("word extra%d-%d", round, page-1))})
		}
		for i := range n {
			if name := fmt.Sprintf("word n%03d", i); seen[name] != 1 {
				f.Errorf("by %+v: %s came %d times", by, name, seen[name])
			}
		}
		f.apply(search.Change{URN: id(fmt.Sprintf("word extra%d-%d", round, 7))}, search.Change{URN: id(fmt.Sprintf("word extra%d-%d", round, 8))})
	}
}
