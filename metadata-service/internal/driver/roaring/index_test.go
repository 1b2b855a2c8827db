package roaring_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

func schemas() []search.Schema {
	fields := []search.Field{
		{Name: "name", Kind: search.WordGram, Query: true, Boost: 10, Autocomplete: true, Aliases: []string{"_entityName"}},
		{Name: "description", Kind: search.Text, Query: true},
		{Name: "platform", Kind: search.URNKind, Facet: true},
		{Name: "tags", Kind: search.URNKind, Query: true, Facet: true},
		{Name: "typeNames", Kind: search.Keyword, Facet: true},
		{Name: "rows", Kind: search.Count},
		{Name: "removed", Kind: search.Boolean},
		{Name: "browsePathV2", Kind: search.BrowsePathV2},
		{Name: "props", Kind: search.ObjectKind},
	}
	return []search.Schema{{EntityType: "dataset", Fields: fields}, {EntityType: "chart", Fields: fields[:4]}}
}

func open(t *testing.T, path string) *roaring.Index {
	t.Helper()
	x, err := roaring.Open(roaring.Config{Path: path, Schemas: schemas()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return x
}

func dataset(name string, fields map[string][]search.Value) search.Change {
	u := urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
	all := map[string][]search.Value{"name": {{Text: name}}}
	for k, v := range fields {
		all[k] = v
	}
	return search.Change{URN: u, Document: &search.Document{URN: u, Type: "dataset", Fields: all}}
}

func apply(t *testing.T, x *roaring.Index, changes ...search.Change) {
	t.Helper()
	if err := x.Apply(t.Context(), applied(t, x)+1, changes); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, x *roaring.Index, q search.Query) search.Result {
	t.Helper()
	if q.Types == nil {
		q.Types = []string{"dataset", "chart"}
	}
	if q.Size == 0 {
		q.Size = 10
	}
	r, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func names(r search.Result) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, string(h.URN))
	}
	return out
}

func TestNamesAreFoundByTheirPieces(t *testing.T) {
	t.Parallel()
	x := open(t, "")
	apply(t, x, dataset("shop.orders_daily", nil), dataset("ordersDaily", nil), dataset("orders", nil), dataset("customers", nil))
	for text, want := range map[string]int{"orders": 3, "daily": 2, "orders_daily": 2, "ordersDaily": 2, "shop.orders_daily": 1, "ord": 3, "order": 3,
		"custmoers": 1, "*": 4, "": 4, "orders -shop": 2, "orders AND daily": 2, "customers OR shop": 2, `"orders daily"`: 2, "name:orders": 3, "dai*": 2, "/q name:shop*": 1} {
		if r := find(t, x, search.Query{Text: text}); r.Total != want {
			t.Errorf("%q finds %d, want %d: %v", text, r.Total, want, names(r))
		}
	}
	if r := find(t, x, search.Query{Text: "orders"}); r.Hits[0].URN != "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)" {
		t.Errorf("the exact name is not first: %v", r.Hits)
	}
}

// TestManyChanges compares the index with a plain list over random changes, merges, a save and a
// load.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := open(t, dir)
	random := rand.New(rand.NewPCG(1, 2))
	have := map[urn.URN]*search.Document{}
	for round := range trials.Count(300) {
		var changes []search.Change
		for range 1 + random.IntN(40) {
			c := dataset(fmt.Sprintf("t%d", random.IntN(2000)), map[string][]search.Value{
				"rows": {{Number: float64(random.IntN(100))}}, "typeNames": {{Text: fmt.Sprintf("k%d", random.IntN(5))}}})
			if random.IntN(4) == 0 {
				c.Document = nil
				delete(have, c.URN)
			} else {
				have[c.URN] = c.Document
			}
			changes = append(changes, c)
		}
		apply(t, x, changes...)
		if round%60 == 59 {
			compare(t, x, have)
		}
	}
	if err := x.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	if stale(t, again) != "" || applied(t, again) != applied(t, x) {
		t.Fatalf("stale %q, at %d, want %d", stale(t, again), applied(t, again), applied(t, x))
	}
	compare(t, again, have)
}

func compare(t *testing.T, x *roaring.Index, have map[urn.URN]*search.Document) {
	t.Helper()
	n := 0
	err := x.Fingerprints(t.Context(), func(u urn.URN, print uint64) bool {
		if d := have[u]; d == nil || search.Fingerprint(d) != print {
			t.Fatalf("%s differs", u)
		}
		n++
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	r := find(t, x, search.Query{Facets: []search.FacetRequest{{Field: "typeNames", Size: 60}, {Field: "_entityType␞typeNames", Size: 60}}})
	if n != len(have) || r.Total != n {
		t.Fatalf("%d documents and %d hits, want %d", n, r.Total, len(have))
	}
	counts := map[string]int{}
	var rows []float64
	for _, d := range have {
		counts[d.Fields["typeNames"][0].Text]++
		rows = append(rows, d.Fields["rows"][0].Number)
	}
	counts["dataset"] = len(have)
	for i, facet := range r.Facets {
		for _, b := range facet.Buckets {
			if value := strings.TrimPrefix(b.Value, "dataset␞"); counts[value] != b.Count {
				t.Fatalf("facet %d: %s has %d, want %d", i, value, b.Count, counts[value])
			}
		}
	}
	slices.Sort(rows)
	var got []float64
	q := search.Query{Types: []string{"dataset"}, Sort: []search.Sort{{Field: "rows"}}, Size: 97}
	for {
		page := find(t, x, q)
		for _, h := range page.Hits {
			got = append(got, h.Cursor.Values[0].Number)
		}
		if !page.More {
			break
		}
		q.After = &page.Hits[len(page.Hits)-1].Cursor
	}
	if !slices.Equal(got, rows) {
		t.Fatalf("paging by rows gives %d rows, want %d in order", len(got), len(rows))
	}
}
