package glossary_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func node(id string) urn.URN { return urn.Make(glossary.Node, id) }
func term(id string) urn.URN { return urn.Make(glossary.Term, id) }

// world returns a world with the nodes a, a/b and a/b/c, and the terms top at the root and x in c.
func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	put := func(u urn.URN, rest string) {
		w.Put(t, u, string(u.Type())+"Info", fmt.Sprintf(`{"name":%q,"definition":""%s}`, u.Key(), rest))
	}
	put(node("a"), "")
	put(node("b"), `,"parentNode":"urn:li:glossaryNode:a"`)
	put(node("c"), `,"parentNode":"urn:li:glossaryNode:b"`)
	put(term("top"), `,"termSource":"INTERNAL"`)
	put(term("x"), `,"termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:c"`)
	return w
}

func TestCreate(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := glossary.New(w.Edit), w.As(t, servicetest.Jo)
	u, err := s.CreateTerm(ctx, glossary.Draft{ID: "vat", Name: "VAT", Parent: string(node("a"))})
	if err != nil || u != term("vat") {
		t.Fatalf("got %s, %v", u, err)
	}
	if got, want := w.Get(t, u, "glossaryTermInfo"), `{"definition":"","name":"VAT","parentNode":"urn:li:glossaryNode:a","termSource":"INTERNAL"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if u, err = s.CreateNode(ctx, glossary.Draft{ID: "taxes", Name: "Taxes", Description: "What is owed."}); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Get(t, u, "glossaryNodeInfo"), `{"definition":"What is owed.","name":"Taxes"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := w.Get(t, u, "ownership"); !strings.Contains(got, string(servicetest.Jo)) {
		t.Errorf("its creator does not own it: %s", got)
	}
	for _, c := range []struct {
		name  string
		draft glossary.Draft
		want  fault.Kind
	}{
		{"a blank name", glossary.Draft{Name: " "}, fault.Malformed},
		{"a long name", glossary.Draft{Name: strings.Repeat("x", 1001)}, fault.TooLarge},
		{"a long description", glossary.Draft{Name: "x", Description: strings.Repeat("x", 200_001)}, fault.TooLarge},
		{"a parent that is no node", glossary.Draft{Name: "x", Parent: string(term("top"))}, fault.Malformed},
		{"a parent that does not exist", glossary.Draft{Name: "x", Parent: string(node("none"))}, fault.Malformed},
		{"an id that makes no URN", glossary.Draft{ID: "(", Name: "x"}, fault.Malformed},
	} {
		if _, err := s.CreateTerm(ctx, c.draft); fault.KindOf(err) != c.want {
			t.Errorf("%s: term: got %v, want %s", c.name, err, c.want)
		}
		if _, err := s.CreateNode(ctx, c.draft); fault.KindOf(err) != c.want {
			t.Errorf("%s: node: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := s.CreateTerm(ctx, glossary.Draft{ID: "vat", Name: "x"}); err == nil || err.Error() != "This Glossary Term already exists!" {
		t.Errorf("a term that exists: got %v", err)
	}
	if _, err := s.CreateNode(ctx, glossary.Draft{ID: "a", Name: "x"}); err == nil || err.Error() != "This Glossary Node already exists!" {
		t.Errorf("a node that exists: got %v", err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := glossary.New(w.Edit), w.As(t, servicetest.Jo)
	if _, err := s.CreateTerm(ctx, glossary.Draft{Name: "x", Parent: string(node("c"))}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("a second term of a name: got %v", err)
	}
	if _, err := s.CreateTerm(ctx, glossary.Draft{ID: "x2", Name: "x", Parent: string(node("a"))}); err != nil {
		t.Errorf("the same name elsewhere: %v", err)
	}
	if err := s.Move(ctx, term("x2"), string(node("c"))); fault.KindOf(err) != fault.Malformed {
		t.Errorf("moved to where its name is taken: got %v", err)
	}
	for range 2 {
		if _, err := s.CreateNode(ctx, glossary.Draft{Name: "x", Parent: string(node("c"))}); err != nil {
			t.Errorf("nodes may share names: %v", err)
		}
	}
}

func TestOneOfManyGetsAName(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := glossary.New(w.Edit), w.As(t, servicetest.Jo)
	var made atomic.Int64
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			switch _, err := s.CreateTerm(ctx, glossary.Draft{Name: "Only one", Parent: string(node("a"))}); {
			case err == nil:
				made.Add(1)
			case fault.KindOf(err) != fault.Malformed:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if made.Load() != 1 {
		t.Errorf("%d terms of one name were made", made.Load())
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := glossary.New(w.Edit), w.As(t, servicetest.Jo)
	w.Put(t, node("bare"), "glossaryNodeKey", `{"name":"bare"}`)
	for _, c := range []struct {
		name string
		u    urn.URN
		to   urn.URN
		ok   bool
	}{
		{"a term", term("top"), node("c"), true},
		{"a term to the root", term("x"), "", true},
		{"a node below itself", node("a"), node("c"), false},
		{"a node into itself", node("a"), node("a"), false},
		{"a node out of its parent", node("c"), node("a"), true},
		{"what was above it into it", node("b"), node("c"), true},
		{"a node of which only the key is known", node("bare"), node("a"), true},
		{"to a node that does not exist", node("a"), node("none"), false},
		{"to a term", node("a"), term("top"), false},
		{"an entry that does not exist", term("none"), node("a"), false},
		{"no entry of the glossary", "urn:li:tag:pii", node("a"), false},
	} {
		err := s.Move(ctx, c.u, string(c.to))
		if (err == nil) != c.ok || err != nil && fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", c.name, err)
		}
		if !c.ok {
			continue
		}
		if got, err := w.Edit.ParentOf(ctx, c.u); err != nil || got != c.to {
			t.Errorf("%s: it lies below %q, %v", c.name, got, err)
		}
	}
	if got, want := w.Get(t, node("bare"), "glossaryNodeInfo"), `{"definition":"","name":"bare","parentNode":"urn:li:glossaryNode:a"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDeleteLeavesWhatLiesBelow(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := glossary.New(w.Edit), w.As(t, servicetest.Jo)
	if err := s.Delete(ctx, node("b")); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Get(t, node("c"), "glossaryNodeInfo"), `{"definition":"","name":"c"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for name, u := range map[string]urn.URN{"what is gone": node("b"), "no entry of the glossary": "urn:li:tag:pii"} {
		if err := s.Delete(ctx, u); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRightsFollowTheHierarchy(t *testing.T) {
	t.Parallel()
	w := world(t)
	ctx := w.As(t, servicetest.Jo)
	over := func(u urn.URN, p auth.Privilege) servicetest.Grants {
		return servicetest.Grants{Over: map[urn.URN][]auth.Privilege{u: {p}}}
	}
	for _, c := range []struct {
		name  string
		with  servicetest.Grants
		of    urn.URN
		allow bool
	}{
		{"who manages all changes what is at the root", servicetest.Grants{Platform: []auth.Privilege{auth.ManageGlossaries}}, node("a"), true},
		{"and what is deep", servicetest.Grants{Platform: []auth.Privilege{auth.ManageGlossaries}}, term("x"), true},
		{"nobody else changes what is at the root", over(node("a"), auth.ManageGlossaryBelow), node("a"), false},
		{"who manages the children of a node changes them", over(node("c"), auth.ManageGlossaryChildren), term("x"), true},
		{"but not their children", over(node("b"), auth.ManageGlossaryChildren), term("x"), false},
		{"who manages all below a node changes its children", over(node("c"), auth.ManageGlossaryBelow), term("x"), true},
		{"and all below them", over(node("a"), auth.ManageGlossaryBelow), term("x"), true},
		{"editing the entry itself is not enough", over(term("x"), auth.EditEntity), term("x"), false},
	} {
		s := glossary.New(w.Granting(c.with))
		_, mayEdit := s.MayEdit(ctx, c.of)
		for what, err := range map[string]error{
			"edit":     mayEdit,
			"unrelate": s.Unrelate(ctx, term("x"), glossary.IsA, nil),
		} {
			if what == "unrelate" && c.of != term("x") {
				continue
			}
			if c.allow != (err == nil) || err != nil && fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s: %s: got %v", c.name, what, err)
			}
		}
	}
}

func TestRightsOfEachChange(t *testing.T) {
	t.Parallel()
	w := world(t)
	ctx := w.As(t, servicetest.Jo)
	inB := glossary.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{node("b"): {auth.ManageGlossaryChildren}}}))
	inBoth := glossary.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		node("b"): {auth.ManageGlossaryChildren}, node("c"): {auth.ManageGlossaryBelow},
	}}))
	create := func(parent string) error {
		_, err := inB.CreateNode(ctx, glossary.Draft{Name: "new", Parent: parent})
		return err
	}
	for _, c := range []struct {
		name  string
		got   error
		allow bool
	}{
		{"creating at the root", create(""), false},
		{"creating where one may", create(string(node("b"))), true},
		{"creating deeper", create(string(node("c"))), false},
		{"moving from where one may not", inB.Move(ctx, term("x"), string(node("b"))), false},
		{"moving to where one may not", inB.Move(ctx, node("c"), ""), false},
		{"moving between places where one may", inBoth.Move(ctx, term("x"), string(node("b"))), true},
		{"deleting where one may not", inB.Delete(ctx, node("b")), false},
		{"deleting where one may", inB.Delete(ctx, term("x")), true},
	} {
		if c.allow != (c.got == nil) || c.got != nil && fault.KindOf(c.got) != fault.Forbidden {
			t.Errorf("%s: got %v", c.name, c.got)
		}
	}
	if err := glossary.New(w.Edit).Delete(t.Context(), node("a")); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("nobody: got %v", err)
	}
}

func TestRelatedTerms(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := glossary.New(w.Edit), w.As(t, servicetest.Jo)
	const aspect = "glossaryRelatedTerms"
	top := []string{string(term("top"))}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"taking back what never was", func() error { return s.Unrelate(ctx, term("x"), glossary.IsA, top) }, ""},
		{"a relation, named twice", func() error { return s.Relate(ctx, term("x"), glossary.IsA, append(top, top...)) }, `{"isRelatedTerms":["urn:li:glossaryTerm:top"]}`},
		{"once more", func() error { return s.Relate(ctx, term("x"), glossary.IsA, top) }, `{"isRelatedTerms":["urn:li:glossaryTerm:top"]}`},
		{"another relation", func() error { return s.Relate(ctx, term("x"), glossary.HasA, top) }, `{"hasRelatedTerms":["urn:li:glossaryTerm:top"],"isRelatedTerms":["urn:li:glossaryTerm:top"]}`},
		{"taking one back", func() error { return s.Unrelate(ctx, term("x"), glossary.IsA, append(top, string(term("none")))) }, `{"hasRelatedTerms":["urn:li:glossaryTerm:top"],"isRelatedTerms":[]}`},
	} {
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if got := w.Get(t, term("x"), aspect); got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, got, step.want)
		}
	}
	for name, err := range map[string]error{
		"a term and itself":           s.Relate(ctx, term("top"), glossary.IsA, top),
		"a term that does not exist":  s.Relate(ctx, term("top"), glossary.IsA, []string{string(term("none"))}),
		"of one that does not exist":  s.Relate(ctx, term("none"), glossary.IsA, top),
		"a node":                      s.Relate(ctx, term("top"), glossary.IsA, []string{string(node("a"))}),
		"of a node":                   s.Relate(ctx, node("a"), glossary.IsA, top),
		"an unknown relation":         s.Relate(ctx, term("x"), "likes", top),
		"an unknown relation, undone": s.Unrelate(ctx, term("x"), "likes", top),
	} {
		if fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got := w.Get(t, term("top"), aspect) + w.Get(t, term("none"), aspect); got != "" {
		t.Errorf("refused changes wrote %s", got)
	}
}
