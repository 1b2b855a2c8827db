package document

import (
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// The outermost pages of a request tell how much it may list before anything is read: the
// text says which fields list entries, and the variables how many. Pages within the
// entries of others say nothing before these are read, since their sizes are upper bounds that
// would multiply: what they list is counted when it is read.

// defaultPage is how many entries a page is taken to have whose size is not said.
const defaultPage = 10

// page is a field that lists entries, or a choice of what lies below one that does
// not.
type page struct {
	oneOf bool
	sizes []pageSize
	// below are the pages of a choice, one list for each object type that has other
	// ones: a value has one type, so the largest counts.
	below [][]*page
}

// pageSize tells where the size of a page stands: in a literal, in a variable of the
// specialised text, or in a member of one.
type pageSize struct {
	literal          int
	variable, member string
}

// OuterEntries is how many entries the pages of a request may list at most that do not lie
// within entries of other pages. The variables are those that Variables gave.
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
			n = e.of(p)
			e.counts[p] = n
		}
		sum = addSaturated(sum, n)
	}
	return sum
}

func (e *entryCounter) of(p *page) int {
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
	names      map[string]bool // of arguments, and members of inputs, that tell sizes
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

// object gives the outermost pages that an object of a type answers with, those below
// fields that list nothing included.
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

// collect gives the fields of an object that are pages or lead to some.
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
			if n.on == nil || p.schema.isA[n.on.Name][def.Name] {
				p.collect(def, n.nodes, entered, add)
			}
		case *spread:
			if !entered[n.of] && p.schema.isA[n.of.at.Name][def.Name] {
				entered[n.of] = true
				p.collect(def, n.of.nodes, entered, add)
			}
		}
	}
}

// hasPages tells whether there is a page among selections or below.
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
			found = p.hasPages(n.of.nodes)
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

// member is the member of an input that tells a size.
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

// position gives the pages of each object type that has other ones.
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
