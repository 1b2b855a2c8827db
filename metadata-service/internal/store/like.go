package store

import (
	"strings"
	"unicode/utf8"
)

// Like matches a LIKE pattern against a whole text. Its time is proportional to the product of the
// lengths: on a mismatch it returns to the last % only.
func Like(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '%':
			star, mark = p, t
			p++
		case p < len(pattern) && pattern[p] == '_':
			_, size := utf8.DecodeRuneInString(text[t:])
			p++
			t += size
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			_, size := utf8.DecodeRuneInString(text[mark:])
			mark += size
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "%") == ""
}

// LikePrefix returns the common prefix of all texts that a LIKE pattern matches.
func LikePrefix(pattern string) string {
	return pattern[:strings.IndexAny(pattern+"%", "%_")]
}
