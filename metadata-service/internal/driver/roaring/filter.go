package roaring

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// preparedFilter is a filter prepared for evaluation in segments.
type preparedFilter [][]preparedCriterion

type preparedCriterion struct {
	search.Criterion
	places []place
	key    string // cache key of the criterion without its negation
	// limited criteria compare a value that names entities only as a whole: see
	// search.Query.WholeNames.
	limited bool
	// combinations of values of a nested field; one of them must match.
	combinations [][]preparedCriterion
	to           *preparedReference // for a criterion on the entities that a field names
}

// maxNested is the maximum number of fields that a nested facet or criterion joins.
const maxNested = 8

// maxScannedValues is the maximum number of values of a filter that are compared with all texts of
// a field one by one.
const maxScannedValues = 200

// scansValues reports whether a criterion reads all values of its field.
func scansValues(c search.Criterion) bool {
	switch c.Condition {
	case search.Contain, search.EndWith, search.GreaterThan, search.GreaterOrEqual, search.LessThan, search.LessOrEqual:
		return true
	case search.IEqual, search.StartWith, search.Prefix:
		return search.PlainName(c.Field) == urnField
	}
	return false
}

// prepareFilters prepares filters that must all match, as limited ones for a query with WholeNames.
// It drops filters that match everything.
func (x *Index) prepareFilters(limited bool, filters ...search.Filter) ([]preparedFilter, error) {
	if err := search.SizeOf(filters...).Check(); err != nil {
		return nil, err
	}
	var out []preparedFilter
	compared := 0
	for _, f := range filters {
		if len(f) == 0 {
			continue
		}
		ready, err := x.prepareFilter(f, limited, &compared)
		if err != nil {
			return nil, err
		}
		out = append(out, ready)
	}
	return out, nil
}

func (x *Index) prepareFilter(filter search.Filter, limited bool, compared *int) (preparedFilter, error) {
	out := make(preparedFilter, len(filter))
	for i, alternative := range filter {
		for _, c := range alternative {
			if c.Condition == search.OtherThan {
				return nil, fault.New(fault.Malformed, "filter: condition %q of field %s is not known", c.Condition, c.Field)
			}
			if scansValues(c) {
				if *compared += max(len(c.Values), 1); *compared > maxScannedValues {
					return nil, fault.New(fault.Malformed, "filter: more than %d values are compared with %s or alike; ask for less", maxScannedValues, c.Condition)
				}
			}
			ready, err := x.prepareCriterion(c)
			if err != nil {
				return nil, err
			}
			if limited {
				ready.limit()
			}
			out[i] = append(out[i], ready)
		}
	}
	return out, nil
}

// limit turns the criterion into a limited one.
func (c *preparedCriterion) limit() {
	c.limited, c.key = true, "limited "+c.key
	for _, all := range c.combinations {
		for i := range all {
			all[i].limit()
		}
	}
}

func (x *Index) prepareCriterion(c search.Criterion) (preparedCriterion, error) {
	if c.Condition == "" {
		c.Condition = search.Equal
	}
	if c.To != nil {
		return preparedCriterion{}, fault.New(fault.Malformed, "filter: field %s refers to other entities, which only the filter of visible entities may do", c.Field)
	}
	switch c.Condition {
	case search.Equal, search.IEqual, search.Contain, search.StartWith, search.EndWith, search.Prefix, search.GreaterThan,
		search.GreaterOrEqual, search.LessThan, search.LessOrEqual, search.Exists, search.IsNull, search.OtherThan:
	default:
		return preparedCriterion{}, fault.New(fault.Malformed, "filter: condition %q of field %s is not known", c.Condition, c.Field)
	}
	if c.Condition == search.IsNull {
		c.Condition, c.Negated = search.Exists, !c.Negated
	}
	if c.Condition == search.Exists {
		c.Values = nil
	}
	if strings.Contains(c.Field, nest) {
		return x.prepareNested(c)
	}
	return preparedCriterion{Criterion: c, places: x.schemas.resolve(c.Field), key: keyOf(c)}, nil
}

// prepareNested splits the fields and values of a nested criterion, in the format of a nested
// facet. A value may omit its last parts. Only comparisons of whole values can be split; other
// conditions match nothing.
func (x *Index) prepareNested(c search.Criterion) (preparedCriterion, error) {
	out := preparedCriterion{Criterion: c, key: keyOf(c)}
	fields := strings.Split(c.Field, nest)
	if len(fields) > maxNested {
		return out, fault.New(fault.Malformed, "filter: a field joins more than %d", maxNested)
	}
	if c.Condition != search.Equal && c.Condition != search.IEqual {
		return out, nil
	}
	for _, v := range c.Values {
		parts := strings.Split(v, nest)
		if len(parts) > len(fields) {
			continue
		}
		all := make([]preparedCriterion, len(parts))
		for i, part := range parts {
			criterion := search.Criterion{Field: fields[i], Condition: c.Condition, Values: []string{part}}
			all[i] = preparedCriterion{Criterion: criterion, places: x.schemas.resolve(criterion.Field), key: keyOf(criterion)}
		}
		out.combinations = append(out.combinations, all)
	}
	return out, nil
}

// keyOf returns a unique text for a criterion. It contains the lengths of the field, which clients
// choose, and of each value, so that no two criteria have the same key.
func keyOf(c search.Criterion) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d:%s", c.Condition, len(c.Field), c.Field)
	for _, v := range c.Values {
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(len(v)))
		b.WriteByte(':')
		b.WriteString(v)
	}
	return b.String()
}

// restrict returns the part of a set that a filter matches.
func (f preparedFilter) restrict(ctx context.Context, s *segment, set *roaring.Bitmap) *roaring.Bitmap {
	if len(f) == 0 {
		return set
	}
	if len(f) == 1 {
		return s.allOf(ctx, f[0], set)
	}
	// Each set may be as large as the segment, so only some are held at a time.
	any := make([]*roaring.Bitmap, 0, min(len(f), unionBatch))
	for _, alternative := range f {
		if ended(ctx) {
			break
		}
		if len(any) == unionBatch {
			any = append(any[:0], roaring.FastOr(any...))
		}
		any = append(any, s.allOf(ctx, alternative, set))
	}
	return roaring.FastOr(any...)
}

// unionBatch is the number of alternatives that are joined in one step.
const unionBatch = 64

func (s *segment) allOf(ctx context.Context, all []preparedCriterion, set *roaring.Bitmap) *roaring.Bitmap {
	for i := range all {
		if set.IsEmpty() || ended(ctx) {
			break
		}
		match := s.matchCached(ctx, &all[i])
		switch {
		case !all[i].Negated:
			set = roaring.And(set, match)
		case !match.IsEmpty():
			set = roaring.AndNot(set, match)
		}
	}
	return set
}

// matchCached returns the documents, including deleted ones, that match the criterion without its
// negation.
func (s *segment) matchCached(ctx context.Context, c *preparedCriterion) *roaring.Bitmap {
	if c.Condition == search.Equal && len(c.Values) <= 1 && len(c.places) == 1 {
		return s.match(ctx, c)
	}
	return s.queryCache.cachedSet(ctx, c.key, func() *roaring.Bitmap { return s.match(ctx, c) })
}

func (s *segment) match(ctx context.Context, c *preparedCriterion) *roaring.Bitmap {
	g := &setBuilder{n: s.n}
	for _, all := range c.combinations {
		if ended(ctx) {
			break
		}
		set := s.matchCached(ctx, &all[0])
		for i := range all[1:] {
			set = roaring.And(set, s.matchCached(ctx, &all[1+i]))
		}
		g.sets = append(g.sets, set)
	}
	for _, p := range c.places {
		switch p.column {
		case urnField:
			s.matchURN(ctx, g, c)
		case typeField:
			s.matchType(ctx, g, c)
		default:
			if texts := s.column(p.column); texts != nil && texts.text != nil {
				texts.match(ctx, g, c, s.textsOf(ctx, c, p))
			}
			if numbers := s.column(p.column + numberSuffix); numbers != nil && p.key == "" {
				numbers.matchNumber(ctx, g, c)
			}
		}
	}
	return g.set()
}

func (s *segment) matchURN(ctx context.Context, g *setBuilder, c *preparedCriterion) {
	switch c.Condition {
	case search.Exists:
		all := roaring.New()
		all.AddRange(0, uint64(s.n))
		g.sets = append(g.sets, all)
	case search.Equal:
		for i, v := range c.Values {
			if cancelled(ctx, i) {
				return
			}
			if doc, ok := s.find(urn.URN(v)); ok {
				g.addDocs([]uint32{doc})
			}
		}
	default:
		holds := c.predicate()
		for it := s.urns.from(0); it.next() && !cancelled(ctx, it.index); {
			if holds(it.text) {
				g.addDocs([]uint32{uint32(it.index)})
			}
		}
	}
}

// matchType accepts entity types in both spellings.
func (s *segment) matchType(ctx context.Context, g *setBuilder, c *preparedCriterion) {
	types := s.column(typeField)
	plain := *c
	if c.Condition == search.Equal || c.Condition == search.IEqual {
		plain.Condition = search.Equal
		plain.Values = nil
		for i := range types.len() {
			for _, v := range c.Values {
				if name := types.text.string(i); search.TypeName(v) == search.TypeName(name) {
					plain.Values = append(plain.Values, name)
				}
			}
		}
	}
	types.match(ctx, g, &plain, texts{form: inParts, naming: empty})
}

// match adds the documents with a text that matches the criterion. With a key, the texts are those
// of an object that begin with the key.
func (c *column) match(ctx context.Context, g *setBuilder, by *preparedCriterion, of texts) {
	key := of.key
	switch by.Condition {
	case search.Exists:
		from, to := c.keyRange(key)
		c.addFrom(ctx, g, from, to, key)
	case search.Equal:
		for i, v := range by.Values {
			if cancelled(ctx, i) {
				return
			}
			if i, ok := c.find(key + v); ok {
				g.add(c.lists.at(i))
			} else if i, ok := c.find(key + strings.ToLower(v)); ok && isBool(v) {
				g.add(c.lists.at(i))
			}
		}
	case search.IEqual:
		for i, v := range by.Values {
			if cancelled(ctx, i) {
				return
			}
			from, to := c.equalFold(key + v)
			c.addParts(ctx, g, of.naming, from, to, key)
		}
	case search.StartWith:
		for i, v := range by.Values {
			if cancelled(ctx, i) {
				return
			}
			from, to := c.withPrefix(key + v)
			c.addParts(ctx, g, of.naming, from, to, key)
		}
	case search.Prefix:
		// Texts are sorted by their folded forms, so all matches are in one range.
		for i, v := range by.Values {
			if cancelled(ctx, i) {
				return
			}
			from, to := c.withPrefix(key + v)
			c.addParts(ctx, g, of.naming, from, to, key+v)
		}
	default:
		from, to := c.keyRange(key)
		holds := by.predicate()
		for it := c.text.from(from); it.index+1 < to && it.next() && !cancelled(ctx, it.index); {
			if value, ok := bytes.CutPrefix(it.text, []byte(key)); ok && holds(value) && !of.form.names(it.text) {
				g.add(c.lists.at(it.index))
			}
		}
	}
}

// addFrom adds the documents of the values from (included) to (excluded) that begin with the key.
// The comparison is exact: keys with equal folded forms are different.
func (c *column) addFrom(ctx context.Context, g *setBuilder, from, to int, key string) {
	if key == "" {
		g.addAll(&c.lists, from, to)
		return
	}
	for it := c.text.from(from); it.index+1 < to && it.next() && !cancelled(ctx, it.index); {
		if bytes.HasPrefix(it.text, []byte(key)) {
			g.add(c.lists.at(it.index))
		}
	}
}

// addParts is addFrom without the values that name entities.
func (c *column) addParts(ctx context.Context, g *setBuilder, naming *bitmap, from, to int, key string) {
	for _, run := range runsWithout(naming, from, to) {
		c.addFrom(ctx, g, run.from, run.to, key)
	}
}

// keyRange returns a range that contains all values that begin with a key.
func (c *column) keyRange(key string) (from, to int) {
	if key == "" {
		return 0, c.len()
	}
	return c.withPrefix(key)
}

func isBool(text string) bool {
	return strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
}

// predicate returns a function that reports whether the criterion matches a text.
func (c *preparedCriterion) predicate() func(text []byte) bool {
	if c.Condition == search.Prefix {
		return func(text []byte) bool {
			return slices.ContainsFunc(c.Values, func(v string) bool { return strings.HasPrefix(string(text), v) })
		}
	}
	folded := make([][]byte, len(c.Values))
	for i, v := range c.Values {
		folded[i] = []byte(analysis.Fold(v))
	}
	anyValue := func(holds func(text, value []byte) bool) func([]byte) bool {
		return func(text []byte) bool {
			text = foldBytes(text)
			return slices.ContainsFunc(folded, func(v []byte) bool { return holds(text, v) })
		}
	}
	switch c.Condition {
	case search.Contain:
		return anyValue(bytes.Contains)
	case search.StartWith:
		return anyValue(bytes.HasPrefix)
	case search.EndWith:
		return anyValue(bytes.HasSuffix)
	case search.IEqual:
		return anyValue(bytes.Equal)
	}
	if len(c.Values) == 0 {
		return func([]byte) bool { return false }
	}
	if c.Condition == search.OtherThan {
		named := make(map[string]bool, len(c.Values))
		for _, v := range c.Values {
			named[v] = true
		}
		return func(text []byte) bool { return !named[string(text)] }
	}
	first := []byte(c.Values[0])
	switch c.Condition {
	case search.GreaterThan:
		return func(text []byte) bool { return bytes.Compare(text, first) > 0 }
	case search.GreaterOrEqual:
		return func(text []byte) bool { return bytes.Compare(text, first) >= 0 }
	case search.LessThan:
		return func(text []byte) bool { return bytes.Compare(text, first) < 0 }
	case search.LessOrEqual:
		return func(text []byte) bool { return bytes.Compare(text, first) <= 0 }
	}
	return func([]byte) bool { return false }
}

// foldBytes folds a text. It does not modify its argument.
func foldBytes(text []byte) []byte {
	for _, b := range text {
		if b >= 0x80 || 'A' <= b && b <= 'Z' {
			return []byte(analysis.Fold(string(text)))
		}
	}
	return text
}

func (c *column) matchNumber(ctx context.Context, g *setBuilder, by *preparedCriterion) {
	if by.Condition == search.Exists {
		g.addAll(&c.lists, 0, c.len())
		return
	}
	for i, v := range by.Values {
		if cancelled(ctx, i) {
			return
		}
		n, ok := search.ParseNumber(v)
		if !ok {
			continue
		}
		from := sort.SearchFloat64s(c.numbers, n)
		to := from
		if to < len(c.numbers) && c.numbers[to] == n {
			to++
		}
		switch by.Condition {
		case search.Equal, search.IEqual:
			g.addAll(&c.lists, from, to)
			continue
		case search.GreaterThan:
			g.addAll(&c.lists, to, c.len())
		case search.GreaterOrEqual:
			g.addAll(&c.lists, from, c.len())
		case search.LessThan:
			g.addAll(&c.lists, 0, from)
		case search.LessOrEqual:
			g.addAll(&c.lists, 0, to)
		}
		return // comparisons use the first value only
	}
}

// restrictToTypes returns the part of a set that has one of some entity types.
func (s *segment) restrictToTypes(types map[string]bool, set *roaring.Bitmap) *roaring.Bitmap {
	column := s.column(typeField)
	var wanted []*roaring.Bitmap
	for i := range column.len() {
		if types[column.text.string(i)] {
			wanted = append(wanted, setOf(column.lists.at(i)))
		}
	}
	switch len(wanted) {
	case 0:
		return empty
	case column.len():
		return set
	case 1:
		return roaring.And(set, wanted[0])
	}
	return roaring.And(set, roaring.FastOr(wanted...))
}

// perLookup is the number of walk steps that cost as much as one lookup of an entity.
const perLookup = 16

// restrictTo returns the part of a set that belongs to some entities, given in sorted order.
func (s *segment) restrictTo(ctx context.Context, urns []urn.URN, set *roaring.Bitmap) *roaring.Bitmap {
	g := &setBuilder{n: s.n}
	if len(urns)*perLookup < s.n {
		for i, u := range urns {
			if cancelled(ctx, i) {
				break
			}
			if doc, ok := s.find(u); ok {
				g.addDocs([]uint32{doc})
			}
		}
		return roaring.And(set, g.set())
	}
	if s.n == 0 || len(urns) == 0 {
		return empty
	}
	start, _ := s.find(urns[0]) // 0 when it is absent
	it := s.urns.from(int(start))
	more := it.next()
	i, _ := slices.BinarySearch(urns, urn.URN(it.text))
	for step := 0; more && i < len(urns) && !cancelled(ctx, step); step++ {
		switch order := strings.Compare(string(it.text), string(urns[i])); {
		case order < 0:
			more = it.next()
		case order > 0:
			i++
		default:
			g.addDocs([]uint32{uint32(it.index)})
			more = it.next()
			i++
		}
	}
	return roaring.And(set, g.set())
}

// restrictToSlice returns one slice of a set, by a hash of the URN.
func (s *segment) restrictToSlice(ctx context.Context, part, of int, set *roaring.Bitmap) *roaring.Bitmap {
	key := "slice " + strconv.Itoa(part) + "/" + strconv.Itoa(of)
	return roaring.And(set, s.queryCache.cachedSet(ctx, key, func() *roaring.Bitmap {
		g := &setBuilder{n: s.n}
		for it := s.urns.from(0); it.next() && !cancelled(ctx, it.index); {
			if int(hashOf(it.text)%uint64(of)) == part {
				g.addDocs([]uint32{uint32(it.index)})
			}
		}
		return g.set()
	}))
}

func hashOf(text []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(text) // a hash never fails
	sum := h.Sum64()
	return sum ^ sum>>32
}
