package roaring_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
)

// combinationsOf returns the values of the first of several fields in a document, and their
// combinations with those of each further field, without duplicates.
func combinationsOf(d *search.Document, fields []string) map[string]bool {
	all, last := map[string]bool{}, map[string]bool{"": true}
	for i, field := range fields {
		longer := map[string]bool{}
		for before := range last {
			for _, v := range d.Fields[field] {
				if i > 0 {
					longer[before+"␞"+v.Text] = true
				} else {
					longer[v.Text] = true
				}
			}
		}
		last = longer
		maps.Copy(all, longer)
	}
	return all
}

// TestCombinationsAreCountedAsInEachDocument counts fields with few and with many values, among few
// and among many documents, in two segments with deleted documents.
func TestCombinationsAreCountedAsInEachDocument(t *testing.T) {
	t.Parallel()
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	var docs []*search.Document
	for n := range 500 {
		docs = append(docs, sample.Document(n))
	}
	for i, part := range [][]*search.Document{docs[:300], docs[250:]} {
		var changes []search.Change
		for _, d := range part {
			changes = append(changes, search.Change{URN: d.URN, Document: d})
		}
		if err := x.Apply(t.Context(), uint64(i+1), changes); err != nil {
			t.Fatal(err)
		}
	}
	for _, domain := range []string{"", "urn:li:domain:shop", "urn:li:domain:facilities"} {
		for _, field := range []string{"owners␞platform", "platform␞name", "name␞owners", "tags␞fieldPaths", "domains␞tags␞name", "platform␞owners␞fieldPaths"} {
			want := map[string]int{}
			for _, d := range docs {
				if domain == "" || d.Fields["domains"][0].Text == domain {
					for combination := range combinationsOf(d, strings.Split(field, "␞")) {
						want[combination]++
					}
				}
			}
			q := search.Query{Types: []string{"dataset", "chart"}, Facets: []search.FacetRequest{{Field: field, Size: search.MaxPage}}}
			if domain != "" {
				q.Filter = search.Filter{{{Field: "domains", Values: []string{domain}}}}
			}
			found, err := x.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(found.Facets[0].Buckets); got != len(want) {
				t.Errorf("%s in %q has %d combinations, want %d", field, domain, got, len(want))
			}
			for _, b := range found.Facets[0].Buckets {
				if want[b.Value] != b.Count {
					t.Errorf("%s in %q counts %d of %s, want %d", field, domain, b.Count, b.Value, want[b.Value])
				}
			}
		}
	}
}
