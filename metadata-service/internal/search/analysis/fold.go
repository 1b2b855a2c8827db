package analysis

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// baseLetters are letters that Unicode does not decompose into a base and a mark.
var baseLetters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'þ': "th", 'ħ': "h", 'ı': "i", 'ŋ': "n",
}

// Fold returns a form that is equal for texts which differ in case and accents only.
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
		if isPlain(r) {
			out.WriteRune(r)
			continue
		}
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

// isPlain reports whether a character certainly has neither a mark nor case: parts of Hangul and
// Han, which often form long texts.
func isPlain(r rune) bool { return 0x1100 <= r && r <= 0x11FF || 0x4E00 <= r && r <= 0x9FFF }

// CompareFolded orders texts by their folded forms, byte by byte. It folds texts only as far as
// their forms are equal, so that most comparisons cost little even for long texts.
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

// Sought is a text to compare with many others. It is folded only as far as comparisons need, and
// each part once. It is not safe for concurrent use.
type Sought struct {
	text   []byte
	rest   folding
	folded []byte // the part folded so far
}

// Seek returns a Sought for a text, folded or not. The text must not change.
func Seek(text []byte) *Sought { return &Sought{text: text, rest: folding{rest: text}} }

// from returns the folded text from a position on, at least one byte. It is empty at the end of the
// text.
func (s *Sought) from(at int) []byte {
	for len(s.folded) <= at {
		piece := s.rest.next()
		if len(piece) == 0 {
			return nil
		}
		s.folded = append(s.folded, piece...)
		s.rest.take(len(piece))
	}
	return s.folded[at:]
}

// plain compares the leading ASCII characters of a text and the sought text, each of which folds by
// itself. It returns the number of equal ones, and the order if the next one decides it.
func (s *Sought) plain(text []byte) (agree, order int) {
	n := min(len(text), len(s.text))
	for i := range n {
		x, y := text[i], s.text[i]
		if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
			return i, 0
		}
		if x, y = lowerByte(x), lowerByte(y); x != y {
			return i, int(x) - int(y)
		}
	}
	switch {
	case n < len(text) && text[n] < utf8.RuneSelf:
		return n, 1
	case n < len(s.text) && s.text[n] < utf8.RuneSelf:
		return n, -1
	}
	return n, 0
}

// Compare orders a text and the sought text as CompareFolded does.
func (s *Sought) Compare(text []byte) int {
	at, order := s.plain(text)
	if order != 0 || at == len(text) && at == len(s.text) {
		return order
	}
	left := folding{rest: text[at:]}
	for {
		x, y := left.next(), s.from(at)
		n := min(len(x), len(y))
		if n == 0 {
			return len(x) - len(y)
		}
		if order := bytes.Compare(x[:n], y[:n]); order != 0 {
			return order
		}
		left.take(n)
		at += n
	}
}

// Begins reports whether the folded form of a text begins with that of the sought text.
func (s *Sought) Begins(text []byte) bool {
	at, order := s.plain(text)
	if at == len(s.text) {
		return true
	}
	if order != 0 {
		return false
	}
	left := folding{rest: text[at:]}
	for {
		y := s.from(at)
		if len(y) == 0 {
			return true
		}
		x := left.next()
		n := min(len(x), len(y))
		if n == 0 || !bytes.Equal(x[:n], y[:n]) {
			return false
		}
		left.take(n)
		at += n
	}
}

// folding folds a text piece by piece.
type folding struct {
	rest  []byte // not folded yet
	piece []byte // folded and not yet consumed
	space [pieceBytes]byte
}

// pieceBytes is the approximate number of bytes folded at a time.
const pieceBytes = 32

// next returns the next piece, empty at the end of the text. It stays the same until take consumes
// it.
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

// take removes bytes from the front of the piece.
func (f *folding) take(n int) { f.piece = f.piece[n:] }

// boundary returns the position at which a text that does not begin with an ASCII character can be
// cut, so that both parts can be folded separately.
func boundary(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		invalid := r == utf8.RuneError && size == 1 // a sequence of these becomes one character
		if n >= pieceBytes && !invalid && (r < utf8.RuneSelf || norm.NFKD.Properties(text[n:]).BoundaryBefore()) {
			break
		}
		n += size
	}
	return n
}

// isControlPicture reports whether a text begins with a control picture, U+2400 to U+243F. These
// join the parts of a value, and fold to themselves regardless of the following text.
func isControlPicture(text []byte) bool {
	return len(text) > 2 && text[0] == 0xE2 && text[1] == 0x90 && text[2]&0xC0 == 0x80
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
