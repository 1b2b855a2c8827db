package roaring_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	bitmap "github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

func TestATableFindsEachOfItsTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(29, 31))
	for _, size := range []int{0, 1, 2, 16} {
		for _, n := range []int{0, 1, 2, 15, 16, 17, 100} {
			set := map[string]bool{}
			for len(set) < n {
				set[strings.Repeat(randomWord(random, 4), 1+random.IntN(20))] = true
			}
			var texts []string
			for text := range set {
				texts = append(texts, text)
			}
			slices.Sort(texts)
			table := roaring.NewTable(texts, size)
			if table.Len() != n {
				t.Fatalf("%d texts in blocks of %d: length is %d", n, size, table.Len())
			}
			for i, text := range texts {
				if table.At(i) != text {
					t.Fatalf("text %d of %d in blocks of %d is %q, want %q", i, n, size, table.At(i), text)
				}
				for _, probe := range []string{text, text + "a", text[:len(text)-1]} {
					if got, want := table.Search(probe), sort.SearchStrings(texts, probe); got != want {
						t.Fatalf("%q is at %d of %d in blocks of %d, want %d", probe, got, n, size, want)
					}
				}
			}
			for from := range n + 2 {
				if got := table.From(from); !slices.Equal(got, texts[min(from, n):]) {
					t.Fatalf("from %d of %d in blocks of %d: got %q", from, n, size, got)
				}
			}
		}
	}
}

func TestPackedIntsKeepNumbersOfEachWidth(t *testing.T) {
	t.Parallel()
	for _, largest := range []int{0, 1, math.MaxUint8, math.MaxUint8 + 1, math.MaxUint16, math.MaxUint16 + 1} {
		p := roaring.NewInts(3, largest)
		p.Set(1, uint32(largest))
		if p.Len() != 3 || p.At(0) != 0 || p.At(1) != uint32(largest) || p.At(2) != 0 {
			t.Errorf("up to %d: got %d, %d, %d of %d", largest, p.At(0), p.At(1), p.At(2), p.Len())
		}
		counters := make([]uint32, largest+1)
		p.Count([]uint32{0, 1, 1, 2}, counters)
		want := uint32(2)
		if largest == 0 {
			want = 4
		}
		if counters[largest] != want || largest > 0 && counters[0] != 2 {
			t.Errorf("up to %d: counted %d and %d", largest, counters[0], counters[largest])
		}
	}
}

// randomDocs returns ascending documents below n, each with a probability of one in some.
func randomDocs(random *rand.Rand, n, some int) []uint32 {
	var docs []uint32
	for doc := range n {
		if random.IntN(some) == 0 {
			docs = append(docs, uint32(doc))
		}
	}
	return docs
}

func TestPostingsAreTheSameListInEitherForm(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(37, 41))
	const n = 10_000
	var lists [][]uint32
	for _, size := range []int{0, 1, 2, roaring.MinSetSize - 1, roaring.MinSetSize, roaring.MinSetSize + 1, roaring.MaxRun, roaring.MaxRun + 1, 2*roaring.MaxRun + 1} {
		docs := random.Perm(n)[:size]
		slices.Sort(docs)
		list := make([]uint32, size)
		for i, doc := range docs {
			list[i] = uint32(doc)
		}
		lists = append(lists, list)
	}
	p := roaring.NewPostings(lists)
	other := bitmap.BitmapOf(randomDocs(random, n, 3)...)
	for i, list := range lists {
		if p.IsSet(i) != (len(list) >= roaring.MinSetSize) || p.Len(i) != len(list) || !slices.Equal(p.Docs(i), list) {
			t.Errorf("list of %d documents: set %t, length %d", len(list), p.IsSet(i), p.Len(i))
		}
		shared := 0
		for _, doc := range list {
			if other.Contains(doc) {
				shared++
			}
			if !p.Contains(i, doc) {
				t.Errorf("list of %d documents lacks %d", len(list), doc)
			}
		}
		for range 100 {
			if doc := uint32(random.IntN(n)); p.Contains(i, doc) != slices.Contains(list, doc) {
				t.Errorf("list of %d documents contains %d: %t", len(list), doc, p.Contains(i, doc))
			}
		}
		if got := p.CountIn(i, other); got != shared {
			t.Errorf("list of %d documents has %d in common, want %d", len(list), got, shared)
		}
		if got := p.CountLive(i, other); got != len(list)-shared {
			t.Errorf("list of %d documents has %d live ones, want %d", len(list), got, len(list)-shared)
		}
		if got := p.CountLive(i, nil); got != len(list) {
			t.Errorf("list of %d documents without deletions has %d live ones", len(list), got)
		}
	}
}

func TestUnionsOfPostingsHaveEachDocumentOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(43, 47))
	// Segments below and above the size from which few documents of large sets are joined one by
	// one.
	for _, n := range []int{300, 20_000, 200_000} {
		for range 25 {
			var lists [][]uint32
			for range random.IntN(12) {
				lists = append(lists, randomDocs(random, n, 1+random.IntN(n)))
			}
			p := roaring.NewPostings(lists)
			from := random.IntN(len(lists) + 1)
			to := from + random.IntN(len(lists)-from+1)
			members := map[uint32]bool{}
			for _, list := range lists[from:to] {
				for _, doc := range list {
					members[doc] = true
				}
			}
			var want []uint32
			for doc := range members {
				want = append(want, doc)
			}
			slices.Sort(want)
			if got := p.Union(n, from, to); !slices.Equal(got, want) {
				t.Fatalf("union of %d lists has %d documents, want %d", to-from, len(got), len(want))
			}
			if got := p.UnionOneByOne(n, from, to); !slices.Equal(got, want) {
				t.Fatalf("union of %d lists, one by one, has %d documents, want %d", to-from, len(got), len(want))
			}
		}
	}
}

// columnCase is a column with its expected contents.
type columnCase struct {
	values []roaring.ColumnValue
	column roaring.Column
	byDoc  map[uint32][]string
}

func randomColumn(random *rand.Rand, n, distinct, density, perDoc int, numbers bool) *columnCase {
	c := &columnCase{byDoc: map[uint32][]string{}}
	docs := make([][]uint32, distinct)
	for doc := range n {
		if random.IntN(density) > 0 {
			continue
		}
		seen := map[int]bool{}
		for range 1 + random.IntN(perDoc) {
			if v := random.IntN(distinct); !seen[v] {
				seen[v] = true
				docs[v] = append(docs[v], uint32(doc))
			}
		}
	}
	for v, list := range docs {
		if len(list) == 0 {
			continue
		}
		value := roaring.ColumnValue{Docs: list, Number: float64(v) - 2.5, Text: fmt.Sprintf("Value %d", v)}
		if v%3 == 1 {
			value.Text = fmt.Sprintf("value %d", v-1) // same folded form as the previous value
		}
		c.values = append(c.values, value)
	}
	c.column = roaring.NewColumn(n, numbers, c.values)
	for i, v := range c.values {
		text := v.Text
		if numbers {
			text = c.column.Text(i)
		}
		for _, doc := range v.Docs {
			c.byDoc[doc] = append(c.byDoc[doc], text)
		}
	}
	return c
}

// TestColumnsLeadBothWays creates columns of each layout: dense and sparse, with one and with
// several values per row, of texts and of numbers, with few and many values.
func TestColumnsLeadBothWays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(53, 59))
	layouts := map[string]int{}
	for _, density := range []int{1, 3, 20} {
		for _, perDoc := range []int{1, 4} {
			for _, distinct := range []int{1, 40, 300, 70_000} {
				for _, numbers := range []bool{false, true} {
					const n = 3000
					c := randomColumn(random, n, distinct, density, perDoc, numbers)
					layouts[fmt.Sprintf("dense %t single %t", c.column.Dense(), c.column.Single())]++
					for doc := range uint32(n) {
						var got []string
						for _, v := range c.column.Values(doc) {
							got = append(got, c.column.Text(int(v)))
						}
						want := slices.Clone(c.byDoc[doc])
						slices.Sort(want)
						if slices.Sort(got); !slices.Equal(got, want) {
							t.Fatalf("document %d has %q, want %q (one in %d, %d values)", doc, got, want, density, distinct)
						}
					}
					for _, size := range []int{0, 1, n / 20, n / 2, n - 1, n} {
						set := bitmap.New()
						for _, doc := range random.Perm(n)[:size] {
							set.Add(uint32(doc))
						}
						counts := c.column.CountIn(t.Context(), set)
						for i, v := range c.values {
							want := 0
							for _, doc := range v.Docs {
								if set.Contains(doc) {
									want++
								}
							}
							if counts[i] != uint32(want) {
								t.Fatalf("among %d documents value %d is counted %d times, want %d (dense %t, single %t)", size, i, counts[i], want, c.column.Dense(), c.column.Single())
							}
						}
					}
				}
			}
		}
	}
	if len(layouts) != 4 {
		t.Errorf("not every layout was made: %v", layouts)
	}
}

func TestColumnsFindTextsExactlyAndFolded(t *testing.T) {
	t.Parallel()
	texts := []string{"", "Zürich", "zurich", "ZURICH", "apple", "Apple", "apple pie", "éclair", "eclairs", "b", "B", "a\x00b"}
	var values []roaring.ColumnValue
	for i, text := range texts {
		values = append(values, roaring.ColumnValue{Text: text, Docs: []uint32{uint32(i)}})
	}
	c := roaring.NewColumn(len(texts), false, values)
	sorted := make([]string, c.Len())
	for i := range sorted {
		sorted[i] = c.Text(i)
	}
	for _, probe := range append(texts, "nothing", "app", "z", "ÉCL") {
		if i, ok := c.Find(probe); ok != slices.Contains(texts, probe) || ok && sorted[i] != probe {
			t.Errorf("find %q: %d, %t", probe, i, ok)
		}
		folded := analysis.Fold(probe)
		var equal, begin []string
		for _, text := range sorted {
			if analysis.Fold(text) == folded {
				equal = append(equal, text)
			}
			if strings.HasPrefix(analysis.Fold(text), folded) {
				begin = append(begin, text)
			}
		}
		if from, to := c.EqualFold(folded); !slices.Equal(sorted[from:to], equal) {
			t.Errorf("equal to %q: got %q, want %q", probe, sorted[from:to], equal)
		}
		if from, to := c.WithPrefix(folded); !slices.Equal(sorted[from:to], begin) {
			t.Errorf("beginning with %q: got %q, want %q", probe, sorted[from:to], begin)
		}
	}
	for i := 1; i < len(sorted); i++ {
		alike := analysis.Fold(sorted[i-1]) == analysis.Fold(sorted[i])
		if (c.Rank(i-1) == c.Rank(i)) != alike {
			t.Errorf("ranks of %q and %q are %d and %d", sorted[i-1], sorted[i], c.Rank(i-1), c.Rank(i))
		}
	}
}

func TestGallopFindsTheDocumentOrTheNext(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(61, 67))
	for range 500 {
		docs := randomDocs(random, 1+random.IntN(400), 1+random.IntN(5))
		doc := uint32(random.IntN(420))
		if got, want := roaring.Gallop(docs, doc), sort.Search(len(docs), func(i int) bool { return docs[i] >= doc }); got != want {
			t.Fatalf("%d among %v: got %d, want %d", doc, docs, got, want)
		}
	}
}

func TestAnAccumulatorIsHandedOnAllZero(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(71, 73))
	for _, some := range []int{1, 2, 3, 10, 1000} { // few scores are cleared one by one, many at once
		if !roaring.Accumulate(5000, bitmap.BitmapOf(randomDocs(random, 5000, some)...)) {
			t.Errorf("with one document in %d scores are left", some)
		}
	}
}

func TestRareWordsSayMore(t *testing.T) {
	t.Parallel()
	const documents = 1_000_000
	before := float32(2)
	for frequency := 1; frequency <= documents; frequency *= 2 {
		now := roaring.InverseFrequency(documents, frequency)
		if now <= 0 || now >= 1.1 || now >= before {
			t.Errorf("a word in %d of %d documents says %f, a rarer one %f", frequency, documents, now, before)
		}
		before = now
	}
	// Counts are rounded to powers of two, so that a concurrent write does not reorder pages.
	if roaring.InverseFrequency(documents, 70) != roaring.InverseFrequency(documents, 100) {
		t.Error("a few more documents change the score")
	}
}

func TestLoopsLookAtTheContextAndStop(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	var lists [][]uint32
	for _, n := range []int{100, 3 * roaring.MaxRun} {
		lists = append(lists, randomDocs(rand.New(rand.NewPCG(1, 1)), n, 1))
	}
	p := roaring.NewPostings(lists)
	if roaring.Cancelled(ctx, 0) || roaring.Cancelled(ctx, 1) {
		t.Error("cancelled before the context ended")
	}
	runs := 0
	p.EachUntil(ctx, 1, func([]uint32) {
		runs++
		end() // in the middle
	})
	if runs != 1 {
		t.Errorf("%d runs, want one", runs)
	}
	roaring.EachRunUntil(ctx, bitmap.BitmapOf(1, 2, 3), func([]uint32) { t.Error("a run after the end") })
	p.EachUntil(ctx, 0, func([]uint32) { t.Error("a short list after the end") })
	if !roaring.Cancelled(ctx, 0) || !roaring.Cancelled(ctx, roaring.StepsPerCheck) || roaring.Cancelled(ctx, roaring.StepsPerCheck+1) {
		t.Error("the context is looked at in other steps")
	}
}

func TestNumbersAreReadAsSuchOrAsTimes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"1": 1, "-2.5": -2.5, "1e3": 1000, "1970-01-02": 86_400_000, "1970-01-01T00:00:01Z": 1000, "1970-01-01T00:00:01.5+00:00": 1500} {
		if got, ok := search.ParseNumber(text); !ok || got != want {
			t.Errorf("%q: got %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "NaN", "x", "1970-13-01", "1 "} {
		if got, ok := search.ParseNumber(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestAPanicOfATaskIsThatOfTheWaiter(t *testing.T) {
	t.Parallel()
	ran := make(chan struct{}, 2)
	defer func() {
		if got := recover(); got != "broken" {
			t.Errorf("recovered %v", got)
		}
		if len(ran) != 2 {
			t.Errorf("%d of the other tasks ran", len(ran))
		}
	}()
	roaring.RunTasks(func() { ran <- struct{}{} }, func() { panic("broken") }, func() { ran <- struct{}{} })
	t.Error("waiting did not panic")
}
