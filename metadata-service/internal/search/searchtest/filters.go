package searchtest

import (
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func testConditions(f *fixture) {
	f.put(doc("a", "kind", "Table", "rows", 5, "removed", "true", "props", "team=Shop"), doc("b", "kind", "View", "rows", 10), doc("c", "kind", "table", "rows", 15), doc("d"))
	for _, tt := range []struct {
		c    search.Criterion
		want []string
	}{
		{search.Criterion{Field: "kind", Values: []string{"Table", "View"}}, []string{"a", "b"}},
		{search.Criterion{Field: "kind.keyword", Condition: search.Equal, Values: []string{"Table"}}, []string{"a"}},
		{search.Criterion{Field: "kind", Values: nil}, nil},
		{search.Criterion{Field: "kind", Values: []string{"Table"}, Negated: true}, []string{"b", "c", "d"}},
		{search.Criterion{Field: "kind", Condition: search.IEqual, Values: []string{"TABLE"}}, []string{"a", "c"}},
		{search.Criterion{Field: "kind", Condition: search.Contain, Values: []string{"ABL"}}, []string{"a", "c"}},
		{search.Criterion{Field: "kind", Condition: search.StartWith, Values: []string{"vi", "x"}}, []string{"b"}},
		{search.Criterion{Field: "kind", Condition: search.EndWith, Values: []string{"LE"}}, []string{"a", "c"}},
		{search.Criterion{Field: "kind", Condition: search.Prefix, Values: []string{"vi", "x", "Ta"}}, []string{"a"}},
		{search.Criterion{Field: "kind", Condition: search.Prefix, Values: []string{"t"}, Negated: true}, []string{"a", "b", "d"}},
		{search.Criterion{Field: "kind", Condition: search.Prefix, Values: []string{""}}, []string{"a", "b", "c"}},
		{search.Criterion{Field: "props.team", Condition: search.Prefix, Values: []string{"s", "Sh"}}, []string{"a"}},
		{search.Criterion{Field: "urn", Condition: search.Prefix, Values: []string{"URN", string(id("b"))}}, []string{"b"}},
		{search.Criterion{Field: "rows", Values: []string{"10", "15.0"}}, []string{"b", "c"}},
		{search.Criterion{Field: "rows", Condition: search.GreaterThan, Values: []string{"10"}}, []string{"c"}},
		{search.Criterion{Field: "rows", Condition: search.GreaterOrEqual, Values: []string{"10"}}, []string{"b", "c"}},
		{search.Criterion{Field: "rows", Condition: search.LessThan, Values: []string{"10", "99"}}, []string{"a"}},
		{search.Criterion{Field: "rows", Condition: search.LessOrEqual, Values: []string{"10"}}, []string{"a", "b"}},
		{search.Criterion{Field: "kind", Condition: search.GreaterThan, Values: []string{"View"}}, []string{"c"}},
		{search.Criterion{Field: "rows", Condition: search.Exists}, []string{"a", "b", "c"}},
		{search.Criterion{Field: "rows", Condition: search.IsNull}, []string{"d"}},
		{search.Criterion{Field: "rows", Condition: search.IsNull, Negated: true}, []string{"a", "b", "c"}},
		{search.Criterion{Field: "removed", Values: []string{"TRUE"}}, []string{"a"}},
		{search.Criterion{Field: "props.team", Values: []string{"Shop"}}, []string{"a"}},
		{search.Criterion{Field: "urn", Values: []string{string(id("b"))}}, []string{"b"}},
		{search.Criterion{Field: "urn", Condition: search.EndWith, Values: []string{":C"}}, []string{"c"}},
		{search.Criterion{Field: "_entityType", Values: []string{"DATASET"}}, []string{"a", "b", "c", "d"}},
		{search.Criterion{Field: "_entityType␞kind", Values: []string{"dataset␞Table", "chart␞View"}}, []string{"a"}},
		{search.Criterion{Field: "_entityType␞kind", Values: []string{"DATASET␞Table"}, Negated: true}, []string{"b", "c", "d"}},
		{search.Criterion{Field: "kind␞rows", Values: []string{"View␞10", "table␞10", "Table"}}, []string{"a", "b"}},
		{search.Criterion{Field: "kind␞rows", Condition: search.IEqual, Values: []string{"TABLE␞15"}}, []string{"c"}},
		{search.Criterion{Field: "kind␞rows", Values: []string{"View␞10␞x", "␞"}}, nil},
		{search.Criterion{Field: "kind␞rows", Condition: search.Exists}, nil},
		{search.Criterion{Field: "nothing", Values: []string{"x"}}, nil},
		{search.Criterion{Field: "nothing", Condition: search.IsNull}, []string{"a", "b", "c", "d"}},
	} {
		f.finds(fmt.Sprintf("%+v", tt.c), search.Query{Filter: search.Filter{{tt.c}}}, tt.want...)
	}
	table, many := search.Criterion{Field: "kind", Values: []string{"Table"}}, search.Criterion{Field: "rows", Condition: search.GreaterThan, Values: []string{"5"}}
	f.finds("any of several", search.Query{Filter: search.Filter{{table}, {many}}}, "a", "b", "c")
	f.finds("all of several", search.Query{Filter: search.Filter{{table, many}}})
	f.finds("filters that must all hold", search.Query{Filter: search.Filter{{table}, {many}}, And: []search.Filter{nil, {{many}}, {{table}, {many}}}}, "b", "c")
	f.finds("a filter beside none", search.Query{And: []search.Filter{{{table}}}}, "a")
	f.finds("an empty alternative", search.Query{Filter: search.Filter{{table}, {}}}, "a", "b", "c", "d")
	f.finds("a contradiction", search.Query{Filter: search.Filter{{table, {Field: "kind", Values: []string{"Table"}, Negated: true}}}})
}

func testExpansion(f *fixture) {
	f.put(doc("a", "tags", "urn:li:tag:x"), doc("b", "fieldTags", "urn:li:tag:x"), doc("c", "editedDescription", "new"))
	f.finds("tags", search.Query{Filter: search.Filter{{{Field: "tags", Values: []string{"urn:li:tag:x"}}}}}, "a", "b")
	f.finds("description", search.Query{Filter: search.Filter{{{Field: "description", Values: []string{"new"}}}}}, "c")
	f.finds("an alias", search.Query{Filter: search.Filter{{{Field: "_entityName", Values: []string{"b"}}}}}, "b")
}

func testRestrictions(f *fixture) {
	f.put(doc("a", "kind", "x"), doc("b", "kind", "x"), doc("c", "kind", "y"))
	f.finds("some entities", search.Query{Within: []urn.URN{id("c"), id("a"), id("z"), id("a")}}, "a", "c")
	f.finds("no entities", search.Query{Within: []urn.URN{}})
	visible := search.Filter{{{Field: "kind", Values: []string{"x"}}}}
	f.finds("what is visible", search.Query{Visible: visible}, "a", "b")
	f.finds("a visible type", search.Query{Types: []string{"chart"}})
	r := f.search(search.Query{Visible: visible, Facets: []search.FacetRequest{{Field: "kind", Size: 10}}})
	if got := r.Facets[0].Buckets; !slices.Equal(got, []search.Bucket{{Value: "x", Count: 2}}) {
		f.Errorf("facets of what is visible count %+v", got)
	}
	f.putNumbered(60)
	seen := map[string]int{}
	for slice := range 4 {
		part := f.search(search.Query{Slice: slice, Slices: 4})
		if part.Total == 0 || part.Total > 40 {
			f.Errorf("slice %d has %d", slice, part.Total)
		}
		for _, name := range names(part.Hits) {
			seen[name]++
		}
	}
	if len(seen) != 63 {
		f.Errorf("the slices have %d entities together", len(seen))
	}
}

// testVisible queries with filters for the entities that an actor may see: longer than a client's
// filter may be, and with references to entities that others name.
func testVisible(f *fixture) {
	f.put(doc("a", "kind", "x"), doc("b", "kind", "y"), doc("c", "kind", "z"))
	f.put(doc("of a", "tags", string(id("a"))), doc("of a and b", "tags", string(id("a")), "tags", string(id("b"))), doc("of nothing"),
		doc("of one that is absent", "tags", string(id("absent"))), doc("of a and one that is absent", "tags", string(id("a")), "tags", string(id("absent"))))
	long := make(search.Filter, search.MaxAlternatives+1)
	for i := range long {
		long[i] = []search.Criterion{{Field: "kind", Values: []string{fmt.Sprint("k", i)}}, {Field: "rows", Condition: search.Exists, Negated: true}, {Field: "urn", Condition: search.Prefix, Values: []string{"urn"}}}
	}
	f.put(doc("far", "kind", fmt.Sprint("k", len(long)-1)))
	for range 2 { // once computed, and once from the cache
		f.finds("a filter longer than a caller's", search.Query{Visible: long, VisibleKey: "long"}, "far")
	}
	if _, err := f.Search(f.Context(), search.Query{Types: []string{"dataset"}, Visible: long}); fault.KindOf(err) != fault.Malformed {
		f.Errorf("without a key it is %v", err)
	}
	f.put(doc("late", "kind", "k0"))
	f.finds("what came later", search.Query{Visible: long, VisibleKey: "long"}, "far", "late")

	where := search.Filter{{{Field: "kind", Values: []string{"x"}}}, {{Field: "_entityType", Values: []string{"dataset"}}, {Field: "urn", Condition: search.Prefix, Values: []string{string(id("abs"))}}}}
	names := func(to search.Reference) search.Filter { return search.Filter{{{Field: "tags", To: &to}}} }
	for _, c := range []struct {
		what string
		to   search.Reference
		want []string
	}{
		{"any", search.Reference{Where: where}, []string{"of a", "of a and b", "of one that is absent", "of a and one that is absent"}},
		{"any that is stored", search.Reference{Where: where, Stored: true}, []string{"of a", "of a and b", "of a and one that is absent"}},
		{"all", search.Reference{Where: where, All: true}, []string{"of a", "of one that is absent", "of a and one that is absent"}},
		{"all, stored", search.Reference{Where: where, All: true, Stored: true}, []string{"of a"}},
		{"any without a value", search.Reference{Where: search.Filter{{{Field: "kind", Values: []string{"x"}, Negated: true}}}}, []string{"of a and b"}},
		{"any of another URN", search.Reference{Where: search.Filter{{{Field: "urn", Values: []string{string(id("a"))}, Negated: true}}}}, []string{"of a and b", "of one that is absent", "of a and one that is absent"}},
		{"what is not named so", search.Reference{Where: search.Filter{{{Field: "kind", Values: []string{"w"}}}}}, nil},
	} {
		f.finds(c.what, search.Query{Visible: names(c.to)}, c.want...)
		for range 2 {
			f.finds(c.what+", remembered", search.Query{Visible: names(c.to), VisibleKey: c.what}, c.want...)
		}
	}
	// The named entities change, and the naming ones do not.
	f.put(doc("b", "kind", "x"))
	f.finds("after a change of what is named", search.Query{Visible: names(search.Reference{Where: where, All: true}), VisibleKey: "all"}, "of a", "of a and b", "of one that is absent", "of a and one that is absent")
	f.put(doc("a", "kind", "y"))
	f.finds("after another", search.Query{Visible: names(search.Reference{Where: where, All: true}), VisibleKey: "all"}, "of one that is absent")
	f.apply(search.Change{URN: id("b")})
	f.finds("after a deletion", search.Query{Visible: names(search.Reference{Where: where}), VisibleKey: "any"}, "of one that is absent", "of a and one that is absent")
	f.finds("what is left out", search.Query{Visible: search.Filter{{{Field: "tags", Condition: search.Exists}}}, Without: names(search.Reference{Where: where}), WithoutKey: "any"}, "of a", "of a and b")
	f.finds("what is left out by a longer filter", search.Query{Text: "*", Filter: search.Filter{{{Field: "kind", Condition: search.Exists}}}, Without: long, WithoutKey: "long"}, "a", "c")
	for what, q := range map[string]search.Query{
		"a caller's filter": {Filter: names(search.Reference{Where: where})},
		"a second step":     {Visible: names(search.Reference{Where: names(search.Reference{Where: where})})},
	} {
		q.Types = []string{"dataset"}
		if _, err := f.Search(f.Context(), q); fault.KindOf(err) != fault.Malformed {
			f.Errorf("%s about entities that others name: %v", what, err)
		}
	}
}

// testNamesDoNotMix queries fields with names that look like parts of other criteria: a cached
// result of one must not answer the other.
func testNamesDoNotMix(f *fixture) {
	f.put(doc("a", "kind", "x"), doc("b", "kind", "y"), doc("c", "kind", "z"))
	for _, name := range []string{"kind 1:x", "kind\x00x", "kind x", `kind "x"`, "kind|x", "kind,x"} {
		f.finds(name, search.Query{Filter: search.Filter{{{Field: name, Values: []string{"y", "z"}}}}})
		f.finds("kind after "+name, search.Query{Filter: search.Filter{{{Field: "kind", Values: []string{"x", "y", "z"}}}}}, "a", "b", "c")
		f.finds("not kind after "+name, search.Query{Visible: search.Filter{{{Field: "kind", Values: []string{"x", "y", "z"}, Negated: true}}}})
	}
	f.put(doc("d", "description", "new"))
	if _, err := f.Search(f.Context(), search.Query{Types: []string{"dataset"}, Text: "/q description\x00editedDescription:new"}); fault.KindOf(err) != fault.Malformed {
		f.Errorf("an expression names a strange field: got %v", err)
	}
	f.finds("description", search.Query{Text: "/q description:new"}, "d")
	f.finds("another type", search.Query{Types: []string{"chart \n|false 12:EXISTS 4:kind"}})
}

// testKeys queries keys of an object, by criteria and by text. For criteria, keys that differ in
// case are different.
func testKeys(f *fixture) {
	f.put(doc("a", "props", "team=Shop", "props", "tier=1"), doc("b", "props", "Team=Shop"), doc("c", "props", "owner=team"),
		doc("d", "props", "team.lead=Shop"), doc("e", "props", "team=Workshop=2"), doc("f"))
	for _, tt := range []struct {
		c    search.Criterion
		want []string
	}{
		{search.Criterion{Field: "props.team", Values: []string{"Shop"}}, []string{"a"}},
		{search.Criterion{Field: "props.Team", Values: []string{"Shop"}}, []string{"b"}},
		{search.Criterion{Field: "props.team", Condition: search.IEqual, Values: []string{"SHOP"}}, []string{"a"}},
		{search.Criterion{Field: "props.team", Condition: search.Contain, Values: []string{"SHOP"}}, []string{"a", "e"}},
		{search.Criterion{Field: "props.team", Condition: search.Contain, Values: []string{"team"}}, nil},
		{search.Criterion{Field: "props.team", Condition: search.StartWith, Values: []string{"s"}}, []string{"a"}},
		{search.Criterion{Field: "props.team", Condition: search.EndWith, Values: []string{"=2"}}, []string{"e"}},
		{search.Criterion{Field: "props.team", Condition: search.GreaterThan, Values: []string{"T"}}, []string{"e"}},
		{search.Criterion{Field: "props.team", Condition: search.Exists}, []string{"a", "e"}},
		{search.Criterion{Field: "props.team", Condition: search.IsNull}, []string{"b", "c", "d", "f"}},
		{search.Criterion{Field: "props.team.lead", Condition: search.Exists}, []string{"d"}},
		{search.Criterion{Field: "props", Condition: search.Exists}, []string{"a", "b", "c", "d", "e"}},
		{search.Criterion{Field: "props", Values: []string{"tier=1"}}, []string{"a"}},
	} {
		f.finds(fmt.Sprintf("%+v", tt.c), search.Query{Filter: search.Filter{{tt.c}}}, tt.want...)
	}
	for text, want := range map[string][]string{
		"/q props.tier:1": {"a"}, "/q props.tier:*": {"a"}, "/q props.owner:TEAM": {"c"}, "/q props.team:work*": {"e"}, "/q props.owner:t?am": {"c"},
		"/q props.owner:(shop OR team)": {"c"}, `/q props.team.lead:"shop"`: {"d"}, "/q props.tier:[1 TO *]": {"a"}, "/q props.tier:{1 TO *]": {},
		"/q props.tier:[* TO 1}": {}, "/q props.other:*": {}, "props.tier:1": {"a"},
	} {
		f.finds(text, search.Query{Text: text}, want...)
	}
	r := f.search(search.Query{Facets: []search.FacetRequest{{Field: "props.team", Size: 10}, {Field: "missing␝props.team", Size: 10}, {Field: "_entityType␞props.tier", Size: 10}}})
	want := [][]search.Bucket{{{Value: "Shop", Count: 1}, {Value: "Workshop=2", Count: 1}}, {{Value: "missing␝props.team", Count: 4}}, {{Value: "dataset", Count: 6}, {Value: "dataset␞1", Count: 1}}}
	for i, facet := range r.Facets {
		if !slices.Equal(facet.Buckets, want[i]) {
			f.Errorf("facet %s counts %+v, want %+v", facet.Field, facet.Buckets, want[i])
		}
	}
}
