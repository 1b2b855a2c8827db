// Package searchtest is the suite that every driver of the search port passes.
package searchtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Index is what the suite tests: the port with the abilities that projections
// need.
type Index interface {
	search.Index
	search.Rebuilder
	search.Auditor
}

// Run holds a driver to the port. Open opens an empty index with the fields of
// the schemas; the suite closes it.
func Run(t *testing.T, open func(t *testing.T, schemas []search.Schema) Index) {
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{T: t, Index: open(t, Schemas())}
			t.Cleanup(func() {
				if err := f.Close(); err != nil {
					t.Error(err)
				}
				if err := f.Close(); err != nil {
					t.Errorf("closing twice: %v", err)
				}
			})
			story.tell(f)
		})
	}
}

var stories = []struct {
	name string
	tell func(f *fixture)
}{
	{"texts find what they say", testTexts},
	{"the exact name comes first", testRanking},
	{"every condition selects", testConditions},
	{"fields expand and have aliases", testExpansion},
	{"facets count", testFacets},
	{"hits are sorted", testSort},
	{"pages by offset and by cursor hold everything once", testPages},
	{"a cursor is not moved by what comes and goes", testCursorAmongChanges},
	{"a query is restricted to entities, slices, and what is visible", testRestrictions},
	{"matched fields are told", testHighlight},
	{"texts are completed and corrected", testCompletion},
	{"changes are seen all at once", testWholeChanges},
	{"documents are counted and have fingerprints", testDocuments},
	{"a rebuild goes on beside changes", testRebuild},
	{"a failed rebuild changes nothing", testFailedRebuild},
	{"what cannot be answered is refused", testRefusals},
}

// Schemas are the fields the suite uses.
func Schemas() []search.Schema {
	fields := []search.Field{
		{Name: "name", Kind: search.WordGram, Query: true, Boost: 10, Autocomplete: true, Aliases: []string{"_entityName"}},
		{Name: "description", Kind: search.Text, Query: true},
		{Name: "editedDescription", Kind: search.Text, Query: true},
		{Name: "tags", Kind: search.URNKind, Query: true, Facet: true},
		{Name: "fieldTags", Kind: search.URNKind},
		{Name: "kind", Kind: search.Keyword, Facet: true},
		{Name: "rows", Kind: search.Count},
		{Name: "removed", Kind: search.Boolean},
		{Name: "path", Kind: search.BrowsePathV2},
		{Name: "props", Kind: search.ObjectKind},
		{Name: "deprecated", Kind: search.Boolean, Weights: map[string]float64{"true": 0.1}},
	}
	return []search.Schema{{EntityType: "dataset", Fields: fields}, {EntityType: "chart", Fields: fields[:6]}}
}

type fixture struct {
	*testing.T
	Index
	at uint64
}

func id(name string) urn.URN { return urn.URN("urn:li:dataset:" + name) }

// doc makes a document; values are texts, or numbers for rows.
func doc(name string, fields ...any) *search.Document {
	d := &search.Document{URN: id(name), Type: "dataset", Fields: map[string][]search.Value{"name": {{Text: name}}}}
	for i := 0; i+1 < len(fields); i += 2 {
		field := fields[i].(string)
		switch v := fields[i+1].(type) {
		case string:
			d.Fields[field] = append(d.Fields[field], search.Value{Text: v})
		case int:
			d.Fields[field] = append(d.Fields[field], search.Value{Number: float64(v)})
		}
	}
	return d
}

func (f *fixture) put(docs ...*search.Document) {
	f.Helper()
	changes := make([]search.Change, len(docs))
	for i, d := range docs {
		changes[i] = search.Change{URN: d.URN, Document: d}
	}
	f.apply(changes...)
}

func (f *fixture) apply(changes ...search.Change) {
	f.Helper()
	f.at++
	if err := f.Apply(f.Context(), f.at, changes); err != nil {
		f.Fatal(err)
	}
	if f.Applied() != f.at {
		f.Fatalf("the index is at %d, want %d", f.Applied(), f.at)
	}
}

func (f *fixture) search(q search.Query) search.Result {
	f.Helper()
	if q.Types == nil {
		q.Types = []string{"dataset", "chart"}
	}
	if q.Size == 0 {
		q.Size = 100
	}
	r, err := f.Search(f.Context(), q)
	if err != nil {
		f.Fatalf("%+v: %v", q, err)
	}
	return r
}

// names are the hits' names, in order.
func names(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, strings.TrimPrefix(string(h.URN), "urn:li:dataset:"))
	}
	return out
}

// finds demands the hits of a query, in any order, and their number.
func (f *fixture) finds(what string, q search.Query, want ...string) {
	f.Helper()
	r := f.search(q)
	got := names(r.Hits)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || r.Total != len(want) {
		f.Errorf("%s finds %d %q, want %q", what, r.Total, got, want)
	}
}

func testTexts(f *fixture) {
	f.put(doc("orders_daily", "description", "What the shop sold each day"), doc("ordersDaily"), doc("shop.orders"), doc("customers", "rows", 7, "kind", "View"),
		doc("reports", "description", "Daily numbers of orders"))
	for text, want := range map[string][]string{
		"":                      {"orders_daily", "ordersDaily", "shop.orders", "customers", "reports"},
		"*":                     {"orders_daily", "ordersDaily", "shop.orders", "customers", "reports"},
		"daily":                 {"orders_daily", "ordersDaily", "reports"},
		"DAILY":                 {"orders_daily", "ordersDaily", "reports"},
		"orders daily":          {"orders_daily", "ordersDaily", "reports"},
		"orders_daily":          {"orders_daily", "ordersDaily", "reports"},
		`"orders daily"`:        {"orders_daily", "ordersDaily"},
		"order":                 {"orders_daily", "ordersDaily", "shop.orders", "reports"},
		"shop":                  {"orders_daily", "shop.orders"},
		"cust*":                 {"customers"},
		"custmers":              {"customers"},
		"orders -shop":          {"ordersDaily", "reports"},
		"customers OR reports":  {"customers", "reports"},
		"orders AND NOT daily":  {"shop.orders"},
		"(customers | reports)": {"customers", "reports"},
		"name:daily":            {"orders_daily", "ordersDaily"},
		"/q description:da*":    {"orders_daily", "reports"},
		"/q kind:view":          {"customers"},
		"/q rows:[5 TO *]":      {"customers"},
		"/q rows:{7 TO *]":      {},
		"/q name:*port*":        {"reports"},
		"/q rows:*":             {"customers"},
		"zebra":                 {},
		`"`:                     {},
		"orders zebra":          {"orders_daily", "ordersDaily", "shop.orders", "reports"}, // relaxed
	} {
		f.finds(fmt.Sprintf("%q", text), search.Query{Text: text}, want...)
	}
}

func testRanking(f *fixture) {
	f.put(doc("orders"), doc("orders_archive"), doc("other", "description", "a list of orders"), doc("all_orders", "deprecated", "true"), doc("big_orders"))
	got := names(f.search(search.Query{Text: "orders"}).Hits)
	if got[0] != "orders" || slices.Index(got, "other") < slices.Index(got, "orders_archive") || slices.Index(got, "all_orders") < slices.Index(got, "big_orders") {
		f.Errorf("the order is %q", got)
	}
}

func testConditions(f *fixture) {
	f.put(doc("a", "kind", "Table", "rows", 5, "removed", "true", "props", "team=Shop"), doc("b", "kind", "View", "rows", 10), doc("c", "kind", "table", "rows", 15), doc("d"))
	for _, tt := range []struct {
		c    search.Criterion
		want []string
	}{
		{search.Criterion{Field: "kind", Values: []string{"Table", "View"}}, []string{"a", "b"}},
		{search.Criterion{Field: "kind.keyword", Condition: search.Equal, Values: []string{"Table"}}, []string{"a"}},
		{search.Criterion{Field: "kind", Values: nil}, nil},
		{search.Criterion{Field: "kind", Values: []string{"Table"}, Negated: true}, []string{"b", "c", "d"}},
		{search.Criterion{Field: "kind", Condition: search.IEqual, Values: []string{"TABLE"}}, []string{"a", "c"}},
		{search.Criterion{Field: "kind", Condition: search.Contain, Values: []string{"ABL"}}, []string{"a", "c"}},
		{search.Criterion{Field: "kind", Condition: search.StartWith, Values: []string{"vi", "x"}}, []string{"b"}},
		{search.Criterion{Field: "kind", Condition: search.EndWith, Values: []string{"LE"}}, []string{"a", "c"}},
		{search.Criterion{Field: "rows", Values: []string{"10", "15.0"}}, []string{"b", "c"}},
		{search.Criterion{Field: "rows", Condition: search.GreaterThan, Values: []string{"10"}}, []string{"c"}},
		{search.Criterion{Field: "rows", Condition: search.GreaterOrEqual, Values: []string{"10"}}, []string{"b", "c"}},
		{search.Criterion{Field: "rows", Condition: search.LessThan, Values: []string{"10", "99"}}, []string{"a"}},
		{search.Criterion{Field: "rows", Condition: search.LessOrEqual, Values: []string{"10"}}, []string{"a", "b"}},
		{search.Criterion{Field: "kind", Condition: search.GreaterThan, Values: []string{"View"}}, []string{"c"}},
		{search.Criterion{Field: "rows", Condition: search.Exists}, []string{"a", "b", "c"}},
		{search.Criterion{Field: "rows", Condition: search.IsNull}, []string{"d"}},
		{search.Criterion{Field: "rows", Condition: search.IsNull, Negated: true}, []string{"a", "b", "c"}},
		{search.Criterion{Field: "removed", Values: []string{"TRUE"}}, []string{"a"}},
		{search.Criterion{Field: "props.team", Values: []string{"Shop"}}, []string{"a"}},
		{search.Criterion{Field: "urn", Values: []string{string(id("b"))}}, []string{"b"}},
		{search.Criterion{Field: "urn", Condition: search.EndWith, Values: []string{":C"}}, []string{"c"}},
		{search.Criterion{Field: "_entityType", Values: []string{"DATASET"}}, []string{"a", "b", "c", "d"}},
		{search.Criterion{Field: "nothing", Values: []string{"x"}}, nil},
		{search.Criterion{Field: "nothing", Condition: search.IsNull}, []string{"a", "b", "c", "d"}},
	} {
		f.finds(fmt.Sprintf("%+v", tt.c), search.Query{Filter: search.Filter{{tt.c}}}, tt.want...)
	}
	table, many := search.Criterion{Field: "kind", Values: []string{"Table"}}, search.Criterion{Field: "rows", Condition: search.GreaterThan, Values: []string{"5"}}
	f.finds("any of several", search.Query{Filter: search.Filter{{table}, {many}}}, "a", "b", "c")
	f.finds("all of several", search.Query{Filter: search.Filter{{table, many}}})
	f.finds("an empty alternative", search.Query{Filter: search.Filter{{table}, {}}}, "a", "b", "c", "d")
	f.finds("a contradiction", search.Query{Filter: search.Filter{{table, {Field: "kind", Values: []string{"Table"}, Negated: true}}}})
}

func testExpansion(f *fixture) {
	f.put(doc("a", "tags", "urn:li:tag:x"), doc("b", "fieldTags", "urn:li:tag:x"), doc("c", "editedDescription", "new"))
	f.finds("tags", search.Query{Filter: search.Filter{{{Field: "tags", Values: []string{"urn:li:tag:x"}}}}}, "a", "b")
	f.finds("description", search.Query{Filter: search.Filter{{{Field: "description", Values: []string{"new"}}}}}, "c")
	f.finds("an alias", search.Query{Filter: search.Filter{{{Field: "_entityName", Values: []string{"b"}}}}}, "b")
}

func testFacets(f *fixture) {
	f.put(doc("a", "kind", "Table", "tags", "urn:li:tag:x", "tags", "urn:li:tag:y", "path", "␟p␟q"), doc("b", "kind", "Table", "tags", "urn:li:tag:x", "path", "␟p␟r"), doc("c", "kind", "View"))
	chart := doc("d", "tags", "urn:li:tag:y")
	chart.Type = "chart"
	f.put(chart)
	root, below := "", "␟p"
	r := f.search(search.Query{Size: 1, Facets: []search.FacetRequest{
		{Field: "kind", Size: 10}, {Field: "tags", Size: 1}, {Field: "_entityType", Size: 10}, {Field: "_entityType␞kind", Size: 10},
		{Field: "missing␝kind", Size: 10}, {Field: "path", Size: 10, Under: &root}, {Field: "path", Size: 10, Under: &below}, {Field: "nothing", Size: 10},
	}})
	want := [][]search.Bucket{
		{{Value: "Table", Count: 2}, {Value: "View", Count: 1}}, {{Value: "urn:li:tag:x", Count: 2}},
		{{Value: "dataset", Count: 3}, {Value: "chart", Count: 1}}, {{Value: "dataset␞Table", Count: 2}, {Value: "dataset␞View", Count: 1}},
		{{Value: "missing␝kind", Count: 1}}, {{Value: "␟p", Count: 2}}, {{Value: "␟p␟q", Count: 1}, {Value: "␟p␟r", Count: 1}}, {},
	}
	for i, facet := range r.Facets {
		if !slices.Equal(facet.Buckets, want[i]) {
			f.Errorf("facet %s counts %+v, want %+v", facet.Field, facet.Buckets, want[i])
		}
	}
	filtered := f.search(search.Query{Filter: search.Filter{{{Field: "kind", Values: []string{"View"}}}}, Facets: []search.FacetRequest{{Field: "kind", Size: 10}}})
	if got := filtered.Facets[0].Buckets; !slices.Equal(got, []search.Bucket{{Value: "View", Count: 1}}) {
		f.Errorf("a filtered facet counts %+v", got)
	}
}

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

// orders are those that pages are tried in.
var orders = [][]search.Sort{nil, {{Field: "rows"}}, {{Field: "name", Descending: true}}, {{Field: "kind", MissingFirst: true}, {Field: "rows", Descending: true}}, {{Field: "urn", Descending: true}}}

func (f *fixture) fill(n int) {
	f.Helper()
	for i := range n {
		d := doc(fmt.Sprintf("word n%03d", i), "rows", i%7)
		if i%3 > 0 {
			d.Fields["kind"] = []search.Value{{Text: fmt.Sprintf("k%d", i%4)}}
		}
		f.put(d)
	}
}

func testPages(f *fixture) {
	const n = 97
	f.fill(n)
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
	f.fill(n)
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

func testRestrictions(f *fixture) {
	f.put(doc("a", "kind", "x"), doc("b", "kind", "x"), doc("c", "kind", "y"))
	f.finds("some entities", search.Query{Within: []urn.URN{id("c"), id("a"), id("z"), id("a")}}, "a", "c")
	f.finds("no entities", search.Query{Within: []urn.URN{}})
	visible := search.Filter{{{Field: "kind", Values: []string{"x"}}}}
	f.finds("what is visible", search.Query{Visible: visible}, "a", "b")
	f.finds("a visible type", search.Query{Types: []string{"chart"}})
	r := f.search(search.Query{Visible: visible, Facets: []search.FacetRequest{{Field: "kind", Size: 10}}})
	if got := r.Facets[0].Buckets; !slices.Equal(got, []search.Bucket{{Value: "x", Count: 2}}) {
		f.Errorf("facets of what is visible count %+v", got)
	}
	f.fill(60)
	seen := map[string]int{}
	for slice := range 4 {
		part := f.search(search.Query{Slice: slice, Slices: 4})
		if part.Total == 0 || part.Total > 40 {
			f.Errorf("slice %d has %d", slice, part.Total)
		}
		for _, name := range names(part.Hits) {
			seen[name]++
		}
	}
	if len(seen) != 63 {
		f.Errorf("the slices have %d entities together", len(seen))
	}
}

func testHighlight(f *fixture) {
	f.put(doc("orders", "description", "all of them", "tags", "urn:li:tag:orders", "kind", "Table"))
	r := f.search(search.Query{Text: "order", Highlight: true, HighlightFields: []string{"kind"}})
	matched := map[string]string{}
	for _, m := range r.Hits[0].Matched {
		matched[m.Field] = m.Value
	}
	if matched["name"] != "orders" || matched["tags"] != "urn:li:tag:orders" || matched["kind"] != "Table" || matched["description"] != "" {
		f.Errorf("matched are %v", matched)
	}
	if r := f.search(search.Query{Text: "order"}); len(r.Hits[0].Matched) != 0 {
		f.Error("matches are told to who did not ask")
	}
}

func testCompletion(f *fixture) {
	f.put(doc("orders"), doc("orders_daily"), doc("big orders"), doc("unrelated", "description", "orders"))
	got, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "ord", Limit: 10})
	if err != nil {
		f.Fatal(err)
	}
	var texts []string
	for _, c := range got {
		texts = append(texts, c.Text)
	}
	if len(texts) != 3 || texts[2] != "big orders" {
		f.Errorf("ord is completed to %q", texts)
	}
	r := f.search(search.Query{Text: "ordres", Suggest: true, Filter: search.Filter{{{Field: "kind", Values: []string{"none"}}}}})
	if !slices.Contains(r.Suggestions, "orders") {
		f.Errorf("suggestions are %q", r.Suggestions)
	}
}

// testWholeChanges changes pairs of documents; a reader must never see half.
func testWholeChanges(f *fixture) {
	var reading sync.WaitGroup
	done := make(chan struct{})
	reading.Go(func() {
		for {
			r, err := f.Search(context.Background(), search.Query{Types: []string{"dataset"}, Text: "pair", Size: 10, Facets: []search.FacetRequest{{Field: "rows", Size: 10}}})
			if err != nil || r.Total%2 != 0 || len(r.Facets[0].Buckets) > 1 {
				f.Errorf("half a change is seen: %d hits, %+v, %v", r.Total, r.Facets, err)
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for n := range 200 {
		a, b := doc("pair a", "rows", n), doc("pair b", "rows", n)
		if n%5 == 4 {
			f.apply(search.Change{URN: a.URN}, search.Change{URN: b.URN})
			continue
		}
		f.put(a, b)
	}
	close(done)
	reading.Wait()
}

func testDocuments(f *fixture) {
	a, b := doc("a", "rows", 1), doc("b")
	b.Type = "chart"
	f.put(a, b)
	if got := f.Documents(); len(got) != 2 || got["dataset"] != 1 || got["chart"] != 1 {
		f.Errorf("documents are %v", got)
	}
	a2 := doc("a", "rows", 2)
	f.put(a2)
	f.apply(search.Change{URN: b.URN}, search.Change{URN: id("absent")})
	f.fingerprints(a2)
}

// fingerprints demands that the index holds these documents and no others.
func (f *fixture) fingerprints(docs ...*search.Document) {
	f.Helper()
	want := map[urn.URN]uint64{}
	for _, d := range docs {
		want[d.URN] = search.Fingerprint(d)
	}
	last := urn.URN("")
	f.Fingerprints(func(u urn.URN, print uint64) bool {
		if u <= last {
			f.Errorf("%s comes behind %s", u, last)
		}
		last = u
		if want[u] != print {
			f.Errorf("%s is not as it should be", u)
		}
		delete(want, u)
		return true
	})
	if len(want) > 0 {
		f.Errorf("missing are %v", want)
	}
}

func testRebuild(f *fixture) {
	f.put(doc("stale"), doc("changed", "rows", 1), doc("gone"))
	fresh := doc("changed", "rows", 3)
	f.at++
	err := f.Rebuild(f.Context(), f.at, func(put func([]*search.Document) error) error {
		f.put(fresh)
		f.apply(search.Change{URN: id("gone")})
		f.finds("the old content", search.Query{}, "stale", "changed")
		if err := put([]*search.Document{doc("changed", "rows", 2), doc("gone"), doc("new")}); err != nil {
			return err
		}
		f.put(doc("later"))
		if err := f.Index.Rebuild(f.Context(), f.at, nil); fault.KindOf(err) != fault.Conflict {
			f.Errorf("a rebuild in a rebuild: %v", err)
		}
		return put([]*search.Document{doc("more")})
	})
	if err != nil {
		f.Fatal(err)
	}
	f.fingerprints(fresh, doc("new"), doc("later"), doc("more"))
	if f.Applied() != f.at || f.Stale() != "" {
		f.Errorf("after the rebuild the index is at %d, want %d; stale %q", f.Applied(), f.at, f.Stale())
	}
	f.put(doc("after"))
	f.finds("what came after", search.Query{Text: "after"}, "after")
}

func testFailedRebuild(f *fixture) {
	f.put(doc("a"))
	broken := fault.New(fault.Unavailable, "on purpose")
	err := f.Rebuild(f.Context(), 1, func(put func([]*search.Document) error) error {
		if err := put([]*search.Document{doc("b")}); err != nil {
			return err
		}
		return broken
	})
	if fault.KindOf(err) != fault.Unavailable {
		f.Errorf("the error is %v", err)
	}
	f.fingerprints(doc("a"))
	if err := f.Rebuild(f.Context(), f.at, func(func([]*search.Document) error) error { return nil }); err != nil {
		f.Errorf("the next rebuild: %v", err)
	}
	f.fingerprints()
}

func testRefusals(f *fixture) {
	f.put(doc("a"))
	cursor := &search.Cursor{Values: []search.Value{{Number: 1}}, Missing: []bool{false}, URN: id("a")}
	under := ""
	for name, q := range map[string]search.Query{
		"no types":                 {Types: []string{}},
		"a negative start":         {From: -1},
		"a negative size":          {Size: -1},
		"a large page":             {Size: search.MaxPage + 1},
		"a start and a cursor":     {From: 1, After: cursor},
		"a cursor of another sort": {After: &search.Cursor{URN: id("a")}},
		"a slice beyond":           {Slice: 2, Slices: 2},
		"an unknown condition":     {Filter: search.Filter{{{Field: "name", Condition: "LIKE"}}}},
		"too many values":          {Filter: search.Filter{{{Field: "name", Values: make([]string, search.MaxFilterValues+1)}}}},
		"too much to compare":      {Filter: search.Filter{{{Field: "name", Condition: search.Contain, Values: make([]string, 1000)}}}},
		"a long text":              {Text: strings.Repeat("w ", search.MaxQueryBytes)},
		"many words":               {Text: strings.Repeat("w ", search.MaxClauses+1)},
		"a broken expression":      {Text: "(a OR", Structured: true},
		"many buckets":             {Facets: []search.FacetRequest{{Field: "kind", Size: search.MaxFacetValues + 1}}},
		"far too many groups":      {Facets: []search.FacetRequest{{Field: "path", Size: search.MaxPage + 1, Under: &under}}},
	} {
		if q.Types == nil {
			q.Types = []string{"dataset"}
		}
		if _, err := f.Search(f.Context(), q); fault.KindOf(err) != fault.Malformed {
			f.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "a", Limit: -1}); fault.KindOf(err) != fault.Malformed {
		f.Errorf("a negative limit: %v", err)
	}
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	if _, err := f.Search(ctx, search.Query{Types: []string{"dataset"}}); err == nil {
		f.Error("a cancelled search was answered")
	}
}
