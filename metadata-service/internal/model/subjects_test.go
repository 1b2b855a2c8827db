package model_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func TestSubjectsAreReadThroughLists(t *testing.T) {
	t.Parallel()
	value, err := jsontree.DecodeObject([]byte(`{"entityUrn":"a","datasetAssertion":{"dataset":"b","fields":["c","d"]},"customAssertion":{"entity":1,"field":"e"},"fieldAssertion":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := model.SubjectsOf("assertion").In("assertionInfo", value); !slices.Equal(got, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("got %v", got)
	}
	if got := model.SubjectsOf("dataset"); got.Aspect != "" || got.In("", value) != nil || got.Aspects() != nil {
		t.Errorf("a dataset is about %+v", got)
	}
}
