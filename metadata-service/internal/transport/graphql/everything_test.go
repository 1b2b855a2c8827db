package graphql_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// TestEveryFieldOfEveryEntityAnswers selects all fields of each entity type, three levels deep,
// of an entity that was written and of one that was not. No field may fail, and non-null fields
// must have a value, because clients treat any error as a failure of the whole request.
func TestEveryFieldOfEveryEntityAnswers(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	ways := newPlanComparison(t, engine)
	types := schemaByIntrospection(t)
	ask := func(u, document string) graphql.Response {
		variables, err := json.Marshal(map[string]string{"u": u})
		if err != nil {
			t.Fatal(err)
		}
		return ways.ask(t, auth.WithActor(t.Context(), auth.Actor{URN: servicetest.Root}), graphql.Request{Query: document, Variables: variables})
	}
	urns := []string{
		"urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)", "urn:li:dashboard:(looker,sales)", "urn:li:chart:(looker,daily)",
		"urn:li:dataFlow:(airflow,nightly,PROD)", "urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)", "urn:li:container:raw",
		"urn:li:tag:pii", "urn:li:domain:shop", "urn:li:glossaryTerm:revenue", "urn:li:glossaryNode:finance",
		"urn:li:corpuser:jo", "urn:li:corpGroup:analysts", "urn:li:dataProduct:sales",
	}
	for _, e := range world.Registry.Entities() {
		urns = append(urns, e.Example)
	}
	asked := 0
	for _, u := range urns {
		var found struct {
			Entity *struct {
				Typename string `json:"__typename"`
			}
		}
		if err := json.Unmarshal(ask(u, "query($u: String!) { entity(urn: $u) { __typename } }").Data, &found); err != nil {
			t.Fatal(err)
		}
		if found.Entity == nil {
			continue // of a type that the schema does not contain
		}
		name := found.Entity.Typename
		asked++
		for _, e := range ask(u, "query($u: String!) { entity(urn: $u) { ... on "+name+" "+selectAllFields(types, types[name], 2)+" } }").Errors {
			t.Errorf("%s: %v %s %v", u, e.Path, e.Message, e.Extensions)
		}
	}
	if asked < 60 {
		t.Errorf("only %d entities were asked", asked)
	}
}

// selectAllFields selects all fields of a type that need no argument, with the fields of their
// values down to a depth. It also selects fields with optional arguments.
func selectAllFields(types map[string]introspectedType, of introspectedType, depth int) string {
	var b strings.Builder
	b.WriteString("{ __typename ")
	for n, f := range of.Fields {
		arguments := ""
		required := false
		for _, a := range f.Args {
			if a.Type.Kind == "NON_NULL" && a.DefaultValue == nil {
				required = true
			}
		}
		if required {
			switch f.Name {
			case "relationships":
				arguments = "(input: {types: [], direction: INCOMING, start: 0, count: 3})"
			case "lineage":
				arguments = "(input: {direction: UPSTREAM})"
			default:
				continue
			}
		}
		named := &f.Type
		for named.OfType != nil {
			named = named.OfType
		}
		switch inner := types[named.Name]; inner.Kind {
		case "SCALAR", "ENUM":
			fmt.Fprintf(&b, "f%d_%s: %s%s ", n, f.Name, f.Name, arguments)
		case "OBJECT":
			if depth > 0 {
				fmt.Fprintf(&b, "f%d_%s: %s%s %s ", n, f.Name, f.Name, arguments, selectAllFields(types, inner, depth-1))
			}
		case "INTERFACE", "UNION":
			if depth > 0 {
				fmt.Fprintf(&b, "f%d_%s: %s%s { __typename } ", n, f.Name, f.Name, arguments)
			}
		}
	}
	b.WriteString("}")
	return b.String()
}
