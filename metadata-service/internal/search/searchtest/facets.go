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
		{{Value: "dataset", Count: 3}, {Value: "chart", Count: 1}},
		{{Value: "dataset", Count: 3}, {Value: "dataset␞Table", Count: 2}, {Value: "chart", Count: 1}, {Value: "dataset␞View", Count: 1}},
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
	testNestedLevels(f)
	filtered := f.search(search.Query{Filter: search.Filter{{{Field: "kind", Values: []string{"View"}}}}, Facets: []search.FacetRequest{{Field: "kind", Size: 10}}})
	if got := filtered.Facets[0].Buckets; !slices.Equal(got, []search.Bucket{{Value: "View", Count: 1}}) {
		f.Errorf("a filtered facet counts %+v", got)
	}
}

// testNamedValues requests the counts of values beyond the size of the facet.
func testNamedValues(f *fixture) {
	r := f.search(search.Query{Facets: []search.FacetRequest{
		{Field: "kind", Size: 1, Values: []string{"View", "Table", "None"}}, {Field: "kind", Size: 2}, {Field: "tags", Size: 0, Values: []string{"urn:li:tag:y"}},
		{Field: "_entityType␞kind", Size: 1, Values: []string{"dataset␞View", "chart␞View", "chart", "tag"}}, {Field: "rows", Size: 1, Values: []string{"0"}},
		{Field: "nothing", Size: 1, Values: []string{"x"}}, {Field: "missing␝kind", Size: 1},
	}})
	want := []search.Facet{
		{Buckets: []search.Bucket{{Value: "Table", Count: 2}, {Value: "View", Count: 1}, {Value: "None"}}, More: true},
		{Buckets: []search.Bucket{{Value: "Table", Count: 2}, {Value: "View", Count: 1}}},
		{Buckets: []search.Bucket{{Value: "urn:li:tag:y", Count: 2}}, More: true},
		{Buckets: []search.Bucket{{Value: "dataset", Count: 6}, {Value: "dataset␞Table", Count: 2}, {Value: "dataset␞View", Count: 1}, {Value: "chart␞View"}, {Value: "chart", Count: 1}, {Value: "tag"}}, More: true},
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

// testNestedLevels joins three fields, which some search documents lack, and filters by values of
// each level.
func testNestedLevels(f *fixture) {
	nested := func(size int, values ...string) []search.FacetRequest {
		return []search.FacetRequest{{Field: "_entityType␞kind␞tags", Size: size, Values: values}}
	}
	all := []search.Bucket{
		{Value: "dataset", Count: 6}, {Value: "dataset␞Table", Count: 2}, {Value: "dataset␞Table␞urn:li:tag:x", Count: 2},
		{Value: "chart", Count: 1}, {Value: "dataset␞Table␞urn:li:tag:y", Count: 1}, {Value: "dataset␞View", Count: 1},
	}
	r := f.search(search.Query{Facets: nested(10)})
	if got := r.Facets[0]; !slices.Equal(got.Buckets, all) || got.More {
		f.Errorf("three fields count %+v, more %t", got.Buckets, got.More)
	}
	r = f.search(search.Query{Facets: nested(1)})
	if got := r.Facets[0]; !slices.Equal(got.Buckets, all[:3]) || !got.More {
		f.Errorf("one value of each level counts %+v, more %t", got.Buckets, got.More)
	}
	for value, want := range map[string]int{"dataset": 6, "CHART": 1, "dataset␞View": 1, "dataset␞Table␞urn:li:tag:y": 1} {
		filter := search.Filter{{{Field: "_entityType␞kind␞tags", Values: []string{value}}}}
		if r := f.search(search.Query{Filter: filter, Facets: nested(10, value)}); r.Total != want {
			f.Errorf("%s is a filter for %d, want %d", value, r.Total, want)
		}
	}
}
