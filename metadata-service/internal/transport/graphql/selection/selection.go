// Package selection computes the fields that a document selects on an object of a known type.
//
// A selection set may select different fields for different types: fragments have type
// conditions, and one key may occur in several places. Set.Of merges all of it for one object
// type, like the executor, but ignores @include and @skip. So at most a few more fields are
// loaded than the response contains.
//
// Sets belong to a request. They are safe for concurrent use.
package selection

import (
	"sync"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
)

// Set is a selection set on an object of a type that is not known yet. A nil Set selects nothing.
type Set struct {
	types *Types
	parts []ast.SelectionSet
	size  *atomic.Int64 // of the whole tree

	mu     sync.Mutex
	byType map[string]Fields
}

// Fields are the fields selected on an object, by name. Several fields with the same name and
// different keys or arguments count as one. The value is the selection on the field's own value;
// it is never nil, even where the value is a scalar.
type Fields map[string]*Set

// Types holds the object types of each interface and union.
type Types struct {
	possible map[string]map[string]bool
}

// NewTypes reads the interfaces and unions of a schema.
func NewTypes(schema *ast.Schema) *Types {
	t := &Types{possible: make(map[string]map[string]bool, len(schema.Types))}
	for name, def := range schema.Types {
		if !def.IsAbstractType() {
			continue
		}
		members := make(map[string]bool)
		for _, member := range schema.GetPossibleTypes(def) {
			members[member.Name] = true
		}
		t.possible[name] = members
	}
	return t
}

// applies reports whether a fragment with a type condition applies to an object type.
func (t *Types) applies(condition, object string) bool {
	return condition == "" || condition == object || t.possible[condition][object]
}

// New creates the Set of an operation, or of any other selection set.
func New(types *Types, part ast.SelectionSet) *Set {
	return &Set{types: types, parts: []ast.SelectionSet{part}, size: new(atomic.Int64)}
}

// fieldBytes estimates the memory of a collected field in bytes.
const fieldBytes = 200

// Bytes estimates the memory of all fields collected so far, in this set and in all sets from the
// same call of New. It grows with each further type that Of is called with, so a cache of sets
// must ask for it again.
func (s *Set) Bytes() int { return fieldBytes * int(s.size.Load()) }

// Of returns the fields selected on an object of a type. The result is cached and shared; callers
// must not change it.
func (s *Set) Of(object string) Fields {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fields, ok := s.byType[object]
	if !ok {
		fields = make(Fields)
		seen := make(map[*ast.FragmentDefinition]bool)
		for _, part := range s.parts {
			s.collect(fields, object, part, seen)
		}
		if s.byType == nil {
			s.byType = make(map[string]Fields)
		}
		s.byType[object] = fields
		s.size.Add(int64(len(fields)))
	}
	return fields
}

// collect adds the fields that a selection set selects on the object. A fragment that is spread
// in several places is read once.
func (s *Set) collect(into Fields, object string, part ast.SelectionSet, seen map[*ast.FragmentDefinition]bool) {
	for _, selected := range part {
		switch selected := selected.(type) {
		case *ast.Field:
			below := into[selected.Name]
			if below == nil {
				below = &Set{types: s.types, size: s.size}
				into[selected.Name] = below
			}
			if len(selected.SelectionSet) > 0 {
				below.parts = append(below.parts, selected.SelectionSet)
			}
		case *ast.InlineFragment:
			if s.types.applies(selected.TypeCondition, object) {
				s.collect(into, object, selected.SelectionSet, seen)
			}
		case *ast.FragmentSpread:
			if d := selected.Definition; !seen[d] && s.types.applies(d.TypeCondition, object) {
				seen[d] = true
				s.collect(into, object, d.SelectionSet, seen)
			}
		}
	}
}

// Beyond reports whether any field other than the named ones is selected.
func (f Fields) Beyond(names ...string) bool {
	known := 0
	for _, name := range names {
		if f[name] != nil {
			known++
		}
	}
	return len(f) > known
}
