package main_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/search/query"
	documents "github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/pkg/parsercost"
	"github.com/cartulary/cartulary/pkg/urn"
)

// texts returns search texts of the maximum length.
func texts() map[string]string {
	const most = search.MaxQueryBytes
	letters := func(first rune, kinds int) string {
		var text strings.Builder
		for i := 0; text.Len() < most-4; i++ {
			text.WriteRune(first + rune(i*37%kinds))
		}
		return text.String()
	}
	return map[string]string{
		"a long word": repeat("", "a", "", most), "words": counting("", "w%d ", "", 6000), "short words": repeat("", "a ", "", 1900), "dots": counting("", "a%d.", "", most), "hyphens": counting("", "a%d-", "", most), "capitals": repeat("", "aB", "", most), "Han": letters(0x4e00, 20_000), "Hangul": letters(0xac00, 11_000),
		"Thai": letters(0xe01, 46), "accents": repeat("", "é", "", most), "marks": repeat("a", "\u0301", "", most), "marks that stay": repeat("漢", "\u302e", "", most), "several scripts": repeat("", "aé漢ก한", "", most), "Han with commas": repeat("", "漢,", "", 3000), "no UTF-8": repeat("", "\xff", "", most), "control characters": repeat("", "\x00", "", most), "ligatures": repeat("", "ﷺ", "", most),
	}
}

// structured returns texts of the advanced syntax.
func structured() map[string]string {
	const most = search.MaxQueryBytes
	return map[string]string{
		"parentheses": repeat("", "(", "", most), "closed parentheses": repeat("", "()", "", most), "quotes": repeat("", `"`, "", most), "phrases": repeat("", `"a b" `, "", 4000), "a phrase": repeat(`"`, "a ", `"`, 1900), "operators": repeat("", "AND OR NOT ", "a", most), "bars": repeat("", "|", "a", most), "signs": repeat("", "+-!", "a", most), "backslashes": repeat("", `\`, "", most),
		"colons": repeat("", "a:", "a", most), "fields": counting("/q ", "name:a%d ", "", 6000), "nested fields": repeat("/q ", "name:(", "", most), "ranges": repeat("/q ", "name:[a TO b] ", "", most), "half a range": repeat("/q ", "name:[", "", most), "tildes": repeat("", "~1", "", most), "beginnings": repeat("/q ", "a* ", "", 3000), "patterns": repeat("/q ", "*a*b*c* ", "", 6000), "stars": repeat("/q ", "*", "", most), "question marks": repeat("/q ", "?", "", most),
		"typing errors": repeat("/q ", "invocies~2 ", "", 9000), "URNs": repeat("", "urn:li:dataset:(a,b,c) ", "", most), "open URNs": repeat("", "urn:li:(", "", most), "fields that are not known": counting("", "x%d:a ", "", 6000), "stems": repeat("", "relational conditional rational valency hesitancy ", "", 9000),
	}
}

// searchParsers returns parsers of search texts and of searched values.
func searchParsers(tb testing.TB) []parsercost.Parser {
	tb.Helper()
	index, err := roaring.Open(roaring.Config{Schemas: documents.Schemas()})
	if err != nil {
		tb.Fatal(err)
	}
	var changes []search.Change
	for n := range 2000 {
		d := documents.Document(n)
		changes = append(changes, search.Change{URN: d.URN, Document: d})
	}
	if err := index.Apply(context.Background(), 1, changes); err != nil {
		tb.Fatal(err)
	}
	types := []string{"dataset", "chart"}
	known := func(field string) bool { return field == "name" || field == "a" }
	ordinary := repeat("", "orders of customers daily invoices from the warehouse ", "", short)
	all := texts()
	for name, text := range structured() {
		all[name] = text
	}
	find := func(q search.Query) {
		q.Types, q.Size = types, 10
		_, _ = index.Search(context.Background(), q)
	}
	filter := func(condition search.Condition) parsercost.Parser {
		worst := map[string]string{}
		for name, text := range texts() {
			worst[name] = text
			worst[name+", in parts"] = parts(text, 190)
		}
		worst["long values of Hangul"] = repeat("", repeat("", "한글", "", 700)+"\n", "", long)
		return parsercost.Parser{Name: "filters by " + string(condition), Ordinary: counting("", "orders of customers daily %d\n", "", short), Worst: worst, Parse: func(text string) {
			find(search.Query{Filter: search.Filter{{{Field: "description", Condition: condition, Values: strings.Split(text, "\n")}}}})
		}}
	}
	return []parsercost.Parser{
		{Name: "texts of searches", Fuzz: []string{"internal/search/query.FuzzParse"}, Ordinary: ordinary, Worst: all, Parse: func(text string) {
			_, _ = query.Parse(text, query.Options{Known: known})
			_, _ = query.Parse(text, query.Options{Known: known, Structured: true})
		}},
		{Name: "words", Fuzz: []string{"internal/search/analysis.FuzzAnalysis"}, Ordinary: ordinary, Worst: texts(), Parse: func(text string) {
			analysis.Words(text, true)
			analysis.Pairs(analysis.Sequence(text))
			analysis.Fold(text)
		}},
		{Name: "searches", Fuzz: []string{"internal/driver/roaring.FuzzTheEditDistance"}, Ordinary: ordinary, Worst: all, Parse: func(text string) {
			find(search.Query{Text: text, Highlight: true, Suggest: true})
		}},
		{Name: "autocompletions", Ordinary: ordinary, Worst: all, Parse: func(text string) {
			_, _ = index.Autocomplete(context.Background(), search.AutocompleteQuery{Types: types, Text: text, Limit: 10})
		}},
		filter(search.Equal), filter(search.IEqual), filter(search.Contain), filter(search.StartWith), filter(search.EndWith), filter(search.GreaterThan),
		{Name: "nested filters", Ordinary: counting("", "dataset␞orders%d\n", "", short), Worst: map[string]string{"fields": repeat("", "a␞", "", short), "values": repeat("", "␞\n", "", short)}, Parse: func(text string) {
			find(search.Query{Filter: search.Filter{{{Field: "_entityType␞name", Values: strings.Split(text, "\n")}}}})
			find(search.Query{Filter: search.Filter{{{Field: text, Values: []string{"a"}}}}})
		}},
		{Name: "documents of the index", Fuzz: []string{"internal/search/document.FuzzBuild"}, Ordinary: someSchema(long), Worst: map[string]string{
			"columns": repeat(`{"fields":[`, `{"fieldPath":"a"},`, `{}]}`, long), "lists": repeat(`{"fields":[`, `[],`, `[]]}`, long), "members": counting(`{`, `"m%d":1,`, `"fields":[]}`, long), "nesting": repeat("", `{"fields":[`, "", long),
			"columns of columns": repeat(`{"fields":[`, `{"fields":[{"fieldPath":"a"}]},`, `{}]}`, long), "a long description": repeat(`{"fields":[{"fieldPath":"a","description":"`, "aB.c-", `"}]}`, long),
		}, Parse: build(tb)},
	}
}

// parts splits a text into n lines of equal length.
func parts(text string, n int) string {
	runes := []rune(text)
	var lines []string
	for size := max(len(runes)/n, 1); len(runes) > 0; runes = runes[min(size, len(runes)):] {
		lines = append(lines, string(runes[:min(size, len(runes))]))
	}
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

// onlyReader returns one record for every entity.
type onlyReader struct{ rec model.Record }

func (r onlyReader) Aspects(_ context.Context, urns []urn.URN, _ ...string) ([][]model.Record, error) {
	out := make([][]model.Record, len(urns))
	for i := range urns {
		out[i] = []model.Record{r.rec}
	}
	return out, nil
}

func build(tb testing.TB) func(string) {
	tb.Helper()
	registry, err := model.Load()
	if err != nil {
		tb.Fatal(err)
	}
	return func(text string) {
		rec := model.Record{URN: someDataset, Aspect: "schemaMetadata", Value: json.RawMessage(text)}
		builder := document.NewBuilder(registry, onlyReader{rec})
		_, _ = builder.Build(context.Background(), []document.Source{{URN: someDataset, Records: []model.Record{rec}}})
	}
}
