package graphql_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// BenchmarkConditions measures the parts of requests with many type conditions: the stage for a
// text that is not cached, a whole request with a cached text, and the phases of the same request
// when the library executes it. The schema is the real one, the data that of the sample company.
func BenchmarkConditions(b *testing.B) {
	w := newMeasuredEngine(b)
	pages := []page{datasetPage(), searchPage()}
	schema := ownSchema(b)
	for _, n := range []int{20, 80, 250} {
		pages = append(pages, conditionsPage(schema, n))
	}
	for _, p := range pages {
		b.Run(p.name, func(b *testing.B) {
			b.Run("stage-new", func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, errs := w.plain.Stage().Compile(fmt.Sprintf("%s#%d", p.document, i), ""); errs != nil {
						b.Fatal(errs)
					}
				}
			})
			b.Run("planned", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := execute(w.plain, w.ctx, p); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("library", func(b *testing.B) { w.phases(b, p) })
		})
	}
}

func ownSchema(b *testing.B) *ast.Schema {
	b.Helper()
	files, err := filepath.Glob("schema/*.graphql")
	if err != nil {
		b.Fatal(err)
	}
	var sources []*ast.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: file, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		b.Fatal(err)
	}
	return schema
}

// conditionsPage is a search page with n type conditions, at the places where clients use them:
// first at the hits, then at the matched fields of a hit, at the values of facets, at the facets,
// and at the siblings of a dataset.
func conditionsPage(schema *ast.Schema, n int) page {
	var types []string
	for _, t := range schema.GetPossibleTypes(schema.Types["Entity"]) {
		types = append(types, t.Name)
	}
	slices.Sort(types)
	var places [5]strings.Builder
	for i := range n {
		t := types[i%len(types)]
		fmt.Fprintf(&places[i/len(types)], " ... on %s { %s }", t, conditionFields(schema, schema.Types[t]))
	}
	document := fmt.Sprintf(`query page($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { start count total
  searchResults { entity { urn type%s ... on Dataset { siblings { siblings { urn%s } } } } matchedFields { name value entity { urn type%s } } }
  facets { field displayName entity { urn type%s } aggregations { value count entity { urn type%s } } }
} }`, &places[0], &places[4], &places[1], &places[3], &places[2])
	return page{fmt.Sprintf("%d conditions", n), document, `{"input":{"query":"order","start":0,"count":20}}`}
}

// conditionFields selects some of the fields on the card of a type, as far as the type has them.
func conditionFields(schema *ast.Schema, t *ast.Definition) string {
	var out []string
	for _, wanted := range [][2]string{
		{"platform", "{ urn name }"}, {"properties", "{ description }"}, {"ownership", "{ owners { associatedUrn } }"}, {"deprecation", "{ deprecated note }"},
		{"tags", "{ tags { associatedUrn } }"}, {"domain", "{ associatedUrn }"}, {"status", "{ removed }"},
	} {
		f := t.Fields.ForName(wanted[0])
		if f == nil || f.Type.Elem != nil {
			continue
		}
		key := ""
		if f.Type.NonNull { // types that are stricter about null than others need a key of their own
			key = "own_" + wanted[0] + ": "
		}
		below, first := schema.Types[f.Type.Name()], strings.Fields(wanted[1])[1]
		if below.Fields.ForName(first) != nil {
			out = append(out, key+wanted[0]+" "+wanted[1])
		}
	}
	return "__typename " + strings.Join(out, " ")
}
