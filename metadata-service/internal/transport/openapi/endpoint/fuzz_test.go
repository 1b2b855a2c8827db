package endpoint_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

func FuzzListParameters(f *testing.F) {
	for _, seed := range []string{"a,b", ",,", " a , b ", strings.Repeat("a,", 1200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		items := endpoint.AppendListed(text)
		if len(items) > endpoint.MaxListItems+1 {
			t.Errorf("%d items, want at most %d", len(items), endpoint.MaxListItems+1)
		}
		for _, item := range items {
			if item == "" || strings.Contains(item, ",") || strings.TrimSpace(item) != item || !strings.Contains(text, item) {
				t.Errorf("%q gives the item %q", text, item)
			}
		}
	})
}

func FuzzTraceIDs(f *testing.F) {
	f.Add("00063b40f2efa0001eca40cb746277be")
	f.Add("00-00063b40f2efa0001eca40cb746277be-fd200ac72c757033-01")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := endpoint.ParseTraceID(text)
		if err == nil && (len(id) != 32 || !strings.Contains(strings.ToLower(text), id)) {
			t.Errorf("%q gives the id %q", text, id)
		}
	})
}
