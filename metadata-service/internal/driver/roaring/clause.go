package roaring

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/metadata-service/internal/search/query"
	"github.com/cartulary/cartulary/pkg/fault"
)

// op is the operation of a clause.
type op int

const (
	opAll    op = iota // everything
	opNone             // nothing
	opAnd              // all children
	opOr               // any child
	opNot              // not the child
	opWord             // a word, by its stem, and as a prefix where byPrefix is set
	opPrefix           // words that begin with text
	opPhrase           // pieces that follow each other
	opLike             // values or words that look like text
	opRange            // values from low to high
	opValue            // a whole value, ignoring case
)

// clause is a node of a compiled query text.
type clause struct {
	op       op
	children []*clause
	required bool

	fields    fieldSelection // fields of a leaf
	text      string         // folded
	raw       string         // as written
	pieces    []string
	byPrefix  bool
	maxEdits  int
	query     *query.Node // of a range
	scoreOnly bool        // adds to scores, finds nothing by itself
	weight    float32     // of a leaf, 1 for words

	// Counted over all segments before scores are given. Of an actor to whom some documents are
	// hidden they are counted when they are asked for; see match.visibleFrequency.
	documentFrequency, expandedFrequency int

	// For such an actor alone.
	counted  bool
	found    []*bitmap // what the clause finds, by segment; nil where it was not evaluated
	direct   []*bitmap // what it finds by the word itself, its compound and its stem
	asked    bool      // begins is known
	begins   bool      // a word of a visible document begins with the text
	expanded bool      // similar is known
	similar  []string  // words that it stands for with typing errors, sorted
}

// keep remembers what a clause finds in a segment.
func keep(sets *[]*bitmap, m *match, found *bitmap) {
	if *sets == nil {
		*sets = make([]*bitmap, len(m.peers))
	}
	(*sets)[m.segment] = found
}

// Relaxations of a plain text, in order: all words; all words, allowing for
// typing errors; any word.
const (
	allWords = iota
	allWordsFuzzy
	anyWord
	relaxationCount
)

// Weights of the ways to match, relative to a word.
const (
	weightStem        = 0.8
	weightPrefix      = 0.5
	weightFuzzy       = 0.3
	weightCompound    = 1.5 // orders_daily as one word
	weightPhrase      = 1.2
	weightValue       = 16 // the whole value
	weightValuePrefix = 2  // the value begins with the text
)

// compiler turns a parsed text into clauses.
type compiler struct {
	x          *Index
	structured bool
	relaxation int
	fields     fieldSelection
	corrected  int // words that may have typing errors
	terms      int // that the words are cut into
	cut        map[string][]string
}

// checkTerms bounds the terms of a text: each is looked for in every segment, and words that are
// cut at punctuation, or where lower case turns to upper, can be many more than the text has spaces.
func checkTerms(terms int) error {
	if terms > search.MaxTerms {
		return fault.New(fault.Malformed, "query: its words are cut into %d terms, at most %d are searched for; ask for less", terms, search.MaxTerms)
	}
	return nil
}

// sequence lists the pieces of a word of the text, which count as terms.
func (c *compiler) sequence(text string) []string {
	pieces := c.pieces(text)
	c.terms += len(pieces)
	return pieces
}

// pieces lists those of a text, which is cut once for all relaxations.
func (c *compiler) pieces(text string) []string {
	pieces, known := c.cut[text]
	if !known {
		pieces = analysis.Sequence(text)
		c.cut[text] = pieces
	}
	return pieces
}

// maxCorrected is how many words of a plain text may have typing errors.
const maxCorrected = 8

// parsedText is the text of a query, parsed and folded once for all relaxations of it.
type parsedText struct {
	x          *Index
	text       string
	structured bool
	node       *query.Node
	whole      string              // folded, without quotes; empty for structured texts
	cut        map[string][]string // pieces by the text that they are of
}

// parse parses a query text. One that cannot be parsed is fault.Malformed.
func (x *Index) parse(text string, structured bool) (*parsedText, error) {
	p := &parsedText{x: x, text: text, cut: map[string][]string{}, structured: structured || strings.HasPrefix(strings.TrimSpace(text), "/q ")}
	var err error
	if p.node, err = query.Parse(text, query.Options{Structured: p.structured, Known: x.schemas.known}); err != nil {
		return nil, err
	}
	if !p.structured {
		p.whole = analysis.Fold(strings.TrimSpace(strings.TrimLeft(strings.ReplaceAll(text, `"`, ""), ": ")))
	}
	return p, nil
}

// compile gives the clause of a query text; plain reports whether it may be relaxed.
// A text of too many terms is fault.Malformed.
func (p *parsedText) compile(level int, fields fieldSelection) (a *clause, plain bool, err error) {
	c := &compiler{x: p.x, structured: p.structured, relaxation: level, fields: fields, cut: p.cut}
	a = c.node(p.node)
	if err := checkTerms(c.terms); err != nil {
		return nil, false, err
	}
	if a == nil {
		// Punctuation only: a plain text that says nothing finds nothing.
		return &clause{op: opNone}, false, nil
	}
	if p.structured || a.op == opAll {
		return a, false, nil
	}
	return c.withValueClauses(a, p.text, p.whole), true, nil
}

// withValueClauses adds clauses that rank whole values, and values that begin with
// the text, first. whole is the folded text.
func (c *compiler) withValueClauses(a *clause, text, whole string) *clause {
	if whole == "" {
		return a
	}
	both := &clause{op: opOr, children: []*clause{a,
		{op: opValue, text: whole, raw: whole, fields: c.fields, weight: weightValue},
		{op: opValue, text: whole, raw: whole, fields: c.fields, weight: weightValuePrefix, byPrefix: true, scoreOnly: true},
	}}
	if sequence := c.pieces(text); len(sequence) > 1 && len(sequence) < 16 {
		for _, pair := range analysis.Pairs(sequence) {
			both.children = append(both.children, &clause{op: opWord, text: pairMark + pair, raw: pair, fields: c.fields, weight: weightPhrase, scoreOnly: true})
		}
	}
	return both
}

func (c *compiler) node(n *query.Node) *clause {
	fields := c.fields
	if n.Field != "" {
		if place := c.x.schemas.place(search.PlainName(n.Field)); place.key != "" {
			return c.objectKey(n, place)
		}
		fields = c.namedFields(n.Field)
		if len(fields.fields) == 0 && isLeaf(n.Op) {
			return &clause{op: opNone}
		}
	}
	switch n.Op {
	case query.All:
		return &clause{op: opAll}
	case query.Word:
		return c.word(n, fields)
	case query.Phrase:
		return c.phrase(n, fields)
	case query.Prefix:
		return c.prefix(n, fields)
	case query.Wildcard:
		return &clause{op: opLike, text: analysis.Fold(n.Text), raw: n.Text, fields: fields, weight: 1}
	case query.Range:
		return &clause{op: opRange, query: n, fields: fields, weight: 1}
	case query.Not:
		child := c.node(n.Children[0])
		if child == nil {
			return nil
		}
		return &clause{op: opNot, children: []*clause{child}}
	case query.Or:
		return c.group(n, opOr)
	}
	return c.group(n, opAnd)
}

// isLeaf tells nodes that look at values themselves from those that combine others.
func isLeaf(op query.Op) bool { return op != query.And && op != query.Or && op != query.Not }

// objectKey compiles a node that asks for a key of an object: its values are those
// of the column that begin with the key.
func (c *compiler) objectKey(n *query.Node, at place) *clause {
	if c.fields.excluded.has(at.column) && isLeaf(n.Op) {
		return &clause{op: opNone}
	}
	a := &clause{text: analysis.Fold(at.key + n.Text), raw: at.key + n.Text, fields: fieldSelection{fields: []string{at.column}}, weight: 1}
	switch n.Op {
	case query.Word, query.Phrase:
		a.op = opValue
	case query.Prefix:
		a.op, a.byPrefix = opValue, true
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

// namedFields selects the columns that a field stands for, none where all are excluded.
func (c *compiler) namedFields(field string) fieldSelection {
	p := fieldSelection{excluded: c.fields.excluded}
	for _, at := range c.x.schemas.resolve(field) {
		if !slices.Contains(p.fields, at.column) && !c.fields.excluded.has(at.column) {
			p.fields = append(p.fields, at.column)
		}
	}
	return p
}

// leaf is what a node without children asks, but for ranges.
type leaf struct {
	op          query.Op
	field, text string
	fuzz        int
	required    bool
}

// group compiles the children of a node. Weak words beside others are left
// out; a plain list of words may be relaxed to any of them.
func (c *compiler) group(n *query.Node, op op) *clause {
	a := &clause{op: op}
	var weak []*clause
	seen := make(map[leaf]bool, len(n.Children))
	for _, child := range n.Children {
		if isLeaf(child.Op) && child.Op != query.Range {
			// What is repeated finds no more, and would cost as much again.
			key := leaf{child.Op, child.Field, child.Text, child.Fuzz, child.Required}
			if seen[key] {
				if child.Op != query.Wildcard {
					c.sequence(child.Text) // its terms count nevertheless
				}
				continue
			}
			seen[key] = true
		}
		compiled := c.node(child)
		if compiled == nil {
			continue
		}
		compiled.required = child.Required
		if !c.structured && op == opAnd && !child.Required && child.Op == query.Word && child.Field == "" && c.isWeak(child.Text) {
			weak = append(weak, compiled)
			continue
		}
		a.children = append(a.children, compiled)
	}
	if !slices.ContainsFunc(a.children, func(child *clause) bool { return child.op != opNot }) {
		a.children = append(a.children, weak...)
	}
	switch {
	case len(a.children) == 0:
		return nil
	case len(a.children) == 1 && a.children[0].op != opNot:
		return a.children[0]
	case c.relaxation == anyWord && !c.structured && op == opAnd:
		return relax(a)
	}
	return a
}

// relax wants any of the children that need not be there, and the rest.
func relax(a *clause) *clause {
	all := &clause{op: opAnd}
	any := &clause{op: opOr}
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

func (c *compiler) isWeak(text string) bool {
	for _, piece := range c.pieces(text) {
		if !analysis.IsWeak(piece) {
			return false
		}
	}
	return true
}

// word compiles a word, which may have several pieces: all of them are wanted,
// and the word as a whole counts more.
func (c *compiler) word(n *query.Node, fields fieldSelection) *clause {
	pieces := c.sequence(n.Text)
	value := func() *clause {
		return &clause{op: opValue, text: analysis.Fold(n.Text), raw: n.Text, fields: fields, weight: 1}
	}
	if len(pieces) == 0 {
		if len(fields.fields) > 0 {
			return value()
		}
		return nil
	}
	var strong []string
	for _, piece := range pieces {
		if !analysis.IsWeak(piece) {
			strong = append(strong, piece)
		}
	}
	if len(strong) == 0 {
		strong = pieces
	}
	strong = slices.Clone(strong) // the pieces are those of other relaxations, too
	slices.Sort(strong)
	all := &clause{op: opAnd}
	for _, piece := range slices.Compact(strong) {
		all.children = append(all.children, c.singleWord(piece, n.Fuzz, fields))
	}
	out := all
	if len(all.children) == 1 {
		out = all.children[0]
	}
	any := &clause{op: opOr, children: []*clause{out}}
	if len(pieces) > 1 {
		for _, chunk := range analysis.Chunks(n.Text) {
			for _, form := range []string{chunk.Whole, chunk.Joined} {
				if form != "" && len(chunk.Pieces) > 1 {
					any.children = append(any.children, &clause{op: opWord, text: compoundMark + form, raw: form, fields: fields, weight: weightCompound, scoreOnly: true})
				}
			}
		}
	}
	// A named field may hold keywords, numbers, or have no words.
	if len(fields.fields) > 0 {
		any.children = append(any.children, value())
	}
	if len(any.children) == 1 {
		return out
	}
	return any
}

func (c *compiler) singleWord(piece string, fuzz int, fields fieldSelection) *clause {
	if c.relaxation >= allWordsFuzzy && fuzz == 0 && c.corrected < maxCorrected {
		c.corrected++
		fuzz = allowedTypos(piece)
	}
	return &clause{op: opWord, text: piece, raw: piece, maxEdits: fuzz, byPrefix: !c.structured, fields: fields, weight: 1}
}

// allowedTypos is how many letters may be wrong in a word nobody said it of.
func allowedTypos(word string) int {
	switch {
	case len(word) < 4:
		return 0
	case len(word) < 8:
		return 1
	}
	return 2
}

func (c *compiler) phrase(n *query.Node, fields fieldSelection) *clause {
	pieces := c.sequence(n.Text)
	switch len(pieces) {
	case 0:
		return nil
	case 1:
		a := c.singleWord(pieces[0], 0, fields)
		a.byPrefix = false
		return c.orValue(a, n.Text, fields)
	}
	if c.relaxation >= allWordsFuzzy {
		and := &clause{op: opAnd}
		for _, piece := range distinct(pieces) {
			if !analysis.IsWeak(piece) {
				and.children = append(and.children, c.singleWord(piece, 0, fields))
			}
		}
		if len(and.children) > 0 {
			return and
		}
	}
	return c.orValue(&clause{op: opPhrase, pieces: pieces, text: analysis.Fold(n.Text), raw: n.Text, fields: fields, weight: weightPhrase}, n.Text, fields)
}

func (c *compiler) orValue(a *clause, text string, fields fieldSelection) *clause {
	if len(fields.fields) == 0 {
		return a
	}
	return &clause{op: opOr, children: []*clause{a, {op: opValue, text: analysis.Fold(text), raw: text, fields: fields, weight: 1}}}
}

func (c *compiler) prefix(n *query.Node, fields fieldSelection) *clause {
	pieces := c.sequence(n.Text)
	start := &clause{op: opValue, text: analysis.Fold(n.Text), raw: n.Text, fields: fields, weight: 1, byPrefix: true}
	if len(pieces) == 0 {
		if len(fields.fields) > 0 {
			return start
		}
		return nil
	}
	last := &clause{op: opPrefix, text: pieces[len(pieces)-1], raw: n.Text, fields: fields, weight: 1}
	out := last
	if len(pieces) > 1 {
		out = &clause{op: opAnd, children: []*clause{last}}
		for _, piece := range pieces[:len(pieces)-1] {
			out.children = append(out.children, &clause{op: opWord, text: piece, raw: piece, fields: fields, weight: 1})
		}
	}
	if len(fields.fields) > 0 {
		return &clause{op: opOr, children: []*clause{out, start}}
	}
	return out
}
