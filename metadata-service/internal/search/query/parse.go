package query

import (
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// parser is a recursive descent parser. at is the position of the next byte.
type parser struct {
	Options
	text    string
	at      int
	depth   int
	clauses int
	program int // size of the regular expressions so far
}

func (p *parser) parseAll() (*Node, error) {
	node, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.skipSpace(); p.at < len(p.text) {
		return nil, p.errorf("%q is not expected here", p.text[p.at:p.at+1])
	}
	return node, nil
}

func (p *parser) errorf(format string, args ...any) error {
	return fault.New(fault.Malformed, "query, at byte %d: "+format, append([]any{p.at + 1}, args...)...)
}

func (p *parser) skipSpace() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n\v\f", p.text[p.at]) >= 0 {
		p.at++
	}
}

// accept consumes one of the words if it is next and not part of a longer word.
func (p *parser) accept(words ...string) bool {
	p.skipSpace()
	for _, word := range words {
		rest, ok := strings.CutPrefix(p.text[p.at:], word)
		alone := rest == "" || strings.IndexByte(" \t\n(", rest[0]) >= 0
		if ok && (alone || word == "|") {
			p.at += len(word)
			return true
		}
	}
	return false
}

func (p *parser) or() (*Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorf("parentheses are nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	var children []*Node
	for {
		child, err := p.and()
		if err != nil {
			return nil, err
		}
		if child != nil {
			children = append(children, child)
		}
		if !p.accept("OR", "||", "|") {
			break
		}
	}
	switch len(children) {
	case 0:
		return nil, p.errorf("something to search for is missing")
	case 1:
		return children[0], nil
	}
	return &Node{Op: Or, Children: children}, nil
}

func (p *parser) and() (*Node, error) {
	node := &Node{Op: And}
	for {
		p.accept("AND", "&&")
		if p.skipSpace(); p.atGroupEnd() {
			break
		}
		child, err := p.unary()
		if err != nil {
			return nil, err
		}
		if child != nil {
			node.Children = append(node.Children, child)
		}
	}
	switch {
	case len(node.Children) == 0:
		return nil, nil
	case len(node.Children) == 1 && node.Children[0].Op != Not:
		return node.Children[0], nil
	}
	return node, nil
}

// atGroupEnd reports whether the list of required words ends here.
func (p *parser) atGroupEnd() bool {
	if p.at >= len(p.text) || p.text[p.at] == '|' || p.text[p.at] == ')' && (p.Structured || p.depth > 1) {
		return true
	}
	here := p.at
	over := p.accept("OR", "||")
	p.at = here
	return over
}

func (p *parser) unary() (*Node, error) {
	if p.clauses++; p.clauses > search.MaxClauses {
		return nil, tooMany()
	}
	negated, required := false, false
	switch {
	case p.accept("NOT"):
		negated = true
	case p.sign("-!"):
		negated = true
	case p.sign("+"):
		required = true
	}
	if p.skipSpace(); p.atGroupEnd() {
		if negated && p.Structured {
			return nil, p.errorf("the excluded expression is missing")
		}
		return nil, nil
	}
	child, err := p.primary("")
	if err != nil || child == nil {
		return child, err
	}
	if p.Structured && p.at < len(p.text) && p.text[p.at] == '^' {
		return nil, p.errorf("^ (a boost) is not supported; \\^ is the character")
	}
	if child.Required = required; negated {
		return &Node{Op: Not, Children: []*Node{child}}, nil
	}
	return child, nil
}

// sign consumes an operator directly in front of its word.
func (p *parser) sign(signs string) bool {
	if p.at+1 >= len(p.text) || strings.IndexByte(signs, p.text[p.at]) < 0 || strings.IndexByte(" \t\n", p.text[p.at+1]) >= 0 {
		return false
	}
	p.at++
	return true
}

func (p *parser) primary(field string) (*Node, error) {
	if p.Structured && field != "" {
		p.skipSpace()
	}
	if p.at >= len(p.text) {
		return nil, p.errorf("a value is missing behind %s:", field)
	}
	switch c := p.text[p.at]; {
	case c == '(':
		return p.group(field)
	case c == '"':
		return p.phrase(field)
	case (c == '[' || c == '{') && field != "":
		return p.valueRange(field)
	case !p.Structured:
	case c == '/':
		return p.regexp(field)
	case c == '[' || c == '{':
		return nil, p.errorf("a range needs a field in front of it, as rowCount:[1 TO 10]; \\%c is the character", c)
	case (c == '<' || c == '>') && field != "":
		return p.comparison(field)
	}
	return p.word(field)
}

// fieldValue parses the value behind the name of a field.
func (p *parser) fieldValue(name string) (*Node, error) {
	if name == existsField {
		return p.exists()
	}
	if p.Structured && !p.isKnown(name) {
		return nil, p.errorf("there is no field %q; \\: is the character", name)
	}
	return p.primary(name)
}

func (p *parser) isKnown(name string) bool { return p.Known == nil || p.Known(name) }

// existsField is the pseudo field that checks whether the field named by its value has any value.
const existsField = "_exists_"

func (p *parser) exists() (*Node, error) {
	p.skipSpace()
	start := p.at
	for p.at < len(p.text) && !p.endsWord(start) {
		p.at++
	}
	name := strings.Trim(p.text[start:p.at], `"`)
	switch {
	case name == "":
		return nil, p.errorf("a field is missing behind %s:", existsField)
	case !p.isKnown(name):
		return nil, p.errorf("there is no field %q", name)
	}
	return &Node{Op: Wildcard, Field: name, Text: "*"}, nil
}

// comparison parses a range with one end: >1, >=1, <1 or <=1.
func (p *parser) comparison(field string) (*Node, error) {
	below := p.text[p.at] == '<'
	p.at++
	open := p.at >= len(p.text) || p.text[p.at] != '='
	if !open {
		p.at++
	}
	p.skipSpace()
	start := p.at
	for p.at < len(p.text) && !p.endsWord(start) {
		p.at++
	}
	limit := limitOf(p.text[start:p.at])
	if limit == "" {
		return nil, p.errorf("a value to compare %s with is missing", field)
	}
	if below {
		return &Node{Op: Range, Field: field, High: limit, HighOpen: open}, nil
	}
	return &Node{Op: Range, Field: field, Low: limit, LowOpen: open}, nil
}

func (p *parser) group(field string) (*Node, error) {
	p.at++
	node, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.skipSpace(); p.at >= len(p.text) || p.text[p.at] != ')' {
		return nil, p.errorf("a closing parenthesis is missing")
	}
	p.at++
	inField(node, field)
	return node, nil
}

// inField sets the field of all nodes without one.
func inField(node *Node, field string) {
	if node.Field == "" {
		node.Field = field
	}
	for _, child := range node.Children {
		inField(child, field)
	}
}

func (p *parser) phrase(field string) (*Node, error) {
	var text strings.Builder
	for i := p.at + 1; i < len(p.text); i++ {
		switch {
		case p.text[i] == '\\' && i+1 < len(p.text):
			i++
			text.WriteByte(p.text[i])
		case p.text[i] == '"':
			p.at = i + 1
			if _, distance := p.fuzziness(); distance && p.Structured {
				return nil, p.errorf("~ (a distance) behind a text in quotes is not supported")
			}
			return &Node{Op: Phrase, Field: field, Text: text.String()}, nil
		default:
			text.WriteByte(p.text[i])
		}
	}
	return nil, p.errorf("a closing quote is missing")
}

// fuzziness parses ~N.
func (p *parser) fuzziness() (int, bool) {
	rest, ok := strings.CutPrefix(p.text[p.at:], "~")
	if !ok {
		return 0, false
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	p.at += 1 + digits
	n, err := strconv.Atoi(rest[:digits])
	if err != nil || n > 2 {
		n = 2
	}
	return n, true
}

func (p *parser) valueRange(field string) (*Node, error) {
	end := strings.IndexAny(p.text[p.at:], "]}")
	if end < 0 {
		return nil, p.errorf("the end of the range is missing")
	}
	low, high, ok := strings.Cut(p.text[p.at+1:p.at+end], " TO ")
	if !ok {
		return nil, p.errorf("a range reads [low TO high]")
	}
	node := &Node{Op: Range, Field: field, Low: limitOf(low), High: limitOf(high),
		LowOpen: p.text[p.at] == '{', HighOpen: p.text[p.at+end] == '}'}
	p.at += end + 1
	return node, nil
}

func limitOf(text string) string {
	if text = strings.Trim(strings.TrimSpace(text), `"`); text == "*" {
		return ""
	}
	return text
}
