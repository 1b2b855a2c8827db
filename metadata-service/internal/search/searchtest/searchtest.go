// Package searchtest is the conformance suite of the search port.
package searchtest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Index is the interface under test: the port, and the optional interface that projections need.
// The suite also tests search.Auditor if a driver implements it.
type Index interface {
	search.Index
	search.Rebuilder
}

// Run tests a driver. open returns an empty index with the fields of the schemas; the suite closes
// it.
func Run(t *testing.T, open func(t *testing.T, schemas []search.Schema) Index) {
	for _, story := range cases {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{T: t, Index: open(t, Schemas())}
			t.Cleanup(func() {
				if err := f.Close(context.Background()); err != nil {
					t.Error(err)
				}
				if err := f.Close(context.Background()); err != nil {
					t.Errorf("closing twice: %v", err)
				}
			})
			story.run(f)
		})
	}
}

var cases = []struct {
	name string
	run  func(f *fixture)
}{
	{"texts find what they say", testTexts},
	{"words tell names apart", testIdentifiers},
	{"the exact name comes first", testRanking},
	{"every condition selects", testConditions},
	{"fields expand and have aliases", testExpansion},
	{"keys of objects are fields", testKeys},
	{"fields of strange names do not answer for others", testNamesDoNotMix},
	{"facets count", testFacets},
	{"hits are sorted", testSort},
	{"pages by offset and by cursor hold everything once", testPages},
	{"a cursor is not moved by what comes and goes", testCursorAmongChanges},
	{"expressions are decided about every document", testSelection},
	{"a query is restricted to entities, slices, and what is visible", testRestrictions},
	{"what is visible may be a long filter, and about what others name", testVisible},
	{"hidden documents change no answer", testHiddenDocuments},
	{"values that name entities are compared as a whole", testNamingValues},
	{"matched fields are told", testHighlight},
	{"texts are completed and corrected", testCompletion},
	{"a text does not look at excluded fields", testExcludedFields},
	{"changes are seen all at once", testWholeChanges},
	{"documents are counted and have fingerprints", testDocuments},
	{"a rebuild goes on beside changes", testRebuild},
	{"a failed rebuild changes nothing", testFailedRebuild},
	{"what cannot be answered is refused", testRefusals},
	{"a cancelled context ends the search", testCancellation},
	{"a context that has ended ends every call", testEndedContext},
	{"a closed index refuses every call", testUseAfterClose},
}

// Schemas returns the fields that the suite uses.
func Schemas() []search.Schema {
	fields := []search.Field{
		{Name: "name", Kind: search.WordGram, Query: true, Boost: 10, Autocomplete: true, Aliases: []string{"_entityName"}},
		{Name: "description", Kind: search.Text, Query: true},
		{Name: "editedDescription", Kind: search.Text, Query: true},
		{Name: "tags", Kind: search.URNKind, Query: true, Facet: true},
		{Name: "fieldTags", Kind: search.URNKind},
		{Name: "kind", Kind: search.Keyword, Facet: true},
		{Name: "rows", Kind: search.Count},
		{Name: "removed", Kind: search.Boolean},
		{Name: "path", Kind: search.BrowsePathV2},
		{Name: "props", Kind: search.ObjectKind},
		{Name: "deprecated", Kind: search.Boolean, Weights: map[string]float64{"true": 0.1}},
		{Name: "custom", Kind: search.Text, Query: true, Keyed: true},
		{Name: "subject", Kind: search.Text, URNs: true},
	}
	other := []search.Field{ // the same names with other kinds
		{Name: "name", Kind: search.Keyword, Query: true},
		{Name: "description", Kind: search.TextPartial, Query: true},
		{Name: "kind", Kind: search.Keyword},
	}
	return []search.Schema{{EntityType: "dataset", Fields: fields}, {EntityType: "chart", Fields: fields[:6]}, {EntityType: "dashboard", Fields: other}}
}

type fixture struct {
	*testing.T
	Index
	at uint64
}

func id(name string) urn.URN { return urn.URN("urn:li:dataset:" + name) }

// doc returns a search document. Values are texts, or numbers for rows.
func doc(name string, fields ...any) *search.Document {
	d := &search.Document{URN: id(name), Type: "dataset", Fields: map[string][]search.Value{"name": {{Text: name}}}}
	for i := 0; i+1 < len(fields); i += 2 {
		field := fields[i].(string)
		switch v := fields[i+1].(type) {
		case string:
			d.Fields[field] = append(d.Fields[field], search.Value{Text: v})
		case int:
			d.Fields[field] = append(d.Fields[field], search.Value{Number: float64(v)})
		}
	}
	return d
}

func (f *fixture) put(docs ...*search.Document) {
	f.Helper()
	changes := make([]search.Change, len(docs))
	for i, d := range docs {
		changes[i] = search.Change{URN: d.URN, Document: d}
	}
	f.apply(changes...)
}

func (f *fixture) apply(changes ...search.Change) {
	f.Helper()
	f.at++
	if err := f.Apply(f.Context(), f.at, changes); err != nil {
		f.Fatal(err)
	}
	f.wantAt(f.at)
}

// wantAt checks the sequence of the index.
func (f *fixture) wantAt(sequence uint64) {
	f.Helper()
	if at, err := f.Applied(f.Context()); err != nil || at != sequence {
		f.Fatalf("the index is at %d (%v), want %d", at, err, sequence)
	}
}

func (f *fixture) search(q search.Query) search.Result {
	f.Helper()
	if q.Types == nil {
		q.Types = []string{"dataset", "chart"}
	}
	if q.Size == 0 {
		q.Size = 100
	}
	r, err := f.Search(f.Context(), q)
	if err != nil {
		f.Fatalf("%+v: %v", q, err)
	}
	return r
}

// names returns the names of the hits, in order.
func names(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, strings.TrimPrefix(string(h.URN), "urn:li:dataset:"))
	}
	return out
}

// finds checks the hits of a query, in any order, and their number.
func (f *fixture) finds(what string, q search.Query, want ...string) {
	f.Helper()
	r := f.search(q)
	got := names(r.Hits)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || r.Total != len(want) {
		f.Errorf("%s finds %d %q, want %q", what, r.Total, got, want)
	}
}
