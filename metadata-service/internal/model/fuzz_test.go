package model_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// FuzzConform passes arbitrary texts to arbitrary aspects. There must be no panic. An accepted
// value is canonical, is accepted unchanged when conformed again, and has a tagged form that
// conforms to the same value.
func FuzzConform(f *testing.F) {
	r := registry(f)
	for i, a := range r.Aspects() {
		f.Add(uint16(i), []byte(jsontree.Encode(maximal(r, a, i))))
		f.Add(uint16(i), []byte(jsontree.Encode(avro(a.Record, maximal(r, a, i)))))
	}
	f.Add(uint16(0), []byte(`{"com.linkedin.common.Access":{"roles":{"array":[null,{"urn":5}]}}}`))
	f.Add(uint16(9), []byte(`{"__type":{},"a":1e999}`))
	f.Fuzz(func(t *testing.T, i uint16, text []byte) {
		a := r.Aspects()[int(i)%len(r.Aspects())]
		canonical, out, _, err := r.ConformText(a, text)
		if err != nil {
			return
		}
		again, _, _, err := r.ConformText(a, canonical)
		if err != nil || string(again) != string(canonical) {
			t.Fatalf("%s: %s conforms to %s, then to %s (%v)", a.Name, text, canonical, again, err)
		}
		back, _, err := r.Conform(a, model.Tagged(a.Record, out))
		if err != nil || string(jsontree.Encode(back)) != string(canonical) {
			t.Fatalf("%s: tagged form of %s leads to %s (%v)", a.Name, canonical, jsontree.Encode(back), err)
		}
		model.WithDefaults(a.Record, back)
		if _, _, err := r.Conform(a, back); err != nil {
			t.Fatalf("%s: %s with defaults: %v", a.Name, canonical, err)
		}
	})
}

// FuzzResolve passes arbitrary texts as URNs. There must be no panic, and the key of a resolved URN
// must give the same URN.
func FuzzResolve(f *testing.F) {
	r := registry(f)
	for _, e := range r.Entities() {
		f.Add(e.Example)
	}
	for _, text := range []string{"", "urn:li:tag:", "urn:li:tag:(a,,b)", "urn:li:dataset:((,),a,PROD)", "urn:li:tag:a\xff", "urn:li:chart:(a,(b,c))"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, spec, err := r.Resolve(text)
		if err != nil || model.CheckWritable(u, spec) != nil {
			return
		}
		back, err := spec.URNOf(spec.KeyValue(u))
		if err != nil || back != u {
			t.Fatalf("key of %q leads to %q, %v", u, back, err)
		}
	})
}
