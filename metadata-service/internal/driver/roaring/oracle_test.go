package roaring_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/mapping"
	blevequery "github.com/blevesearch/bleve/v2/search/query"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	oracleQueries   = 50 // per round
	oracleDocuments = 200
)

// TestTotalsAgreeWithBleve runs the same queries on both indexes, 2,000 of them without the race
// detector, while documents are added, changed and deleted. The analysis is the same, so the
// documents found and the counts of facets must be equal.
func TestTotalsAgreeWithBleve(t *testing.T) {
	t.Parallel()
	o := newOracle(t)
	rounds := trials.Count(40)
	for range rounds {
		o.change()
		for range oracleQueries {
			o.compare()
		}
	}
	if o.found < rounds*oracleQueries/4 {
		t.Errorf("only %d queries found anything: the comparison says little", o.found)
	}
}

type oracle struct {
	*testing.T
	random *rand.Rand
	own    *roaring.Index
	peer   bleve.Index
	step   uint64
	found  int // number of queries that found something
}

func newOracle(t *testing.T) *oracle {
	registerWords()
	m := bleve.NewIndexMapping()
	doc := bleve.NewDocumentStaticMapping()
	for name, analyzer := range map[string]string{"name": wordsAnalyzer, "description": wordsAnalyzer, "tags": keyword.Name, "kind": keyword.Name} {
		f := mapping.NewTextFieldMapping()
		f.Analyzer, f.Store, f.IncludeInAll = analyzer, false, false
		doc.AddFieldMappingsAt(name, f)
	}
	rows := mapping.NewNumericFieldMapping()
	rows.Store, rows.IncludeInAll = false, false
	doc.AddFieldMappingsAt("rows", rows)
	m.DefaultMapping = doc
	peer, err := bleve.NewMemOnly(m)
	if err != nil {
		t.Fatal(err)
	}
	own, err := roaring.Open(roaring.Config{Schemas: []search.Schema{{EntityType: "dataset", Fields: []search.Field{
		{Name: "name", Kind: search.WordGram, Query: true, Boost: 10}, {Name: "description", Kind: search.Text, Query: true},
		{Name: "tags", Kind: search.URNKind}, {Name: "kind", Kind: search.Keyword}, {Name: "rows", Kind: search.Count},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := peer.Close(); err != nil {
			t.Error(err)
		}
		if err := own.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return &oracle{T: t, random: rand.New(rand.NewPCG(11, 13)), own: own, peer: peer}
}

// word returns one of fifty words that share several prefixes and have no stems.
func (o *oracle) word() string { return fmt.Sprintf("w%c%dx", 'a'+o.random.IntN(5), o.random.IntN(10)) }

func (o *oracle) words(most int) string {
	list := make([]string, 1+o.random.IntN(most))
	for i := range list {
		list[i] = o.word()
	}
	return strings.Join(list, []string{" ", "_", ".", ", "}[o.random.IntN(4)])
}

func (o *oracle) tag() string { return fmt.Sprintf("urn:li:tag:t%d", o.random.IntN(8)) }

// change writes and deletes some documents in both indexes.
func (o *oracle) change() {
	var changes []search.Change
	batch := o.peer.NewBatch()
	seen := map[urn.URN]bool{}
	for range 1 + o.random.IntN(60) {
		u := urn.URN(fmt.Sprintf("urn:li:dataset:d%d", o.random.IntN(oracleDocuments)))
		if seen[u] {
			continue
		}
		seen[u] = true
		if o.random.IntN(5) == 0 {
			changes = append(changes, search.Change{URN: u})
			batch.Delete(string(u))
			continue
		}
		d := &search.Document{URN: u, Type: "dataset", Fields: map[string][]search.Value{"name": {{Text: o.words(3)}}, "kind": {{Text: o.words(1)}}}}
		fields := map[string]any{"name": d.Fields["name"][0].Text, "kind": d.Fields["kind"][0].Text}
		if o.random.IntN(3) > 0 {
			d.Fields["description"] = []search.Value{{Text: o.words(9)}}
			fields["description"] = d.Fields["description"][0].Text
		}
		var tags []string
		for range o.random.IntN(4) {
			if tag := o.tag(); !slices.Contains(tags, tag) {
				tags = append(tags, tag)
				d.Fields["tags"] = append(d.Fields["tags"], search.Value{Text: tag})
			}
		}
		fields["tags"] = tags
		if o.random.IntN(4) > 0 {
			rows := float64(o.random.IntN(20))
			d.Fields["rows"], fields["rows"] = []search.Value{{Number: rows}}, rows
		}
		changes = append(changes, search.Change{URN: u, Document: d})
		if err := batch.Index(string(u), fields); err != nil {
			o.Fatal(err)
		}
	}
	o.step++
	if err := o.own.Apply(o.Context(), o.step, changes); err != nil {
		o.Fatal(err)
	}
	if err := o.peer.Batch(batch); err != nil {
		o.Fatal(err)
	}
}

// text returns a query in both notations: as a query text, and as a query of bleve.
func (o *oracle) text(depth int) (string, blevequery.Query) {
	if depth == 0 || o.random.IntN(3) == 0 {
		field := []string{"name", "description"}[o.random.IntN(2)]
		word := o.word()
		if o.random.IntN(2) == 0 {
			return field + ":" + word, termIn(field, word)
		}
		begin := word[:1+o.random.IntN(3)]
		q := bleve.NewPrefixQuery(begin)
		q.SetField(field)
		return field + ":" + begin + "*", q
	}
	a, qa := o.text(depth - 1)
	b, qb := o.text(depth - 1)
	switch o.random.IntN(3) {
	case 0:
		return "(" + a + " AND " + b + ")", bleve.NewConjunctionQuery(qa, qb)
	case 1:
		return "(" + a + " OR " + b + ")", bleve.NewDisjunctionQuery(qa, qb)
	}
	q := bleve.NewBooleanQuery()
	q.AddMust(qa)
	q.AddMustNot(qb)
	return "(" + a + " AND NOT " + b + ")", q
}

// criterion returns a condition in both notations.
func (o *oracle) criterion() (search.Criterion, blevequery.Query) {
	var c search.Criterion
	var q blevequery.Query
	switch o.random.IntN(4) {
	case 0:
		c = search.Criterion{Field: "tags", Values: []string{o.tag(), o.tag()}}
		q = bleve.NewDisjunctionQuery(termIn("tags", c.Values[0]), termIn("tags", c.Values[1]))
	case 1:
		word := o.word()
		c, q = search.Criterion{Field: "kind", Values: []string{word}}, termIn("kind", word)
	case 2:
		low := float64(o.random.IntN(20))
		inclusive := true
		r := bleve.NewNumericRangeInclusiveQuery(&low, nil, &inclusive, nil)
		r.SetField("rows")
		c, q = search.Criterion{Field: "rows", Condition: search.GreaterOrEqual, Values: []string{fmt.Sprint(low)}}, r
	default:
		begin := "w" + string(rune('a'+o.random.IntN(5)))
		p := bleve.NewPrefixQuery(begin)
		p.SetField("kind")
		c, q = search.Criterion{Field: "kind", Condition: search.StartWith, Values: []string{begin}}, p
	}
	if o.random.IntN(3) > 0 {
		return c, q
	}
	c.Negated = true
	not := bleve.NewBooleanQuery()
	not.AddMust(bleve.NewMatchAllQuery())
	not.AddMustNot(q)
	return c, not
}

func (o *oracle) compare() {
	o.Helper()
	own := search.Query{Types: []string{"dataset"}, Size: oracleDocuments, Sort: []search.Sort{{Field: "urn"}},
		Facets: []search.FacetRequest{{Field: "tags", Size: 60}, {Field: "kind", Size: 60}}}
	text, peer := "*", blevequery.Query(bleve.NewMatchAllQuery())
	if o.random.IntN(5) > 0 {
		text, peer = o.text(2)
	}
	own.Text = "/q " + text
	if o.random.IntN(2) == 0 {
		var any []blevequery.Query
		for range 1 + o.random.IntN(2) {
			var all []search.Criterion
			var both []blevequery.Query
			for range 1 + o.random.IntN(2) {
				c, q := o.criterion()
				all, both = append(all, c), append(both, q)
			}
			own.Filter, any = append(own.Filter, all), append(any, bleve.NewConjunctionQuery(both...))
		}
		peer = bleve.NewConjunctionQuery(peer, bleve.NewDisjunctionQuery(any...))
	}
	got, err := o.own.Search(o.Context(), own)
	if err != nil {
		o.Fatalf("%s: %v", own.Text, err)
	}
	request := bleve.NewSearchRequestOptions(peer, oracleDocuments, 0, false)
	request.Score = "none"
	request.AddFacet("tags", bleve.NewFacetRequest("tags", 60))
	request.AddFacet("kind", bleve.NewFacetRequest("kind", 60))
	want, err := o.peer.Search(request)
	if err != nil {
		o.Fatal(err)
	}
	if got.Total > 0 {
		o.found++
	}
	var have, should []string
	for _, h := range got.Hits {
		have = append(have, string(h.URN))
	}
	for _, h := range want.Hits {
		should = append(should, h.ID)
	}
	slices.Sort(should)
	if got.Total != int(want.Total) || !slices.Equal(have, should) {
		o.Fatalf("%s with %+v finds %d %q, want %d %q", own.Text, own.Filter, got.Total, have, want.Total, should)
	}
	for _, facet := range got.Facets {
		counts := map[string]int{}
		for _, term := range want.Facets[facet.Field].Terms.Terms() {
			counts[term.Term] = term.Count
		}
		if len(counts) != len(facet.Buckets) {
			o.Fatalf("%s: facet %s has %d values, want %d", own.Text, facet.Field, len(facet.Buckets), len(counts))
		}
		for _, b := range facet.Buckets {
			if counts[b.Value] != b.Count {
				o.Fatalf("%s: facet %s counts %d of %s, want %d", own.Text, facet.Field, b.Count, b.Value, counts[b.Value])
			}
		}
	}
}
