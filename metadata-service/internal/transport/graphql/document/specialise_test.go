package document_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"testing"
)

// TestLibraryDefectsAreCured executes each document twice. The library alone must return a wrong
// result, otherwise the workaround has become unnecessary; the staged text must return the result
// that the specification requires.
func TestLibraryDefectsAreCured(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		// vars are the variables that the client sends; seen are the values that the operation
		// receives.
		vars string
		seen map[string]any
		// fine marks documents that the library executes correctly without the stage.
		fine bool
	}{
		{
			name: "a key that a later fragment selects with other arguments",
			text: `{nodes{...B ...on Film{x:note(lang:"f")}}} fragment B on Book{x:note(lang:"b")}`,
		},
		{
			name: "a non-null variable with a default",
			text: `query($l:String!="z"){nodes{...on Book{note(lang:$l)}}}`,
			seen: map[string]any{"l": "z"},
		},
		{
			name: "an object condition under an interface condition",
			text: `{nodes{...on Titled{title ...on Book{pages}...on Film{minutes}}}}`,
		},
		{
			name: "an object condition that is impossible for most of an interface",
			text: `{titled{...on Node{id ...on Person{name}...on Book{pages}}}}`,
		},
		{
			name: "a union as condition",
			text: `{nodes{...on Media{__typename ...on Node{id}...on Book{pages}}}}`,
		},
		{
			name: "a conditional fragment without type under an interface condition",
			text: `{media{...on Book{...on Node{id ...@include(if:true){child{id}}}}}}`,
		},
		{
			name: "the same with a variable",
			text: `query($y:Boolean!){media{...on Book{...on Node{id ...@include(if:$y){child{id}}}}}}`,
			vars: `{"y":true}`,
		},
		{
			name: "an omitted variable on an argument with a default",
			text: `query($p:String){nodes{label(prefix:$p)}}`,
		},
		{
			name: "a field that an object narrows to another type",
			text: `{nodes{...on Titled{id:title}...on Node{child{id ...on Film{minutes}...on Person{name}}}}}`,
			fine: true,
		},
		{
			name: "a narrowed field selected on the interface and on the object",
			text: `{nodes{child{__typename id}...on Person{child{name}}}}`,
		},
		{
			name: "an interface condition under another on objects of neither",
			text: `{any{...on Titled{...on Node{id}title}}}`,
			fine: true,
		},
		{
			name: "everything folded away",
			text: `{node{id @skip(if:true)}}`,
			fine: true,
		},
		{
			name: "a variable that only decides about what no object can be",
			text: `query($y:Boolean!){nodes{id ...on Film{...on Any{...on Person @include(if:$y){name}}}}}`,
			vars: `{"y":true}`,
		},
		{
			name: "plain documents stay right",
			text: `query Q($a:Boolean!,$b:Boolean!){node{id @include(if:$a)child{id}...F @skip(if:$b)}}fragment F on Node{rank kids{...G}}fragment G on Node{id ...on Book{title}}`,
			vars: `{"a":false,"b":false}`,
			fine: true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lib := newLibrary(t)
			var vars map[string]any
			if c.vars != "" {
				if err := json.Unmarshal([]byte(c.vars), &vars); err != nil {
					t.Fatal(err)
				}
			}
			doc := mustCompile(t, newStage(t), c.text)
			seen := c.seen
			if seen == nil {
				seen = vars
			}
			want := expected(doc, seen)
			got := dataOf(t, execute(t, lib, doc, c.vars))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("staged as %s\n got %v\nwant %v", doc.Text(), got, want)
			}
			raw := lib.Exec(context.Background(), c.text, "", vars)
			var rawData map[string]any
			_ = json.Unmarshal(bytes.TrimSpace(raw.Data), &rawData)
			if right := len(raw.Errors) == 0 && reflect.DeepEqual(rawData, want); right != c.fine {
				t.Errorf("the library alone is right: %t, expected %t; errors %v, data %s", right, c.fine, raw.Errors, raw.Data)
			}
		})
	}
}
