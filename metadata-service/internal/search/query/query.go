// Package query reads the text of a search.
//
// Words stand for themselves and are all wanted. "a phrase" wants its words in
// a row, wor* a beginning, word~1 a spelling up to one letter off. AND, OR, NOT
// (in capitals) and +, |, - combine; parentheses group. field:word, field:"a
// phrase", field:wor*, field:(a OR b) and field:[a TO b] ask one field; ranges
// leave their ends out with { and }, and * is no limit. A backslash takes the
// meaning from what follows. URNs are taken whole.
//
// A plain text is what people type: whatever cannot be read as above counts as
// words, and field: is meant only if there is such a field. A structured text
// is what programs write: mistakes in it, and fields that do not exist, are errors
// that name the place, and words may hold * and ? anywhere. It may also have blanks
// behind field:, ask field:>1 and the like, whether a field has a value, as
// _exists_:field, and for values that match a regular expression, as field:/b.[gt]/.
package query

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Op is what a node asks.
type Op int

const (
	All      Op = iota // everything
	Word               // Text, up to Fuzz letters off
	Phrase             // the words of Text in a row
	Prefix             // words that begin with Text
	Wildcard           // values that look like Text
	Regexp             // values that match the regular expression Text as a whole; both are folded
	Range              // values from Low to High
	And                // all of Children
	Or                 // any of Children
	Not                // not the one of Children
)

// Node is a part of a query.
type Node struct {
	Op       Op
	Field    string // empty: the fields of the default query
	Text     string
	Fuzz     int
	Required bool // written with +: not to be relaxed
	Program  int  // size of a regular expression, in the unit of regexpsize
	// Low and High are the ends of a range, empty for none; open ends are not part of it.
	Low, High         string
	LowOpen, HighOpen bool
	Children          []*Node
}

// Options say how to read a text.
type Options struct {
	Structured bool
	// Known tells names of fields. In a structured text all others are refused; nil knows none in
	// plain texts and all in structured ones.
	Known func(field string) bool
}

const (
	maxDepth        = 32
	structuredStart = "/q "
)

// Parse reads a text. Errors are fault.Malformed.
func Parse(text string, o Options) (*Node, error) {
	if len(text) > search.MaxQueryBytes {
		return nil, fault.New(fault.Malformed, "query: text has %d bytes, at most %d are read; ask for less", len(text), search.MaxQueryBytes)
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text, " "))
	if rest, ok := strings.CutPrefix(text, structuredStart); ok {
		o.Structured, text = true, strings.TrimSpace(rest)
	}
	if !o.Structured {
		text = strings.TrimLeft(text, ": ")
	}
	if text == "" || text == "*" {
		return &Node{Op: All}, nil
	}
	p := parser{text: text, Options: o}
	node, err := p.parseAll()
	if err != nil && !o.Structured && p.clauses <= search.MaxClauses {
		return words(text)
	}
	return node, err
}

// words reads a text in which nothing but white space has a meaning.
func words(text string) (*Node, error) {
	node := &Node{Op: And}
	for word := range strings.FieldsSeq(text) {
		node.Children = append(node.Children, &Node{Op: Word, Text: word})
	}
	if len(node.Children) > search.MaxClauses {
		return nil, tooMany()
	}
	return node, nil
}

func tooMany() error {
	return fault.New(fault.Malformed, "query: more than %d words and operators; ask for less", search.MaxClauses)
}
