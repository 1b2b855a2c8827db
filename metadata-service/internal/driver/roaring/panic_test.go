package roaring_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
)

func TestAMergeThatPanicsIsReportedAndChangesGoOn(t *testing.T) {
	t.Parallel()
	x, err := roaring.Open(roaring.Config{Schemas: sample.Schemas()})
	if err != nil {
		t.Fatal(err)
	}
	x.MergeBroken()
	for i := range 200 {
		d := sample.Document(i)
		if err := x.Apply(t.Context(), uint64(i+1), []search.Change{{URN: d.URN, Document: d}}); err != nil {
			t.Fatal(err)
		}
	}
	x.AwaitMerges()
	if n := len(content(t, x)); n != 200 {
		t.Errorf("%d documents, want 200", n)
	}
	if state := x.Condition(); state.Damage == nil || !strings.Contains(state.Damage.Error(), "panic: ") {
		t.Errorf("condition is %+v", state)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}
