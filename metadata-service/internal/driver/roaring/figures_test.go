package roaring_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	bleveanalysis "github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/registry"
	blevequery "github.com/blevesearch/bleve/v2/search/query"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
)

// BenchmarkFigures prints the cost of searches at several sizes, together with bleve on the same
// documents in the same run. BENCH_SEARCH lists the sizes; use it with -benchtime 1x. "make
// bench-search" runs it at 10k, 100k and 1M.
func BenchmarkFigures(b *testing.B) {
	sizes := os.Getenv("BENCH_SEARCH")
	if sizes == "" {
		sizes = "10000"
	}
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size, func(b *testing.B) {
			for b.Loop() {
				figures(b, n)
			}
		})
	}
}

// question is one kind of query, for both indexes.
type question struct {
	name  string
	goal  time.Duration // at a million documents, 0 for none
	own   search.Query
	peer  func() *bleve.SearchRequest // nil without a comparison
	facet bool
}

var facetFields = []string{"platform", "tags", "owners", "domains", "typeNames"}

func questions(cursor *search.Cursor) []question {
	var facets []search.FacetRequest
	for _, f := range facetFields {
		facets = append(facets, search.FacetRequest{Field: f, Size: 20})
	}
	live := search.Criterion{Field: "removed", Values: []string{"true"}, Negated: true}
	tagged := search.Filter{{live, {Field: "tags", Values: []string{"urn:li:tag:tag7"}}}}
	text := func(t string) blevequery.Query {
		return bleve.NewDisjunctionQuery(matchIn("name", t), matchIn("description", t), matchIn("fieldPaths", t))
	}
	const ms = time.Millisecond
	list := []question{
		{name: "word", goal: ms, own: search.Query{Text: sample.Word}, peer: func() *bleve.SearchRequest { return clause(text(sample.Word), false) }},
		{name: "word, 5 facets", goal: ms, own: search.Query{Text: sample.Word, Facets: facets}, facet: true, peer: func() *bleve.SearchRequest { return clause(text(sample.Word), true) }},
		{name: "common word, 5 facets", goal: 4 * ms, own: search.Query{Text: sample.CommonWord, Facets: facets}, facet: true, peer: func() *bleve.SearchRequest { return clause(text(sample.CommonWord), true) }},
		{name: "word, what one may see", goal: ms, own: search.Query{Text: sample.Word, Visible: search.Filter{
			{{Field: "domains", Values: []string{"urn:li:domain:shop", "urn:li:domain:finance"}}}, {{Field: "owners", Values: []string{"urn:li:corpuser:user3"}}}}}},
		{name: "two words", goal: ms, own: search.Query{Text: "invoices monthly"}, peer: func() *bleve.SearchRequest {
			return clause(bleve.NewConjunctionQuery(text("invoices"), text("monthly")), false)
		}},
		{name: "filter", goal: ms, own: search.Query{Filter: tagged}, peer: func() *bleve.SearchRequest { return clause(termIn("tags", "urn:li:tag:tag7"), false) }},
		{name: "filter, 5 facets", goal: ms, own: search.Query{Filter: tagged, Facets: facets}, facet: true, peer: func() *bleve.SearchRequest { return clause(termIn("tags", "urn:li:tag:tag7"), true) }},
		{name: "everything, 5 facets", goal: ms, own: search.Query{Facets: facets}, facet: true, peer: func() *bleve.SearchRequest { return clause(bleve.NewMatchAllQuery(), true) }},
		{name: "prefix", goal: ms, own: search.Query{Text: "invo*"}, peer: func() *bleve.SearchRequest {
			q := bleve.NewPrefixQuery("invo")
			q.SetField("name")
			return clause(q, false)
		}},
		{name: "typo", goal: ms, own: search.Query{Text: "invioces"}},
		{name: "phrase", own: search.Query{Text: `"invoices monthly"`}, peer: func() *bleve.SearchRequest {
			q := bleve.NewMatchPhraseQuery("invoices monthly")
			q.SetField("name")
			return clause(q, false)
		}},
		{name: "identifier", goal: ms, own: search.Query{Text: "finance.invoices_monthly"}},
		{name: "sorted by name", goal: ms, own: search.Query{Sort: []search.Sort{{Field: "_entityName"}}}},
		{name: "page 1000 by cursor", own: search.Query{Text: sample.CommonWord, After: cursor}},
		{name: "page 1 of the same", own: search.Query{Text: sample.CommonWord}},
	}
	for i := range list {
		list[i].own.Types, list[i].own.Size = []string{"dataset", "chart"}, 10
		if list[i].own.Filter == nil {
			list[i].own.Filter = search.Filter{{live}}
		}
	}
	return list
}

func matchIn(field, text string) blevequery.Query {
	q := bleve.NewMatchQuery(text)
	q.SetField(field)
	return q
}

func termIn(field, text string) blevequery.Query {
	q := bleve.NewTermQuery(text)
	q.SetField(field)
	return q
}

func clause(q blevequery.Query, facets bool) *bleve.SearchRequest {
	r := bleve.NewSearchRequestOptions(bleve.NewConjunctionQuery(q, termIn("removed", "false")), 10, 0, false)
	if facets {
		for _, f := range facetFields {
			r.AddFacet(f, bleve.NewFacetRequest(f, 20))
		}
	}
	return r
}

func figures(b *testing.B, n int) {
	dir := b.TempDir()
	before := heap()
	x, err := roaring.Open(roaring.Config{Path: dir, Schemas: sample.Schemas()})
	if err != nil {
		b.Fatal(err)
	}
	took := fill(b, x, n)
	fmt.Printf("\n%d documents\n", n)
	rate := float64(n) / took.Seconds()
	fmt.Printf("  built %37.0f documents/s%s\n", rate, verdict(rate >= 25_000))
	var peer bleve.Index
	if os.Getenv("BENCH_PEER") != "off" {
		peer = loadPeer(b, n)
	}
	askAll(b, x, peer, n)
	if peer != nil {
		if err := peer.Close(); err != nil {
			b.Fatal(err)
		}
	}
	memory := (heap() - before) / uint64(n)
	fmt.Printf("  memory %36d bytes/document after the queries%s\n", memory, verdict(memory <= 2560))
	persistence(b, x, dir)
	visible(b, x, n)
}

func verdict(ok bool) string {
	if ok {
		return "  ok"
	}
	return "  MISS"
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// fill builds the index with as many goroutines as there are processors.
func fill(b *testing.B, x *roaring.Index, n int) time.Duration {
	var generating, all time.Duration
	began := time.Now()
	err := x.Rebuild(b.Context(), 1, func(put func([]*search.Document) error) error {
		batches := make(chan []*search.Document)
		var work sync.WaitGroup
		errs := make(chan error, runtime.GOMAXPROCS(0))
		for range runtime.GOMAXPROCS(0) {
			work.Go(func() {
				for docs := range batches {
					if err := put(docs); err != nil {
						errs <- err
						return
					}
				}
			})
		}
		for from := 0; from < n; from += 2000 {
			started := time.Now()
			var docs []*search.Document
			for i := from; i < min(from+2000, n); i++ {
				docs = append(docs, sample.Document(i))
			}
			generating += time.Since(started)
			batches <- docs
		}
		close(batches)
		work.Wait()
		close(errs)
		return <-errs
	})
	if err != nil {
		b.Fatal(err)
	}
	all = time.Since(began)
	return max(all-generating/2, time.Millisecond) // the generator used a processor, too
}

func askAll(b *testing.B, x *roaring.Index, peer bleve.Index, n int) {
	deep := search.Query{Types: []string{"dataset", "chart"}, Text: sample.CommonWord, Size: 9990,
		Filter: search.Filter{{{Field: "removed", Values: []string{"true"}, Negated: true}}}}
	page, err := x.Search(b.Context(), deep)
	if err != nil || len(page.Hits) == 0 {
		b.Fatal("no hits to page through", err)
	}
	var cursorTime, firstTime time.Duration
	for _, q := range questions(&page.Hits[len(page.Hits)-1].Cursor) {
		total := 0
		own := timed(200, func() {
			r, err := x.Search(context.Background(), q.own)
			if err != nil {
				b.Fatal(err)
			}
			total = r.Total
		})
		line := fmt.Sprintf("  %-24s %8d hits  p50 %9s  p99 %9s", q.name, total, short(own[100]), short(own[198]))
		switch {
		case n >= 1_000_000 && q.goal > 0:
			line += verdict(own[100] <= q.goal)
		case n == 100_000:
			line += verdict(own[198] <= 5*time.Millisecond)
		}
		if peer != nil && q.peer != nil {
			theirs := timed(15, func() {
				if _, err := peer.Search(q.peer()); err != nil {
					b.Fatal(err)
				}
			})
			ratio := own[100].Seconds() / theirs[7].Seconds()
			line += fmt.Sprintf("   bleve %9s  ratio 1/%.0f", short(theirs[7]), 1/ratio)
			if q.facet && n >= 100_000 {
				line += verdict(ratio <= 1.0/20)
			}
		}
		fmt.Println(line)
		switch q.name {
		case "page 1000 by cursor":
			cursorTime = own[100]
		case "page 1 of the same":
			firstTime = own[100]
		}
	}
	ratio := cursorTime.Seconds() / firstTime.Seconds()
	fmt.Printf("  page 1000 beside page 1 %20.2f%s\n", ratio, verdict(ratio <= 2))
	completions := timed(200, func() {
		if _, err := x.Autocomplete(context.Background(), search.AutocompleteQuery{Types: []string{"dataset", "chart"}, Text: "invo", Limit: 10}); err != nil {
			b.Fatal(err)
		}
	})
	fmt.Printf("  %-39s p50 %9s  p99 %9s\n", "autocomplete", short(completions[100]), short(completions[198]))
}

func short(d time.Duration) string { return d.Round(time.Microsecond).String() }

func timed(n int, do func()) []time.Duration {
	do()
	times := make([]time.Duration, n)
	for i := range times {
		began := time.Now()
		do()
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times
}

func persistence(b *testing.B, x *roaring.Index, dir string) {
	began := time.Now()
	if err := x.Save(b.Context()); err != nil {
		b.Fatal(err)
	}
	saved := time.Since(began)
	began = time.Now()
	again, err := roaring.Open(roaring.Config{Path: dir, Schemas: sample.Schemas()})
	if err != nil || stale(b, again) != "" {
		b.Fatal(err, stale(b, again))
	}
	loaded := time.Since(began)
	fmt.Printf("  snapshot saved in %s, loaded in %s%s\n", short(saved), short(loaded), verdict(loaded <= 2*time.Second))
	if err := again.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// visible measures the time from an update until a search sees it.
func visible(b *testing.B, x *roaring.Index, n int) {
	i := 0
	times := timed(1000, func() {
		i++
		d := sample.Document(i % n)
		if err := x.Apply(context.Background(), uint64(i+1), []search.Change{{URN: d.URN, Document: d}}); err != nil {
			b.Fatal(err)
		}
	})
	fmt.Printf("  update to visible %29s p50  %9s p99%s\n", short(times[500]), short(times[990]), verdict(times[500] <= time.Millisecond))
}

// words implements an analyzer of bleve with the analysis of this index.
type words struct{}

func (words) Analyze(text []byte) bleveanalysis.TokenStream {
	var tokens bleveanalysis.TokenStream
	for i, w := range analysis.Words(string(text), true) {
		tokens = append(tokens, &bleveanalysis.Token{Term: []byte(w), Position: i + 1, Start: 0, End: len(text)})
	}
	return tokens
}

const wordsAnalyzer = "words"

var registerWords = sync.OnceFunc(func() {
	err := registry.RegisterAnalyzer(wordsAnalyzer, func(map[string]any, *registry.Cache) (bleveanalysis.Analyzer, error) { return words{}, nil })
	if err != nil {
		panic(err)
	}
})

func loadPeer(b *testing.B, n int) bleve.Index {
	registerWords()
	m := bleve.NewIndexMapping()
	doc := bleve.NewDocumentStaticMapping()
	field := func(name, analyzer string) {
		f := mapping.NewTextFieldMapping()
		f.Analyzer, f.Store, f.IncludeInAll, f.IncludeTermVectors = analyzer, false, false, analyzer == wordsAnalyzer
		doc.AddFieldMappingsAt(name, f)
	}
	for _, name := range []string{"name", "description", "fieldPaths"} {
		field(name, wordsAnalyzer)
	}
	for _, name := range append(slices.Clone(facetFields), "removed") {
		field(name, keyword.Name)
	}
	m.DefaultMapping = doc
	index, err := bleve.NewUsing(b.TempDir()+"/bleve", m, "scorch", "scorch", nil)
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	batch := index.NewBatch()
	for i := range n {
		d := sample.Document(i)
		fields := map[string]any{}
		for _, name := range append([]string{"name", "description", "fieldPaths", "removed"}, facetFields...) {
			var list []string
			for _, v := range d.Fields[name] {
				list = append(list, v.Text)
			}
			if len(list) > 0 {
				fields[name] = list
			}
		}
		if err := batch.Index(string(d.URN), fields); err != nil {
			b.Fatal(err)
		}
		if batch.Size() == 5000 || i == n-1 {
			if err := index.Batch(batch); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	fmt.Printf("  bleve loaded %30.0f documents/s\n", float64(n)/time.Since(began).Seconds())
	return index
}
