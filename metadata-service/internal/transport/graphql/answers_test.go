package graphql_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

func TestKeptAnswersBelongToTheirDocument(t *testing.T) {
	t.Parallel()
	engine, _ := newEngine(t)
	ask := func(document, variables string) string {
		done := engine.Exec(t.Context(), graphql.Request{Query: document, Variables: json.RawMessage(variables)})
		if len(done.Errors) > 0 {
			t.Fatalf("%s: %v", document, done.Errors)
		}
		return string(done.Data)
	}
	for round := range 3 {
		for _, name := range []string{"Dataset", "Tag", "Chart", "Domain", "CorpUser", "Container"} {
			want := fmt.Sprintf(`{"__type":{"name":"%s","kind":"OBJECT"}}`, name)
			if got := ask(fmt.Sprintf(`{ __type(name: "%s") { name kind } }`, name), ""); got != want {
				t.Errorf("round %d: got %s, want %s", round, got, want)
			}
			if got := ask(`query($n: String!) { __type(name: $n) { name kind } }`, fmt.Sprintf(`{"n":"%s"}`, name)); got != want {
				t.Errorf("round %d, by a variable: got %s, want %s", round, got, want)
			}
		}
		const deprecated = `query($all: Boolean!) { __type(name: "Dataset") { fields(includeDeprecated: $all) { name } } }`
		if got := ask(deprecated, `{"all":true}`); !strings.Contains(got, `"externalUrl"`) {
			t.Errorf("round %d: deprecated fields are missing: %s", round, got)
		}
		if got := ask(deprecated, `{"all":false}`); strings.Contains(got, `"externalUrl"`) {
			t.Errorf("round %d: deprecated fields are there: %s", round, got)
		}
	}
}

func TestTheWholeSchemaIsAnsweredTheSameEachTime(t *testing.T) {
	t.Parallel()
	engine, _ := newEngine(t)
	first := engine.Exec(t.Context(), graphql.Request{Query: introspectionQuery})
	second := engine.Exec(t.Context(), graphql.Request{Query: introspectionQuery})
	if len(first.Errors) > 0 || len(first.Data) < 100_000 || string(first.Data) != string(second.Data) {
		t.Errorf("errors %v, %d bytes and then %d", first.Errors, len(first.Data), len(second.Data))
	}
}
