package roaring

import (
	"context"
	"math"
	"sort"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

const scoreField = "_score"

// sortOrder is the order of the hits of a query: by some criteria, then by URN.
type sortOrder struct{ by []search.Sort }

// segmentOrder is an order in one segment, where every criterion is a number.
type segmentOrder struct {
	keys []sortKey
	m    *match
}

// sortKey returns the numbers by which documents of a segment are sorted, ascending.
type sortKey struct {
	search.Sort
	scored bool // by score
	scores []float32
	urns   bool
	rank   *ranking // nil if no document has the field
}

// Keys of documents without a value.
const (
	missingFirstKey = int64(math.MinInt64)
	missingLastKey  = int64(math.MaxInt64 - 1)
)

func (o sortOrder) forSegment(m *match, b *scoreAccumulator, x *schemas) *segmentOrder {
	l := &segmentOrder{m: m}
	for _, s := range o.by {
		k := sortKey{Sort: s, scored: s.Field == scoreField}
		switch s.Field {
		case scoreField:
			if b != nil {
				k.scores = b.scores
			}
		case urnField:
			k.urns = true
		default:
			k.rank = m.view.ranking(m.ctx, x, rankingKey{s.Field, m.wholeNames})
		}
		l.keys = append(l.keys, k)
	}
	return l
}

// at returns the key of a document.
func (k *sortKey) at(doc uint32) int64 {
	switch {
	case k.scored:
		return -k.directed(int64(k.score(doc)))
	case k.urns:
		return k.directed(int64(doc))
	case k.rank == nil:
		return k.missing()
	}
	r, ok := k.rank.of(doc, k.Descending)
	if !ok {
		return k.missing()
	}
	return k.directed(int64(r))
}

// score returns the score of a document as an integer with the same order. Scores are never
// negative.
func (k *sortKey) score(doc uint32) uint32 {
	if k.scores == nil {
		return math.Float32bits(1)
	}
	return math.Float32bits(k.scores[doc])
}

// directed negates a number for descending order. For scores it does the opposite, because at
// negates its result.
func (k *sortKey) directed(n int64) int64 {
	if k.Descending {
		if k.scored {
			return n
		}
		return -n
	}
	if k.scored {
		return -n
	}
	return n
}

func (k *sortKey) missing() int64 {
	if k.MissingFirst {
		return missingFirstKey
	}
	return missingLastKey
}

// value returns the key in the form that cursors and other segments use.
func (k *sortKey) value(m *match, doc uint32) (v search.Value, missing bool) {
	switch {
	case k.scored:
		return search.Value{Number: float64(math.Float32frombits(k.score(doc)))}, false
	case k.urns:
		return search.Value{Text: string(m.view.urn(doc))}, false
	case k.rank == nil:
		return v, true
	}
	return k.rank.value(doc, k.Descending)
}

// bounds returns the range of keys that equal a cursor's value: from low (included) to high
// (excluded).
func (k *sortKey) bounds(m *match, v search.Value, missing bool) (low, high int64) {
	switch {
	case k.scored:
		n := -k.directed(int64(math.Float32bits(float32(v.Number))))
		return n, n + 1
	case missing:
		n := k.missing()
		return n, n + 1
	case k.urns:
		from := int64(m.view.seek(v.Text, true))
		to := int64(m.view.seek(v.Text, false))
		return k.directedRange(from, to)
	case k.rank == nil:
		return 0, 0
	}
	from, to := k.rank.bounds(v)
	return k.directedRange(int64(from), int64(to))
}

func (k *sortKey) directedRange(from, to int64) (low, high int64) {
	if k.Descending {
		return -to + 1, -from + 1
	}
	return from, to
}

// ranking numbers the values of one or several columns of a segment in their sort order.
type ranking struct {
	columns []*column
	names   []string   // names of the columns
	ranks   [][]uint32 // by column and value; nil if there is one column
	n       uint32
	// skipped holds by column the values that are ignored for sorting; nil for none.
	skipped []*bitmap
}

// rankingKey is a field or alias to sort by. Limited orders belong to queries with WholeNames: they
// ignore values that name entities.
type rankingKey struct {
	field   string
	limited bool
}

// ranking returns the ranking of a field or alias, or nil if the segment does not have it.
func (s *segment) ranking(ctx context.Context, x *schemas, by rankingKey) *ranking {
	s.queryCache.mu.Lock()
	defer s.queryCache.mu.Unlock()
	if r, ok := s.queryCache.ranks[by]; ok {
		return r
	}
	if s.queryCache.ranks == nil || len(s.queryCache.ranks) > maxCachedSets {
		s.queryCache.ranks = map[rankingKey]*ranking{}
	}
	ctx = idle.Hold(ctx) // other queries wait for the lock
	r := s.rank(ctx, x, by.field)
	if by.limited && r != nil {
		r.skipNames(ctx, x)
	}
	if ctx.Err() == nil {
		s.queryCache.ranks[by] = r
	}
	return r
}

// skipNames excludes the values that name entities.
func (r *ranking) skipNames(ctx context.Context, x *schemas) {
	skipped := make([]*bitmap, len(r.columns))
	for i, c := range r.columns {
		if skipped[i] = c.naming(ctx, x.nameForms[r.names[i]]); !skipped[i].IsEmpty() {
			r.skipped = skipped
		}
	}
}

// trimSkipped removes skipped values from a range of places, at the end that decides the order.
func (c *column) trimSkipped(skipped *bitmap, from, to uint32, descending bool) (uint32, uint32) {
	for from < to && !descending && skipped.Contains(c.value(from)) {
		from++
	}
	for from < to && descending && skipped.Contains(c.value(to-1)) {
		to--
	}
	return from, to
}

func (s *segment) rank(ctx context.Context, x *schemas, field string) *ranking {
	r := &ranking{}
	names := append([]string{search.PlainName(field)}, x.alias[search.PlainName(field)]...)
	for _, name := range names {
		if c := s.column(name + numberSuffix); c != nil {
			return &ranking{columns: []*column{c}, names: []string{name}, n: uint32(c.len())}
		}
		if c := s.column(name); c != nil && c.text != nil && c.len() > 0 {
			r.columns, r.names = append(r.columns, c), append(r.names, name)
		}
	}
	switch len(r.columns) {
	case 0:
		return nil
	case 1:
		r.n = uint32(r.columns[0].len())
		return r
	}
	r.mergeColumns(ctx)
	return r
}

// mergeColumns walks the values of all columns in one order.
func (r *ranking) mergeColumns(ctx context.Context) {
	cursors := make([]*cursor, len(r.columns))
	for i, c := range r.columns {
		cursors[i] = c.text.from(0)
		r.ranks = append(r.ranks, make([]uint32, c.len()))
	}
	queue := newMergeQueue(cursors, analysis.CompareFolded)
	step := 0
	for least := queue.least(); len(least) > 0 && !cancelled(ctx, step); least = queue.least() {
		step++
		// Values of one column with equal folded forms also share a rank.
		next := r.n + 1
		for _, i := range least {
			at := cursors[i].index
			if before := r.columns[i].rank(uint32(at)); int(before) < at {
				r.ranks[i][at] = r.ranks[i][before]
				continue
			}
			r.ranks[i][at] = r.n
		}
		r.n = next
		queue.step()
	}
}

// of returns the rank of a document: of its first value in ascending order, of its last value in
// descending order.
func (r *ranking) of(doc uint32, descending bool) (uint32, bool) {
	column, value, ok := r.find(doc, descending)
	if !ok {
		return 0, false
	}
	if r.ranks != nil {
		return r.ranks[column][value], true
	}
	return r.columns[0].rank(value), true
}

func (r *ranking) find(doc uint32, descending bool) (column int, value uint32, ok bool) {
	for i, c := range r.columns {
		from, to := c.span(doc)
		if r.skipped != nil {
			from, to = c.trimSkipped(r.skipped[i], from, to, descending)
		}
		if from == to {
			continue
		}
		if descending {
			return i, c.value(to - 1), true
		}
		return i, c.value(from), true
	}
	return 0, 0, false
}

func (r *ranking) value(doc uint32, descending bool) (search.Value, bool) {
	column, value, ok := r.find(doc, descending)
	if !ok {
		return search.Value{}, true
	}
	c := r.columns[column]
	if c.text == nil {
		return search.Value{Number: c.numbers[value]}, false
	}
	return search.Value{Text: c.text.string(int(value))}, false
}

// bounds returns the ranks that equal a value: from low (included) to high (excluded). If other
// segments have texts instead of numbers, texts sort after zero, as in compareKeys.
func (r *ranking) bounds(v search.Value) (low, high uint32) {
	folded := analysis.Fold(v.Text)
	if c := r.columns[0]; c.text == nil {
		if folded != "" {
			behind := uint32(sort.Search(c.len(), func(i int) bool { return c.numbers[i] > 0 }))
			return behind, behind
		}
		from := sort.SearchFloat64s(c.numbers, v.Number)
		if from < c.len() && c.numbers[from] == v.Number {
			return uint32(from), uint32(from) + 1
		}
		return uint32(from), uint32(from)
	}
	switch {
	case v.Number < 0:
		return 0, 0
	case v.Number > 0:
		return r.n, r.n
	}
	low = r.n
	found := false
	for i, c := range r.columns {
		from, to := c.equalFold(folded)
		rank := r.n
		switch {
		case from >= c.len():
		case r.ranks != nil:
			rank = r.ranks[i][from]
		default:
			rank = c.rank(uint32(from))
		}
		low = min(low, rank)
		found = found || from < to
	}
	if found {
		return low, low + 1
	}
	return low, low
}

// compareKeys compares hits of different segments by one criterion.
func compareKeys(s search.Sort, a, b search.Value, noA, noB bool) int {
	if noA || noB {
		switch {
		case noA && noB:
			return 0
		case noA == s.MissingFirst:
			return -1
		}
		return 1
	}
	order := 0
	switch {
	case s.Field == urnField:
		order = strings.Compare(a.Text, b.Text)
	case a.Number < b.Number:
		order = -1
	case a.Number > b.Number:
		order = 1
	case a.Text != b.Text: // equal texts are frequent, and folding costs more
		order = analysis.CompareFolded([]byte(a.Text), []byte(b.Text))
	}
	if s.Descending {
		return -order
	}
	return order
}
