package discover_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// rows returns the entities of a lineage listing, in order.
func (f *fixture) rows(q discover.LineageListing) ([]urn.URN, discover.LineageRows) {
	f.t.Helper()
	page, err := f.Lineage(f.as(root), q)
	if err != nil {
		f.t.Fatal(err)
	}
	var out []urn.URN
	for _, r := range page.Rows {
		out = append(out, r.URN)
	}
	return out, page
}

func TestLineageIsListedPageByPage(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.shop()
		want := []urn.URN{table("orders"), table("orders_daily"), table("revenue")}
		for start := range 4 {
			got, page := f.rows(discover.LineageListing{URN: table("raw_orders"), Direction: lineage.Downstream, MaxHops: 5, Start: start, Count: 2})
			if end := min(start+2, 3); page.Total != 3 || !slices.Equal(got, want[start:end]) {
				t.Errorf("from %d: %v of %d, want %v", start, got, page.Total, want[start:end])
			}
		}
		_, page := f.rows(discover.LineageListing{URN: table("raw_orders"), Direction: lineage.Downstream, MaxHops: 5, Count: 5})
		for i, r := range page.Rows {
			if direct := i == 0; r.Degree != i+1 || (r.Type == "DownstreamOf") != direct || (r.Created.Time == catalogtest.Day) != direct {
				t.Errorf("row %d is %+v", i, r)
			}
		}
	})
}

func TestGhostsAreCountedAndLeftOut(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.put(table("sum"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("there"))+`","type":"COPY"},
			{"dataset":"`+string(table("never"))+`","type":"COPY"},{"dataset":"`+string(table("gone"))+`","type":"COPY"}]}`)
		f.put(table("there"), "status", `{"removed":false}`)
		f.put(table("gone"), "status", `{"removed":true}`)
		q := discover.LineageListing{URN: table("sum"), Direction: lineage.Upstream, Count: 10}
		got, page := f.rows(q)
		if page.Total != 1 || page.Filtered != 2 || !slices.Equal(got, []urn.URN{table("there")}) {
			t.Errorf("got %v of %d, %d left out", got, page.Total, page.Filtered)
		}
		q.IncludeGhosts = true
		if got, page = f.rows(q); page.Total != 3 || page.Filtered != 0 || len(got) != 3 {
			t.Errorf("with ghosts: %v of %d, %d left out", got, page.Total, page.Filtered)
		}
	})
}

func TestSiblingsShareTheirLineage(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		model := table("dbt_orders")
		f.put(table("orders"), "siblings", `{"siblings":["`+string(model)+`","`+string(table("orders"))+`","`+string(model)+`"],"primary":true}`)
		f.put(model, "status", `{"removed":false}`)
		f.put(table("after"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(model)+`","type":"COPY"}]}`)
		q := discover.LineageListing{URN: table("orders"), Direction: lineage.Downstream, Count: 10}
		got, page := f.rows(q)
		if !slices.Equal(got, []urn.URN{table("after")}) || page.Rows[0].Type != "DownstreamOf" {
			t.Errorf("with its sibling: %+v", page)
		}
		q.SeparateSiblings = true
		if got, page = f.rows(q); len(got) != 0 || page.Total != 0 {
			t.Errorf("on its own: %+v", page)
		}
	})
}

func TestDegreesAreNarrowedByAllFilters(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	degree := func(values ...string) search.Criterion { return search.Criterion{Field: "degree", Values: values} }
	not := func(c search.Criterion) search.Criterion { c.Negated = true; return c }
	exists := search.Criterion{Field: "degree.keyword", Condition: search.Exists}
	all, first, second := []urn.URN{table("orders"), table("orders_daily"), table("revenue")}, table("orders"), table("orders_daily")
	for name, c := range map[string]struct {
		filter search.Filter
		and    []search.Filter
		want   []urn.URN
	}{
		"none named":           {nil, nil, all},
		"the first":            {search.Filter{{degree("1")}}, nil, all[:1]},
		"one or two":           {search.Filter{{degree("1")}, {degree("2")}}, nil, all[:2]},
		"all but the first":    {search.Filter{{not(degree("1"))}}, nil, all[1:]},
		"far away":             {search.Filter{{degree("3+")}}, nil, all[2:]},
		"any":                  {search.Filter{{exists}}, nil, all},
		"none at all":          {search.Filter{{not(exists)}}, nil, nil},
		"both must hold":       {search.Filter{{degree("1", "2")}}, []search.Filter{{{degree("2", "3+")}}}, []urn.URN{second}},
		"in one alternative":   {search.Filter{{degree("1", "2"), degree("1")}}, nil, []urn.URN{first}},
		"that contradict":      {search.Filter{{degree("1")}}, []search.Filter{{{degree("2")}}}, nil},
		"with another field":   {search.Filter{{degree("1", "2"), {Field: "name", Values: []string{"orders_daily"}}}}, nil, []urn.URN{second}},
		"of another condition": {search.Filter{{{Field: "degree", Condition: discover.In, Values: []string{"2"}}}}, nil, []urn.URN{second}},
	} {
		page, err := f.SearchLineage(f.as(root), discover.LineageQuery{
			URN: table("raw_orders"), Direction: lineage.Downstream,
			SearchQuery: discover.SearchQuery{Types: []string{"dataset"}, Filter: c.filter, And: c.and, Sort: []search.Sort{{Field: "urn"}}, Size: 10},
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []urn.URN
		for _, h := range page.Hits {
			got = append(got, h.URN)
		}
		if !slices.Equal(got, c.want) || page.Total != len(c.want) {
			t.Errorf("%s: found %v of %d, want %v", name, got, page.Total, c.want)
		}
		offered := map[string]int{"1": 0, "2": 0, "3+": 0}
		for i, u := range all {
			if slices.Contains(c.want, u) {
				offered[[]string{"1", "2", "3+"}[i]]++
			}
		}
		if facet := counts(t, page.Facets, "degree"); !maps.Equal(facet, offered) {
			t.Errorf("%s: offered %v, want %v", name, facet, offered)
		}
	}
}

func TestTypesAndRelationshipsOfLineage(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	if types := f.LineageTypes(); slices.Contains(types, "query") || !slices.Contains(types, "dataset") || !slices.Contains(types, "dataJob") {
		t.Errorf("lineage finds %v", types)
	}
	if names := f.LineageNames(); !slices.Contains(names, "DownstreamOf") || slices.Contains(names, "TaggedWith") {
		t.Errorf("lineage is made of %v", names)
	}
	up, down, ok := f.LineageEnds(&model.Edge{Source: table("after"), Type: "DownstreamOf", Destination: table("before")})
	if !ok || up != table("before") || down != table("after") {
		t.Errorf("%s lies before %s (%t)", up, down, ok)
	}
	if _, _, ok := f.LineageEnds(&model.Edge{Source: table("a"), Type: "TaggedWith", Destination: "urn:li:tag:x"}); ok {
		t.Error("a tag is lineage")
	}
	for name, want := range map[string]bool{"dataset": true, "DATA_JOB": true, "dataHubAccessToken": false, "cow": false} {
		if f.Searches(name) != want {
			t.Errorf("%s is searched: %t", name, !want)
		}
	}
}
