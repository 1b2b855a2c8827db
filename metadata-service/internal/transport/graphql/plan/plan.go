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
// schema among others, is left to the library as a whole. Only queries are planned,
// so nothing is changed twice.
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

// Config is what a Planner works with. Queries give objects as structs that are
// named after their GraphQL types; a struct for an interface or union has a method
// Held() any that gives a pointer to that of the object. Fields that are computed
// when they are asked for are functions of the same form as queries. Arguments are made
// once for all elements of a list, so functions must not change them. Leaves are
// written as what they are in Go, whatever methods they have to write themselves.
type Config struct {
	Schema *ast.Schema
	// Query is a pointer to the struct whose methods are the queries. A method is
	// named after its field; it takes a context and, if the field has arguments, a
	// struct of them, and returns a value and an error.
	Query any
	// Default gives the value of an argument that is not there.
	Default func(*ast.ArgumentDefinition) any
	// Parallel gives how many operations of a document run side by side, and how many
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
	queries  *object
	objects  sync.Map // reflect.Type of a struct: *object
	inputs   sync.Map // reflect.Type of a struct: map[string]int, by folded name
}

// NewPlanner makes a Planner. It fails when a query has no method that fits.
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
	root := reflect.ValueOf(cfg.Query)
	p.queries = &object{name: cfg.Schema.Query.Name, members: map[string]*member{}}
	for _, def := range cfg.Schema.Query.Fields {
		if strings.HasPrefix(def.Name, "__") {
			continue
		}
		method, ok := root.Type().MethodByName(exported(def.Name))
		if !ok {
			return nil, fmt.Errorf("query %s has no method", def.Name)
		}
		m := p.member(def, nil)
		if m.call = p.callOf(def, root.Method(method.Index).Type()); m.call == nil {
			return nil, fmt.Errorf("query %s: the method has another form than (context, arguments) (value, error)", def.Name)
		}
		m.call.method = root.Method(method.Index)
		p.queries.members[def.Name] = m
	}
	return p, nil
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
	doc        *ast.QueryDocument
	conditions []string     // the variables of directives, sorted
	variants   sync.Map     // by the values of the conditions, as bits: *planVariant
	length     int          // of the text
	setBytes   atomic.Int64 // what they occupy, in bytes
}

// New plans a document. It is nil when the document is no query, or has parts that
// plans do not know, like introspection.
func (p *Planner) New(d *document.Document) *Plan {
	if d.Kind() != ast.Query {
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
	return &Plan{planner: p, doc: doc, conditions: deciders, length: len(d.Text())}
}

// Bytes estimates what the plan occupies. It grows with the types that turn up in
// answers, and with the ways in which directives are decided.
func (p *Plan) Bytes() int { return textBytes*p.length + int(p.setBytes.Load()) }

// Exec answers with the variables that the document made. Failures come in the
// order of the answer; data is null when one reached the top. It is not ok when
// the document must be left to the library, or the caller has left: then nothing
// else of what it returns means anything.
func (p *Plan) Exec(ctx context.Context, variables map[string]any) (data json.RawMessage, failures []Failure, ok bool) {
	root := p.variant(variables).root
	if root == nil {
		return nil, nil, false
	}
	shared := &execution{planner: p.planner, variables: variables, slots: make(chan struct{}, p.planner.parallel(ctx))}
	w := &writer{execution: shared, ctx: ctx}
	if len(root.fields) <= 1 {
		w.out = make([]byte, 0, 1024)
		w.sequential(root)
	} else {
		w.parallel(root)
	}
	return w.out, w.failures, !shared.fellBack.Load() && ctx.Err() == nil
}

// sequential writes the operations one after the other.
func (w *writer) sequential(root *set) {
	w.try(nil, func() bool { return w.members(root, reflect.Value{}, &ast.Type{}) })
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
	for i, one := range answers {
		w.join(one, i == 0, '{')
	}
	w.out = append(w.out, '}')
	if slices.Contains(standing, false) {
		w.out = append(w.out[:0], null...)
	}
}
