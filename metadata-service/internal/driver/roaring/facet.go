package roaring

import (
	"cmp"
	"context"
	"iter"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Separators in names and values of facets.
const (
	nest    = search.Nest
	missing = "missing\u241d"
)

// manyHits is the number of hits from which facets are counted in parallel.
const manyHits = 5000

// facets counts all requested facets, in their order; after ctx has ended it counts no more.
func (x *Index) facets(ctx context.Context, requests []search.FacetRequest, matches []*match, total int) ([]search.Facet, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	out := make([]search.Facet, len(requests))
	combining := &combinationCounter{ctx: ctx, x: x}
	combining.budget.Store(maxCombining)
	combining.remaining.Store(maxCombinations)
	if len(matches) > 0 {
		combining.reserved = matches[0].reserved
		for _, r := range requests {
			combining.reserved.take(ctx, x.facetSteps(r.Field, matches))
		}
		if err := combining.reserved.refusal(); err != nil {
			return nil, err
		}
	}
	var next atomic.Int64
	count := func() {
		for i := next.Add(1) - 1; i < int64(len(requests)) && !ended(ctx); i = next.Add(1) - 1 {
			out[i] = x.facet(requests[i], matches, combining)
		}
	}
	var parallel taskGroup
	if total >= manyHits {
		for range min(runtime.GOMAXPROCS(0), len(requests)) - 1 {
			parallel.start(count)
		}
	}
	count()
	parallel.wait()
	if combining.budget.Load() < 0 || combining.remaining.Load() < 0 {
		return nil, fault.New(fault.Malformed, "facets: there are too many combinations of values to count; join fewer fields, or search among less")
	}
	if err := combining.reserved.refusal(); err != nil {
		return nil, err
	}
	return out, nil
}

// facet counts the values of one field, or the combinations of several, among the documents found.
func (x *Index) facet(r search.FacetRequest, matches []*match, combining *combinationCounter) search.Facet {
	counts := facetCounts{others: map[string]int{}}
	switch {
	case r.Under != nil:
		for _, m := range matches {
			m.countGroups(r.Field, *r.Under, r.Deeper, counts.others)
		}
	case strings.HasPrefix(r.Field, missing):
		counts.others[r.Field] = x.countMissing(strings.TrimPrefix(r.Field, missing), matches)
	case strings.Contains(r.Field, nest):
		return x.nestedFacet(r, matches, combining)
	default:
		counts = x.countValues(r.Field, matches)
	}
	facet := search.Facet{Field: r.Field}
	facet.Buckets, facet.More = counts.topBuckets(combining.ctx, r.Size)
	for _, value := range r.Values {
		facet.Buckets = withValue(facet.Buckets, counts.bucketOf(value))
	}
	return facet
}

// nestedFacet counts the values of the first of several fields, and the combinations with the
// values of each further field.
func (x *Index) nestedFacet(r search.FacetRequest, matches []*match, combining *combinationCounter) search.Facet {
	fields := strings.Split(r.Field, nest)
	levels := make([]combinationLevel, len(fields))
	for i := range levels {
		levels[i].counts = map[string]int{}
	}
	for _, m := range matches {
		all := valueCount{n: uint32(m.set.GetCardinality())}
		if combining.chargeField(m, fields[0], documentsOf([]valueCount{all})) {
			combining.count(m, fields, m.set, "", levels)
		}
	}
	facet := search.Facet{Field: r.Field}
	for _, level := range levels {
		list, more := facetCounts{others: level.counts}.topBuckets(combining.ctx, r.Size)
		facet.Buckets, facet.More = append(facet.Buckets, list...), facet.More || more
	}
	facet.Buckets = topBuckets(facet.Buckets, len(facet.Buckets))
	for _, value := range r.Values {
		count := 0
		if level := r.Level(value); level < len(levels) {
			count = levels[level].counts[value]
		}
		facet.Buckets = withValue(facet.Buckets, search.Bucket{Value: value, Count: count})
	}
	return facet
}

// withValue adds a bucket unless the list has one with the same value.
func withValue(list []search.Bucket, b search.Bucket) []search.Bucket {
	if slices.ContainsFunc(list, func(have search.Bucket) bool { return have.Value == b.Value }) {
		return list
	}
	return append(list, b)
}

// facetPlaces returns the places of a facet: the field, and the fields of an alias.
func (s *schemas) facetPlaces(field string) []place {
	field = search.PlainName(field)
	names := append([]string{field}, s.alias[field]...)
	places := make([]place, 0, len(names))
	for _, name := range names {
		places = append(places, s.place(name))
	}
	return places
}

func (x *Index) countMissing(field string, matches []*match) int {
	n := 0
	c := preparedCriterion{Criterion: search.Criterion{Field: field, Condition: search.Exists}, places: x.schemas.facetPlaces(field)}
	c.key = "facet " + keyOf(c.Criterion)
	for _, m := range matches {
		n += int(m.set.GetCardinality() - m.set.AndCardinality(m.view.matchCached(m.ctx, &c)))
	}
	return n
}

// columnCount holds the counts of a column's values.
type columnCount struct {
	c      *column
	key    string
	counts []uint32
}

// facetCounts holds the counts of a facet's values: the values of one column by number, all others
// by text. No value is in both.
type facetCounts struct {
	base   *columnCount // nil for none
	others map[string]int
}

// topBuckets returns the most frequent values and reports whether there are more.
func (t facetCounts) topBuckets(ctx context.Context, size int) (list []search.Bucket, more bool) {
	n := 0
	if t.base != nil {
		list, n = t.base.topBuckets(ctx, size)
	}
	for value, count := range t.others {
		if count > 0 {
			list = append(list, search.Bucket{Value: value, Count: count})
			n++
		}
	}
	return topBuckets(list, size), n > size
}

// bucketOf returns the count of one value, in the spelling of the documents found.
func (t facetCounts) bucketOf(value string) search.Bucket {
	if t.base != nil {
		if at, ok := t.base.find(value); ok && t.base.counts[at] > 0 {
			return search.Bucket{Value: t.base.c.valueText(uint32(at)), Count: int(t.base.counts[at])}
		}
	}
	return search.Bucket{Value: value, Count: t.others[value]}
}

// find looks up a value in the way a criterion does.
func (c *columnCount) find(value string) (int, bool) {
	at, ok := c.c.findText(value)
	if !ok && isBool(value) {
		return c.c.findText(strings.ToLower(value))
	}
	return at, ok
}

// countValues counts the values of a field. Most documents are in one segment: its values are
// counted by number, and the counts of the other segments are added.
func (x *Index) countValues(field string, matches []*match) facetCounts {
	var all []columnCount
	for _, p := range x.schemas.facetPlaces(field) {
		for _, m := range matches {
			if m.set.IsEmpty() {
				continue
			}
			for _, name := range []string{p.column, p.column + numberSuffix} {
				if c := m.view.column(name); c != nil && c.len() > 0 {
					all = append(all, columnCount{c, p.key, c.countIn(m.ctx, m.set, m.complement)})
				}
			}
		}
	}
	if len(all) == 0 {
		return facetCounts{}
	}
	main := 0
	for i := range all {
		if len(all[i].counts) > len(all[main].counts) && all[i].c.text != nil {
			main = i
		}
	}
	return mergeCounts(matches[0].ctx, all, main)
}

// mergeCounts adds up the counts of several columns; main is the index of the largest.
func mergeCounts(ctx context.Context, all []columnCount, main int) facetCounts {
	base := all[main]
	others := map[string]int{}
	for i, other := range all {
		if i == main {
			continue
		}
		for value, n := range other.counts {
			if cancelled(ctx, value) {
				break
			}
			if n == 0 {
				continue
			}
			text, ok := strings.CutPrefix(other.c.valueText(uint32(value)), other.key)
			if !ok {
				continue
			}
			if at, ok := base.c.findText(base.key + text); ok {
				base.counts[at] += n
			} else {
				others[text] += int(n)
			}
		}
	}
	if base.key == "" {
		return facetCounts{base: &base, others: others}
	}
	for value, n := range base.counts {
		if cancelled(ctx, value) {
			break
		}
		if text, ok := strings.CutPrefix(base.c.valueTextIf(uint32(value), n), base.key); ok && n > 0 {
			others[text] += int(n)
		}
	}
	return facetCounts{others: others}
}

// findText looks up a value by the text that valueText returns for it.
func (c *column) findText(text string) (int, bool) {
	if c.text != nil {
		return c.find(text)
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	return slices.BinarySearch(c.numbers, number)
}

// valueText returns a value as text.
func (c *column) valueText(value uint32) string {
	if c.text != nil {
		return c.text.string(int(value))
	}
	return formatNumber(c.numbers[value])
}

// topBuckets returns the most frequent values, and the number of all values with a count. Counts
// decide first, so only values that may be in the list are converted to texts.
func (c *columnCount) topBuckets(ctx context.Context, size int) (list []search.Bucket, n int) {
	least, n := c.threshold(ctx, size)
	ties := 0
	for value, count := range c.counts {
		switch {
		case cancelled(ctx, value):
			return nil, n
		case count == 0 || count < least:
			continue
		case count == least:
			if ties++; ties > size+maxTies {
				continue
			}
		}
		list = append(list, search.Bucket{Value: c.c.valueText(uint32(value)), Count: int(count)})
	}
	return topBuckets(list, size), n
}

// threshold returns the least count of a value that may be among the most frequent, and the number
// of values with a count.
func (c *columnCount) threshold(ctx context.Context, size int) (least uint32, n int) {
	if size == 0 {
		return math.MaxUint32, len(c.counts) - countOf(c.counts, 0)
	}
	var most []uint32 // the largest counts, ascending
	for value, count := range c.counts {
		if cancelled(ctx, value) {
			return 0, n
		}
		if count == 0 {
			continue
		}
		n++
		if len(most) == size {
			if count <= most[0] {
				continue
			}
			at, _ := slices.BinarySearch(most, count)
			copy(most, most[1:at])
			most[at-1] = count
			continue
		}
		at, _ := slices.BinarySearch(most, count)
		most = slices.Insert(most, at, count)
	}
	if len(most) < size {
		return 0, n
	}
	return most[0], n
}

func countOf(counts []uint32, wanted uint32) (n int) {
	for _, count := range counts {
		if count == wanted {
			n++
		}
	}
	return n
}

// maxTies limits the number of values with equal counts that are sorted by their texts when only
// some of them fit.
const maxTies = 10_000

func topBuckets(list []search.Bucket, size int) []search.Bucket {
	slices.SortFunc(list, func(a, b search.Bucket) int {
		if a.Count != b.Count {
			return cmp.Compare(b.Count, a.Count)
		}
		return strings.Compare(a.Value, b.Value)
	})
	return slices.Clone(list[:min(size, len(list))]) // the clone lets the others be freed before the search ends
}

// complement returns the documents of the segment that were not found, including deleted ones.
func (m *match) complement() *roaring.Bitmap {
	m.once.Do(func() { m.unmatched = roaring.Flip(m.set, 0, uint64(m.view.n)) })
	return m.unmatched
}

// countIn counts for each value the documents of a set that have it, value by value or document by
// document, whichever is less work. others, if not nil, returns the complement of the set within
// the segment.
func (c *column) countIn(ctx context.Context, set *roaring.Bitmap, others func() *roaring.Bitmap) []uint32 {
	counts := make([]uint32, c.len())
	c.countInto(ctx, set, others, counts)
	return counts
}

// countInto is countIn with a result slice, which must hold zeros.
func (c *column) countInto(ctx context.Context, set *roaring.Bitmap, others func() *roaring.Bitmap, counts []uint32) {
	n := int(set.GetCardinality())
	if n == 0 {
		return
	}
	// If most documents were found, counting the others is less work.
	if all := c.documentSpan(); c.dense && n > all-n {
		var rest *roaring.Bitmap
		if others != nil {
			rest = others()
		} else {
			rest = roaring.Flip(set, 0, uint64(all))
		}
		for i, n := range c.countIn(ctx, rest, nil) {
			if cancelled(ctx, i) {
				break
			}
			counts[i] = uint32(c.lists.at(i).len()) - n
		}
		return
	}
	const perDocument, perFew, perBigDocs = 2, 12, 128
	documents := n * perDocument
	if !c.dense {
		documents = min(n, len(c.docs)) * perDocument * 4
	}
	values := len(c.lists.docs)*perFew + len(c.lists.sets)*(c.documentSpan()/perBigDocs+200)
	if values < documents {
		c.countByValue(ctx, set, counts)
		return
	}
	c.countByDocument(ctx, set, counts)
}

// documentSpan returns the approximate number of documents of the segment.
func (c *column) documentSpan() int {
	if c.dense {
		if c.offsets != nil {
			return len(c.offsets) - 1
		}
		return c.places.len()
	}
	if len(c.docs) > 0 {
		return int(c.docs[len(c.docs)-1])
	}
	return 0
}

func (c *column) countByValue(ctx context.Context, set *roaring.Bitmap, counts []uint32) {
	for i := range counts {
		if cancelled(ctx, i) {
			return
		}
		l := c.lists.at(i)
		if l.set != nil {
			counts[i] = uint32(l.set.AndCardinality(set))
			continue
		}
		for _, doc := range l.docs {
			if set.Contains(doc) {
				counts[i]++
			}
		}
	}
}

func (c *column) countByDocument(ctx context.Context, set *roaring.Bitmap, counts []uint32) {
	if !c.dense {
		// There are few rows: check which of their documents were found.
		if len(c.docs) < int(set.GetCardinality()) {
			for row, doc := range c.docs {
				if cancelled(ctx, row) {
					return
				}
				if set.Contains(doc) {
					c.countRow(uint32(row), counts)
				}
			}
			return
		}
	}
	if c.dense && c.offsets == nil {
		plus := make([]uint32, len(counts)+1)
		eachRunUntil(ctx, set, func(docs []uint32) { c.places.count(docs, plus) })
		copy(counts, plus[1:])
		return
	}
	if c.dense {
		eachRunUntil(ctx, set, func(docs []uint32) {
			switch {
			case c.places.bytes != nil:
				countRows(docs, c.offsets, c.places.bytes, counts)
			case c.places.halves != nil:
				countRows(docs, c.offsets, c.places.halves, counts)
			default:
				countRows(docs, c.offsets, c.places.words, counts)
			}
		})
		return
	}
	eachRunUntil(ctx, set, func(docs []uint32) {
		for _, doc := range docs {
			if row, ok := c.row(doc); ok {
				c.countRow(row, counts)
			}
		}
	})
}

// countRows counts the values of documents that may have several values.
func countRows[T uint8 | uint16 | uint32](docs, offsets []uint32, places []T, counts []uint32) {
	for _, doc := range docs {
		for _, value := range places[offsets[doc]:offsets[doc+1]] {
			counts[value-1]++
		}
	}
}

func (c *column) countRow(row uint32, counts []uint32) {
	from, to := row, row+1
	if c.offsets != nil {
		from, to = c.offsets[row], c.offsets[row+1]
	}
	for place := from; place < to; place++ {
		if at := c.places.at(place); at > 0 {
			counts[at-1]++
		}
	}
}

// Limits of the nested facets of one search. A step is one value read, or one document in which it
// is looked up. A combination costs combinationSteps, as it is held until all are counted.
const (
	maxCombining     = 200_000_000 // steps
	combinationSteps = 500
	maxCombinations  = 100_000
)

// combinationCounter counts combinations of values within a budget of steps that all nested facets
// of a search share. The number of combinations multiplies with each field of a facet, and clients
// choose the fields.
type combinationCounter struct {
	ctx       context.Context
	x         *Index
	budget    atomic.Int64 // remaining steps
	remaining atomic.Int64 // number of further combinations that may be held
	reserved  *reservation // reservation of the query
}

func (b *combinationCounter) charge(steps int) bool {
	return b.budget.Add(-int64(steps)) >= 0 && b.reserved.take(b.ctx, steps)
}

// perFewValue is the number of values of a column that can be read in the time of sorting one value
// of a document.
const perFewValue = 16

// columnSteps is the cost of counting a column for a number of documents: either all values of the
// column are read, or the values of the documents are sorted.
func columnSteps(values, documents int) int { return min(values, perFewValue*documents) + documents }

// chargeField charges for counting a field of a segment, once for each number of documents.
func (b *combinationCounter) chargeField(m *match, field string, documents iter.Seq[int]) bool {
	steps := 0
	for _, p := range b.x.schemas.facetPlaces(field) {
		texts, numbers := m.view.columnLen(p.column), m.view.columnLen(p.column+numberSuffix)
		for n := range documents {
			steps += columnSteps(texts, n) + columnSteps(numbers, n)
		}
	}
	return b.charge(steps)
}

// valueCount is the number of documents that have a value.
type valueCount struct{ value, n uint32 }

// combinationLevel holds the counts of the combinations of one number of fields, and the buffers
// for counting the last of these fields.
type combinationLevel struct {
	counts map[string]int
	values []uint32
	found  []valueCount
}

// count returns the values of the documents of a set with their counts. The result is valid until
// the next call.
func (s *combinationLevel) count(ctx context.Context, c *column, set *roaring.Bitmap) []valueCount {
	s.found = s.found[:0]
	if perFewValue*int(set.GetCardinality()) >= c.len() {
		counts := zeroed(&s.values, c.len())
		c.countInto(ctx, set, nil, counts)
		for value, n := range counts {
			if n > 0 {
				s.found = append(s.found, valueCount{uint32(value), n})
			}
		}
		return s.found
	}
	s.values = s.values[:0]
	eachRunUntil(ctx, set, func(docs []uint32) {
		for _, doc := range docs {
			from, to := c.span(doc)
			for place := from; place < to; place++ {
				s.values = append(s.values, c.value(place))
			}
		}
	})
	slices.Sort(s.values)
	for i, value := range s.values {
		if i == 0 || value != s.values[i-1] {
			s.found = append(s.found, valueCount{value: value})
		}
		s.found[len(s.found)-1].n++
	}
	return s.found
}

// count counts combinations of values of several fields. The caller has charged for the first
// field. The cost of the next field is charged for all values at once, so that a too expensive
// count is refused before it begins. levels has one entry per field.
func (b *combinationCounter) count(m *match, fields []string, set *roaring.Bitmap, prefix string, levels []combinationLevel) {
	if set.IsEmpty() || b.ctx.Err() != nil {
		return
	}
	for _, p := range b.x.schemas.facetPlaces(fields[0]) {
		for _, name := range []string{p.column, p.column + numberSuffix} {
			c := m.view.column(name)
			if c == nil {
				continue
			}
			firstLevel := levels[0].count(b.ctx, c, set)
			if len(fields) > 1 && !b.chargeField(m, fields[1], documentsOf(firstLevel)) {
				return
			}
			for i, v := range firstLevel {
				if cancelled(b.ctx, i) {
					return
				}
				text, ok := strings.CutPrefix(c.valueText(v.value), p.key)
				if !ok {
					continue
				}
				if !b.charge(combinationSteps) || b.remaining.Add(-1) < 0 {
					return
				}
				levels[0].counts[prefix+text] += int(v.n)
				if len(fields) > 1 {
					if ended(b.ctx) {
						return
					}
					b.count(m, fields[1:], and(setOf(c.lists.at(int(v.value))), set), prefix+text+nest, levels[1:])
				}
			}
		}
	}
}

// documentsOf yields the number of documents of each value.
func documentsOf(counts []valueCount) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, v := range counts {
			if !yield(int(v.n)) {
				return
			}
		}
	}
}

func (c *column) valueTextIf(value, n uint32) string {
	if n == 0 {
		return ""
	}
	return c.valueText(value)
}

// countGroups counts the values directly below a path, or the given number of levels deeper.
func (m *match) countGroups(field, under string, deeper int, counts map[string]int) {
	c := m.view.column(search.PlainName(field))
	if c == nil || c.text == nil || m.set.IsEmpty() {
		return
	}
	separator := "\u241f"
	if strings.HasPrefix(under, "/") || under == "" && c.len() > 0 && strings.HasPrefix(c.text.string(0), "/") {
		separator = "/"
	}
	under = strings.TrimSuffix(under, separator) + separator
	from, to := c.withPrefix(foldText(under))
	for it := c.text.from(from); it.index+1 < to && it.next() && !cancelled(m.ctx, it.index); {
		rest, ok := strings.CutPrefix(string(it.text), under)
		if !ok || rest == "" || strings.Count(rest, separator) != deeper {
			continue
		}
		if n := c.lists.at(it.index).countIn(m.set); n > 0 {
			counts[under+rest] += n
		}
	}
}

func (l postings) countIn(set *roaring.Bitmap) int {
	if l.set != nil {
		return int(l.set.AndCardinality(set))
	}
	n := 0
	for _, doc := range l.docs {
		if set.Contains(doc) {
			n++
		}
	}
	return n
}
