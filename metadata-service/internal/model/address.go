package model

import (
	"strings"
	"unicode"
)

// badAddress says what keeps a text from being an address that pages show as a
// link or an image, empty for nothing. With a scheme that is http or https alone:
// others run as scripts (javascript, vbscript, data) or open programs when
// somebody follows them. Without one it is relative to the page, as addresses of
// pictures that come with a client are, and harmless. That an address leads
// somewhere is not asked: what people and pipelines write is taken as it is.
//
// A scheme is looked for as browsers do, who leave out white space around the
// text. They leave out tabs and line feeds within it as well, which is why an
// address has no control characters.
func badAddress(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		return "must be an address without control characters"
	}
	switch scheme := strings.ToLower(schemeOf(strings.TrimSpace(text))); scheme {
	case "", "http", "https":
		return ""
	default:
		return "must be an address of the scheme http or https, or without a scheme"
	}
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
