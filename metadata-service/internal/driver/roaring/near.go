package roaring

import (
	"context"
	"unicode/utf8"
)

// maxNear bounds the words that one word with typing errors stands for.
const maxNear = 64

// near lists words that differ from a word in at most some letters left out,
// added, changed, or swapped with their neighbour. The first letter is taken to
// be right when only one may be wrong: it mostly is, and it saves most of the
// dictionary.
func (t *terms) near(ctx context.Context, word string, most int) []uint32 {
	want := []rune(word)
	first := ""
	if most == 1 || len(want) > 5 {
		first = string(want[:1])
	}
	d := &distance{want: want, most: most}
	from := t.behind(compoundMark)
	if first != "" {
		from = t.words.search(func(have []byte) bool { return string(have) >= first })
	}
	var words []uint32
	for it := t.words.from(from); it.next() && len(words) < maxNear && !ended(ctx, it.index); {
		if len(it.text) < len(first) || string(it.text[:len(first)]) != first {
			break
		}
		if d.within(it.text) {
			words = append(words, uint32(it.index))
		}
	}
	return words
}

// distance computes edit distances of texts that come in order, so that rows of
// beginnings they share are computed once.
type distance struct {
	want []rune
	most int
	rows [][]int
	have []rune
	dead int // rows from here on, if above zero, are beyond the limit
}

// within tells whether a text is near enough.
func (d *distance) within(text []byte) bool {
	n := utf8.RuneCount(text)
	if n > len(d.want)+d.most || n < len(d.want)-d.most {
		return false
	}
	if d.rows == nil {
		row := make([]int, len(d.want)+1)
		for i := range row {
			row[i] = i
		}
		d.rows = [][]int{row}
	}
	shared, at := 0, 0
	for shared < len(d.have) && at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r != d.have[shared] {
			break
		}
		shared++
		at += size
	}
	if d.dead > 0 && shared >= d.dead {
		return false
	}
	d.dead = 0
	d.have = d.have[:shared]
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		d.have = append(d.have, r)
		if !d.step() {
			d.dead = len(d.have)
			return false
		}
	}
	return d.rows[len(d.have)][len(d.want)] <= d.most
}

// step computes the row of the last letter and tells whether it may still do.
func (d *distance) step() bool {
	n := len(d.have)
	if len(d.rows) <= n {
		d.rows = append(d.rows, make([]int, len(d.want)+1))
	}
	row, before := d.rows[n], d.rows[n-1]
	row[0] = n
	best := n
	for i := 1; i <= len(d.want); i++ {
		cost := 1
		if d.want[i-1] == d.have[n-1] {
			cost = 0
		}
		row[i] = min(before[i]+1, row[i-1]+1, before[i-1]+cost)
		if n > 1 && i > 1 && d.want[i-1] == d.have[n-2] && d.want[i-2] == d.have[n-1] {
			row[i] = min(row[i], d.rows[n-2][i-2]+1)
		}
		best = min(best, row[i])
	}
	// A swap may still take one letter back.
	return best <= d.most || n > 1 && minOf(before)+1 <= d.most
}

func minOf(row []int) int {
	least := row[0]
	for _, n := range row {
		least = min(least, n)
	}
	return least
}
