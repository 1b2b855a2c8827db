package jsontree_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
)

// FuzzSplittingBodies compares the splitter with encoding/json.
func FuzzSplittingBodies(f *testing.F) {
	for _, seed := range []string{
		`[]`, ` [ 1 , "a\"]" ,{"x":[1,2]}, null,true ] `, `{}`, `{"a":1,"b" : {"c":"}"} , "\u0061":[[]]}`, `[-1.5e3]`, `{"é":"\\"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		switch bytes.TrimLeft(text, " \t\r\n")[0] {
		case '[':
			var want, got []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Skip("no JSON, so there is nothing to compare with")
			}
			if err := jsontree.Elements(text, func(e json.RawMessage) error { got = append(got, e); return nil }); err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Errorf("%s has the elements %s, want %s", text, got, want)
			}
		case '{':
			want, got := map[string]json.RawMessage{}, map[string]json.RawMessage{}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Skip("no JSON, so there is nothing to compare with")
			}
			if err := jsontree.Members(text, func(name string, v json.RawMessage) error { got[name] = v; return nil }); err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) {
				t.Errorf("%s has %d members, want %d", text, len(got), len(want))
			}
			for name, v := range want {
				if !bytes.Equal(got[name], v) {
					t.Errorf("%s has the member %q as %s, want %s", text, name, got[name], v)
				}
			}
		}
	})
}

func TestTextsAreCountedNoFurtherThanTheirLimit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`1`: 1, `"a,[{"`: 1, `[1,2,3]`: 4, `{"a":1,"b":[2,3]}`: 5, `"\`: 1, `"`: 1, ``: 1, `[,"\",[`: 3,
	} {
		if jsontree.HasMoreThan(want, []byte(text)) || !jsontree.HasMoreThan(want-1, []byte(text)) {
			t.Errorf("%s does not hold %d values", text, want)
		}
	}
	if err := jsontree.CheckBody([]byte(strings.Repeat("[", jsontree.MaxBodyValues))); fault.KindOf(err) != fault.TooLarge {
		t.Errorf("got %v", err)
	}
}

func TestCountTellsHowManyValuesATextHolds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`1`: 1, `"a,[{"`: 1, `[1,2,3]`: 4, `{"a":1,"b":[2,3]}`: 5, ` [ [ 1 ] , { "x" : "\"," } ] `: 5,
	} {
		if got := jsontree.Count([]byte(text)); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
