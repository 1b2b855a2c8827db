package roaring_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/trials"
)

// alignment returns the optimal string alignment distance: letters left out, added, changed, or
// swapped with their neighbour.
func alignment(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// randomWord returns a word of few different letters, so that words are close to each other; one
// letter has more than one byte.
func randomWord(random *rand.Rand, most int) string {
	letters := []rune("abcé")
	word := make([]rune, 1+random.IntN(most))
	for i := range word {
		word[i] = letters[random.IntN(len(letters))]
	}
	return string(word)
}

func TestTheEditDistanceIsThatOfAFullTable(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range trials.Count(300) {
		word, limit := randomWord(random, 7), 1+random.IntN(2)
		var texts []string
		for range 200 {
			texts = append(texts, randomWord(random, 9))
		}
		if random.IntN(2) == 0 {
			slices.Sort(texts) // sorted like a dictionary, so that rows of shared prefixes are reused
		}
		within := roaring.WithinDistance(word, limit)
		for i, text := range texts {
			if want := alignment(word, text) <= limit; within(text) != want {
				t.Fatalf("%q within %d of %q: got %t; texts before: %q", text, limit, word, !want, texts[max(i-3, 0):i])
			}
		}
	}
}

func FuzzTheEditDistance(f *testing.F) {
	f.Add("orders", "oredrs", "order", 1)
	f.Add("ab", "ba", "b", 1)
	f.Add("", "a", "\xff", 2)
	f.Fuzz(func(t *testing.T, word, first, second string, limit int) {
		if !utf8.ValidString(word) || len(word) > 60 || len(first) > 60 || len(second) > 60 {
			t.Skip("words of the index are valid text and short; a full table of longer ones would take the time of the rest")
		}
		limit = 1 + limit&1
		within := roaring.WithinDistance(word, limit)
		for _, text := range []string{first, second, first} {
			if want := alignment(word, text) <= limit; within(text) != want {
				t.Errorf("%q within %d of %q: got %t", text, limit, word, !want)
			}
		}
	})
}

func TestFuzzyListsTheWordsOfTheDictionaryWithinTheDistance(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	set := map[string]bool{}
	for range 60 {
		set[randomWord(random, 8)] = true
	}
	var words []string
	for word := range set {
		words = append(words, word)
	}
	slices.Sort(words)
	d := roaring.NewDictionary(words)
	for range trials.Count(400) {
		word, distance := randomWord(random, 8), 1+random.IntN(2)
		var want []string
		for _, have := range words {
			// The first letter must match if only one may be wrong, and in long words.
			firstLetterFixed := distance == 1 || utf8.RuneCountInString(word) > 5
			if first, _ := utf8.DecodeRuneInString(word); firstLetterFixed && !strings.HasPrefix(have, string(first)) {
				continue
			}
			if alignment(word, have) <= distance {
				want = append(want, have)
			}
		}
		if got := d.Fuzzy(t.Context(), word, distance); !slices.Equal(got, want) {
			t.Fatalf("words within %d of %q: got %q, want %q", distance, word, got, want)
		}
	}
}

func TestFuzzyStopsAtItsLimitAndWithTheContext(t *testing.T) {
	t.Parallel()
	var words []string
	for i := range 500 {
		words = append(words, fmt.Sprintf("order%c%c", 'a'+i/26, 'a'+i%26))
	}
	d := roaring.NewDictionary(words)
	if got := d.Fuzzy(t.Context(), "order", 2); len(got) != roaring.MaxFuzzyWords {
		t.Errorf("%d words, want %d", len(got), roaring.MaxFuzzyWords)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got := d.Fuzzy(ended, "order", 2); len(got) > 1 {
		t.Errorf("%d words after the context ended", len(got))
	}
}

func TestTheDictionaryFindsStemsAndPrefixes(t *testing.T) {
	t.Parallel()
	words := []string{"\x01daily orders", "\x02ordersdaily", "daily", "ord", "order", "ordered", "ordering", "orders", "ordinary", "p"}
	d := roaring.NewDictionary(words)
	for _, stem := range []string{analysis.Stem("orders"), analysis.Stem("daily"), "nothing"} {
		var want []string
		for _, word := range words {
			if analysis.Stem(word) == stem {
				want = append(want, word)
			}
		}
		got := d.Stemmed(stem)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("words with the stem %q: got %q, want %q", stem, got, want)
		}
	}
	for prefix, want := range map[string][]string{
		"ord": words[3:9], "order": words[4:8], "ordersx": nil, "": words, "\x02ord": words[1:2], "q": nil, "p": words[9:],
	} {
		if got := d.WithPrefix(prefix); !slices.Equal(got, want) {
			t.Errorf("words that begin with %q: got %q, want %q", prefix, got, want)
		}
	}
}

func TestPatternsMatchAsRegularExpressionsDo(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 17))
	pick := func(letters string, most int) string {
		out := make([]byte, random.IntN(most))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	matched, rounds := 0, trials.Count(20_000)
	for range rounds {
		pattern, text := pick("ab*?", 7), pick("ab", 9)
		expression := regexp.MustCompile("^" + strings.NewReplacer("*", ".*", "?", ".").Replace(pattern) + "$")
		want := expression.MatchString(text)
		if got := roaring.MatchesPattern([]byte(text), pattern); got != want {
			t.Fatalf("%q like %q: got %t", text, pattern, got)
		}
		if want {
			matched++
		}
	}
	if matched < rounds/20 {
		t.Errorf("only %d of the patterns match: the comparison says little", matched)
	}
}

func TestPhrasesAreFoundWhereTheirPiecesFollowEachOther(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 23))
	pieces := []string{"orders", "daily", "v2", "a", "über", "Order", "EU"}
	joins := []string{" ", "_", ".", "", ", ", "-"}
	found, rounds := 0, trials.Count(20_000)
	for range rounds {
		var text strings.Builder
		for range 1 + random.IntN(5) {
			text.WriteString(pieces[random.IntN(len(pieces))])
			text.WriteString(joins[random.IntN(len(joins))])
		}
		sequence := analysis.Sequence(text.String())
		phrase := analysis.Sequence(pieces[random.IntN(len(pieces))] + " " + pieces[random.IntN(len(pieces))])
		if len(phrase) < 2 {
			continue
		}
		want := false
		for i := 0; i+len(phrase) <= len(sequence); i++ {
			want = want || slices.Equal(sequence[i:i+len(phrase)], phrase)
		}
		if got := roaring.PhraseIn(phrase, text.String()); got != want {
			t.Fatalf("phrase %q in %q (%q): got %t", phrase, text.String(), sequence, got)
		}
		if want {
			found++
		}
	}
	if found < rounds/100 {
		t.Errorf("only %d phrases were found: the comparison says little", found)
	}
}
