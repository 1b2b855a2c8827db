package searchtest

import (
	"context"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

func testRefusals(f *fixture) {
	var tags []any
	for i := range 30 {
		tags = append(tags, "tags", "urn:li:tag:"+strconv.Itoa(i))
	}
	f.put(doc("a", tags...))
	cursor := &search.Cursor{Values: []search.Value{{Number: 1}}, Missing: []bool{false}, URN: id("a")}
	under := ""
	exists := make([]search.Criterion, search.MaxCriteria)
	for i := range exists {
		exists[i] = search.Criterion{Field: "name", Condition: search.Exists}
	}
	for name, q := range map[string]search.Query{
		"no types":                 {Types: []string{}},
		"a negative start":         {From: -1},
		"a negative size":          {Size: -1},
		"a large page":             {Size: search.MaxPage + 1},
		"a start and a cursor":     {From: 1, After: cursor},
		"a cursor of another sort": {After: &search.Cursor{URN: id("a")}},
		"a slice beyond":           {Slice: 2, Slices: 2},
		"an unknown condition":     {Filter: search.Filter{{{Field: "name", Condition: "LIKE"}}}},
		"too many values":          {Filter: search.Filter{{{Field: "name", Values: make([]string, search.MaxValues+1)}}}},
		"too many criteria":        {Filter: search.Filter{exists[1:]}, And: []search.Filter{{exists[:2]}}},
		"too many alternatives":    {Filter: make(search.Filter, search.MaxAlternatives), And: []search.Filter{{exists[:1]}}},
		"too many values in all":   {Filter: search.Filter{{{Field: "name", Values: make([]string, search.MaxValues)}}}, And: []search.Filter{{{{Field: "kind", Values: []string{"x"}}}}}},
		"too much to compare":      {Filter: search.Filter{{{Field: "name", Condition: search.Contain, Values: make([]string, 1000)}}}},
		"a long text":              {Text: strings.Repeat("w ", search.MaxQueryBytes)},
		"many words":               {Text: strings.Repeat("w ", search.MaxClauses+1)},
		"words that are cut":       {Text: strings.Repeat("ab.", search.MaxTerms+1)},
		"words cut at capitals":    {Text: strings.Repeat("aB", search.MaxTerms+1)},
		"words of other scripts":   {Text: strings.Repeat("漢,한.ก-", search.MaxTerms/3+1)},
		"a phrase that is cut":     {Text: `"` + strings.Repeat("漢.", search.MaxTerms+1) + `"`, Structured: true},
		"beginnings that are cut":  {Text: "name:" + strings.Repeat("漢-", search.MaxTerms+1) + "a*", Structured: true},
		"a broken expression":      {Text: "(a OR", Structured: true},
		"an unknown field":         {Text: "/q nome:a"},
		"an unknown field exists":  {Text: "/q _exists_:nome"},
		"a boost":                  {Text: "/q a^2"},
		"a large expression":       {Text: "/q name:/a{900}/"},
		"many buckets":             {Facets: []search.FacetRequest{{Field: "kind", Size: search.MaxPage + 1}}},
		"many named values":        {Facets: []search.FacetRequest{{Field: "kind", Size: 1, Values: make([]string, search.MaxFacetValues+1)}}},
		"a facet of many fields":   {Facets: []search.FacetRequest{{Field: strings.Repeat("kind␞", 8) + "kind"}}},
		"a filter of many fields":  {Filter: search.Filter{{{Field: strings.Repeat("kind␞", 8) + "kind", Values: []string{"x"}}}}},
		"combinations without end": {Facets: []search.FacetRequest{{Field: "tags␞tags␞tags␞tags␞tags␞tags"}}},
		"far too many groups":      {Facets: []search.FacetRequest{{Field: "path", Size: search.MaxPage + 1, Under: &under}}},
	} {
		if q.Types == nil {
			q.Types = []string{"dataset"}
		}
		if _, err := f.Search(f.Context(), q); fault.KindOf(err) != fault.Malformed {
			f.Errorf("%s: got %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"a long text": strings.Repeat("w", search.MaxTypedBytes+1), "many words": strings.Repeat("w ", search.MaxTerms+1), "words that are cut": strings.Repeat("aB", search.MaxTerms+1),
	} {
		if _, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset"}, Text: text, Limit: 1}); fault.KindOf(err) != fault.Malformed {
			f.Errorf("completing %s: %v", name, err)
		}
	}
	if _, err := f.Search(f.Context(), search.Query{Types: []string{"dataset"}, Text: strings.Repeat("漢,한.", search.MaxTerms)}); err == nil || !strings.Contains(err.Error(), "cut into 2000 terms, at most 1000") {
		f.Errorf("the refusal does not give the figures: %v", err)
	}
	if _, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "a", Limit: -1}); fault.KindOf(err) != fault.Malformed {
		f.Errorf("a negative limit: %v", err)
	}
	most := search.Query{Types: []string{"dataset"}, Size: 1, Filter: search.Filter{exists}}
	if r, err := f.Search(f.Context(), most); err != nil || r.Total != 1 {
		f.Errorf("as many criteria as are allowed find %d: %v", r.Total, err)
	}
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	if _, err := f.Search(ctx, search.Query{Types: []string{"dataset"}}); err == nil {
		f.Error("a cancelled search was answered")
	}
}
