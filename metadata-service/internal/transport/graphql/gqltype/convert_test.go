package gqltype_test

import (
	"encoding/json"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestLongsAreTakenInEveryForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   any
		want gqltype.Long
		ok   bool
	}{
		{int64(1) << 53, 1 << 53, true}, {int32(-3), -3, true}, {7, 7, true}, {float64(9), 9, true},
		{json.Number("9223372036854775807"), 1<<63 - 1, true}, {"42", 42, true}, {nil, 0, true},
		{json.Number("9223372036854775808"), 0, false}, {"x", 0, false},
	} {
		var got gqltype.Long
		err := got.UnmarshalGraphQL(c.in)
		if (err == nil) != c.ok || c.ok && got != c.want {
			t.Errorf("%v (%T): %d, %v", c.in, c.in, got, err)
		}
	}
	if !gqltype.Long(0).ImplementsGraphQLType("Long") || gqltype.Long(0).ImplementsGraphQLType("Int") {
		t.Error("the scalar is Long and no other")
	}
}

// Numbers outside the range of a type count as absent.
func TestNumbersOutOfRangeAreLeftOut(t *testing.T) {
	t.Parallel()
	want := selectionOn(t, `{ ... on Dataset { schemaMetadata { version } } }`)
	for text, version := range map[string]gqltype.Long{"5": 5, "9223372036854775807": 1<<63 - 1, "1e3": 1000, "1e300": 0, "-1e300": 0, "9223372036854775808": 0, `"5"`: 0} {
		value, err := jsontree.DecodeObject([]byte(`{"version":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		l := gqltype.NewLoader(&recordingReader{}, computed{})
		got := l.ToSchemaMetadata(t.Context(), gqltype.Place{URN: "urn:li:dataset:x"}, value, want.Of("Dataset")["schemaMetadata"])
		if got == nil || got.Version != version {
			t.Errorf("%s: %+v", text, got)
		}
	}
	l := gqltype.NewLoader(&recordingReader{}, computed{})
	if got := l.ToSchemaMetadata(t.Context(), gqltype.Place{}, "text", nil); got != nil {
		t.Errorf("a text became %+v", got)
	}
}

func TestTypesOfTheModelAndOfTheSchemaFitTogether(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dataset", "corpuser", "tag", "mlModel", "dataHubAccessToken", "glossaryTerm"} {
		value, ok := gqltype.TypeValue(name)
		back, there := gqltype.TypeName(value)
		if !ok || !there || back != name {
			t.Errorf("%s is %q, and that is %q", name, value, back)
		}
	}
	if _, ok := gqltype.TypeValue("nothing"); ok {
		t.Error("an entity type that does not exist has a value")
	}
	if _, ok := gqltype.TypeName("OTHER"); ok {
		t.Error("OTHER stands for an entity type")
	}
}

func TestInterfacesHoldTheTypeOfTheURN(t *testing.T) {
	t.Parallel()
	l := gqltype.NewLoader(&recordingReader{}, computed{})
	for u, want := range map[urn.URN]string{"urn:li:tag:a": "TAG", "urn:li:corpuser:jo": "CORP_USER"} {
		if e := l.Entity(u, nil); e == nil || e.Urn() != string(u) || e.Type() != want {
			t.Errorf("%s: %+v", u, e)
		}
	}
	if e := l.Entity("urn:li:nothing:a", nil); e != nil {
		t.Errorf("an unknown type gave %+v", e)
	}
	tag := l.Entity("urn:li:tag:a", nil)
	if _, ok := tag.ToTag(); !ok {
		t.Error("a tag is no tag")
	}
	if _, ok := tag.ToDataset(); ok {
		t.Error("a tag is a dataset")
	}
}
