package document

import (
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// node is a selection of the specialised operation: *field, *group or *spread.
type node interface{ isNode() }

type (
	// field is selected on the type of its position, or on the interface of the enclosing group.
	field struct {
		key        string
		def        *ast.FieldDefinition
		parent     *ast.Definition
		args       []argument
		conditions []condition
		below      []node
		subType    *ast.Definition
	}
	// group is an inline fragment. Without a type it only carries conditions; on an interface it
	// holds nothing but fields.
	group struct {
		typeCondition *ast.Definition
		conditions    []condition
		nodes         []node
	}
	// spread refers to a variant of a fragment.
	spread struct {
		variant    *variant
		conditions []condition
	}
)

func (*field) isNode()  {}
func (*group) isNode()  {}
func (*spread) isNode() {}

// condition is an @include or @skip that depends on a variable.
type condition struct{ directive, variable string }

// argument is printed as name: text.
type argument struct{ name, text string }

// variant is a fragment written for one static type.
type variant struct {
	name  string
	at    *ast.Definition
	nodes []node
}

// specialiser rewrites one operation for the library.
type specialiser struct {
	schema *schemaIndex
	// budget is the number of nodes that may still be written; below zero the work stops.
	budget   int
	variants map[variantKey]*variant
	// order lists the variants so that each follows those it spreads: the library compares fields
	// wrongly with fragments that it has not visited.
	order []*variant
	names map[string]bool
	// below caches the selections of fields by type and source.
	below    map[string][]node
	bindings *bindings
}

type variantKey struct{ fragment, at string }

// place describes the context of selections: a position of static type at, under conditions that
// restrict it to the objects in scope, with fields named by type as.
type place struct {
	at    *ast.Definition
	as    *ast.Definition
	scope []string
}

func (sp *specialiser) exhausted() bool { return sp.budget < 0 }

// position returns the place of a whole selection set on a type.
func (sp *specialiser) position(def *ast.Definition) place {
	return place{at: def, as: def, scope: sp.schema.possible[def.Name]}
}

// allInScope reports whether all objects of the position are in scope.
func (sp *specialiser) allInScope(p place) bool {
	return len(p.scope) == len(sp.schema.possible[p.at.Name])
}

func (sp *specialiser) operation(op *ast.OperationDefinition, root *ast.Definition) *variant {
	body := &variant{name: sp.unique("Body"), at: root}
	body.nodes = sp.nodes(sp.position(root), op.SelectionSet)
	sp.order = append(sp.order, body)
	return body
}

func (sp *specialiser) nodes(p place, sets ...ast.SelectionSet) []node {
	w := newWriter(sp, p.at)
	for _, set := range sets {
		sp.write(w, p, set)
	}
	return w.finish()
}

func (sp *specialiser) write(w *writer, p place, set ast.SelectionSet) {
	for _, sel := range set {
		if sp.budget--; sp.exhausted() {
			return
		}
		switch sel := sel.(type) {
		case *ast.Field:
			if when, keep := sp.conditions(sel.Directives); keep {
				sp.writeField(w, p, sel, when)
			}
		case *ast.InlineFragment:
			if when, keep := sp.conditions(sel.Directives); keep {
				sp.writeInline(w, p, sel, when)
			}
		case *ast.FragmentSpread:
			if when, keep := sp.conditions(sel.Directives); keep {
				sp.writeSpread(w, p, sel.Definition, when)
			}
		}
	}
}

// conditions evaluates @skip and @include with literal arguments; keep is false when they exclude
// the selection. Directives other than these two are dropped.
func (sp *specialiser) conditions(directives ast.DirectiveList) (when []condition, keep bool) {
	for _, d := range directives {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		arg, def := d.Arguments.ForName("if"), d.Definition.Arguments.ForName("if")
		if arg.Value.Kind == ast.Variable {
			when = append(when, condition{d.Name, sp.bindings.variable(def.Type, nil, arg.Value)})
			continue
		}
		value, _ := sp.schema.coerce(def.Type, valueOfLiteral(arg.Value, nil))
		if value == (d.Name == "skip") {
			return nil, false
		}
	}
	return when, true
}

func (sp *specialiser) writeInline(w *writer, p place, sel *ast.InlineFragment, when []condition) {
	if sel.TypeCondition == "" {
		sp.writeGuarded(w, p, sel.SelectionSet, when)
		return
	}
	to := sp.schema.schema.Types[sel.TypeCondition]
	scope := sp.schema.matchingObjects(p.scope, to.Name)
	if len(scope) == 0 {
		return
	}
	if p.at.Kind != ast.Object && to.Kind == ast.Object {
		sp.writeGuarded(w.object(to), sp.position(to), sel.SelectionSet, when)
		return
	}
	sp.writeGuarded(w, place{at: p.at, as: to, scope: scope}, sel.SelectionSet, when)
}

// writeGuarded writes conditional selections into a group of their own at the same position.
func (sp *specialiser) writeGuarded(w *writer, p place, set ast.SelectionSet, when []condition) {
	if len(when) == 0 {
		sp.write(w, p, set)
		return
	}
	if nodes := sp.nodes(p, set); len(nodes) > 0 {
		w.add(&group{conditions: when, nodes: nodes})
	}
}

func (sp *specialiser) writeSpread(w *writer, p place, f *ast.FragmentDefinition, when []condition) {
	to := f.Definition
	scope := sp.schema.matchingObjects(p.scope, to.Name)
	switch {
	case len(scope) == 0:
	case p.at.Kind == ast.Object:
		sp.addSpread(w, f, p.at, when)
	case to.Kind == ast.Object:
		sp.addSpread(w.object(to), f, to, when)
	case len(scope) == len(sp.schema.matchingObjects(sp.schema.possible[p.at.Name], to.Name)):
		sp.addSpread(w, f, p.at, when)
	default:
		for _, name := range scope {
			object := sp.schema.schema.Types[name]
			sp.addSpread(w.object(object), f, object, when)
		}
	}
}

func (sp *specialiser) addSpread(w *writer, f *ast.FragmentDefinition, at *ast.Definition, when []condition) {
	sp.budget--
	if v := sp.variant(f, at); len(v.nodes) > 0 {
		w.spread(v, when)
	}
}

// variant returns the fragment written for positions of static type at.
func (sp *specialiser) variant(f *ast.FragmentDefinition, at *ast.Definition) *variant {
	key := variantKey{f.Name, at.Name}
	if v, ok := sp.variants[key]; ok {
		return v
	}
	p := place{at: at, as: f.Definition, scope: sp.schema.matchingObjects(sp.schema.possible[at.Name], f.TypeCondition)}
	v := &variant{at: at, nodes: sp.nodes(p, f.SelectionSet)}
	sp.variants[key] = v
	if len(v.nodes) > 0 {
		v.name = sp.unique(f.Name + "_" + at.Name)
		sp.order = append(sp.order, v)
	}
	return v
}

func (sp *specialiser) unique(name string) string {
	for i, try := 2, name; ; i++ {
		if !sp.names[try] {
			sp.names[try] = true
			return try
		}
		try = name + "_" + strconv.Itoa(i)
	}
}

// writeField decides where to write a field. An object takes every field. An abstract position
// takes a field that has the same meaning for all its objects. Otherwise the field is written in
// a group on the interface that named it, if the library applies that group to exactly the
// objects in scope. Otherwise each object gets its own copy.
func (sp *specialiser) writeField(w *writer, p place, sel *ast.Field, when []condition) {
	switch {
	case p.at.Kind == ast.Object:
		sp.addToObject(w, p, sel, when)
	case sp.allInScope(p) && sp.sameOn(p.at, p.as, sel.Name):
		w.field(p.at, sel, when)
	case sp.groupReaches(p) && sp.sameOn(p.as, p.as, sel.Name):
		w.interfaceGroup(p.as).field(p.as, sel, when)
	default:
		for _, name := range p.scope {
			if sp.budget--; sp.exhausted() {
				return
			}
			object := sp.schema.schema.Types[name]
			sp.addToObject(w.object(object), place{at: object, as: p.as}, sel, when)
		}
	}
}

// addToObject writes a field of an object. Where the field of the object is stricter about null
// than that of the interface, the field remains named by the interface: other objects of the
// position may have the same key with the laxer type.
func (sp *specialiser) addToObject(w *writer, p place, sel *ast.Field, when []condition) {
	if p.as != p.at && p.as.Kind == ast.Interface && sel.Name != "__typename" {
		own, named := p.at.Fields.ForName(sel.Name), p.as.Fields.ForName(sel.Name)
		if own.Type.Name() == named.Type.Name() && own.Type.String() != named.Type.String() {
			w.interfaceGroup(p.as).field(p.as, sel, when)
			return
		}
	}
	w.field(p.at, sel, when)
}

// sameOn reports whether a field named by type as has the same signature on type at, and has one
// type on all objects of at.
func (sp *specialiser) sameOn(at, as *ast.Definition, name string) bool {
	if name == "__typename" {
		return true
	}
	if sp.schema.varies[at.Name+"."+name] {
		return false
	}
	own, named := at.Fields.ForName(name), as.Fields.ForName(name)
	return own != nil && named != nil && (own == named || sameSignature(own, named))
}

func sameSignature(a, b *ast.FieldDefinition) bool {
	if a.Type.String() != b.Type.String() || len(a.Arguments) != len(b.Arguments) {
		return false
	}
	for _, arg := range a.Arguments {
		other := b.Arguments.ForName(arg.Name)
		if other == nil || other.Type.String() != arg.Type.String() ||
			hasDefault(other.DefaultValue) != hasDefault(arg.DefaultValue) ||
			hasDefault(arg.DefaultValue) && !sameValue(arg.DefaultValue, other.DefaultValue) {
			return false
		}
	}
	return true
}

// groupReaches reports whether a group on the interface that names the fields applies to exactly
// the objects in scope.
func (sp *specialiser) groupReaches(p place) bool {
	if p.as.Kind != ast.Interface {
		return false
	}
	return len(sp.schema.matchingObjects(sp.schema.possible[p.at.Name], p.as.Name)) == len(p.scope)
}
