// Package analysis splits texts into the words by which an index finds them.
//
// A text is split into chunks at white space and at ( ) , . / : and a chunk into pieces at every
// character that is neither letter nor digit, and where lower case changes to upper case. So
// shop.orders_dailyTotals has the chunks shop and orders_dailyTotals. The second has the pieces
// orders, daily and totals, and is itself a word, unchanged and with the pieces joined
// (ordersdailytotals, which is also the folded form of ordersDailyTotals). Words are folded:
// without case and accents. Stemming and stop words are left to the caller: stop words are kept
// here, since prefixes, phrases and identifiers need them.
package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on the words of a text.
const (
	MaxWordBytes = 128    // longer words are cut
	MaxWords     = 10_000 // in one text; further ones are dropped
)

// Chunk is a part of a text between white space and separators.
type Chunk struct {
	Whole  string   // folded, with its inner punctuation
	Joined string   // the pieces without the characters between them; empty if equal to Whole
	Pieces []string // in order; a single one, equal to Whole, if the chunk has no parts
}

// Chunks splits a text. Chunks without a letter or digit are dropped.
func Chunks(text string) []Chunk {
	var chunks []Chunk
	walk(text, func(c *Chunk) {
		chunks = append(chunks, Chunk{Whole: c.Whole, Joined: c.Joined, Pieces: slices.Clone(c.Pieces)})
	})
	return chunks
}

// walk visits the chunks of a text. Each is valid during its visit only.
func walk(text string, visit func(*Chunk)) {
	var c Chunk
	words := 0
	for at := 0; at < len(text) && words <= MaxWords; {
		end, size := next(text, at, isSeparator)
		if c.cut(text[at:end], MaxWords-words+1) {
			visit(&c)
			words += len(c.Pieces) + 2
		}
		at = end + size
	}
}

// next returns the position and size of the first character at or behind from for which test is
// true. It returns the end of the text if there is none.
func next(text string, from int, test func(rune) bool) (at, size int) {
	for at = from; at < len(text); at += size {
		r, n := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[at:])
		}
		if size = n; test(r) {
			return at, size
		}
	}
	return at, 0
}

// Classes of ASCII characters, which are most of the input.
const (
	classSeparator = 1 << iota
	classWord
)

var classes = func() (table [utf8.RuneSelf]uint8) {
	for r := range rune(utf8.RuneSelf) {
		if strings.ContainsRune("(),./:", r) || unicode.IsSpace(r) {
			table[r] |= classSeparator
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			table[r] |= classWord
		}
	}
	return table
}()

func isSeparator(r rune) bool {
	if r < utf8.RuneSelf {
		return classes[r]&classSeparator != 0
	}
	return r == '\u241f' || unicode.IsSpace(r)
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return classes[r]&classWord != 0
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

func noWord(r rune) bool { return !isWord(r) }

// cut fills the chunk from a part of a text, with at most most pieces: a text of many megabytes can be
// one chunk. It returns false if the part has no letter or digit.
func (c *Chunk) cut(part string, most int) bool {
	part = strings.TrimFunc(part, noWord)
	c.Pieces, c.Joined = c.Pieces[:0], ""
	for at := 0; at < len(part) && len(c.Pieces) < most; {
		end, size := next(part, at, noWord)
		if end > at {
			c.Pieces = appendCamel(c.Pieces, part[at:end], most)
		}
		at = end + size
	}
	if len(c.Pieces) == 0 {
		return false
	}
	if len(c.Pieces) == 1 && len(c.Pieces[0]) == len(part) {
		c.Whole = c.Pieces[0] // there is no other character between or around its letters
		return true
	}
	c.Whole = foldWord(part)
	if len(c.Pieces) > 1 {
		if joined := join(c.Pieces); joined != c.Whole {
			c.Joined = joined
		}
	}
	return true
}

// join returns the pieces as one word, cut to MaxWordBytes.
func join(pieces []string) string {
	size, end := 0, 0
	for end < len(pieces) && size <= MaxWordBytes {
		size += len(pieces[end])
		end++
	}
	return truncate(strings.Join(pieces[:end], ""))
}

// appendCamel adds the pieces of a run of letters and digits until there are most: fooBar is foo and
// bar, HTTPServer is http and server. Digits stay with the preceding letters.
func appendCamel(pieces []string, run string, most int) []string {
	start := 0
	var before, last rune
	var lastAt int
	for i, r := range run {
		switch {
		case i == 0:
		case 'a' <= r && r <= 'z' && 'a' <= last && last <= 'z':
		case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)):
			pieces = appendPiece(pieces, run[start:i])
			start = i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before):
			pieces = appendPiece(pieces, run[start:lastAt])
			start = lastAt
		}
		if len(pieces) >= most {
			return pieces
		}
		before, last, lastAt = last, r, i
	}
	return appendPiece(pieces, run[start:])
}

func appendPiece(pieces []string, piece string) []string {
	if piece = foldWord(piece); piece != "" {
		return append(pieces, piece)
	}
	return pieces
}

// foldWord returns the folded form of a word, cut to MaxWordBytes. It folds only the needed part of
// the word, since one letter may fold to many.
func foldWord(word string) string {
	if len(word) <= MaxWordBytes/2 {
		return truncate(Fold(word))
	}
	f := folding{rest: []byte(word)}
	out := make([]byte, 0, 2*MaxWordBytes)
	for len(out) <= MaxWordBytes {
		piece := f.next()
		if len(piece) == 0 {
			break
		}
		out = append(out, piece...)
		f.take(len(piece))
	}
	return truncate(string(out))
}

// truncate cuts a word between characters.
func truncate(word string) string {
	if len(word) <= MaxWordBytes {
		return word
	}
	end := MaxWordBytes
	for end > 0 && !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

// Words returns the words of a text in order, with repetitions, the pieces of a chunk before its
// whole and joined forms. Without everything, stop words are dropped.
func Words(text string, everything bool) []string {
	var words []string
	Each(text, everything, func(word string, _ bool) { words = append(words, word) })
	return words
}

// Each visits the words of a text in the order of Words, and reports of each whether it is
// compound: the whole or joined form of several pieces.
func Each(text string, everything bool, visit func(word string, compound bool)) {
	add := func(word string, compound bool) {
		if everything || !IsStopWord(word) {
			visit(word, compound)
		}
	}
	walk(text, func(c *Chunk) {
		for _, piece := range c.Pieces {
			add(piece, false)
		}
		if len(c.Pieces) > 1 || c.Pieces[0] != c.Whole {
			add(c.Whole, true)
		}
		if c.Joined != "" {
			add(c.Joined, true)
		}
	})
}

// Sequence returns the pieces of a text in order, for phrases.
func Sequence(text string) []string {
	var pieces []string
	walk(text, func(c *Chunk) { pieces = append(pieces, c.Pieces...) })
	return pieces
}

// Pairs returns the pairs of adjacent pieces.
func Pairs(sequence []string) []string {
	var pairs []string
	for i := 1; i < len(sequence); i++ {
		pairs = append(pairs, Pair(sequence[i-1], sequence[i]))
	}
	return pairs
}

// Pair returns two adjacent pieces as one term, separated by a space.
func Pair(first, second string) string { return first + " " + second }

// IsStopWord reports whether a folded word has too little meaning to be required in a text of
// several words: articles and the like, and the first words of every URN.
func IsStopWord(word string) bool { return len(word) <= maxStopWordBytes && stopWords[word] }

// maxStopWordBytes is the length of the longest stop word.
const maxStopWordBytes = 5

var stopWords = func() map[string]bool {
	set := map[string]bool{"urn": true, "li": true}
	for word := range strings.FieldsSeq(`a an and are as at be but by for if in into is it no not of on or such
		that the their then there these they this to was will with`) {
		set[word] = true
	}
	return set
}()
