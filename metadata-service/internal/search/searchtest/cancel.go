package searchtest

import (
	"context"
	"fmt"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/canceltest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// manyDocuments is the number of search documents for the loops of testCancellation.
const manyDocuments = 12_000

// putMany puts search documents that have few values in common except their words.
func (f *fixture) putMany() {
	f.Helper()
	changes := make([]search.Change, manyDocuments)
	for i := range changes {
		n := strconv.Itoa(i)
		d := doc("word n"+n, "kind", "k"+n, "rows", i, "tags", "urn:li:tag:"+strconv.Itoa(i%50), "description", "lorem ipsum "+strconv.Itoa(i%7), "path", "␟p"+n)
		changes[i] = search.Change{URN: d.URN, Document: d}
	}
	f.apply(changes...)
}

// list returns as many texts as there are search documents. The last one differs in every round, so
// that no cache can answer.
func list(round int, text func(i int) string) []string {
	out := make([]string, manyDocuments)
	for i := range out {
		out[i] = text(i)
	}
	out[len(out)-1] += " round " + strconv.Itoa(round)
	return out
}

func testCancellation(f *fixture) {
	f.putMany()
	one := func(c search.Criterion) search.Query { return search.Query{Filter: search.Filter{{c}}} }
	with := func(q search.Query, round int) search.Query {
		q.And = []search.Filter{{{{Field: "kind", Values: []string{"round " + strconv.Itoa(round)}, Negated: true}}}}
		return q
	}
	root := ""
	const few, many = 12, 30 // checks of the context in loops over runs of search documents, and over single values
	for _, loop := range []struct {
		name  string
		looks int
		query func(round int) search.Query
	}{
		{"values that contain", many, func(round int) search.Query {
			return one(search.Criterion{Field: "kind", Condition: search.Contain, Values: []string{fmt.Sprint("7", round)}})
		}},
		{"URNs that end", many, func(round int) search.Query {
			return one(search.Criterion{Field: "urn", Condition: search.EndWith, Values: []string{strconv.Itoa(round)}})
		}},
		{"many values", many, func(round int) search.Query {
			return one(search.Criterion{Field: "kind", Values: list(round, func(i int) string { return "k" + strconv.Itoa(i) })})
		}},
		{"many values in any case", many, func(round int) search.Query {
			return one(search.Criterion{Field: "kind", Condition: search.IEqual, Values: list(round, func(i int) string { return "K" + strconv.Itoa(i) })})
		}},
		{"many beginnings", many, func(round int) search.Query {
			return one(search.Criterion{Field: "kind", Condition: search.StartWith, Values: list(round, func(i int) string { return "k" + strconv.Itoa(i) })})
		}},
		{"many URNs", many, func(round int) search.Query {
			return one(search.Criterion{Field: "urn", Values: list(round, func(i int) string { return string(id("word n" + strconv.Itoa(i))) })})
		}},
		{"many numbers", many, func(round int) search.Query {
			return one(search.Criterion{Field: "rows", Values: list(round, strconv.Itoa)})
		}},
		{"many combinations", many, func(round int) search.Query {
			return one(search.Criterion{Field: "kind␞rows", Values: list(round, func(i int) string { return fmt.Sprintf("k%d␞%d", i, i) })})
		}},
		{"many alternatives", many, func(round int) search.Query {
			var filter search.Filter
			for _, v := range list(round, func(i int) string { return "k" + strconv.Itoa(i) })[manyDocuments-search.MaxAlternatives:] {
				filter = append(filter, []search.Criterion{{Field: "kind", Values: []string{v}}})
			}
			return search.Query{Filter: filter}
		}},
		{"some of the entities", many, func(round int) search.Query {
			var within []urn.URN
			for i := range manyDocuments {
				within = append(within, id("word n"+strconv.Itoa(i)))
			}
			return search.Query{Within: within}
		}},
		{"a slice", many, func(round int) search.Query { return search.Query{Slices: 2 + round} }},
		{"a pattern of words", many, func(round int) search.Query { return search.Query{Text: fmt.Sprintf("*%d7*", round), Structured: true} }},
		{"a pattern of values", many, func(round int) search.Query {
			return search.Query{Text: fmt.Sprintf("kind:*%d7*", round), Structured: true}
		}},
		{"how words begin", many, func(round int) search.Query { return search.Query{Text: "n*"} }},
		{"typing errors", many, func(round int) search.Query { return search.Query{Text: "nqqqqqqq"} }},
		{"a phrase", many, func(round int) search.Query { return search.Query{Text: `"lorem ipsum"`} }},
		{"scores", few, func(round int) search.Query { return with(search.Query{Text: "word", Size: 10}, round) }},
		{"an order by values", many, func(round int) search.Query {
			return with(search.Query{Size: 1000, Sort: []search.Sort{{Field: "kind"}}}, round)
		}},
		{"an order by two fields", few, func(round int) search.Query {
			return with(search.Query{Size: 1001, Sort: []search.Sort{{Field: "tags"}, {Field: "rows"}}}, round)
		}},
		{"a long page", many, func(round int) search.Query { return search.Query{Size: 10_000} }},
		{"a long page backwards", many, func(round int) search.Query {
			return search.Query{Size: 10_000, Sort: []search.Sort{{Field: "urn", Descending: true}}}
		}},
		{"matched fields", many, func(round int) search.Query { return search.Query{Text: "word", Size: 10_000, Highlight: true} }},
		{"a facet", many, func(round int) search.Query {
			return search.Query{Facets: []search.FacetRequest{{Field: "kind", Size: 10}}}
		}},
		{"a facet of numbers", many, func(round int) search.Query {
			return search.Query{Facets: []search.FacetRequest{{Field: "rows", Size: 10}}}
		}},
		{"a nested facet", many, func(round int) search.Query {
			return search.Query{Facets: []search.FacetRequest{{Field: "tags␞kind", Size: 10}}}
		}},
		{"groups of a path", many, func(round int) search.Query {
			return search.Query{Facets: []search.FacetRequest{{Field: "path", Size: 10, Under: &root}}}
		}},
		{"other spellings", many, func(round int) search.Query { return search.Query{Text: "/q name:nqqqqqqq", Suggest: true} }},
	} {
		round := 0
		canceltest.Loop(f.T, loop.name, loop.looks, func(ctx context.Context) error {
			round++
			q := loop.query(round)
			q.Types = []string{"dataset"}
			_, err := f.Search(ctx, q)
			return err
		})
	}
	for _, text := range []string{"n", "word n"} {
		canceltest.Loop(f.T, "a completion of "+text, few, func(ctx context.Context) error {
			_, err := f.Autocomplete(ctx, search.AutocompleteQuery{Types: []string{"dataset"}, Text: text, Limit: 100})
			return err
		})
	}
	// Partial results of cancelled queries must not be cached.
	f.finds("a value after all", search.Query{Filter: search.Filter{{{Field: "kind", Condition: search.Contain, Values: []string{"k71"}}, {Field: "rows", Condition: search.LessThan, Values: []string{"720"}}}}},
		"word n71", "word n710", "word n711", "word n712", "word n713", "word n714", "word n715", "word n716", "word n717", "word n718", "word n719")
}
