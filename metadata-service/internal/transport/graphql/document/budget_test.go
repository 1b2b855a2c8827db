package document_test

import (
	"fmt"
	"strings"
	"testing"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// nestedDocument wraps inner in depth levels of field.
func nestedDocument(field, inner string, depth int) string {
	return strings.Repeat("{"+field, depth) + "{" + inner + "}" + strings.Repeat("}", depth)
}

// doublingFragments writes fragments that each spread the next one twice.
func doublingFragments(levels int, join string) string {
	var b strings.Builder
	b.WriteString("{node{...F0}}")
	for i := range levels {
		fmt.Fprintf(&b, " fragment F%d on Node{%s}", i, fmt.Sprintf(join, i+1, i+1))
	}
	fmt.Fprintf(&b, " fragment F%d on Node{id}", levels)
	return b.String()
}

func repeatFormat(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestBudgetsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		change           func(*document.Config)
	}{
		{"depth of 200", "{node" + nestedDocument("child", "id", 199) + "}", "maximum query depth exceeded 201 > 50", nil},
		{"depth through fragments", doublingFragments(60, "child{...F%d} x:child{...F%d}"), "maximum query depth exceeded 62 > 50", nil},
		{"fragments that explode in width", doublingFragments(40, "a:child{...F%d} b:child{...F%d}"), "maximum query", nil},
		{"fragments that explode without fields", doublingFragments(40, "...on Book{...F%d} ...on Node{...F%d}"), "", nil},
		{"10,000 aliases of a root field", "{" + repeatFormat("a%d:int ", 10_000) + "}", "maximum query aliases exceeded 10000 > 5000", nil},
		{"1,000 aliases of a root field", "{" + repeatFormat("a%d:int ", 1000) + "}", "maximum query root fields exceeded 1000 > 200", nil},
		{"10,000 aliases below", "{node{" + repeatFormat("a%d:id ", 10_000) + "}}", "maximum query aliases exceeded 10000 > 5000", nil},
		{"10,000 times the same field", "{node{" + strings.Repeat("id ", 10_000) + "}}", "maximum query complexity exceeded 10001 > 2000", nil},
		{"complexity", "{node{" + repeatFormat("a%d:id ", 2999) + "}}", "maximum query complexity exceeded 3000 > 2000", nil},
		{"length of what is written", "{node" + nestedDocument("child", strings.Repeat("x", 128)+":id", 8) + "}", "maximum query specialised length exceeded", func(c *document.Config) { c.MaxBytes = 240 }},
		{"a long name", "{node{" + strings.Repeat("x", 129) + ":id}}", "maximum query name length exceeded 129 > 128", nil},
		{"a long name in a fragment", "{node{...F}} fragment F on Node{...on Node{" + strings.Repeat("x", 129) + ":id}}", "maximum query name length exceeded 129 > 128", nil},
		{"bytes", "{" + strings.Repeat(" ", 1<<20) + "int}", "maximum query length exceeded 1048581 > 524288", nil},
		{"a megabyte of braces", strings.Repeat("{", 1<<20), "maximum query length exceeded 1048576 > 524288", nil},
		{"tokens", "{" + strings.Repeat("a ", 60_000) + "}", "maximum query tokens exceeded 50001 > 50000", nil},
		{"fragments", "{node{id}}" + repeatFormat("fragment F%d on Node{id} ", 1001), "maximum query fragments exceeded 1001 > 1000", nil},
		{"validation steps", "{node{...F0}}" + fragmentChain(900), "maximum query validation steps exceeded", nil},
		{"an introspection bomb", "{__schema{types{" + repeatFormat("a%d:fields{name args{name type{name ofType{name}}} type{name ofType{name}}} ", 1500) + "}}}", "maximum query introspection results exceeded", nil},
		{"introspection costs nothing", "{__schema{types{" + repeatFormat("a%d:name ", 2500) + "}}}", "", nil},
		{"field weights", "{a:int b:int node{id}}", "maximum query complexity exceeded 13 > 12", func(c *document.Config) {
			c.MaxCost = 12
			c.Cost = func(parent *ast.Definition, f *ast.FieldDefinition) int {
				if parent.Name == "Query" && f.Name == "node" {
					return 10
				}
				return 1
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			change := c.change
			if change == nil {
				change = func(*document.Config) {}
			}
			_, errs := newStage(t, change).Compile(c.text, "")
			if c.want == "" {
				if errs != nil {
					t.Errorf("refused: %v", errs)
				}
				return
			}
			if len(errs) != 1 || !strings.HasPrefix(errs[0].Message, c.want) || errs[0].Classification != document.ExecutionAborted {
				t.Errorf("got %.300v, want %q", errs, c.want)
			}
		})
	}
}

// TestTheLibraryHasBudgetsOfItsOwn compiles documents that plans answer and that exceed the
// budgets of the library when expanded.
func TestTheLibraryHasBudgetsOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		change           func(*document.Config)
	}{
		{"fields", "{node{" + repeatFormat("a%d:id ", 20) + "}}", "maximum query fields exceeded 21 > 20", func(c *document.Config) { c.MaxFields = 20 }},
		{"expanded selections", "{nodes{...F}} fragment F on Node{...on Titled{" + repeatFormat("a%d:title ", 20) + "}}", "maximum query expanded selections exceeded 44 > 40", func(c *document.Config) { c.MaxExpanded = 40 }},
		{"comparisons", "{nodes{...on Book{" + repeatFormat("a%d:pages ", 30) + "}...on Film{" + repeatFormat("b%d:minutes ", 30) + "}}}", "maximum query comparisons exceeded", func(c *document.Config) { c.MaxComparisons = 900 }},
		{"comparisons of one field under many conditions", "query(" + repeatFormat("$v%d:Boolean=true ", 60) + "){" + repeatFormat("int @include(if:$v%d) ", 60) + "}", "maximum query comparisons exceeded", func(c *document.Config) { c.MaxComparisons = 1700 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refused := mustCompile(t, newStage(t, c.change), c.text).Expansion()
			if len(refused) != 1 || !strings.HasPrefix(refused[0].Message, c.want) || refused[0].Classification != document.ExecutionAborted {
				t.Errorf("got %.300v, want %q", refused, c.want)
			}
			if refused := mustCompile(t, newStage(t), c.text).Expansion(); refused != nil {
				t.Errorf("with the usual budgets: %v", refused)
			}
		})
	}
}

// TestEachFieldOfATextCountsOnce spreads one fragment in many places: the text has few fields,
// the response has many.
func TestEachFieldOfATextCountsOnce(t *testing.T) {
	t.Parallel()
	spread := func(times int) string {
		return "{node{" + repeatFormat("a%d:child{...F} ", times) + "}} fragment F on Node{" + repeatFormat("b%d:child{...G} ", 10) + "} fragment G on Node{" + repeatFormat("c%d:id ", 700) + "}"
	}
	for _, c := range []struct {
		times  int
		want   string
		change func(*document.Config)
	}{
		{9, "", func(c *document.Config) { c.MaxCost, c.MaxAnswerFields = 720, 63_100 }},
		{9, "maximum query complexity exceeded 720 > 719", func(c *document.Config) { c.MaxCost = 719 }},
		{9, "maximum query answer fields exceeded 63100 > 63099", func(c *document.Config) { c.MaxAnswerFields = 63_099 }},
		{30, "maximum query answer fields exceeded 210331 > 200000", func(*document.Config) {}},
	} {
		_, errs := newStage(t, c.change).Compile(spread(c.times), "")
		if got := errs.Error(); got != c.want {
			t.Errorf("%d times: got %q, want %q", c.times, got, c.want)
		}
	}
}

// fragmentChain writes fragments that each spread the next, so that validation enters all following
// fragments from each of them.
func fragmentChain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "fragment F%d on Node{id ...F%d} ", i, i+1)
	}
	fmt.Fprintf(&b, "fragment F%d on Node{id}", n)
	return b.String()
}

// TestExpandedSelectionsAreWhatTheLibraryCounts reads the count of the stage from its refusal and
// configures the library with this count as the lowest sufficient limit.
func TestExpandedSelectionsAreWhatTheLibraryCounts(t *testing.T) {
	t.Parallel()
	tight := newStage(t, func(c *document.Config) { c.MaxExpanded = 1 })
	stage := newStage(t)
	for _, text := range []string{
		`{node{id}}`,
		`{nodes{...F kids{...F}}} fragment F on Node{id ...on Titled{title related{...on Book{pages}}}...on Person{name child{id}}}`,
		`{any{...on Titled{title}...on Media{...on Book{pages}}...on Node{rank id}} media{...on Node{child{child{id}}}}}`,
		`{nodes{...on Book{...G}...on Film{...G}}} fragment G on Node{id kids{...on Film{minutes}}}`,
	} {
		errs := mustCompile(t, tight, text).Expansion()
		var count int
		if _, err := fmt.Sscanf(errs.Error(), "maximum query expanded selections exceeded %d >", &count); err != nil {
			t.Fatalf("%s: %v", text, errs)
		}
		doc := mustCompile(t, stage, text)
		for limit, fine := range map[int]bool{count: true, count - 1: false} {
			lib := newLibrary(t, graphql.MaxSelections(limit))
			if r := lib.Exec(t.Context(), doc.Text(), "", nil); (len(r.Errors) == 0) != fine {
				t.Errorf("%s: the library with a limit of %d answers %v", text, limit, r.Errors)
			}
		}
	}
}

func TestTheLargestTypeCountsForTheAnswer(t *testing.T) {
	t.Parallel()
	const text = `{nodes{id ...on Book{pages title a:title}...on Film{minutes}...on Titled{b:title ...on Film{c:minutes d:minutes}}...on Person{name}}}`
	expectFields(t, text, 6)
}

func TestMergedFieldsCountOnceForTheAnswer(t *testing.T) {
	t.Parallel()
	expectFields(t, `query($y:Boolean=true){nodes{...F ...G ...on Titled@include(if:$y){title ...H}}}
		fragment F on Node{id kids{id rank}} fragment G on Node{id kids{rank label ...on Person{name}} ...H} fragment H on Node{...on Book{id pages t:title}}`, 10)
}

// expectFields checks that want is the lowest limit of response fields that admits the document.
func expectFields(t *testing.T, text string, want int) {
	t.Helper()
	for limit, refused := range map[int]bool{want - 1: true, want: false} {
		_, errs := newStage(t, func(c *document.Config) { c.MaxAnswerFields = limit }).Compile(text, "")
		if (errs != nil) != refused {
			t.Errorf("limit %d: %v", limit, errs)
		}
	}
}

// TestHostileDocumentsAreAnswered compiles documents with shapes that cost naive validators
// quadratic time or more. Each compilation must return, with a reason for the refusal.
func TestHostileDocumentsAreAnswered(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for name, text := range map[string]string{
		"cycle of one":          `{node{...F}} fragment F on Node{...F}`,
		"cycle through a field": `{node{...F}} fragment F on Node{child{...F}}`,
		"cycle of many":         "{node{...F0}}" + repeatFormat("fragment F%d on Node{child{...F0}} ", 500),
		"unknown fields":        "{node{" + repeatFormat("x%d ", 10_000) + "}}",
		"repeated conflicts":    "{node{" + repeatFormat("x:label(prefix:\"%d\") ", 5000) + "}}",
		"variables":             "query(" + repeatFormat("$v%d:Int ", 5000) + "){int}",
		"undefined variables":   "{" + repeatFormat("a%d:int(n:$v) ", 5000) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, errs := stage.Compile(text, "")
			if len(errs) == 0 || len(errs) > 100 {
				t.Errorf("%d errors", len(errs))
			}
		})
	}
}
