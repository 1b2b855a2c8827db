package graphql

import (
	"context"
	"encoding/json"
	"sync"

	graphgophers "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/trace/tracer"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/plan"
)

// Traced returns the engine without plans, with a tracer in the library.
func (e *Engine) Traced(t tracer.Tracer) (*Engine, error) {
	traced, err := e.Unplanned()
	if err != nil {
		return nil, err
	}
	traced.schema = sync.OnceValues(func() (*graphgophers.Schema, error) { return traced.bind(graphgophers.Tracer(t)) })
	return traced, nil
}

// Bind binds the library, like the first document without a plan.
func (e *Engine) Bind() error {
	_, err := e.schema()
	return err
}

// Unplanned returns the engine without plans: the library executes all documents.
func (e *Engine) Unplanned() (*Engine, error) {
	out := *e
	out.plans = func(*document.Document) *plan.Plan { return nil }
	var err error
	out.stage, err = document.New(document.Config{Schema: e.parsed, MaxDepth: e.api.MaxDepth, MaxCost: e.api.MaxCost, IgnoreUnknownVariables: true})
	return &out, err
}

// Reconfigure replaces the dependencies of the engine. No request may be running.
func (e *Engine) Reconfigure(cfg Config) {
	cfg.Timeout, cfg.MaxReadCost = e.api.Timeout, e.api.MaxReadCost
	*e.api = api{Config: cfg, now: cfg.Now, log: cfg.Log, schema: e.parsed}
	e.log = cfg.Log
}

// Planned executes a request by its plan alone, if it has a plan that can execute it.
func (e *Engine) Planned(ctx context.Context, r Request) (json.RawMessage, bool) {
	d, refused := e.stage.Compile(r.Query, r.OperationName)
	if refused != nil {
		return nil, false
	}
	variables, refused := d.Variables(r.Variables)
	kept := e.attachmentOf(d)
	if refused != nil || kept.plan == nil {
		return nil, false
	}
	data, _, ok := kept.plan.Exec(context.WithValue(e.withReadBudget(ctx, d), selectionKey{}, kept.selection.Of(kept.root)), variables)
	return data, ok
}

// Stage returns the document stage of the engine.
func (e *Engine) Stage() *document.Stage { return e.stage }

// Parsed returns the schema.
func (e *Engine) Parsed() *ast.Schema { return e.parsed }
