package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxAnswerWork bounds the nodes that counting the fields of an answer visits.
const maxAnswerWork = 500_000

// answer counts the fields of the largest possible answer: fields that share a key
// count once, and at a place of abstract type the largest object counts.
//
// The count by value that meter makes is never lower and far cheaper to get. So
// this one is made for operations that would be refused by it: pages compose
// many fragments that repeat each other's fields.
type answer struct {
	catalog *catalog
	known   map[string]int
	work    int
}

// answerFields gives the exact count, or the bound when finding it takes too long.
func (s *Stage) answerFields(body *variant, bound int) int {
	if bound <= s.cfg.MaxAnswerFields {
		return bound
	}
	a := &answer{catalog: s.catalog, known: map[string]int{}}
	exact := a.object(body.at, [][]node{body.nodes})
	if a.over() {
		return bound
	}
	return min(exact, bound)
}

func (a *answer) over() bool { return a.work > maxAnswerWork }

// position counts for selections on a type.
func (a *answer) position(def *ast.Definition, sets [][]node) int {
	key := keyOf(def, sets)
	if cost, ok := a.known[key]; ok {
		return cost
	}
	most := 0
	for _, name := range a.catalog.possible[def.Name] {
		most = max(most, a.object(a.catalog.schema.Types[name], sets))
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

func (a *answer) object(def *ast.Definition, sets [][]node) int {
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
		total = plus(total, a.field(fields[key]))
	}
	return total
}

func (a *answer) field(same []*field) int {
	first := same[0]
	if a.over() || isMeta(first.parent, first.def.Name) {
		return 0
	}
	if first.subType == nil {
		return 1
	}
	sets := make([][]node, 0, len(same))
	for _, f := range same {
		sets = append(sets, f.below)
	}
	return plus(1, a.position(first.subType, sets))
}

// collect gathers the fields that an object of type def answers with.
func (a *answer) collect(def *ast.Definition, nodes []node, entered map[*variant]bool, add func(*field)) {
	for _, n := range nodes {
		if a.work++; a.over() {
			return
		}
		switch n := n.(type) {
		case *field:
			add(n)
		case *group:
			if n.on == nil || a.catalog.isA[n.on.Name][def.Name] {
				a.collect(def, n.nodes, entered, add)
			}
		case *spread:
			if !entered[n.of] && a.catalog.isA[n.of.at.Name][def.Name] {
				entered[n.of] = true
				a.collect(def, n.of.nodes, entered, add)
			}
		}
	}
}
