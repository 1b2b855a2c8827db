package roaring_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestQueriesReserveTheirSteps sums up the steps that queries reserve, which must grow with the
// documents, values and words that they read. All queries also reserve a fixed cost.
func TestQueriesReserveTheirSteps(t *testing.T) {
	t.Parallel()
	const documents = 6_000
	var reserved int
	var refusal error
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas(), Reserve: func(_ context.Context, steps int) error {
		reserved += steps
		return refusal
	}})
	if err != nil {
		t.Fatal(err)
	}
	var changes []search.Change
	for n := range documents {
		d := sample.Document(n)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := x.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
	var within []urn.URN
	for _, c := range changes {
		within = append(within, c.URN)
	}
	beginnings := strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz", ""), "* ") + "*"
	facets := make([]search.FacetRequest, 40)
	for i := range facets {
		facets[i] = search.FacetRequest{Field: []string{"owners", "platform", "domains", "typeNames"}[i%4], Size: 10}
	}
	numbers := make([]string, 10_000)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i)
	}
	var alternatives search.Filter
	for _, n := range numbers[:5_000] {
		alternatives = append(alternatives, []search.Criterion{{Field: "description", Values: []string{n}}})
	}
	types := []string{"dataset", "chart"}
	for name, c := range map[string]struct {
		query       search.Query
		least, most int
	}{
		"a word":                   {search.Query{Types: types, Text: "orders_17", Size: 10}, 5_000, 5_000 + 4*documents},
		"everything":               {search.Query{Types: types, Size: 10}, 5_000 + documents, 5_000 + 8*documents},
		"a page far behind":        {search.Query{Types: types, From: documents - 1_000, Size: 10, Sort: []search.Sort{{Field: "name"}}}, 5_000 + 2*documents, 5_000 + 5*documents},
		"beginnings":               {search.Query{Types: types, Text: beginnings, Size: 10}, 10 * documents, 200 * documents},
		"beginnings, any of them":  {search.Query{Types: types, Text: strings.ReplaceAll(beginnings, " ", " OR "), Structured: true, Size: 10}, 10 * documents, 200 * documents},
		"facets":                   {search.Query{Types: types, Facets: facets}, len(facets) * documents / 2, 2 * len(facets) * documents},
		"combined facets":          {search.Query{Types: types, Facets: []search.FacetRequest{{Field: "owners␞platform", Size: 10}}}, documents, 1000 * documents},
		"values of a filter":       {search.Query{Types: types, Filter: search.Filter{{{Field: "name", Values: numbers}}}}, 20 * len(numbers), 60 * len(numbers)},
		"alternatives of a filter": {search.Query{Types: types, Filter: alternatives}, 50 * len(alternatives), 200 * len(alternatives)},
		"ranges":                   {search.Query{Types: types, Text: "/q rowCount:[1 TO *] OR rowCount:[2 TO *] OR rowCount:[3 TO *] OR rowCount:[4 TO *]", Size: 10}, 5_000 + documents/2, 5_000 + 12*documents},
		"many clauses":             {search.Query{Types: types, Text: "/q name:" + strings.Join(numbers[:900], " OR name:")}, 5_000 + 900*100, 5_000 + 900*500},
		"matched fields":           {search.Query{Types: types, Text: sample.CommonWord, Size: documents, Highlight: true}, 60 * documents, 300 * documents},
		"a comparison with values": {search.Query{Types: types, Filter: search.Filter{{{Field: "description", Condition: search.Contain, Values: strings.Fields("abc bcd cde def")}}}}, 40 * documents, 100 * documents},
		"a list of entities":       {search.Query{Types: types, Within: within}, documents, 4 * documents},
	} {
		reserved, refusal = 0, errors.New("no turn")
		if _, err := x.Search(t.Context(), c.query); !errors.Is(err, refusal) {
			t.Errorf("%s goes on without a turn: %v", name, err)
		}
		reserved, refusal = 0, nil
		if _, err := x.Search(t.Context(), c.query); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if reserved < c.least || reserved > c.most {
			t.Errorf("%s reserves %d steps, want %d to %d", name, reserved, c.least, c.most)
		}
	}
}

// TestFacetsKeepTheirBucketsAlone counts a field with a different value per document. Values beyond
// the size of the facet must not be held until the search has ended.
func TestFacetsKeepTheirBucketsAlone(t *testing.T) {
	t.Parallel()
	const size = 10
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	var changes []search.Change
	for n := range 500 {
		d := sample.Document(n)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := x.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(t.Context(), search.Query{Types: []string{"dataset"}, Facets: []search.FacetRequest{{Field: "name", Size: size}}})
	if err != nil {
		t.Fatal(err)
	}
	if list := found.Facets[0].Buckets; len(list) != size || cap(list) > 2*size {
		t.Errorf("%d buckets with room for %d", len(list), cap(list))
	}
}
