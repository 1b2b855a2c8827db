package document

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// writer collects the nodes of one position. It merges equal fields and fragments on the same
// type, so that the library has fewer pairs to compare.
type writer struct {
	sp *specialiser
	at *ast.Definition
	// entries preserves the order of first appearance.
	entries    []any
	fields     map[string]*pendingField
	objects    map[string]*writer
	interfaces map[string]*writer
	spreads    map[*variant]bool
}

// pendingField is a field whose selections may still grow.
type pendingField struct {
	sel        *ast.Field
	parent     *ast.Definition
	conditions []condition
	sets       []ast.SelectionSet
}

func newWriter(sp *specialiser, at *ast.Definition) *writer {
	return &writer{sp: sp, at: at}
}

func (w *writer) add(n node) { w.entries = append(w.entries, n) }

func (w *writer) field(on *ast.Definition, sel *ast.Field, when []condition) {
	key := sel.Alias
	for _, c := range when {
		key += " " + c.directive + " " + c.variable
	}
	if known, ok := w.fields[key]; ok {
		known.sets = append(known.sets, sel.SelectionSet)
		return
	}
	if w.fields == nil {
		w.fields = map[string]*pendingField{}
	}
	p := &pendingField{sel: sel, parent: on, conditions: when, sets: []ast.SelectionSet{sel.SelectionSet}}
	w.fields[key] = p
	w.entries = append(w.entries, p)
}

func (w *writer) spread(v *variant, when []condition) {
	if len(when) == 0 {
		if w.spreads[v] {
			return
		}
		if w.spreads == nil {
			w.spreads = map[*variant]bool{}
		}
		w.spreads[v] = true
	}
	w.add(&spread{variant: v, conditions: when})
}

// object returns the writer for one object type of an abstract position.
func (w *writer) object(def *ast.Definition) *writer {
	if w.at == def {
		return w
	}
	return w.writerFor(&w.objects, def)
}

// interfaceGroup returns the writer for fields named by an interface.
func (w *writer) interfaceGroup(def *ast.Definition) *writer {
	if w.at == def {
		return w
	}
	return w.writerFor(&w.interfaces, def)
}

func (w *writer) writerFor(known *map[string]*writer, def *ast.Definition) *writer {
	if inner, ok := (*known)[def.Name]; ok {
		return inner
	}
	inner := newWriter(w.sp, def)
	if *known == nil {
		*known = map[string]*writer{}
	}
	(*known)[def.Name] = inner
	w.entries = append(w.entries, inner)
	return inner
}

// finish converts the collected entries into nodes.
func (w *writer) finish() []node {
	var out []node
	for _, e := range w.entries {
		switch e := e.(type) {
		case *pendingField:
			out = append(out, w.sp.finishField(e))
		case *writer:
			nodes := e.finish()
			if one, ok := singleNode(nodes).(*spread); ok && one.variant.at == e.at {
				out = append(out, one)
				continue
			}
			if len(nodes) > 0 {
				out = append(out, &group{typeCondition: e.at, nodes: nodes})
			}
		case node:
			out = append(out, e)
		}
	}
	return out
}

func singleNode(nodes []node) node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	return nil
}

func (sp *specialiser) finishField(p *pendingField) *field {
	f := &field{key: p.sel.Alias, def: p.sel.Definition, parent: p.parent, conditions: p.conditions}
	if own := p.parent.Fields.ForName(p.sel.Name); own != nil {
		f.def = own
	}
	f.args = sp.arguments(f.def, p.sel.Arguments)
	if to := sp.schema.schema.Types[f.def.Type.Name()]; to.IsCompositeType() && !sp.exhausted() {
		f.subType = to
		f.below = sp.cachedNodes(to, p.sets)
	}
	return f
}

// cachedNodes returns the nodes of selection sets on a type. The selections of a field that is
// written once for each of many objects are specialised once.
func (sp *specialiser) cachedNodes(to *ast.Definition, sets []ast.SelectionSet) []node {
	key := []byte(to.Name)
	for _, set := range sets {
		key = fmt.Appendf(key, " %p", set)
	}
	if known, ok := sp.below[string(key)]; ok {
		return known
	}
	nodes := sp.nodes(sp.position(to), sets...)
	sp.below[string(key)] = nodes
	return nodes
}
