package jsontree_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

func TestMembersOfAnotherKindReadAsZero(t *testing.T) {
	t.Parallel()
	o, err := jsontree.DecodeObject([]byte(`{"text":"a","yes":true,"n":9007199254740993,"o":{"in":"b"},"mixed":["x",1,{"in":"c"},null]}`))
	if err != nil {
		t.Fatal(err)
	}
	if jsontree.Text(o, "text") != "a" || !jsontree.Bool(o, "yes") || jsontree.Int(o, "n") != 9007199254740993 {
		t.Errorf("plain members of %v read wrong", o)
	}
	if jsontree.Text(jsontree.Child(o, "o"), "in") != "b" {
		t.Error("the member of a child is lost")
	}
	if got := jsontree.Texts(o, "mixed"); !slices.Equal(got, []string{"x"}) {
		t.Errorf("texts are %v", got)
	}
	if got := jsontree.Children(o, "mixed"); len(got) != 1 || got[0]["in"] != "c" {
		t.Errorf("children are %v", got)
	}
	if got := jsontree.Array(o, "mixed"); len(got) != 4 || jsontree.AsObject(got[2])["in"] != "c" || jsontree.AsObject(got[0]) != nil {
		t.Errorf("the array is %v", got)
	}
	for _, other := range []jsontree.Object{nil, {}, {"m": 1.5}} {
		if jsontree.Text(other, "m") != "" || jsontree.Bool(other, "m") || jsontree.Int(other, "m") != 0 || jsontree.Child(other, "m") != nil || jsontree.Array(other, "m") != nil ||
			len(jsontree.Texts(other, "m")) != 0 || len(jsontree.Children(other, "m")) != 0 {
			t.Errorf("%v has members", other)
		}
	}
}

func TestWithLeavesTheOriginal(t *testing.T) {
	t.Parallel()
	o := jsontree.Object{"a": "1", "b": "2"}
	c := jsontree.With(o, jsontree.Object{"b": nil, "c": jsontree.Number(-3), "d": jsontree.List([]string{"x"})})
	if got := string(jsontree.Encode(c)); got != `{"a":"1","c":-3,"d":["x"]}` {
		t.Errorf("got %s", got)
	}
	if len(o) != 2 || jsontree.Number(-3) != json.Number("-3") {
		t.Errorf("the original became %v", o)
	}
}
