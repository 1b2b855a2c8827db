package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	loader urn.URN = "urn:li:corpuser:service_loader"
	robot  urn.URN = "urn:li:corpuser:robot"

	ofService = `{"typeNames":["SERVICE_ACCOUNT"]}`
	ofTeamBot = `{"typeNames":["Bot"]}`
)

func typed(u urn.URN, value string, change ...model.ChangeType) catalog.Proposal {
	return catalogtest.Proposal(u, "subTypes", value, change...)
}

// platformGrant gives jo privileges over the platform.
func platformGrant(f *catalogtest.Fixture, id, privileges string) {
	policyFor(f, id, "PLATFORM", privileges, nobody+`,"users":["`+string(jo)+`"]`)
}

func TestNoExistingUserBecomesAServiceAccount(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Put(mia, "corpUserInfo", `{"active":true}`)
		f.Put("urn:li:corpuser:service_mia", "corpUserInfo", `{"active":true}`)
		f.Put("urn:li:corpuser:gone", "status", `{"removed":true}`)
		platformGrant(f, "p", `"MANAGE_SERVICE_ACCOUNTS","MANAGE_USERS_AND_GROUPS","MANAGE_POLICIES"`)
		const exists = "is not created in this batch"
		patches := []string{
			`{"forceGenericPatch":true,"patch":[{"op":"add","path":"/typeNames","value":["SERVICE_ACCOUNT"]}]}`,
			`{"forceGenericPatch":true,"patch":[{"op":"replace","path":"","value":{"typeNames":["SERVICE_ACCOUNT"]}}]}`,
		}
		for _, actor := range []urn.URN{jo, model.RootUser, model.SystemActor} {
			for _, user := range []urn.URN{mia, jo, "urn:li:corpuser:service_mia", "urn:li:corpuser:gone"} {
				for _, change := range []model.ChangeType{model.Upsert, model.Create, model.Restate, model.Update} {
					f.RefuseAs(f.As(actor), fault.Invalid, exists, typed(user, ofService, change))
				}
				for _, text := range patches {
					f.RefuseAs(f.As(actor), fault.Invalid, exists, typed(user, text, model.Patch))
				}
				f.RefuseAs(f.As(actor), fault.Invalid, exists, typed(user, ofTeamBot), typed(user, `{"typeNames":["Bot","SERVICE_ACCOUNT"]}`))
				f.WantValue(user, "subTypes", "")
			}
		}
	})
}

func TestBuiltInUsersAreNoServiceAccounts(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		for _, user := range []urn.URN{model.RootUser, "urn:li:corpuser:DataHub", model.UnknownActor, "urn:li:corpuser:__part_of_the_system"} {
			f.Refuse(fault.Invalid, "is a built-in user", typed(user, ofService))
			f.WantValue(user, "subTypes", "")
		}
	})
}

// An actor that may only create service accounts cannot choose a name that a person could have.
func TestAServiceAccountIsMadeWithItsUser(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		platformGrant(f, "p", `"MANAGE_SERVICE_ACCOUNTS"`)
		f.MustAs(jo, typed(loader, ofService))
		f.MustAs(jo, typed(loader, `{"typeNames":["SERVICE_ACCOUNT","Loader"]}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_USERS_AND_GROUPS", typed(robot, ofService))
		f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_USERS_AND_GROUPS", typed(robot, ofTeamBot))
		f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_USERS_AND_GROUPS", typed("urn:li:corpuser:service_other", ofTeamBot))
		platformGrant(f, "q", `"MANAGE_USERS_AND_GROUPS"`)
		if _, err := f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(robot, "corpUserInfo", `{"active":true}`), typed(robot, ofService)}, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		f.WantValue(robot, "subTypes", ofService)
	})
}

func TestPersonsAreOutOfReachOfWhoManagesServiceAccounts(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Put(mia, "subTypes", `{"typeNames":["Lead"]}`)
		platformGrant(f, "p", `"MANAGE_SERVICE_ACCOUNTS"`)
		f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_USERS_AND_GROUPS", typed(mia, ofTeamBot))
		f.WantValue(mia, "subTypes", `{"typeNames":["Lead"]}`)
		f.MustAs(jo, typed(mia, `{"typeNames":["Lead"]}`)) // no change
	})
}

func TestAServiceAccountStaysOne(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Put(loader, "subTypes", ofService)
		platformGrant(f, "p", `"MANAGE_SERVICE_ACCOUNTS","MANAGE_USERS_AND_GROUPS"`)
		f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_POLICIES", typed(loader, ofTeamBot))
		f.RefuseAs(f.As(jo), fault.Forbidden, "MANAGE_POLICIES", typed(loader, `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/typeNames","value":[]}]}`, model.Patch))
		for _, c := range []struct {
			actor   urn.URN
			kind    fault.Kind
			refusal string
		}{{jo, fault.Forbidden, "MANAGE_POLICIES"}, {model.RootUser, fault.Invalid, "stays a service account"}} {
			f.RefuseAs(f.As(c.actor), c.kind, c.refusal, typed(loader, "", model.Delete))
			_, err := f.DeleteAspects(f.As(c.actor), loader, "subTypes")
			catalogtest.WantFault(t, err, c.kind, c.refusal)
		}
		f.WantValue(loader, "subTypes", ofService)
		// An actor that may grant any right may do so, but no actor can make it a service account
		// again.
		f.MustAs(model.RootUser, typed(loader, ofTeamBot))
		f.RefuseAs(f.As(model.RootUser), fault.Invalid, "is not created in this batch", typed(loader, ofService))
		f.Put(robot, "subTypes", ofService)
		if _, err := f.DeleteEntity(f.As(jo), robot); err != nil {
			t.Errorf("deleting it: %v", err)
		}
	})
}

// Catalogs contain histories from before the rule existed.
func TestARollbackMakesNoServiceAccount(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Put(mia, "corpUserInfo", `{"active":true}`)
		f.Put(loader, "subTypes", ofService)
		f.MustAs(model.RootUser, typed(loader, ofTeamBot, model.Upsert))
		f.Must(catalogtest.InRun("later", typed(loader, `{"typeNames":["Other"]}`)))
		if r := f.Rollback("later", run.Options{}); r.AspectsReverted != 1 {
			t.Errorf("%+v", r)
		}
		f.WantValue(loader, "subTypes", ofTeamBot)
		f.Put(robot, "subTypes", ofService)
		f.MustAs(model.RootUser, catalogtest.InRun("taken", typed(robot, ofTeamBot)))
		for _, actor := range []urn.URN{model.RootUser, model.SystemActor} {
			_, err := f.Runs.Rollback(f.As(actor), "taken", run.Options{})
			catalogtest.WantFault(t, err, fault.Invalid, "is not created in this batch")
			f.WantValue(robot, "subTypes", ofTeamBot)
		}
	})
}

func TestARollbackTakesNoSubTypeByFewerRights(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Must(catalogtest.Proposal(loader, "corpUserInfo", `{"active":true}`), catalogtest.InRun("types", typed(loader, ofService)))
		platformGrant(f, "p", `"MANAGE_SERVICE_ACCOUNTS","MANAGE_USERS_AND_GROUPS","MANAGE_INGESTION"`)
		_, err := f.Runs.Rollback(f.As(jo), "types", run.Options{})
		catalogtest.WantFault(t, err, fault.Forbidden, "MANAGE_POLICIES")
		f.WantValue(loader, "subTypes", ofService)
		if _, err := f.Runs.Rollback(f.As(model.RootUser), "types", run.Options{}); err != nil {
			t.Fatal(err)
		}
		f.WantValue(loader, "subTypes", "")
	})
}
