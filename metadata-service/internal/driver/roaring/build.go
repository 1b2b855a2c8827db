package roaring

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// builder builds a segment from documents, which must be added in the order of their URNs.
type builder struct {
	schemas *schemas
	n       int
	urns    tableWriter
	prints  []uint64
	fields  map[string]*fieldBuilder
	words   map[string]*wordBuilder
	left    int // number of words that the current field of the current document may still add

	// Most segments hold one commit: a few documents with one or two values in each of many fields.
	// The builders of values, fields and words therefore come from slabs, and the columns share one
	// scratch buffer, one after the other.
	fieldSlab slab[fieldBuilder]
	valueSlab slab[valueBuilder]
	wordSlab  slab[wordBuilder]
	docSlab   slab[uint32]
	table     tableWriter
	rows      rowScratch
}

// slab allocates values of a builder in batches.
type slab[T any] struct{ free []T }

const slabSize = 32

func (s *slab[T]) alloc() *T { return &s.list()[0] }

// list returns a slice of one value; appending to it reallocates.
func (s *slab[T]) list() []T {
	if len(s.free) == 0 {
		s.free = make([]T, slabSize)
	}
	list := s.free[:1:1]
	s.free = s.free[1:]
	return list
}

type fieldBuilder struct {
	// Most fields of a small segment have one value, and a single value needs no map.
	first   string
	only    *valueBuilder
	texts   map[string]*valueBuilder // used from the second value on
	numbers map[float64]*valueBuilder
	words   []uint8 // by document; nil for fields without words
	column  uint16  // number of the field in the segment, set at the end
}

type valueBuilder struct {
	kind  search.Kind // kind of the field when the words were computed; the field may have another kind in other types
	form  nameForm    // likewise
	cut   bool        // the words were not computed, because only documents beyond maxFieldWords have the value
	docs  []uint32
	words []*wordBuilder
	count int // number of words without pairs
}

type wordBuilder struct {
	uses  []wordUse
	first [1]wordUse // most words occur in one field
}

type wordUse struct {
	field *fieldBuilder
	docs  []uint32
}

func newBuilder(s *schemas, n int) *builder {
	return &builder{schemas: s, n: n, fields: map[string]*fieldBuilder{}, words: map[string]*wordBuilder{}}
}

// build builds the segment of documents that are sorted by URN and have distinct URNs.
func build(s *schemas, docs []*search.Document) *segment {
	b := newBuilder(s, len(docs))
	for i, d := range docs {
		b.add(uint32(i), d)
	}
	return b.finish()
}

func (b *builder) add(doc uint32, d *search.Document) {
	b.urns.add([]byte(d.URN))
	b.prints = append(b.prints, search.Fingerprint(d))
	b.left = maxFieldWords
	b.text(doc, typeField, search.Keyword, inParts, d.Type)
	// The URN table holds the values; this field holds only the words.
	b.useWords(doc, b.field(urnField), b.analyse(search.URNPartial, string(d.URN)))
	known := b.schemas.types[d.Type]
	for name, values := range d.Fields {
		if name == urnField || name == typeField {
			continue
		}
		kind := kindOf(known, d, name)
		form := formOf(kind, known[name])
		b.left = maxFieldWords
		for _, v := range values[:min(len(values), search.MaxListValues)] {
			b.value(doc, name, kind, form, v)
		}
	}
}

// maxFieldWords is the maximum number of words of one field of a document, such as the descriptions of
// all columns. Words of further values are dropped: millions of them would delay the writes of others
// for many seconds.
const maxFieldWords = 100_000

func (b *builder) value(doc uint32, name string, kind search.Kind, form nameForm, v search.Value) {
	switch {
	case isNumber(kind):
		if !math.IsNaN(v.Number) {
			b.number(doc, name, v.Number)
		}
	case v.Text == "":
	case kind == search.BrowsePath:
		b.path(doc, name, v.Text, "/")
	case kind == search.BrowsePathV2:
		b.path(doc, name, v.Text, "\u241f")
	case kind == search.Boolean:
		b.text(doc, name, kind, inParts, strings.ToLower(v.Text))
	default:
		b.text(doc, name, kind, form, v.Text)
	}
}

func (b *builder) path(doc uint32, name, path, separator string) {
	paths := analysis.Ancestors(path, separator)
	for _, p := range paths {
		b.text(doc, name, search.Keyword, inParts, p)
	}
	b.number(doc, name+".length", float64(len(paths)))
}

func (b *builder) field(name string) *fieldBuilder {
	f := b.fields[name]
	if f == nil {
		f = b.fieldSlab.alloc()
		b.fields[name] = f
	}
	return f
}

func (b *builder) number(doc uint32, name string, number float64) {
	f := b.field(name + numberSuffix)
	if f.numbers == nil {
		f.numbers = map[float64]*valueBuilder{}
	}
	if number == 0 {
		number = 0 // normalizes minus zero
	}
	v := f.numbers[number]
	if v == nil {
		v = b.valueSlab.alloc()
		f.numbers[number] = v
	}
	v.docs = b.appendDoc(v.docs, doc)
}

func (b *builder) text(doc uint32, name string, kind search.Kind, form nameForm, text string) {
	f := b.field(name)
	exactForm := search.ExactForm(text)
	v := f.value(exactForm)
	takesWords := b.left > 0 || !hasWords(kind)
	if v == nil || v.kind != kind || v.form != form || len(exactForm) < len(text) || v.cut && takesWords {
		var fresh *valueBuilder
		if takesWords {
			fresh = b.analyse(kind, form.words(text))
		} else {
			fresh = b.valueSlab.alloc()
			fresh.kind, fresh.cut = kind, true
		}
		fresh.form = form
		if v != nil {
			fresh.docs = v.docs
		}
		v = fresh
		f.keep(exactForm, v)
	}
	if len(v.docs) > 0 && v.docs[len(v.docs)-1] == doc {
		return
	}
	v.docs = b.appendDoc(v.docs, doc)
	if takesWords {
		b.useWords(doc, f, v)
		b.left -= v.count
	}
}

func (f *fieldBuilder) value(text string) *valueBuilder {
	switch {
	case f.texts != nil:
		return f.texts[text]
	case f.only != nil && f.first == text:
		return f.only
	}
	return nil
}

func (f *fieldBuilder) keep(text string, v *valueBuilder) {
	switch {
	case f.texts != nil:
		f.texts[text] = v
	case f.only == nil || f.first == text:
		f.first, f.only = text, v
	default:
		f.texts = map[string]*valueBuilder{f.first: f.only, text: v}
	}
}

// analyse computes the words of a text once for all documents of the batch.
func (b *builder) analyse(kind search.Kind, text string) *valueBuilder {
	v := b.valueSlab.alloc()
	v.kind = kind
	if !hasWords(kind) {
		return v
	}
	take := func(word string) {
		w := b.words[word]
		if w == nil {
			w = b.wordSlab.alloc()
			b.words[word] = w
		}
		v.words = append(v.words, w)
	}
	analysis.Each(text, byPrefix(kind), func(word string, compound bool) {
		if compound {
			word = compoundMark + word
		}
		take(word)
	})
	v.count = len(v.words)
	if kind == search.WordGram {
		pieces := analysis.Sequence(text)
		for i := 1; i < len(pieces); i++ {
			take(pairMark + analysis.Pair(pieces[i-1], pieces[i]))
		}
	}
	return v
}

func (b *builder) useWords(doc uint32, f *fieldBuilder, v *valueBuilder) {
	if v.count == 0 {
		return
	}
	if f.words == nil {
		f.words = make([]uint8, b.n)
	}
	f.words[doc] = uint8(min(int(f.words[doc])+v.count, math.MaxUint8))
	for _, w := range v.words {
		b.useWord(w, f, doc)
	}
}

func (b *builder) useWord(w *wordBuilder, f *fieldBuilder, doc uint32) {
	for i := range w.uses {
		if w.uses[i].field == f {
			w.uses[i].docs = b.appendDoc(w.uses[i].docs, doc)
			return
		}
	}
	if w.uses == nil {
		w.uses = w.first[:0]
	}
	w.uses = append(w.uses, wordUse{f, b.appendDoc(nil, doc)})
}

func (b *builder) appendDoc(docs []uint32, doc uint32) []uint32 {
	switch {
	case len(docs) == 0:
		docs = b.docSlab.list()
		docs[0] = doc
		return docs
	case docs[len(docs)-1] == doc:
		return docs
	}
	return append(docs, doc)
}

func (b *builder) finish() *segment {
	s := &segment{n: b.n, urns: b.urns.finish(), fingerprints: exact(b.prints)}
	s.names = slices.AppendSeq(make([]string, 0, len(b.fields)), maps.Keys(b.fields))
	slices.Sort(s.names)
	s.columns = make([]*column, len(s.names))
	columns := make([]column, len(s.names))
	for i, name := range s.names {
		f := b.fields[name]
		f.column = uint16(i)
		s.columns[i] = &columns[i]
		b.finishField(f, &columns[i])
	}
	s.terms = b.terms()
	s.nameFields()
	return s
}

// finishField builds the column of a field.
func (b *builder) finishField(f *fieldBuilder, c *column) {
	w := columnWriter{rows: &b.rows}
	if f.numbers != nil {
		for _, number := range slices.Sorted(maps.Keys(f.numbers)) {
			w.addNumber(number, f.numbers[number].docs)
		}
		w.finish(c, b.n, nil)
		return
	}
	b.table = tableWriter{last: b.table.last[:0]}
	w.text = &b.table
	if f.texts == nil {
		if f.only != nil {
			w.expect(1, len(f.first), inList(f.only.docs))
			w.addText([]byte(f.first), f.only.docs)
		}
		w.finish(c, b.n, f.words)
		return
	}
	texts := make([][]byte, 0, len(f.texts))
	bytes, docs := 0, 0
	for text, v := range f.texts {
		texts = append(texts, []byte(text))
		bytes += len(text)
		docs += inList(v.docs)
	}
	w.expect(len(texts), bytes, docs)
	slices.SortFunc(texts, compareValues)
	for _, text := range texts {
		w.addText(text, f.texts[string(text)].docs)
	}
	w.finish(c, b.n, f.words)
}

func (b *builder) terms() *terms {
	words := make([]string, 0, len(b.words))
	bytes, entries, docs := 0, 0, 0
	for word, w := range b.words {
		if len(w.uses) == 0 {
			continue
		}
		words = append(words, word)
		bytes += len(word)
		entries += len(w.uses)
		for _, u := range w.uses {
			docs += inList(u.docs)
		}
	}
	slices.Sort(words)
	var w termWriter
	w.expect(len(words), bytes, entries, docs)
	for _, word := range words {
		uses := b.words[word].uses
		w.word([]byte(word))
		if len(uses) > 1 {
			slices.SortFunc(uses, func(a, b wordUse) int { return int(a.field.column) - int(b.field.column) })
		}
		for _, u := range uses {
			w.entry(u.field.column, u.docs)
		}
	}
	return w.finish()
}
