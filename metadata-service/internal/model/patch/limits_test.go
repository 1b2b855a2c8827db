package patch_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Each element of an array is searched for its key fields, so a long list of alternatives costs its
// length times the length of the array.
func TestKeyFieldsAreShort(t *testing.T) {
	t.Parallel()
	for field, ok := range map[string]bool{"attribution␟source|tag": true, strings.Repeat("a|", 250): true, strings.Repeat("a|", 250) + "b": false, strings.Repeat("a␟", 300): false} {
		_, err := patch.Parse([]byte(`{"patch":[],"arrayPrimaryKeys":{"tags":["` + field + `"]}}`))
		if (err == nil) != ok || err != nil && (fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "at most 500")) {
			t.Errorf("%.20s of %d bytes: %v", field, len(field), err)
		}
	}
}

// Each of these operations shifts every element of the array.
func TestMovesWithinAnArrayAreBounded(t *testing.T) {
	t.Parallel()
	r := registry(t)
	spec, _ := r.Aspect("browsePathsV2")
	const elements = 100_000
	array := strings.TrimSuffix(strings.Repeat(`{"id":"a"},`, elements), ",")
	for name, c := range map[string]struct {
		operation string
		times     int
		refused   bool
	}{
		"additions at the front":          {`{"op":"add","path":"/path/0","value":{"id":"b"}},`, 1000, true},
		"removals at the front":           {`{"op":"remove","path":"/path/0"},`, 1000, true},
		"moves from the front to the end": {`{"op":"move","from":"/path/0","path":"/path/-"},`, 1000, true},
		"copies to the front":             {`{"op":"copy","from":"/path/1","path":"/path/0"},`, 1000, true},
		"a few at the front":              {`{"op":"add","path":"/path/0","value":{"id":"b"}},`, 100, false},
		"additions at the end":            {`{"op":"add","path":"/path/-","value":{"id":"b"}},`, 10_000, false},
		"replacements at the front":       {`{"op":"replace","path":"/path/0","value":{"id":"b"}},`, 10_000, false},
	} {
		doc, err := patch.Parse([]byte(`{"forceGenericPatch":true,"patch":[` + strings.TrimSuffix(strings.Repeat(c.operation, c.times), ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		current, err := jsontree.DecodeObject([]byte(`{"path":[` + array + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = doc.Apply(spec, current, object(t, stampText))
		if (err != nil) != c.refused || c.refused && fault.KindOf(err) != fault.TooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
}
