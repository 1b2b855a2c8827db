package document

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// printer writes up to a limit and drops the rest. It records the variables that it has written.
type printer struct {
	strings.Builder
	limit int
	used  map[string]bool
}

func (b *printer) overLimit() bool { return b.Len() > b.limit }

// print writes the specialised operation: first the fragments, each after those it spreads, then
// an operation that spreads the last fragment, its body. The text may be longer than the source,
// where fields are written once for each of many objects, but its length is limited to four times
// MaxBytes.
func (s *Stage) print(op *ast.OperationDefinition, sp *specialiser, body *variant) (string, Errors) {
	b := &printer{limit: 4 * s.cfg.MaxBytes, used: map[string]bool{}}
	for _, v := range sp.order {
		b.WriteString("fragment ")
		b.WriteString(v.name)
		b.WriteString(" on ")
		b.WriteString(v.at.Name)
		b.nodes(v.nodes)
		b.WriteByte('\n')
	}
	b.WriteString(string(op.Operation))
	if op.Name != "" {
		b.WriteByte(' ')
		b.WriteString(op.Name)
	}
	sp.bindings.dropUnused(b.used)
	b.variables(sp.bindings.list)
	b.WriteString("{...")
	b.WriteString(body.name)
	b.WriteString("}\n")
	if b.overLimit() {
		return "", overBudget("specialised length", b.Len(), b.limit)
	}
	return b.String(), nil
}

func (b *printer) variables(list []*binding) {
	if len(list) == 0 {
		return
	}
	separator := byte('(')
	for _, v := range list {
		b.WriteByte(separator)
		b.WriteByte('$')
		b.WriteString(v.name)
		b.WriteByte(':')
		b.WriteString(v.declared)
		separator = ','
	}
	b.WriteByte(')')
}

// nodes writes a selection set. The library does not accept an empty one, so a field that is
// always skipped takes its place.
func (b *printer) nodes(nodes []node) {
	b.WriteByte('{')
	if len(nodes) == 0 {
		b.WriteString("__typename@skip(if:true)")
	}
	for i, n := range nodes {
		if b.overLimit() {
			return
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		switch n := n.(type) {
		case *field:
			b.field(n)
		case *group:
			b.WriteString("...")
			if n.typeCondition != nil {
				b.WriteString("on ")
				b.WriteString(n.typeCondition.Name)
			}
			b.conditions(n.conditions)
			b.nodes(n.nodes)
		case *spread:
			b.WriteString("...")
			b.WriteString(n.variant.name)
			b.conditions(n.conditions)
		}
	}
	b.WriteByte('}')
}

func (b *printer) field(f *field) {
	if f.key != f.def.Name {
		b.WriteString(f.key)
		b.WriteByte(':')
	}
	b.WriteString(f.def.Name)
	if len(f.args) > 0 {
		separator := byte('(')
		for _, a := range f.args {
			b.WriteByte(separator)
			b.WriteString(a.name)
			b.WriteByte(':')
			b.WriteString(a.text)
			if name, ok := strings.CutPrefix(a.text, "$"); ok {
				b.used[name] = true
			}
			separator = ','
		}
		b.WriteByte(')')
	}
	b.conditions(f.conditions)
	if f.subType != nil {
		b.nodes(f.below)
	}
}

func (b *printer) conditions(when []condition) {
	for _, c := range when {
		b.WriteByte('@')
		b.WriteString(c.directive)
		b.WriteString("(if:$")
		b.WriteString(c.variable)
		b.used[c.variable] = true
		b.WriteByte(')')
	}
}
