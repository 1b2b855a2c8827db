// Package query parses the text of a search.
//
// All words are required. "a phrase" requires its words in a row, wor* a prefix, word~1 a spelling
// with up to one different letter. AND, OR, NOT (in capitals) and +, |, - combine; parentheses
// group. field:word, field:"a phrase", field:wor*, field:(a OR b) and field:[a TO b] refer to one
// field; ranges exclude their ends with { and }, and * means no limit. A backslash escapes the next
// character. URNs are parsed as a whole.
//
// A plain text comes from users: any part that cannot be parsed as above counts as words, and
// field: is a field only if a field of that name exists. A structured text comes from programs:
// mistakes in it, and fields that do not exist, are errors that name the position, and words may
// contain * and ? anywhere. It also allows blanks behind field:, comparisons such as field:>1,
// checks for any value with _exists_:field, and regular expressions as in field:/b.[gt]/.
package query

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Op is the operator of a node.
type Op int

const (
	All      Op = iota // everything
	Word               // Text, with up to Fuzz different letters
	Phrase             // the words of Text in a row
	Prefix             // words with the prefix Text
	Wildcard           // values that match the pattern Text
	Regexp             // values that match the regular expression Text as a whole; both are folded
	Range              // values from Low to High
	And                // all of Children
	Or                 // any of Children
	Not                // not the single one of Children
)

// Node is a part of a query.
type Node struct {
	Op       Op
	Field    string // empty: the fields of the default query
	Text     string
	Fuzz     int
	Required bool // written with +: must not be relaxed
	Program  int  // size of a regular expression, in the unit of regexpsize
	// Low and High are the ends of a range, empty for none. Open ends are excluded.
	Low, High         string
	LowOpen, HighOpen bool
	Children          []*Node
}

// Options select the syntax of a text.
type Options struct {
	Structured bool
	// Known reports whether a name is that of a field. In a structured text all other names are
	// refused. A nil Known means that plain texts have no fields, and that structured texts may use
	// any.
	Known func(field string) bool
}

const (
	maxDepth        = 32
	structuredStart = "/q "
)

// Parse parses a text. Errors are fault.Malformed.
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

// words parses a text in which only white space has a meaning.
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
