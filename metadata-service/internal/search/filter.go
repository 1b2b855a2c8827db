package search

import "github.com/cartulary/cartulary/pkg/fault"

// FilterSize is the size of the filters of a query. An alternative without criteria counts as one
// criterion.
type FilterSize struct{ Alternatives, Criteria, Values int }

// SizeOf returns the total size of filters. Filters that must all hold count with their sum, since
// they are never multiplied out. It allocates nothing.
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

// Plus returns the size with the sizes of further filters added.
func (s FilterSize) Plus(filters ...Filter) FilterSize {
	more := SizeOf(filters...)
	return FilterSize{s.Alternatives + more.Alternatives, s.Criteria + more.Criteria, s.Values + more.Values}
}

// Check returns fault.Malformed for filters beyond MaxAlternatives, MaxCriteria or MaxValues. Code
// that enlarges filters, by expanding hierarchies or combining several, must check before it does
// so.
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

// Filters returns the filters that the client requested, all of which must hold.
func (q *Query) Filters() []Filter { return append([]Filter{q.Filter}, q.And...) }
