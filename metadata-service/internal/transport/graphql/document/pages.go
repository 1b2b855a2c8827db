package document

import (
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Pages in pages multiply: a search of a thousand entities that each list a hundred
// others asks for a hundred thousand. The text tells how they nest, and the variables
// how large they are, so what a request asks for is known before any of it is read.

// defaultPage is how many entries a page is taken to have whose size is not said.
const defaultPage = 10

// page is a field that lists entries, or a choice of what lies below one that does
// not.
type page struct {
	choice bool
	sizes  []pageSize
	// below are the pages of each entry, one list for each object type that has other
	// ones: an entry has one type, so the largest counts.
	below [][]*page
}

// pageSize tells where the size of a page stands: in a literal, in a variable of the
// specialised text, or in a member of one.
type pageSize struct {
	literal          int
	variable, member string
}

// Entries is how many entries the pages of a request may list at most, those within
// entries of others included. The variables are those that Variables gave.
func (d *Document) Entries(variables map[string]any) int {
	e := entries{variables: variables, most: d.maxPage, known: map[*page]int{}}
	return e.all(d.pages)
}

type entries struct {
	variables map[string]any
	most      int
	known     map[*page]int
}

func (e *entries) all(pages []*page) int {
	sum := 0
	for _, p := range pages {
		n, ok := e.known[p]
		if !ok {
			n = e.of(p)
			e.known[p] = n
		}
		sum = plus(sum, n)
	}
	return sum
}

func (e *entries) of(p *page) int {
	most := 0
	for _, pages := range p.below {
		most = max(most, e.all(pages))
	}
	if p.choice {
		return most
	}
	return times(e.size(p), plus(1, most))
}

func (e *entries) size(p *page) int {
	for _, s := range p.sizes {
		if n, ok := e.value(s); ok {
			return min(max(n, 0), e.most)
		}
	}
	return min(defaultPage, e.most)
}

func (e *entries) value(s pageSize) (int, bool) {
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
	catalog *catalog
	names   map[string]bool // of arguments, and members of inputs, that tell sizes
	reaches map[*node]bool
	known   map[string][][]*page
	work    int
}

// pagesOf finds the pages of an operation.
func (s *Stage) pagesOf(body *variant) ([]*page, Errors) {
	p := s.paginator()
	pages := p.object(body.at, [][]node{body.nodes})
	if p.work > maxAnswerWork {
		return nil, overBudget("page steps", p.work, maxAnswerWork)
	}
	return pages, nil
}

func (s *Stage) paginator() *paginator {
	p := &paginator{catalog: s.catalog, names: map[string]bool{}, reaches: map[*node]bool{}, known: map[string][][]*page{}}
	for _, name := range s.cfg.PageSizes {
		p.names[name] = true
	}
	return p
}

// object gives the pages that an object of a type answers with, those below fields
// that list nothing included.
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
	if !p.leads(nodes) {
		return
	}
	for _, n := range nodes {
		if p.work++; p.work > maxAnswerWork {
			return
		}
		switch n := n.(type) {
		case *field:
			if p.lists(n) || p.leads(n.below) {
				add(n)
			}
		case *group:
			if n.on == nil || p.catalog.isA[n.on.Name][def.Name] {
				p.collect(def, n.nodes, entered, add)
			}
		case *spread:
			if !entered[n.of] && p.catalog.isA[n.of.at.Name][def.Name] {
				entered[n.of] = true
				p.collect(def, n.of.nodes, entered, add)
			}
		}
	}
}

// leads tells whether there is a page among selections or below.
func (p *paginator) leads(nodes []node) bool {
	if len(nodes) == 0 {
		return false
	}
	known, ok := p.reaches[&nodes[0]]
	if ok {
		return known
	}
	found := false
	for i := 0; i < len(nodes) && !found; i++ {
		switch n := nodes[i].(type) {
		case *field:
			found = p.lists(n) || p.leads(n.below)
		case *group:
			found = p.leads(n.nodes)
		case *spread:
			found = p.leads(n.of.nodes)
		}
	}
	p.reaches[&nodes[0]] = found
	return found
}

func (p *paginator) lists(f *field) bool {
	for _, arg := range f.def.Arguments {
		if p.names[arg.Name] || p.member(arg) != "" {
			return true
		}
	}
	return false
}

// member is the member of an input that tells a size.
func (p *paginator) member(arg *ast.ArgumentDefinition) string {
	if of := p.catalog.schema.Types[arg.Type.NamedType]; of != nil && of.Kind == ast.InputObject {
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
	var below [][]*page
	if first.subType != nil {
		sets := make([][]node, len(same))
		for i, f := range same {
			sets[i] = f.below
		}
		below = p.position(first.subType, sets)
	}
	switch {
	case p.lists(first):
		return []*page{{sizes: p.sizes(first), below: below}}
	case len(below) == 1:
		return below[0]
	case len(below) > 1:
		return []*page{{choice: true, below: below}}
	}
	return nil
}

// position gives the pages of each object type that has other ones.
func (p *paginator) position(def *ast.Definition, sets [][]node) [][]*page {
	key := keyOf(def, sets)
	if known, ok := p.known[key]; ok {
		return known
	}
	var out [][]*page
	for _, name := range p.catalog.possible[def.Name] {
		if pages := p.object(p.catalog.schema.Types[name], sets); len(pages) > 0 {
			out = append(out, pages)
		}
	}
	p.known[key] = out
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
