package roaring

import (
	"context"
	"slices"
	"unicode/utf8"
)

// maxFuzzyWords is the maximum number of words that match one word with typing errors.
const maxFuzzyWords = 64

// fuzzy returns the words within an edit distance of a word: letters left out, added, changed, or
// swapped with their neighbour, at most that many in total. It stops at maxFuzzyWords. With a
// distance of one, and for words longer than five letters, the first letter must match: it is
// usually correct, and this avoids a walk of most of the dictionary. If accept is not nil, words for
// which it returns false are left out.
func (t *terms) fuzzy(ctx context.Context, word string, most int, accept func(i int) bool) []uint32 {
	want := []rune(word)
	first := ""
	if most == 1 || len(want) > 5 {
		first = string(want[:1])
	}
	d := &editDistance{target: want, limit: most}
	from := t.afterMark(compoundMark)
	if first != "" {
		from = t.words.search(func(have []byte) bool { return string(have) >= first })
	}
	var words []uint32
	for it := t.words.from(from); it.next() && len(words) < maxFuzzyWords && !cancelled(ctx, it.index); {
		if len(it.text) < len(first) || string(it.text[:len(first)]) != first {
			break
		}
		if d.within(it.text) && (accept == nil || accept(it.index)) {
			words = append(words, uint32(it.index))
		}
	}
	return words
}

// dictionary is the set of counted words of a segment: the words that a visible document has in a
// field that is not excluded.
type dictionary struct {
	*segment
	visible  *bitmap // nil for all documents, including deleted ones
	excluded *excludedFields
}

// frequency counts the entries of a word.
func (d dictionary) frequency(word int) int {
	n, t := 0, d.terms
	for e := t.start[word]; e < t.start[word+1]; e++ {
		switch {
		case d.excluded.has(d.names[t.fields[e]]):
		case d.visible == nil:
			n += t.lists.at(int(e)).len()
		default:
			n += t.lists.at(int(e)).countIn(d.visible)
		}
	}
	return n
}

// has reports whether a word is counted.
func (d dictionary) has(word int) bool {
	t := d.terms
	for e := t.start[word]; e < t.start[word+1]; e++ {
		if !d.excluded.has(d.names[t.fields[e]]) && (d.visible == nil || t.lists.at(int(e)).intersects(d.visible)) {
			return true
		}
	}
	return false
}

// similar returns the counted words within an edit distance of a word, up to the limit of fuzzy.
// Other words do not use up the limit.
func (d dictionary) similar(ctx context.Context, word string, most int) []uint32 {
	if d.visible == nil && d.excluded == nil {
		return d.terms.fuzzy(ctx, word, most, nil)
	}
	return d.terms.fuzzy(ctx, word, most, d.has)
}

// similarIn returns the words of several dictionaries within an edit distance of a word, sorted.
// The result does not depend on the distribution of the documents over segments.
func similarIn(ctx context.Context, all []dictionary, word string, most int) []string {
	var words []string
	for _, d := range all {
		for _, i := range d.similar(ctx, word, most) {
			words = append(words, d.terms.words.string(int(i)))
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxFuzzyWords)]
}

// editDistance computes edit distances of texts in sorted order. Rows of shared prefixes are
// computed once.
type editDistance struct {
	target  []rune
	limit   int
	rows    [][]int
	prefix  []rune
	deadEnd int // length of the prefix from which all rows exceed the limit, 0 for none
}

// within reports whether a text is within the distance limit.
func (d *editDistance) within(text []byte) bool {
	n := utf8.RuneCount(text)
	if n > len(d.target)+d.limit || n < len(d.target)-d.limit {
		return false
	}
	if d.rows == nil {
		row := make([]int, len(d.target)+1)
		for i := range row {
			row[i] = i
		}
		d.rows = [][]int{row}
	}
	shared, at := 0, 0
	for shared < len(d.prefix) && at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r != d.prefix[shared] {
			break
		}
		shared++
		at += size
	}
	if d.deadEnd > 0 && shared >= d.deadEnd {
		return false
	}
	d.deadEnd = 0
	d.prefix = d.prefix[:shared]
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		d.prefix = append(d.prefix, r)
		if !d.step() {
			d.deadEnd = len(d.prefix)
			return false
		}
	}
	return d.rows[len(d.prefix)][len(d.target)] <= d.limit
}

// step computes the row of the last letter and reports whether longer texts may still be within the
// limit.
func (d *editDistance) step() bool {
	n := len(d.prefix)
	if len(d.rows) <= n {
		d.rows = append(d.rows, make([]int, len(d.target)+1))
	}
	row, before := d.rows[n], d.rows[n-1]
	row[0] = n
	best := n
	for i := 1; i <= len(d.target); i++ {
		cost := 1
		if d.target[i-1] == d.prefix[n-1] {
			cost = 0
		}
		row[i] = min(before[i]+1, row[i-1]+1, before[i-1]+cost)
		if n > 1 && i > 1 && d.target[i-1] == d.prefix[n-2] && d.target[i-2] == d.prefix[n-1] {
			row[i] = min(row[i], d.rows[n-2][i-2]+1)
		}
		best = min(best, row[i])
	}
	// A swap may still reduce the distance by one.
	return best <= d.limit || n > 1 && minOf(before)+1 <= d.limit
}

func minOf(row []int) int {
	least := row[0]
	for _, n := range row {
		least = min(least, n)
	}
	return least
}
