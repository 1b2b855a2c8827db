package roaring

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/metadata-service/internal/search/query"
)

// op is what a part of a compiled text asks.
type op int

const (
	opAll    op = iota // everything
	opNone             // nothing
	opAnd              // all children
	opOr               // any child
	opNot              // not the child
	opWord             // a word, by its stem, and by how it begins where beginning is set
	opPrefix           // words that begin with text
	opPhrase           // pieces in a row
	opLike             // values or words that look like text
	opRange            // values from low to high
	opValue            // a whole value, ignoring case
)

// ask is a part of a compiled text.
type ask struct {
	op       op
	children []*ask
	required bool

	purpose   purpose // fields of a leaf
	text      string  // folded
	raw       string  // as written
	pieces    []string
	beginning bool
	fuzz      int
	query     *query.Node // of a range
	bonus     bool        // adds to scores, finds nothing by itself
	weight    float32     // of a leaf, 1 for words

	// Counted over all segments before scores are given.
	frequency, wide int
}

// Relaxations of a plain text, in order: all words; all words, allowing for
// typing errors; any word.
const (
	strict = iota
	forgiving
	loose
	relaxations
)

// Weights of the ways to match, relative to a word.
const (
	weightStem   = 0.8
	weightBegin  = 0.5
	weightNear   = 0.3
	weightWhole  = 1.5 // orders_daily as one word
	weightPhrase = 1.2
	weightValue  = 16 // the whole value
	weightStart  = 2  // the value begins with the text
)

// compiler turns a parsed text into asks.
type compiler struct {
	x          *Index
	structured bool
	level      int
	fields     purpose
	corrected  int // words that may have typing errors
}

// maxCorrected is how many words of a plain text may have typing errors.
const maxCorrected = 8

// compile gives the ask of a query text; plain tells whether it may be relaxed.
func (x *Index) compile(text string, structured bool, level int, fields purpose) (a *ask, plain bool, err error) {
	structured = structured || strings.HasPrefix(strings.TrimSpace(text), "/q ")
	node, err := query.Parse(text, query.Options{Structured: structured, Known: x.schemas.known})
	if err != nil {
		return nil, false, err
	}
	c := &compiler{x: x, structured: structured, level: level, fields: fields}
	a = c.node(node)
	if a == nil {
		// Punctuation only: a plain text that says nothing finds nothing.
		return &ask{op: opNone}, false, nil
	}
	if structured || a.op == opAll {
		return a, false, nil
	}
	return c.withBonus(a, text), true, nil
}

// withBonus lets whole values and their beginnings come first.
func (c *compiler) withBonus(a *ask, text string) *ask {
	whole := analysis.Fold(strings.TrimSpace(strings.TrimLeft(strings.ReplaceAll(text, `"`, ""), ": ")))
	if whole == "" {
		return a
	}
	both := &ask{op: opOr, children: []*ask{a,
		{op: opValue, text: whole, raw: whole, purpose: c.fields, weight: weightValue},
		{op: opValue, text: whole, raw: whole, purpose: c.fields, weight: weightStart, beginning: true, bonus: true},
	}}
	if sequence := analysis.Sequence(text); len(sequence) > 1 && len(sequence) < 16 {
		for _, pair := range analysis.Pairs(sequence) {
			both.children = append(both.children, &ask{op: opWord, text: pairMark + pair, raw: pair, purpose: c.fields, weight: weightPhrase, bonus: true})
		}
	}
	return both
}

func (c *compiler) node(n *query.Node) *ask {
	fields := c.fields
	if n.Field != "" {
		if place := c.x.schemas.place(search.PlainName(n.Field)); place.key != "" {
			return c.keyed(n, place)
		}
		fields = c.named(n.Field)
	}
	switch n.Op {
	case query.All:
		return &ask{op: opAll}
	case query.Word:
		return c.word(n, fields)
	case query.Phrase:
		return c.phrase(n, fields)
	case query.Prefix:
		return c.prefix(n, fields)
	case query.Wildcard:
		return &ask{op: opLike, text: analysis.Fold(n.Text), raw: n.Text, purpose: fields, weight: 1}
	case query.Range:
		return &ask{op: opRange, query: n, purpose: fields, weight: 1}
	case query.Not:
		child := c.node(n.Children[0])
		if child == nil {
			return nil
		}
		return &ask{op: opNot, children: []*ask{child}}
	case query.Or:
		return c.group(n, opOr)
	}
	return c.group(n, opAnd)
}

// keyed compiles a node that asks for a key of an object: its values are those
// of the column that begin with the key.
func (c *compiler) keyed(n *query.Node, at place) *ask {
	a := &ask{text: analysis.Fold(at.key + n.Text), raw: at.key + n.Text, purpose: purpose{fields: []string{at.column}}, weight: 1}
	switch n.Op {
	case query.Word, query.Phrase:
		a.op = opValue
	case query.Prefix:
		a.op, a.beginning = opValue, true
	case query.Wildcard:
		a.op = opLike
	case query.Range:
		within := *n
		within.Low = at.key + n.Low
		if within.High = at.key + n.High; n.High == "" {
			// The text behind all that begin with the key: ">" follows "=".
			within.High, within.HighOpen = strings.TrimSuffix(at.key, "=")+">", true
		}
		a.op, a.query = opRange, &within
	default:
		plain := *n
		plain.Field = "" // its children name theirs
		return c.node(&plain)
	}
	return a
}

func (c *compiler) named(field string) purpose {
	var p purpose
	for _, at := range c.x.schemas.resolve(field) {
		if !slices.Contains(p.fields, at.column) {
			p.fields = append(p.fields, at.column)
		}
	}
	return p
}

// group compiles the children of a node. Weak words beside others are left
// out; a plain list of words may be relaxed to any of them.
func (c *compiler) group(n *query.Node, op op) *ask {
	a := &ask{op: op}
	var weak []*ask
	for _, child := range n.Children {
		compiled := c.node(child)
		if compiled == nil {
			continue
		}
		compiled.required = child.Required
		if !c.structured && op == opAnd && !child.Required && child.Op == query.Word && child.Field == "" && isWeak(child.Text) {
			weak = append(weak, compiled)
			continue
		}
		a.children = append(a.children, compiled)
	}
	if !slices.ContainsFunc(a.children, func(child *ask) bool { return child.op != opNot }) {
		a.children = append(a.children, weak...)
	}
	switch {
	case len(a.children) == 0:
		return nil
	case len(a.children) == 1 && a.children[0].op != opNot:
		return a.children[0]
	case c.level == loose && !c.structured && op == opAnd:
		return relaxed(a)
	}
	return a
}

// relaxed wants any of the children that need not be there, and the rest.
func relaxed(a *ask) *ask {
	all := &ask{op: opAnd}
	any := &ask{op: opOr}
	for _, child := range a.children {
		if child.op == opNot || child.required {
			all.children = append(all.children, child)
		} else {
			any.children = append(any.children, child)
		}
	}
	if len(any.children) > 0 {
		all.children = append(all.children, any)
	}
	return all
}

func isWeak(text string) bool {
	for _, piece := range analysis.Sequence(text) {
		if !analysis.Weak(piece) {
			return false
		}
	}
	return true
}

// word compiles a word, which may have several pieces: all of them are wanted,
// and the word as a whole counts more.
func (c *compiler) word(n *query.Node, fields purpose) *ask {
	pieces := analysis.Sequence(n.Text)
	value := &ask{op: opValue, text: analysis.Fold(n.Text), raw: n.Text, purpose: fields, weight: 1}
	if len(pieces) == 0 {
		if len(fields.fields) > 0 {
			return value
		}
		return nil
	}
	var strong []string
	for _, piece := range pieces {
		if !analysis.Weak(piece) {
			strong = append(strong, piece)
		}
	}
	if len(strong) == 0 {
		strong = pieces
	}
	slices.Sort(strong)
	all := &ask{op: opAnd}
	for _, piece := range slices.Compact(strong) {
		all.children = append(all.children, c.single(piece, n.Fuzz, fields))
	}
	out := all
	if len(all.children) == 1 {
		out = all.children[0]
	}
	any := &ask{op: opOr, children: []*ask{out}}
	if len(pieces) > 1 {
		for _, chunk := range analysis.Chunks(n.Text) {
			for _, form := range []string{chunk.Whole, chunk.Joined} {
				if form != "" && len(chunk.Pieces) > 1 {
					any.children = append(any.children, &ask{op: opWord, text: compoundMark + form, raw: form, purpose: fields, weight: weightWhole, bonus: true})
				}
			}
		}
	}
	// A named field may hold keywords, numbers, or have no words.
	if len(fields.fields) > 0 {
		any.children = append(any.children, value)
	}
	if len(any.children) == 1 {
		return out
	}
	return any
}

func (c *compiler) single(piece string, fuzz int, fields purpose) *ask {
	if c.level >= forgiving && fuzz == 0 && c.corrected < maxCorrected {
		c.corrected++
		fuzz = typos(piece)
	}
	return &ask{op: opWord, text: piece, raw: piece, fuzz: fuzz, beginning: !c.structured, purpose: fields, weight: 1}
}

// typos is how many letters may be wrong in a word nobody said it of.
func typos(word string) int {
	switch {
	case len(word) < 4:
		return 0
	case len(word) < 8:
		return 1
	}
	return 2
}

func (c *compiler) phrase(n *query.Node, fields purpose) *ask {
	pieces := analysis.Sequence(n.Text)
	switch len(pieces) {
	case 0:
		return nil
	case 1:
		a := c.single(pieces[0], 0, fields)
		a.beginning = false
		return c.orValue(a, n.Text, fields)
	}
	if c.level >= forgiving {
		and := &ask{op: opAnd}
		for _, piece := range pieces {
			if !analysis.Weak(piece) {
				and.children = append(and.children, c.single(piece, 0, fields))
			}
		}
		if len(and.children) > 0 {
			return and
		}
	}
	return c.orValue(&ask{op: opPhrase, pieces: pieces, text: analysis.Fold(n.Text), raw: n.Text, purpose: fields, weight: weightPhrase}, n.Text, fields)
}

func (c *compiler) orValue(a *ask, text string, fields purpose) *ask {
	if len(fields.fields) == 0 {
		return a
	}
	return &ask{op: opOr, children: []*ask{a, {op: opValue, text: analysis.Fold(text), raw: text, purpose: fields, weight: 1}}}
}

func (c *compiler) prefix(n *query.Node, fields purpose) *ask {
	pieces := analysis.Sequence(n.Text)
	start := &ask{op: opValue, text: analysis.Fold(n.Text), raw: n.Text, purpose: fields, weight: 1, beginning: true}
	if len(pieces) == 0 {
		if len(fields.fields) > 0 {
			return start
		}
		return nil
	}
	last := &ask{op: opPrefix, text: pieces[len(pieces)-1], raw: n.Text, purpose: fields, weight: 1}
	out := last
	if len(pieces) > 1 {
		out = &ask{op: opAnd, children: []*ask{last}}
		for _, piece := range pieces[:len(pieces)-1] {
			out.children = append(out.children, &ask{op: opWord, text: piece, raw: piece, purpose: fields, weight: 1})
		}
	}
	if len(fields.fields) > 0 {
		return &ask{op: opOr, children: []*ask{out, start}}
	}
	return out
}
