package roaring_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// BenchmarkApplyOne replaces one of ten thousand documents, as a single write does.
func BenchmarkApplyOne(b *testing.B) {
	x, err := roaring.Open(roaring.Config{Schemas: schemas()})
	if err != nil {
		b.Fatal(err)
	}
	doc := func(i int) search.Change {
		fields := map[string][]search.Value{"rows": {{Number: float64(i)}}, "typeNames": {{Text: "table"}}, "removed": {{Text: "false"}},
			"description": {{Text: "orders as they arrive, one row an order, kept for seven years"}}}
		for f := range 25 {
			fields[fmt.Sprintf("has%d", f)] = []search.Value{{Text: "false"}}
		}
		return dataset(fmt.Sprintf("warehouse.sales.table_%d", i), fields)
	}
	var all []search.Change
	for i := range 10_000 {
		all = append(all, doc(i))
	}
	if err := x.Apply(b.Context(), 1, all); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		if err := x.Apply(b.Context(), uint64(n), all[n%len(all):n%len(all)+1]); err != nil {
			b.Fatal(err)
		}
	}
}
