package roaring_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
)

// BenchmarkDeepPages requests one hit near the end of all hits, in orders by fields in which nearly
// all documents have the same value and by fields with many values. The documents are in one
// segment, as after a rebuild, or in the segments that result from batches of 500.
func BenchmarkDeepPages(b *testing.B) {
	for _, documents := range []int{30_000, 100_000} {
		for _, batch := range []int{documents, 500} {
			x := indexOf(b, documents, batch)
			name := fmt.Sprintf("%d documents, %d segments", documents, x.Segments())
			for _, field := range []string{"origin", "_entityType", "hasTags", "owners", "fieldPaths", "description", "name", "rowCount", "nothing", "_score", "urn"} {
				b.Run(name+", by "+field, func(b *testing.B) {
					q := search.Query{Types: []string{"dataset", "chart"}, From: documents - 1000, Size: 1, Sort: []search.Sort{{Field: field}}}
					b.ReportAllocs()
					for b.Loop() {
						if r, err := x.Search(b.Context(), q); err != nil || len(r.Hits) != 1 {
							b.Fatal(len(r.Hits), err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkLargePages requests pages of 10 and 10,000 hits at the start and after a cursor, in
// orders by fields with equal and different values.
func BenchmarkLargePages(b *testing.B) {
	const documents = 30_000
	for _, batch := range []int{documents, 500} {
		x := indexOf(b, documents, batch)
		for _, field := range []string{"origin", "owners", "description", "name", "_score"} {
			q := search.Query{Types: []string{"dataset", "chart"}, Size: 10_000, Sort: []search.Sort{{Field: field}}}
			first, err := x.Search(b.Context(), q)
			if err != nil || len(first.Hits) != q.Size {
				b.Fatal(len(first.Hits), err)
			}
			for _, size := range []int{10, 10_000} {
				for _, after := range []*search.Cursor{nil, &first.Hits[q.Size-1].Cursor} {
					b.Run(fmt.Sprintf("%d segments, by %s, %d hits, behind a cursor %t", x.Segments(), field, size, after != nil), func(b *testing.B) {
						q := q
						q.Size, q.After = size, after
						b.ReportAllocs()
						for b.Loop() {
							if r, err := x.Search(b.Context(), q); err != nil || len(r.Hits) != size {
								b.Fatal(len(r.Hits), err)
							}
						}
					})
				}
			}
		}
	}
}

// indexOf returns an index of documents that were added in batches.
func indexOf(b testing.TB, documents, batch int) *roaring.Index {
	b.Helper()
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		b.Fatal(err)
	}
	for from := 0; from < documents; from += batch {
		var changes []search.Change
		for n := from; n < min(from+batch, documents); n++ {
			d := sample.Document(n)
			changes = append(changes, search.Change{URN: d.URN, Document: d})
		}
		if err := x.Apply(b.Context(), uint64(from+1), changes); err != nil {
			b.Fatal(err)
		}
		x.AwaitMerges()
	}
	return x
}
