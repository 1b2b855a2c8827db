// Package set holds sets of values that come as lists, mostly short ones, from outside.
// Asking a list for each value of another takes time in the product of their lengths; a Set
// takes time in the sum.
package set

import "slices"

// few is the length up to which a list is searched instead of hashed, which is
// faster and allocates nothing.
const few = 16

// Set is a set of values. The zero value is empty. It is not safe for concurrent use.
type Set[T comparable] struct {
	list   []T // in the order in which they were added; what Of was given, as it is
	hashed map[T]struct{}
}

// Of is the set of the values of a list, which the caller must not change meanwhile.
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

// Has reports whether the set has a value.
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

// List is the values in the order in which they were added. The caller must not change it
// while the set is in use.
func (s *Set[T]) List() []T { return s.list }
