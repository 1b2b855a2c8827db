package plan

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// object maps the fields of a GraphQL object type to those of a Go struct.
type object struct {
	name    string // of the GraphQL type
	members map[string]*member
	// isWrapper marks a struct that represents an interface or union, see wrapper.
	isWrapper bool
}

// wrapper is a struct that represents an interface or union.
type wrapper interface {
	// Held returns a pointer to the struct of the object.
	Held() any
}

// member is one field of an object.
type member struct {
	index []int // of the field of the struct; nil for operations, which are methods
	typ   *ast.Type
	leaf  bool
	enum  map[string]bool // the values of an enum, nil for other types
	call  *call           // for fields that a function computes
}

// object returns the mapping of a Go struct, nil when the struct represents no GraphQL type.
func (p *Planner) object(t reflect.Type) *object {
	if known, ok := p.objects.Load(t); ok {
		return known.(*object)
	}
	made, _ := p.objects.LoadOrStore(t, p.newObject(t))
	return made.(*object)
}

func (p *Planner) newObject(t reflect.Type) *object {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[wrapper]()) {
		return &object{isWrapper: true}
	}
	def := p.schema.Types[t.Name()]
	if def == nil || def.Kind != ast.Object {
		return nil
	}
	o := &object{name: def.Name, members: make(map[string]*member, len(def.Fields))}
	for _, f := range def.Fields {
		at, ok := t.FieldByName(exported(f.Name))
		if !ok {
			continue
		}
		m := p.member(f, at.Index)
		if at.Type.Kind() == reflect.Func {
			if m.call = p.callOf(f, at.Type); m.call == nil {
				continue
			}
		}
		o.members[f.Name] = m
	}
	return o
}

func (p *Planner) member(def *ast.FieldDefinition, index []int) *member {
	of := p.schema.Types[def.Type.Name()]
	return &member{index: index, typ: def.Type, leaf: of.IsLeafType(), enum: p.enums[of.Name]}
}

// callOf describes a function that computes a field. It returns nil when the function has another
// signature than documented at Config.
func (p *Planner) callOf(def *ast.FieldDefinition, t reflect.Type) *call {
	c := &call{parameters: map[string]parameter{}}
	if t.NumIn() == 0 || t.NumIn() > 2 || t.In(0) != reflect.TypeFor[context.Context]() || t.NumOut() != 2 || t.Out(1) != reflect.TypeFor[error]() {
		return nil
	}
	if (t.NumIn() == 2) != (len(def.Arguments) > 0) {
		return nil
	}
	if t.NumIn() == 2 {
		c.input = t.In(1)
	}
	for _, a := range def.Arguments {
		index, ok := p.fieldsOf(c.input)[strings.ToLower(a.Name)]
		if !ok {
			return nil
		}
		c.parameters[a.Name] = parameter{index: index, fallback: p.fallback(a)}
	}
	return c
}

// node is a position in a variant: the selections on a value, whatever its type.
type node struct {
	variant *planVariant
	parts   []ast.SelectionSet
	sets    sync.Map // reflect.Type: *set
}

// set holds the fields that a document selects on an object of one type.
type set struct {
	fields    []field
	isWrapper bool // see object
}

// field is one key of a response.
type field struct {
	key           string // as written: quoted, with a colon
	typenameValue string // the value of __typename
	member        *member
	arguments     []argumentValue
	below         *node // nil when the value is a leaf
}

// of returns the selection on values of a struct type, nil when a plan cannot write it. Results
// are cached.
func (n *node) of(t reflect.Type) *set {
	if known, ok := n.sets.Load(t); ok {
		return known.(*set)
	}
	made, before := n.sets.LoadOrStore(t, n.collect(n.variant.plan.planner.object(t)))
	if !before {
		n.variant.plan.setBytes.Add(made.(*set).bytes())
	}
	return made.(*set)
}

func (n *node) collect(o *object) *set {
	if o == nil {
		return nil
	}
	c := collector{variant: n.variant, object: o, keys: map[string]int{}, seen: map[*ast.FragmentDefinition]bool{}, set: &set{isWrapper: o.isWrapper}}
	if !o.isWrapper {
		for _, part := range n.parts {
			if !c.collect(part) {
				return nil
			}
		}
	}
	return c.set
}

// collector collects a set: one field for each key.
type collector struct {
	variant *planVariant
	object  *object
	keys    map[string]int
	seen    map[*ast.FragmentDefinition]bool // a fragment spread in several places counts once
	set     *set
}

func (c *collector) collect(part ast.SelectionSet) bool {
	for _, selected := range part {
		switch selected := selected.(type) {
		case *ast.Field:
			if c.variant.included(selected.Directives) && !c.add(selected) {
				return false
			}
		case *ast.InlineFragment:
			if c.variant.included(selected.Directives) && c.applies(selected.TypeCondition) && !c.collect(selected.SelectionSet) {
				return false
			}
		case *ast.FragmentSpread:
			d := c.variant.plan.doc.Fragments.ForName(selected.Name)
			if !c.variant.included(selected.Directives) || c.seen[d] || !c.applies(d.TypeCondition) {
				continue
			}
			c.seen[d] = true
			if !c.collect(d.SelectionSet) {
				return false
			}
		}
	}
	return true
}

func (c *collector) applies(condition string) bool {
	return condition == "" || condition == c.object.name || c.variant.plan.planner.possible[condition][c.object.name]
}

// add adds a field under its key and merges its selections with those of earlier fields of that
// key.
func (c *collector) add(f *ast.Field) bool {
	at, known := c.keys[f.Alias]
	if !known {
		made, ok := c.field(f)
		if !ok {
			return false
		}
		at = len(c.set.fields)
		c.keys[f.Alias] = at
		c.set.fields = append(c.set.fields, made)
	}
	if len(f.SelectionSet) > 0 {
		into := &c.set.fields[at]
		if into.below == nil {
			into.below = &node{variant: c.variant}
		}
		into.below.parts = append(into.below.parts, f.SelectionSet)
	}
	return true
}

// field converts a field without the selections on its value. ok is false when the struct has no
// suitable member.
func (c *collector) field(f *ast.Field) (made field, ok bool) {
	made.key = `"` + f.Alias + `":`
	if f.Name == "__typename" {
		made.typenameValue = `"` + c.object.name + `"`
		return made, true
	}
	if made.member = c.object.members[f.Name]; made.member == nil {
		return made, false
	}
	made.arguments, ok = made.member.call.argumentValues(f.Arguments)
	return made, ok
}
