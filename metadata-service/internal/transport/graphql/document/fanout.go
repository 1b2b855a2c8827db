package document

import (
	"encoding/binary"
	"reflect"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxFanOutSteps bounds the selections that measuring the fan-out visits.
const maxFanOutSteps = 250_000

// fanOut measures how a document multiplies the data that is read: by selecting one value under
// several names, and by the names themselves, which each entry of a list repeats even where its
// values are null.
type fanOut struct {
	schema *ast.Schema
	steps  int
	// factor is the largest number of keys for one field, multiplied by the factors of the fields
	// below it.
	factor int
	// keyBytes holds, by type name, the bytes of the keys of one value in the response.
	keyBytes map[string]int
	// counts caches the count below a field by its selections, since pages of the user interface
	// spread the same fragments in many places.
	counts map[string]int
}

// keyOverhead is the number of bytes around a key: quotes, colon, comma and null.
const keyOverhead = 8

// measureFanOut measures an operation. The keys of the operation itself do not count, because a
// separate call computes each of them.
func measureFanOut(schema *ast.Schema, op *ast.OperationDefinition) (*fanOut, Errors) {
	c := &fanOut{schema: schema, factor: 1, keyBytes: map[string]int{}, counts: map[string]int{}}
	for _, keys := range c.fields([]ast.SelectionSet{op.SelectionSet}).byName {
		for _, f := range keys {
			c.factor = max(c.factor, c.count(f))
		}
	}
	if c.steps > maxFanOutSteps {
		return nil, overBudget("merged selections", c.steps, maxFanOutSteps)
	}
	c.counts = nil
	return c, nil
}

// mergedSelection is the merge of several selection sets on one value.
type mergedSelection struct {
	byName map[string]map[string]*mergedField
	common int            // bytes of keys for every type
	extra  map[string]int // additional bytes for one object type
}

type mergedField struct {
	typeName string
	objects  map[string]bool // types that select it, "" for all
	below    []ast.SelectionSet
}

func (m *mergedSelection) keyBytes() int {
	most := 0
	for _, n := range m.extra {
		most = max(most, n)
	}
	return m.common + most
}

func (c *fanOut) count(f *mergedField) int {
	if len(f.below) == 0 {
		return 1
	}
	key := c.keyOf(f)
	if known, ok := c.counts[key]; ok {
		return known
	}
	set := c.fields(f.below)
	c.keyBytes[f.typeName] = max(c.keyBytes[f.typeName], set.keyBytes())
	most := 1
	for _, keys := range set.byName {
		sum := 0
		for _, f := range keys {
			sum = addSaturated(sum, c.count(f))
		}
		most = max(most, sum)
	}
	c.counts[key] = most
	return most
}

// keyOf identifies the selections below a field of a type. A selection set that consists of one
// fragment spread has the identity of that fragment.
func (c *fanOut) keyOf(f *mergedField) string {
	ids := make([]uintptr, len(f.below))
	for i, set := range f.below {
		for len(set) == 1 {
			spread, ok := set[0].(*ast.FragmentSpread)
			if !ok || c.objectCondition("", spread.Definition.TypeCondition) != "" {
				break
			}
			set = spread.Definition.SelectionSet
		}
		ids[i] = reflect.ValueOf(set).Pointer()
	}
	slices.Sort(ids)
	key := []byte(f.typeName)
	for _, id := range slices.Compact(ids) {
		key = binary.BigEndian.AppendUint64(key, uint64(id))
	}
	return string(key)
}

func (c *fanOut) fields(sets []ast.SelectionSet) *mergedSelection {
	found := &mergedSelection{byName: map[string]map[string]*mergedField{}, extra: map[string]int{}}
	entered := map[*ast.FragmentDefinition]bool{}
	for _, set := range sets {
		c.collect(set, "", entered, found)
	}
	return found
}

// collect merges a selection set that applies to objects of a type into the result; an empty
// object means all types.
func (c *fanOut) collect(set ast.SelectionSet, object string, entered map[*ast.FragmentDefinition]bool, into *mergedSelection) {
	for _, selected := range set {
		if c.steps++; c.steps > maxFanOutSteps {
			return
		}
		switch selected := selected.(type) {
		case *ast.Field:
			into.add(selected, object)
		case *ast.InlineFragment:
			c.collect(selected.SelectionSet, c.objectCondition(object, selected.TypeCondition), entered, into)
		case *ast.FragmentSpread:
			if d := selected.Definition; !entered[d] {
				entered[d] = true
				c.collect(d.SelectionSet, c.objectCondition(object, d.TypeCondition), entered, into)
			}
		}
	}
}

func (c *fanOut) objectCondition(object, condition string) string {
	if def := c.schema.Types[condition]; def != nil && def.Kind == ast.Object {
		return condition
	}
	return object
}

func (m *mergedSelection) add(f *ast.Field, object string) {
	keys := m.byName[f.Name]
	if keys == nil {
		keys = map[string]*mergedField{}
		m.byName[f.Name] = keys
	}
	known := keys[f.Alias]
	if known == nil {
		known = &mergedField{typeName: f.Definition.Type.Name(), objects: map[string]bool{}}
		keys[f.Alias] = known
	}
	switch {
	case known.objects[object] || known.objects[""]:
	case object == "":
		m.common += len(f.Alias) + keyOverhead
	default:
		m.extra[object] += len(f.Alias) + keyOverhead
	}
	known.objects[object] = true
	if len(f.SelectionSet) > 0 {
		known.below = append(known.below, f.SelectionSet)
	}
}
