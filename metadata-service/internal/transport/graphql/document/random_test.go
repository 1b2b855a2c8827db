package document_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/cartulary/cartulary/pkg/trials"
)

// writer generates random documents over the objects of the test schema. Many are valid; the test
// skips the others.
type writer struct {
	*rand.Rand
	schema    *ast.Schema
	fragments []string
}

func (w *writer) document() string {
	w.fragments = nil
	body := w.set("Query", 4)
	return "query Q($y:Boolean!,$n:Boolean!){__typename @skip(if:$n) t:__typename @include(if:$y)" + body[1:] + strings.Join(w.fragments, "")
}

func (w *writer) set(kind string, depth int) string {
	var b strings.Builder
	b.WriteByte('{')
	for range 1 + w.IntN(4) {
		b.WriteString(w.selection(kind, depth))
		b.WriteByte(' ')
	}
	b.WriteByte('}')
	return b.String()
}

func (w *writer) selection(kind string, depth int) string {
	if depth > 0 && w.IntN(3) == 0 && kind != "Query" {
		to := w.overlapping(kind)
		switch w.IntN(4) {
		case 0:
			return "..." + w.condition() + w.set(kind, depth-1)
		case 1:
			name := fmt.Sprintf("F%d", len(w.fragments))
			w.fragments = append(w.fragments, "")
			w.fragments[len(w.fragments)-1] = fmt.Sprintf("fragment %s on %s%s", name, to, w.set(to, depth-1))
			return "..." + name + w.condition()
		default:
			return "...on " + to + w.condition() + w.set(to, depth-1)
		}
	}
	return w.field(kind, depth)
}

func (w *writer) condition() string {
	return []string{"", "", "", "@include(if:$y)", "@skip(if:$n)", "@include(if:true)", "@skip(if:true)", "@include(if:$n)"}[w.IntN(8)]
}

// overlapping picks a type that shares objects with kind.
func (w *writer) overlapping(kind string) string {
	all := []string{"Node", "Titled", "Book", "Film", "Person", "Media", "Any"}
	for {
		to := all[w.IntN(len(all))]
		for _, a := range w.schema.GetPossibleTypes(w.schema.Types[kind]) {
			for _, b := range w.schema.GetPossibleTypes(w.schema.Types[to]) {
				if a.Name == b.Name {
					return to
				}
			}
		}
	}
}

func (w *writer) field(kind string, depth int) string {
	def := w.schema.Types[kind]
	for range 8 {
		if len(def.Fields) == 0 {
			break
		}
		f := def.Fields[w.IntN(len(def.Fields))]
		to := w.schema.Types[f.Type.Name()]
		known := kind != "Query" || f.Name == "node" || f.Name == "nodes" || f.Name == "media" || f.Name == "any" || f.Name == "titled"
		if !known || to.IsCompositeType() && depth <= 0 {
			continue
		}
		args := ""
		if f.Name == "note" {
			args = fmt.Sprintf("(lang:%q)", kind)
		}
		text := f.Name + args + w.condition()
		if !to.IsCompositeType() && w.IntN(8) == 0 {
			text = "x:" + text
		}
		if to.IsCompositeType() {
			text += w.set(to.Name, depth-1)
		}
		return text
	}
	return "__typename"
}

func TestRandomDocumentsAnswerAsSpecified(t *testing.T) {
	t.Parallel()
	stage, lib := newStage(t), newLibrary(t)
	w := &writer{Rand: rand.New(rand.NewPCG(1, 2)), schema: shelfSchema()}
	compared, refused, rounds := 0, 0, trials.Count(1200)
	for range rounds {
		text := w.document()
		doc, errs := stage.Compile(text, "")
		if valid := validBySpecification(t, w.schema, text); valid != (errs == nil) {
			t.Fatalf("%s\nis valid by the specification: %t; the stage says %v", text, valid, errs)
		}
		if errs != nil {
			refused++
			continue
		}
		compared++
		vars := `{"y":true,"n":false}`
		if compared%2 == 0 {
			vars = `{"y":false,"n":true}`
		}
		var values map[string]any
		if err := json.Unmarshal([]byte(vars), &values); err != nil {
			t.Fatal(err)
		}
		got, want := dataOf(t, execute(t, lib, doc, vars)), expected(doc, values)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\nstaged as %s\n got %v\nwant %v", text, doc.Text(), got, want)
		}
	}
	if compared < rounds/6 || refused < rounds/6 {
		t.Errorf("only %d of the documents were valid, and %d were not", compared, refused)
	}
}

// validBySpecification validates a text with the library rules that compare all pairs of fields.
func validBySpecification(t *testing.T, schema *ast.Schema, text string) bool {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	return len(validator.ValidateWithRules(schema, doc, nil)) == 0
}
