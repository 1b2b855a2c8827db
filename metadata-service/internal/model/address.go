package model

import (
	"strings"
	"unicode"
)

// badAddress returns the rule that a text breaks as an address that pages may show as a link or an
// image. It is empty for a good address. Schemes that run code on the page are refused. All others
// are stored, since organisations link to shares, mail, buckets and programs; the pages decide
// which addresses become links. An address without a scheme is relative to the page, as are the
// addresses of pictures built into a client. The existence of the target is not checked.
//
// The scheme is parsed as in browsers, which ignore white space around the text. They also ignore
// tabs and line feeds within it, so an address must not have control characters.
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

// schemeOf returns the text before the first colon if it can be a scheme: a letter followed by
// letters, digits, +, - and dots. Otherwise it returns an empty text.
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
