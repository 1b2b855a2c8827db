package timeseriestest

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	benchURNs     = 1000
	benchVersions = 20 // documents per URN before reads are measured
	benchBatch    = 100
)

// Benchmark measures frequent operations of a driver: batches of new documents, the latest
// documents of many URNs, the newest of one.
func Benchmark(b *testing.B, open func(b *testing.B) timeseries.Store) {
	b.Run("Apply100", func(b *testing.B) {
		s := open(b)
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			apply(b, s, uint64(n+1), benchOps(n)...)
		}
		b.ReportMetric(float64(b.N*benchBatch)/b.Elapsed().Seconds(), "docs/s")
	})
	b.Run("Latest100", func(b *testing.B) {
		s := benchStore(b, open)
		urns := make([]urn.URN, 100)
		for i := range urns {
			urns[i] = dataset(i * 7)
		}
		b.ReportAllocs()
		for b.Loop() {
			if got, err := s.Latest(ctx, index, urns); err != nil || len(got) != len(urns) {
				b.Fatal(len(got), err)
			}
		}
	})
	b.Run("FindNewest10", func(b *testing.B) {
		s := benchStore(b, open)
		b.ReportAllocs()
		for b.Loop() {
			q := timeseries.Query{URNs: []urn.URN{dataset(77)}, Limit: 10}
			if got := find(b, s, q); len(got) != 10 {
				b.Fatal(len(got))
			}
		}
	})
}

func benchStore(b *testing.B, open func(b *testing.B) timeseries.Store) timeseries.Store {
	s := open(b)
	for n := range benchURNs * benchVersions / benchBatch {
		apply(b, s, uint64(n+1), benchOps(n)...)
	}
	return s
}

// benchOps returns the n-th batch of new documents of about 1 KB.
func benchOps(n int) []timeseries.Op {
	docs := make([]timeseries.Document, benchBatch)
	for i := range docs {
		at := n*benchBatch + i
		id := fmt.Sprintf("%032x", uint64(at)*0x9E3779B97F4A7C15)
		docs[i] = document(id, dataset(at%benchURNs), int64(1_754_000_000_000+at/benchURNs))
		docs[i].Event = []byte(fmt.Sprintf(`{"rowCount":%d,"fieldProfiles":"%0900d"}`, at, at))
	}
	return upserts(docs...)
}
