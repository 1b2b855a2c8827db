package graphql_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	liberrors "github.com/graph-gophers/graphql-go/errors"
	"github.com/graph-gophers/graphql-go/introspection"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// phase is a part of the time of a request.
type phase struct {
	name string
	took []float64 // µs, one for each request
}

// clock separates the phases of a request by the calls of the library to a tracer: the library
// validates between the calls of TraceValidation and its end, expands the document from
// TraceQuery on, and the first field begins the execution. The time before validation is parsing.
// It supports one request at a time.
type clock struct {
	validating, validated, expanding time.Time

	mu        sync.Mutex
	executing time.Time
}

func (c *clock) TraceValidation(context.Context) func([]*liberrors.QueryError) {
	c.validating = time.Now()
	return func([]*liberrors.QueryError) { c.validated = time.Now() }
}

func (c *clock) TraceQuery(ctx context.Context, _, _ string, _ map[string]any, _ map[string]*introspection.Type) (context.Context, func([]*liberrors.QueryError)) {
	c.expanding = time.Now()
	return ctx, func([]*liberrors.QueryError) {}
}

func (c *clock) TraceField(ctx context.Context, _, _, _ string, _ bool, _ map[string]any) (context.Context, func(*liberrors.QueryError)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.executing.IsZero() {
		c.executing = time.Now()
	}
	return ctx, func(*liberrors.QueryError) {}
}

// measuredEngine is an engine with measured phases.
type measuredEngine struct {
	plain, traced *graphql.Engine
	clock         *clock
	ctx           context.Context
}

func newMeasuredEngine(b *testing.B) measuredEngine {
	b.Helper()
	engine, world := newEngine(b)
	loadDemo(b, world)
	w := measuredEngine{plain: engine, clock: &clock{}, ctx: world.As(b, servicetest.Root)}
	var err error
	if w.traced, err = engine.Traced(w.clock); err != nil {
		b.Fatal(err)
	}
	return w
}

// phases measures requests of a page and reports the median of each phase. The stage is measured
// separately, for a new text and for a cached one.
func (w measuredEngine) phases(b *testing.B, p page) {
	b.ReportAllocs()
	if _, err := execute(w.traced, w.ctx, p); err != nil { // from now on the stage has the text in its cache
		b.Fatal(err)
	}
	stage, parse, validate, expand, run := &phase{name: "stage-known"}, &phase{name: "library-parse"}, &phase{name: "library-validate"}, &phase{name: "expand"}, &phase{name: "execute"}
	note := func(to *phase, d time.Duration) { to.took = append(to.took, float64(d.Nanoseconds())/1000) }
	for b.Loop() {
		began := time.Now()
		doc, errs := w.traced.Stage().Compile(p.document, "")
		if errs != nil {
			b.Fatal(errs)
		}
		if _, errs := doc.Variables(json.RawMessage(p.variables)); errs != nil {
			b.Fatal(errs)
		}
		staged := time.Since(began)
		w.clock.executing = time.Time{}
		began = time.Now()
		if _, err := execute(w.traced, w.ctx, p); err != nil {
			b.Fatal(err)
		}
		ended := time.Now()
		note(stage, staged)
		note(parse, w.clock.validating.Sub(began)-staged)
		note(validate, w.clock.validated.Sub(w.clock.validating))
		note(expand, w.clock.executing.Sub(w.clock.expanding))
		note(run, ended.Sub(w.clock.executing))
	}
	b.ReportMetric(0, "ns/op") // it includes the stage twice
	for _, ph := range []*phase{stage, parse, validate, expand, run} {
		b.ReportMetric(median(ph.took), "µs/"+ph.name)
	}
}
