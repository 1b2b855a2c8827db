package document

import "github.com/vektah/gqlparser/v2/ast"

// maxCount is the value at which sums saturate: fragments that spread each other multiply without
// limit.
const maxCount = 1 << 50

func addSaturated(a, b int) int { return min(a+b, maxCount) }

func multiplySaturated(a, b int) int {
	if a != 0 && b > maxCount/a {
		return maxCount
	}
	return a * b
}

// size holds the measures of a piece of a specialised operation. All counts take fragments by
// value, as the library does.
type size struct {
	selections int
	fields     int
	roots      int
	// results estimates the number of values in an introspection response.
	results int
	// cost counts the fields that every object returns. extra counts, for each object type, the
	// additional fields of that type. A value has one type at each place, so total adds the
	// largest extra, not their sum.
	cost  int
	extra map[string]int
}

func (z *size) total() int {
	most := 0
	for _, n := range z.extra {
		most = max(most, n)
	}
	return addSaturated(z.cost, most)
}

func (z *size) addExtra(object string, cost int) {
	if cost == 0 {
		return
	}
	if z.extra == nil {
		z.extra = map[string]int{}
	}
	z.extra[object] = addSaturated(z.extra[object], cost)
}

// add adds the counts of other, multiplied by the number of times the library expands it. results
// is added once; addCost adds cost and extra.
func (z *size) add(other *size, often int) {
	z.selections = addSaturated(z.selections, multiplySaturated(other.selections, often))
	z.fields = addSaturated(z.fields, multiplySaturated(other.fields, often))
	z.results = addSaturated(z.results, other.results)
}

func (z *size) addCost(other *size) {
	z.cost = addSaturated(z.cost, other.cost)
	for object, n := range other.extra {
		z.addExtra(object, n)
	}
}

// sizeMeter measures operations and caches the size of each variant.
type sizeMeter struct {
	schema   *schemaIndex
	variants map[*variant]*size
	// below caches the size of the selections of a field; the key is the first node of these
	// selections.
	below map[*node]*size
}

func (m *sizeMeter) variant(v *variant) *size {
	if z, ok := m.variants[v]; ok {
		return z
	}
	z := m.measure(v.at, v.nodes)
	m.variants[v] = z
	return z
}

// measure returns the size of nodes at a position of static type at.
func (m *sizeMeter) measure(at *ast.Definition, nodes []node) *size {
	z := &size{}
	for _, n := range nodes {
		z.selections = addSaturated(z.selections, 1)
		switch n := n.(type) {
		case *field:
			m.addField(z, n)
		case *spread:
			m.addPart(z, at, n.variant.at, m.variant(n.variant))
		case *group:
			on := n.typeCondition
			if on == nil {
				on = at
			}
			m.addPart(z, at, on, m.measure(on, n.nodes))
		}
	}
	return z
}

func (m *sizeMeter) subselectionSize(f *field) *size {
	if len(f.below) == 0 {
		return &size{}
	}
	key := &f.below[0]
	z, ok := m.below[key]
	if !ok {
		z = m.measure(f.subType, f.below)
		m.below[key] = z
	}
	return z
}

func (m *sizeMeter) addField(z *size, f *field) {
	below := m.subselectionSize(f)
	z.add(below, 1)
	z.fields = addSaturated(z.fields, 1)
	z.roots = addSaturated(z.roots, 1)
	if isMeta(f.parent, f.def.Name) {
		more := m.length(f.parent, f.def.Name) - 1
		z.results = addSaturated(addSaturated(z.results, 1), multiplySaturated(more, below.results))
		return
	}
	z.cost = addSaturated(z.cost, addSaturated(1, below.total()))
}

// addPart adds the size of a fragment on type on to a position of type at.
func (m *sizeMeter) addPart(z *size, at, on *ast.Definition, part *size) {
	z.roots = addSaturated(z.roots, part.roots)
	if on == at {
		z.add(part, 1)
		z.addCost(part)
		return
	}
	if on.Kind == ast.Object {
		z.add(part, 1)
		z.addExtra(on.Name, part.total())
		return
	}
	objects := m.schema.matchingObjects(m.schema.possible[at.Name], on.Name)
	z.add(part, len(objects))
	for _, object := range objects {
		z.addExtra(object, part.total())
	}
}

// checkText refuses an operation if its text selects too many fields. Each field of the text
// counts once, however often fragments repeat it, because this is the count that users write and
// that their tools show them. Introspection fields are free.
func (s *Stage) checkText(op *ast.OperationDefinition) Errors {
	cost := s.textCost(op.SelectionSet, map[*ast.FragmentDefinition]bool{})
	if cost > s.cfg.MaxCost {
		return overBudget("complexity", cost, s.cfg.MaxCost)
	}
	return nil
}

func (s *Stage) textCost(set ast.SelectionSet, entered map[*ast.FragmentDefinition]bool) int {
	cost := 0
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if !isMeta(sel.ObjectDefinition, sel.Name) {
				cost = addSaturated(cost, max(s.cfg.Cost(sel.ObjectDefinition, sel.Definition), 0))
			}
			cost = addSaturated(cost, s.textCost(sel.SelectionSet, entered))
		case *ast.InlineFragment:
			cost = addSaturated(cost, s.textCost(sel.SelectionSet, entered))
		case *ast.FragmentSpread:
			if !entered[sel.Definition] {
				entered[sel.Definition] = true
				cost = addSaturated(cost, s.textCost(sel.Definition.SelectionSet, entered))
			}
		}
	}
	return cost
}

// checkAnswer refuses an operation if its largest possible response has too many fields; each
// list counts as one element. Fragments that repeat each other multiply, so a short text can
// produce a large response. schemaValues is the estimated number of values of the schema in the
// response.
func (s *Stage) checkAnswer(body *variant) (schemaValues int, refused Errors) {
	m := s.meter()
	z := m.variant(body)
	if z.roots > s.cfg.MaxRootFields {
		return 0, overBudget("root fields", z.roots, s.cfg.MaxRootFields)
	}
	if z.results > maxIntrospection {
		return 0, overBudget("introspection results", z.results, maxIntrospection)
	}
	if n := s.answerFields(body, z.total()); n > s.cfg.MaxAnswerFields {
		return 0, overBudget("answer fields", n, s.cfg.MaxAnswerFields)
	}
	return z.results, nil
}

// checkExpansion refuses an operation that is too expensive for the library, which takes
// fragments by value and compares their fields in pairs on each request. It returns the number of
// expanded selections.
func (s *Stage) checkExpansion(op *ast.OperationDefinition) (int, Errors) {
	sp, body := s.specialiser(op)
	m := s.meter()
	z := m.variant(body)
	z.selections = addSaturated(z.selections, 1) // the spread of the body
	if z.fields > s.cfg.MaxFields {
		return z.selections, overBudget("fields", z.fields, s.cfg.MaxFields)
	}
	if z.selections > s.cfg.MaxExpanded {
		return z.selections, overBudget("expanded selections", z.selections, s.cfg.MaxExpanded)
	}
	return z.selections, s.checkPairs(sp)
}

func (s *Stage) meter() *sizeMeter {
	return &sizeMeter{schema: s.schema, variants: map[*variant]*size{}, below: map[*node]*size{}}
}

// maxIntrospection bounds the estimated number of values in a response about the schema. The
// standard introspection query stays far below.
const maxIntrospection = 5_000_000

// length estimates the number of elements in a list of introspection.
func (m *sizeMeter) length(parent *ast.Definition, field string) int {
	switch parent.Name + "." + field {
	case "__Schema.types":
		return len(m.schema.schema.Types)
	case "__Type.fields", "__Type.inputFields", "__Type.enumValues", "__Type.possibleTypes":
		return 10
	case "__Schema.directives", "__Directive.args", "__Field.args", "__Type.interfaces":
		return 4
	}
	return 1
}

// checkDepth refuses an operation if its fields nest too deeply. It runs before specialising,
// which recurses as deep as the fields nest.
func (s *Stage) checkDepth(op *ast.OperationDefinition) Errors {
	depth := depthOf(op.SelectionSet, map[*ast.FragmentDefinition]int{})
	if depth > s.cfg.MaxDepth {
		return overBudget("depth", depth, s.cfg.MaxDepth)
	}
	return nil
}

func depthOf(set ast.SelectionSet, known map[*ast.FragmentDefinition]int) int {
	depth := 0
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			depth = max(depth, 1+depthOf(sel.SelectionSet, known))
		case *ast.InlineFragment:
			depth = max(depth, depthOf(sel.SelectionSet, known))
		case *ast.FragmentSpread:
			below, ok := known[sel.Definition]
			if !ok {
				below = depthOf(sel.Definition.SelectionSet, known)
				known[sel.Definition] = below
			}
			depth = max(depth, below)
		}
	}
	return depth
}
