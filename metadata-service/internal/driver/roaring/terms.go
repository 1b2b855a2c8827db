package roaring

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// terms is the dictionary of a segment: all words of all fields, each with the fields it occurs in
// and the documents. A pair of words with a space between is also a term, prefixed with a mark.
// Stems refer to the words that differ from their stem.
type terms struct {
	words  *table
	start  []uint32      // first entry of each word, and the end of the last
	fields []uint16      // by entry
	lists  postingsTable // by entry

	stems     *table
	stemStart []uint32
	stemWords []uint32
}

func (t *terms) find(word string) (int, bool) {
	i := t.words.search(func(have []byte) bool { return string(have) >= word })
	return i, i < t.words.len() && string(t.words.at(i, nil)) == word
}

// stemmed returns the words with a given stem.
func (t *terms) stemmed(stem string) []uint32 {
	var words []uint32
	if i := t.stems.search(func(have []byte) bool { return string(have) >= stem }); i < t.stems.len() && string(t.stems.at(i, nil)) == stem {
		words = slices.Clone(t.stemWords[t.stemStart[i]:t.stemStart[i+1]])
	}
	if analysis.Stem(stem) == stem {
		if i, ok := t.find(stem); ok {
			words = append(words, uint32(i))
		}
	}
	return words
}

// Marks are the first characters of terms that are pairs of words, and of terms that are compounds:
// orders_daily as a whole, or ordersdaily. Marked terms sort before all words, so prefix searches
// need not skip them: a compound has the same start as its first piece, which is a word.
const (
	pairMark     = "\x01"
	compoundMark = "\x02"
)

// unmarked returns a term without its mark.
func unmarked(term string) string { return strings.TrimLeft(term, pairMark+compoundMark) }

// withPrefix returns the range of words that begin with a text: from (included) to (excluded).
func (t *terms) withPrefix(text string) (from, to int) {
	from = t.words.search(func(have []byte) bool { return string(have) >= text })
	to = t.words.search(func(have []byte) bool {
		return string(have) >= text && !strings.HasPrefix(string(have), text)
	})
	return from, max(from, to)
}

// joinSteps returns the cost of joining the documents of the words from (included) to (excluded).
func (t *terms) joinSteps(from, to int) int {
	const perSet = 200
	first, end := t.start[from], t.start[to]
	steps := int(t.lists.start[end] - t.lists.start[first])
	for e := first; e < end; e++ {
		if t.lists.start[e] == t.lists.start[e+1] {
			steps += perSet
		}
	}
	return steps
}

// afterMark returns the number of the first term after those with a mark.
func (t *terms) afterMark(mark string) int {
	return t.words.search(func(have []byte) bool { return len(have) == 0 || have[0] > mark[0] })
}

// termWriter builds the dictionary from words given in order, each followed by its entries in the
// order of fields.
type termWriter struct {
	words  tableWriter
	start  []uint32
	fields []uint16
	lists  postingsWriter
}

// expect allocates space for a number of words with their total bytes, entries and documents of the
// entries.
func (w *termWriter) expect(words, bytes, entries, docs int) {
	w.words.size = shortBlock
	w.words.expect(words, bytes)
	w.start = make([]uint32, 0, words+1)
	w.fields = make([]uint16, 0, entries)
	w.lists.expect(entries, docs)
}

func (w *termWriter) word(text []byte) {
	w.words.add(text)
	w.start = append(w.start, uint32(len(w.fields)))
}

func (w *termWriter) entry(field uint16, docs []uint32) {
	w.fields = append(w.fields, field)
	w.lists.add(docs)
}

func (w *termWriter) finish() *terms {
	w.start = append(w.start, uint32(len(w.fields)))
	t := &terms{words: w.words.finish(), start: exact(w.start), fields: exact(w.fields), lists: w.lists.finish()}
	t.stem()
	return t
}

// stem computes the stems of the words.
func (t *terms) stem() {
	type pair struct {
		stem string
		word uint32
	}
	var pairs []pair
	for it := t.words.from(0); it.next(); {
		if !analysis.MayStem(it.text) {
			continue
		}
		word := string(it.text)
		if stem := analysis.Stem(word); stem != word {
			pairs = append(pairs, pair{stem, uint32(it.index)})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(strings.Compare(a.stem, b.stem), cmp.Compare(a.word, b.word)) })
	var w tableWriter
	t.stemStart = []uint32{}
	for i, p := range pairs {
		if i == 0 || pairs[i-1].stem != p.stem {
			w.add([]byte(p.stem))
			t.stemStart = append(t.stemStart, uint32(i))
		}
		t.stemWords = append(t.stemWords, p.word)
	}
	t.stemStart = exact(append(t.stemStart, uint32(len(pairs))))
	t.stemWords = exact(t.stemWords)
	t.stems = w.finish()
}
