// Package plan executes queries without preparing them again on each request.
//
// The library that executes documents parses, validates and expands the text on each request. This
// took two thirds of the time of a small page, and four fifths for a page with 250 type conditions:
// 37 of 49 ms validated a valid document. Yet most queries need little: the method of each
// operation is called, and the selected fields of its result are written.
//
// A Plan does exactly that for one document. The fields to write for a value are determined when
// a value of its Go type occurs for the first time, and cached; with directives, once for each
// combination of their conditions. A plan calls the same methods with the same arguments as the
// library, and writes the same response: a field that fails is null, a null that the schema does
// not allow makes the enclosing value null, and each cause is a Failure with its path. Documents
// that a plan cannot write, for example with introspection fields among others, are left to the
// library as a whole. A document of mutations is left to the library only before the first
// mutation is called, so no change happens twice.
//
// The library is the oracle of the tests: for each query of the golden files and of the pages, and
// for thousands of random queries, a plan must write the response of the library, errors included.
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

// Config holds the dependencies of a Planner. Operations return objects as structs named after
// their GraphQL types. A struct for an interface or union has a method Held() any that returns a
// pointer to the struct of the object. Fields that are computed on selection are functions with
// the same signature as operations. Arguments are converted once for all elements of a list, so
// functions must not change them. Leaf values are written by their Go kind, even if they have
// marshalling methods.
type Config struct {
	Schema *ast.Schema
	// Query and Mutation are pointers to the structs whose methods are the operations. A method
	// is named after its field; it takes a context and, if the field has arguments, a struct of
	// them, and returns a value and an error. Without Mutation, mutations have no plans.
	Query, Mutation any
	// Default returns the value of an absent argument, nil for none.
	Default func(*ast.ArgumentDefinition) any
	// Parallel returns the number of queries of a document that run concurrently, and the number
	// of list elements that are written concurrently; 10 when nil.
	Parallel func(ctx context.Context) int
	// Begin is called before each mutation of a document, which fails with its error; nil calls nothing.
	Begin func(ctx context.Context) error
	// LogPanic receives the panic value of a method.
	LogPanic func(ctx context.Context, value any)
}

// Planner creates plans. It is safe for concurrent use.
type Planner struct {
	schema   *ast.Schema
	fallback func(*ast.ArgumentDefinition) any
	logPanic func(ctx context.Context, value any)
	parallel func(ctx context.Context) int
	begin    func(ctx context.Context) error
	possible map[string]map[string]bool // object types of an interface or union
	enums    map[string]map[string]bool // values of an enum
	roots    map[ast.Operation]*object
	objects  sync.Map // reflect.Type of a struct: *object
	inputs   sync.Map // reflect.Type of a struct: map[string]int, by name in lower case
}

// NewPlanner creates a Planner. It returns an error when an operation has no method with the
// required signature.
func NewPlanner(cfg Config) (*Planner, error) {
	p := &Planner{schema: cfg.Schema, fallback: cfg.Default, logPanic: cfg.LogPanic, parallel: cfg.Parallel, begin: cfg.Begin, possible: map[string]map[string]bool{}, enums: map[string]map[string]bool{}}
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

// exported returns the Go name of a field.
func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// Plan executes one document. It is safe for concurrent use.
type Plan struct {
	planner    *Planner
	kind       ast.Operation
	doc        *ast.QueryDocument
	conditions []string     // the variables of directives, sorted
	variants   sync.Map     // by the values of the conditions, as bits: *planVariant
	length     int          // of the text
	setBytes   atomic.Int64 // estimated size of the variants in bytes
}

// New creates the plan of a document. It returns nil when the Planner has no plans for this kind
// of operation, or when the document uses more than 64 variables in directives.
func (p *Planner) New(d *document.Document) *Plan {
	if p.roots[d.Kind()] == nil {
		return nil
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: d.Text()})
	if err != nil {
		return nil
	}
	conditions, ok := conditionVariables(doc)
	if !ok {
		return nil
	}
	return &Plan{planner: p, kind: d.Kind(), doc: doc, conditions: conditions, length: len(d.Text())}
}

// Bytes estimates the memory of the plan. It grows with the types that occur in responses and
// with the combinations of directive conditions.
func (p *Plan) Bytes() int { return textBytes*p.length + int(p.setBytes.Load()) }

// Exec executes the document with the result of its method Variables. Queries run concurrently;
// mutations run one after the other, in the order of the text. Failures have the order of the
// response; data is null when a failure reached the top. When ok is false, the document must be
// left to the library or ctx is done, and the other results are invalid. A document of mutations
// is left to the library only when none of them was called.
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
		shared.mutationsStarted = true
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

// argumentsFit converts the arguments of all operations. It returns false when some do not fit
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

// serial writes the operations one after the other. A failure of one operation does not prevent
// the call of the next one.
func (w *writer) serial(root *set) {
	answers, valid := make([]*writer, len(root.fields)), make([]bool, len(root.fields))
	for i := range root.fields {
		part := w.fork()
		answers[i] = part
		valid[i] = part.try(nil, func() bool { return part.field(&root.fields[i], reflect.Value{}) })
	}
	w.joinAll(answers, valid)
}

// parallel writes the operations concurrently, as queries do not depend on each other.
func (w *writer) parallel(root *set) {
	answers := make([]*writer, len(root.fields))
	valid := make([]bool, len(root.fields))
	var together errgroup.Group
	together.SetLimit(cap(w.slots))
	for i := range root.fields {
		part := w.fork()
		answers[i] = part
		together.Go(func() error {
			valid[i] = part.try(nil, func() bool { return part.field(&root.fields[i], reflect.Value{}) })
			return nil
		})
	}
	_ = together.Wait()
	w.joinAll(answers, valid)
}

// joinAll joins the responses of operations into one object. The object is null when one of the
// responses is an invalid null.
func (w *writer) joinAll(answers []*writer, valid []bool) {
	if len(answers) == 0 {
		w.out = append(w.out, '{')
	}
	for i, part := range answers {
		w.join(part, i == 0, '{')
	}
	w.out = append(w.out, '}')
	if slices.Contains(valid, false) {
		w.out = append(w.out[:0], null...)
	}
}
