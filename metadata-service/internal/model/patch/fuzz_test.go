package patch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
)

// templates returns the aspects with built-in keys.
func templates(tb testing.TB) []*model.AspectSpec {
	tb.Helper()
	var list []*model.AspectSpec
	for _, a := range registry(tb).Aspects() {
		if a.Patch != nil {
			list = append(list, a)
		}
	}
	return list
}

// FuzzApply applies arbitrary patches to arbitrary values of template aspects. There must be no
// panic, the value must not change, and the result must conform or be refused.
func FuzzApply(f *testing.F) {
	aspects := templates(f)
	seeds := []struct{ current, document string }{
		{``, `[{"op":"add","path":"/owners/a/b","value":{}}]`},
		{`{"owners":[{"owner":"a","type":"b"}]}`, `[{"op":"move","from":"/owners/a","path":"/owners/c"},{"op":"copy","from":"/owners","path":"/tags"}]`},
		{`{"tags":[{"tag":"a"},null,"b"]}`, `{"patch":[{"op":"copy","from":"/tags","path":"/tags/x"},{"op":"remove","path":"/tags/a"}],"arrayPrimaryKeys":{"tags":["tag"]}}`},
		{`{"fineGrainedLineages":[{"upstreams":["a"],"downstreams":["b"]},{}]}`, `[{"op":"copy","from":"/fineGrainedLineages/NONE","path":"/fineGrainedLineages/COPY"},{"op":"add","path":"/fineGrainedLineages/NONE/b","value":[1]}]`},
		{`{"inputs":[{"string":"a"}]}`, `[{"op":"move","from":"/inputs","path":""},{"op":"test","path":"","value":[]}]`},
		{`{"a":[[1,2],[3]]}`, `{"patch":[{"op":"remove","path":"/a/0/1"},{"op":"add","path":"/a/-/-","value":{}}],"arrayPrimaryKeys":{"a.*":[],"a.*.*":["x","y␟z|w"]}}`},
		{`{}`, `{"patch":[{"op":"add","path":"/~01/~10//","value":null}],"forceGenericPatch":true}`},
	}
	for _, seed := range seeds {
		for i := range aspects {
			f.Add(uint8(i), []byte(seed.current), []byte(seed.document))
		}
	}
	stamp := object(f, stampText)
	f.Fuzz(func(t *testing.T, i uint8, currentText, document []byte) {
		a := aspects[int(i)%len(aspects)]
		doc, err := patch.Parse(document)
		if err != nil {
			return
		}
		current, _ := jsontree.DecodeObject(currentText)
		before := string(jsontree.Encode(current))
		out, err := doc.Apply(a, current, stamp)
		if after := string(jsontree.Encode(current)); after != before {
			t.Fatalf("the current value %s was changed to %s", before, after)
		}
		if err != nil {
			return
		}
		value, _, err := registry(t).Conform(a, out)
		if err != nil {
			return
		}
		unchanged, err := patch.Document{Generic: doc.Generic, ArrayKeys: doc.ArrayKeys}.Apply(a, value, stamp)
		if err != nil {
			t.Fatalf("no operations on %s: %v", jsontree.Encode(value), err)
		}
		if _, _, err := registry(t).Conform(a, unchanged); err != nil {
			t.Fatalf("no operations on %s: %v", jsontree.Encode(value), err)
		}
	})
}

func BenchmarkApply(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprintf("one tag more beside %d", n), func(b *testing.B) {
			tags := make([]string, n)
			for i := range tags {
				tags[i] = fmt.Sprintf(`{"tag":"urn:li:tag:t%d"}`, i)
			}
			current := object(b, `{"tags":[`+strings.Join(tags, ",")+`]}`)
			doc, err := patch.Parse([]byte(`[{"op":"add","path":"/tags/urn:li:tag:new","value":{"tag":"urn:li:tag:new"}}]`))
			if err != nil {
				b.Fatal(err)
			}
			a, stamp := aspect(b, "globalTags"), object(b, stampText)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := doc.Apply(a, current, stamp); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
