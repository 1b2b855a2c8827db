// Package set provides sets of values from external lists, most of which are short. Looking up each
// value of one list in another takes time proportional to the product of their lengths; with a Set
// it is proportional to the sum.
package set

import "slices"

// few is the length up to which a list is searched linearly instead of hashed, which is faster and
// allocates nothing.
const few = 16

// Set is a set of values. The zero value is empty. It is not safe for concurrent use.
type Set[T comparable] struct {
	list   []T // in order of addition; initially the slice passed to Of
	hashed map[T]struct{}
}

// Of returns the set of the values of a list. The caller must not change the list while the set is
// in use.
func Of[T comparable](list []T) Set[T] {
	s := Set[T]{list: slices.Clip(list)}
	if len(list) > few {
		s.hash()
	}
	return s
}

func (s *Set[T]) hash() {
	s.hashed = make(map[T]struct{}, 2*len(s.list))
	for _, v := range s.list {
		s.hashed[v] = struct{}{}
	}
}

// Has reports whether the set contains a value.
func (s *Set[T]) Has(v T) bool {
	if s.hashed != nil {
		_, ok := s.hashed[v]
		return ok
	}
	return slices.Contains(s.list, v)
}

// Add adds a value, and reports whether it is new.
func (s *Set[T]) Add(v T) bool {
	if s.Has(v) {
		return false
	}
	s.list = append(s.list, v)
	switch {
	case s.hashed != nil:
		s.hashed[v] = struct{}{}
	case len(s.list) > few:
		s.hash()
	}
	return true
}

// List returns the values in order of addition. The caller must not change the list while the set
// is in use.
func (s *Set[T]) List() []T { return s.list }
