package roaring

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// maxExact is the length of the longest exact form; the rest of a longer text
// is found by words alone.
const maxExact = 32766

// builder makes a segment of documents, which are given in the order of URNs.
type builder struct {
	schemas *schemas
	n       int
	urns    tableWriter
	prints  []uint64
	fields  map[string]*fieldBuilder
	words   map[string]*wordBuilder
}

type fieldBuilder struct {
	// Most fields of a small segment have one value: the first one needs no map.
	first   string
	only    *valueBuilder
	texts   map[string]*valueBuilder // once there are several
	numbers map[float64]*valueBuilder
	words   []uint8 // by document; nil for fields without words
}

type valueBuilder struct {
	docs  []uint32
	words []*wordBuilder
	count int // of words, without pairs
}

type wordBuilder struct{ uses []wordUse }

type wordUse struct {
	field *fieldBuilder
	docs  []uint32
}

func newBuilder(s *schemas, n int) *builder {
	return &builder{schemas: s, n: n, fields: map[string]*fieldBuilder{}, words: map[string]*wordBuilder{}}
}

// build makes the segment of documents sorted by URN, each URN once.
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
	b.text(doc, typeField, search.Keyword, d.Type)
	// The URN table holds the values; the field is there for the words.
	b.useWords(doc, b.field(urnField), b.analyse(search.URNPartial, string(d.URN)))
	for name, values := range d.Fields {
		if name == urnField || name == typeField {
			continue
		}
		kind := b.schemas.kind(d, name)
		for _, v := range values[:min(len(values), search.MaxListValues)] {
			b.value(doc, name, kind, v)
		}
	}
}

func (b *builder) value(doc uint32, name string, kind search.Kind, v search.Value) {
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
		b.text(doc, name, kind, strings.ToLower(v.Text))
	default:
		b.text(doc, name, kind, v.Text)
	}
}

func (b *builder) path(doc uint32, name, path, separator string) {
	paths := analysis.Ancestors(path, separator)
	for _, p := range paths {
		b.text(doc, name, search.Keyword, p)
	}
	b.number(doc, name+".length", float64(len(paths)))
}

func (b *builder) field(name string) *fieldBuilder {
	f := b.fields[name]
	if f == nil {
		f = &fieldBuilder{}
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
		number = 0 // not minus zero
	}
	v := f.numbers[number]
	if v == nil {
		v = &valueBuilder{}
		f.numbers[number] = v
	}
	v.docs = appendDoc(v.docs, doc)
}

func (b *builder) text(doc uint32, name string, kind search.Kind, text string) {
	f := b.field(name)
	exactForm := cutText(text)
	v := f.value(exactForm)
	if v == nil || len(exactForm) < len(text) {
		fresh := b.analyse(kind, text)
		if v != nil {
			fresh.docs = v.docs
		}
		v = fresh
		f.keep(exactForm, v)
	}
	if len(v.docs) > 0 && v.docs[len(v.docs)-1] == doc {
		return
	}
	v.docs = append(v.docs, doc)
	b.useWords(doc, f, v)
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

func cutText(text string) string {
	if len(text) <= maxExact {
		return text
	}
	end := maxExact
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// analyse finds the words of a text once for all documents of the batch.
func (b *builder) analyse(kind search.Kind, text string) *valueBuilder {
	v := &valueBuilder{}
	if !hasWords(kind) {
		return v
	}
	take := func(word string) {
		w := b.words[word]
		if w == nil {
			w = &wordBuilder{}
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
		for _, pair := range analysis.Pairs(analysis.Sequence(text)) {
			take(pairMark + pair)
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
		w.use(f, doc)
	}
}

func (w *wordBuilder) use(f *fieldBuilder, doc uint32) {
	for i := range w.uses {
		if w.uses[i].field == f {
			w.uses[i].docs = appendDoc(w.uses[i].docs, doc)
			return
		}
	}
	w.uses = append(w.uses, wordUse{f, []uint32{doc}})
}

func appendDoc(docs []uint32, doc uint32) []uint32 {
	if len(docs) > 0 && docs[len(docs)-1] == doc {
		return docs
	}
	return append(docs, doc)
}

func (b *builder) finish() *segment {
	s := &segment{n: b.n, urns: b.urns.finish(), fingerprints: exact(b.prints)}
	s.names = slices.Sorted(maps.Keys(b.fields))
	numbers := map[*fieldBuilder]uint16{}
	for i, name := range s.names {
		f := b.fields[name]
		numbers[f] = uint16(i)
		s.columns = append(s.columns, f.finish(b.n))
	}
	s.terms = b.terms(numbers)
	s.nameFields()
	return s
}

func (f *fieldBuilder) finish(n int) *column {
	var w columnWriter
	if f.numbers != nil {
		for _, number := range slices.Sorted(maps.Keys(f.numbers)) {
			w.addNumber(number, f.numbers[number].docs)
		}
		return w.finish(n, nil)
	}
	w.text = &tableWriter{}
	if f.texts == nil {
		if f.only != nil {
			w.text.size = blockFor(len(f.first), 1)
			w.addText([]byte(f.first), f.only.docs)
		}
		return w.finish(n, f.words)
	}
	texts := make([][]byte, 0, len(f.texts))
	size := 0
	for text := range f.texts {
		texts = append(texts, []byte(text))
		size += len(text)
	}
	w.text.size = blockFor(size, len(texts))
	sort.Slice(texts, func(i, j int) bool { return compareValues(texts[i], texts[j]) < 0 })
	for _, text := range texts {
		w.addText(text, f.texts[string(text)].docs)
	}
	return w.finish(n, f.words)
}

func (b *builder) terms(numbers map[*fieldBuilder]uint16) *terms {
	words := make([][]byte, 0, len(b.words))
	for word := range b.words {
		words = append(words, []byte(word))
	}
	slices.SortFunc(words, bytes.Compare)
	var w termWriter
	for _, word := range words {
		uses := b.words[string(word)].uses
		if len(uses) == 0 {
			continue
		}
		w.word(word)
		sort.Slice(uses, func(i, j int) bool { return numbers[uses[i].field] < numbers[uses[j].field] })
		for _, u := range uses {
			w.entry(numbers[u.field], u.docs)
		}
	}
	return w.finish()
}
