package roaring_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// letters returns n letters of a script, of the given number of kinds.
func letters(first rune, kinds, n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteRune(first + rune(i*37%kinds))
	}
	return text.String()
}

// TestTextsOfOtherScriptsAreFoldedOnce counts allocations, a measure of work that, unlike time,
// does not depend on the machine. Folding a text for each value that it is compared with takes a
// hundred times as much. The test is not parallel, as it counts the allocations of the process.
func TestTextsOfOtherScriptsAreFoldedOnce(t *testing.T) {
	const documents, perByte = 5_000, 700
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	var changes []search.Change
	for n := range documents {
		d := sample.Document(n)
		d.Fields["description"] = []search.Value{{Text: letters(rune(0x4e00+n), 20_000, 50)}}
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := x.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
	types := []string{"dataset", "chart"}
	ask := map[string]func(text string) error{
		"a search": func(text string) error {
			_, err := x.Search(t.Context(), search.Query{Types: types, Text: text, Size: 10, Suggest: true, Highlight: true})
			return err
		},
		"an autocompletion": func(text string) error {
			text = strings.ToValidUTF8(text[:min(len(text), search.MaxTypedBytes)], "")
			_, err := x.Autocomplete(t.Context(), search.AutocompleteQuery{Types: types, Text: text, Limit: 10})
			return err
		},
	}
	for _, condition := range []search.Condition{search.Equal, search.IEqual, search.Contain, search.StartWith, search.EndWith, search.Prefix, search.GreaterThan} {
		ask["a filter by "+string(condition)] = func(text string) error {
			filter := search.Filter{{{Field: "description", Condition: condition, Values: []string{text}}}}
			_, err := x.Search(t.Context(), search.Query{Types: types, Filter: filter, Size: 10})
			return err
		}
	}
	for script, text := range map[string]string{
		"Latin": strings.Repeat("é", 7_500), "Han": letters(0x4e00, 20_000, 5_000), "Hangul": letters(0xac00, 11_000, 5_000), "Thai": letters(0xe01, 46, 5_000),
		"several": strings.Repeat("aé漢ก한", 1_200),
	} {
		for name, ask := range ask {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := ask(text); err != nil {
				t.Errorf("%s in %s: %v", name, script, err)
			}
			runtime.ReadMemStats(&after)
			if took := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); took > perByte {
				t.Errorf("%s in %s: %d bytes are allocated for each of the text, at most %d", name, script, took, perByte)
			}
		}
	}
}

// TestCostlyTextsAndFacetsAllocateLittle counts the allocations of deliberately expensive queries:
// texts with repeated terms, and facets of combinations that are refused, or nearly refused. It is
// not parallel, as it counts the allocations of the process.
func TestCostlyTextsAndFacetsAllocateLittle(t *testing.T) {
	const documents, ofText, ofFacet = 6_000, 4 << 20, 40 << 20 // 31 MiB for all levels of the largest facet, 33 with the race detector
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	var changes []search.Change
	for n := range documents {
		d := sample.Document(n)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := x.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
	combined := func(field string) search.Query {
		return search.Query{Facets: []search.FacetRequest{{Field: field, Size: 10}}}
	}
	for name, c := range map[string]struct {
		query   search.Query
		refused bool
	}{
		"a phrase":                             {search.Query{Text: `"` + strings.Repeat("orders invoices ", 490) + `"`}, false},
		"a phrase that nothing has":            {search.Query{Text: `"` + strings.Repeat("record source kept ", 300) + `"`}, false},
		"words":                                {search.Query{Text: strings.Repeat("record source ", 450)}, false},
		"any of words":                         {search.Query{Text: "/q record" + strings.Repeat(" OR source OR record", 450)}, false},
		"beginnings":                           {search.Query{Text: strings.Repeat("r* s* ", 450)}, false},
		"combinations of few documents each":   {combined("owners␞name"), false},
		"combinations of three fields":         {combined("owners␞tags␞name"), false},
		"combinations of which there are many": {combined("owners␞fieldPaths␞fieldPaths"), true},
	} {
		c.query.Types, c.query.Size = []string{"dataset", "chart"}, 10
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := x.Search(t.Context(), c.query); (fault.KindOf(err) == fault.Malformed) != c.refused || err != nil && !c.refused {
			t.Errorf("%s: %v, refused is %t", name, err, c.refused)
		}
		runtime.ReadMemStats(&after)
		most := uint64(ofText)
		if len(c.query.Facets) > 0 {
			most = ofFacet
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: %d MiB are allocated, at most %d", name, took>>20, most>>20)
		}
	}
}

// TestDeepPagesAllocateLittle counts the allocations for a hit after nearly all others, in orders
// by equal and by different values: the earlier hits must not be built. It is not parallel, as it
// counts the allocations of the process.
func TestDeepPagesAllocateLittle(t *testing.T) {
	const documents, batch, most = 6_000, 200, 3 << 20
	x := indexOf(t, documents, batch)
	if x.Segments() < 2 {
		t.Fatalf("%d segments: there is nothing to merge", x.Segments())
	}
	for _, field := range []string{"origin", "_entityType", "hasTags", "owners", "name", "nothing", "_score", "urn"} {
		q := search.Query{Types: []string{"dataset", "chart"}, From: documents - 1, Size: 1, Sort: []search.Sort{{Field: field}}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := x.Search(t.Context(), q)
		runtime.ReadMemStats(&after)
		if err != nil || len(r.Hits) != 1 {
			t.Errorf("by %s: %d hits, %v", field, len(r.Hits), err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("by %s: %d KiB are allocated, at most %d", field, took>>10, most>>10)
		}
	}
}

// TestAFieldHasALimitedNumberOfWords fills a field with more words than it may have. The values
// beyond the limit are found as a whole, and by their words in documents below the limit.
func TestAFieldHasALimitedNumberOfWords(t *testing.T) {
	t.Parallel()
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	const perValue, values = 3_000, 50
	text := func(value int) string {
		var out strings.Builder
		for i := range perValue {
			fmt.Fprintf(&out, "w%dx%d ", value, i)
		}
		return out.String()
	}
	large, small := sample.Document(0), sample.Document(1)
	large.Fields["description"] = nil
	for i := range values {
		large.Fields["description"] = append(large.Fields["description"], search.Value{Text: text(i)})
	}
	last := values - 1
	small.Fields["description"] = []search.Value{{Text: text(last)}}
	if err := x.Apply(t.Context(), 1, []search.Change{{URN: large.URN, Document: large}, {URN: small.URN, Document: small}}); err != nil {
		t.Fatal(err)
	}
	found := func(text string) []urn.URN {
		page, err := x.Search(t.Context(), search.Query{Types: []string{large.Type, small.Type}, Text: text, Size: 10})
		if err != nil {
			t.Fatal(err)
		}
		var out []urn.URN
		for _, h := range page.Hits {
			out = append(out, h.URN)
		}
		return out
	}
	for word, want := range map[string][]urn.URN{
		"w0x0": {large.URN}, "w5x2999": {large.URN},
		fmt.Sprintf("w%dx0", last): {small.URN}, fmt.Sprintf("w%dx2999", last): {small.URN},
		fmt.Sprintf("w%dx0", last-1): nil,
	} {
		if got := found(word); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", word, got, want)
		}
	}
}
