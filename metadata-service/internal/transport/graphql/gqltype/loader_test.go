package gqltype_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// selectionOn returns the selection of a document on the field entity.
func selectionOn(t *testing.T, of string) *selection.Set {
	t.Helper()
	files, err := filepath.Glob("../schema/*.graphql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	sources := make([]*ast.Source, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources[i] = &ast.Source{Name: file, Input: string(text)}
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	document, errs := gqlparser.LoadQueryWithRules(schema, `{ entity(urn: "") `+of+` }`, nil)
	if errs != nil {
		t.Fatal(errs)
	}
	return selection.New(selection.NewTypes(schema), document.Operations[0].SelectionSet).Of("Query")["entity"]
}

// recordingReader is a Reader that records its reads.
type recordingReader struct {
	aspects map[urn.URN]map[string]string
	hidden  map[urn.URN]bool
	fail    error
	reads   []string
}

func (s *recordingReader) Read(_ context.Context, entityType string, urns []urn.URN, aspects []string) ([]*gqltype.Stored, error) {
	names := slices.Clone(aspects)
	slices.Sort(names)
	texts := make([]string, len(urns))
	out := make([]*gqltype.Stored, len(urns))
	for i, u := range urns {
		texts[i] = u.Key()
		if s.hidden[u] {
			continue
		}
		out[i] = &gqltype.Stored{URN: u, Exists: true, Aspects: map[string]jsontree.Object{}}
		for name, text := range s.aspects[u] {
			value, err := jsontree.DecodeObject([]byte(text))
			if err != nil {
				return nil, err
			}
			out[i].Aspects[name] = value
		}
	}
	s.reads = append(s.reads, fmt.Sprintf("%s %s: %s", entityType, strings.Join(texts, " "), strings.Join(names, " ")))
	return out, s.fail
}

// computed implements few fields; these tests do not select the others.
type computed struct {
	gqltype.Computed
	ingested error
}

func (c computed) LastIngested(context.Context, *gqltype.Loader, gqltype.Place, *selection.Set) (*gqltype.Long, error) {
	when := gqltype.Long(7)
	return &when, c.ingested
}

func (c computed) ContainerOf(_ context.Context, l *gqltype.Loader, at gqltype.Place, w *selection.Set) (*gqltype.Container, error) {
	u, err := urn.Parse(jsontree.Text(jsontree.AsObject(at.Aspect("container")), "container"))
	if err != nil || u.Type() != "container" {
		return nil, nil
	}
	return l.Container(u, w), nil
}

func (c computed) ParentContainers(_ context.Context, l *gqltype.Loader, at gqltype.Place, w *selection.Set) (*gqltype.ParentContainersResult, error) {
	out := &gqltype.ParentContainersResult{}
	l.Later(at.URN, []string{"container"}, func(_ context.Context, stored *gqltype.Stored) {
		if stored.Aspects["container"] != nil {
			out.Count++
		}
	})
	return out, nil
}

const tags = `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`

func TestReferencesAreReadTogether(t *testing.T) {
	t.Parallel()
	want := selectionOn(t, `{ ... on Container { tags { tags { tag { properties { name } } } } ownership { owners { owner { ... on CorpUser { info { displayName } } } } } } }`)
	shelf := &recordingReader{aspects: map[urn.URN]map[string]string{
		"urn:li:container:1": {"globalTags": tags, "ownership": `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}]}`},
		"urn:li:container:2": {"globalTags": tags, "ownership": `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}]}`},
		"urn:li:tag:a":       {"tagProperties": `{"name":"A"}`},
		"urn:li:corpuser:jo": {"corpUserInfo": `{"active":true,"displayName":"Jo"}`},
	}}
	l := gqltype.NewLoader(shelf, computed{})
	first, second := l.Container("urn:li:container:1", want), l.Container("urn:li:container:2", want)
	if err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	reads := []string{"container 1 2: globalTags ownership", "tag a b: tagProperties", "corpuser jo: corpUserInfo"}
	slices.Sort(shelf.reads[1:])
	slices.Sort(reads[1:])
	if !slices.Equal(shelf.reads, reads) {
		t.Errorf("read %q, want %q", shelf.reads, reads)
	}
	for _, c := range []*gqltype.Container{first, second} {
		if tag := (*c.Tags.Tags)[0].Tag; tag.Properties == nil || tag.Properties.Name != "A" {
			t.Errorf("%s: the first tag is %+v", c.Urn, tag)
		}
		if b := (*c.Tags.Tags)[1].Tag; b.Urn != "urn:li:tag:b" || b.Properties != nil {
			t.Errorf("%s: a tag that was never written is %+v", c.Urn, b)
		}
		if jo, ok := (*c.Ownership.Owners)[0].Owner.ToCorpUser(); !ok || jo.Info == nil || *jo.Info.DisplayName != "Jo" {
			t.Errorf("%s: the owner is %+v", c.Urn, jo)
		}
	}
	if (*first.Tags.Tags)[0].Tag != (*second.Tags.Tags)[0].Tag {
		t.Error("a tag that two containers have was made twice")
	}
}

func TestStubsNeedNoReading(t *testing.T) {
	t.Parallel()
	shelf := &recordingReader{}
	l := gqltype.NewLoader(shelf, computed{})
	tag := l.Tag("urn:li:tag:a", selectionOn(t, `{ urn type __typename }`))
	none := l.Tag("urn:li:tag:a", nil)
	if err := l.Load(t.Context()); err != nil || len(shelf.reads) > 0 {
		t.Fatalf("read %q, %v", shelf.reads, err)
	}
	if tag.Urn != "urn:li:tag:a" || tag.Type != "TAG" || none.Urn != "urn:li:tag:a" {
		t.Errorf("got %+v and %+v", tag, none)
	}
}

func TestCyclesEndWithTheDocument(t *testing.T) {
	t.Parallel()
	shelf := &recordingReader{aspects: map[urn.URN]map[string]string{"urn:li:container:1": {"container": `{"container":"urn:li:container:1"}`}}}
	l := gqltype.NewLoader(shelf, computed{})
	c := l.Container("urn:li:container:1", selectionOn(t, `{ ... on Container { container { container { container { urn } } } } }`))
	if err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(shelf.reads) != 3 {
		t.Errorf("read %q, want three rounds", shelf.reads)
	}
	if last := c.Container.Container.Container; last.Urn != "urn:li:container:1" || last.Container != nil {
		t.Errorf("the last is %+v", last)
	}
}

func TestLaterReadsInTheNextRound(t *testing.T) {
	t.Parallel()
	want := selectionOn(t, `{ ... on Container { parentContainers { count } } }`)
	shelf := &recordingReader{aspects: map[urn.URN]map[string]string{"urn:li:container:1": {"container": `{"container":"urn:li:container:9"}`}}}
	l := gqltype.NewLoader(shelf, computed{})
	one, two := l.Container("urn:li:container:1", want), l.Container("urn:li:container:2", want)
	if err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(shelf.reads) != 2 || shelf.reads[1] != "container 1 2: container" {
		t.Errorf("read %q", shelf.reads)
	}
	if one.ParentContainers.Count != 1 || two.ParentContainers.Count != 0 {
		t.Errorf("got %+v and %+v", one.ParentContainers, two.ParentContainers)
	}
}

func TestWhatDoesNotFitIsLeftOut(t *testing.T) {
	t.Parallel()
	want := selectionOn(t, `{ ... on Container { tags { tags { tag { urn } } } ownership { owners { owner { __typename } } } container { urn } deprecation { deprecated note } subTypes { typeNames } } }`)
	for name, aspects := range map[string]map[string]string{
		"references to other types": {"globalTags": `{"tags":[{"tag":"urn:li:corpuser:jo"}]}`, "container": `{"container":"urn:li:tag:a"}`, "ownership": `{"owners":[{"owner":"urn:li:tag:a"}]}`},
		"texts that are no URN":     {"globalTags": `{"tags":[{"tag":"a"}]}`, "container": `{"container":"1"}`, "ownership": `{"owners":[{"owner":""}]}`},
		"other shapes":              {"globalTags": `{"tags":{"tag":"urn:li:tag:a"}}`, "container": `{"container":["urn:li:container:1"]}`, "ownership": `{"owners":"jo"}`, "deprecation": `{"deprecated":"yes","note":{}}`, "subTypes": `{"typeNames":[1,null,{},"x"]}`},
		"nulls":                     {"globalTags": `{"tags":null}`, "container": `{"container":null}`, "ownership": `{"owners":null}`},
	} {
		shelf := &recordingReader{aspects: map[urn.URN]map[string]string{"urn:li:container:1": aspects}}
		l := gqltype.NewLoader(shelf, computed{})
		c := l.Container("urn:li:container:1", want)
		if err := l.Load(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.Container != nil {
			t.Errorf("%s: the container is %+v", name, c.Container)
		}
		if c.Tags != nil && c.Tags.Tags != nil {
			for _, tag := range *c.Tags.Tags {
				if tag.Tag != nil {
					t.Errorf("%s: a tag is %+v", name, tag.Tag)
				}
			}
		}
		if c.Deprecation != nil && (c.Deprecation.Deprecated || c.Deprecation.Note != nil && *c.Deprecation.Note != "") {
			t.Errorf("%s: deprecation is %+v", name, c.Deprecation)
		}
	}
}

func TestWhatCannotBeReadIsAStub(t *testing.T) {
	t.Parallel()
	shelf := &recordingReader{hidden: map[urn.URN]bool{"urn:li:container:1": true}}
	l := gqltype.NewLoader(shelf, computed{})
	c := l.Container("urn:li:container:1", selectionOn(t, `{ ... on Container { properties { name } tags { tags { tag { urn } } } } }`))
	if err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c.Urn != "urn:li:container:1" || c.Properties != nil || c.Tags != nil {
		t.Errorf("got %+v", c)
	}
}

func TestAFieldThatIsForbiddenIsNull(t *testing.T) {
	t.Parallel()
	want := selectionOn(t, `{ ... on Container { lastIngested properties { name } } }`)
	aspects := map[urn.URN]map[string]string{"urn:li:container:1": {"containerProperties": `{"name":"Raw"}`}}
	for _, c := range []struct {
		name   string
		err    error
		filled bool
		fails  bool
	}{
		{"allowed", nil, true, false},
		{"forbidden", fmt.Errorf("read: %w", fault.New(fault.Forbidden, "no")), false, false},
		{"broken", fault.New(fault.Unavailable, "later"), true, true},
	} {
		l := gqltype.NewLoader(&recordingReader{aspects: aspects}, computed{ingested: c.err})
		got := l.Container("urn:li:container:1", want)
		if err := l.Load(t.Context()); (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
		if (got.LastIngested != nil) != c.filled || got.Properties == nil || got.Properties.Name != "Raw" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestErrorsEndTheLoading(t *testing.T) {
	t.Parallel()
	want := selectionOn(t, `{ ... on Container { properties { name } } }`)
	broken := errors.New("broken")
	l := gqltype.NewLoader(&recordingReader{fail: broken}, computed{})
	l.Container("urn:li:container:1", want)
	if err := l.Load(t.Context()); !errors.Is(err, broken) {
		t.Errorf("got %v, want what the reader said", err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	shelf := &recordingReader{}
	l = gqltype.NewLoader(shelf, computed{})
	l.Container("urn:li:container:1", want)
	if err := l.Load(left); !errors.Is(err, context.Canceled) || len(shelf.reads) > 0 {
		t.Errorf("got %v and read %q after the caller left", err, shelf.reads)
	}
}
