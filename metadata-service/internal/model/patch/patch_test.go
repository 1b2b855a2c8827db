package patch_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/pkg/fault"
)

var loadOnce = sync.OnceValues(model.Load)

func registry(tb testing.TB) *model.Registry {
	tb.Helper()
	r, err := loadOnce()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func aspect(tb testing.TB, name string) *model.AspectSpec {
	tb.Helper()
	a, ok := registry(tb).Aspect(name)
	if !ok {
		tb.Fatalf("no aspect %s", name)
	}
	return a
}

func object(tb testing.TB, text string) model.Object {
	tb.Helper()
	if text == "" {
		return nil
	}
	o, err := jsontree.DecodeObject([]byte(text))
	if err != nil {
		tb.Fatalf("%s: %s", text, err)
	}
	return o
}

const stampText = `{"actor":"urn:li:corpuser:__datahub_system","time":7}`

// apply patches current ("" for nothing stored). It checks that neither the current value nor the
// patch changes, and that a second application gives the same result.
func apply(tb testing.TB, aspectName, current, document string) (model.Object, error) {
	tb.Helper()
	doc, err := patch.Parse([]byte(document))
	if err != nil {
		tb.Fatalf("%s: %s", document, err)
	}
	a, before, stamp := aspect(tb, aspectName), object(tb, current), object(tb, stampText)
	out, err := doc.Apply(a, before, stamp)
	text := string(jsontree.Encode(out))
	if !jsontree.Equal(before, object(tb, current)) {
		tb.Fatalf("the current value was changed to %s", jsontree.Encode(before))
	}
	if string(jsontree.Encode(stamp)) != stampText {
		tb.Fatal("the stamp was changed")
	}
	again, againErr := doc.Apply(a, before, stamp)
	if got := string(jsontree.Encode(again)); got != text || (err == nil) != (againErr == nil) {
		tb.Fatalf("applying again gives %s, %v, before %s, %v", got, againErr, text, err)
	}
	return out, err
}

// conformed returns the canonical result of apply.
func conformed(tb testing.TB, aspectName, current, document string) (string, error) {
	tb.Helper()
	out, err := apply(tb, aspectName, current, document)
	if err != nil {
		return "", err
	}
	value, _, err := registry(tb).Conform(aspect(tb, aspectName), out)
	if err != nil {
		return "", err
	}
	return string(jsontree.Encode(value)), nil
}

// canonical returns the stored text of a value of the aspect.
func canonical(tb testing.TB, aspectName, text string) string {
	tb.Helper()
	value, _, err := registry(tb).Conform(aspect(tb, aspectName), object(tb, text))
	if err != nil {
		tb.Fatalf("%s: %s", text, err)
	}
	return string(jsontree.Encode(value))
}

type story struct{ name, aspect, current, patch, want string }

func tell(t *testing.T, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			got, err := conformed(t, s.aspect, s.current, s.patch)
			if err != nil {
				t.Fatal(err)
			}
			if want := canonical(t, s.aspect, s.want); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestBadDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"no JSON", `[`, "not valid JSON"},
		{"neither list nor object", `"x"`, "must be a list of operations"},
		{"null", `null`, "must be a list of operations"},
		{"object without patch", `{}`, "member patch must be a list"},
		{"patch that is no list", `{"patch":{}}`, "member patch must be a list"},
		{"keys that are no object", `{"patch":[],"arrayPrimaryKeys":[]}`, "arrayPrimaryKeys must be an object"},
		{"keys that are no list", `{"patch":[],"arrayPrimaryKeys":{"tags":"tag"}}`, "arrayPrimaryKeys.tags must be a list"},
		{"keys that are no names", `{"patch":[],"arrayPrimaryKeys":{"tags":[1]}}`, "arrayPrimaryKeys.tags must be a list"},
		{"too many keys", `{"patch":[],"arrayPrimaryKeys":{"tags":["a"` + strings.Repeat(`,"a"`, 20) + `]}}`, "arrayPrimaryKeys.tags"},
		{"operation that is no object", `[1]`, "operation 0: must be an object, is a number"},
		{"no op", `[{"path":"/a"}]`, `op must be add`},
		{"unknown op", `[{"op":"remove","path":"/a"},{"op":"merge","path":"/a"}]`, `operation 1: op must be add, remove, replace, move, copy or test, is "merge"`},
		{"no path", `[{"op":"remove"}]`, "remove needs the member path"},
		{"path that is no text", `[{"op":"remove","path":5}]`, "remove needs the member path"},
		{"add without value", `[{"op":"add","path":"/a"}]`, "add needs the member value"},
		{"replace without value", `[{"op":"replace","path":"/a"}]`, "replace needs the member value"},
		{"test without value", `[{"op":"test","path":"/a"}]`, "test needs the member value"},
		{"move without from", `[{"op":"move","path":"/a"}]`, "move needs the member from"},
		{"copy without from", `[{"op":"copy","path":"/a"}]`, "copy needs the member from"},
		{"path without a slash", `[{"op":"remove","path":"a"}]`, `path "a" must start with a slash`},
		{"from without a slash", `[{"op":"copy","from":"a","path":"/a"}]`, `path "a" must start with a slash`},
		{"path that is too deep", `[{"op":"remove","path":"` + strings.Repeat("/a", 300) + `"}]`, "at most 200"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := patch.Parse([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, fault.Malformed) {
				t.Errorf("got %v, want a malformed document: %s", err, tt.want)
			}
		})
	}
}

func TestTooManyOperationsAreRefused(t *testing.T) {
	t.Parallel()
	text := `[{"op":"remove","path":""}` + strings.Repeat(`,{"op":"remove","path":""}`, 50_000) + `]`
	if _, err := patch.Parse([]byte(text)); !errors.Is(err, fault.TooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestPatchesThatCannotBeAppliedAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, aspect, current, patch, want string }{
		{"aspect without a template", "browsePathsV2", `{"path":[]}`, `[]`, "browsePathsV2 has no built-in patch keys"},
		{"aspect that must exist", "versionProperties", ``, `[]`, "versionProperties must exist before it can be patched"},
		{"replace of what is not there", "globalTags", ``, `[{"op":"replace","path":"/tags/urn:li:tag:a","value":{}}]`, "operation 0: replace: nothing at /tags/urn:li:tag:a"},
		{"move of what is not there", "globalTags", ``, `[{"op":"move","from":"/tags/x","path":"/tags/y"}]`, "move: nothing at /tags/x"},
		{"copy of what is not there", "globalTags", ``, `[{"op":"remove","path":"/x"},{"op":"copy","from":"/tags/x","path":"/tags/y"}]`, "operation 1: copy: nothing at /tags/x"},
		{"move into itself", "datasetProperties", `{"customProperties":{"a":"b"}}`, `[{"op":"move","from":"/customProperties","path":"/customProperties/a"}]`, "lies inside"},
		{"test that fails", "status", `{"removed":true}`, `[{"op":"test","path":"/removed","value":false}]`, "test: the value at /removed is another one"},
		{"test of what is not there", "status", ``, `[{"op":"test","path":"/x","value":null}]`, "test: the value at /x is another one"},
		{"parent that is a text", "datasetProperties", `{"name":"n"}`, `[{"op":"add","path":"/name/a","value":"b"}]`, "the parent is a string"},
		{"root that is no object", "status", ``, `[{"op":"add","path":"","value":[]}]`, "the result must be an object"},
		{"root that is null", "status", ``, `[{"op":"add","path":"","value":null}]`, "the result must be an object"},
		{"index that is none", "browsePathsV2", `{"path":[]}`, `{"patch":[{"op":"add","path":"/path/x","value":{}}],"forceGenericPatch":true}`, `"x" is no index of an array with 0 elements`},
		{"index beyond the end", "browsePathsV2", `{"path":[]}`, `{"patch":[{"op":"add","path":"/path/1","value":{}}],"forceGenericPatch":true}`, `"1" is no index`},
		{"negative index", "browsePathsV2", `{"path":[]}`, `{"patch":[{"op":"add","path":"/path/-1","value":{}}],"forceGenericPatch":true}`, `"-1" is no index`},
		{"way through the end of an array", "browsePathsV2", `{"path":[]}`, `{"patch":[{"op":"add","path":"/path/0/id","value":"a"}],"forceGenericPatch":true}`, `"0" is no index`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := apply(t, tt.aspect, tt.current, tt.patch)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, fault.Invalid) {
				t.Errorf("got %v, want an invalid patch: %s", err, tt.want)
			}
		})
	}
}

// A copy of the root into itself doubles the value; a few dozen copies would exhaust memory.
func TestGrowthIsBounded(t *testing.T) {
	t.Parallel()
	for _, op := range []string{
		`{"op":"copy","from":"","path":"/a"},{"op":"copy","from":"","path":"/b"}`,
		`{"op":"copy","from":"","path":"` + strings.Repeat("/a", 200) + `"}`,
	} {
		_, err := apply(t, "status", "", "["+op+strings.Repeat(","+op, 200)+"]")
		if !errors.Is(err, fault.TooLarge) {
			t.Errorf("got %v", err)
		}
	}
}
