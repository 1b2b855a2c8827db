// Package plan answers queries without preparing them again each time.
//
// The library that executes documents parses, validates and expands a text anew
// on each request. For the small documents of programs that is most of their
// time, and for large pages with many type conditions nearly all of it. Yet most
// queries need little: call the method of each operation, and write the fields
// that were asked for of what it returns.
//
// A Plan does just that for one document. What to write of a value is worked out
// when a value of its Go type turns up first, and kept; with directives, once for
// each way to decide them. A plan calls the same methods, with the same arguments,
// as the library does, and writes the same answer: a field that fails is null, a
// null where the schema allows none makes null of what holds it, and each cause is
// a Failure with its path. What a plan cannot write, such as questions about the
// schema among others, is left to the library as a whole. A document of mutations is
// left to the library before the first of them is called or not at all, so nothing is
// changed twice.
package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"golang.org/x/sync/errgroup"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// Config is what a Planner works with. Operations give objects as structs that are
// named after their GraphQL types; a struct for an interface or union has a method
// Held() any that gives a pointer to that of the object. Fields that are computed
// when they are asked for are functions of the same form as operations. Arguments are made
// once for all elements of a list, so functions must not change them. Leaves are
// written as what they are in Go, whatever methods they have to write themselves.
type Config struct {
	Schema *ast.Schema
	// Query and Mutation are pointers to the structs whose methods are the operations.
	// A method is named after its field; it takes a context and, if the field has
	// arguments, a struct of them, and returns a value and an error. Without Mutation,
	// mutations have no plans.
	Query, Mutation any
	// Default gives the value of an argument that is not there.
	Default func(*ast.ArgumentDefinition) any
	// Parallel gives how many queries of a document run side by side, and how many
	// elements of lists besides; 10 when nil.
	Parallel func(ctx context.Context) int
	// LogPanic is told of what a method panicked with.
	LogPanic func(ctx context.Context, value any)
}

// Planner makes plans. It is safe for concurrent use.
type Planner struct {
	schema   *ast.Schema
	fallback func(*ast.ArgumentDefinition) any
	panicked func(ctx context.Context, value any)
	parallel func(ctx context.Context) int
	possible map[string]map[string]bool // object types of an interface or union
	enums    map[string]map[string]bool // values of an enum
	roots    map[ast.Operation]*object
	objects  sync.Map // reflect.Type of a struct: *object
	inputs   sync.Map // reflect.Type of a struct: map[string]int, by folded name
}

// NewPlanner makes a Planner. It fails when an operation has no method that fits.
func NewPlanner(cfg Config) (*Planner, error) {
	p := &Planner{schema: cfg.Schema, fallback: cfg.Default, panicked: cfg.LogPanic, parallel: cfg.Parallel, possible: map[string]map[string]bool{}, enums: map[string]map[string]bool{}}
	for name, def := range cfg.Schema.Types {
		switch def.Kind {
		case ast.Interface, ast.Union:
			p.possible[name] = namesOf(cfg.Schema.GetPossibleTypes(def))
		case ast.Enum:
			p.enums[name] = map[string]bool{}
			for _, value := range def.EnumValues {
				p.enums[name][value.Name] = true
			}
		}
	}
	if p.parallel == nil {
		p.parallel = func(context.Context) int { return 10 }
	}
	queries, err := p.operations(cfg.Schema.Query, cfg.Query)
	if err != nil {
		return nil, err
	}
	p.roots = map[ast.Operation]*object{ast.Query: queries}
	if cfg.Mutation != nil {
		if p.roots[ast.Mutation], err = p.operations(cfg.Schema.Mutation, cfg.Mutation); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// operations finds the methods of the fields of a root type.
func (p *Planner) operations(def *ast.Definition, methods any) (*object, error) {
	root := reflect.ValueOf(methods)
	o := &object{name: def.Name, members: map[string]*member{}}
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		method, ok := root.Type().MethodByName(exported(f.Name))
		if !ok {
			return nil, fmt.Errorf("%s %s has no method", strings.ToLower(def.Name), f.Name)
		}
		m := p.member(f, nil)
		if m.call = p.callOf(f, root.Method(method.Index).Type()); m.call == nil {
			return nil, fmt.Errorf("%s %s: the method has another form than (context, arguments) (value, error)", strings.ToLower(def.Name), f.Name)
		}
		m.call.method = root.Method(method.Index)
		o.members[f.Name] = m
	}
	return o, nil
}

func namesOf(defs []*ast.Definition) map[string]bool {
	out := make(map[string]bool, len(defs))
	for _, d := range defs {
		out[d.Name] = true
	}
	return out
}

// exported is the Go name of a field.
func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// Plan answers one document. It is safe for concurrent use.
type Plan struct {
	planner    *Planner
	kind       ast.Operation
	doc        *ast.QueryDocument
	conditions []string     // the variables of directives, sorted
	variants   sync.Map     // by the values of the conditions, as bits: *planVariant
	length     int          // of the text
	setBytes   atomic.Int64 // what they occupy, in bytes
}

// New plans a document. It is nil when there are no plans for its kind of operation, or
// when it has parts that plans do not know, like introspection.
func (p *Planner) New(d *document.Document) *Plan {
	if p.roots[d.Kind()] == nil {
		return nil
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: d.Text()})
	if err != nil {
		return nil
	}
	deciders, ok := conditionVariables(doc)
	if !ok {
		return nil
	}
	return &Plan{planner: p, kind: d.Kind(), doc: doc, conditions: deciders, length: len(d.Text())}
}

// Bytes estimates what the plan occupies. It grows with the types that turn up in
// answers, and with the ways in which directives are decided.
func (p *Plan) Bytes() int { return textBytes*p.length + int(p.setBytes.Load()) }

// Exec answers with the variables that the document made. Queries run side by side,
// mutations one after the other, in the order of the text. Failures come in the
// order of the answer; data is null when one reached the top. It is not ok when
// the document must be left to the library, or the caller has left: then nothing
// else of what it returns means anything. A document of mutations is left to the library
// only when none of them was called.
func (p *Plan) Exec(ctx context.Context, variables map[string]any) (data json.RawMessage, failures []Failure, ok bool) {
	root := p.variant(variables).root
	if root == nil {
		return nil, nil, false
	}
	shared := &execution{planner: p.planner, variables: variables, slots: make(chan struct{}, p.planner.parallel(ctx))}
	w := &writer{execution: shared, ctx: ctx}
	switch {
	case p.kind == ast.Mutation:
		if !w.argumentsFit(root) {
			return nil, nil, false
		}
		shared.final = true
		w.serial(root)
	case len(root.fields) <= 1:
		w.out = make([]byte, 0, 1024)
		w.sequential(root)
	default:
		w.parallel(root)
	}
	return w.out, w.failures, !shared.fellBack.Load() && ctx.Err() == nil
}

// sequential writes the operations one after the other.
func (w *writer) sequential(root *set) {
	w.try(nil, func() bool { return w.members(root, reflect.Value{}, &ast.Type{}) })
}

// argumentsFit prepares the arguments of all operations. It is false when some do not fit
// their method.
func (w *writer) argumentsFit(root *set) bool {
	for i := range root.fields {
		if f := &root.fields[i]; f.member != nil {
			if _, ok := w.arguments(f, true); !ok {
				return false
			}
		}
	}
	return true
}

// serial writes the operations one after the other. What goes wrong while one is
// written does not keep the next one from being called.
func (w *writer) serial(root *set) {
	answers, standing := make([]*writer, len(root.fields)), make([]bool, len(root.fields))
	for i := range root.fields {
		one := w.fork()
		answers[i] = one
		standing[i] = one.try(nil, func() bool { return one.field(&root.fields[i], reflect.Value{}) })
	}
	w.joinAll(answers, standing)
}

// parallel writes the operations at the same time, as queries do not depend on
// each other.
func (w *writer) parallel(root *set) {
	answers := make([]*writer, len(root.fields))
	standing := make([]bool, len(root.fields))
	var together errgroup.Group
	together.SetLimit(cap(w.slots))
	for i := range root.fields {
		one := w.fork()
		answers[i] = one
		together.Go(func() error {
			standing[i] = one.try(nil, func() bool { return one.field(&root.fields[i], reflect.Value{}) })
			return nil
		})
	}
	_ = together.Wait()
	w.joinAll(answers, standing)
}

// joinAll makes one object of the answers of operations. It is null when one of them
// cannot stand.
func (w *writer) joinAll(answers []*writer, standing []bool) {
	if len(answers) == 0 {
		w.out = append(w.out, '{')
	}
	for i, one := range answers {
		w.join(one, i == 0, '{')
	}
	w.out = append(w.out, '}')
	if slices.Contains(standing, false) {
		w.out = append(w.out[:0], null...)
	}
}
