package graphql_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// planComparison executes documents with an engine with plans and one without; their responses
// must be equal.
type planComparison struct {
	engine, unplanned *graphql.Engine
}

func newPlanComparison(t *testing.T, engine *graphql.Engine) planComparison {
	t.Helper()
	unplanned, err := engine.Unplanned()
	if err != nil {
		t.Fatal(err)
	}
	return planComparison{engine, unplanned}
}

// reads matches documents that can be executed twice.
var reads = regexp.MustCompile(`^\s*(query\b|\{|fragment\b)`)

// ask executes a request. The library executes queries, too, and the responses are compared; the
// response to a query must come from its plan, including errors.
func (w planComparison) ask(t *testing.T, ctx context.Context, r graphql.Request) graphql.Response {
	t.Helper()
	done := w.engine.Exec(ctx, r)
	if !reads.MatchString(r.Query) || strings.Contains(r.Query, "mutation") {
		return done
	}
	masks := &masks{}
	library := masks.hide(pretty(t, w.unplanned.Exec(ctx, r)))
	if got := masks.hide(pretty(t, done)); got != library {
		t.Errorf("%s\nby the plan    %s\nby the library %s", r.Query, got, library)
	}
	if done.Data == nil || strings.Contains(r.Query, "__schema") || strings.Contains(r.Query, "__type(") {
		return done
	}
	if planned, ok := w.engine.Planned(ctx, r); !ok || !json.Valid(planned) {
		t.Errorf("%s\nthe plan answered %t, %s", r.Query, ok, planned)
	}
	return done
}
