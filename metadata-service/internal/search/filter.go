package search

import "github.com/cartulary/cartulary/pkg/fault"

// FilterSize is how much the filters of a query hold. An alternative without
// criteria counts as one criterion.
type FilterSize struct{ Alternatives, Criteria, Values int }

// SizeOf adds up the sizes of filters. Filters that must all hold cost their
// sum, as they are never multiplied out. It allocates nothing.
func SizeOf(filters ...Filter) (size FilterSize) {
	for _, f := range filters {
		size.Alternatives += len(f)
		for _, alternative := range f {
			size.Criteria += max(len(alternative), 1)
			for i := range alternative {
				size.Values += len(alternative[i].Values)
			}
		}
	}
	return size
}

// Plus adds the sizes of further filters.
func (s FilterSize) Plus(filters ...Filter) FilterSize {
	more := SizeOf(filters...)
	return FilterSize{s.Alternatives + more.Alternatives, s.Criteria + more.Criteria, s.Values + more.Values}
}

// Check refuses filters beyond MaxAlternatives, MaxCriteria or MaxValues as
// fault.Malformed. Whoever makes filters larger than they came, by looking up
// hierarchies or by combining several, checks before it does so.
func (s FilterSize) Check() error {
	switch {
	case s.Alternatives > MaxAlternatives:
		return fault.New(fault.Malformed, "filter: %d alternatives, those of a view included, at most %d are allowed; ask for less, or name all values of a field in one criterion",
			s.Alternatives, MaxAlternatives)
	case s.Criteria > MaxCriteria:
		return fault.New(fault.Malformed, "filter: %d criteria, at most %d are allowed; ask for less, or name all values of a field in one criterion", s.Criteria, MaxCriteria)
	case s.Values > MaxValues:
		return fault.New(fault.Malformed, "filter: %d values, at most %d are allowed; ask for less", s.Values, MaxValues)
	}
	return nil
}

// Filters lists the filters of a query that its caller asked for, all of which
// must hold.
func (q *Query) Filters() []Filter { return append([]Filter{q.Filter}, q.And...) }
