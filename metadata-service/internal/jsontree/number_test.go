package jsontree_test

import (
	"encoding/json"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

func TestDoublesHaveAFraction(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]json.Number{
		0: "0.0", 30: "30.0", -2: "-2.0", 2.5: "2.5", 1e14: "100000000000000.0", 1e21: "1e+21", 1e-7: "1e-07",
	} {
		if got := jsontree.Double(value); got != want {
			t.Errorf("%g gives %s, want %s", value, got, want)
		}
	}
}

func TestTextsAreTheSameButForTheFractionOfWholeNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, older, newer string
		same               bool
	}{
		{"equal texts", `{"a":[1,"x"]}`, `{"a":[1,"x"]}`, true},
		{"a fraction came", `{"a":[30,0],"b":1}`, `{"a":[30.0,0.0],"b":1}`, true},
		{"a fraction at the end", `30`, `30.0`, false},
		{"a fraction went", `{"a":30.0}`, `{"a":30}`, false},
		{"another fraction", `{"a":1}`, `{"a":1.05}`, false},
		{"fractions as they are", `{"a":1.05,"b":1.0}`, `{"a":1.05,"b":1.0}`, true},
		{"another number", `{"a":3}`, `{"a":30.0}`, false},
		{"inside a text", `{"a":"version 3"}`, `{"a":"version 3.0"}`, false},
		{"inside a text with escapes", `{"a":"\\\"3"}`, `{"a":"\\\"3.0"}`, false},
		{"behind a text with escapes", `{"a":"\\","b":3}`, `{"a":"\\","b":3.0}`, true},
		{"the beginning of it", `{"a":3}`, `{"a":3`, false},
		{"more than it", `{"a":3}`, `{"a":3}}`, false},
	} {
		if got := jsontree.SameText([]byte(c.older), []byte(c.newer)); got != c.same {
			t.Errorf("%s: %s and %s are the same: %t, want %t", c.name, c.older, c.newer, got, c.same)
		}
	}
}

func TestWholeNumbersAreEqualWithAndWithoutAFraction(t *testing.T) {
	t.Parallel()
	tree := func(text string) any {
		v, err := jsontree.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{`{"a":[30]}`, `{"a":[30.0]}`, true}, {`{"a":[30.0]}`, `{"a":[30]}`, true}, {`{"a":30}`, `{"a":"30"}`, false},
		{`{"a":1}`, `{"b":1}`, false}, {`[1]`, `[1,2]`, false}, {`{"a":{}}`, `{"a":[]}`, false}, {`"3"`, `"3.0"`, false},
	} {
		if got := jsontree.Equal(tree(c.a), tree(c.b)); got != c.equal {
			t.Errorf("%s and %s are equal: %t, want %t", c.a, c.b, got, c.equal)
		}
	}
}
