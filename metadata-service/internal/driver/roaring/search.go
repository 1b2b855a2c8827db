package roaring

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// preparedQuery holds the prepared parts of a query that do not depend on its text.
type preparedQuery struct {
	types         map[string]bool
	visible       *preparedVisible // nil: no restriction
	without       *preparedVisible // nil: excludes nothing
	filters       []preparedFilter // filters of the caller
	within        []urn.URN        // sorted
	restricted    bool             // restricted to within
	slice, slices int
	wholeNames    bool
	key           string // cache key of types and filters, empty if the set is not cached
}

// Search implements search.Index. It reads the current version, so it neither waits for writers nor
// sees partial writes. Facets of many hits are counted in parallel; a panic in one of these
// goroutines reaches the caller.
func (x *Index) Search(ctx context.Context, q search.Query) (search.Result, error) {
	if err := x.usable(ctx); err != nil {
		return search.Result{}, err
	}
	o := sortOrder{by: q.Sort}
	if len(o.by) == 0 {
		o.by = []search.Sort{{Field: scoreField, Descending: true}}
	}
	if err := check(&q, o); err != nil {
		return search.Result{}, err
	}
	ready, err := x.prepareQuery(&q)
	if err != nil {
		return search.Result{}, err
	}
	v := x.current()
	matches, found, err := x.find(ctx, v, ready, &q)
	if err != nil {
		return search.Result{}, err
	}
	result := search.Result{}
	for _, m := range matches {
		result.Total += int(m.set.GetCardinality())
	}
	if reserved := (&reservation{reserve: x.reserve}); q.Size > 0 && !reserved.take(ctx, orderSteps(result.Total, q.From+q.Size, len(o.by))) {
		return search.Result{}, reserved.refusal()
	}
	page := func() {
		hits, more := x.hits(ctx, v, &q, o, matches)
		result.More = more
		for i := range hits {
			if ctx.Err() != nil || !hits[i].m.reserved.take(ctx, hits[i].m.hitSteps(q.Highlight)) {
				return
			}
			result.Hits = append(result.Hits, x.newHit(&hits[i], o, &q, found))
		}
	}
	var background taskGroup
	switch {
	case q.Size == 0:
	case result.Total >= manyHits && len(q.Facets) > 0:
		background.start(page)
	default:
		page()
	}
	facets, err := x.facets(ctx, q.Facets, matches, result.Total)
	background.wait()
	if err == nil && len(matches) > 0 {
		err = matches[0].reserved.refusal() // of the steps for the page
	}
	if err != nil {
		return search.Result{}, err
	}
	result.Facets = facets
	if q.Suggest && result.Total < fewHits {
		if result.Suggestions, err = x.suggestions(ctx, v, &q); err != nil {
			return search.Result{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return search.Result{}, err
	}
	return result, nil
}

// fewHits is the number of hits below which suggestions are computed.
const fewHits = 3

// check rejects queries that violate the limits of the port.
func check(q *search.Query, o sortOrder) error {
	switch {
	case len(q.Types) == 0:
		return fault.New(fault.Malformed, "types: at least one entity type is needed")
	case q.From < 0:
		return fault.New(fault.Malformed, "start %d is negative", q.From)
	case q.Size < 0 || q.Size > search.MaxPage:
		return fault.New(fault.Malformed, "count %d is not between 0 and %d; scroll for more", q.Size, search.MaxPage)
	case q.From > 0 && q.After != nil:
		return fault.New(fault.Malformed, "a page behind a cursor takes no start")
	case q.After != nil && (len(q.After.Values) != len(o.by) || len(q.After.Missing) != len(o.by)):
		return fault.New(fault.Malformed, "the cursor belongs to another order")
	case q.Slices < 0 || q.Slice < 0 || q.Slices > 0 && q.Slice >= q.Slices || q.Slices > maxSlices:
		return fault.New(fault.Malformed, "slice %d of %d does not exist; slices are numbered from 0, at most %d", q.Slice, q.Slices, maxSlices)
	}
	for _, r := range q.Facets {
		if len(r.Values) > search.MaxFacetValues {
			return fault.New(fault.Malformed, "facet %s: %d values are named, at most %d are counted", r.Field, len(r.Values), search.MaxFacetValues)
		}
		if strings.Count(r.Field, nest) >= maxNested {
			return fault.New(fault.Malformed, "facets: one joins more than %d fields", maxNested)
		}
		if r.Size < 0 || r.Size > search.MaxPage {
			return fault.New(fault.Malformed, "facet %s: %d values asked for, at most %d are given", r.Field, r.Size, search.MaxPage)
		}
	}
	return nil
}

const maxSlices = 1024

func (x *Index) prepareQuery(q *search.Query) (*preparedQuery, error) {
	ready := &preparedQuery{types: map[string]bool{}, wholeNames: q.WholeNames, slice: q.Slice, slices: q.Slices}
	for _, t := range q.Types {
		if name, ok := x.schemas.names[search.TypeName(t)]; ok {
			ready.types[name] = true
		}
	}
	filters, err := x.prepareFilters(q.WholeNames, q.Filters()...)
	if err != nil {
		return nil, err
	}
	if ready.visible, err = x.prepareVisible(q.Visible, q.VisibleKey); err != nil {
		return nil, err
	}
	if ready.without, err = x.prepareVisible(q.Without, q.WithoutKey); err != nil {
		return nil, err
	}
	ready.filters = filters
	ready.setKey()
	if q.Within != nil {
		ready.restricted = true
		ready.within = slices.Clone(q.Within)
		slices.Sort(ready.within)
		ready.within = slices.Compact(ready.within)
	}
	return ready, nil
}

// maxKeyBytes is the size of the cache key of types and filters above which their set is not
// cached: such filters are rarely repeated.
const maxKeyBytes = 2000

// setKey sets the cache key of the types and filters.
func (r *preparedQuery) setKey() {
	var key strings.Builder
	for _, t := range slices.Sorted(maps.Keys(r.types)) {
		key.WriteString(t)
		key.WriteByte(' ')
	}
	if r.visible.inBase() {
		key.WriteString(r.visible.key)
	}
	for _, f := range r.filters {
		key.WriteByte('\n')
		for _, alternative := range f {
			key.WriteByte('|')
			for i := range alternative {
				fmt.Fprintf(&key, "%t %d:%s", alternative[i].Negated, len(alternative[i].key), alternative[i].key)
			}
			if key.Len() > maxKeyBytes {
				return
			}
		}
	}
	r.key = key.String()
}

// find evaluates the text, and relaxes it step by step while nothing is found.
func (x *Index) find(ctx context.Context, v *version, ready *preparedQuery, q *search.Query) ([]*match, *clause, error) {
	bases, err := x.bases(ctx, v, ready)
	if err != nil {
		return nil, nil, err
	}
	text, err := x.parse(q.Text, q.Structured)
	if err != nil {
		return nil, nil, err
	}
	fields := fieldSelection{excluded: newExcludedFields(q.ExcludedFields)}
	for level := allWords; ; level++ {
		a, plain, err := text.compile(level, fields)
		if err != nil {
			return nil, nil, err
		}
		matches, total, err := evaluate(ctx, bases, a)
		if err != nil {
			return nil, nil, err
		}
		if total > 0 || !plain || level == relaxationCount-1 {
			return matches, a, nil
		}
	}
}

// bases returns for each segment the documents that match the query without its text.
func (x *Index) bases(ctx context.Context, v *version, ready *preparedQuery) ([]*match, error) {
	var bases []*match
	reserved := &reservation{reserve: x.reserve}
	if !reserved.take(ctx, reserveChunk) { // fixed cost of a query
		return nil, reserved.refusal()
	}
	visible, without := x.visibleSets(ctx, v, ready.visible), x.visibleSets(ctx, v, ready.without)
	for i, view := range v.segments {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !reserved.take(ctx, ready.filterSteps(view)) {
			return nil, reserved.refusal()
		}
		set := ready.baseSet(ctx, view, at(visible, i))
		if without != nil {
			set = roaring.AndNot(set, without[i])
		}
		bases = append(bases, &match{ctx: ctx, view: view, x: x.schemas, maxCost: x.maxCost, reserved: reserved, set: set, segment: i, visible: at(visible, i), wholeNames: ready.wholeNames})
	}
	for _, base := range bases {
		base.peers = bases
	}
	return bases, nil
}

// at returns the set of a segment, or nil if there are no sets.
func at(sets []*bitmap, i int) *bitmap {
	if sets == nil {
		return nil
	}
	return sets[i]
}

// inBase reports whether visibility is part of the cached set of a view. It is not if it depends on
// other segments or has no key.
func (v *preparedVisible) inBase() bool { return v != nil && v.key != "" && len(v.joins) == 0 }

// baseSet returns the documents of a segment that match the query without its text. visible holds
// the visible documents of the segment, nil for all.
func (r *preparedQuery) baseSet(ctx context.Context, v segmentView, visible *bitmap) *bitmap {
	filtered := func() *bitmap {
		set := v.restrictToTypes(r.types, v.live())
		if visible != nil && r.visible.inBase() {
			set = and(set, visible)
		}
		for _, f := range r.filters {
			set = f.restrict(ctx, v.segment, set)
		}
		return set
	}
	var set *bitmap
	if r.key != "" {
		set = v.cache.baseSet(ctx, r.key, filtered)
	} else {
		set = filtered()
	}
	if visible != nil && !r.visible.inBase() {
		set = and(set, visible)
	}
	if r.restricted {
		set = v.restrictTo(ctx, r.within, set)
	}
	if r.slices > 1 {
		set = v.restrictToSlice(ctx, r.slice, r.slices, set)
	}
	return set
}

// evaluation returns a match with the same documents in which a clause can be evaluated.
func (m *match) evaluation(spent *int) *match {
	return &match{
		ctx: m.ctx, view: m.view, x: m.x, set: m.set, spent: spent, maxCost: m.maxCost, reserved: m.reserved,
		segment: m.segment, visible: m.visible, peers: m.peers, wholeNames: m.wholeNames,
	}
}

func evaluate(ctx context.Context, bases []*match, a *clause) ([]*match, int, error) {
	total, work, maxCost := 0, 0, 0
	matches := make([]*match, 0, len(bases))
	for _, base := range bases {
		if base.set.IsEmpty() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		m := base.evaluation(&work)
		maxCost = base.maxCost
		if a.op != opAll {
			if m.set = and(base.set, m.eval(a)); !m.set.IsEmpty() {
				m.complete(a)
			}
		}
		if err := m.reserved.refusal(); err != nil {
			return nil, 0, err
		}
		total += int(m.set.GetCardinality())
		matches = append(matches, m)
	}
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if work > maxCost {
		return nil, 0, fault.New(fault.Malformed, "query: its patterns, beginnings and phrases stand for too many words; ask for less at a time")
	}
	return matches, total, nil
}

// hits selects the page.
func (x *Index) hits(ctx context.Context, v *version, q *search.Query, o sortOrder, matches []*match) ([]hit, bool) {
	depth := q.From + q.Size + 1
	if total := v.count(); q.From >= total {
		return nil, false
	} else if depth > total+1 {
		depth = total + 1
	}
	// Whether hits have scores depends only on the hits of all segments: the words of hidden
	// documents must not change a score.
	scored := slices.ContainsFunc(o.by, func(s search.Sort) bool { return s.Field == scoreField }) && slices.ContainsFunc(matches, (*match).hasScores)
	weighted := x.schemas.weights
	documents := v.count()
	if len(matches) > 0 && matches[0].visible != nil {
		documents = matches[0].visibleCount()
	}
	p := &page{ctx: ctx, order: o}
	for _, m := range matches {
		if ended(ctx) {
			return nil, false
		}
		var b *scoreAccumulator
		if scored {
			b = x.accumulators.get(m.view.n)
			defer x.accumulators.put(b, m.set)
			m.score(b, documents, weighted)
		}
		p.add(o.forSegment(m, b, x.schemas).topK(depth, q.After))
	}
	return p.hits(q.From, q.Size)
}

// newHit converts a hit to its public form.
func (x *Index) newHit(h *hit, o sortOrder, q *search.Query, a *clause) search.Hit {
	out := search.Hit{
		URN: h.cursor.URN, Type: h.m.view.typeOf(h.doc), Score: 1, Cursor: h.cursor,
	}
	for i, s := range o.by {
		if s.Field == scoreField {
			out.Score = h.cursor.Values[i].Number
		}
	}
	if q.Highlight && a.op != opAll {
		out.Matched = h.m.highlights(h.doc, x.schemas, q.HighlightFields)
	}
	return out
}

// formatNumber formats a number as JSON does.
func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func foldText(text string) string { return analysis.Fold(text) }
