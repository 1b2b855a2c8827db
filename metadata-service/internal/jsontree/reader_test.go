package jsontree_test

import (
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

func FuzzReader(f *testing.F) {
	for _, text := range []string{`{"a":"b","c":"\"\\\n\u00e9é"}`, `["1",2,true,null,[]]`, `"a\"`, `{"a":{}}`, ` -12 `, `"a`, `{"a":1,}`, `1e3`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := jsontree.NewReader(text)
		got, ok := take(r)
		if !ok || !r.End() {
			return
		}
		want, err := jsontree.Decode(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is read as %#v, decoded as %#v, %v", text, got, want, err)
		}
	})
}

// take returns the tree of the value that a Reader consumes.
func take(r *jsontree.Reader) (any, bool) {
	if r.IsText() {
		text, ok := r.Bytes()
		return string(text), ok
	}
	if r.Null() {
		return nil, true
	}
	if value, ok := r.Bool(); ok {
		return value, true
	}
	object := jsontree.Object{}
	array := []any{}
	switch {
	case r.Object(func(name string) bool {
		value, ok := r.Text()
		object[name] = value
		return ok
	}):
		return object, true
	case r.Array(func() bool {
		value, ok := take(r)
		array = append(array, value)
		return ok
	}):
		return array, true
	}
	return nil, false
}

func TestReaderTakesWholeNumbersAndTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "-7": -7, "9223372036854775807": 1<<63 - 1} {
		r := jsontree.NewReader([]byte(text))
		if n, ok := r.Int(); !ok || n != want || !r.End() {
			t.Errorf("%s: got %d, %t", text, n, ok)
		}
	}
	for _, text := range []string{"1.0", "1e3", "9223372036854775808", `"1"`, "-", ""} {
		if n, ok := jsontree.NewReader([]byte(text)).Int(); ok {
			t.Errorf("%s: got %d, want none", text, n)
		}
	}
	texts, ok := jsontree.NewReader([]byte(`{"a":"1","b":"2","a":"3"}`)).Texts()
	if want := map[string]string{"a": "3", "b": "2"}; !ok || !reflect.DeepEqual(texts, want) {
		t.Errorf("got %v, %t, want %v", texts, ok, want)
	}
	if _, ok := jsontree.NewReader([]byte(`{"a":null}`)).Texts(); ok {
		t.Error("null counts as a text")
	}
}
