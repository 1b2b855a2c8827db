package document

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// printed writes the specialised operation: fragments first, each after those it
// spreads, and then an operation that spreads the last of them, its body.
func printed(op *ast.OperationDefinition, sp *specialiser, body *variant) string {
	var b strings.Builder
	for _, v := range sp.order {
		b.WriteString("fragment ")
		b.WriteString(v.name)
		b.WriteString(" on ")
		b.WriteString(v.at.Name)
		printNodes(&b, v.nodes)
		b.WriteByte('\n')
	}
	b.WriteString(string(op.Operation))
	if op.Name != "" {
		b.WriteByte(' ')
		b.WriteString(op.Name)
	}
	printVariables(&b, sp.bindings.list)
	b.WriteString("{...")
	b.WriteString(body.name)
	b.WriteString("}\n")
	return b.String()
}

func printVariables(b *strings.Builder, list []*binding) {
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

// printNodes writes a selection set. The library has no empty one, so a field
// that never shows stands in for it.
func printNodes(b *strings.Builder, nodes []node) {
	b.WriteByte('{')
	if len(nodes) == 0 {
		b.WriteString("__typename@skip(if:true)")
	}
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch n := n.(type) {
		case *field:
			printField(b, n)
		case *group:
			b.WriteString("...")
			if n.on != nil {
				b.WriteString("on ")
				b.WriteString(n.on.Name)
			}
			printConditions(b, n.when)
			printNodes(b, n.nodes)
		case *spread:
			b.WriteString("...")
			b.WriteString(n.of.name)
			printConditions(b, n.when)
		}
	}
	b.WriteByte('}')
}

func printField(b *strings.Builder, f *field) {
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
			separator = ','
		}
		b.WriteByte(')')
	}
	printConditions(b, f.when)
	if f.subType != nil {
		printNodes(b, f.below)
	}
}

func printConditions(b *strings.Builder, when []condition) {
	for _, c := range when {
		b.WriteByte('@')
		b.WriteString(c.directive)
		b.WriteString("(if:$")
		b.WriteString(c.variable)
		b.WriteByte(')')
	}
}
