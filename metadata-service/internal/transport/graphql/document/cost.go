package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxAnswerSteps bounds the nodes that are visited to count the fields of a response.
const maxAnswerSteps = 500_000

// answerCounter counts the fields of the largest possible response: fields that share a key count
// once, and at a place of abstract type the object type with the most fields counts.
//
// The count by value of sizeMeter is never lower and far cheaper to compute. So answerCounter runs
// only for operations that this count would refuse: pages of the user interface compose many
// fragments that repeat each other's fields.
type answerCounter struct {
	schema *schemaIndex
	known  map[string]int
	steps  int
}

// answerFields returns the exact number of fields, or bound when the exact count would take too
// many steps or is not needed because bound is within the limit.
func (s *Stage) answerFields(body *variant, bound int) int {
	if bound <= s.cfg.MaxAnswerFields {
		return bound
	}
	a := &answerCounter{schema: s.schema, known: map[string]int{}}
	exact := a.object(body.at, [][]node{body.nodes})
	if a.exhausted() {
		return bound
	}
	return min(exact, bound)
}

func (a *answerCounter) exhausted() bool { return a.steps > maxAnswerSteps }

// position counts the fields of selections on the type def.
func (a *answerCounter) position(def *ast.Definition, sets [][]node) int {
	key := keyOf(def, sets)
	if cost, ok := a.known[key]; ok {
		return cost
	}
	most := 0
	for _, name := range a.schema.possible[def.Name] {
		most = max(most, a.object(a.schema.schema.Types[name], sets))
	}
	a.known[key] = most
	return most
}

func keyOf(def *ast.Definition, sets [][]node) string {
	parts := make([]string, len(sets))
	for i, nodes := range sets {
		parts[i] = fmt.Sprintf("%p", nodes)
	}
	slices.Sort(parts)
	return def.Name + strings.Join(slices.Compact(parts), "")
}

func (a *answerCounter) object(def *ast.Definition, sets [][]node) int {
	var keys []string
	fields := map[string][]*field{}
	collect := func(f *field) {
		if _, ok := fields[f.key]; !ok {
			keys = append(keys, f.key)
		}
		fields[f.key] = append(fields[f.key], f)
	}
	for _, nodes := range sets {
		a.collect(def, nodes, map[*variant]bool{}, collect)
	}
	total := 0
	for _, key := range keys {
		total = addSaturated(total, a.field(fields[key]))
	}
	return total
}

func (a *answerCounter) field(same []*field) int {
	first := same[0]
	if a.exhausted() || isMeta(first.parent, first.def.Name) {
		return 0
	}
	if first.subType == nil {
		return 1
	}
	sets := make([][]node, 0, len(same))
	for _, f := range same {
		sets = append(sets, f.below)
	}
	return addSaturated(1, a.position(first.subType, sets))
}

// collect passes the fields that an object of type def returns to add.
func (a *answerCounter) collect(def *ast.Definition, nodes []node, entered map[*variant]bool, add func(*field)) {
	for _, n := range nodes {
		if a.steps++; a.exhausted() {
			return
		}
		switch n := n.(type) {
		case *field:
			add(n)
		case *group:
			if n.typeCondition == nil || a.schema.isA[n.typeCondition.Name][def.Name] {
				a.collect(def, n.nodes, entered, add)
			}
		case *spread:
			if !entered[n.variant] && a.schema.isA[n.variant.at.Name][def.Name] {
				entered[n.variant] = true
				a.collect(def, n.variant.nodes, entered, add)
			}
		}
	}
}
