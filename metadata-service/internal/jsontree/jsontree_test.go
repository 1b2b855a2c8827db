package jsontree_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/trials"
)

func TestDecodeAndEncode(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"members are sorted", `{"b":1,"a":{"d":[],"c":{}}}`, `{"a":{"c":{},"d":[]},"b":1}`},
		{"members are sorted by bytes", `{"ä":1,"z":2,"Z":3,"":4}`, `{"":4,"Z":3,"z":2,"ä":1}`},
		{"space goes", " [ 1 ,\t\"a\" , null ,\n true , false ] ", `[1,"a",null,true,false]`},
		{"the last of repeated members counts", `{"a":1,"a":2}`, `{"a":2}`},
		{"all digits are kept", `[9223372036854775807,1.10,1e3,0.30000000000000004]`, `[9223372036854775807,1.10,1e3,0.30000000000000004]`},
		{"only what must be is escaped", `"<\u00e4\/&>\u2028\u007f"`, "\"<ä/&>\u2028\u007f\""},
		{"what must be is escaped", `"\"\\\b\f\n\r\t\u0000\u001f"`, `"\"\\\u0008\u000c\n\r\t\u0000\u001f"`},
		{"pairs of surrogates", `"\ud83d\ude00"`, `"😀"`},
		{"U+FFFD is a character like others", `"\ufffd"`, "\"\ufffd\""},
		{"brackets in texts do not nest", `"` + strings.Repeat("[", 500) + `"`, `"` + strings.Repeat("[", 500) + `"`},
		{"quotes in texts are told from their end", `["\\","[\"["]`, `["\\","[\"["]`},
		{"as deep as allowed", strings.Repeat("[", 200) + strings.Repeat("]", 200), strings.Repeat("[", 200) + strings.Repeat("]", 200)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := jsontree.Decode([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(jsontree.Encode(v)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"nothing", "", "ends too early"},
		{"half a value", `{"a":`, "ends too early"},
		{"no value", "x", "not valid JSON at byte 1"},
		{"two values", `{}{}`, "more text after the JSON value"},
		{"garbage behind", `{}x`, "more text after the JSON value"},
		{"a bracket behind", `{}]`, "more text after the JSON value"},
		{"a comma behind", `[1,]`, "not valid JSON at byte"},
		{"numbers JSON does not have", `[NaN]`, "not valid JSON at byte"},
		{"raw control characters", "\"\n\"", "not valid JSON at byte"},
		{"a lone surrogate", `{"a":"a\ud800b"}`, "byte 7: a \\u escape is half of a surrogate pair"},
		{"a lone surrogate in the name of a member", `{"\udc00":1}`, "byte 2: a \\u escape is half of a surrogate pair"},
		{"bytes that are no UTF-8", "\"a\xffb\"", "byte 2: not valid UTF-8"},
		{"bytes that are no UTF-8 behind an escape", "\"\\n\xffb\"", "byte 3: not valid UTF-8"},
		{"bytes that are no UTF-8 in the name of a member", "{\"caf\xe9\":1}", "byte 5: not valid UTF-8"},
		{"arrays that are too deep", strings.Repeat("[", 201), "nested deeper than 200 levels at byte 200"},
		{"objects that are too deep", strings.Repeat(`{"a":`, 201), "nested deeper than 200 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := jsontree.Decode([]byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestDecodeObject(t *testing.T) {
	t.Parallel()
	if o, err := jsontree.DecodeObject([]byte(`{"a":1}`)); err != nil || o["a"] != json.Number("1") {
		t.Errorf("got %v, %v", o, err)
	}
	for text, want := range map[string]string{
		`[]`: "is an array", `"x"`: "is a string", `1`: "is a number", `true`: "is a boolean", `null`: "is null", `{`: "not valid JSON",
	} {
		if _, err := jsontree.DecodeObject([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

type name string

func (n name) String() string { return "name " + string(n) }

func TestEncodeTakesGoValues(t *testing.T) {
	t.Parallel()
	got := string(jsontree.Encode(jsontree.Object{
		"int": 1, "int64": int64(math.MinInt64), "float": 1.50, "raw": json.RawMessage(`{"a":1}`), "stringer": name("x"), "nil": nil, "nan": math.NaN(),
	}))
	want := `{"float":1.5,"int":1,"int64":-9223372036854775808,"nan":null,"nil":null,"raw":{"a":1},"stringer":"name x"}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEncodeOfWhatIsNoTreePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a channel was encoded")
		}
	}()
	jsontree.Encode(make(chan int))
}

func TestFloat(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]json.Number{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -1: "-1", 0.1: "0.1", 1.5: "1.5", 1e14: "100000000000000", 1e15: "1e+15",
		1e-7: "1e-07", math.MaxFloat64: "1.7976931348623157e+308", math.SmallestNonzeroFloat64: "5e-324",
		math.Inf(1): "null", math.Inf(-1): "null",
	} {
		if got := jsontree.Float(f); got != want {
			t.Errorf("%g: got %s, want %s", f, got, want)
		}
	}
}

// random returns a random tree; names and texts contain all kinds of characters.
func random(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case n == 0 && depth > 0:
		o := jsontree.Object{}
		for range r.IntN(20) {
			o[text(r)] = random(r, depth-1)
		}
		return o
	case n <= 2 && depth > 0:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = random(r, depth-1)
		}
		return list
	case n == 3:
		return nil
	case n == 4:
		return r.IntN(2) == 0
	case n == 5:
		return json.Number(fmt.Sprint(r.Int64()))
	case n == 6:
		return jsontree.Float(r.NormFloat64() * math.Pow(10, float64(r.IntN(40)-20)))
	}
	return text(r)
}

func text(r *rand.Rand) string {
	runes := []rune("ab\"\\/<&>\x00\n\x1f\x7fäß\u2028\ufffd😀")
	out := make([]rune, r.IntN(6))
	for i := range out {
		out[i] = runes[r.IntN(len(runes))]
	}
	return string(out)
}

func TestEncodingAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range trials.Count(3000) {
		v := random(r, 4)
		encoded := jsontree.Encode(v)
		var theirs any
		d := json.NewDecoder(bytes.NewReader(encoded))
		d.UseNumber()
		if err := d.Decode(&theirs); err != nil {
			t.Fatalf("%s: %s", encoded, err)
		}
		if !reflect.DeepEqual(theirs, v) {
			t.Fatalf("%s is read as %#v, was %#v", encoded, theirs, v)
		}
		ours, err := jsontree.Decode(encoded)
		if err != nil || !reflect.DeepEqual(ours, v) {
			t.Fatalf("%s: %v", encoded, err)
		}
		shuffled, err := json.MarshalIndent(v, " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		again, err := jsontree.Decode(shuffled)
		if err != nil || !bytes.Equal(jsontree.Encode(again), encoded) {
			t.Fatalf("%s encodes to %s, %v", shuffled, jsontree.Encode(again), err)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	t.Parallel()
	v := jsontree.Object{"a": []any{jsontree.Object{"b": "c"}}}
	c := jsontree.Clone(v).(jsontree.Object)
	if !jsontree.Equal(v, c) {
		t.Fatalf("got %v", c)
	}
	c["a"].([]any)[0].(jsontree.Object)["b"] = "d"
	c["x"] = 1
	if got := string(jsontree.Encode(v)); got != `{"a":[{"b":"c"}]}` {
		t.Errorf("the original is %s", got)
	}
	if jsontree.Equal(v, c) {
		t.Error("different trees are equal")
	}
}

func TestSortedAndKindOf(t *testing.T) {
	t.Parallel()
	if got := jsontree.Sorted(jsontree.Object{"b": 1, "": 2, "a": 3}); !slices.Equal(got, []string{"", "a", "b"}) {
		t.Errorf("got %v", got)
	}
	for want, v := range map[string]any{"null": nil, "a boolean": true, "a string": "", "a number": 1, "an array": []any{}, "an object": jsontree.Object{}, "chan int": make(chan int)} {
		if got := jsontree.KindOf(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// FuzzDecode decodes arbitrary texts. There must be no panic, it must agree with encoding/json
// about validity, and the encoding must be stable.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"b":[1,{"a":null}],"a":"\u2028\ud800"}`, `"\xff"`, `[1e999,-0,0.10]`, `{}{}`, `[[[[`, `"[\"`, "\ufeff{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsontree.Decode(text)
		if err != nil {
			if json.Valid(text) && jsontree.CheckText(text) == nil && !strings.Contains(err.Error(), "nested deeper") {
				t.Fatalf("%q is refused: %s", text, err)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is no JSON but accepted", text)
		}
		agree(t, text)
		encoded := jsontree.Encode(v)
		again, err := jsontree.Decode(encoded)
		if err != nil || !bytes.Equal(jsontree.Encode(again), encoded) {
			t.Fatalf("%q encodes to %q, then to %q (%v)", text, encoded, jsontree.Encode(again), err)
		}
	})
}

func BenchmarkDecodeAndEncode(b *testing.B) {
	text := []byte(`{"fields":[` + strings.Repeat(`{"fieldPath":"customer_id","nullable":true,"type":{"type":{"com.example.StringType":{}}},"length":255},`, 99) + `{}]}`)
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jsontree.Decode(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encode", func(b *testing.B) {
		v, err := jsontree.Decode(text)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			dst = jsontree.Append(dst[:0], v)
		}
	})
}
