package roaring_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/pkg/urn"
)

// BenchmarkSelect evaluates 100 expressions on 100,000 documents with the sets of the index, and on
// about a hundredth of them one by one.
func BenchmarkSelect(b *testing.B) {
	const documents = 100_000
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		b.Fatal(err)
	}
	var changes []search.Change
	var some []*search.Document
	for n := range documents {
		d := sample.Document(n)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
		if n%100 == 0 {
			some = append(some, d)
		}
	}
	if err := x.Apply(b.Context(), 1, changes); err != nil {
		b.Fatal(err)
	}
	s := search.Selection{Types: []string{"dataset", "chart"}}
	for i := range 50 {
		owned := search.Expression{Is: &search.Criterion{Field: "hasOwners", Values: []string{"true"}}}
		tagged := search.Expression{Is: &search.Criterion{Field: "tags", Values: []string{fmt.Sprintf("urn:li:tag:tag%d", i)}}}
		large := search.Expression{Is: &search.Criterion{Field: "rowCount", Condition: search.GreaterThan, Values: []string{fmt.Sprint(i * 100_000)}}}
		s.Expressions = append(s.Expressions, search.Expression{Any: []search.Expression{tagged, {Not: &large}}}, search.Expression{All: []search.Expression{owned, {Not: &tagged}, large}})
	}
	b.Run("sets", func(b *testing.B) {
		b.ReportAllocs()
		held := 0
		for b.Loop() {
			if _, err := x.Select(b.Context(), s, func(_ urn.URN, holds search.ExpressionSet) error {
				if holds.Has(0) {
					held++
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*documents*len(s.Expressions)), "ns/decision")
	})
	b.Run("document by document", func(b *testing.B) {
		kinds := map[string]search.Kind{}
		for _, f := range sample.Schemas()[0].Fields {
			kinds[f.Name] = f.Kind
		}
		kind := func(field string) (search.Kind, bool) { k, ok := kinds[field]; return k, ok }
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range some {
				for i := range s.Expressions {
					s.Expressions[i].Holds(d, kind)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(some)*len(s.Expressions)), "ns/decision")
	})
}
