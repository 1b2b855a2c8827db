package document_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// panicDiscarder drops the log entries of panics that tests provoke.
type panicDiscarder struct{}

func (panicDiscarder) LogPanic(context.Context, any) {}

// evaluator executes the objects part of the test schema directly by the specification: it
// collects the fields for the object type at hand, merges them and recurses. It is slow and
// simple, and shares no code with the stage.
type evaluator struct {
	schema *ast.Schema
	vars   map[string]any
}

func (e *evaluator) object(t *thing, kind string, sets ...ast.SelectionSet) map[string]any {
	fields := map[string][]*ast.Field{}
	for _, set := range sets {
		e.collect(kind, set, fields)
	}
	out := map[string]any{}
	for key, list := range fields {
		var below []ast.SelectionSet
		for _, f := range list {
			below = append(below, f.SelectionSet)
		}
		out[key] = e.field(t, kind, list[0], below)
	}
	return out
}

func (e *evaluator) collect(kind string, set ast.SelectionSet, into map[string][]*ast.Field) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if e.isIncluded(sel.Directives) {
				into[sel.Alias] = append(into[sel.Alias], sel)
			}
		case *ast.InlineFragment:
			if e.isIncluded(sel.Directives) && e.applies(sel.TypeCondition, kind) {
				e.collect(kind, sel.SelectionSet, into)
			}
		case *ast.FragmentSpread:
			if e.isIncluded(sel.Directives) && e.applies(sel.Definition.TypeCondition, kind) {
				e.collect(kind, sel.Definition.SelectionSet, into)
			}
		}
	}
}

func (e *evaluator) isIncluded(ds ast.DirectiveList) bool {
	for _, d := range ds {
		value, _ := d.Arguments.ForName("if").Value.Value(e.vars)
		if (d.Name == "skip") == (value == true) {
			return false
		}
	}
	return true
}

func (e *evaluator) applies(condition, kind string) bool {
	if condition == "" {
		return true
	}
	for _, def := range e.schema.GetPossibleTypes(e.schema.Types[condition]) {
		if def.Name == kind {
			return true
		}
	}
	return false
}

func (e *evaluator) field(t *thing, kind string, f *ast.Field, below []ast.SelectionSet) any {
	args := f.ArgumentMap(e.vars)
	switch f.Name {
	case "__typename":
		return kind
	case "id":
		return t.id
	case "label":
		return args["prefix"].(string) + "-" + t.id
	case "rank":
		if t.rank == nil {
			return nil
		}
		return float64(*t.rank)
	case "title":
		return "The " + t.id
	case "pages":
		return 100.0
	case "minutes":
		return 90.0
	case "note":
		return args["lang"]
	case "name":
		return strings.ToUpper(t.id)
	case "child":
		if t.child == nil {
			return nil
		}
		return e.object(t.child, t.child.kind, below...)
	case "node":
		return e.object(t.kids[0], t.kids[0].kind, below...)
	case "kids", "nodes", "any":
		return e.list(t.kids, below)
	case "related", "titled", "media":
		return e.list(t.of("Book", "Film"), below)
	}
	return "unexpected field " + f.Name
}

func (e *evaluator) list(things []*thing, below []ast.SelectionSet) any {
	out := make([]any, len(things))
	for i, t := range things {
		out[i] = e.object(t, t.kind, below...)
	}
	return out
}

// expected returns the response of the evaluator to a compiled document.
func expected(doc *document.Document, vars map[string]any) map[string]any {
	e := &evaluator{schema: shelfSchema(), vars: vars}
	return e.object(shelfData(), "Query", doc.Definition().SelectionSet)
}

// execute executes a document with the library.
func execute(tb testing.TB, lib *graphql.Schema, doc *document.Document, vars string) *graphql.Response {
	tb.Helper()
	values, errs := doc.Variables(json.RawMessage(vars))
	if errs != nil {
		tb.Fatalf("Variables(%s): %v", vars, errs)
	}
	return lib.Exec(context.Background(), doc.Text(), doc.Operation(), values)
}

func dataOf(tb testing.TB, r *graphql.Response) map[string]any {
	tb.Helper()
	if len(r.Errors) > 0 {
		tb.Fatalf("library: %v", r.Errors)
	}
	var data map[string]any
	if err := json.Unmarshal(r.Data, &data); err != nil {
		tb.Fatalf("library answered %q: %v", r.Data, err)
	}
	return data
}
