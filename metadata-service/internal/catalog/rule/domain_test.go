package rule_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	sales urn.URN = "urn:li:domain:sales"
	other urn.URN = "urn:li:domain:other"
	third urn.URN = "urn:li:domain:third"
)

func TestDomainsBelowOneParentDifferByNameWherePeopleChooseThem(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(sales, "domainProperties", `{"name":"Sales"}`)
		f.RefuseName(fault.Conflict, `"Sales" already exists`, catalogtest.Proposal(other, "domainProperties", `{"name":"Sales"}`))
		f.RefuseName(fault.Conflict, `"Retail" already exists`,
			catalogtest.Proposal(other, "domainProperties", `{"name":"Retail"}`), catalogtest.Proposal(third, "domainProperties", `{"name":"Retail"}`))
		f.Put(other, "domainProperties", `{"name":"Finance"}`)
		f.RefuseName(fault.Conflict, `"Sales" already exists`,
			catalogtest.Proposal(other, "domainProperties", `{"patch":[{"op":"replace","path":"/name","value":"Sales"}],"arrayPrimaryKeys":{},"forceGenericPatch":true}`, model.Patch))

		f.MustName(catalogtest.Proposal(third, "domainProperties", `{"name":"Sales","parentDomain":"urn:li:domain:other"}`))
		f.MustName(catalogtest.Proposal(sales, "domainProperties", `{"name":"Sales","description":"what is sold"}`))

		// A domain stored by a program may share its name and keep it, but no other domain may take
		// the name.
		f.Put(other, "domainProperties", `{"name":"Sales"}`)
		f.MustName(catalogtest.Proposal(other, "domainProperties", `{"name":"Sales","description":"ingested"}`))
		f.RefuseName(fault.Conflict, `"Sales" already exists`, catalogtest.Proposal("urn:li:domain:fourth", "domainProperties", `{"name":"Sales"}`))
	})
}

func TestADomainThatIsRenamedGivesItsNameBack(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(sales, "domainProperties", `{"name":"Sales"}`)
		f.Put(sales, "domainProperties", `{"name":"Selling"}`)
		f.MustName(catalogtest.Proposal(other, "domainProperties", `{"name":"Sales"}`))
		f.RefuseName(fault.Conflict, `"Sales" already exists`, catalogtest.Proposal(sales, "domainProperties", `{"name":"Sales"}`))
	})
}

func TestADomainThatIsGoneGivesItsNameBack(t *testing.T) {
	onRemovals(t, sales, "domainProperties", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		written := catalogtest.Proposal(sales, "domainProperties", `{"name":"Sales"}`)
		written.System.RunID = "r"
		f.Must(written)
		f.RefuseName(fault.Conflict, `"Sales" already exists`, catalogtest.Proposal(other, "domainProperties", `{"name":"Sales"}`))
		remove()
		f.MustName(catalogtest.Proposal(other, "domainProperties", `{"name":"Sales"}`))
	})
}
