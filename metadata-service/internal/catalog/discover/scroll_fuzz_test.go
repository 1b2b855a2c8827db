package discover_test

import (
	"encoding/base64"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// FuzzScrollIDs sends arbitrary scroll ids: each is refused as malformed or returns a page, and no
// scroll continues for ever.
func FuzzScrollIDs(f *testing.F) {
	on := newFixture(f, inMemory())
	on.shop()
	sorts := [][]search.Sort{nil, {{Field: "_entityName"}}, {{Field: "urn", Descending: true}}}
	for _, sort := range sorts {
		page, err := on.Search(on.as(root), discover.SearchQuery{Types: []string{"dataset"}, Sort: sort, Size: 1})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page.Next)
		text, err := base64.RawURLEncoding.DecodeString(page.Next)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(base64.RawURLEncoding.EncodeToString(append(text, ' ')))
	}
	edges, err := on.Edges(on.as(root), discover.EdgeQuery{Count: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(edges.Next)
	f.Add("")
	f.Fuzz(func(t *testing.T, id string) {
		ctx := auth.WithActor(t.Context(), auth.Actor{URN: root})
		for _, sort := range sorts {
			page, err := on.Search(ctx, discover.SearchQuery{Types: []string{"dataset"}, Sort: sort, Size: 10, Scroll: id})
			if err != nil && fault.KindOf(err) != fault.Malformed {
				t.Fatalf("%q: %v", id, err)
			}
			if len(page.Hits) > page.Total {
				t.Fatalf("%q gives %d hits of %d", id, len(page.Hits), page.Total)
			}
		}
		if _, err := on.Edges(ctx, discover.EdgeQuery{Count: 10, Scroll: id}); err != nil && fault.KindOf(err) != fault.Malformed {
			t.Fatalf("%q as a place among edges: %v", id, err)
		}
	})
}
