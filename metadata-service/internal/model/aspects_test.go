package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// eachGenerated runs check for the minimal value and all maximal variants of every aspect.
func eachGenerated(t *testing.T, check func(t *testing.T, a *model.AspectSpec, v model.Object)) {
	t.Helper()
	r := registry(t)
	for _, a := range r.Aspects() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			check(t, a, minimal(r, a))
			for variant := range variants {
				check(t, a, maximal(r, a, variant))
			}
		})
	}
}

func TestEveryAspectTakesGeneratedValuesUnchanged(t *testing.T) {
	t.Parallel()
	eachGenerated(t, func(t *testing.T, a *model.AspectSpec, v model.Object) {
		before := jsontree.Encode(v)
		text, out, _, err := registry(t).ConformText(a, before)
		if err != nil {
			t.Fatalf("%s\n%s", err, before)
		}
		if string(text) != string(before) || !jsontree.Equal(out, v) {
			t.Fatalf("got  %s\nwant %s", text, before)
		}
		again, _, _, err := registry(t).ConformText(a, text)
		if err != nil || string(again) != string(text) {
			t.Fatalf("conforming again: %v, got %s", err, again)
		}
	})
}

func TestEveryRequiredFieldIsRequired(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, a := range r.Aspects() {
		for _, f := range a.Record.Fields {
			v := maximal(r, a, 0)
			delete(v, f.Name)
			_, _, err := r.Conform(a, v)
			if f.Required() != (err != nil) {
				t.Errorf("%s without %s: required is %t, error is %v", a.Name, f.Name, f.Required(), err)
			}
			var bad *model.ValueError
			if err != nil && (!errors.As(err, &bad) || len(bad.Problems) != 1 || bad.Problems[0].Path != "/"+f.Name) {
				t.Errorf("%s without %s: error does not name the field alone: %v", a.Name, f.Name, err)
			}
		}
	}
}

func TestTaggedFormLeadsBack(t *testing.T) {
	t.Parallel()
	eachGenerated(t, func(t *testing.T, a *model.AspectSpec, v model.Object) {
		want := string(jsontree.Encode(v))
		tagged := model.Tagged(a.Record, v)
		if string(jsontree.Encode(v)) != want {
			t.Fatal("Tagged changed its input")
		}
		if short := tagged.(model.Object)["__type"]; short != a.Record.Short() {
			t.Fatalf("__type is %v, want %s", short, a.Record.Short())
		}
		back, _, err := registry(t).Conform(a, tagged)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jsontree.Encode(back)); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

func TestAvroFormLeadsBack(t *testing.T) {
	t.Parallel()
	eachGenerated(t, func(t *testing.T, a *model.AspectSpec, v model.Object) {
		want := string(jsontree.Encode(v))
		back, _, err := registry(t).Conform(a, avro(a.Record, jsontree.Clone(v)))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jsontree.Encode(back)); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// avro converts a canonical value into the form of snapshot files: wrapped optionals, nulls for
// absent fields, names with the additional segment.
func avro(t *model.Type, v any) any {
	switch t.Shape {
	case model.RecordShape:
		o := v.(model.Object)
		for _, f := range t.Fields {
			member, there := o[f.Name]
			switch {
			case there && f.Optional && f.Type.Shape != model.Union:
				o[f.Name] = model.Object{avroName(f.Type): avro(f.Type, member)}
			case there:
				o[f.Name] = avro(f.Type, member)
			default:
				if f.Optional {
					o[f.Name] = nil
				}
			}
		}
	case model.Array:
		for i, e := range v.([]any) {
			v.([]any)[i] = avro(t.Elem, e)
		}
	case model.Map:
		for key, e := range v.(model.Object) {
			v.(model.Object)[key] = avro(t.Elem, e)
		}
	case model.Union:
		for _, m := range t.Members {
			if inner, ok := v.(model.Object)[m.Key]; ok {
				return model.Object{withSegment(m.Key): avro(m.Type, inner)}
			}
		}
	}
	return v
}

func avroName(t *model.Type) string {
	switch t.Shape {
	case model.RecordShape, model.Enum, model.Fixed:
		return withSegment(t.Name)
	}
	return t.Shape.String()
}

func withSegment(name string) string {
	return strings.Replace(name, "com.linkedin.", "com.linkedin.pegasus2avro.", 1)
}

func TestDefaultsConform(t *testing.T) {
	t.Parallel()
	eachGenerated(t, func(t *testing.T, a *model.AspectSpec, v model.Object) {
		full := model.WithDefaults(a.Record, v).(model.Object)
		want := string(jsontree.Encode(full))
		out, _, err := registry(t).Conform(a, jsontree.Clone(full))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jsontree.Encode(out)); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		if again := string(jsontree.Encode(model.WithDefaults(a.Record, full))); again != want {
			t.Fatalf("filling again gives %s, want %s", again, want)
		}
	})
}

func TestEveryRegistryPathLeadsSomewhere(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, a := range r.Aspects() {
		full := map[string]bool{}
		reach := func(what, path string) {
			if path == "" || full[path] {
				return
			}
			full[path] = true
			for variant := range variants {
				if len(model.Select(maximal(r, a, variant), path)) > 0 {
					return
				}
			}
			t.Errorf("%s: %s %s leads nowhere", a.Name, what, path)
		}
		for _, s := range a.Search {
			reach("search field", s.Path)
		}
		for _, rel := range a.Relationships {
			for _, path := range []string{rel.Path, rel.CreatedOn, rel.CreatedActor, rel.UpdatedOn, rel.UpdatedActor, rel.Properties, rel.Via} {
				reach("relationship "+rel.Name, path)
			}
		}
		for _, rule := range a.URNs {
			reach("URN rule", rule.Path)
		}
		for _, s := range a.Stats {
			reach("stat", s.Path)
		}
		for _, c := range a.Collections {
			reach("collection", c.Path)
		}
	}
}
