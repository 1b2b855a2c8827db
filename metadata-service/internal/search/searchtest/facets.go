package searchtest

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

func testFacets(f *fixture) {
	f.put(doc("a", "kind", "Table", "tags", "urn:li:tag:x", "tags", "urn:li:tag:y", "path", "␟p␟q"), doc("b", "kind", "Table", "tags", "urn:li:tag:x", "path", "␟p␟r"), doc("c", "kind", "View"))
	chart := doc("d", "tags", "urn:li:tag:y")
	chart.Type = "chart"
	f.put(chart)
	root, below := "", "␟p"
	r := f.search(search.Query{Size: 1, Facets: []search.FacetRequest{
		{Field: "kind", Size: 10}, {Field: "tags", Size: 1}, {Field: "_entityType", Size: 10}, {Field: "_entityType␞kind", Size: 10},
		{Field: "missing␝kind", Size: 10}, {Field: "path", Size: 10, Under: &root}, {Field: "path", Size: 10, Under: &below}, {Field: "nothing", Size: 10},
		{Field: "path", Size: 1, Under: &root, Deeper: 1}, {Field: "path", Size: 10, Under: &below, Deeper: 1},
	}})
	want := [][]search.Bucket{
		{{Value: "Table", Count: 2}, {Value: "View", Count: 1}}, {{Value: "urn:li:tag:x", Count: 2}},
		{{Value: "dataset", Count: 3}, {Value: "chart", Count: 1}}, {{Value: "dataset␞Table", Count: 2}, {Value: "dataset␞View", Count: 1}},
		{{Value: "missing␝kind", Count: 1}}, {{Value: "␟p", Count: 2}}, {{Value: "␟p␟q", Count: 1}, {Value: "␟p␟r", Count: 1}}, {},
		{{Value: "␟p␟q", Count: 1}}, {},
	}
	for i, facet := range r.Facets {
		if !slices.Equal(facet.Buckets, want[i]) {
			f.Errorf("facet %s counts %+v, want %+v", facet.Field, facet.Buckets, want[i])
		}
	}
	f.put(doc("e", "rows", 7), doc("f", "rows", 0))
	f.put(doc("g", "rows", 7))
	numbers := f.search(search.Query{Facets: []search.FacetRequest{{Field: "rows", Size: 10}}})
	if got := numbers.Facets[0].Buckets; !slices.Equal(got, []search.Bucket{{Value: "7", Count: 2}, {Value: "0", Count: 1}}) {
		f.Errorf("a facet of numbers counts %+v", got)
	}
	testNamedValues(f)
	filtered := f.search(search.Query{Filter: search.Filter{{{Field: "kind", Values: []string{"View"}}}}, Facets: []search.FacetRequest{{Field: "kind", Size: 10}}})
	if got := filtered.Facets[0].Buckets; !slices.Equal(got, []search.Bucket{{Value: "View", Count: 1}}) {
		f.Errorf("a filtered facet counts %+v", got)
	}
}

// testNamedValues asks for the counts of values that are cut off.
func testNamedValues(f *fixture) {
	r := f.search(search.Query{Facets: []search.FacetRequest{
		{Field: "kind", Size: 1, Values: []string{"View", "Table", "None"}}, {Field: "kind", Size: 2}, {Field: "tags", Size: 0, Values: []string{"urn:li:tag:y"}},
		{Field: "_entityType␞kind", Size: 1, Values: []string{"dataset␞View", "chart␞View"}}, {Field: "rows", Size: 1, Values: []string{"0"}},
		{Field: "nothing", Size: 1, Values: []string{"x"}}, {Field: "missing␝kind", Size: 1},
	}})
	want := []search.Facet{
		{Buckets: []search.Bucket{{Value: "Table", Count: 2}, {Value: "View", Count: 1}, {Value: "None"}}, More: true},
		{Buckets: []search.Bucket{{Value: "Table", Count: 2}, {Value: "View", Count: 1}}},
		{Buckets: []search.Bucket{{Value: "urn:li:tag:y", Count: 2}}, More: true},
		{Buckets: []search.Bucket{{Value: "dataset␞Table", Count: 2}, {Value: "dataset␞View", Count: 1}, {Value: "chart␞View"}}, More: true},
		{Buckets: []search.Bucket{{Value: "7", Count: 2}, {Value: "0", Count: 1}}, More: true},
		{Buckets: []search.Bucket{{Value: "x"}}},
		{Buckets: []search.Bucket{{Value: "missing␝kind", Count: 4}}},
	}
	for i, facet := range r.Facets {
		if !slices.Equal(facet.Buckets, want[i].Buckets) || facet.More != want[i].More {
			f.Errorf("facet %s counts %+v, more %t, want %+v", facet.Field, facet.Buckets, facet.More, want[i])
		}
	}
}
