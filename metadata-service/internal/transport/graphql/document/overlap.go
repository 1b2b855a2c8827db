package document

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxOverlapSteps bounds the fields that checkOverlap collects.
const maxOverlapSteps = 400_000

// checkOverlap reports fields that share a response key and cannot be merged.
//
// Comparing all pairs would be quadratic. So checkOverlap treats the fields of a level as sets.
// All fields of one key must have the same shape, whatever objects they belong to. Among the
// fields that can meet in one object (each object type together with all fields of abstract
// parents), name and arguments must agree with the first field. A set of fields is examined once,
// however many paths lead to it.
func checkOverlap(doc *ast.QueryDocument, c *schemaIndex, found *findings) Errors {
	o := &overlap{catalog: c, found: found, ids: map[*ast.Field]uint32{}, done: map[string]bool{}}
	for _, op := range doc.Operations {
		fields := o.collect(nil, map[*ast.FragmentDefinition]bool{}, op.SelectionSet)
		o.shapes(fields)
		o.meetings(fields)
	}
	if len(found.list) > 0 {
		return found.list
	}
	if o.steps > maxOverlapSteps {
		return overBudget("field comparisons", o.steps, maxOverlapSteps)
	}
	return nil
}

type overlap struct {
	catalog *schemaIndex
	found   *findings
	ids     map[*ast.Field]uint32
	done    map[string]bool
	steps   int
}

// exhausted reports that further checks are pointless: the step limit or the error limit is
// reached.
func (o *overlap) exhausted() bool { return o.steps > maxOverlapSteps || o.found.full() }

// collect appends the fields of a selection set and of its fragments, each fragment once.
func (o *overlap) collect(fields []*ast.Field, entered map[*ast.FragmentDefinition]bool, set ast.SelectionSet) []*ast.Field {
	for _, sel := range set {
		if o.steps++; o.exhausted() {
			return fields
		}
		switch sel := sel.(type) {
		case *ast.Field:
			if _, ok := o.ids[sel]; !ok {
				o.ids[sel] = uint32(len(o.ids))
			}
			fields = append(fields, sel)
		case *ast.InlineFragment:
			fields = o.collect(fields, entered, sel.SelectionSet)
		case *ast.FragmentSpread:
			if sel.Definition != nil && !entered[sel.Definition] {
				entered[sel.Definition] = true
				fields = o.collect(fields, entered, sel.Definition.SelectionSet)
			}
		}
	}
	return fields
}

// subselectionsOf collects the selections of the fields.
func (o *overlap) subselectionsOf(fields []*ast.Field) []*ast.Field {
	var out []*ast.Field
	entered := map[*ast.FragmentDefinition]bool{}
	for _, f := range fields {
		out = o.collect(out, entered, f.SelectionSet)
	}
	return out
}

// markVisited records that a check has received this set of fields, and reports whether it was
// the first time.
func (o *overlap) markVisited(check byte, fields []*ast.Field) bool {
	ids := make([]uint32, len(fields))
	for i, f := range fields {
		ids[i] = o.ids[f]
	}
	slices.Sort(ids)
	key := make([]byte, 1, 1+4*len(ids))
	key[0] = check
	for _, id := range slices.Compact(ids) {
		key = binary.LittleEndian.AppendUint32(key, id)
	}
	if o.done[string(key)] {
		return false
	}
	o.done[string(key)] = true
	return true
}

// byKey groups fields by response key, in order of appearance.
func byKey(fields []*ast.Field) [][]*ast.Field {
	index := make(map[string]int, len(fields))
	var groups [][]*ast.Field
	for _, f := range fields {
		i, ok := index[f.Alias]
		if !ok {
			i = len(groups)
			index[f.Alias] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

func (o *overlap) shapes(fields []*ast.Field) {
	for _, group := range byKey(fields) {
		if len(group) < 2 && len(group[0].SelectionSet) == 0 {
			continue
		}
		if o.exhausted() || !o.markVisited('s', group) {
			continue
		}
		for _, f := range group[1:] {
			if reason := o.differentShape(group[0], f); reason != "" {
				o.report(group[0], f, reason)
				return
			}
		}
		o.shapes(o.subselectionsOf(group))
	}
}

func (o *overlap) differentShape(a, b *ast.Field) string {
	if a.Definition == nil || b.Definition == nil {
		return ""
	}
	s, t := a.Definition.Type, b.Definition.Type
	for {
		if s.NonNull != t.NonNull {
			return "fields have different nullability shapes"
		}
		if (s.Elem == nil) != (t.Elem == nil) {
			return "fields have different list shapes"
		}
		if s.Elem == nil {
			break
		}
		s, t = s.Elem, t.Elem
	}
	sd, td := o.catalog.schema.Types[s.NamedType], o.catalog.schema.Types[t.NamedType]
	if sd != td && (sd.IsLeafType() || td.IsLeafType()) {
		return fmt.Sprintf("returns different types '%s' and '%s'", s.NamedType, t.NamedType)
	}
	return ""
}

func (o *overlap) meetings(fields []*ast.Field) {
	for _, group := range byKey(fields) {
		for _, meeting := range meetingsOf(group) {
			if len(meeting) < 2 && len(meeting[0].SelectionSet) == 0 {
				continue
			}
			o.steps += len(meeting)
			if o.exhausted() || !o.markVisited('m', meeting) {
				continue
			}
			for _, f := range meeting[1:] {
				if reason := mergeConflict(meeting[0], f); reason != "" {
					o.report(meeting[0], f, reason)
					return
				}
			}
			o.meetings(o.subselectionsOf(meeting))
		}
	}
}

// meetingsOf divides the fields of one key into groups that may meet in one object. Fields of an
// abstract parent belong to every group.
func meetingsOf(group []*ast.Field) [][]*ast.Field {
	var everywhere []*ast.Field
	objects := map[string][]*ast.Field{}
	var order []string
	for _, f := range group {
		if f.ObjectDefinition == nil || f.ObjectDefinition.Kind != ast.Object {
			everywhere = append(everywhere, f)
			continue
		}
		name := f.ObjectDefinition.Name
		if _, ok := objects[name]; !ok {
			order = append(order, name)
		}
		objects[name] = append(objects[name], f)
	}
	if len(order) == 0 {
		return [][]*ast.Field{everywhere}
	}
	out := make([][]*ast.Field, len(order))
	for i, name := range order {
		out[i] = slices.Concat(everywhere, objects[name])
	}
	return out
}

func mergeConflict(a, b *ast.Field) string {
	if a.Name != b.Name {
		return fmt.Sprintf("'%s' and '%s' are different fields", a.Name, b.Name)
	}
	if len(a.Arguments) != len(b.Arguments) {
		return "fields have different arguments"
	}
	for _, arg := range a.Arguments {
		other := b.Arguments.ForName(arg.Name)
		if other == nil || !sameValue(arg.Value, other.Value) {
			return "fields have different arguments"
		}
	}
	return ""
}

func sameValue(a, b *ast.Value) bool {
	if a.Kind != b.Kind || a.Raw != b.Raw || len(a.Children) != len(b.Children) {
		return false
	}
	for i, child := range a.Children {
		other := b.Children[i].Value
		if a.Kind == ast.ObjectValue {
			other = b.Children.ForName(child.Name)
		}
		if other == nil || !sameValue(child.Value, other) {
			return false
		}
	}
	return true
}

func (o *overlap) report(a, b *ast.Field, reason string) {
	o.found.add("FieldsConflict", "'"+a.Alias+"' : "+reason, append(locate(a.Position), locate(b.Position)...))
}
