package plan

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// planVariant is a document with one combination of values for the conditions of its directives.
type planVariant struct {
	plan *Plan
	bits uint64 // the value of each condition
	root *set   // nil when a plan cannot write the document
}

// variant returns the variant of the document for the variables. Variants are cached.
func (p *Plan) variant(variables map[string]any) *planVariant {
	var bits uint64
	for i, name := range p.conditions {
		if variables[name] == true {
			bits |= 1 << i
		}
	}
	if known, ok := p.variants.Load(bits); ok {
		return known.(*planVariant)
	}
	made := &planVariant{plan: p, bits: bits}
	root := &node{variant: made, parts: []ast.SelectionSet{p.doc.Operations[0].SelectionSet}}
	made.root = root.collect(p.planner.roots[p.kind])
	known, before := p.variants.LoadOrStore(bits, made)
	if !before {
		p.setBytes.Add(variantBytes + made.root.bytes())
	}
	return known.(*planVariant)
}

// included reports whether the directives include a selection.
func (s *planVariant) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if s.conditionValue(d.Arguments[0].Value) != (d.Name == "include") {
			return false
		}
	}
	return true
}

// conditionValue returns the value of the condition of a directive.
func (s *planVariant) conditionValue(condition *ast.Value) bool {
	if condition.Kind != ast.Variable {
		return condition.Raw == "true"
	}
	i, _ := slices.BinarySearch(s.plan.conditions, condition.Raw)
	return s.bits&(1<<i) != 0
}

// conditionVariables returns the variables of @include and @skip, sorted. ok is false when there
// are more than the 64 bits of a variant.
func conditionVariables(doc *ast.QueryDocument) (names []string, ok bool) {
	for _, f := range doc.Fragments {
		names = appendConditions(names, f.SelectionSet)
	}
	names = appendConditions(names, doc.Operations[0].SelectionSet)
	slices.Sort(names)
	names = slices.Compact(names)
	return names, len(names) <= 64
}

func appendConditions(names []string, selections ast.SelectionSet) []string {
	for _, s := range selections {
		var directives ast.DirectiveList
		switch s := s.(type) {
		case *ast.Field:
			directives, names = s.Directives, appendConditions(names, s.SelectionSet)
		case *ast.InlineFragment:
			directives, names = s.Directives, appendConditions(names, s.SelectionSet)
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
