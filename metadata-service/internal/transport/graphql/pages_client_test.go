package graphql_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// clientPage is a page of a web client with documents that contain all operations of a file: the
// query of the page, and others that spread the same fragments.
type clientPage struct {
	name       string
	fields     int // of the text, approximately
	operations int
	query      string
	variables  string
}

// clientPages are as large as the five largest pages of web clients.
func clientPages() []clientPage {
	const (
		table     = `{"urn":"urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill_prod.marts.fct_orders,PROD)"}`
		dashboard = `{"urn":"urn:li:dashboard:(looker,dashboards.revenue)"}`
		domain    = `{"urn":"urn:li:domain:commerce.orders"}`
		siblings  = `... on Dataset { siblings { siblings { ...preview } } }`
		facets    = `facets { field displayName aggregations { value count entity { urn type } } }`
		lineage   = `up: lineage(input: {direction: UPSTREAM, count: 5}) { relationships { entity { ...preview } } } down: lineage(input: {direction: DOWNSTREAM, count: 5}) { relationships { entity { ...preview } } }`
	)
	return []clientPage{
		{"dataset", 1500, 24, `query page($urn: String!) { dataset(urn: $urn) { ...preview siblings { siblings { ...preview } } ` + lineage + `
			relationships(input: {types: ["IsPartOf", "OwnedBy"], direction: OUTGOING, count: 5}) { relationships { entity { ...preview } } } } }`, table},
		{"search", 1500, 20, `query page { searchAcrossEntities(input: {query: "orders", count: 10, searchFlags: {getSuggestions: true}}) { total
			searchResults { entity { ...preview ` + siblings + ` } matchedFields { name value entity { urn type } } } ` + facets + ` } }`, `{}`},
		{"lineage search", 1500, 22, `query page($urn: String!) { searchAcrossLineage(input: {urn: $urn, direction: DOWNSTREAM, query: "*", count: 10}) { total
			searchResults { degree entity { ...preview ` + siblings + ` } paths { path { urn type } } } ` + facets + ` } }`, table},
		{"dashboard", 1500, 21, `query page($urn: String!) { dashboard(urn: $urn) { ...preview ` + lineage + `
			charts: relationships(input: {types: ["Contains"], direction: OUTGOING, count: 10}) { relationships { entity { ...preview } } } } }`, dashboard},
		{"domain", 1300, 26, `query page($urn: String!) { domain(urn: $urn) { ...preview entities(input: {query: "*", count: 10}) { total searchResults { entity { ...preview } } } }
			getRootGlossaryNodes(input: {start: 0, count: 10}) { nodes { ...preview } } getRootGlossaryTerms(input: {start: 0, count: 10}) { terms { ...preview } } }`, domain},
	}
}

func (p clientPage) request(schema *ast.Schema) graphql.Request {
	var b strings.Builder
	b.WriteString(p.query)
	for i := range p.operations - 1 {
		fmt.Fprintf(&b, "\nquery other%d($urn: String!) { entity(urn: $urn) { ...preview } }", i)
	}
	b.WriteString("\n" + previewOf(schema, p.fields))
	return graphql.Request{Query: b.String(), OperationName: "page", Variables: json.RawMessage(p.variables)}
}

// expandedFields counts the fields of a selection with all fragments expanded.
func expandedFields(set ast.SelectionSet, fragments ast.FragmentDefinitionList, known map[string]int) int {
	n := 0
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			n += 1 + expandedFields(s.SelectionSet, fragments, known)
		case *ast.InlineFragment:
			n += expandedFields(s.SelectionSet, fragments, known)
		case *ast.FragmentSpread:
			count, counted := known[s.Name]
			if !counted {
				count = expandedFields(fragments.ForName(s.Name).SelectionSet, fragments, known)
				known[s.Name] = count
			}
			n += count
		}
	}
	return n
}

func TestTheLargestPagesOfClientsAreAnswered(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	loadDemo(t, world)
	for _, p := range clientPages() {
		t.Run(p.name, func(t *testing.T) {
			asked := p.request(engine.Parsed())
			parsed, err := parser.ParseQuery(&ast.Source{Input: asked.Query})
			if err != nil {
				t.Fatal(err)
			}
			fields := expandedFields(parsed.Operations.ForName("page").SelectionSet, parsed.Fragments, map[string]int{})
			if n := len(parsed.Operations); n < 20 || n > 26 || fields < 10_000 || fields > 100_000 {
				t.Errorf("%d operations, %d fields by value", n, fields)
			}
			done := engine.Exec(world.As(t, servicetest.Root), asked)
			for _, e := range done.Errors {
				t.Errorf("%v %s", e.Path, e.Message)
			}
			entities := strings.Count(string(done.Data), `"urn"`)
			if entities < 20 {
				t.Errorf("%d entities in %d bytes", entities, len(done.Data))
			}
			t.Logf("%d operations, %d fields by value, %d bytes of text, %d of answer with %d entities", len(parsed.Operations), fields, len(asked.Query), len(done.Data), entities)
		})
	}
}

// BenchmarkClientPages executes each page with a cached text and with a new text, alternating
// with an empty document, cached and new. The goals for pages over the sample company are 50 ms
// and 250 ms.
func BenchmarkClientPages(b *testing.B) {
	engine, world := newEngine(b)
	loadDemo(b, world)
	ctx := world.As(b, servicetest.Root)
	seen := 0
	for _, p := range clientPages() {
		page, empty := p.request(engine.Parsed()), graphql.Request{Query: `{ __typename }`}
		fresh := func(r graphql.Request) graphql.Request {
			seen++
			r.Query = fmt.Sprintf("%s # %d", r.Query, seen)
			return r
		}
		b.Run(strings.ReplaceAll(p.name, " ", "-"), func(b *testing.B) {
			took := map[string][]float64{}
			ask := func(name string, r graphql.Request) {
				began := time.Now()
				done := engine.Exec(ctx, r)
				if len(done.Errors) > 0 {
					b.Fatal(done.Errors[0].Message)
				}
				took[name] = append(took[name], float64(time.Since(began).Microseconds()))
			}
			ask("warm", page)
			ask("warm", empty)
			for b.Loop() {
				ask("known", page)
				ask("empty", empty)
				ask("first", fresh(page))
				ask("first-empty", fresh(empty))
			}
			known, first := median(took["known"]), median(took["first"])
			b.ReportMetric(0, "ns/op") // the time of a round has no meaning of its own
			b.ReportMetric(known/1000, "ms-known-p50")
			b.ReportMetric(first/1000, "ms-first-p50")
			b.ReportMetric(known/median(took["empty"]), "x-empty")
			b.ReportMetric(first/median(took["first-empty"]), "x-empty-first")
		})
	}
}
