package roaring

import (
	"context"
	"strings"
	"sync"
)

// Steps are reserved before they are executed, when the number of words of a prefix, of values of a
// filter or of documents of a facet is known. Config.Reserve may wait, because no lock is held
// meanwhile.

// perMergedValue is the cost in steps of adding the count of one value to those of another column.
const perMergedValue = 10

// Costs of filters, in steps.
const (
	perCriterion   = 60 // building the set of a criterion, whatever its size
	perFilterValue = 40 // looking up a value in a field
)

// Costs of the output for a hit, in steps.
const (
	perHit       = 50
	perHighlight = 100 // of a hit with the list of its matched fields
	perContains  = 4   // looking up a hit among the documents that a clause found in a field
)

// hitSteps returns the cost of building a hit.
func (m *match) hitSteps(highlight bool) int {
	if !highlight {
		return perHit
	}
	return perHit + perHighlight + perContains*len(m.fieldMatches)
}

// reserveChunk is the number of steps that are collected between two calls of Config.Reserve.
const reserveChunk = 5_000

// reservation collects the steps of one query. It is safe for concurrent use; the zero value grants
// everything.
type reservation struct {
	reserve func(ctx context.Context, steps int) error

	mu        sync.Mutex
	collected int
	err       error // error of the first refusal
}

// take reserves steps, and reports whether the query may continue.
func (r *reservation) take(ctx context.Context, steps int) bool {
	if r == nil || r.reserve == nil {
		return true
	}
	r.mu.Lock()
	r.collected += steps
	pending, refused := 0, r.err != nil
	if r.collected >= reserveChunk {
		pending, r.collected = r.collected, 0
	}
	r.mu.Unlock()
	if refused || pending == 0 {
		return !refused
	}
	if err := r.reserve(ctx, pending); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err == nil {
			r.err = err
		}
		return false
	}
	return true
}

// refusal returns the error of the first refused reservation, or nil.
func (r *reservation) refusal() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// filterSteps returns the cost of the filters of a query, and of its list of entities, in one
// segment. Cached sets cost nothing.
func (r *preparedQuery) filterSteps(v segmentView) int {
	steps := 0
	if r.restricted {
		steps += min(len(r.within)*perLookup, v.n+len(r.within))
	}
	if r.key != "" && v.cache.hasBaseSet(r.key) {
		return steps
	}
	for _, f := range r.filters {
		for _, all := range f {
			for i := range all {
				steps += v.criterionSteps(&all[i])
			}
		}
	}
	return steps
}

// criterionSteps returns the cost of a criterion that reads all values of its field.
func (s *segment) criterionSteps(c *preparedCriterion) int {
	steps := 0
	for _, all := range c.combinations {
		for i := range all {
			steps += s.criterionSteps(&all[i])
		}
	}
	switch {
	case c.combinations != nil || c.to != nil || s.queryCache.hasSet(c.key):
		return steps
	case !scansValues(c.Criterion):
		return steps + perCriterion + len(c.places)*len(c.Values)*perFilterValue
	}
	for _, p := range c.places {
		values := s.n
		if p.column != urnField {
			values = s.columnLen(p.column) + s.columnLen(p.column+numberSuffix)
		}
		steps += perPattern * values * max(1, len(c.Values))
	}
	return steps
}

// suggestionSteps returns the cost of searching words similar to those of a text.
func (v *version) suggestionSteps(text string) int {
	words := len(strings.Fields(text))
	if words > maxSuggestedWords {
		return 0
	}
	steps := 0
	for _, view := range v.segments {
		steps += perFuzzyTerm * words * view.terms.words.len()
	}
	return steps
}

// splitSteps is the cost of building and sorting the samples for the selection of deep pages.
const splitSteps = 3 * sampleSize * perHit

// orderSteps returns the cost of selecting the first hits, in an order by some criteria.
func orderSteps(total, first, criteria int) int {
	if min(first, total) <= heapLimit {
		return 2 * total
	}
	return (1+criteria)*total + splitSteps
}

func (s *segment) columnLen(name string) int {
	if c := s.column(name); c != nil {
		return c.len()
	}
	return 0
}

// facetSteps returns the cost of counting a facet. Facets of several fields reserve their
// combinations separately.
func (x *Index) facetSteps(field string, matches []*match) int {
	field = strings.TrimPrefix(field, missing)
	steps, largest := 0, 0
	for _, p := range x.schemas.facetPlaces(field) {
		for _, m := range matches {
			for _, name := range []string{p.column, p.column + numberSuffix} {
				values := m.view.columnLen(name)
				if values == 0 {
					continue
				}
				steps += int(m.set.GetCardinality()) + perMergedValue*values
				largest = max(largest, values)
			}
		}
	}
	return steps - (perMergedValue-1)*largest
}
