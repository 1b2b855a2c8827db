package searchtest

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// testExcludedFields runs text queries on two sets of search documents. The excluded fields contain
// the queried words in one set and other words in the other. The answers must be equal.
func testExcludedFields(f *fixture) {
	const tag = "urn:li:tag:hushed_word"
	excluded := []string{"tags", "fieldTags", "props", "rows", "path", "structuredProperties.own_er", "unknown"}
	documents := func(tag, word string, rows int) []*search.Document {
		one := doc("orders", "tags", tag, "fieldTags", tag, "props", "owner="+tag, "rows", rows, "path", "␟"+tag, "structuredProperties.own_er", tag)
		one.Kinds = map[string]search.Kind{"structuredProperties.own_er": search.URNKind}
		two := doc("hush_edit", "description", "hushes", "tags", tag)
		three := doc("reports", "tags", "urn:li:tag:"+word, "tags", "urn:li:tag:"+word+"_b", "tags", "urn:li:tag:"+word+"_c", "tags", "urn:li:tag:"+word+"_d")
		return []*search.Document{one, two, three}
	}
	texts := []string{
		"hushed", "hush*", "hushed_word", `"hushed word"`, "hushd", "hushed~1", "hushed orders", "orders -hushed", "orders NOT hush*", "hushedw*", "hushe*", tag, `"` + tag + `"`,
		"tags:hushed", "tags:hush*", `tags:"hushed word"`, "tags:" + tag, "fieldTags:hush*", "props.owner:" + tag, "rows:7",
		"/q hush*", "/q *ushed*", "/q hus?ed", "/q hushd~1", "/q tags:*", "/q tags:*ushed*", "/q tags:hush*", "/q tags:[urn:li:tag:h TO urn:li:tag:i]", `/q tags:"` + tag + `"`,
		"/q tags.keyword:hush*", "/q NOT tags:hushed", "/q name:orders AND NOT tags:hushed", "/q tags:(hushed OR hush*)", "/q fieldTags:hush*", "/q props.owner:*ushed*", "/q props.owner:[a TO z]", "/q props:*ushed*",
		"/q rows:7", "/q rows:[5 TO 8]", "/q rows:*", "/q path:*ushed*", "/q structuredProperties.own.er:hush*", "/q structuredProperties.own_er:*ushed*",
	}
	ask := func() (answers map[string]any) {
		answers = map[string]any{}
		for _, text := range texts {
			answers[text] = f.search(search.Query{Text: text, ExcludedFields: excluded, Highlight: true, Suggest: true})
			for _, field := range []string{"", "tags", "name"} {
				got, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset"}, Text: text, Field: field, ExcludedFields: excluded, Limit: 10})
				answers[fmt.Sprint(field, " completes ", text)] = fmt.Sprint(got, err)
			}
		}
		return answers
	}
	f.put(documents("urn:li:tag:other_thing", "thing", 3)...)
	absent := ask()
	f.put(documents(tag, "hushed", 7)...)
	for text, got := range ask() {
		if !reflect.DeepEqual(got, absent[text]) {
			f.Errorf("%s tells of excluded fields:\nwith:    %+v\nwithout: %+v", text, got, absent[text])
		}
	}
	differ := 0
	for _, text := range texts {
		if r := f.search(search.Query{Text: text}); !reflect.DeepEqual(names(r.Hits), names(absent[text].(search.Result).Hits)) {
			differ++
		}
	}
	if differ < len(texts)/2 {
		f.Errorf("only %d of %d texts find other documents by fields that are not excluded", differ, len(texts))
	}

	f.finds("a word of another field", search.Query{Text: "orders", ExcludedFields: excluded}, "orders")
	f.finds("the beginning of a compound", search.Query{Text: "hushe*", ExcludedFields: excluded}, "hush_edit")
	f.finds("a named field beside an excluded one", search.Query{Text: "/q tags:hushed OR description:hushes", ExcludedFields: excluded}, "hush_edit")
	f.finds("a field that stands for several", search.Query{Text: "/q tags:hushed", ExcludedFields: []string{"tags"}}, "orders")
	f.finds("a filter on an excluded field", search.Query{Text: "*", Filter: search.Filter{{{Field: "rows", Values: []string{"7"}}}}, ExcludedFields: excluded}, "orders")
	f.finds("the URN, when it is excluded", search.Query{Text: string(id("orders")), ExcludedFields: []string{"urn", "name"}})
	r := f.search(search.Query{Text: "orders", Highlight: true, HighlightFields: []string{"tags"}, ExcludedFields: excluded})
	if len(r.Hits) != 1 || !slices.Contains(r.Hits[0].Matched, search.Match{Field: "tags", Value: tag}) {
		f.Errorf("a field that was asked for is not shown: %+v", r.Hits)
	}
}
