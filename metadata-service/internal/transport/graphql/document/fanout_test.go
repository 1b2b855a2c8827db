package document_test

import (
	"testing"
)

func TestCopiesAreCounted(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"a plain document", `{node{id child{id}}}`, 1},
		{"the same field twice", `{node{id id ...on Node{id}}}`, 1},
		{"three names of a field", `{node{a:id b:id id}}`, 3},
		{"names of several fields", `{node{a:id b:id c:child{id} d:child{id}}}`, 2},
		{"names below names", `{node{a:child{x:id y:id} b:child{x:id y:id z:id}}}`, 5},
		{"one place written in parts", `{node{child{a:id} child{b:id}}}`, 2},
		{"through fragments", `{node{...F child{...F}}} fragment F on Node{a:id b:id}`, 2},
		{"names of root fields", `{a:node{id} b:node{id} c:node{x:id y:id}}`, 2},
		{"fragments that explode", doublingFragments(20, "a:child{...F%d} b:child{...F%d}"), 0},
	} {
		d, errs := stage.Compile(c.text, "")
		if errs != nil {
			if c.want != 0 {
				t.Errorf("%s: %v", c.name, errs)
			}
			continue
		}
		if got := d.FanOut(); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestWidthsAreCounted(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	// The characters around each key count as 8 bytes.
	for _, c := range []struct {
		name, text, of string
		want           int
	}{
		{"keys", `{node{id longer: id}}`, "Node", 2 + 8 + 6 + 8},
		{"the widest place", `{node{id child{id a: id b: id}}}`, "Node", 2 + 8 + 1 + 8 + 1 + 8},
		{"the widest object", `{node{id ...on Book{pages title} ...on Film{minutes}}}`, "Node", 2 + 8 + 5 + 8 + 5 + 8},
		{"one key in several places", `{node{id id ...on Book{id} ...F}} fragment F on Node{id}`, "Node", 2 + 8},
		{"nothing", `{int}`, "Node", 0},
	} {
		d, errs := stage.Compile(c.text, "")
		if errs != nil {
			t.Errorf("%s: %v", c.name, errs)
			continue
		}
		if got := d.KeyBytes(c.of); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}
