package run_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// under returns a proposal written under a version of a model registry.
func under(name, version string, p catalog.Proposal) catalog.Proposal {
	p.System.RegistryName, p.System.RegistryVersion = name, version
	return p
}

func rollbackRegistry(f *catalogtest.Fixture, id string, o run.Options) run.Result {
	f.T.Helper()
	out, err := f.Runs.RollbackRegistry(f.As(root), id, o)
	if err != nil {
		f.T.Fatal(err)
	}
	return out
}

// An entity that the registry created is soft-deleted if other writers added to it, and removed
// with Hard.
func TestAnEntityOfARegistryWithAspectsOfOthersIsUnsafe(t *testing.T) {
	for _, hard := range []bool{false, true} {
		t.Run(fmt.Sprint("hard ", hard), func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Must(under("custom", "1", catalogtest.Proposal(dataset, "status", `{}`)))
				f.Put(dataset, "editableDatasetProperties", `{"description":"by hand"}`)
				out := rollbackRegistry(f, "custom:1", run.Options{Hard: hard})
				if out.UnsafeCount != 1 || out.AspectsAffected != 1 || !reflect.DeepEqual(out.UnsafeEntities, []urn.URN{dataset}) {
					t.Errorf("got %+v", out)
				}
				if hard {
					f.WantValue(dataset, "datasetKey", "")
					return
				}
				f.WantValue(dataset, "status", `{"removed":true}`)
				f.WantValue(dataset, "editableDatasetProperties", `{"description":"by hand"}`)
			})
		})
	}
}

func TestManyEntitiesOfARegistryAreFoundAmongOthers(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const many = 2500 // several pages, some of them without any row of the registry
	batch := make([]catalog.Proposal, many)
	for i := range batch {
		batch[i] = catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:tag:%04d", i)), "status", `{}`)
		if i < 10 || i >= many-10 {
			batch[i] = under("custom", "1", batch[i])
		}
	}
	f.Must(batch...)
	if out := rollbackRegistry(f, "custom:1", run.Options{}); out.EntitiesDeleted != 20 {
		t.Errorf("got %+v", out)
	}
	if n, err := f.Store.Count(t.Context(), "tag"); n != many-20 || err != nil {
		t.Errorf("%d left, %v", n, err)
	}
}

func TestRegistriesAreNamedWithTheirVersion(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	for _, id := range []string{"", "custom", ":1"} {
		_, err := f.Runs.RollbackRegistry(f.As(root), id, run.Options{})
		catalogtest.WantFault(t, err, fault.Malformed, "registryId must be name:version")
	}
	_, err := f.Runs.RollbackRegistry(t.Context(), "custom:1", run.Options{})
	catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	if out := rollbackRegistry(f, "custom:", run.Options{}); !reflect.DeepEqual(out, run.Result{}) {
		t.Errorf("a registry nobody wrote under gives %+v", out)
	}
}
