package rule_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	dbtOrders, warehouseOrders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:dbt,db.orders,PROD)", "urn:li:dataset:(urn:li:dataPlatform:snowflake,db.orders,PROD)"
	otherOrders                urn.URN = "urn:li:dataset:(urn:li:dataPlatform:snowflake,db.other,PROD)"
)

func builtFrom(table, source urn.URN) catalog.Proposal {
	return catalogtest.Proposal(table, "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"TRANSFORMED"}]}`, source))
}

func siblingOf(u urn.URN, primary bool) string {
	return fmt.Sprintf(`{"siblings":[%q],"primary":%v}`, u, primary)
}

func someTables(f *catalogtest.Fixture) {
	f.T.Helper()
	for _, u := range []urn.URN{dbtOrders, warehouseOrders, otherOrders} {
		f.Put(u, "status", `{}`)
	}
}

// Siblings in the batch take precedence over derived ones, at any position in it.
func TestSiblingsThatABatchBringsAreNotDerived(t *testing.T) {
	for name, side := range map[string]urn.URN{"of the dbt dataset": dbtOrders, "of the table": warehouseOrders} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				someTables(f)
				f.Must(builtFrom(warehouseOrders, dbtOrders), catalogtest.Proposal(side, "siblings", siblingOf(otherOrders, true)))
				f.WantValue(side, "siblings", siblingOf(otherOrders, true))
				for _, u := range []urn.URN{dbtOrders, warehouseOrders} {
					if u != side {
						f.WantValue(u, "siblings", "")
					}
				}
			})
		})
	}
}

// An existing link of one side is kept, including its primary mark.
func TestWhatASideSaysOfItsSiblingStays(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		someTables(f)
		f.Put(warehouseOrders, "siblings", siblingOf(dbtOrders, true))
		f.Must(builtFrom(warehouseOrders, dbtOrders))
		f.WantValue(warehouseOrders, "siblings", siblingOf(dbtOrders, true))
		f.WantValue(dbtOrders, "siblings", siblingOf(warehouseOrders, true))
	})
}

func TestASideWithAnotherSiblingTiesNone(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		someTables(f)
		f.Put(dbtOrders, "siblings", siblingOf(otherOrders, false))
		f.Must(builtFrom(warehouseOrders, dbtOrders))
		f.WantValue(dbtOrders, "siblings", siblingOf(otherOrders, false))
		f.WantValue(warehouseOrders, "siblings", "")
	})
}

// Another writer may have linked the siblings, so the removal of a lineage does not remove them.
func TestSiblingsStayWhenTheLineageGoes(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		someTables(f)
		f.Must(builtFrom(warehouseOrders, dbtOrders))
		f.Must(catalogtest.Proposal(warehouseOrders, "upstreamLineage", "", model.Delete))
		f.WantValue(warehouseOrders, "siblings", siblingOf(dbtOrders, false))
		f.WantValue(dbtOrders, "siblings", siblingOf(warehouseOrders, true))
	})
}

// The kind of a dbt dataset may be written after its lineage, and in any spelling.
func TestADBTSourceIsTiedOnceItsKindIsKnown(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		someTables(f)
		f.Must(builtFrom(dbtOrders, warehouseOrders))
		f.WantValue(dbtOrders, "siblings", "")
		f.Put(dbtOrders, "subTypes", `{"typeNames":["Model"]}`)
		f.WantValue(dbtOrders, "siblings", "")
		f.Put(dbtOrders, "subTypes", `{"typeNames":["View","SOURCE"]}`)
		f.WantValue(dbtOrders, "siblings", siblingOf(warehouseOrders, true))
		f.WantValue(warehouseOrders, "siblings", siblingOf(dbtOrders, false))
	})
}

func TestASiblingThatComesBackIsTiedAgain(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		someTables(f)
		f.Must(builtFrom(warehouseOrders, dbtOrders))
		if _, err := f.DeleteEntity(f.As(root), dbtOrders); err != nil {
			t.Fatal(err)
		}
		f.Put(dbtOrders, "status", `{}`)
		f.WantValue(dbtOrders, "siblings", siblingOf(warehouseOrders, true))
	})
}
