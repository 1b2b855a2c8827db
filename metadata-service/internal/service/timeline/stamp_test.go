package timeline_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestStampsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]map[string]int64{
		"":                              {},
		"schemaMetadata:7":              {"schemaMetadata": 7},
		"globalTags:2;schemaMetadata:0": {"globalTags": 2, "schemaMetadata": 0},
	} {
		if got, err := timeline.ParseStamp(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

func FuzzStamp(f *testing.F) {
	for _, text := range []string{"a", "a:", ":1", "a:1;", "a:-1", "a:1;a:2", "a:99999999999999999999", "a:1:2", strings.Repeat("a", 20_000)} {
		f.Add(text)
		if _, err := timeline.ParseStamp(text); err == nil {
			f.Errorf("%.20q was read", text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		versions, err := timeline.ParseStamp(text)
		if err != nil && !errors.Is(err, fault.Malformed) {
			t.Errorf("got %v", err)
		}
		for name, version := range versions {
			if name == "" || version < 0 {
				t.Errorf("%q names version %d of %q", text, version, name)
			}
		}
	})
}
