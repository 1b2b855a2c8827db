package model

import (
	"strings"
	"unicode"
)

// badAddress says what keeps a text from being an address that pages may show as a
// link or an image, empty for nothing. Schemes that run code on the page are refused.
// All others are stored, since organisations link to shares, mail, buckets and
// programs; pages decide which of them they make links. Without a scheme an address is
// relative to the page, as addresses of pictures that come with a client are. Whether an
// address leads somewhere is not checked.
//
// A scheme is looked for as browsers do, who leave out white space around the
// text. They leave out tabs and line feeds within it as well, which is why an
// address has no control characters.
func badAddress(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		return "must be an address without control characters"
	}
	switch scheme := strings.ToLower(schemeOf(strings.TrimSpace(text))); scheme {
	case "javascript", "data", "vbscript":
		return "must be an address of a scheme that runs no code, not of " + scheme
	}
	return ""
}

// schemeOf is what stands before the first colon if it can be a scheme: a letter
// followed by letters, digits, +, - and dots.
func schemeOf(text string) string {
	for i, c := range []byte(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		switch {
		case c == ':':
			return text[:i]
		case letter, i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return ""
		}
	}
	return ""
}
