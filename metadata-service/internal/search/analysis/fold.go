package analysis

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// baseLetters are letters that Unicode does not take apart into a base and a mark.
var baseLetters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'þ': "th", 'ħ': "h", 'ı': "i", 'ŋ': "n",
}

// Fold makes texts that differ in case and accents only equal.
func Fold(text string) string {
	lower := -1
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return foldRunes(text)
		}
		if lower < 0 && 'A' <= text[i] && text[i] <= 'Z' {
			lower = i
		}
	}
	if lower < 0 {
		return text
	}
	return strings.ToLower(text)
}

func foldRunes(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(text, "\uFFFD")) {
		r = unicode.ToLower(r)
		if plain, ok := baseLetters[r]; ok {
			out.WriteString(plain)
			continue
		}
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// CompareFolded orders texts by their folded forms, byte by byte. Texts are folded as far as
// their forms agree, so that most comparisons cost little however long the texts are.
func CompareFolded(a, b []byte) int {
	i := 0
	for ; i < len(a) && i < len(b); i++ {
		x, y := a[i], b[i]
		if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
			if isControlPicture(a[i:]) && isControlPicture(b[i:]) && a[i+2] == b[i+2] {
				i += 2
				continue
			}
			break
		}
		if x, y = lowerByte(x), lowerByte(y); x != y {
			return int(x) - int(y)
		}
	}
	left, right := folding{rest: a[i:]}, folding{rest: b[i:]}
	for {
		x, y := left.next(), right.next()
		n := min(len(x), len(y))
		if n == 0 {
			return len(x) - len(y)
		}
		if order := bytes.Compare(x[:n], y[:n]); order != 0 {
			return order
		}
		left.take(n)
		right.take(n)
	}
}

// CompareToFolded is CompareFolded of a text and one that is folded already, as is worth it for
// a text that is looked for among many.
func CompareToFolded(text, folded []byte) int {
	left := folding{rest: text}
	for {
		x := left.next()
		n := min(len(x), len(folded))
		if n == 0 {
			return len(x) - len(folded)
		}
		if order := bytes.Compare(x[:n], folded[:n]); order != 0 {
			return order
		}
		left.take(n)
		folded = folded[n:]
	}
}

// HasFoldedPrefix reports whether the folded form of a text begins with a folded text.
func HasFoldedPrefix(text, folded []byte) bool {
	left := folding{rest: text}
	for len(folded) > 0 {
		x := left.next()
		n := min(len(x), len(folded))
		if n == 0 || !bytes.Equal(x[:n], folded[:n]) {
			return false
		}
		left.take(n)
		folded = folded[n:]
	}
	return true
}

// folding gives the folded form of a text piece by piece.
type folding struct {
	rest  []byte // not folded yet
	piece []byte // folded and not taken
	space [pieceBytes]byte
}

// pieceBytes is about how much of a text is folded at a time.
const pieceBytes = 32

// next is the next piece, empty at the end of the text. It stays the same until it is taken.
func (f *folding) next() []byte {
	for len(f.piece) == 0 && len(f.rest) > 0 {
		n := 0
		for n < len(f.rest) && n < pieceBytes && f.rest[n] < utf8.RuneSelf {
			f.space[n] = lowerByte(f.rest[n])
			n++
		}
		if f.piece = f.space[:n]; n == 0 {
			n = boundary(f.rest)
			f.piece = []byte(foldRunes(string(f.rest[:n])))
		}
		f.rest = f.rest[n:]
	}
	return f.piece
}

// take drops bytes from the front of the piece.
func (f *folding) take(n int) { f.piece = f.piece[n:] }

// boundary is where a text that does not begin with a plain letter can be cut: what is before is
// folded as if nothing followed, and the other way round.
func boundary(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		invalid := r == utf8.RuneError && size == 1 // several of these become one
		if n >= pieceBytes && !invalid && (r < utf8.RuneSelf || norm.NFKD.Properties(text[n:]).BoundaryBefore()) {
			break
		}
		n += size
	}
	return n
}

// isControlPicture tells whether a text begins with one of the control pictures, U+2400 to U+243F,
// which join the parts of a value. They fold to themselves whatever is behind them.
func isControlPicture(text []byte) bool {
	return len(text) > 2 && text[0] == 0xE2 && text[1] == 0x90 && text[2]&0xC0 == 0x80
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
