package search

import "github.com/cartulary/cartulary/pkg/fault"

// FilterSize is how much a query asks its filters to hold. An alternative
// without criteria counts as one.
type FilterSize struct{ Criteria, Values int }

// SizeOf adds up the sizes of filters. Filters that must all hold cost their
// sum, as they are never multiplied out.
func SizeOf(filters ...Filter) (size FilterSize) {
	for _, f := range filters {
		for _, alternative := range f {
			size.Criteria += max(len(alternative), 1)
			for i := range alternative {
				size.Values += len(alternative[i].Values)
			}
		}
	}
	return size
}

// Check refuses filters beyond MaxFilterCriteria or MaxFilterValues as
// fault.Malformed. Whoever makes filters larger than they came, by looking up
// hierarchies or by combining several, checks before it does so.
func (s FilterSize) Check() error {
	switch {
	case s.Criteria > MaxFilterCriteria:
		return fault.New(fault.Malformed, "filter: %d criteria, at most %d are allowed; ask for less, or name all values of a field in one criterion", s.Criteria, MaxFilterCriteria)
	case s.Values > MaxFilterValues:
		return fault.New(fault.Malformed, "filter: %d values, at most %d are allowed; ask for less", s.Values, MaxFilterValues)
	}
	return nil
}

// Filters lists the filters of a query that its caller asked for, all of which
// must hold.
func (q *Query) Filters() []Filter { return append([]Filter{q.Filter}, q.And...) }
