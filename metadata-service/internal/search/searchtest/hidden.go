package searchtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// testHiddenDocuments queries the same visible search documents with and without hidden ones. The
// answers must be equal: totals, order, scores, matched fields, facets, suggestions, completions.
func testHiddenDocuments(f *fixture) {
	shown := []*search.Document{
		doc("alpha", "kind", "seen", "description", "kestrel lorem ipsum dolor"), doc("beta", "kind", "seen", "description", "marmot lorem ipsum dolor"),
		doc("kestrel x", "kind", "seen", "tags", string(id("alpha"))), doc("marmot_burrow", "kind", "seen", "rows", 7), doc("gamma", "kind", "seen", "description", "invoices of a kestrel", "deprecated", "true"),
		doc("kestzzl", "kind", "seen"), doc("burrows", "kind", "seen", "description", "lorem, kestrel and marmot"),
	}
	for i := range 12 {
		shown = append(shown, doc(fmt.Sprint("filler ", i), "kind", "seen", "description", "plain words", "rows", i))
	}
	var hidden []*search.Document
	hide := func(entityType, name string, fields ...any) {
		d := doc(name, append(fields, "kind", "hidden")...)
		d.Type = entityType
		hidden = append(hidden, d)
	}
	for i := range 40 {
		hide("dataset", fmt.Sprint("kestrel hidden ", i), "description", "kestrel kestrel lorem", "rows", 7, "removed", "true")
		hide("chart", fmt.Sprint("marmot_cave", i), "description", "ipsum invoice", "tags", string(id("alpha")))
		hide("dashboard", fmt.Sprint("alpha", i), "description", "invo lorem ipsum")
	}
	for i := range 90 { // more words similar to kestrel than a driver examines
		hide("dataset", fmt.Sprintf("kest%c%cl", 'a'+i/10, 'a'+i%10), "description", fmt.Sprintf("marmo%c%c", 'a'+i/10, 'a'+i%10))
	}
	hide("dashboard", "beta") // the name of a visible search document; its words do not occur in this type
	hidden[len(hidden)-1].URN = id("another beta")
	hide("dataset", "hidden lemma", "description", "invoicex burrowsx marmot_bur burrowskest")

	ask := f.hiddenQueries()
	put := func(batches ...[]*search.Document) {
		for _, batch := range batches {
			f.put(batch...)
		}
	}
	put(shown[:5], shown[5:])
	want := ask()
	for _, state := range []struct {
		what   string
		change func()
	}{
		{"hidden documents are there", func() { put(hidden) }},
		{"visible ones lie among them", func() { put(slices.Concat(hidden, shown)) }},
		{"some of either lie apart", func() { put(shown[3:6], slices.Concat(hidden[:30], shown[:1]), slices.Concat(hidden[50:], shown[8:])) }},
		{"each lies in a place of its own", func() {
			for _, d := range slices.Concat(shown, hidden[:20]) {
				put([]*search.Document{d})
			}
		}},
		{"hidden ones were visible before", func() {
			for _, d := range hidden {
				seen := *d
				seen.Fields = map[string][]search.Value{"name": d.Fields["name"], "description": d.Fields["description"], "kind": {{Text: "seen"}}}
				put([]*search.Document{&seen})
			}
			put(hidden)
		}},
		{"hidden ones are deleted", func() {
			for _, d := range hidden {
				f.apply(search.Change{URN: d.URN})
			}
		}},
	} {
		state.change()
		failed := 0
		for what, got := range ask() {
			if failed < 3 && !reflect.DeepEqual(got, want[what]) {
				failed++
				f.Errorf("%s: %s is answered differently:\nnow:    %+v\nbefore: %+v", state.what, what, got, want[what])
			}
		}
	}
}

// hiddenQueries returns a function that runs all queries for an actor that sees entities of the
// kind "seen".
func (f *fixture) hiddenQueries() func() map[string]any {
	seen := search.Filter{{{Field: "kind", Values: []string{"seen"}}}}
	visible := map[string]search.Query{
		"with a key":       {Visible: seen, VisibleKey: "seen"},
		"without a key":    {Visible: seen},
		"by what it names": {Visible: append(slices.Clone(seen), []search.Criterion{{Field: "kind", Values: []string{"seen"}}, {Field: "tags", To: &search.Reference{Where: seen}}}), VisibleKey: "seen by name"},
		"filtered":         {Visible: seen, VisibleKey: "seen", Filter: search.Filter{{{Field: "rows", Condition: search.Exists, Negated: true}}}},
	}
	texts := []string{
		"*", "kestrel", "kestrels", "marmot", "lorem kestrel", "kestrel marmot", `"lorem ipsum"`, "kest*", "kestr", "invo", "invoice", "invoicexy", "kestral", "kestrel~1", "kestxxl~2", "kestrol marmit",
		"marmotb*", "marmotburr", "burrowsk", "burro", "marmot_burrow", "marmotcav", "alpha", "beta", "kestrel x", "kestrel hidden", "lorem -kestrel", "plain kestrel", "filler kestrel ipsum",
		"/q kestrel OR NOT zebra", "/q kestral OR NOT kestrel", "/q hidden OR NOT zebra", "/q hidden OR lorem", "/q *estrel*", "/q kest?*l OR lorem", "/q name:kest*", "/q name:kestrel", "/q description:invo*",
		"/q rows:7", "/q rows:7 OR hidden", "/q rows:[5 TO 8] OR lorem", "/q name:[a TO l] OR lorem", "/q kestrel AND (marmot OR NOT hidden)", "/q hidden AND kestrel OR marmot", string(id("alpha")), "tags:alpha",
		"/q kestxxl~2 OR marmoq~1", "zebra", "kestzl marmott", `name:"lorem kestrel"`,
	}
	return func() map[string]any {
		answers := map[string]any{}
		for how, q := range visible {
			for _, text := range texts {
				q.Text, q.Types, q.Highlight, q.Suggest = text, []string{"dataset", "chart", "dashboard"}, true, true
				q.Facets = []search.FacetRequest{{Field: "tags", Size: 10}, {Field: "removed", Size: 10, Values: []string{"TRUE"}}, {Field: "kind␞rows", Size: 10}}
				answers[text+" "+how] = f.search(q)
				for _, field := range []string{"", "name"} {
					got, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: q.Types, Text: strings.TrimPrefix(text, "/q "), Field: field, Filter: q.Filter, Visible: q.Visible, VisibleKey: q.VisibleKey, Limit: 10})
					answers[fmt.Sprint(field, " completes ", text, " ", how)] = fmt.Sprint(got, err)
				}
			}
		}
		return answers
	}
}
