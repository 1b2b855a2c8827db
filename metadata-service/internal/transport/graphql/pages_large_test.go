package graphql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// largePage writes a document in the style of large web clients: one fragment for each kind of
// aspect, a preview of every entity type composed of these, and a page that spreads the preview
// in many places. The text has approximately the given number of fields, and hundreds of times as
// many when expanded.
func largePage(schema *ast.Schema, fields int) string {
	return `query page($query: String!) {
		search: searchAcrossEntities(input: {query: $query, count: 10}) { searchResults { entity { ...preview ...around } } }
		impact: searchAcrossLineage(input: {urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,fernhill.core.orders,PROD)", direction: DOWNSTREAM, query: "*", count: 10}) {
			searchResults { degree entity { ...preview ...around } paths { path { ...preview } } } }
	}
	fragment around on Entity {
		relationships(input: {types: ["IsPartOf", "OwnedBy", "DownstreamOf"], direction: OUTGOING, start: 0, count: 5}) { relationships { type entity { ...preview } } }
		... on EntityWithRelationships { up: lineage(input: {direction: UPSTREAM, count: 5}) { relationships { entity { ...preview } } }
			down: lineage(input: {direction: DOWNSTREAM, count: 5}) { relationships { entity { ...preview } } } }
		... on Dataset { siblings { siblings { ...preview } } }
	}
	` + previewOf(schema, fields-80) // the page itself has 80
}

// previewOf writes the fragment preview on Entity, with approximately the given number of fields,
// and the fragments of its aspects.
func previewOf(schema *ast.Schema, fields int) string {
	w := &pageWriter{schema: schema, left: fields, aspects: map[string]string{}}
	entities := slices.DeleteFunc(slices.Clone(schema.GetPossibleTypes(schema.Types["Entity"])), func(d *ast.Definition) bool {
		return d.Name == "Restricted" || d.Fields.ForName("relationships") == nil
	})
	slices.SortFunc(entities, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
	var preview strings.Builder
	preview.WriteString("fragment preview on Entity { urn type ")
	for _, e := range entities {
		fmt.Fprintf(&preview, "... on %s { urn %s} ", e.Name, w.entity(e))
	}
	preview.WriteString("}\n")
	return preview.String() + strings.Join(w.written, "")
}

// pageWriter writes fragments until the number of fields is reached.
type pageWriter struct {
	schema  *ast.Schema
	left    int
	aspects map[string]string // the fragment of a type, by its name
	written []string
}

// entity selects all fields of an entity that need no arguments.
func (w *pageWriter) entity(e *ast.Definition) string {
	var b strings.Builder
	for _, f := range e.Fields {
		of := w.schema.Types[f.Type.Name()]
		if w.left <= 0 || strings.HasPrefix(f.Name, "__") || len(f.Arguments) > 0 || f.Name == "urn" || f.Name == "type" {
			continue
		}
		// A key in fragments on several types must have the same form in all of them.
		key := fmt.Sprintf("%s_%s", f.Name, e.Name)
		switch {
		case of.IsLeafType():
			w.left--
			fmt.Fprintf(&b, "%s: %s ", key, f.Name)
		case of.Kind == ast.Object:
			if name := w.aspect(of); name != "" {
				w.left--
				fmt.Fprintf(&b, "%s: %s { ...%s } ", key, f.Name, name)
			}
		}
	}
	return b.String()
}

// aspect writes the fragment of a type: entities with their URN, and other objects with their
// fragments until the number of fields is reached. The name is empty when there is nothing to
// select.
func (w *pageWriter) aspect(of *ast.Definition) string {
	if name, known := w.aspects[of.Name]; known {
		return name
	}
	w.aspects[of.Name] = ""
	var b strings.Builder
	for _, f := range of.Fields {
		to := w.schema.Types[f.Type.Name()]
		if strings.HasPrefix(f.Name, "__") || len(f.Arguments) > 0 {
			continue
		}
		switch {
		case to.IsLeafType():
			w.left--
			b.WriteString(f.Name + " ")
		case to.Fields.ForName("urn") != nil:
			w.left -= 2
			b.WriteString(f.Name + " { urn } ")
		case to.Kind == ast.Object && w.left > 0:
			if name := w.aspect(to); name != "" {
				w.left--
				fmt.Fprintf(&b, "%s { ...%s } ", f.Name, name)
			}
		}
	}
	if b.Len() > 0 {
		w.aspects[of.Name] = "about" + of.Name
		w.written = append(w.written, fmt.Sprintf("fragment about%s on %s { %s}\n", of.Name, of.Name, b.String()))
	}
	return w.aspects[of.Name]
}

// TestAPageOfTheLargestClientsIsAnswered executes a document that is too large for the library:
// about 1,650 fields of text that expand to hundreds of thousands.
func TestAPageOfTheLargestClientsIsAnswered(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	loadDemo(t, world)
	page := largePage(engine.Parsed(), 1650)
	smaller, err := document.New(document.Config{Schema: engine.Parsed(), MaxCost: 1600})
	if err != nil {
		t.Fatal(err)
	}
	if _, refused := smaller.Compile(page, ""); len(refused) != 1 || !strings.Contains(refused[0].Message, "complexity exceeded") {
		t.Errorf("the page has no 1,600 fields: %v", refused)
	}
	compiled, refused := engine.Stage().Compile(page, "")
	if refused != nil {
		t.Fatalf("%d bytes: %v", len(page), refused)
	}
	if beyond := compiled.Expansion(); beyond == nil {
		t.Error("the library could carry it, too: that is no test")
	} else {
		t.Log(beyond)
	}
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: page, Variables: []byte(`{"query": "orders"}`)})
	for _, e := range done.Errors {
		t.Errorf("%v %s", e.Path, e.Message)
	}
	if n := strings.Count(string(done.Data), `"urn"`); n < 100 {
		t.Errorf("%d entities in %d bytes", n, len(done.Data))
	}
	t.Logf("%d bytes of text, %d of answer", len(page), len(done.Data))
}

// TestTheLibraryCarriesSeveralLargeSelections adds introspection fields to a page, so that it has
// no plan: the largest pages of clients expand to about 41,500 fields, and a request may contain
// several.
func TestTheLibraryCarriesSeveralLargeSelections(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	loadDemo(t, world)
	mixed := func(fields int) string {
		return strings.Replace(largePage(engine.Parsed(), fields), "search: searchAcross", "__schema { queryType { name } } search: searchAcross", 1)
	}
	page := mixed(800)
	counting, err := document.New(document.Config{Schema: engine.Parsed(), MaxFields: 2 * 41_500})
	if err != nil {
		t.Fatal(err)
	}
	if d, refused := counting.Compile(page, ""); refused != nil || d.Expansion() == nil {
		t.Fatalf("the page is not as large as two of clients: %v", refused)
	}
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: page, Variables: []byte(`{"query": "orders"}`)})
	for _, e := range done.Errors {
		t.Errorf("%v %s", e.Path, e.Message)
	}
	if !strings.Contains(string(done.Data), `"queryType"`) || strings.Count(string(done.Data), `"urn"`) < 20 {
		t.Errorf("%d bytes", len(done.Data))
	}
	done = engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: mixed(1650), Variables: []byte(`{"query": "orders"}`)})
	if len(done.Errors) != 1 || !strings.Contains(done.Errors[0].Message, "maximum query fields exceeded") {
		t.Errorf("a larger one: %v", done.Errors)
	}
}

// BenchmarkFirstCall compiles a page without the cache, as after a start.
func BenchmarkFirstCall(b *testing.B) {
	engine, _ := newEngine(b)
	for _, fields := range []int{200, 800, 1650} {
		page := largePage(engine.Parsed(), fields)
		b.Run(fmt.Sprint(fields), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				if _, refused := engine.Stage().Compile(fmt.Sprintf("%s # %d", page, n), ""); refused != nil {
					b.Fatal(refused)
				}
			}
		})
	}
}
