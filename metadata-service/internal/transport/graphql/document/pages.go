package document

import (
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// The outermost pages of a request bound the number of entries it lists, before anything is read:
// the text states which fields list entries, and the variables state how many. The sizes of
// nested pages say nothing before the outer entries are read, since they are upper bounds that
// would multiply; their entries are counted when they are read.

// defaultPage is the assumed number of entries of a page without a stated size.
const defaultPage = 10

// page is a field that lists entries, or, with oneOf, a choice between the pages below a field
// that lists none.
type page struct {
	oneOf bool
	sizes []pageSize
	// below holds the pages of a choice, one list for each object type that has different pages.
	// A value has one type, so the largest list counts.
	below [][]*page
}

// pageSize is the source of the size of a page: a literal, a variable of the specialised text, or
// a member of such a variable.
type pageSize struct {
	literal          int
	variable, member string
}

// OuterEntries is the largest number of entries that the outermost pages of a request may list,
// that is, pages that are not within entries of other pages. The variables are those that
// Variables returned.
func (d *Document) OuterEntries(variables map[string]any) int {
	e := entryCounter{variables: variables, maxPage: d.maxPage, counts: map[*page]int{}}
	return e.all(d.pages)
}

type entryCounter struct {
	variables map[string]any
	maxPage   int
	counts    map[*page]int
}

func (e *entryCounter) all(pages []*page) int {
	sum := 0
	for _, p := range pages {
		n, ok := e.counts[p]
		if !ok {
			n = e.countPage(p)
			e.counts[p] = n
		}
		sum = addSaturated(sum, n)
	}
	return sum
}

func (e *entryCounter) countPage(p *page) int {
	if !p.oneOf {
		return e.size(p)
	}
	most := 0
	for _, pages := range p.below {
		most = max(most, e.all(pages))
	}
	return most
}

func (e *entryCounter) size(p *page) int {
	for _, s := range p.sizes {
		if n, ok := e.value(s); ok {
			return min(max(n, 0), e.maxPage)
		}
	}
	return min(defaultPage, e.maxPage)
}

func (e *entryCounter) value(s pageSize) (int, bool) {
	if s.variable == "" {
		return s.literal, true
	}
	value := e.variables[s.variable]
	if s.member != "" {
		object, _ := value.(map[string]any)
		value = object[s.member]
	}
	switch v := value.(type) {
	case int32:
		return int(v), true
	case []any:
		return len(v), true
	}
	return 0, false
}

// paginator finds the pages of a specialised operation.
type paginator struct {
	schema     *schemaIndex
	names      map[string]bool // of arguments and members of inputs that hold sizes
	pagesBelow map[*node]bool
	positions  map[string][][]*page
	steps      int
}

// pagesOf finds the outermost pages of an operation.
func (s *Stage) pagesOf(body *variant) ([]*page, Errors) {
	p := s.paginator()
	pages := p.object(body.at, [][]node{body.nodes})
	if p.steps > maxAnswerSteps {
		return nil, overBudget("page steps", p.steps, maxAnswerSteps)
	}
	return pages, nil
}

func (s *Stage) paginator() *paginator {
	p := &paginator{schema: s.schema, names: map[string]bool{}, pagesBelow: map[*node]bool{}, positions: map[string][][]*page{}}
	for _, name := range s.cfg.PageSizes {
		p.names[name] = true
	}
	return p
}

// object returns the outermost pages that an object of type def selects, including pages below
// fields that list nothing.
func (p *paginator) object(def *ast.Definition, sets [][]node) []*page {
	var out []*page
	var order []string
	fields := map[string][]*field{}
	for _, nodes := range sets {
		p.collect(def, nodes, map[*variant]bool{}, func(f *field) {
			if _, ok := fields[f.key]; !ok {
				order = append(order, f.key)
			}
			fields[f.key] = append(fields[f.key], f)
		})
	}
	for _, key := range order {
		out = append(out, p.field(fields[key])...)
	}
	return out
}

// collect passes the fields of an object that are pages or lead to pages to add.
func (p *paginator) collect(def *ast.Definition, nodes []node, entered map[*variant]bool, add func(*field)) {
	if !p.hasPages(nodes) {
		return
	}
	for _, n := range nodes {
		if p.steps++; p.steps > maxAnswerSteps {
			return
		}
		switch n := n.(type) {
		case *field:
			if p.isPage(n) || p.hasPages(n.below) {
				add(n)
			}
		case *group:
			if n.typeCondition == nil || p.schema.isA[n.typeCondition.Name][def.Name] {
				p.collect(def, n.nodes, entered, add)
			}
		case *spread:
			if !entered[n.variant] && p.schema.isA[n.variant.at.Name][def.Name] {
				entered[n.variant] = true
				p.collect(def, n.variant.nodes, entered, add)
			}
		}
	}
}

// hasPages reports whether the selections contain a page at any depth.
func (p *paginator) hasPages(nodes []node) bool {
	if len(nodes) == 0 {
		return false
	}
	known, ok := p.pagesBelow[&nodes[0]]
	if ok {
		return known
	}
	found := false
	for i := 0; i < len(nodes) && !found; i++ {
		switch n := nodes[i].(type) {
		case *field:
			found = p.isPage(n) || p.hasPages(n.below)
		case *group:
			found = p.hasPages(n.nodes)
		case *spread:
			found = p.hasPages(n.variant.nodes)
		}
	}
	p.pagesBelow[&nodes[0]] = found
	return found
}

func (p *paginator) isPage(f *field) bool {
	for _, arg := range f.def.Arguments {
		if p.names[arg.Name] || p.member(arg) != "" {
			return true
		}
	}
	return false
}

// member returns the name of the member of an input that holds a size, "" when there is none.
func (p *paginator) member(arg *ast.ArgumentDefinition) string {
	if of := p.schema.schema.Types[arg.Type.NamedType]; of != nil && of.Kind == ast.InputObject {
		for _, f := range of.Fields {
			if p.names[f.Name] {
				return f.Name
			}
		}
	}
	return ""
}

func (p *paginator) field(same []*field) []*page {
	first := same[0]
	if p.isPage(first) {
		return []*page{{sizes: p.sizes(first)}}
	}
	if first.subType == nil {
		return nil
	}
	sets := make([][]node, len(same))
	for i, f := range same {
		sets[i] = f.below
	}
	switch below := p.position(first.subType, sets); len(below) {
	case 0:
		return nil
	case 1:
		return below[0]
	default:
		return []*page{{oneOf: true, below: below}}
	}
}

// position returns the pages of each object type that has pages.
func (p *paginator) position(def *ast.Definition, sets [][]node) [][]*page {
	key := keyOf(def, sets)
	if known, ok := p.positions[key]; ok {
		return known
	}
	var out [][]*page
	for _, name := range p.schema.possible[def.Name] {
		if pages := p.object(p.schema.schema.Types[name], sets); len(pages) > 0 {
			out = append(out, pages)
		}
	}
	p.positions[key] = out
	return out
}

func (p *paginator) sizes(f *field) []pageSize {
	var out []pageSize
	for _, arg := range f.args {
		variable, isVariable := strings.CutPrefix(arg.text, "$")
		member := p.member(f.def.Arguments.ForName(arg.name))
		switch {
		case p.names[arg.name] && isVariable:
			out = append(out, pageSize{variable: variable})
		case p.names[arg.name]:
			if n, err := strconv.Atoi(arg.text); err == nil {
				out = append(out, pageSize{literal: n})
			}
		case member != "" && isVariable:
			out = append(out, pageSize{variable: variable, member: member})
		}
	}
	return out
}
