package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func node(id string) urn.URN { return urn.Make("glossaryNode", id) }

// putNode writes a glossary node below a parent, or at the root if parent is empty.
func putNode(t *testing.T, w *servicetest.World, id, parent string) {
	t.Helper()
	value := fmt.Sprintf(`{"name":%q,"definition":""}`, strings.ToUpper(id))
	if parent != "" {
		value = fmt.Sprintf(`{"name":%q,"definition":"","parentNode":%q}`, strings.ToUpper(id), node(parent))
	}
	w.Put(t, node(id), "glossaryNodeInfo", value)
}

func TestAbove(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	putNode(t, w, "a", "")
	putNode(t, w, "b", "a")
	putNode(t, w, "c", "b")
	// Rules prevent cycles in glossaries and domains. Ingestion can create them for containers.
	box := func(id string) urn.URN { return urn.Make("container", id) }
	w.Put(t, box("x"), "container", fmt.Sprintf(`{"container":%q}`, box("y")))
	w.Put(t, box("y"), "container", fmt.Sprintf(`{"container":%q}`, box("x")))
	ctx := w.As(t, servicetest.Jo)
	for _, c := range []struct {
		name string
		of   urn.URN
		want []urn.URN
	}{
		{"from the nearest to the root", node("c"), []urn.URN{node("b"), node("a")}},
		{"nothing above the root", node("a"), nil},
		{"a cycle ends it", box("x"), []urn.URN{box("y")}},
		{"what does not exist", node("none"), nil},
		{"what forms no hierarchy", pii, nil},
	} {
		if got, err := w.Edit.Above(ctx, c.of); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	long := strings.Repeat("long ", edit.MaxName/5)
	put := func(id, rest string) {
		w.Put(t, urn.Make("glossaryTerm", id), "glossaryTermInfo", `{"definition":"","termSource":"INTERNAL",`+rest+`}`)
	}
	put("a", `"name":"A b"`)
	put("b", `"name":"A b","parentNode":"urn:li:glossaryNode:n"`)
	put("c", fmt.Sprintf(`"name":%q`, long))
	put("d", `"name":"gone"`)
	w.Put(t, "urn:li:glossaryTerm:d", "status", `{"removed":true}`)
	ctx := w.As(t, servicetest.Jo)
	level := func(parent urn.URN) edit.Level {
		return edit.Level{Types: []string{"glossaryTerm"}, Field: "parentNode", Parent: parent}
	}
	for parent, want := range map[urn.URN]int{"": 2, node("n"): 1, node("m"): 0} {
		if got, err := w.Edit.Count(ctx, level(parent)); err != nil || got != want {
			t.Errorf("below %q: got %d, %v, want %d", parent, got, err, want)
		}
	}
}
