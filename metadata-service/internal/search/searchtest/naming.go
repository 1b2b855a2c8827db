package searchtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

const (
	textProperty = "structuredProperties.see_also"
	urnProperty  = "structuredProperties.about"
)

// testNamingValues runs an actor's queries on two sets of search documents: fields of texts,
// keywords, objects and structured properties contain one URN in the first and another one in the
// second, as a whole and in JSON. Answers that depend on parts of values and on their order must be
// equal; those that depend on whole values and their presence must differ.
func testNamingValues(f *fixture) {
	const one, two = "urn:li:dataset:(urn:li:dataPlatform:hive,hrsalary.secret,PROD)", "urn:li:dataset:(urn:li:dataPlatform:s3,absent,DEV)"
	fields := []string{"name", "description", "editedDescription", "kind", "props.k", "custom", textProperty}
	documents := func(u string) []*search.Document {
		inJSON := `{"of": "` + u + `", "more": ["{\\"x\\":\\"` + u + `\\"}", "plainword"]}`
		whole := doc(u, "description", u, "editedDescription", u, "kind", u, "props", "k="+u, "props", "a=b="+u, "custom", "k="+u, "custom", "journal="+inJSON, textProperty, u, textProperty, inJSON, "rows", 1)
		whole.URN = id("whole")
		among := doc("salary ledger", "name", u, "description", inJSON, "description", "salary secret ledger", "description", u, "kind", "hive", "kind", u, "kind", inJSON, "props", "k=plain", "custom", "team=salary", "custom", "a=b="+u, textProperty, "salary", textProperty, u, "rows", 2)
		among.URN = id("among")
		chart := doc("zeta", "name", u, "description", u)
		chart.URN, chart.Type = id("chart"), "dashboard"
		plain := doc("vellum", "description", "visible", "editedDescription", "visible", "kind", "v", "props", "k=v", "custom", "k=v", textProperty, "v", "rows", 3)
		early := doc("abacus", "description", "abacus", "kind", "a", "custom", "k=a", textProperty, "a", "rows", 4)
		all := []*search.Document{whole, among, chart, plain, early}
		for _, d := range all {
			d.Kinds = map[string]search.Kind{textProperty: search.Keyword, urnProperty: search.URNKind}
		}
		return all
	}
	limited := func(q search.Query) search.Query {
		q.Types, q.WholeNames, q.Highlight, q.Suggest = []string{"dataset", "dashboard"}, true, true, true
		return q
	}
	where := func(field string, condition search.Condition, values ...string) search.Query {
		return limited(search.Query{Text: "*", Filter: search.Filter{{{Field: field, Condition: condition, Values: values}}}})
	}
	parts := []string{"hrsalary", "salary", "hrsal", "prod)", "urn:li:dataset:(urn:li:dataplatform:hive,h", "dev)", "absent", "s3", strings.ToUpper(one), one}
	texts := []string{"salary", "hrsalary", "hrsal*", "secret", "hrsalari", "hrsalarz~1", `"salary secret prod"`, `"hrsalary secret"`, `"secret prod"`, "prod", "urn", "urn:li:dataset:(urn:li:dataPlatform:hive,h", one, `"` + one + `"`}
	for _, field := range append(fields, "props", "props.a=b") {
		for _, part := range []string{"hrsalary", "hrsal*", "*hrsal*", "*PROD\\)", "urn*", "[urn\\:li\\:dataset\\:\\(urn\\:li\\:dataPlatform\\:a TO urn\\:li\\:dataset\\:\\(urn\\:li\\:dataPlatform\\:k]", "[a TO z]", `"` + one + `"`, `"hrsalary secret"`} {
			texts = append(texts, "/q "+field+":"+part)
		}
	}
	ask := func() map[string]any {
		answers := map[string]any{}
		add := func(what string, q search.Query) {
			r := f.search(q)
			for i := range r.Hits {
				r.Hits[i].Cursor = search.Cursor{}
			}
			answers[what] = r
		}
		for _, field := range append(fields, "props", "props.a=b") {
			for _, c := range []search.Condition{search.IEqual, search.Contain, search.StartWith, search.EndWith, search.Prefix, search.GreaterThan, search.GreaterOrEqual, search.LessThan, search.LessOrEqual} {
				for _, part := range parts {
					add(fmt.Sprint(field, c, part), where(field, c, part))
				}
			}
			for _, by := range []search.Sort{{Field: field}, {Field: field, Descending: true}, {Field: field, MissingFirst: true}} {
				add(fmt.Sprint(by), limited(search.Query{Text: "*", Sort: []search.Sort{by}}))
				for size := range 4 {
					add(fmt.Sprint(by, size), limited(search.Query{Text: "*", Sort: []search.Sort{by}, Size: size + 1}))
				}
			}
		}
		for _, text := range texts {
			add(text, limited(search.Query{Text: text}))
			for _, field := range append(fields, "") {
				got, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset", "dashboard"}, Text: text, Field: field, WholeNames: true, Limit: 10})
				answers[fmt.Sprint(field, " completes ", text)] = fmt.Sprint(got, err)
			}
		}
		return answers
	}
	f.put(documents(two)...)
	want := ask()
	f.put(documents(one)...)
	failed := 0
	for what, got := range ask() {
		if !reflect.DeepEqual(got, want[what]) {
			if failed++; failed <= 5 {
				f.Errorf("%s tells of a URN:\nwith one:   %+v\nwith another: %+v", what, got, want[what])
			}
		}
	}

	for _, field := range fields {
		prefix := ""
		if field == "custom" {
			prefix = "k="
		}
		f.finds("the whole URN in "+field, where(field, search.Equal, prefix+one), namesWithWhole(field)...)
		if q := where(field, search.Equal, prefix+two); f.search(q).Total != 0 {
			f.Errorf("another URN is found in %s", field)
		}
		if r := f.search(where(field, search.Exists)); r.Total < 2 {
			f.Errorf("only %d have a %s", r.Total, field)
		}
	}
	f.finds("any value", limited(search.Query{Text: "/q kind:*"}), "whole", "among", "vellum", "abacus")
	f.finds("a part of another value", where("kind", search.Contain, "hiv"), "among")
	f.finds("the word of another value", limited(search.Query{Text: "salary"}), "among")
	f.finds("a word of JSON", search.Query{Text: "plainword"}, "whole", "among")
	f.finds("a key", search.Query{Text: "/q custom:journal"}, "whole")
	r := f.search(limited(search.Query{Text: "*", Sort: []search.Sort{{Field: "kind"}}}))
	if got := names(r.Hits); !slices.Equal(got, []string{"abacus", "among", "vellum", "chart", "whole"}) {
		f.Errorf("sorted by kind: %q", got)
	}
	facet := f.search(search.Query{Text: "*", WholeNames: true, Types: []string{"dataset", "dashboard"}, Facets: []search.FacetRequest{{Field: "kind", Size: 10}}}).Facets[0]
	if !slices.Contains(facet.Buckets, search.Bucket{Value: one, Count: 2}) {
		f.Errorf("the URN is not counted: %+v", facet)
	}

	// Fields of URNs can be searched by parts: clients of the port exclude those that could reveal
	// names.
	tagged := doc("tagged", "tags", "urn:li:tag:pii_email", "subject", "urn:li:tag:pii_email", urnProperty, "urn:li:tag:pii_email")
	tagged.Kinds = map[string]search.Kind{urnProperty: search.URNKind}
	f.put(tagged)
	for _, text := range []string{"email", "/q tags:*pii*", "/q tags:urn*", "/q subject:*pii*", "/q subject:email"} {
		f.finds(text, limited(search.Query{Text: text}), "tagged")
	}
	f.finds("the beginning of a tag", where("tags", search.StartWith, "urn:li:tag:pii"), "tagged")
	f.finds("the beginning of a URN, from whom nothing is hidden", search.Query{Text: "*", Filter: search.Filter{{{Field: "kind", Condition: search.StartWith, Values: []string{"urn:li:dataset"}}}}}, "whole", "among")
	f.finds("a word of a property of URNs, from whom nothing is hidden", search.Query{Text: "/q " + urnProperty + ":email"}, "tagged")
}

func namesWithWhole(field string) []string {
	switch field {
	case "name", "description":
		return []string{"whole", "among", "chart"}
	case "editedDescription", "props.k", "custom":
		return []string{"whole"}
	}
	return []string{"whole", "among"}
}
