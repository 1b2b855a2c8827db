package roaring

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// phraseMatcher searches texts for a phrase. Splitting a text into pieces is slow, so a comparison
// of letters first excludes texts that cannot contain the phrase.
type phraseMatcher struct {
	pieces   [][]byte
	byPrefix bool     // the last piece may be a prefix
	verbatim [][]byte // words of a quoted text, folded, if one of them has punctuation
	folded   []byte
}

func newPhraseMatcher(a *clause) *phraseMatcher {
	r := &phraseMatcher{byPrefix: a.byPrefix}
	for _, piece := range a.pieces {
		r.pieces = append(r.pieces, []byte(piece))
	}
	for _, word := range a.verbatim {
		r.verbatim = append(r.verbatim, []byte(word))
	}
	return r
}

// matches reports whether a text contains the phrase.
func (r *phraseMatcher) matches(text []byte) bool {
	possible, sure := r.matchLetters(text)
	if possible && !sure {
		possible = r.matchPieces(text)
	}
	return possible && (len(r.verbatim) == 0 || r.matchVerbatim(text))
}

// matchPieces searches the pieces of a text for those of the phrase.
func (r *phraseMatcher) matchPieces(text []byte) bool {
	sequence := analysis.Sequence(string(text))
	last := len(r.pieces) - 1
	for i := 0; i+last < len(sequence); i++ {
		same := true
		for j, piece := range r.pieces {
			have := sequence[i+j]
			if have != string(piece) && !(j == last && r.byPrefix && strings.HasPrefix(have, string(piece))) {
				same = false
				break
			}
		}
		if same {
			return true
		}
	}
	return false
}

// matchVerbatim searches for the words of the quoted text with their punctuation. The characters
// between words may differ, but must not be letters or digits.
func (r *phraseMatcher) matchVerbatim(text []byte) bool {
	folded := foldBytes(text)
	for from := 0; ; {
		at := bytes.Index(folded[from:], r.verbatim[0])
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRune(folded[:at])
		if (at == 0 || !isWordRune(before)) && r.verbatimEnds(folded, at) {
			return true
		}
		from = at + 1
	}
}

// verbatimEnds reports whether the words are at an offset of a text, and no letter or digit follows
// the last one.
func (r *phraseMatcher) verbatimEnds(folded []byte, at int) bool {
	for i, word := range r.verbatim {
		if i > 0 {
			at += len(folded[at:]) - len(bytes.TrimLeftFunc(folded[at:], func(c rune) bool { return !isWordRune(c) }))
		}
		if !bytes.HasPrefix(folded[at:], word) {
			return false
		}
		at += len(word)
	}
	after, _ := utf8.DecodeRune(folded[at:])
	return at == len(folded) || !isWordRune(after)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// matchLetters reports whether the pieces follow each other in a text with only punctuation between
// them (possible), and whether they are certainly pieces (sure). Parts of words and capital letters
// are uncertain. So are texts with non-ASCII characters.
func (r *phraseMatcher) matchLetters(text []byte) (possible, sure bool) {
	r.folded = r.folded[:0]
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return true, false
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		r.folded = append(r.folded, b)
	}
	for at := 0; ; at++ {
		i := bytes.Index(r.folded[at:], r.pieces[0])
		if i < 0 {
			return possible, false
		}
		at += i
		end, separated := r.followedBy(at + len(r.pieces[0]))
		if end == 0 {
			continue
		}
		possible = true
		begins := at == 0 || !isLetterOrDigit(r.folded[at-1])
		ends := end == len(text) || r.byPrefix || !isLetterOrDigit(r.folded[end])
		if begins && ends && separated && bytes.Equal(text[at:end], r.folded[at:end]) {
			return true, true
		}
	}
}

// followedBy returns the offset at which the other pieces end, 0 when they do not follow, and
// reports whether all of them are separated.
func (r *phraseMatcher) followedBy(at int) (end int, separated bool) {
	separated = true
	for _, piece := range r.pieces[1:] {
		before := at
		for at < len(r.folded) && !isLetterOrDigit(r.folded[at]) {
			at++
		}
		if !bytes.HasPrefix(r.folded[at:], piece) {
			return 0, false
		}
		separated = separated && at > before
		at += len(piece)
	}
	return at, separated
}

func isLetterOrDigit(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

// phrase finds values with consecutive pieces: it reads the values that contain all of them one by
// one. A last piece that may be a prefix is looked up only in these values.
func (m *match) phrase(a *clause) *roaring.Bitmap {
	f := m.collect(a)
	t := m.view.terms
	found := map[uint16]*roaring.Bitmap{}
	whole := a.pieces
	if a.byPrefix {
		whole = whole[:len(whole)-1]
	}
	only := !slices.ContainsFunc(whole, func(piece string) bool { return !analysis.IsStopWord(piece) })
	searched := 0
	for _, piece := range distinct(whole) {
		if !only && analysis.IsStopWord(piece) {
			continue // not every field contains stop words
		}
		searched++
		i, ok := t.find(piece)
		if !ok {
			return f.finish()
		}
		inFields := map[uint16]*roaring.Bitmap{}
		for e := t.start[i]; e < t.start[i+1]; e++ {
			field := t.fields[e]
			if f.uses[field] == nil {
				continue
			}
			before, known := found[field]
			if !known {
				if searched > 1 {
					continue // an earlier piece is not in this field
				}
				before = m.set
			}
			l := t.lists.at(int(e))
			if !m.reserved.take(m.ctx, perClause/2+l.len()/perAndDoc) {
				return f.finish()
			}
			if set := and(before, setOf(l)); !set.IsEmpty() {
				inFields[field] = set
			}
		}
		found = inFields
	}
	for _, field := range slices.Sorted(maps.Keys(found)) {
		if !m.charge(perPhraseText * int(found[field].GetCardinality())) {
			break
		}
		if rows := m.phraseIn(int(field), found[field], a); !rows.IsEmpty() {
			f.add(int(field), postings{set: rows}, 1)
		}
	}
	return f.finish()
}

// distinct returns the pieces of a phrase in order, without duplicates.
func distinct(pieces []string) []string {
	seen := make(map[string]bool, len(pieces))
	out := make([]string, 0, len(pieces))
	for _, piece := range pieces {
		if !seen[piece] {
			seen[piece] = true
			out = append(out, piece)
		}
	}
	return out
}

func (m *match) phraseIn(field int, set *roaring.Bitmap, a *clause) *roaring.Bitmap {
	c := m.view.columns[field]
	urns := m.view.names[field] == urnField
	found := roaring.New()
	// If many documents share a value, it is read once.
	var results map[uint32]bool
	if c.len()*2 < m.view.n {
		results = map[uint32]bool{}
	}
	phrase, form := newPhraseMatcher(a), m.form(field)
	var buf []byte
	holds := func(value uint32) bool {
		if has, seen := results[value]; seen {
			return has
		}
		buf = c.text.at(int(value), buf)
		has := phrase.matches(buf) && !form.names(buf)
		if results != nil {
			results[value] = has
		}
		return has
	}
	eachRunUntil(m.ctx, set, func(docs []uint32) {
		for i, doc := range docs {
			if cancelled(m.ctx, i) {
				return
			}
			if urns {
				if buf = m.view.urns.at(int(doc), buf); phrase.matches(buf) {
					found.Add(doc)
				}
				continue
			}
			from, to := c.span(doc)
			for place := from; place < to; place++ {
				if holds(c.value(place)) {
					found.Add(doc)
					break
				}
			}
		}
	})
	return found
}
