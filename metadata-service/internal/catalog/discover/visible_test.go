package discover_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// hidingOnDrivers runs a test on each driver with some entities hidden.
func hidingOnDrivers(t *testing.T, hidden []urn.URN, story func(t *testing.T, f *fixture)) {
	t.Helper()
	t.Parallel()
	for name, open := range map[string]func(testing.TB) catalogtest.Drivers{"memory": func(testing.TB) catalogtest.Drivers { return inMemory() }, "bolt": catalogtest.OnDisk} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := open(t)
			on.Authorizer = authtest.Hiding{Hidden: hidden}
			story(t, newFixture(t, on))
		})
	}
}

func TestAHiddenEntityIsNotFound(t *testing.T) {
	hidden := table("orders_daily")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.shop()
		ctx, datasets := f.as(jo), []string{"dataset"}

		page, err := f.Search(ctx, discover.SearchQuery{Types: datasets, Size: 10})
		if err != nil || page.Total != 3 || len(page.Hits) != 3 || slices.Contains(found(page.Hits), hidden) {
			t.Errorf("a search finds %d: %v (%v)", page.Total, found(page.Hits), err)
		}
		if tags := counts(t, page.Facets, "tags"); tags["urn:li:tag:shop"] != 3 {
			t.Errorf("facets count %v", tags)
		}
		if page, err := f.Search(ctx, discover.SearchQuery{Text: "daily", Size: 10}); err != nil || page.Total != 0 {
			t.Errorf("its own name finds %d (%v)", page.Total, err)
		}
		scrolled := discover.SearchQuery{Types: datasets, Size: 1, Facets: []string{}}
		for n := 0; ; n++ {
			page, err := f.Search(ctx, scrolled)
			if err != nil || page.Total != 3 || slices.Contains(found(page.Hits), hidden) {
				t.Fatalf("page %d of a scroll: %v of %d (%v)", n, found(page.Hits), page.Total, err)
			}
			if scrolled.Scroll = page.Next; page.Next == "" {
				break
			}
		}
		completed, err := f.Autocomplete(ctx, search.AutocompleteQuery{Types: datasets, Text: "ord", Limit: 10})
		if err != nil || len(completed) != 2 || completed[0].URN != table("orders") || completed[1].URN != table("raw_orders") {
			t.Errorf("completions are %v (%v)", completed, err)
		}
		browsed, err := f.Browse(ctx, discover.BrowseQuery{SearchQuery: discover.SearchQuery{Types: datasets, Size: 10}, Path: []string{"hive"}})
		want := []discover.BrowseGroup{{Name: "g1", Count: 2}, {Name: "g0", Count: 1}}
		if err != nil || browsed.Total != 3 || !slices.Equal(browsed.Items, want) {
			t.Errorf("browsing shows %+v of %d (%v)", browsed.Items, browsed.Total, err)
		}
		counted, err := f.CountEntities(ctx, datasets)
		if err != nil || !slices.Equal(counted, []int{3}) {
			t.Errorf("%v are counted (%v)", counted, err)
		}
	})
}

func TestAHiddenEntityIsNotListed(t *testing.T) {
	hidden := table("orders_daily")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.shop()
		f.put(table("old"), "status", `{"removed":true}`)
		ctx := f.as(jo)
		for _, c := range []struct {
			softDeleted bool
			want        []urn.URN
		}{
			{false, []urn.URN{table("orders"), table("raw_orders"), table("revenue")}},
			{true, []urn.URN{table("old"), table("orders"), table("raw_orders"), table("revenue")}},
		} {
			for limit := 1; limit <= 5; limit++ {
				var seen []urn.URN
				q := discover.ListQuery{Types: []string{"dataset"}, Limit: limit, IncludeSoftDeleted: c.softDeleted}
				for {
					page, err := f.List(ctx, q)
					if err != nil || page.Total != len(c.want) {
						t.Fatalf("pages of %d: total %d, want %d (%v)", limit, page.Total, len(c.want), err)
					}
					seen = append(seen, page.URNs...)
					if !page.More {
						break
					}
					q.After = page.URNs[len(page.URNs)-1]
				}
				if !slices.Equal(seen, c.want) {
					t.Errorf("pages of %d list %v", limit, seen)
				}
			}
		}
		for like, want := range map[string]int{"": 3, "urn:li:dataset:%": 3, "%orders%": 2, "%daily%": 0} {
			if n, err := f.CountAspect(ctx, "globalTags", like); err != nil || n != want {
				t.Errorf("%d entities like %q have tags, want %d (%v)", n, like, want, err)
			}
		}
	})
}

func TestAHiddenEntityIsNoNeighbor(t *testing.T) {
	hidden := table("orders_daily")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.shop()
		ctx := f.as(jo)
		tagged, err := f.Relationships(ctx, discover.RelationshipQuery{URN: "urn:li:tag:shop", Direction: graph.Incoming, Count: 10})
		if err != nil || tagged.Total != 3 || len(tagged.Edges) != 3 {
			t.Errorf("%d of %d tagged (%v)", len(tagged.Edges), tagged.Total, err)
		}
		_, err = f.Relationships(ctx, discover.RelationshipQuery{URN: hidden, Direction: graph.Incoming, Count: 10})
		wantFault(t, err, fault.Forbidden, "hidden")
		scroll, ends := discover.EdgeQuery{Count: 1}, 0
		for {
			page, err := f.Edges(ctx, scroll)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Edges {
				if e.Source == hidden || e.Destination == hidden {
					t.Errorf("%s leads to %s", e.Source, e.Destination)
				}
				if e.Type == "DownstreamOf" {
					ends++
				}
			}
			if scroll.Scroll = page.Next; page.Next == "" {
				break
			}
		}
		if ends != 1 {
			t.Errorf("%d edges of lineage are listed, want the one from orders to raw_orders", ends)
		}
	})
}

func TestAHiddenEntityEndsLineage(t *testing.T) {
	hidden := table("orders_daily")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.shop()
		ctx := f.as(jo)
		rows, err := f.Lineage(ctx, discover.LineageListing{URN: table("raw_orders"), Direction: lineage.Downstream, MaxHops: 5, Count: 10})
		if err != nil || rows.Total != 1 || rows.Filtered != 0 || len(rows.Rows) != 1 || rows.Rows[0].URN != table("orders") {
			t.Errorf("downstream are %+v (%v)", rows, err)
		}
		page, err := f.SearchLineage(ctx, discover.LineageQuery{
			URN: table("raw_orders"), Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{Size: 10},
		})
		if err != nil || page.Total != 1 || len(page.Hits) != 1 || page.Hits[0].URN != table("orders") {
			t.Errorf("a search downstream finds %+v (%v)", page, err)
		}
		if degrees := counts(t, page.Facets, "degree"); degrees["1"] != 1 || degrees["2"] != 0 || degrees["3+"] != 0 {
			t.Errorf("degrees count %v", degrees)
		}
	})
}

func TestAHiddenSiblingLendsNoLineage(t *testing.T) {
	hidden := table("dbt_orders")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.put(table("orders"), "siblings", `{"siblings":["`+string(hidden)+`"],"primary":true}`)
		f.put(hidden, "datasetProperties", `{"name":"dbt_orders"}`)
		f.put(table("after"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(hidden)+`","type":"COPY"}]}`)
		ask := func(u urn.URN) discover.LineageRows {
			rows, err := f.Lineage(f.as(u), discover.LineageListing{URN: table("orders"), Direction: lineage.Downstream, Count: 10})
			if err != nil {
				t.Fatal(err)
			}
			return rows
		}
		if rows := ask("urn:li:corpuser:__datahub_system"); rows.Total != 1 {
			t.Fatalf("the system sees %+v", rows)
		}
		if rows := ask(jo); rows.Total != 0 {
			t.Errorf("what is downstream of a hidden sibling is listed: %+v", rows)
		}
	})
}

func TestAHiddenQueryIsNotNamedByLineage(t *testing.T) {
	const hidden urn.URN = "urn:li:query:secret"
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.put(table("a"), "datasetProperties", `{"name":"a"}`)
		f.put(table("b"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("a"))+`","type":"COPY","query":"`+string(hidden)+`"}]}`)
		q := discover.LineageListing{URN: table("a"), Direction: lineage.Downstream, Count: 10}
		rows, err := f.Lineage(f.as("urn:li:corpuser:__datahub_system"), q)
		if err != nil || len(rows.Rows) != 1 || rows.Rows[0].Via != hidden {
			t.Fatalf("the system sees %+v (%v)", rows, err)
		}
		if rows, err = f.Lineage(f.as(jo), q); err != nil || len(rows.Rows) != 1 || rows.Rows[0].Via != "" {
			t.Errorf("lineage passes %+v (%v)", rows.Rows, err)
		}
		related, err := f.Relationships(f.as(jo), discover.RelationshipQuery{URN: table("a"), Direction: graph.Incoming, Count: 10})
		if err != nil || related.Total != 1 || related.Edges[0].Via != "" {
			t.Errorf("relationships pass %+v (%v)", related.Edges, err)
		}
	})
}

func TestWordsOfAHiddenEntityAreNotSuggested(t *testing.T) {
	hidden := table("orders_daily")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.shop()
		ask := func(u urn.URN, text string) []string {
			page, err := f.Search(f.as(u), discover.SearchQuery{Text: text, Suggest: true, Size: 10})
			if err != nil {
				t.Fatal(err)
			}
			return page.Suggestions
		}
		if other := ask("urn:li:corpuser:__datahub_system", "daliy"); !slices.Contains(other, "daily") {
			t.Fatalf("the system is told of %q", other)
		}
		if other := ask(jo, "daliy"); len(other) > 0 {
			t.Errorf("%q are suggested", strings.Join(other, ", "))
		}
		if other := ask(jo, "revneue"); !slices.Contains(other, "revenue") {
			t.Errorf("what may be seen is not suggested: %q", other)
		}
	})
}

// Each level of a nested facet has its own values after hidden ones, and its own size.
func TestHiddenValuesLeaveNoGapInANestedFacet(t *testing.T) {
	const hidden = "urn:li:tag:common"
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		for i := range 3 {
			f.put(table(fmt.Sprint("t", i)), "globalTags", `{"tags":[{"tag":"`+hidden+`"},{"tag":"urn:li:tag:a"}]}`)
		}
		f.put(table("t3"), "globalTags", `{"tags":[{"tag":"`+hidden+`"},{"tag":"urn:li:tag:b"}]}`)
		for field, want := range map[string]map[string]int{
			"_entityType␞tags": {"dataset": 4, "dataset␞urn:li:tag:a": 3},
			"tags␞_entityType": {"urn:li:tag:a": 3, "urn:li:tag:a␞dataset": 3},
		} {
			page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, FacetSize: 1, Facets: []string{field}})
			if err != nil {
				t.Fatal(err)
			}
			if got := counts(t, page.Facets, field); !maps.Equal(got, want) {
				t.Errorf("%s counts %v, want %v", field, got, want)
			}
		}
	})
}

func TestAHiddenPropertyHasNoFacet(t *testing.T) {
	hidingOnDrivers(t, []urn.URN{property}, func(t *testing.T, f *fixture) {
		f.write(withProperty("gold")...)
		f.put(property, "structuredPropertySettings", `{"showInSearchFilters":true}`)
		page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, PropertyFacets: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, facet := range page.Facets {
			if strings.HasPrefix(facet.Field, search.PropertyPrefix) {
				t.Errorf("%s is offered as a facet", facet.Field)
			}
		}
	})
}

func TestFiltersByHiddenEntitiesMatchNothing(t *testing.T) {
	const hidden = "urn:li:tag:shop"
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.shop()
		total := func(c search.Criterion) int {
			t.Helper()
			page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{c}}, Size: 10})
			if err != nil {
				t.Fatal(err)
			}
			return page.Total
		}
		for _, c := range []struct {
			criterion search.Criterion
			want      int
		}{
			{search.Criterion{Field: "tags", Values: []string{hidden}}, 0},
			{search.Criterion{Field: "tags", Values: []string{hidden, "urn:li:tag:none"}}, 0},
			{search.Criterion{Field: "tags", Values: []string{hidden}, Negated: true}, 4},
			{search.Criterion{Field: "tags", Condition: discover.DescendantsIncl, Values: []string{hidden}}, 0},
			{search.Criterion{Field: "_entityType␞tags", Values: []string{"dataset␞" + hidden}}, 0},
			{search.Criterion{Field: "tags", Condition: search.Exists}, 4},
		} {
			if got := total(c.criterion); got != c.want {
				t.Errorf("%+v finds %d, want %d", c.criterion, got, c.want)
			}
		}
		page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Deciding: true, Filter: search.Filter{{{Field: "tags", Values: []string{hidden}}}}})
		if err != nil || page.Total != 4 {
			t.Errorf("what decides counts %d (%v)", page.Total, err)
		}
		for _, condition := range []search.Condition{search.StartWith, search.EndWith, search.Contain, search.IEqual, search.Prefix, search.GreaterThan, search.LessOrEqual} {
			_, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{{Field: "tags", Condition: condition, Values: []string{"urn:li:tag:s"}}}}})
			wantFault(t, err, fault.Malformed, "filter on tags")
		}
	})
}

// Reads conceal a text that is the URN of a hidden entity.
func TestTextsThatAreURNsOfHiddenEntitiesAreToldByNoSearch(t *testing.T) {
	const hidden urn.URN = "urn:li:tag:zqsecret"
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		f.put(table("shop"), "datasetProperties", `{"name":"`+string(hidden)+`","customProperties":{"team":"`+string(hidden)+`","grade":"gold"}}`)
		completed, err := f.Autocomplete(f.as(jo), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "urn", Limit: 10})
		if err != nil || slices.ContainsFunc(completed, func(c search.Completion) bool { return c.Text != string(c.URN) }) {
			t.Errorf("completions are %v (%v)", completed, err)
		}
		page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Text: "team OR grade", Highlight: true, Size: 10})
		if err != nil || len(page.Hits) != 1 {
			t.Fatalf("found %+v (%v)", page.Hits, err)
		}
		if !slices.ContainsFunc(page.Hits[0].Matched, func(m search.Match) bool { return m.Value == "grade=gold" }) {
			t.Errorf("matched are %+v", page.Hits[0].Matched)
		}
		for _, m := range page.Hits[0].Matched {
			if strings.Contains(m.Value, "zqsecret") {
				t.Errorf("%s matched by %s", m.Field, m.Value)
			}
		}
		if seen, err := f.Autocomplete(f.as("urn:li:corpuser:__datahub_system"), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "urn", Limit: 10}); err != nil || len(seen) == 0 {
			t.Errorf("completions for the system are %v (%v)", seen, err)
		}
	})
}

// TestTextsThatAreURNsOfHiddenEntitiesAreNotSpelled stores the URN of a hidden dataset as a text,
// among others as a value of a property whose type changed from URNs to texts, and searches for
// parts of it.
func TestTextsThatAreURNsOfHiddenEntitiesAreNotSpelled(t *testing.T) {
	const property, plain = "urn:li:structuredProperty:ref", "urn:li:structuredProperty:note"
	hidden := table("zqsalary")
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		for _, name := range []urn.URN{"urn:li:dataType:datahub.urn", "urn:li:dataType:datahub.string"} {
			f.put(name, "dataTypeInfo", `{"qualifiedName":"`+name.Key()+`"}`)
		}
		f.put("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`)
		define := func(u urn.URN, kind, more string) {
			f.put(u, "propertyDefinition", `{"qualifiedName":"`+u.Key()+`","valueType":"urn:li:dataType:datahub.`+kind+`","cardinality":"MULTIPLE","entityTypes":["urn:li:entityType:datahub.dataset"]`+more+`}`)
		}
		define(property, "urn", "")
		define(plain, "string", "")
		own, u := table("own"), string(hidden)
		inJSON, err := json.Marshal(map[string]any{"about": []string{u}})
		if err != nil {
			t.Fatal(err)
		}
		f.put(own, "structuredProperties", `{"properties":[{"propertyUrn":"`+property+`","values":[{"string":"`+u+`"}]},{"propertyUrn":"`+plain+`","values":[{"string":"`+u+`"}]}]}`)
		f.put(own, "datasetProperties", `{"name":"`+u+`","qualifiedName":"`+u+`","description":`+strconv.Quote(string(inJSON))+`,"customProperties":{"k":"`+u+`","a=b":"`+u+`"}}`)
		f.put(own, "editableDatasetProperties", `{"description":"`+u+`"}`)
		define(property, "string", `,"version":"20260101010101"`)
		put := func() { f.put(own, "status", `{"removed":false}`) } // creates the search document anew
		put()
		versioned := "structuredProperties._versioned.ref.20260101010101.string"
		fields := []string{"name", "qualifiedName", "description", "editedDescription", "customProperties", "structuredProperties.note", versioned}
		ask := func(who urn.URN, q discover.SearchQuery) discover.SearchPage {
			t.Helper()
			q.Types, q.Size, q.Suggest, q.Highlight = []string{"dataset"}, 10, true, true
			page, err := f.Search(f.as(who), q)
			if err != nil {
				t.Fatalf("%+v: %v", q, err)
			}
			return page
		}
		const system = "urn:li:corpuser:__datahub_system"
		for _, field := range fields {
			where := func(c search.Condition, values ...string) discover.SearchQuery {
				return discover.SearchQuery{Filter: search.Filter{{{Field: field, Condition: c, Values: values}}}}
			}
			if n := ask(system, where(search.Contain, "zqsal")).Total; n != 1 {
				t.Errorf("the system finds %d by %s", n, field)
			}
			if n := ask(jo, where(search.Exists)).Total; n != 1 {
				t.Errorf("%d have a %s", n, field)
			}
			for _, q := range []discover.SearchQuery{
				where(search.Contain, "zqsal"), where(search.EndWith, "salary,PROD)"), where(search.StartWith, "urn:li:dataset:(urn:li:dataPlatform"), where(search.IEqual, strings.ToUpper(u)),
				where(search.StartWith, "k=urn:li:dataset"), where(search.GreaterThan, "a"), where(search.LessThan, "z"), where("", u), where("", "k="+u), where("", string(inJSON)),
				{Text: "/q " + field + ":*zqsal*"}, {Text: "/q " + field + ":zqsalary"}, {Text: "/q " + field + ":zqsalarq~1"}, {Text: "/q " + field + ":urn*"},
			} {
				if page := ask(jo, q); page.Total != 0 || len(page.Suggestions) > 0 {
					t.Errorf("%s finds %d, and suggests %q: %+v", field, page.Total, page.Suggestions, q)
				}
			}
			for _, facet := range ask(jo, discover.SearchQuery{Facets: []string{field}}).Facets {
				for _, b := range facet.Buckets {
					if strings.Contains(b.Value, "zqsalary") {
						t.Errorf("facet %s counts %s", field, b.Value)
					}
				}
			}
			got, err := f.Autocomplete(f.as(jo), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "zqs", Field: field, Limit: 10})
			if err != nil || len(got) > 0 {
				t.Errorf("%s is completed: %v (%v)", field, got, err)
			}
			for _, descending := range []bool{false, true} {
				page := ask(jo, discover.SearchQuery{Sort: []search.Sort{{Field: field, Descending: descending}}})
				for _, h := range page.Hits {
					for i := range h.Cursor.Values {
						if strings.Contains(h.Cursor.Values[i].Text, "zqsalary") {
							t.Errorf("hits are sorted by %s of %s", field, h.Cursor.Values[i].Text)
						}
					}
				}
			}
		}
		for _, text := range []string{"zqsalary", "zqsal*", "zqsalarq", `"zqsalary prod"`, u} {
			if page := ask(jo, discover.SearchQuery{Text: text}); page.Total != 0 || len(page.Suggestions) > 0 {
				t.Errorf("%s finds %d, and suggests %q", text, page.Total, page.Suggestions)
			}
		}
	})
}

// The client library finds the contents of a container by a part of the browse path.
func TestAContainerIsFoundInBrowsePathsByItsWholeURN(t *testing.T) {
	const hidden, open, top urn.URN = "urn:li:container:0b", "urn:li:container:0bc", "urn:li:container:1a"
	hidingOnDrivers(t, []urn.URN{hidden}, func(t *testing.T, f *fixture) {
		for _, c := range []urn.URN{hidden, open} {
			f.put(c, "containerProperties", `{"name":"`+c.Key()+`"}`)
			f.put(c, "container", `{"container":"`+string(top)+`"}`)
			f.put(table("in_"+c.Key()), "container", `{"container":"`+string(c)+`"}`)
			f.put(table("in_"+c.Key()), "browsePathsV2", `{"path":[{"id":"`+string(top)+`","urn":"`+string(top)+`"},{"id":"`+string(c)+`","urn":"`+string(c)+`"}]}`)
		}
		for _, q := range []struct {
			value string
			want  int
		}{{string(open), 1}, {string(top), 2}, {string(hidden), 0}, {"urn:li:container:0B", 0}, {"urn:li:container:0", 0}} {
			filter := search.Filter{{{Field: "browsePathV2", Condition: search.Contain, Values: []string{q.value}}}}
			page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Size: 10, Filter: filter})
			if err != nil || page.Total != q.want {
				t.Errorf("what contains %s: %d (%v), want %d", q.value, page.Total, err, q.want)
			}
		}
		for _, value := range []string{"urn:li:", "0b", "urn:li:container:"} {
			_, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{{Field: "browsePathV2", Condition: search.Contain, Values: []string{value}}}}})
			wantFault(t, err, fault.Malformed, "filter on browsePathV2")
		}
	})
}

// TestTextsDoNotMatchURNsOfHiddenEntities searches for a hidden tag that all datasets have.
func TestTextsDoNotMatchURNsOfHiddenEntities(t *testing.T) {
	const hidden, property = "urn:li:tag:zqsecret", "urn:li:structuredProperty:team.ref"
	texts := []string{
		"zqsecret", "zqs*", "zqsecrte", `"zqsecret"`, hidden, "zqsecret shop", "tags:zqs*", "/q zq*", "/q *qsec*", "/q tags:zqs*", `/q tags:"` + hidden + `"`, "/q tags:[urn:li:tag:z TO urn:li:tag:zz]",
		"/q tags:zqsecre~1", "/q _containers:*zqs*", "/q container:zqs*", "/q browsePathV2:*zqs*", "/q structuredProperties.team.ref:*zqs*", "/q structuredProperties.team_ref:zqsecret",
	}
	hidingOnDrivers(t, []urn.URN{hidden, "urn:li:container:zqsecret"}, func(t *testing.T, f *fixture) {
		f.put("urn:li:dataType:datahub.urn", "dataTypeInfo", `{"qualifiedName":"datahub.urn"}`)
		f.put("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`)
		f.put(property, "propertyDefinition", `{"qualifiedName":"team.ref","valueType":"urn:li:dataType:datahub.urn","entityTypes":["urn:li:entityType:datahub.dataset"]}`)
		f.put(table("shop"), "datasetProperties", `{"name":"shop"}`)
		f.put(table("shop"), "globalTags", `{"tags":[{"tag":"`+hidden+`"}]}`)
		f.put(table("shop"), "glossaryTerms", `{"terms":[{"urn":"urn:li:glossaryTerm:income"}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`)
		f.put(table("shop"), "container", `{"container":"urn:li:container:zqsecret"}`)
		f.put(table("shop"), "dataPlatformInstance", `{"platform":"urn:li:dataPlatform:lake"}`)
		f.put(table("shop"), "browsePathsV2", `{"path":[{"id":"urn:li:container:zqsecret","urn":"urn:li:container:zqsecret"}]}`)
		f.put(table("shop"), "structuredProperties", `{"properties":[{"propertyUrn":"`+property+`","values":[{"string":"`+hidden+`"}]}]}`)
		ask := func(u urn.URN, q discover.SearchQuery) int {
			t.Helper()
			q.Types, q.Suggest, q.Size = []string{"dataset"}, true, 10
			page, err := f.Search(f.as(u), q)
			if err != nil {
				t.Fatalf("%s: %v", q.Text, err)
			}
			if u == jo && !q.Deciding && len(page.Suggestions) > 0 {
				t.Errorf("%s: %q are suggested", q.Text, page.Suggestions)
			}
			return page.Total
		}
		for _, text := range texts {
			want := 0
			if strings.Contains(text, "shop") {
				want = 1 // by its own name, in a relaxed search
			}
			if n := ask(jo, discover.SearchQuery{Text: text}); n != want {
				t.Errorf("%s finds %d, want %d", text, n, want)
			}
			if n := ask("urn:li:corpuser:__datahub_system", discover.SearchQuery{Text: text}); n != 1 {
				t.Errorf("%s finds %d for the system", text, n)
			}
			if n := ask(jo, discover.SearchQuery{Text: text, Deciding: true}); n != 1 {
				t.Errorf("%s finds %d for what decides", text, n)
			}
		}
		for _, text := range []string{"income", "/q glossaryTerms:inc*", "lake", "/q platform:lake", "/q name:sho*", "/q NOT tags:zqsecret"} {
			if n := ask(jo, discover.SearchQuery{Text: text}); n != 1 {
				t.Errorf("%s finds %d, want 1", text, n)
			}
		}
		for _, field := range []string{"_containers", "browsePathV2", "structuredProperties.team.ref", "ownerTypes.urn:li:ownershipType:x", "fieldTags"} {
			_, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{{Field: field, Condition: search.StartWith, Values: []string{"urn:li:"}}}}})
			wantFault(t, err, fault.Malformed, "filter on "+field)
		}
		for _, field := range []string{"name", "glossaryTerms", "platform"} {
			if _, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{{Field: field, Condition: search.StartWith, Values: []string{"urn:li:"}}}}}); err != nil {
				t.Errorf("a filter on %s: %v", field, err)
			}
		}
		page, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Size: 1, Sort: []search.Sort{{Field: "_containers"}, {Field: "structuredProperties.team.ref"}, {Field: "name"}}})
		if err != nil || len(page.Sort) != 1 || page.Sort[0].Field != "name" {
			t.Errorf("hits are sorted by %v (%v)", page.Sort, err)
		}
		for _, field := range []string{"tags", "container", "structuredProperties.team.ref"} {
			got, err := f.Autocomplete(f.as(jo), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "zqs", Field: field, Limit: 10})
			if err != nil || len(got) > 0 {
				t.Errorf("%s is completed to %v (%v)", field, got, err)
			}
		}
	})
}
