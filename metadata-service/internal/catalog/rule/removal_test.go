package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// removals are the ways in which an aspect, or its entity, can be removed.
func removals(u urn.URN, aspect string) map[string]func(f *catalogtest.Fixture) error {
	propose := func(aspect string) func(f *catalogtest.Fixture) error {
		return func(f *catalogtest.Fixture) error {
			_, err := f.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(u, aspect, "", model.Delete)}, catalog.WriteOptions{})
			return err
		}
	}
	return map[string]func(f *catalogtest.Fixture) error{
		"the entity":               func(f *catalogtest.Fixture) error { _, err := f.DeleteEntity(f.As(root), u); return err },
		"the aspect":               func(f *catalogtest.Fixture) error { _, err := f.DeleteAspects(f.As(root), u, aspect); return err },
		"all but the key":          func(f *catalogtest.Fixture) error { _, err := f.ClearEntity(f.As(root), u); return err },
		"the aspect by a proposal": propose(aspect),
		"the entity by a proposal": propose(""),
		"the run that wrote it": func(f *catalogtest.Fixture) error {
			_, err := f.Runs.Rollback(f.As(root), "r", run.Options{Hard: true})
			return err
		},
	}
}

// onRemovals runs a test for each way of removing an aspect, on each driver.
func onRemovals(t *testing.T, u urn.URN, aspect string, story func(t *testing.T, f *catalogtest.Fixture, remove func())) {
	t.Parallel()
	for name, remove := range removals(u, aspect) {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				story(t, f, func() {
					t.Helper()
					if err := remove(f); err != nil {
						t.Fatal(err)
					}
				})
			})
		})
	}
}

func byRun(p catalog.Proposal) catalog.Proposal {
	p.System.RunID = "r"
	return p
}

func TestARemovedPropertyTakesItsValuesAlong(t *testing.T) {
	onRemovals(t, property, "propertyDefinition", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		f.Must(append(modelTypes(), byRun(definition("string", "")), assigned(assignment(property, text("gold"))))...)
		f.Put(property, "status", `{"removed":true}`)
		remove()
		f.WantValue(dataset, "structuredProperties", `{"properties":[]}`)
	})
}

// The removal of a definition removes the values of all assets, so it requires a prior soft
// deletion, which hides them and can be reverted.
func TestAnActivePropertyStays(t *testing.T) {
	t.Parallel()
	for name, remove := range removals(property, "propertyDefinition") {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Must(append(modelTypes(), byRun(definition("string", "")), assigned(assignment(property, text("gold"))))...)
				for _, status := range []string{"", `{"removed":false}`} {
					if status != "" {
						f.Put(property, "status", status)
					}
					switch err := remove(f); {
					case name == "the run that wrote it" && err == nil: // it lists the property as unsafe
					case fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "soft-delete it first"):
						t.Errorf("got %v", err)
					}
					f.WantValue(dataset, "structuredProperties", `{"properties":[`+assignment(property, text("gold"))+`]}`)
				}
			})
		})
	}
}

// A rollback restores the previous definition, and keeps a definition that has none before it.
func TestARollbackRestoresTheDefinitionOfAnActiveProperty(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(append(modelTypes(), definition("string", ""), byRun(definition("string", `,"description":"x"`)))...)
		for _, hard := range []bool{false, true} {
			out := f.Rollback("r", run.Options{Hard: hard})
			if out.UnsafeCount != 0 {
				t.Errorf("hard %v: %d entities are unsafe", hard, out.UnsafeCount)
			}
			if got := f.Member(property, "propertyDefinition", "description"); got != "" {
				t.Errorf("hard %v: the description is %s", hard, got)
			}
			f.Must(byRun(definition("string", `,"description":"x"`)))
		}
		other := definition("string", "")
		other.URN, other.System.RunID = "urn:li:structuredProperty:other", "s"
		f.Must(other)
		for _, hard := range []bool{false, true} {
			out := f.Rollback("s", run.Options{Hard: hard})
			if out.UnsafeCount != 1 || len(out.UnsafeEntities) != 1 || out.UnsafeEntities[0] != urn.URN(other.URN) {
				t.Errorf("hard %v: got %d unsafe, %v", hard, out.UnsafeCount, out.UnsafeEntities)
			}
			if f.Value(urn.URN(other.URN), "propertyDefinition") == "" {
				t.Errorf("hard %v: the definition is gone", hard)
			}
		}
	})
}

func TestARemovedIncidentLeavesTheSummaries(t *testing.T) {
	const incident urn.URN = "urn:li:incident:late"
	onRemovals(t, incident, "incidentInfo", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		f.Put(dataset, "status", `{}`)
		f.Must(byRun(catalogtest.Proposal(incident, "incidentInfo", `{"type":"FRESHNESS","entities":["`+dataset+`"],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:jo"}},"created":{"time":1,"actor":"urn:li:corpuser:jo"}}`)))
		if !strings.Contains(f.Value(dataset, "incidentsSummary"), string(incident)) {
			t.Fatal("the incident is not in the summary")
		}
		remove()
		if summary := f.Value(dataset, "incidentsSummary"); strings.Contains(summary, string(incident)) {
			t.Errorf("the summary still says %s", summary)
		}
	})
}

func TestARemovedDataProductLeavesItsAssets(t *testing.T) {
	const product urn.URN = "urn:li:dataProduct:p"
	onRemovals(t, product, "dataProductProperties", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		f.Put(dataset, "status", `{}`)
		f.Must(byRun(catalogtest.Proposal(product, "dataProductProperties", fmt.Sprintf(`{"name":"P","assets":[{"destinationUrn":%q}]}`, dataset))))
		if !strings.Contains(f.Value(dataset, "dataProducts"), string(product)) {
			t.Fatal("the product is not on its asset")
		}
		remove()
		if mirror := f.Value(dataset, "dataProducts"); strings.Contains(mirror, string(product)) {
			t.Errorf("the asset still says %s", mirror)
		}
	})
}

func TestARemovedVersionGivesItsPlaceToTheOneBefore(t *testing.T) {
	onRemovals(t, second, "versionProperties", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		f.Must(version(first, "a", "1", ""))
		f.Must(byRun(version(second, "b", "2", "")))
		remove()
		if latest := f.Member(versions, "versionSetProperties", "latest"); latest != fmt.Sprintf("%q", first) {
			t.Errorf("the latest is %s", latest)
		}
		if mark := f.Member(first, "versionProperties", "isLatest"); mark != "true" {
			t.Errorf("the mark of the latest is %s", mark)
		}
		if _, err := f.DeleteAspects(f.As(root), first, "versionProperties"); err != nil {
			t.Fatal(err)
		}
		f.WantValue(versions, "versionSetProperties", "")
		f.WantValue(versions, "versionSetKey", "")
	})
}

// References to an absent asset do not create it. The changes are derived as soon as the asset is
// written.
func TestWhatNamesAnAbsentAssetDoesNotMakeIt(t *testing.T) {
	const dbt, warehouse urn.URN = "urn:li:dataset:(urn:li:dataPlatform:dbt,db.orders,PROD)", "urn:li:dataset:(urn:li:dataPlatform:snowflake,db.orders,PROD)"
	for name, c := range map[string]struct {
		write  catalog.Proposal
		absent urn.URN
		key    string
		aspect string
		says   string
	}{
		"an incident": {
			catalogtest.Proposal("urn:li:incident:i", "incidentInfo", `{"type":"FRESHNESS","entities":["`+dataset+`"],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:jo"}},"created":{"time":1,"actor":"urn:li:corpuser:jo"}}`),
			dataset, "datasetKey", "incidentsSummary", "urn:li:incident:i",
		},
		"a data product": {
			catalogtest.Proposal("urn:li:dataProduct:p", "dataProductProperties", fmt.Sprintf(`{"name":"P","assets":[{"destinationUrn":%q}]}`, dataset)),
			dataset, "datasetKey", "dataProducts", "urn:li:dataProduct:p",
		},
		"lineage from dbt": {
			catalogtest.Proposal(warehouse, "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"TRANSFORMED"}]}`, dbt)),
			dbt, "datasetKey", "siblings", string(warehouse),
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Must(c.write)
				f.WantValue(c.absent, c.key, "")
				f.WantValue(c.absent, c.aspect, "")
				f.Put(c.absent, "status", `{}`)
				if got := f.Value(c.absent, c.aspect); !strings.Contains(got, c.says) {
					t.Errorf("once the asset is there, %s says %q, which lacks %s", c.aspect, got, c.says)
				}
			})
		})
	}
}
