package query

import "strings"

// word parses a word, with a field in front of it and suffixes behind it.
func (p *parser) word(field string) (*Node, error) {
	if strings.HasPrefix(p.text[p.at:], "urn:li:") {
		return &Node{Op: Word, Field: field, Text: p.urn()}, nil
	}
	var text strings.Builder
	escaped, wild := false, false
	start := p.at
	for ; p.at < len(p.text) && !p.endsWord(start); p.at++ {
		c := p.text[p.at]
		switch {
		case c == '\\' && p.at+1 < len(p.text):
			p.at++
			escaped = true
			c = p.text[p.at]
		case c == ':' && field == "" && !escaped && p.field(text.String()):
			p.at++
			return p.fieldValue(text.String())
		case c == ':' && field == "" && !escaped && p.Structured:
			return nil, p.errorf("in front of : a field is named, without * and ?; \\: is the character")
		case c == '^' && p.Structured:
			return nil, p.errorf("^ (a boost) is not supported; \\^ is the character")
		case c == '~':
			here := p.at
			if n, _ := p.fuzziness(); p.at >= len(p.text) || p.endsWord(start) {
				return p.finish(field, text.String(), wild, n)
			}
			p.at = here
		case c == '*' || c == '?' && p.Structured:
			wild = true
		}
		text.WriteByte(c)
	}
	return p.finish(field, text.String(), wild, 0)
}

// endsWord reports whether a word that began at start ends here.
func (p *parser) endsWord(start int) bool {
	switch p.text[p.at] {
	case ' ', '\t', '\n', '\r', '\v', '\f', '|':
		return true
	case ')':
		return p.Structured || p.depth > 1
	case '(', '"':
		return p.Structured && p.at > start
	}
	return false
}

// field reports whether a text before a colon is the name of a field.
func (p *parser) field(name string) bool {
	if name == "" || strings.ContainsAny(name, "*?\"()") {
		return false
	}
	return p.Structured || p.Known != nil && p.Known(name)
}

// urn consumes a URN: up to the next white space outside its parentheses, or to a closing
// parenthesis that it did not open.
func (p *parser) urn() string {
	start, open := p.at, 0
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '(':
			open++
		case ')':
			if open == 0 {
				return p.text[start:p.at]
			}
			open--
		case ' ', '\t', '\n', '\r':
			if open == 0 {
				return p.text[start:p.at]
			}
		}
	}
	return p.text[start:p.at]
}

func (p *parser) finish(field, text string, wild bool, fuzz int) (*Node, error) {
	if text == "" {
		if p.Structured {
			return nil, p.errorf("a word is missing")
		}
		if p.at < len(p.text) {
			p.at++ // a quote or parenthesis without a meaning
		}
		return nil, nil
	}
	node := &Node{Op: Word, Field: field, Text: text, Fuzz: fuzz}
	begin, single := strings.CutSuffix(text, "*")
	switch {
	case !wild:
	case strings.Trim(text, "*") == "":
		node.Op = Wildcard
		if node.Text = "*"; field == "" {
			node.Op = All
		}
	case single && !strings.ContainsAny(begin, "*?"):
		node.Op, node.Text = Prefix, begin
	case p.Structured:
		node.Op = Wildcard
	default:
		node.Text = strings.ReplaceAll(text, "*", " ")
	}
	return node, nil
}
