// Package selection tells what a document asks of an object once its type is
// known.
//
// A selection set may ask different things of different types: fragments have
// conditions, and one key may stand in several places. Set.Of gathers all of it
// for one object type, as the executor will, but without looking at @include and
// @skip: what is loaded is then at most a little more than what is answered.
//
// Sets belong to a request. They are safe for concurrent use.
package selection

import (
	"sync"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
)

// Set is a selection set before the type of the object is known. A nil Set
// asks for nothing.
type Set struct {
	types *Types
	parts []ast.SelectionSet
	size  *atomic.Int64 // of the whole tree

	mu     sync.Mutex
	byType map[string]Fields
}

// Fields are the fields asked of an object, by name. Several fields with the
// same name and other keys or arguments are one. The value is what is asked of
// the field's own value; it is never nil, also where the value is a scalar.
type Fields map[string]*Set

// Types knows which object types an interface or union stands for.
type Types struct {
	possible map[string]map[string]bool
}

// NewTypes reads a schema.
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

// applies tells whether a fragment with a condition counts for an object.
func (t *Types) applies(condition, object string) bool {
	return condition == "" || condition == object || t.possible[condition][object]
}

// New makes the set of an operation, or of any other selection set.
func New(types *Types, part ast.SelectionSet) *Set {
	return &Set{types: types, parts: []ast.SelectionSet{part}, size: new(atomic.Int64)}
}

// fieldBytes is about what a gathered field occupies.
const fieldBytes = 200

// Bytes estimates what has been gathered so far, in this set and in all that come
// from the same New. It grows with the types that are asked for, so who keeps a
// set should look at it.
func (s *Set) Bytes() int { return fieldBytes * int(s.size.Load()) }

// Of gives the fields asked of an object of a type.
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

// collect adds what a selection set asks of the object. A fragment that stands
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

// Beyond tells whether anything but the named fields is asked for.
func (f Fields) Beyond(names ...string) bool {
	known := 0
	for _, name := range names {
		if f[name] != nil {
			known++
		}
	}
	return len(f) > known
}
