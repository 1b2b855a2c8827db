package roaring

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// MergeBroken starts a merge of a missing segment.
func (x *Index) MergeBroken() {
	x.mergeInBackground(x.state.Load(), &mergeJob{views: []segmentView{{}}})
}

// AwaitMerges returns when no merge runs.
func (x *Index) AwaitMerges() { x.merges.Wait() }

// Segments returns the number of segments of the current version.
func (x *Index) Segments() int { return len(x.current().segments) }

// Limits and functions that tests compare with naive ones.
const (
	MinSetSize    = minSetSize
	MaxSparseDocs = maxSparseDocs
	MaxRun        = maxRun
	MaxFuzzyWords = maxFuzzyWords
	HeapLimit     = heapLimit
	StepsPerCheck = stepsPerCheck
)

var (
	Gallop           = gallop
	MatchesPattern   = matchesPattern
	InverseFrequency = inverseFrequency
	Cancelled        = cancelled
	EachRunUntil     = eachRunUntil
)

// WithinDistance returns a function that reports of texts, one after the other, whether they are
// within an edit distance of a word.
func WithinDistance(word string, limit int) func(text string) bool {
	d := &editDistance{target: []rune(word), limit: limit}
	return func(text string) bool { return d.within([]byte(text)) }
}

// PhraseIn reports whether a text contains consecutive pieces.
func PhraseIn(pieces []string, text string) bool {
	return newPhraseMatcher(&clause{pieces: pieces}).matches([]byte(text))
}

// Dictionary is the dictionary of some words.
type Dictionary struct{ t *terms }

// NewDictionary creates a dictionary of sorted words, each with one entry.
func NewDictionary(words []string) Dictionary {
	var w termWriter
	for i, word := range words {
		w.word([]byte(word))
		w.entry(0, []uint32{uint32(i)})
	}
	return Dictionary{w.finish()}
}

// Fuzzy returns the words within an edit distance.
func (d Dictionary) Fuzzy(ctx context.Context, word string, distance int) []string {
	return d.texts(d.t.fuzzy(ctx, word, distance, nil))
}

// Stemmed returns the words with a stem.
func (d Dictionary) Stemmed(stem string) []string { return d.texts(d.t.stemmed(stem)) }

// WithPrefix returns the words that begin with a text.
func (d Dictionary) WithPrefix(text string) []string {
	from, to := d.t.withPrefix(text)
	var numbers []uint32
	for i := from; i < to; i++ {
		numbers = append(numbers, uint32(i))
	}
	return d.texts(numbers)
}

func (d Dictionary) texts(numbers []uint32) []string {
	var out []string
	for _, i := range numbers {
		out = append(out, d.t.words.string(int(i)))
	}
	return out
}

// TakeAny selects the first candidates of lists of the given lengths, without an order.
func TakeAny(lengths []int, first int) []int {
	s := splitter{page: &page{lists: make([]candidateList, len(lengths))}, from: make([]int, len(lengths)), to: lengths, first: first}
	for _, n := range lengths {
		s.undecided += n
	}
	s.takeAny()
	return s.from
}

// Table is a front-coded table.
type Table struct{ t *table }

// NewTable creates a table of sorted texts with a block size.
func NewTable(texts []string, blockSize int) Table {
	w := tableWriter{table: table{size: blockSize}}
	for _, text := range texts {
		w.add([]byte(text))
	}
	return Table{w.finish()}
}

func (t Table) Len() int        { return t.t.len() }
func (t Table) At(i int) string { return t.t.string(i) }

// Search returns the index of the first text at or after another.
func (t Table) Search(text string) int {
	return t.t.search(func(have []byte) bool { return string(have) >= text })
}

// From returns the texts from i on.
func (t Table) From(i int) (out []string) {
	for it := t.t.from(i); it.next(); {
		out = append(out, string(it.text))
	}
	return out
}

// Ints is a packed array.
type Ints struct{ p packedInts }

func NewInts(n, largest int) *Ints              { return &Ints{newPackedInts(n, largest)} }
func (p *Ints) Set(i, v uint32)                 { p.p.set(i, v) }
func (p *Ints) At(i uint32) uint32              { return p.p.at(i) }
func (p *Ints) Len() int                        { return p.p.len() }
func (p *Ints) Count(places, counters []uint32) { p.p.count(places, counters) }

// Postings is a table of postings lists.
type Postings struct{ t postingsTable }

// NewPostings creates postings lists.
func NewPostings(lists [][]uint32) Postings {
	var w postingsWriter
	for _, docs := range lists {
		w.add(docs)
	}
	return Postings{w.finish()}
}

func (p Postings) IsSet(i int) bool                             { return p.t.at(i).set != nil }
func (p Postings) Len(i int) int                                { return p.t.at(i).len() }
func (p Postings) Contains(i int, doc uint32) bool              { return p.t.at(i).contains(doc) }
func (p Postings) CountLive(i int, deleted *roaring.Bitmap) int { return p.t.at(i).countLive(deleted) }
func (p Postings) CountIn(i int, set *roaring.Bitmap) int       { return p.t.at(i).countIn(set) }
func (p Postings) EachUntil(ctx context.Context, i int, f func([]uint32)) {
	p.t.at(i).eachUntil(ctx, f)
}

// Docs returns the documents of a list.
func (p Postings) Docs(i int) (out []uint32) {
	p.t.at(i).each(func(docs []uint32) { out = append(out, docs...) })
	return out
}

// Union joins the lists from (included) to (excluded), of a segment of n documents.
func (p Postings) Union(n, from, to int) []uint32 {
	g := &setBuilder{n: n}
	g.addAll(&p.t, from, to)
	return g.set().ToArray()
}

// UnionOneByOne is Union, but adds each list separately.
func (p Postings) UnionOneByOne(n, from, to int) []uint32 {
	g := &setBuilder{n: n}
	for i := from; i < to; i++ {
		g.add(p.t.at(i))
	}
	return g.set().ToArray()
}

// Column is a column of texts or numbers.
type Column struct{ c *column }

// ColumnValue is a value with its documents.
type ColumnValue struct {
	Text   string
	Number float64
	Docs   []uint32
}

// NewColumn creates the column of a segment of n documents from distinct values.
func NewColumn(n int, numbers bool, values []ColumnValue) Column {
	c, w := &column{}, columnWriter{rows: &rowScratch{}}
	if numbers {
		for _, v := range values {
			w.addNumber(v.Number, v.Docs)
		}
		w.finish(c, n, nil)
		return Column{c}
	}
	w.text = &tableWriter{}
	slices.SortFunc(values, func(a, b ColumnValue) int { return compareValues([]byte(a.Text), []byte(b.Text)) })
	for _, v := range values {
		w.addText([]byte(v.Text), v.Docs)
	}
	w.finish(c, n, nil)
	return Column{c}
}

func (c Column) Dense() bool                           { return c.c.dense }
func (c Column) Single() bool                          { return c.c.offsets == nil }
func (c Column) Text(i int) string                     { return c.c.valueText(uint32(i)) }
func (c Column) Len() int                              { return c.c.len() }
func (c Column) Find(text string) (int, bool)          { return c.c.find(text) }
func (c Column) EqualFold(text string) (from, to int)  { return c.c.equalFold(text) }
func (c Column) WithPrefix(text string) (from, to int) { return c.c.withPrefix(text) }
func (c Column) Rank(i int) uint32                     { return c.c.rank(uint32(i)) }

// Values returns the numbers of a document's values.
func (c Column) Values(doc uint32) (out []uint32) {
	from, to := c.c.span(doc)
	for place := from; place < to; place++ {
		out = append(out, c.c.value(place))
	}
	return out
}

// CountIn counts the documents of a set by value.
func (c Column) CountIn(ctx context.Context, set *roaring.Bitmap) []uint32 {
	return c.c.countIn(ctx, set, nil)
}

// Segment is one segment of documents.
type Segment struct{ s *segment }

// NewSegment creates a segment of documents sorted by URN.
func NewSegment(schemas []search.Schema, id uint64, docs []*search.Document) Segment {
	s := build(newSchemas(schemas, 0), docs)
	s.id = id
	return Segment{s}
}

// MergeSegments merges segments without their deleted documents.
func MergeSegments(from []Segment, deleted []*roaring.Bitmap) (Segment, [][]uint32) {
	parts := make([]*segment, len(from))
	for i := range from {
		parts[i] = from[i].s
	}
	s, numbers := merge(parts, deleted)
	return Segment{s}, numbers
}

// Dropped is the number of a document that a merge drops.
const Dropped = notKept

func (s Segment) Encode() []byte { return encodeSegment(s.s) }

// DecodeSegment decodes the result of Encode.
func DecodeSegment(file []byte) (Segment, error) {
	s, err := decodeSegment(file)
	return Segment{s}, err
}

// WithChecksum gives a damaged file a correct checksum.
func WithChecksum(file []byte) []byte {
	body := slices.Clone(file[:max(len(file)-blockAlign, 0)])
	return binary.LittleEndian.AppendUint64(body, uint64(crc32.Checksum(body, castagnoli)))
}

// Postings returns the documents of all words of fields and values of fields, and the fingerprints
// of entities, by name. Values also have the documents that refer back to them.
func (s Segment) Postings() map[string][]uint32 {
	out := map[string][]uint32{}
	for i := range s.s.n {
		out["urn "+s.s.urns.string(i)] = []uint32{uint32(i), uint32(s.s.fingerprints[i]), uint32(s.s.fingerprints[i] >> 32)}
	}
	for i, name := range s.s.names {
		c := Column{s.s.columns[i]}
		for v := range c.Len() {
			p := c.c.lists.at(v)
			p.each(func(docs []uint32) {
				out["value "+name+" "+c.Text(v)] = append(out["value "+name+" "+c.Text(v)], docs...)
			})
		}
		for doc := range uint32(s.s.n) {
			for _, v := range c.Values(doc) {
				out["row "+name+" "+c.Text(int(v))] = append(out["row "+name+" "+c.Text(int(v))], doc)
			}
			if row, ok := c.c.row(doc); ok && c.c.words != nil && c.c.words[row] > 0 {
				out["words "+name] = append(out["words "+name], doc, uint32(c.c.words[row]))
			}
		}
	}
	t := s.s.terms
	for i := range t.words.len() {
		for e := t.start[i]; e < t.start[i+1]; e++ {
			t.lists.at(int(e)).each(func(docs []uint32) {
				key := "term " + s.s.names[t.fields[e]] + " " + t.words.string(i)
				out[key] = append(out[key], docs...)
			})
		}
	}
	for i := range t.stems.len() {
		for _, word := range t.stemWords[t.stemStart[i]:t.stemStart[i+1]] {
			out["stem "+t.stems.string(i)+" "+t.words.string(int(word))] = nil
		}
	}
	return out
}

// Accumulate writes to an accumulator of n scores, returns it to the pool with the set, and reports
// whether all scores are zero then.
func Accumulate(n int, set *roaring.Bitmap) bool {
	var pool accumulatorPool
	b := pool.get(n)
	eachRun(set, func(docs []uint32) {
		for _, doc := range docs {
			b.scores[doc]++
		}
	})
	pool.put(b, set)
	return !slices.ContainsFunc(b.scores, func(s float32) bool { return s != 0 })
}

// RunTasks runs functions in a task group and waits for them.
func RunTasks(tasks ...func()) {
	var g taskGroup
	for _, task := range tasks {
		g.start(task)
	}
	g.wait()
}
