package jsontree_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/trials"
)

// byStandard decodes a text with encoding/json, after CheckText has accepted it.
func byStandard(text []byte) (any, bool) {
	if !json.Valid(text) || jsontree.CheckText(text) != nil {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err == nil
}

func TestDecodeAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`0`, `-0`, `01`, `1.`, `.5`, `1.5e+3`, `1E-2`, `1e`, `-`, `--1`, `+1`, `0x1`, `1_000`, `12345678901234567890.123`,
		`"a\u0041\u00e9\n\t\/\\\""`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00x"`, `"\u12g4"`, `"\u12`, `"\x"`, `"\`, `"`, "\"\n\"", "\"\x7f\"", "\"\xff\"", "\"a\\n\xff\"", `"é😀"`,
		`"\u0000"`, `"\ufffd"`, `"\uFFFE"`, "\"\u2028\"",
		`[]`, `[ ]`, `[1,]`, `[,1]`, `[1 2]`, `[`, `]`, `[[],{}]`, "\t[\r\n1 , 2 ] ",
		`{}`, `{ }`, `{"a":1,"a":2}`, `{"a":{"b":1},"a":{"c":2}}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"":null}`, `{"\u0061":1}`, `{1:2}`, `{"a" : 1 , "b" : [true , false , null]}`,
		`true`, `tru`, `truex`, `nul`, `false false`, ``, ` `, "\ufeff{}", "{}\x00", `{"a":1}}`,
	} {
		agree(t, []byte(text))
	}
}

// TestDecodeAgreesOnMutations changes single bytes of valid texts.
func TestDecodeAgreesOnMutations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	const alphabet = "{}[]\",:\\u0123eE+-. \tntfal\xc3\xff"
	for range trials.Count(3000) {
		text := []byte(jsontree.Encode(random(r, 4)))
		agree(t, text)
		for range 5 {
			mutated := bytes.Clone(text)
			mutated[r.IntN(len(mutated))] = alphabet[r.IntN(len(alphabet))]
			agree(t, mutated)
		}
	}
}

func agree(t *testing.T, text []byte) {
	t.Helper()
	want, valid := byStandard(text)
	got, err := jsontree.Decode(text)
	if (err == nil) != valid || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: got %#v, %v; want %#v, %v", text, got, err, want, valid)
	}
}
