package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestVerdictsAreTheSameHoweverResultsAreSpelled generates results, regular and irregular ones. In
// stored form they are read without decoding; with a space behind the first brace they are decoded.
func TestVerdictsAreTheSameHoweverResultsAreSpelled(t *testing.T) {
	t.Parallel()
	registry := registry(t)
	made := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // results of a test
	spec, _ := registry.Aspect("testResults")
	tests := []string{"urn:li:test:a", "urn:li:test:b", `urn:li:test:"},"test":"x`, `urn:li:test:],"passing":[`, "urn:li:test:ä\\", "urn:li:test:{}"}
	irregular := 0
	for range 500 {
		entries := func(outcome string) []any {
			out := []any{}
			for range made.IntN(4) {
				e := map[string]any{"test": tests[made.IntN(len(tests))], "type": outcome}
				if made.IntN(10) == 0 {
					e["type"] = "SUCCESS"
				}
				if made.IntN(8) > 0 {
					e["testDefinitionMd5"] = fmt.Sprint("md5-", made.IntN(3))
				}
				if made.IntN(8) > 0 {
					e["lastComputed"] = map[string]any{"time": 5, "actor": "urn:li:corpuser:jo"}
					if made.IntN(8) == 0 {
						e["lastComputed"].(map[string]any)["message"] = `},"test":"urn:li:test:z`
					}
				}
				out = append(out, e)
			}
			return out
		}
		text, err := json.Marshal(map[string]any{"passing": entries("SUCCESS"), "failing": entries("FAILURE")})
		if err != nil {
			t.Fatal(err)
		}
		stored, _, _, err := registry.ConformText(spec, text)
		if err != nil {
			t.Fatal(err)
		}
		verdicts := func(value []byte) []string {
			s := shelf{orders: {"datasetKey": shop()[orders]["datasetKey"], "testResults": string(value)}}
			docs, err := document.NewBuilder(registry, s).Build(t.Context(), []document.Source{{URN: urn.URN(orders), Records: s.records(orders)}})
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, v := range docs[0].Fields[document.Verdicts] {
				out = append(out, v.Text)
			}
			return out
		}
		scanned, decoded := verdicts(stored), verdicts(bytes.Replace(stored, []byte("{"), []byte("{ "), 1))
		if !slices.Equal(scanned, decoded) {
			t.Fatalf("%s\nscanned %q\ndecoded %q", stored, scanned, decoded)
		}
		if slices.Contains(scanned, document.IrregularVerdicts) {
			irregular++
		}
	}
	if irregular < 20 || irregular > 400 {
		t.Errorf("%d of 500 results are irregular, which tries too little", irregular)
	}
}
