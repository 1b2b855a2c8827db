package metatest_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestDeletedAndChangedTestsCleanUpAfterThemselves(t *testing.T) {
	f := newFixture(t)
	f.many(40)
	const sales urn.URN = "urn:li:chart:(looker,sales)"
	f.Put(t, sales, "status", `{"removed":false}`)
	f.Put(t, sales, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	m := f.begin(memory.NewTaskStore(), f.Store)
	sink := metatest.NewOnChange(f.tests, false)
	from := uint64(0)
	settle := func() (kinds []string) {
		t.Helper()
		entries, err := f.Store.Entries(t.Context(), from, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		from, _ = f.Store.Last()
		if err := sink.Apply(store.WithOrigin(f.As(t, model.SystemActor), sink.Name()), entries); err != nil {
			t.Fatal(err)
		}
		list, _, err := m.List(t.Context(), task.Query{Kinds: []string{metatest.CleanupKind}})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			ended, err := m.Wait(t.Context(), one.ID)
			if err != nil || ended.State != task.Succeeded {
				t.Errorf("%+v, %v", ended, err)
			}
			kinds = append(kinds, string(ended.Result))
		}
		return kinds
	}
	root := f.As(t, servicetest.Root)
	kept := f.create("kept", `{"on":{"types":["dataset","chart"]}}`)
	changes := f.create("changes", `{"on":{"types":["dataset","chart"]}}`)
	goes := f.create("goes", `{"on":{"types":["dataset","chart"]},"rules":{"property":"hasOwners","operator":"is_true"}}`)
	if _, err := f.tests.EvaluateAll(root, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := settle(); len(got) != 0 {
		t.Errorf("new tests were cleaned up after: %v", got)
	}
	if err := f.tests.Update(root, changes, metatest.Info{Name: "n", Category: "c", Definition: `{"on":{"types":["chart"]}}`}); err != nil {
		t.Fatal(err)
	}
	if got := settle(); len(got) != 1 || got[0] != `{"assets":42}` {
		t.Errorf("after a change: %v", got)
	}
	if got := f.Get(t, sales, "testResults"); strings.Count(got, "urn:li:test:") != 3 {
		t.Errorf("the chart lost results: %s", got)
	}
	if got := f.Get(t, orders, "testResults"); strings.Contains(got, string(changes)) || !strings.Contains(got, string(goes)) || !strings.Contains(got, string(kept)) {
		t.Errorf("the dataset has %s", got)
	}
	if err := f.tests.Delete(root, goes); err != nil {
		t.Fatal(err)
	}
	if got := settle(); len(got) != 2 || got[0] != `{"assets":43}` {
		t.Errorf("after a deletion: %v", got)
	}
	for _, u := range []urn.URN{sales, orders, invoices} {
		if got := f.Get(t, u, "testResults"); strings.Contains(got, string(goes)) || !strings.Contains(got, string(kept)) {
			t.Errorf("%s has %s", u, got)
		}
	}
}
