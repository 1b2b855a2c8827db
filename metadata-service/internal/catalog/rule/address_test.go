package rule_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const hive urn.URN = "urn:li:dataPlatform:hive"

func platform(logo string) string {
	return `{"datasetNameDelimiter":".","logoUrl":"` + logo + `","name":"hive","type":"RELATIONAL_DB"}`
}

func TestAddressesThatRunAsScriptsAreRefused(t *testing.T) {
	const dashboard = urn.URN("urn:li:dashboard:(looker,d1)")
	info := func(address string) string {
		return `{"title":"t","description":"d","lastModified":{"created":{"time":1,"actor":"` + string(jo) + `"},"lastModified":{"time":1,"actor":"` + string(jo) + `"}},"externalUrl":"` + address + `"}`
	}
	patch := func(address string) catalog.Proposal {
		return catalogtest.Proposal(dashboard, "dashboardInfo", `[{"op":"add","path":"/externalUrl","value":"`+address+`"}]`, model.Patch)
	}
	before := []catalog.Proposal{catalogtest.Proposal(dashboard, "dashboardInfo", info("https://example.com"))}
	runRules(t, []ruleCase{
		{name: "a logo of the web passes", write: catalogtest.Proposal(hive, "dataPlatformInfo", platform("https://example.com/a.png"))},
		{name: "a logo that comes with the client passes", write: catalogtest.Proposal(hive, "dataPlatformInfo", platform("/assets/platforms/hivelogo.png"))},
		{name: "a logo that is a script is refused", write: catalogtest.Proposal(hive, "dataPlatformInfo", platform("javascript:alert(1)")), refused: "/logoUrl :: must be an address of a scheme that runs no code, not of javascript"},
		{name: "a tab in a scheme is refused", write: catalogtest.Proposal(hive, "dataPlatformInfo", platform(`java\tscript:alert(1)`)), refused: "/logoUrl :: must be an address without control characters"},
		{name: "a patch to an address of the web passes", before: before, write: patch("https://example.com/new")},
		{name: "a patch to an address of another program passes", before: before, write: patch("mailto:jo@example.com")},
		{name: "a link to a share passes", write: catalogtest.Proposal(dataset, "institutionalMemory", `{"elements":[{"url":"file://share/orders.pdf","description":"d","createStamp":{"time":1,"actor":"`+string(jo)+`"}}]}`)},
		{name: "a patch to a script is refused", before: before, write: patch("JavaScript:alert(1)"), refused: "/externalUrl :: must be an address"},
		{name: "a link in a list is refused", write: catalogtest.Proposal(dataset, "institutionalMemory", `{"elements":[{"url":"data:text/html,x","description":"d","createStamp":{"time":1,"actor":"`+string(jo)+`"}}]}`), refused: "/elements/0/url :: must be an address"},
		{
			name: "a document of a time series is refused", refused: "/externalUrl :: must be an address",
			write: catalogtest.Proposal("urn:li:dataProcessInstance:p", "dataProcessInstanceRunEvent", `{"timestampMillis":1,"status":"STARTED","externalUrl":"vbscript:x"}`),
		},
	})
}

// TestAddressesFromBeforeTheRuleStayUntilTheyAreWritten reads a value that was stored before the
// rule existed.
func TestAddressesFromBeforeTheRuleStayUntilTheyAreWritten(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.MustAs(root, catalogtest.Proposal(hive, "dataPlatformInfo", platform("https://example.com")))
	old := platform("javascript:alert(1)")
	_, err := f.Store.Update(t.Context(), func(tx store.Tx) error {
		rec, err := store.Latest(t.Context(), tx, store.Key{URN: hive, Aspect: "dataPlatformInfo"})
		if err != nil {
			return err
		}
		changed := *rec
		changed.Value = []byte(old)
		return tx.Put(t.Context(), changed)
	})
	if err != nil {
		t.Fatal(err)
	}
	f.WantValue(hive, "dataPlatformInfo", old)
	f.RefuseAs(f.As(root), fault.Invalid, "/logoUrl", catalogtest.Proposal(hive, "dataPlatformInfo", old))
	f.MustAs(root, catalogtest.Proposal(hive, "dataPlatformInfo", platform("https://example.com")))
}
