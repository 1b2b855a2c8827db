package roaring

import (
	"context"
	"strings"
	"sync"
)

// Work is reserved before it is done: how many words a beginning stands for, how many
// values a filter is compared with and how many documents a facet counts is known by
// then. Config.Reserve may wait, as nothing is locked meanwhile.

// perMergedValue is the steps of adding the count of one value to those of another column.
const perMergedValue = 10

// Costs of filters, in steps.
const (
	perCriterion   = 60 // of making the set of one, whatever it holds
	perFilterValue = 40 // of finding a value in a field
)

// Costs of what callers see of a hit, in steps.
const (
	perHit       = 50
	perHighlight = 100 // of a hit whose matched fields are listed
	perContains  = 4   // of looking for a hit in what a clause found in a field
)

// hitSteps is what making a hit takes.
func (m *match) hitSteps(highlight bool) int {
	if !highlight {
		return perHit
	}
	return perHit + perHighlight + perContains*len(m.fieldMatches)
}

// reserveChunk is how many steps are collected between two calls of Config.Reserve.
const reserveChunk = 5_000

// reservation collects the steps of one query. It is safe for concurrent use; the zero
// value grants everything.
type reservation struct {
	reserve func(ctx context.Context, steps int) error

	mu        sync.Mutex
	collected int
	err       error // of the first refusal
}

// take reserves steps, and reports whether the query goes on.
func (r *reservation) take(ctx context.Context, steps int) bool {
	if r == nil || r.reserve == nil {
		return true
	}
	r.mu.Lock()
	r.collected += steps
	due, refused := 0, r.err != nil
	if r.collected >= reserveChunk {
		due, r.collected = r.collected, 0
	}
	r.mu.Unlock()
	if refused || due == 0 {
		return !refused
	}
	if err := r.reserve(ctx, due); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err == nil {
			r.err = err
		}
		return false
	}
	return true
}

// refusal is the error of the first reservation that was refused.
func (r *reservation) refusal() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// filterSteps is what the filters of a query, and its list of entities, take in one
// segment. Sets that are cached take nothing.
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

// criterionSteps is what a criterion takes that looks at all values of its field.
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

// suggestionSteps is what looking for words like those of a text takes.
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

// splitSteps is what making and sorting the samples takes by which deep pages are found.
const splitSteps = 3 * sampleSize * perHit

// orderSteps is what finding the first hits of all takes, in an order by some criteria.
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

// facetSteps is what counting a facet takes. Facets of several fields reserve each
// combination.
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
