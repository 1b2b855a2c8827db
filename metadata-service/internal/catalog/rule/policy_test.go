package rule_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const mine urn.URN = "urn:li:dataHubPolicy:mine"

const (
	fieldNames  = "RESOURCE_TYPE, RESOURCE_URN, TYPE, URN, OWNER, DOMAIN, GROUP_MEMBERSHIP, DATA_PLATFORM_INSTANCE, CONTAINER, TAG, GLOSSARY"
	notEditable = "Attempting to edit not editable policy."
	systemStays = "System policies can not be deleted."
)

func resourcePolicy(editable bool, resources string) string {
	return fmt.Sprintf(`{"displayName":"p","description":"d","type":"METADATA","state":"ACTIVE","privileges":[],"editable":%v,
		"actors":{"resourceOwners":false,"allUsers":true,"allGroups":false},"resources":{"allResources":false,%s}}`, editable, resources)
}

func filteredBy(member, field string) string {
	return fmt.Sprintf(`%q:{"criteria":[{"field":%q,"values":["x"],"condition":"EQUALS"}]}`, member, field)
}

func TestFieldsOfPolicies(t *testing.T) {
	info := func(resources string) catalog.Proposal {
		return catalogtest.Proposal(mine, "dataHubPolicyInfo", resourcePolicy(true, resources))
	}
	patch := func(text string) catalog.Proposal {
		return catalogtest.Proposal(mine, "dataHubPolicyInfo", text, model.Patch)
	}
	before := []catalog.Proposal{info(filteredBy("filter", "TYPE"))}
	unknown := "Invalid field type 'Colour'. Must be one of: " + fieldNames
	runRules(t, []ruleCase{
		{name: "a known field passes", write: info(filteredBy("filter", "GLOSSARY"))},
		{
			name: "fields are stored in capitals", write: info(filteredBy("filter", "resource_Type") + "," + filteredBy("privilegeConstraints", "urn")),
			then: resourcePolicy(true, filteredBy("filter", "RESOURCE_TYPE")+","+filteredBy("privilegeConstraints", "URN")),
		},
		{name: "an unknown field is refused", write: info(filteredBy("filter", "Colour")), refused: unknown},
		{name: "one of a constraint, too", write: info(filteredBy("privilegeConstraints", "Colour")), refused: unknown},
		{name: "restating it is no way around", write: catalogtest.Proposal(mine, "dataHubPolicyInfo", resourcePolicy(true, filteredBy("filter", "Colour")), model.Restate), refused: unknown},
		{name: "a patch with an unknown filter is refused", before: before, write: patch(`[{"op":"add","path":"/resources","value":{` + filteredBy("filter", "Colour") + `}}]`), refused: unknown},
		{name: "one of a criterion", before: before, write: patch(`[{"op":"add","path":"/resources/filter/criteria","value":[{"field":"Colour","values":[],"condition":"EQUALS"}]}]`), refused: unknown},
		{name: "one of a single field", before: before, write: patch(`[{"op":"add","path":"/resources/filter/criteria/0/field","value":"Colour"}]`), refused: unknown},
		{name: "a patch of something else passes", before: before, write: patch(`{"forceGenericPatch":true,"patch":[{"op":"add","path":"/displayName","value":"q"}]}`)},
		{
			name: "a patch is stored in capitals, too", before: before, write: patch(`{"forceGenericPatch":true,"patch":[{"op":"add","path":"/resources/filter","value":{"criteria":[{"field":"tag","values":["x"],"condition":"EQUALS"}]}}]}`),
			then: resourcePolicy(true, filteredBy("filter", "TAG")),
		},
	})
}

func TestPoliciesThatAreNotEditable(t *testing.T) {
	const zero, one urn.URN = "urn:li:dataHubPolicy:0", "urn:li:dataHubPolicy:1"
	info := func(u urn.URN, editable bool, field string, change ...model.ChangeType) catalog.Proposal {
		return catalogtest.Proposal(u, "dataHubPolicyInfo", resourcePolicy(editable, filteredBy("filter", field)), change...)
	}
	remove := func(u urn.URN, aspect string) catalog.Proposal {
		return catalogtest.Proposal(u, aspect, "", model.Delete)
	}
	editable, fixed := []catalog.Proposal{info(mine, true, "TYPE")}, []catalog.Proposal{info(mine, false, "TYPE")}
	runRules(t, []ruleCase{
		{name: "an editable policy may change", before: editable, write: info(mine, true, "URN")},
		{name: "another one may not", before: fixed, write: info(mine, false, "URN"), refused: notEditable},
		{name: "nor become editable", before: fixed, write: info(mine, true, "TYPE"), refused: notEditable},
		{name: "nor by a patch", before: fixed, write: catalogtest.Proposal(mine, "dataHubPolicyInfo", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/state","value":"INACTIVE"}]}`, model.Patch), refused: notEditable},
		{name: "nor restated", before: fixed, write: info(mine, true, "TYPE", model.Restate), refused: notEditable},
		{name: "nor by losing the aspect that says so", before: fixed, write: remove(mine, "dataHubPolicyInfo"), refused: notEditable},
		{name: "the system may change it", as: model.SystemActor, before: fixed, write: info(mine, false, "URN")},
		{name: "it may be deleted, as it comes back", before: fixed, write: remove(mine, "")},
		{name: "an editable one may be deleted", before: editable, write: remove(mine, "")},
		{name: "that of the administrator may not", before: []catalog.Proposal{info(zero, false, "TYPE")}, write: remove(zero, ""), refused: systemStays},
		{name: "nor the other one", before: []catalog.Proposal{info(one, false, "TYPE")}, write: remove(one, ""), refused: systemStays},
		{name: "not even by the system", as: model.SystemActor, before: []catalog.Proposal{info(zero, false, "TYPE")}, write: remove(zero, ""), refused: systemStays},
		{name: "nor the aspect alone", before: []catalog.Proposal{info(zero, false, "TYPE")}, write: remove(zero, "dataHubPolicyInfo"), refused: systemStays},
	})
}

func TestAnInstallationProtectsPoliciesOfItsOwn(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		book, err := rule.NewBook(f.Registry, append(rule.All(), rule.SystemPolicies(mine)))
		if err != nil {
			t.Fatal(err)
		}
		f.Rules = book
		f.Put(mine, "dataHubPolicyInfo", resourcePolicy(true, filteredBy("filter", "TYPE")))
		f.Put(mine, "dataHubPolicyInfo", resourcePolicy(true, filteredBy("filter", "URN")))
		_, err = f.DeleteEntity(f.As(root), mine)
		catalogtest.WantFault(t, err, fault.Invalid, systemStays)
	})
}

// A rollback would restore an older, wider policy.
func TestMarksOfDefaultDataStay(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	mark, other := urn.Make("dataHubUpgrade", "default-data-policies-1"), urn.Make("dataHubUpgrade", "other")
	for _, u := range []urn.URN{mark, other} {
		f.Put(u, "dataHubUpgradeResult", `{"timestampMs":1}`)
	}
	_, err := f.DeleteEntity(f.As(root), mark)
	catalogtest.WantFault(t, err, fault.Invalid, "records that the default data was written")
	_, err = f.DeleteAspects(f.As(root), mark, "dataHubUpgradeKey")
	catalogtest.WantFault(t, err, fault.Invalid, "records that the default data was written")
	if _, err := f.DeleteEntity(f.As(root), other); err != nil {
		t.Error(err)
	}
	if _, err := f.DeleteEntity(f.As(model.SystemActor), mark); err != nil {
		t.Error(err)
	}
}

func TestARunThatWroteAPolicyOfTheSystemIsNotRolledBack(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.MustAs(model.SystemActor, byRun(catalogtest.Proposal(mine, "dataHubPolicyInfo", resourcePolicy(true, filteredBy("filter", "TYPE")))))
		f.MustAs(model.SystemActor, catalogtest.InRun("second", catalogtest.Proposal(mine, "dataHubPolicyInfo", resourcePolicy(false, filteredBy("filter", "URN")))))
		before := f.Value(mine, "dataHubPolicyInfo")
		if out := f.Rollback("second", run.Options{Hard: true}); out.UnsafeCount != 1 {
			t.Errorf("%d entities are unsafe", out.UnsafeCount)
		}
		f.WantValue(mine, "dataHubPolicyInfo", before)
	})
}
