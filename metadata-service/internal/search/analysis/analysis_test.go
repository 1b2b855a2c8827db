package analysis_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

func TestWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a plain text", "The Orders of a day", []string{"orders", "day"}},
		{"snake case is found by piece, whole and joined", "orders_daily", []string{"orders", "daily", "orders_daily", "ordersdaily"}},
		{"camel case is found by piece and whole", "ordersDaily", []string{"orders", "daily", "ordersdaily"}},
		{"a run of capitals is one piece", "HTTPServer", []string{"http", "server", "httpserver"}},
		{"dots separate", "db.Shop.orders", []string{"db", "shop", "orders"}},
		{"short words and numbers are words", "part 7 of x", []string{"part", "7", "x"}},
		{"a URN gives its pieces", "urn:li:dataset:(urn:li:dataPlatform:hive,shop,PROD)", []string{"dataset", "data", "platform", "dataplatform", "hive", "shop", "prod"}},
		{"accents vanish", "Crème Brûlée", []string{"creme", "brulee"}},
		{"punctuation around a word vanishes", `"orders!"`, []string{"orders"}},
		{"nothing but punctuation", "-- ... !", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := analysis.Words(tt.text, false); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAncestors(t *testing.T) {
	t.Parallel()
	if got, want := analysis.Ancestors("/a/b/", "/"), []string{"/a", "/a/b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := analysis.Ancestors("␟a␟b", "␟"), []string{"␟a", "␟a␟b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := analysis.Ancestors("/", "/"); got != nil {
		t.Errorf("the root has ancestors %q", got)
	}
}

func TestStemJoinsFormsOfAWord(t *testing.T) {
	t.Parallel()
	if a, b := analysis.Stem("orders"), analysis.Stem("order"); a != b {
		t.Errorf("orders stems to %q, order to %q", a, b)
	}
	if got := analysis.Stem("orders_v2"); got != "orders_v2" {
		t.Errorf("an identifier was stemmed to %q", got)
	}
}

// A word is folded only as far as it is kept. The result must not depend on that.
func TestLongWordsAreTheBeginningsOfTheirFoldedForms(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"a", "é", "漢", "한", "ก\u0e4a", "ﷺ", "e\u0301", "漢\u302e", "ß", "𝒳", "aé漢ก한"} {
		for n := range 150 {
			word := strings.Repeat(part, n+1)
			want := analysis.Fold(word)
			if len(want) > analysis.MaxWordBytes {
				end := analysis.MaxWordBytes
				for !utf8.RuneStart(want[end]) {
					end--
				}
				want = want[:end]
			}
			if got := analysis.Chunks(word); len(got) != 1 || got[0].Whole != want || got[0].Pieces[0] != want {
				t.Fatalf("%d times %q is %q, want %q", n+1, part, got, want)
			}
		}
	}
}

// A text without separators is one chunk. The limit of words holds within it too. The test counts
// allocations, so it does not run in parallel.
func TestAChunkOfManyPiecesIsCutAtTheLimitOfWords(t *testing.T) {
	const times = 1 << 20
	for name, part := range map[string]string{"underscores": "ab_", "hyphens": "ab-", "camel case": "abC", "digits": "a1B", "no letters between": "é%%"} {
		text := strings.Repeat(part, times)
		count := 0
		allocations := testing.AllocsPerRun(1, func() {
			count = 0
			analysis.Each(text, true, func(string, bool) { count++ })
		})
		if count < analysis.MaxWords || count > analysis.MaxWords+10 || allocations > 6*analysis.MaxWords {
			t.Errorf("%s: %d words with %.0f allocations, %d words are allowed", name, count, allocations, analysis.MaxWords)
		}
	}
	words := analysis.Words(strings.Repeat("ab_", times)+" end", true)
	if last := words[len(words)-1]; len(last) != analysis.MaxWordBytes || !strings.HasPrefix(last, "abab") {
		t.Errorf("the joined form is %q", last)
	}
}

func FuzzAnalysis(f *testing.F) {
	f.Add("shop.orders_dailyTotals", "Crème")
	f.Add("\xff\u0301A", "ẞ\u0301")
	f.Add("a\u241eB", "A\u241e\u0301c")
	f.Add("a\u241e\u0301B", "A\u241fb")
	f.Add(strings.Repeat("漢\u302e\u0301", 30), strings.Repeat("漢\u302e", 29)+"\xff\xfe한")
	f.Add(strings.Repeat("\u302f\u0301\u302e", 30)+"ẞ\xe0", strings.Repeat("한글", 40))
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, word := range analysis.Words(a, true) {
			if word == "" || len(word) > analysis.MaxWordBytes || !utf8.ValidString(word) {
				t.Fatalf("bad word %q of %q", word, a)
			}
		}
		for _, c := range analysis.Chunks(a) {
			if !strings.Contains(analysis.Fold(a), c.Whole) {
				t.Fatalf("%q has the chunk %q", a, c.Whole)
			}
		}
		if analysis.Fold(analysis.Fold(a)) != analysis.Fold(a) {
			t.Fatalf("folding %q again changes %q", a, analysis.Fold(a))
		}
		want := bytes.Compare([]byte(analysis.Fold(a)), []byte(analysis.Fold(b)))
		if got := analysis.CompareFolded([]byte(a), []byte(b)); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Fatalf("%q and %q compare to %d, their folded forms to %d", a, b, got, want)
		}
		for _, text := range []string{b, analysis.Fold(b)} {
			sought := analysis.Seek([]byte(text))
			for range 2 { // first not folded yet, then folded as far as needed
				if got := sought.Compare([]byte(a)); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
					t.Fatalf("%q and %q compare to %d, their folded forms to %d", a, text, got, want)
				}
				if got, want := sought.Begins([]byte(a)), strings.HasPrefix(analysis.Fold(a), analysis.Fold(b)); got != want {
					t.Fatalf("the folded form of %q begins with %q: %t, want %t", a, text, got, want)
				}
			}
		}
	})
}
