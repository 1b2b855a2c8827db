package bootstrap_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Read-only mode outlives the process. A newer version of the service, or one that was killed
// during a cleanup, must still start, because otherwise no operator could switch the mode off.
func TestAServiceStartsInReadOnlyMode(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		oldAlias(f, catalogtest.Table("Sales.Orders"))
		if err := f.SetWritable(f.As(root), false); err != nil {
			t.Fatal(err)
		}
		if err := f.Boot.DefaultData(t.Context()); err != nil {
			t.Errorf("default data: %v", err)
		}
		upgrade(f)
		if got := f.Member(aliasMark, "dataHubUpgradeResult", "state"); got != `"SUCCEEDED"` {
			t.Errorf("the mark of the upgrade says %s", got)
		}
		f.Refuse(fault.Unavailable, "read-only", catalogtest.Proposal(catalogtest.Table("other"), "status", `{}`))
		_, err := f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(catalogtest.Table("other"), "status", `{}`)}, catalog.WriteOptions{Upgrade: true})
		catalogtest.WantFault(t, err, fault.Unavailable, "read-only")
	})
}
