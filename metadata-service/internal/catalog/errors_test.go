package catalog_test

import (
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestErrorsOfABatchLeadToTheirCauses(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	_, err := f.Write(f.As(root), []catalog.Proposal{
		catalogtest.Proposal(dataset, "status", `{}`),
		catalogtest.Proposal("urn:li:nothing:x", "status", `{}`),
		catalogtest.Proposal(dataset, "status", `{"removed":"perhaps"}`),
	}, catalog.WriteOptions{})
	var batch *catalog.WriteError
	if !errors.As(err, &batch) || len(batch.Items) != 2 || batch.Items[0].Index != 1 || batch.Items[1].Index != 2 {
		t.Fatalf("got %v", err)
	}
	for i, item := range batch.Items {
		if !errors.Is(err, item.Err) {
			t.Errorf("item %d is not found in the error", i)
		}
	}
	f.WantValue(dataset, "status", "")
}

// A conflict belongs to a proposal: the error of the batch names it, and nothing is written.
func TestAConflictIsToldWithItsProposal(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put("urn:li:domain:a", "domainProperties", `{"name":"Sales"}`)
		_, err := f.Write(f.As(root), []catalog.Proposal{
			catalogtest.Proposal(dataset, "status", `{}`), catalogtest.Proposal("urn:li:domain:b", "domainProperties", `{"name":"Sales"}`),
		}, catalog.WriteOptions{Async: true, UniqueNames: true})
		catalogtest.WantFault(t, err, fault.Conflict, `"Sales" already exists`)
		var batch *catalog.WriteError
		if !errors.As(err, &batch) || len(batch.Items) != 1 || batch.Items[0].Index != 1 || batch.Items[0].URN != "urn:li:domain:b" || !batch.Async {
			t.Errorf("got %+v", batch)
		}
		f.WantValue(dataset, "status", "")
		f.MustAs(model.SystemActor, catalogtest.Proposal(dataset, "status", `{}`))
	})
}
