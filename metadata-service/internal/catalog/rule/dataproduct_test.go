package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func productOf(id string, assets ...urn.URN) catalog.Proposal {
	list := make([]string, len(assets))
	for i, u := range assets {
		list[i] = fmt.Sprintf(`{"destinationUrn":%q}`, u)
	}
	return catalogtest.Proposal(urn.Make("dataProduct", id), "dataProductProperties", `{"name":"P","assets":[`+strings.Join(list, ",")+`]}`)
}

// mirrored returns the mirror aspect of an asset in the given data products.
func mirrored(ids ...string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprintf(`{"destinationUrn":"urn:li:dataProduct:%s"}`, id)
	}
	return `{"dataProducts":[` + strings.Join(list, ",") + `]}`
}

func TestADataProductThatComesBackIsOnItsAssetsAgain(t *testing.T) {
	onRemovals(t, "urn:li:dataProduct:p", "dataProductProperties", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		f.Must(catalogtest.Proposal(dataset, "status", `{}`), catalogtest.Proposal(chart, "status", `{}`), productOf("q", dataset))
		f.Must(byRun(productOf("p", dataset, chart)))
		f.WantValue(dataset, "dataProducts", mirrored("q", "p"))
		remove()
		f.WantValue(dataset, "dataProducts", mirrored("q"))
		f.Must(byRun(productOf("p", dataset)))
		f.WantValue(dataset, "dataProducts", mirrored("q", "p"))
		if mirror := f.Value(chart, "dataProducts"); strings.Contains(mirror, "dataProduct:p") {
			t.Errorf("an asset that is listed no longer says %s", mirror)
		}
	})
}

func TestAnAssetThatIsListedTwiceIsInAProductOnce(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "status", `{}`)
		f.Must(productOf("p", dataset, dataset))
		f.WantValue(dataset, "dataProducts", mirrored("p"))
		f.Must(productOf("p", dataset))
		if version := f.Record(dataset, "dataProducts").System.Version; version != "1" {
			t.Errorf("the mirror has version %s: it did not change", version)
		}
	})
}

// The rule also applies to patches.
func TestAPatchedDataProductTellsItsAssets(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(catalogtest.Proposal(dataset, "status", `{}`), catalogtest.Proposal(chart, "status", `{}`), productOf("p", dataset))
		f.Must(catalogtest.Proposal("urn:li:dataProduct:p", "dataProductProperties",
			`{"forceGenericPatch":true,"patch":[{"op":"replace","path":"/assets","value":[{"destinationUrn":"`+chart+`"}]}]}`, model.Patch))
		f.WantValue(dataset, "dataProducts", mirrored())
		f.WantValue(chart, "dataProducts", mirrored("p"))
	})
}

// Statements about an asset apply to its URN: an asset that is permanently deleted and written
// again is in the products that list it, and has the incidents that name it.
func TestAnAssetThatComesBackGetsWhatOthersSayOfIt(t *testing.T) {
	const incident = `{"type":"FRESHNESS","entities":["` + dataset + `"],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:jo"}},"created":{"time":1,"actor":"urn:li:corpuser:jo"}}`
	for name, remove := range map[string]func(f *catalogtest.Fixture) error{
		"the entity": func(f *catalogtest.Fixture) error { _, err := f.DeleteEntity(f.As(root), dataset); return err },
		"by a proposal": func(f *catalogtest.Fixture) error {
			f.Must(catalogtest.Proposal(dataset, "", "", model.Delete))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Put(dataset, "status", `{}`)
				f.Must(productOf("p", dataset), productOf("q", dataset), catalogtest.Proposal("urn:li:incident:i", "incidentInfo", incident))
				summary := f.Value(dataset, "incidentsSummary")
				for range 2 {
					if err := remove(f); err != nil {
						t.Fatal(err)
					}
					f.WantValue(dataset, "dataProducts", "")
					f.WantValue(dataset, "datasetKey", "")
					f.Put(dataset, "status", `{}`)
					f.WantValue(dataset, "dataProducts", mirrored("p", "q"))
					f.WantValue(dataset, "incidentsSummary", summary)
				}
				if err := remove(f); err != nil {
					t.Fatal(err)
				}
				f.Must(productOf("p")) // changes made in the meantime count
				f.Put(dataset, "status", `{}`)
				f.WantValue(dataset, "dataProducts", mirrored("q"))
			})
		})
	}
}

// A mirror written by hand may name no valid entity. Its asset can still be deleted.
func TestAnAssetWithAMirrorOfNothingCanBeDeleted(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "siblings", siblingOf(dataset, true))
		f.Put(dataset, "dataProducts", mirrored("never", strings.Repeat("x", 400)))
		if _, err := f.DeleteEntity(f.As(root), dataset); err != nil {
			t.Fatal(err)
		}
		f.Put(dataset, "status", `{}`)
		f.WantValue(dataset, "dataProducts", "")
		f.WantValue(dataset, "siblings", "")
	})
}
