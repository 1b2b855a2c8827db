package roaring_test

import (
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
)

// BenchmarkVisible prints the minimum time of searches of an actor who sees about two thirds of
// 100,000 documents, as a ratio to the same searches of an actor who sees all of them.
func BenchmarkVisible(b *testing.B) {
	const documents = 100_000
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		b.Fatal(err)
	}
	var changes []search.Change
	for n := range documents {
		d := sample.Document(n)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := x.Apply(b.Context(), 1, changes); err != nil {
		b.Fatal(err)
	}
	seen := search.Filter{{{Field: "domains", Values: []string{"urn:li:domain:shop", "urn:li:domain:finance", "urn:li:domain:people", "urn:li:domain:growth"}}}}
	for name, text := range map[string]string{
		"word": sample.Word, "common word": sample.CommonWord, "two words": "invoices monthly", "many words": "one row for each record as it arrives from the source",
		"prefix": "invo*", "typo": "invioces", "phrase": `"invoices monthly"`, "identifier": "finance.invoices_monthly", "any": "/q invoices OR monthly OR orders", "nothing": "zzz yyy xxx",
	} {
		b.Run(name, func(b *testing.B) {
			all := search.Query{Types: []string{"dataset", "chart"}, Text: text, Size: 10}
			some := all
			some.Visible, some.VisibleKey = seen, "some"
			least := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				for i, q := range []search.Query{all, some} {
					start := time.Now()
					if _, err := x.Search(b.Context(), q); err != nil {
						b.Fatal(err)
					}
					least[i] = min(least[i], time.Since(start))
				}
			}
			b.ReportMetric(float64(least[1])/float64(least[0]), "seen/all")
			b.ReportMetric(float64(least[1].Microseconds()), "us-seen")
			b.ReportMetric(float64(least[0].Microseconds()), "us-all")
		})
	}
}
