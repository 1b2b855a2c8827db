package timeline_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
)

// BenchmarkTimeline compares twenty versions of a schema of 500 columns.
func BenchmarkTimeline(b *testing.B) {
	w := servicetest.New(b)
	s, ctx := timeline.New(w.Registry, w.Catalog, w.Discover, nil), w.As(b, servicetest.Root)
	columns := make([]string, 500)
	for i := range columns {
		columns[i] = fmt.Sprintf("column_%d Number int", i)
	}
	for i := range 20 {
		columns[i] = fmt.Sprintf("column_%d String text", i)
		w.Put(b, orders, "schemaMetadata", schema(columns...))
	}
	b.ReportAllocs()
	for b.Loop() {
		if found, err := s.Timeline(ctx, timeline.Query{URN: orders}); err != nil || len(found.Transactions) != 20 {
			b.Fatal(len(found.Transactions), err)
		}
	}
}
