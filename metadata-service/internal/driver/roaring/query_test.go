package roaring_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

// world is a set of documents in two indexes: one received all at once, the other in many changes.
// With churn these replace and delete documents.
type world struct {
	docs        map[urn.URN]*search.Document
	whole, many *roaring.Index
}

func newWorld(t *testing.T, random *rand.Rand, n int, churn bool) *world {
	t.Helper()
	w := &world{docs: map[urn.URN]*search.Document{}, whole: open(t, ""), many: open(t, "")}
	for range 6 {
		var changes []search.Change
		for range n / 4 {
			u := urn.URN(fmt.Sprintf("urn:li:dataset:d%05d", random.IntN(n)))
			if _, known := w.docs[u]; known && !churn {
				continue
			}
			if churn && random.IntN(5) == 0 {
				changes = append(changes, search.Change{URN: u})
				delete(w.docs, u)
				continue
			}
			d := randomDocument(random, u)
			if random.IntN(3) > 0 {
				d.Fields["typeNames"] = []search.Value{{Text: []string{"alpha", "Alpha", "beta", "Gamma", "ähnlich", "delta"}[random.IntN(6)]}, {Text: fmt.Sprintf("k%d", random.IntN(4))}}
			}
			if random.IntN(9) > 0 { // values that are equal in nearly all documents
				d.Fields["origin"] = []search.Value{{Text: []string{"PROD", "PROD", "PROD", "PROD", "prod", "dev"}[random.IntN(6)]}}
			}
			changes = append(changes, search.Change{URN: u, Document: d})
			w.docs[u] = d
		}
		apply(t, w.many, changes...)
	}
	w.many.AwaitMerges()
	var all []search.Change
	for u, d := range w.docs {
		all = append(all, search.Change{URN: u, Document: d})
	}
	apply(t, w.whole, all...)
	if w.many.Segments() < 2 || w.whole.Segments() != 1 {
		t.Fatalf("%d and %d segments: the comparison says little", w.many.Segments(), w.whole.Segments())
	}
	return w
}

// sortKey returns the value that a document is sorted by: the first of a field, or the last in
// descending order.
func sortKey(d *search.Document, s search.Sort) (v search.Value, missing bool) {
	values := slices.Clone(d.Fields[s.Field])
	if s.Field == "urn" {
		return search.Value{Text: string(d.URN)}, false
	}
	if len(values) == 0 {
		return v, true
	}
	slices.SortFunc(values, compareSortValues)
	if s.Descending {
		return values[len(values)-1], false
	}
	return values[0], false
}

func compareSortValues(a, b search.Value) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), analysis.CompareFolded([]byte(a.Text), []byte(b.Text)))
}

func inOrder(docs map[urn.URN]*search.Document, by []search.Sort) []string {
	list := slices.Collect(maps.Values(docs))
	slices.SortFunc(list, func(a, b *search.Document) int {
		for _, s := range by {
			x, noX := sortKey(a, s)
			y, noY := sortKey(b, s)
			order := 0
			switch {
			case noX && noY:
			case noX || noY:
				if order = 1; noX == s.MissingFirst {
					order = -1
				}
			default:
				if order = compareSortValues(x, y); s.Descending {
					order = -order
				}
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Compare(a.URN, b.URN)
	})
	var out []string
	for _, d := range list {
		out = append(out, string(d.URN))
	}
	return out
}

var sortOrders = [][]search.Sort{
	{{Field: "urn"}}, {{Field: "urn", Descending: true}},
	{{Field: "rows"}}, {{Field: "rows", Descending: true}}, {{Field: "rows", MissingFirst: true}},
	{{Field: "typeNames"}}, {{Field: "typeNames", Descending: true, MissingFirst: true}},
	{{Field: "rows", Descending: true}, {Field: "typeNames"}, {Field: "urn", Descending: true}},
	{{Field: "nothing"}, {Field: "rows"}},
	{{Field: "typeNames", Descending: true}, {Field: "rows", MissingFirst: true}},
	{{Field: "origin"}}, {{Field: "origin", Descending: true}}, {{Field: "origin", MissingFirst: true}, {Field: "tags"}},
}

// TestPagesFollowTheOrderInWhicheverSegment reads each order page by page. The pages come from the
// two indexes in turn, because a cursor is a position in the order and not in a segment.
func TestPagesFollowTheOrderInWhicheverSegment(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(131, 137))
	w := newWorld(t, random, 600, true)
	for _, by := range sortOrders {
		want := inOrder(w.docs, by)
		var got []string
		q := search.Query{Sort: by}
		for {
			q.Size = 1 + random.IntN(60)
			from := w.whole
			if random.IntN(2) == 0 {
				from = w.many
			}
			page := find(t, from, q)
			if page.Total != len(want) {
				t.Fatalf("%+v: total %d, want %d", by, page.Total, len(want))
			}
			got = append(got, names(page)...)
			if !page.More {
				break
			}
			q.After = &page.Hits[len(page.Hits)-1].Cursor
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: pages give %d hits, want %d: %v", by, len(got), len(want), firstDifference(got, want))
		}
	}
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("hit %d is %s, want %s", i, got[i], want[i])
		}
	}
	return "the rest is missing"
}

// TestDeepPagesAreThoseOfTheOrder requests pages around the depth from which hits are partitioned
// instead of kept in a heap.
func TestDeepPagesAreThoseOfTheOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(139, 149))
	w := newWorld(t, random, 4000, true)
	for _, by := range sortOrders {
		want := inOrder(w.docs, by)
		for _, start := range []int{0, 5, roaring.HeapLimit - 12, roaring.HeapLimit - 10, roaring.HeapLimit, 2 * roaring.HeapLimit, len(want) - 3, len(want), len(want) + 5} {
			for _, x := range []*roaring.Index{w.whole, w.many} {
				page := find(t, x, search.Query{Sort: by, From: start, Size: 10})
				from, to := min(start, len(want)), min(start+10, len(want))
				if !slices.Equal(names(page), append([]string(nil), want[from:to]...)) || page.More != (to < len(want)) {
					t.Fatalf("%+v from %d: got %v, more %t, want %v", by, start, names(page), page.More, want[from:to])
				}
			}
		}
	}
}

// TestRandomPagesAreThoseOfTheOrder requests random pages of random orders and filters, by start
// number and by the cursor of the previous hit.
func TestRandomPagesAreThoseOfTheOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(141, 151))
	w := newWorld(t, random, 4000, true)
	live := search.Filter{{{Field: "tags", Values: []string{"urn:li:tag:t1"}, Negated: true}}}
	some := maps.Clone(w.docs)
	maps.DeleteFunc(some, func(_ urn.URN, d *search.Document) bool {
		return slices.Contains(distinct(d.Fields["tags"]), "urn:li:tag:t1")
	})
	for range trials.Count(300) {
		by := slices.Clone(sortOrders[random.IntN(len(sortOrders))])
		i := random.IntN(len(by))
		by[i].Descending, by[i].MissingFirst = random.IntN(2) == 0, random.IntN(2) == 0
		q, docs := search.Query{Sort: by}, w.docs
		switch random.IntN(3) {
		case 0:
			q.Filter, docs = live, some
		case 1:
			q.Visible, q.VisibleKey, docs = live, "live", some
		}
		want := inOrder(docs, by)
		for range 5 {
			q.From, q.After, q.Size = 1+random.IntN(len(want)), nil, 1+random.IntN(40)
			if random.IntN(8) == 0 {
				q.Size = 1 + random.IntN(len(want))
			}
			whole := find(t, w.whole, q)
			many := find(t, w.many, q)
			from, to := min(q.From, len(want)), min(q.From+q.Size, len(want))
			before := find(t, w.many, search.Query{Sort: by, Filter: q.Filter, Visible: q.Visible, VisibleKey: q.VisibleKey, From: from - 1, Size: 1})
			q.From, q.After = 0, &before.Hits[0].Cursor
			for name, page := range map[string]search.Result{"one segment": whole, "many segments": many, "one, behind a cursor": find(t, w.whole, q), "many, behind a cursor": find(t, w.many, q)} {
				if !slices.Equal(names(page), append([]string(nil), want[from:to]...)) || page.More != (to < len(want)) {
					t.Fatalf("%s, %+v from %d to %d of %d: %d hits, more %t, %s", name, by, from, to, len(want), len(page.Hits), page.More, firstDifference(names(page), want[from:to]))
				}
			}
		}
	}
}

// TestPagesAgreeWhereAFieldHasNumbersAndTexts uses a field with numbers in some segments and texts
// in others: every page must be a part of the whole result.
func TestPagesAgreeWhereAFieldHasNumbersAndTexts(t *testing.T) {
	t.Parallel()
	x, err := roaring.Open(roaring.Config{Schemas: []search.Schema{
		{EntityType: "dataset", Fields: []search.Field{{Name: "size", Kind: search.Count}}},
		{EntityType: "chart", Fields: []search.Field{{Name: "size", Kind: search.Keyword}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	const each = 300
	for _, kind := range []string{"dataset", "chart"} {
		var changes []search.Change
		for n := range each {
			v := search.Value{Number: float64(n%7 - 3)}
			if kind == "chart" {
				v = search.Value{Text: fmt.Sprint(n % 5)}
			}
			u := urn.URN(fmt.Sprintf("urn:li:%s:%d", kind, n))
			changes = append(changes, search.Change{URN: u, Document: &search.Document{URN: u, Type: kind, Fields: map[string][]search.Value{"size": {v}}}})
		}
		apply(t, x, changes...)
	}
	for _, descending := range []bool{false, true} {
		q := search.Query{Types: []string{"dataset", "chart"}, Size: 2 * each, Sort: []search.Sort{{Field: "size", Descending: descending}}}
		whole := find(t, x, q)
		q.Size = 10
		for from := 0; from < 2*each; from += q.Size {
			q.From, q.After = from, nil
			pages := []search.Result{find(t, x, q)}
			if from > 0 {
				q.From, q.After = 0, &whole.Hits[from-1].Cursor
				pages = append(pages, find(t, x, q))
			}
			for _, page := range pages {
				if want := names(whole)[from : from+q.Size]; !slices.Equal(names(page), want) {
					t.Fatalf("descending %t, from %d: %s", descending, from, firstDifference(names(page), want))
				}
			}
		}
	}
}

// TestPagesHaveAllHitsWhereFewHaveANumber sorts by a field with NaN values, which are not
// comparable and count as missing: the pages together must have all hits.
func TestPagesHaveAllHitsWhereFewHaveANumber(t *testing.T) {
	t.Parallel()
	const each, segments = 500, 4
	random := rand.New(rand.NewPCG(152, 159))
	x := open(t, "")
	for part := range segments {
		var changes []search.Change
		for n := range each {
			number := math.NaN()
			if random.IntN(10) == 0 {
				number = float64(n % 5)
			}
			d := randomDocument(random, urn.URN(fmt.Sprintf("urn:li:dataset:%d-%d", n, part)))
			d.Fields["rows"] = []search.Value{{Number: number}}
			changes = append(changes, search.Change{URN: d.URN, Document: d})
		}
		apply(t, x, changes...)
	}
	for _, start := range []int{0, 100, each, segments*each - 10} {
		for _, descending := range []bool{false, true} {
			q := search.Query{Sort: []search.Sort{{Field: "rows", Descending: descending}, {Field: "rows"}}, From: start, Size: 10}
			if page := find(t, x, q); page.Total != segments*each || len(page.Hits) != q.Size {
				t.Errorf("from %d: %d hits of %d", start, len(page.Hits), page.Total)
			}
		}
	}
}

// TestCandidatesWithoutAnOrderAreDecided selects the first of several lists only by their
// positions.
func TestCandidatesWithoutAnOrderAreDecided(t *testing.T) {
	t.Parallel()
	if got := roaring.TakeAny([]int{3, 0, 4, 5}, 5); !slices.Equal(got, []int{3, 0, 2, 0}) {
		t.Errorf("got %v", got)
	}
}

// TestScoresDoNotDependOnSegments compares hits and scores of the two indexes: a score depends only
// on the document and on rounded counts of all segments. There are no deleted documents, since
// these count until a merge drops them. The number of documents with several forms of a word is
// estimated, so only words with one form are compared by score; the others are compared by the
// documents found.
func TestScoresDoNotDependOnSegments(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(151, 157))
	w := newWorld(t, random, 500, false)
	for text, scored := range map[string]bool{
		"v2": true, "the": true, "ord*": true, `"orders daily"`: true, "oders": true, "über -the": true, "urn:li:tag:t1": true, "": true,
		"orders": false, "daily orders": false, "shop_orders": false, "name:daily OR description:v2": false,
	} {
		a := find(t, w.whole, search.Query{Text: text, Size: 1000, Highlight: true})
		b := find(t, w.many, search.Query{Text: text, Size: 1000, Highlight: true})
		if !scored {
			if x, y := slices.Sorted(slices.Values(names(a))), slices.Sorted(slices.Values(names(b))); len(x) == 0 || !slices.Equal(x, y) {
				t.Errorf("%q finds %d and %d: %s", text, a.Total, b.Total, firstDifference(y, x))
			}
			continue
		}
		if a.Total == 0 || a.Total != b.Total || !slices.Equal(names(a), names(b)) {
			t.Errorf("%q finds %d and %d: %s", text, a.Total, b.Total, firstDifference(names(b), names(a)))
			continue
		}
		for i := range a.Hits {
			if a.Hits[i].Score != b.Hits[i].Score || !slices.Equal(a.Hits[i].Matched, b.Hits[i].Matched) {
				t.Errorf("%q: hit %d scores %v and %v", text, i, a.Hits[i], b.Hits[i])
				break
			}
			if i > 0 && a.Hits[i].Score > a.Hits[i-1].Score {
				t.Errorf("%q: hit %d scores more than the one before", text, i)
			}
		}
	}
}

// counted returns the buckets of a facet from plain counts, most frequent first.
func counted(counts map[string]int, size int) []search.Bucket {
	var list []search.Bucket
	for value, n := range counts {
		list = append(list, search.Bucket{Value: value, Count: n})
	}
	slices.SortFunc(list, func(a, b search.Bucket) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return list[:min(size, len(list))]
}

func distinct(values []search.Value) []string {
	var out []string
	for _, v := range values {
		if text := v.Text; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// levels joins the buckets of the levels of a nested facet.
func levels(each ...[]search.Bucket) []search.Bucket {
	all := slices.Concat(each...)
	slices.SortFunc(all, func(a, b search.Bucket) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return all
}

func TestFacetsCountWhatIsThere(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(163, 167))
	w := newWorld(t, random, 800, true)
	const separator = "␞"
	for _, some := range []search.Filter{nil, {{{Field: "tags", Values: []string{"urn:li:tag:t1"}}}}, {{{Field: "tags", Values: []string{"urn:li:tag:t1"}, Negated: true}}}, {{{Field: "rows", Values: []string{"1"}}}}} {
		tags, pairs, types, missing := map[string]int{}, map[string]int{}, map[string]int{}, 0
		total := 0
		for _, d := range w.docs {
			has := slices.Contains(distinct(d.Fields["tags"]), "urn:li:tag:t1")
			if len(some) > 0 {
				switch c := some[0][0]; {
				case c.Field == "tags" && has == c.Negated:
					continue
				case c.Field == "rows" && (len(d.Fields["rows"]) == 0 || d.Fields["rows"][0].Number != 1):
					continue
				}
			}
			total++
			types[d.Type]++
			if len(d.Fields["rows"]) == 0 {
				missing++
			}
			for _, tag := range distinct(d.Fields["tags"]) {
				tags[tag]++
				for _, name := range distinct(d.Fields["typeNames"]) {
					pairs[tag+separator+name]++
				}
			}
		}
		for _, x := range []*roaring.Index{w.whole, w.many} {
			r := find(t, x, search.Query{Filter: some, Facets: []search.FacetRequest{
				{Field: "tags", Size: 60}, {Field: "tags", Size: 2}, {Field: "tags" + separator + "typeNames", Size: 60}, {Field: "_entityType", Size: 60},
				{Field: "missing␝rows", Size: 60}, {Field: "tags", Size: 0, Values: []string{"urn:li:tag:t3", "urn:li:tag:none"}},
			}})
			want := [][]search.Bucket{
				counted(tags, 60), counted(tags, 2), levels(counted(tags, 60), counted(pairs, 60)), counted(types, 60), counted(map[string]int{"missing␝rows": missing}, min(missing, 1)),
				{{Value: "urn:li:tag:t3", Count: tags["urn:li:tag:t3"]}, {Value: "urn:li:tag:none"}},
			}
			if r.Total != total {
				t.Fatalf("total %d, want %d", r.Total, total)
			}
			for i, facet := range r.Facets {
				if !slices.Equal(facet.Buckets, want[i]) {
					t.Errorf("facet %s among %d: got %v, want %v", facet.Field, total, facet.Buckets, want[i])
				}
			}
			if !r.Facets[1].More || r.Facets[0].More {
				t.Errorf("more values: %t of two, %t of all", r.Facets[1].More, r.Facets[0].More)
			}
		}
	}
}

// TestFiltersLetThroughWhatHolds compares random criteria with a walk over the documents.
func TestFiltersLetThroughWhatHolds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(173, 179))
	w := newWorld(t, random, 400, true)
	probes := []string{"alpha", "ALPHA", "k1", "k", "gam", "lich", "zz", "ä", ""}
	numbers := []string{"-4", "0", "2", "9", "1.5", "x"}
	matches, asked, rounds := 0, 0, trials.Count(600)
	for range rounds {
		c := search.Criterion{Field: "typeNames", Negated: random.IntN(3) == 0}
		c.Condition = []search.Condition{search.Equal, search.IEqual, search.Contain, search.StartWith, search.EndWith, search.Exists, search.IsNull}[random.IntN(7)]
		for range random.IntN(3) {
			c.Values = append(c.Values, probes[random.IntN(len(probes))])
		}
		if random.IntN(3) == 0 {
			c.Field, c.Values = "rows", []string{numbers[random.IntN(len(numbers))]}
			c.Condition = []search.Condition{search.Equal, search.GreaterThan, search.GreaterOrEqual, search.LessThan, search.LessOrEqual}[random.IntN(5)]
		}
		want := 0
		for _, d := range w.docs {
			if holds(d, c) != c.Negated {
				want++
			}
		}
		if matches += want; want > 0 {
			asked++
		}
		for _, x := range []*roaring.Index{w.whole, w.many} {
			if got := find(t, x, search.Query{Filter: search.Filter{{c}}}).Total; got != want {
				t.Fatalf("%+v lets %d through, want %d", c, got, want)
			}
		}
	}
	if asked < rounds/6 {
		t.Errorf("only %d criteria hold anywhere: the comparison says little", asked)
	}
}

// holds reports whether a criterion matches a document, ignoring its negation.
func holds(d *search.Document, c search.Criterion) bool {
	values := d.Fields[c.Field]
	switch c.Condition {
	case search.Exists:
		return len(values) > 0
	case search.IsNull:
		return len(values) == 0
	}
	for _, v := range values {
		for _, wanted := range c.Values {
			if c.Field == "rows" {
				n, ok := search.ParseNumber(wanted)
				if ok && map[search.Condition]bool{
					search.Equal: v.Number == n, search.GreaterThan: v.Number > n, search.GreaterOrEqual: v.Number >= n, search.LessThan: v.Number < n, search.LessOrEqual: v.Number <= n,
				}[c.Condition] {
					return true
				}
				continue
			}
			have, folded := analysis.Fold(v.Text), analysis.Fold(wanted)
			if map[search.Condition]bool{
				search.Equal: v.Text == wanted, search.IEqual: have == folded, search.Contain: strings.Contains(have, folded),
				search.StartWith: strings.HasPrefix(have, folded), search.EndWith: strings.HasSuffix(have, folded),
			}[c.Condition] {
				return true
			}
		}
	}
	return false
}
