package roaring

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	opWord             // a word, also by its stem, and as a prefix if byPrefix is set
	opPrefix           // words that begin with text
	opPhrase           // consecutive pieces
	opLike             // values or words that match text as a pattern, or match regexp
	opRange            // values within a range
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
	pieces    []string       // of a phrase
	verbatim  []string       // words of a phrase that must match with their punctuation, folded; nil for none
	byPrefix  bool           // for a phrase: byPrefix concerns its last piece
	maxEdits  int
	query     *query.Node    // the node of a range or a regular expression
	regexp    *regexp.Regexp // for opLike: values must match it; nil for a text with * and ?
	scoreOnly bool           // adds to scores, but finds no documents by itself
	weight    float32        // of a leaf; 1 for words

	// Counted over all segments before scoring. For an actor from whom some documents are hidden,
	// the counts are computed on demand; see match.frequency.
	documentFrequency, expandedFrequency int

	// Only for such an actor.
	counted         bool
	found           []*bitmap // documents found, by segment; nil where the clause was not evaluated
	direct          []*bitmap // documents found by the word itself, its compound and its stem
	beginsComputed  bool      // begins is computed
	begins          bool      // a word of a visible document begins with the text
	similarComputed bool      // similar is computed
	similar         []string  // words within the allowed typing errors, sorted
}

// keep records the documents that a clause finds in a segment.
func keep(sets *[]*bitmap, m *match, found *bitmap) {
	if *sets == nil {
		*sets = make([]*bitmap, len(m.peers))
	}
	(*sets)[m.segment] = found
}

// Relaxations of a plain text, in order: all words; all words, with typing errors allowed; any
// word.
const (
	allWords = iota
	allWordsFuzzy
	anyWord
	relaxationCount
)

// Weights of the kinds of match, relative to a word.
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
	alone      bool // the text is one word
	corrected  int  // number of words that may have typing errors
	terms      int  // number of terms in the words
	cut        map[string][]string
}

// checkTerms limits the terms of a text. Each term is looked up in every segment, and words with
// punctuation or camel case yield many more terms than words.
func checkTerms(terms int) error {
	if terms > search.MaxTerms {
		return fault.New(fault.Malformed, "query: its words are cut into %d terms, at most %d are searched for; ask for less", terms, search.MaxTerms)
	}
	return nil
}

// sequence returns the pieces of a word of the text and counts them as terms.
func (c *compiler) sequence(text string) []string {
	pieces := c.pieces(text)
	c.terms += len(pieces)
	return pieces
}

// pieces splits a text into pieces, once for all relaxations.
func (c *compiler) pieces(text string) []string {
	pieces, known := c.cut[text]
	if !known {
		pieces = analysis.Sequence(text)
		c.cut[text] = pieces
	}
	return pieces
}

// maxCorrected is the maximum number of words of a plain text that may have typing errors.
const maxCorrected = 8

// parsedText is the text of a query, parsed and folded once for all relaxations of it.
type parsedText struct {
	x          *Index
	text       string
	structured bool
	node       *query.Node
	whole      string              // folded, without quotes; empty for structured texts
	cut        map[string][]string // pieces by text
}

// parse parses a query text. It returns an error of kind fault.Malformed for invalid text.
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

// compile returns the clause of a query text; plain reports whether it may be relaxed. It returns
// an error of kind fault.Malformed for a text with too many terms.
func (p *parsedText) compile(level int, fields fieldSelection) (a *clause, plain bool, err error) {
	c := &compiler{x: p.x, structured: p.structured, relaxation: level, fields: fields, alone: p.node.Op == query.Word, cut: p.cut}
	a = c.node(p.node)
	if err := checkTerms(c.terms); err != nil {
		return nil, false, err
	}
	if a == nil {
		// Punctuation only: a plain text without words finds nothing.
		return &clause{op: opNone}, false, nil
	}
	if p.structured || a.op == opAll {
		return a, false, nil
	}
	return c.withValueClauses(a, p.text, p.whole), true, nil
}

// withValueClauses adds clauses that rank whole values, and values that begin with the text, first.
// whole is the folded text.
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
	case query.Regexp:
		return &clause{op: opLike, raw: n.Text, query: n, regexp: matching("", n.Text), fields: fields, weight: 1}
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

// isLeaf reports whether an operation tests values itself instead of combining other nodes.
func isLeaf(op query.Op) bool { return op != query.And && op != query.Or && op != query.Not }

// objectKey compiles a node on a key of an object. The values of the key are the values of the
// column that begin with it.
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
	case query.Regexp:
		a.op, a.query, a.regexp = opLike, n, matching(analysis.Fold(at.key), n.Text)
	case query.Range:
		within := *n
		within.Low = at.key + n.Low
		if within.High = at.key + n.High; n.High == "" {
			// The first text after all that begin with the key: ">" follows "=".
			within.High, within.HighOpen = strings.TrimSuffix(at.key, "=")+">", true
		}
		a.op, a.query = opRange, &within
	default:
		plain := *n
		plain.Field = "" // the children name their own fields
		return c.node(&plain)
	}
	return a
}

// matching compiles a regular expression of a query for values that begin with a given text; the
// rest of the value must match as a whole.
func matching(beginning, text string) *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(beginning) + `(?s:` + text + `)$`)
}

// namedFields selects the columns of a field, or none if all are excluded.
func (c *compiler) namedFields(field string) fieldSelection {
	p := fieldSelection{excluded: c.fields.excluded}
	for _, named := range search.ExpandInText(field) {
		for _, at := range c.x.schemas.resolve(named) {
			if !slices.Contains(p.fields, at.column) && !c.fields.excluded.has(at.column) {
				p.fields = append(p.fields, at.column)
			}
		}
	}
	return p
}

// leaf identifies a node without children; ranges are not included.
type leaf struct {
	op          query.Op
	field, text string
	fuzz        int
	required    bool
}

// group compiles the children of a node. It drops stop words beside other words. A plain list of
// words may be relaxed to any of them.
func (c *compiler) group(n *query.Node, op op) *clause {
	a := &clause{op: op}
	var stopWords []*clause
	seen := make(map[leaf]bool, len(n.Children))
	for _, child := range n.Children {
		if isLeaf(child.Op) && child.Op != query.Range {
			// A repeated node finds nothing more, and would cost as much again.
			key := leaf{child.Op, child.Field, child.Text, child.Fuzz, child.Required}
			if seen[key] {
				if child.Op != query.Wildcard {
					c.sequence(child.Text) // its terms still count
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
		if !c.structured && op == opAnd && !child.Required && child.Op == query.Word && child.Field == "" && c.isStopWord(child.Text) {
			stopWords = append(stopWords, compiled)
			continue
		}
		a.children = append(a.children, compiled)
	}
	if !slices.ContainsFunc(a.children, func(child *clause) bool { return child.op != opNot }) {
		a.children = append(a.children, stopWords...)
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

// relax requires all required and negated children, and any one of the others.
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

// isStopWord reports whether a word of the text is a single stop word, not an identifier composed
// of stop words.
func (c *compiler) isStopWord(text string) bool {
	pieces := c.pieces(text)
	return len(pieces) == 1 && analysis.IsStopWord(pieces[0])
}

// word compiles a word, which may be an identifier of several pieces: all pieces are required, and
// the word as a whole scores higher.
func (c *compiler) word(n *query.Node, fields fieldSelection) *clause {
	pieces := c.sequence(n.Text)
	value := func() *clause {
		return &clause{op: opValue, text: analysis.Fold(n.Text), raw: n.Text, fields: fields, weight: 1}
	}
	switch {
	case len(pieces) == 0 && len(fields.fields) > 0:
		return value()
	case len(pieces) == 0:
		return nil
	}
	any := &clause{op: opOr, children: []*clause{c.identifier(n, pieces, fields)}}
	if len(pieces) > 1 {
		for _, chunk := range analysis.Chunks(n.Text) {
			for _, form := range compounds(chunk) {
				any.children = append(any.children, &clause{op: opWord, text: compoundMark + form, raw: form, fields: fields, weight: weightCompound, scoreOnly: true})
			}
		}
	}
	// A named field may contain keywords or numbers, or have no words.
	if len(fields.fields) > 0 {
		any.children = append(any.children, value())
	}
	if len(any.children) == 1 {
		return any.children[0]
	}
	return any
}

// compounds returns the forms of a multi-piece chunk as one word.
func compounds(chunk analysis.Chunk) []string {
	if len(chunk.Pieces) < 2 {
		return nil
	}
	if chunk.Joined == "" {
		return []string{chunk.Whole}
	}
	return []string{chunk.Whole, chunk.Joined}
}

// identifier requires all pieces of a word. A short piece or a stop word distinguishes names by its
// position: it must directly follow the previous piece, or precede the next one if it is first.
// This is strict if such a piece ends in a digit. Otherwise, when nothing is found, the pieces may
// be anywhere and have typing errors.
func (c *compiler) identifier(n *query.Node, pieces []string, fields fieldSelection) *clause {
	all := &clause{op: opAnd}
	seen := map[string]bool{}
	for _, run := range c.runs(n.Text, pieces) {
		strict := n.Fuzz == 0 && (c.relaxation < allWordsFuzzy || slices.ContainsFunc(run.pieces, endsInDigit))
		switch key := strings.Join(run.pieces, " "); {
		case seen[key]:
		case len(run.pieces) > 1 && strict:
			seen[key] = true
			all.children = append(all.children, c.adjacent(run, fields))
		default:
			all.children = append(all.children, c.pieceWords(run, n.Fuzz, len(pieces) > 1, fields, seen)...)
		}
	}
	if len(all.children) == 1 {
		return all.children[0]
	}
	return all
}

// pieceWords requires the pieces of a run that were not required before, at any position. It drops
// stop words beside other pieces.
func (c *compiler) pieceWords(r run, fuzz int, identifier bool, fields fieldSelection, seen map[string]bool) []*clause {
	only := !slices.ContainsFunc(r.pieces, func(piece string) bool { return !analysis.IsStopWord(piece) })
	var words []*clause
	for _, piece := range r.pieces {
		if seen[piece] || !only && analysis.IsStopWord(piece) {
			continue
		}
		seen[piece] = true
		a := c.singleWord(piece, fuzz, fields)
		a.byPrefix = !c.structured && c.mayBegin(piece, identifier)
		words = append(words, a)
	}
	return words
}

// run is a sequence of neighbouring pieces of a word.
type run struct {
	pieces []string
	chunk  *analysis.Chunk // the chunk that the pieces form; nil if they belong to several chunks or are a part of one
	last   bool            // the word ends with this run
}

// runs splits the pieces of a word: pieces linked by a short piece or a stop word form one run, all
// others a run each. It drops the common start of URNs, and the short pieces of a word with an
// apostrophe, because they do not distinguish names.
func (c *compiler) runs(text string, pieces []string) []run {
	var out []run
	var chunks []analysis.Chunk
	if len(pieces) > 1 {
		chunks = analysis.Chunks(text)
	}
	ends := map[int]*analysis.Chunk{} // by the number of pieces up to their end
	for i, end := 0, 0; i < len(chunks); i++ {
		end += len(chunks[i].Pieces)
		ends[end] = &chunks[i]
	}
	prose := strings.ContainsAny(text, "'\u2019") && slices.ContainsFunc(pieces, func(piece string) bool { return !isShort(piece) })
	linked := false // linked to the previous piece
	for i := 0; i < len(pieces); i++ {
		if prose && isShort(pieces[i]) {
			continue
		}
		if len(pieces) > 2 && i+1 < len(pieces) && pieces[i] == "urn" && pieces[i+1] == "li" {
			i, linked = i+1, false
			continue
		}
		phraseOnly := !prose && (isShort(pieces[i]) || analysis.IsStopWord(pieces[i]))
		if len(out) > 0 && (linked || phraseOnly && pieceBefore(pieces, i)) {
			last := &out[len(out)-1]
			last.pieces = append(last.pieces, pieces[i])
			last.chunk = nil
			linked = false
		} else {
			out = append(out, run{pieces: []string{pieces[i]}})
			linked = phraseOnly
		}
		last := &out[len(out)-1]
		if chunk := ends[i+1]; chunk != nil && slices.Equal(chunk.Pieces, last.pieces) {
			last.chunk = chunk
		}
		last.last = i == len(pieces)-1
	}
	return out
}

// pieceBefore reports whether a piece follows another piece that is not the common start of URNs.
func pieceBefore(pieces []string, i int) bool {
	return i > 0 && !(i > 1 && pieces[i-1] == "li" && pieces[i-2] == "urn")
}

// adjacent requires the pieces of a run in sequence. If the run is a chunk, the chunk as one word
// matches as well.
func (c *compiler) adjacent(r run, fields fieldSelection) *clause {
	last := r.pieces[len(r.pieces)-1]
	raw := strings.Join(r.pieces, " ")
	a := &clause{op: opAnd, children: []*clause{{op: opPhrase, pieces: r.pieces, text: raw, raw: raw, fields: fields, weight: weightPhrase, byPrefix: !c.structured && r.last && !endsInDigit(last)}}}
	for _, piece := range distinct(r.pieces) {
		if !isShort(piece) && !analysis.IsStopWord(piece) {
			// This clause adds to the score.
			a.children = append(a.children, &clause{op: opWord, text: piece, raw: piece, byPrefix: a.children[0].byPrefix && piece == last, fields: fields, weight: 1})
		}
	}
	if r.chunk == nil {
		return a
	}
	any := &clause{op: opOr, children: []*clause{a}}
	for _, form := range compounds(*r.chunk) {
		any.children = append(any.children, &clause{op: opWord, text: form, raw: form, fields: fields, weight: 1})
	}
	return any
}

// shortRunes is the number of characters from which a word may be a prefix of others.
const shortRunes = 3

func isShort(piece string) bool {
	return len(piece) < shortRunes*utf8.UTFMax && utf8.RuneCountInString(piece) < shortRunes
}

func endsInDigit(piece string) bool {
	r, _ := utf8.DecodeLastRuneInString(piece)
	return unicode.IsDigit(r)
}

// minDateDigits is the number of digits from which a number may be the prefix of a date.
const minDateDigits = 4

// mayBegin reports whether a piece of a plain text also matches words that begin with it. A number
// in an identifier distinguishes names. It is therefore a prefix only when an exact match finds
// nothing and it is long enough for a date.
func (c *compiler) mayBegin(piece string, identifier bool) bool {
	digits := strings.TrimFunc(piece, unicode.IsDigit) == ""
	switch {
	case isShort(piece):
		return c.alone && !identifier && !endsInDigit(piece)
	case endsInDigit(piece) && (identifier || !digits):
		return digits && len(piece) >= minDateDigits && c.relaxation >= allWordsFuzzy
	}
	return true
}

func (c *compiler) singleWord(piece string, fuzz int, fields fieldSelection) *clause {
	if c.relaxation >= allWordsFuzzy && fuzz == 0 && c.corrected < maxCorrected {
		c.corrected++
		fuzz = allowedTypos(piece)
	}
	return &clause{op: opWord, text: piece, raw: piece, maxEdits: fuzz, byPrefix: !c.structured && c.mayBegin(piece, false), fields: fields, weight: 1}
}

// allowedTypos returns the number of typing errors allowed in a word without an explicit limit. It
// returns 0 for a word with a digit, because digits distinguish names.
func allowedTypos(word string) int {
	switch {
	case len(word) < 4 || strings.ContainsFunc(word, unicode.IsDigit):
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
	return c.orValue(&clause{op: opPhrase, pieces: pieces, verbatim: c.verbatim(n.Text), text: analysis.Fold(n.Text), raw: n.Text, fields: fields, weight: weightPhrase}, n.Text, fields)
}

// verbatim returns the words of a quoted text if one of them is an identifier, which must match as
// it is written; otherwise nil.
func (c *compiler) verbatim(text string) []string {
	var words []string
	identifier := false
	for word := range strings.FieldsSeq(text) {
		n := len(c.pieces(word))
		if identifier = identifier || n > 1; n > 0 {
			words = append(words, strings.TrimFunc(analysis.Fold(word), func(r rune) bool { return !isWordRune(r) }))
		}
	}
	if !identifier {
		return nil
	}
	return words
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
