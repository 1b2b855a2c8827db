package yamltree_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/yamltree"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestYAMLBecomesTheTreeOfTheSameJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                      `null`,
		"# nothing":                             `null`,
		"a: 1\nb: [x, 1.5, true, ~]":            `{"a":1,"b":["x",1.5,true,null]}`,
		"a: &x {b: 1}\nc: *x":                   `{"a":{"b":1},"c":{"b":1}}`,
		"a: &x {b: 1, c: 1}\nd: {<<: *x, b: 2}": `{"a":{"b":1,"c":1},"d":{"b":2,"c":1}}`,
		"<<: [{a: 1}, {a: 2, b: 2}]":            `{"a":1,"b":2}`,
		"'1': 18446744073709551615":             `{"1":18446744073709551615}`,
		"a: 2026-01-31":                         `{"a":"2026-01-31T00:00:00Z"}`,
		"a: !!str 1\nb: !own x":                 `{"a":"1","b":"x"}`,
		"a: |\n  x\n  y\n---\nb: 2":             `{"a":"x\ny\n"}`,
		"&k a: 1\n*k : 2":                       "",
	} {
		tree, err := yamltree.Decode(t.Context(), []byte(text))
		if want == "" {
			if err == nil {
				t.Errorf("%q became %s", text, jsontree.Encode(tree))
			}
			continue
		}
		if err != nil || string(jsontree.Encode(tree)) != want {
			t.Errorf("%q became %s, want %s (%v)", text, jsontree.Encode(tree), want, err)
		}
	}
}

func TestProblemsNameTheirPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]yamltree.Error{
		"a: {b: [1, {c: .inf}]}":    {Path: "a.b[1].c", Message: "is no number"},
		"a: {b: 1, c: 2, b: 3}":     {Path: "a.b", Message: "is given twice, in lines 1 and 1"},
		"- a: 1\n  1: 2":            {Path: "[0]", Message: "must have texts as names of its members"},
		"a: &x [*x]":                {Path: "a[0][0]", Message: "the anchor x holds itself"},
		"a: {<<: 1}":                {Path: "a.<<", Message: "must be a mapping, or a list of mappings"},
		"a: !!binary /w==":          {Path: "a", Message: "is no text in UTF-8"},
		"\"\\ud800\"":               {Message: "is not YAML: found invalid Unicode character escape code"},
		strings.Repeat("[", 20_000): {Message: "is not YAML: exceeded max depth of 10000"},
		"a: " + strings.Repeat("[", 201) + strings.Repeat("]", 201): {Message: "nests deeper than 200 levels"},
		"%A b\n%A b\n" + directives(20):                             {Message: "has more than 10 lines that begin with %"},
	} {
		_, err := yamltree.Decode(t.Context(), []byte(text))
		var got *yamltree.Error
		if !errors.As(err, &got) || got.Path != want.Path || got.Message != want.Message || fault.KindOf(err) != fault.Malformed {
			t.Errorf("%.60q: got %v, want %v", text, err, &want)
		}
	}
}

func directives(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%%TAG !a%d! x\n", i)
	}
	return text.String()
}

// bombs are texts for which decoding by the library takes minutes, or all memory.
func bombs() map[string]string {
	keys := func(n int, form string) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, form, i)
		}
		return text.String()
	}
	return map[string]string{
		"90,000 keys":                  keys(90_000, "k%d: 1\n"),
		"90,000 equal keys":            strings.Repeat("a: 1\n", 90_000),
		"equal keys in flow style":     "{" + strings.Repeat("?,", 49_000) + "}",
		"90,000 merges of one mapping": "a: &a {" + keys(1000, "m%d: 1,") + "}\n" + keys(10_000, "k%d: {<<: *a}\n"),
		"aliases of aliases":           "a0: &a0 [" + strings.Repeat("x,", 9) + "]\n" + keys(20, "b%[1]d: &b%[1]d [*a0]\n") + aliases(20),
		"a name of 500 kB with values": `? "` + strings.Repeat("x", 500_000) + "\"\n: [" + strings.Repeat("1,", 90_000) + "]",
		"500,000 values":               "[" + strings.Repeat("1,", 500_000) + "]",
		"500,000 comments":             strings.Repeat("-\n", 250_000),
		"190 levels, all names long":   strings.Repeat("{"+strings.Repeat("n", 2000)+": ", 190) + "[" + strings.Repeat("1,", 90_000) + "]" + strings.Repeat("}", 190),
	}
}

func aliases(levels int) string {
	var text strings.Builder
	for i := range levels {
		fmt.Fprintf(&text, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
	}
	return text.String()
}

// TestBombsTakeMemoryByTheirLength limits allocations, which measure the work independently of the
// machine, unlike durations. It is not parallel, since the count is that of the process.
func TestBombsTakeMemoryByTheirLength(t *testing.T) {
	const perByte, perValue = 600, 100
	for name, text := range bombs() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = yamltree.Decode(t.Context(), []byte(text))
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(perByte*len(text)+perValue*yamltree.MaxValues); got > most {
			t.Errorf("%s: %d bytes are allocated for a text of %d, at most %d", name, got, len(text), most)
		}
	}
}

func TestDecodingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := yamltree.Decode(ctx, []byte("a: 1")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// plain converts a value decoded by the library into a tree.
func plain(v any) (any, bool) {
	switch v := v.(type) {
	case nil, string, bool:
		return v, true
	case int:
		return json.Number(strconv.Itoa(v)), true
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), true
	case uint64:
		return json.Number(strconv.FormatUint(v, 10)), true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		return jsontree.Float(v), true
	case time.Time:
		return v.Format(time.RFC3339Nano), true
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			one, ok := plain(e)
			if !ok {
				return nil, false
			}
			out[i] = one
		}
		return out, true
	case map[string]any:
		out := jsontree.Object{}
		for name, e := range v {
			one, ok := plain(e)
			if !ok {
				return nil, false
			}
			out[name] = one
		}
		return out, true
	}
	return nil, false
}

// FuzzDecode compares decoded values with those of the library.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: [x, 1.5, true, ~]", "a: &x {b: 1}\nc: *x\nd: {<<: *x}", "{? a, ? a}", "- !!binary aGk=\n- 0x1f\n- 1e400\n- .nan",
		"%TAG ! x\n---\n!y a", "\xff\xfea\x00", "? [a]\n: b", "<<: [{a: 1}, *a]", "a: >-\n x\n\n y", "'a': \"\\u0000\"", "- <<\n- &a *a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		tree, err := yamltree.Decode(t.Context(), []byte(text))
		if err != nil {
			if fault.KindOf(err) != fault.Malformed {
				t.Fatal(err)
			}
			return
		}
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("the library refuses it: %v; got %s", err, jsontree.Encode(tree))
		}
		if want, ok := plain(v); !ok || !jsontree.Equal(tree, want) {
			t.Fatalf("got %s, the library %v", jsontree.Encode(tree), v)
		}
	})
}
