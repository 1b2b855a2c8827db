package document_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// counting creates a stage that counts compilations: each of the documents below selects one
// field, and a compilation requests the cost of that field once.
func counting(tb testing.TB, bytes int64) (*document.Stage, *atomic.Int64) {
	tb.Helper()
	var compiled atomic.Int64
	return newStage(tb, func(c *document.Config) {
		c.CacheBytes = bytes
		c.Cost = func(*ast.Definition, *ast.FieldDefinition) int {
			compiled.Add(1)
			return 1
		}
	}), &compiled
}

func TestEqualRequestsShareADocument(t *testing.T) {
	t.Parallel()
	stage, compiled := counting(t, 1<<20)
	var wg sync.WaitGroup
	docs := make([]*document.Document, 32)
	for i := range docs {
		wg.Go(func() { docs[i], _ = stage.Compile(`query A{int}`, "") })
	}
	wg.Wait()
	for _, d := range docs {
		if d != docs[0] || d == nil {
			t.Fatal("documents differ")
		}
	}
	if n := compiled.Load(); n != 1 {
		t.Errorf("%d compilations", n)
	}
	if other, errs := stage.Compile(`query A{int}`, "A"); errs != nil || other == docs[0] {
		t.Error("another operation name shares the document")
	}
}

func TestFailuresAreRemembered(t *testing.T) {
	t.Parallel()
	var compiled atomic.Int64
	const text = `{int b:int}`
	limited := newStage(t, func(c *document.Config) {
		c.MaxCost = 1
		c.Cost = func(*ast.Definition, *ast.FieldDefinition) int { compiled.Add(1); return 1 }
	})
	_, first := limited.Compile(text, "")
	before := compiled.Load()
	_, second := limited.Compile(text, "")
	if first == nil || compiled.Load() != before || &first[0] != &second[0] {
		t.Errorf("compiled again: %v, %v", first, second)
	}
}

func TestTheCacheForgetsTheLeastRecentlyUsed(t *testing.T) {
	t.Parallel()
	stage, compiled := counting(t, 16<<10)
	compile := func(i int) {
		if _, errs := stage.Compile(fmt.Sprintf(`query Q%d{int}`, i), ""); errs != nil {
			t.Fatal(errs)
		}
	}
	for i := range 100 {
		compile(0)
		compile(i)
	}
	if n := compiled.Load(); n != 100 {
		t.Errorf("%d compilations of 100 documents: the one in use was forgotten", n)
	}
	compile(1)
	if n := compiled.Load(); n != 101 {
		t.Errorf("%d compilations: the cache holds more than its bytes", n)
	}
}

func TestADocumentTooLargeForTheCacheIsCompiledAllTheSame(t *testing.T) {
	t.Parallel()
	stage, compiled := counting(t, 1)
	for range 2 {
		if _, errs := stage.Compile(`{int}`, ""); errs != nil {
			t.Fatal(errs)
		}
	}
	if n := compiled.Load(); n != 2 {
		t.Errorf("%d compilations", n)
	}
}

// note is an attachment with a size that tests set.
type note struct {
	text  string
	bytes atomic.Int64
}

func (n *note) Bytes() int { return int(n.bytes.Load()) }

func TestDocumentsKeepWhatIsLeftWithThem(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	compile := func(text string) *document.Document {
		doc, errs := stage.Compile(text, "")
		if errs != nil {
			t.Fatal(errs)
		}
		return doc
	}
	if got := compile("{int}").Attachment(); got != nil {
		t.Errorf("got %v before anything is left", got)
	}
	compile("{int}").Attach(&note{text: "first"})
	compile("{int}").Attach(&note{text: "second"})
	if got := compile("{int}").Attachment(); got.(*note).text != "second" {
		t.Errorf("got %v, want what was left last", got)
	}
	if got := compile("{int int}").Attachment(); got != nil {
		t.Errorf("got %v, left with another text", got)
	}
}

func TestTheCacheReckonsWithWhatIsLeft(t *testing.T) {
	t.Parallel()
	const size = 64 << 10
	stage, compiled := counting(t, size)
	compile := func(text string) *document.Document {
		doc, errs := stage.Compile(text, "")
		if errs != nil {
			t.Fatal(errs)
		}
		return doc
	}
	growing := &note{}
	grow := func(to int64) {
		growing.bytes.Store(to)
		stage.UpdateSize(compile("query A{int}"))
	}
	compile("query A{int}").Attach(growing)
	compile("query B{int}")
	compile("query C{int}")
	grow(size - 2500) // space remains for one more document
	if n := compiled.Load(); n != 3 {
		t.Errorf("%d compilations of three documents", n)
	}
	compile("query C{int}")
	compile("query A{int}")
	if n := compiled.Load(); n != 3 {
		t.Errorf("%d compilations: what was used last was forgotten", n)
	}
	compile("query B{int}")
	if n := compiled.Load(); n != 4 {
		t.Errorf("%d compilations: the document that grew pushed nothing out", n)
	}
	grow(size + 1)
	compile("query A{int}")
	compile("query B{int}")
	if n := compiled.Load(); n != 5 {
		t.Errorf("%d compilations: one larger than the cache stayed, or pushed others out", n)
	}
}
