package analysis

import (
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

// CompareFolded orders texts by their folded forms, byte by byte. Plain letters
// fold each by itself, so the first plain difference decides.
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
	if isASCII(a[i:]) && isASCII(b[i:]) {
		return len(a) - len(b)
	}
	return strings.Compare(Fold(string(a[i:])), Fold(string(b[i:])))
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

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
