package query

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/regexpsize"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// Limits of the regular expressions of a query.
const (
	maxRegexpBytes = 256 // of each
	maxProgram     = 300 // of all together, in the unit of regexpsize
)

// regexp parses a regular expression between slashes. Its syntax is that of Lucene without the
// optional operators: . | ( ) [ ] ? * + {n,m}, and a backslash that escapes the next character.
func (p *parser) regexp(field string) (*Node, error) {
	start := p.at
	var text strings.Builder
	for p.at++; p.at < len(p.text) && p.text[p.at] != '/'; p.at++ {
		if p.text[p.at] == '\\' && p.at+1 < len(p.text) {
			text.WriteByte('\\')
			p.at++
		}
		text.WriteByte(p.text[p.at])
	}
	if p.at >= len(p.text) {
		return nil, p.errorf("a closing / is missing; \\/ is the character")
	}
	p.at++
	folded := analysis.Fold(text.String())
	if len(folded) > maxRegexpBytes {
		return nil, p.errorf("a regular expression has at most %d bytes, not %d", maxRegexpBytes, len(folded))
	}
	if sign := unsupported(folded); sign != "" {
		p.at = start
		return nil, p.errorf("%s is not supported in a regular expression", sign)
	}
	tree, err := syntax.Parse(folded, syntax.Perl)
	if err != nil {
		p.at = start
		return nil, p.errorf("is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	size := regexpsize.Of(tree)
	if p.program += size; p.program > maxProgram {
		return nil, p.errorf("regular expressions compile to more than %d instructions together: repeat less", maxProgram)
	}
	return &Node{Op: Regexp, Field: field, Text: folded, Program: size}, nil
}

// unsupported returns the first part of a regular expression that has another meaning, or none, in
// Lucene. It is empty for none.
func unsupported(text string) string {
	inClass := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if r, _ := utf8.DecodeRuneInString(text[i:]); unicode.IsLetter(r) || unicode.IsDigit(r) {
				return `\` + string(r)
			}
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case strings.IndexByte("~&<>@#\"^$", c) >= 0:
			return string(rune(c))
		case strings.HasPrefix(text[i:], "(?"):
			return "(?"
		}
	}
	return ""
}
