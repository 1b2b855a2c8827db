package plan

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// shape is a document with its directives decided.
type shape struct {
	plan *Plan
	bits uint64 // one for each decider: whether it is true
	root *set   // nil when plans do not know what it asks
}

// shape gives the document as the variables decide.
func (p *Plan) shape(variables map[string]any) *shape {
	var bits uint64
	for i, name := range p.deciders {
		if variables[name] == true {
			bits |= 1 << i
		}
	}
	if known, ok := p.decided.Load(bits); ok {
		return known.(*shape)
	}
	made := &shape{plan: p, bits: bits}
	root := &node{shape: made, parts: []ast.SelectionSet{p.doc.Operations[0].SelectionSet}}
	made.root = root.collect(p.planner.queries)
	known, before := p.decided.LoadOrStore(bits, made)
	if !before {
		p.sets.Add(shapeBytes + made.root.bytes())
	}
	return known.(*shape)
}

// has tells whether a selection with these directives is there.
func (s *shape) has(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if s.decides(d.Arguments[0].Value) != (d.Name == "include") {
			return false
		}
	}
	return true
}

// decides is what the condition of a directive comes to.
func (s *shape) decides(condition *ast.Value) bool {
	if condition.Kind != ast.Variable {
		return condition.Raw == "true"
	}
	i, _ := slices.BinarySearch(s.plan.deciders, condition.Raw)
	return s.bits&(1<<i) != 0
}

// decidersOf finds the variables that decide about parts of a document, sorted. It
// is not ok when there are more than a shape has bits.
func decidersOf(doc *ast.QueryDocument) (names []string, ok bool) {
	for _, f := range doc.Fragments {
		names = appendDeciders(names, f.SelectionSet)
	}
	names = appendDeciders(names, doc.Operations[0].SelectionSet)
	slices.Sort(names)
	names = slices.Compact(names)
	return names, len(names) <= 64
}

func appendDeciders(names []string, selections ast.SelectionSet) []string {
	for _, s := range selections {
		var directives ast.DirectiveList
		switch s := s.(type) {
		case *ast.Field:
			directives, names = s.Directives, appendDeciders(names, s.SelectionSet)
		case *ast.InlineFragment:
			directives, names = s.Directives, appendDeciders(names, s.SelectionSet)
		case *ast.FragmentSpread:
			directives = s.Directives
		}
		for _, d := range directives {
			if on := d.Arguments[0].Value; on.Kind == ast.Variable {
				names = append(names, on.Raw)
			}
		}
	}
	return names
}
