package bootstrap_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Columns that were stored without encoding are found by the URN that clients use.
func TestColumnsWithUnencodedNamesMove(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		table := catalogtest.Table("invoices")
		raw := urn.Make(model.ColumnType, string(table), "Amount (EUR)")
		encoded := model.ColumnURN(table, "Amount (EUR)")
		plain := model.ColumnURN(table, "id")
		f.Put(raw, "deprecation", `{"deprecated":true,"note":"old","actor":"urn:li:corpuser:jo"}`)
		f.Put(raw, "documentation", `{"documentations":[{"documentation":"unencoded"}]}`)
		f.Put(encoded, "documentation", `{"documentations":[{"documentation":"encoded"}]}`)
		f.Put(plain, "documentation", `{"documentations":[{"documentation":"plain"}]}`)
		upgrade(f)
		f.WantValue(encoded, "deprecation", `{"actor":"urn:li:corpuser:jo","deprecated":true,"note":"old"}`)
		f.WantValue(encoded, "documentation", `{"documentations":[{"documentation":"encoded"}]}`)
		f.WantValue(plain, "documentation", `{"documentations":[{"documentation":"plain"}]}`)
		for _, aspect := range []string{"deprecation", "documentation", "schemaFieldKey"} {
			f.WantValue(raw, aspect, "")
		}
		if got := f.Member(encoded, "schemaFieldKey", "fieldPath"); got != `"Amount (EUR)"` {
			t.Errorf("the key has the path %s", got)
		}
		if got := f.Member("urn:li:dataHubUpgrade:encoded-column-names", "dataHubUpgradeResult", "state"); got != `"SUCCEEDED"` {
			t.Errorf("the mark has the state %s", got)
		}
	})
}
