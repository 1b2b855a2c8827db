package discover_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestAScrollGoesOnBehindAnyHitOfAPage(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	q := discover.SearchQuery{Types: []string{"dataset"}, Size: 4, Sort: []search.Sort{{Field: "urn"}}, Facets: []string{}}
	all := found(f.search(q).Hits)
	for i, h := range f.search(q).Hits {
		id, err := f.ScrollAt(f.as(root), q, h)
		if err != nil {
			t.Fatal(err)
		}
		behind := q
		behind.Scroll = id
		if got := found(f.search(behind).Hits); !slices.Equal(got, all[i+1:]) && len(got)+len(all[i+1:]) > 0 {
			t.Errorf("behind %s are %v, want %v", h.URN, got, all[i+1:])
		}
	}
	if want := []urn.URN{table("orders"), table("orders_daily"), table("raw_orders"), table("revenue")}; !slices.Equal(all, want) {
		t.Errorf("the page is %v, want %v", all, want)
	}
}

// The order, the types and the filter of a scroll belong to its id; the page size and the shown
// fields do not.
func TestAScrollIDBelongsToItsQuestion(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	asked := discover.SearchQuery{Types: []string{"dataset"}, Size: 1, Sort: []search.Sort{{Field: "urn"}}}
	next := f.search(asked).Next
	for name, change := range map[string]func(q *discover.SearchQuery){
		"the same":     func(*discover.SearchQuery) {},
		"larger pages": func(q *discover.SearchQuery) { q.Size = 3 },
		"no facets":    func(q *discover.SearchQuery) { q.Facets = []string{} },
	} {
		q := asked
		change(&q)
		q.Scroll = next
		if page := f.search(q); page.Total != 4 || found(page.Hits)[0] != table("orders_daily") {
			t.Errorf("%s goes on with %v of %d", name, found(page.Hits), page.Total)
		}
	}
	for name, change := range map[string]func(q *discover.SearchQuery){
		"other types":    func(q *discover.SearchQuery) { q.Types = []string{"chart"} },
		"another text":   func(q *discover.SearchQuery) { q.Text = "orders" },
		"another filter": func(q *discover.SearchQuery) { q.And = []search.Filter{{{{Field: "name", Values: []string{"x"}}}}} },
		"another order":  func(q *discover.SearchQuery) { q.Sort = []search.Sort{{Field: "urn", Descending: true}} },
		"soft-deleted":   func(q *discover.SearchQuery) { q.IncludeSoftDeleted = true },
	} {
		q := asked
		change(&q)
		q.Scroll = next
		if _, err := f.Search(f.as(root), q); err == nil {
			t.Errorf("%s goes on", name)
		}
	}
}
