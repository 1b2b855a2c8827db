package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

const columnCount = 450 // more than two transactions of a cleanup

// putColumns gives a dataset columns with a business attribute each.
func putColumns(f *catalogtest.Fixture, of urn.URN) {
	f.Put("urn:li:businessAttribute:a", "businessAttributeInfo", `{"fieldPath":"a","name":"A","created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	batch := make([]catalog.Proposal, columnCount)
	for i := range batch {
		batch[i] = catalogtest.Proposal(model.ColumnURN(of, fmt.Sprintf("c%d (x)", i)), "businessAttributes", `{"businessAttribute":{"businessAttributeUrn":"urn:li:businessAttribute:a"}}`)
	}
	f.Must(batch...)
}

// columnsFound returns the number of columns that a search without soft-deleted entities finds by
// their attribute.
func columnsFound(f *catalogtest.Fixture) int {
	return f.Found(search.Filter{{
		{Field: "schemaFieldBusinessAttribute", Values: []string{"urn:li:businessAttribute:a"}},
		{Field: "removed", Values: []string{"true"}, Negated: true},
	}})
}

func wantColumns(t *testing.T, f *catalogtest.Fixture, of urn.URN, removed bool, want int) {
	t.Helper()
	if n := columnsFound(f); n != want {
		t.Errorf("%d columns are found, want %d", n, want)
	}
	marked, err := f.SoftDeleted(t.Context(), []urn.URN{model.ColumnURN(of, "c7 (x)")})
	if err != nil || marked[0] != removed {
		t.Errorf("soft-deleted: %v, %v, want %v", marked, err, removed)
	}
}

func TestColumnsAreRemovedAndRestoredWithTheirDataset(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		table, other := catalogtest.Table("t"), catalogtest.Table("tt")
		f.Put(table, "status", `{"removed":false}`)
		f.Put(other, "status", `{"removed":true}`)
		putColumns(f, table)
		own := model.ColumnURN(table, "c1 (x)")
		f.Put(own, "status", `{"removed":true}`)
		wantColumns(t, f, table, false, columnCount-1)
		f.Put(table, "status", `{"removed":true}`)
		wantColumns(t, f, table, true, 0)
		late := model.ColumnURN(table, "late")
		f.Put(late, "businessAttributes", `{"businessAttribute":{"businessAttributeUrn":"urn:li:businessAttribute:a"}}`)
		wantColumns(t, f, table, true, 0)
		f.Must(catalog.Proposal{URN: string(table), Change: model.Patch, Aspect: "status", Value: []byte(`[{"op":"add","path":"/removed","value":false}]`)})
		wantColumns(t, f, table, false, columnCount)
		f.Put(table, "status", `{"removed":true}`)
		f.Must(catalog.Proposal{URN: string(table), Change: model.Delete, Aspect: "status"})
		wantColumns(t, f, table, false, columnCount)
	})
}

func TestColumnsAreDeletedWithTheirDataset(t *testing.T) {
	onRemovals(t, dataset, "datasetKey", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		if strings.Contains(t.Name(), "all_but_the_key") {
			return // the dataset remains
		}
		f.Must(byRun(catalogtest.Proposal(dataset, "status", `{"removed":false}`)))
		putColumns(f, dataset)
		unrelated := model.ColumnURN(catalogtest.Table("other"), "c")
		f.Put(unrelated, "documentation", `{"documentations":[]}`)
		remove()
		wantColumns(t, f, dataset, false, 0)
		for _, i := range []int{0, columnCount - 1} {
			f.WantValue(model.ColumnURN(dataset, fmt.Sprintf("c%d (x)", i)), "schemaFieldKey", "")
		}
		if f.Value(unrelated, "documentation") == "" {
			t.Error("the column of another dataset was deleted")
		}
		// A dataset that is created again does not get them back.
		f.Put(dataset, "status", `{"removed":false}`)
		wantColumns(t, f, dataset, false, 0)
	})
}
