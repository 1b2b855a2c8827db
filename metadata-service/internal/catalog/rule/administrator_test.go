package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	admins    urn.URN = "urn:li:dataHubRole:Admin"
	staff     urn.URN = "urn:li:corpGroup:staff"
	lockedOut         = "no other user can manage policies"
)

// managing returns a policy that permits its actors to manage policies.
func managing(state, actors, more string) string {
	return fmt.Sprintf(`{"displayName":"p","description":"","type":"PLATFORM","state":%q,"privileges":["MANAGE_POLICIES"],
		"actors":{"resourceOwners":false,"allUsers":false,"allGroups":false%s}%s}`, state, actors, more)
}

func userOf(u urn.URN) catalog.Proposal {
	return catalogtest.Proposal(u, "corpUserInfo", `{"active":true}`)
}

func suspended(u urn.URN) catalog.Proposal {
	return catalogtest.Proposal(u, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
}

// TestTheLastAdministratorStays makes Jo the only user who can manage policies, in several ways,
// and tries to take that right away.
func TestTheLastAdministratorStays(t *testing.T) {
	t.Parallel()
	policyOf := func(actors string) catalog.Proposal {
		return catalogtest.Proposal(mine, "dataHubPolicyInfo", managing("ACTIVE", actors, ""))
	}
	toUser := policyOf(`,"users":["` + string(jo) + `"]`)
	toGroup := policyOf(`,"groups":["` + string(staff) + `"]`)
	toRole := policyOf(`,"roles":["` + string(admins) + `"]`)
	role := catalogtest.Proposal(admins, "dataHubRoleInfo", `{"name":"Admin","description":""}`)
	group := catalogtest.Proposal(staff, "corpGroupInfo", `{"members":[],"admins":[],"groups":[]}`)
	holds := func(u urn.URN, roles string) catalog.Proposal {
		return catalogtest.Proposal(u, "roleMembership", `{"roles":[`+roles+`]}`)
	}
	isIn := func(aspect, member, groups string) catalog.Proposal {
		return catalogtest.Proposal(jo, aspect, fmt.Sprintf(`{%q:[%s]}`, member, groups))
	}
	quoted := func(u urn.URN) string { return `"` + string(u) + `"` }
	remove := func(u urn.URN, aspect string) catalog.Proposal {
		return catalogtest.Proposal(u, aspect, "", model.Delete)
	}
	stories := map[string]struct {
		before []catalog.Proposal
		write  catalog.Proposal
	}{
		"the policy that names the user is switched off": {[]catalog.Proposal{toUser}, catalogtest.Proposal(mine, "dataHubPolicyInfo", managing("INACTIVE", `,"users":["`+string(jo)+`"]`, ""))},
		"it loses its privilege":                         {[]catalog.Proposal{toUser}, catalogtest.Proposal(mine, "dataHubPolicyInfo", strings.Replace(string(toUser.Value), "MANAGE_POLICIES", "MANAGE_TAGS", 1))},
		"it names somebody who does not exist":           {[]catalog.Proposal{toUser}, policyOf(`,"users":["urn:li:corpuser:nobody"]`)},
		"it names nobody by a patch":                     {[]catalog.Proposal{toUser}, catalogtest.Proposal(mine, "dataHubPolicyInfo", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/actors/users","value":[]}]}`, model.Patch)},
		"it is limited to resources":                     {[]catalog.Proposal{toUser}, catalogtest.Proposal(mine, "dataHubPolicyInfo", strings.Replace(managing("ACTIVE", `,"users":["`+string(jo)+`"]`, `,"resources":{"allResources":true}`), "PLATFORM", "METADATA", 1))},
		"it is restated":                                 {[]catalog.Proposal{toUser}, catalogtest.Proposal(mine, "dataHubPolicyInfo", managing("INACTIVE", "", ""), model.Restate)},
		"it is deleted":                                  {[]catalog.Proposal{toUser}, remove(mine, "")},
		"its aspect is deleted":                          {[]catalog.Proposal{toUser}, remove(mine, "dataHubPolicyInfo")},
		"the user is suspended":                          {[]catalog.Proposal{toUser}, suspended(jo)},
		"the user is soft-deleted":                       {[]catalog.Proposal{toUser}, catalogtest.Proposal(jo, "status", `{"removed":true}`)},
		"the user is deleted":                            {[]catalog.Proposal{toUser}, remove(jo, "")},
		"the user leaves the role":                       {[]catalog.Proposal{role, toRole, holds(jo, quoted(admins))}, holds(jo, "")},
		"the user loses its roles":                       {[]catalog.Proposal{role, toRole, holds(jo, quoted(admins))}, remove(jo, "roleMembership")},
		"the user leaves the group":                      {[]catalog.Proposal{group, toGroup, isIn("groupMembership", "groups", quoted(staff))}, isIn("groupMembership", "groups", "")},
		"the user leaves the native group":               {[]catalog.Proposal{group, toGroup, isIn("nativeGroupMembership", "nativeGroups", quoted(staff))}, isIn("nativeGroupMembership", "nativeGroups", "")},
		"the group loses its role":                       {[]catalog.Proposal{group, role, toRole, holds(staff, quoted(admins)), isIn("nativeGroupMembership", "nativeGroups", quoted(staff))}, holds(staff, "")},
		"the group is deleted":                           {[]catalog.Proposal{group, toGroup, isIn("nativeGroupMembership", "nativeGroups", quoted(staff))}, remove(staff, "")},
		"the group is soft-deleted":                      {[]catalog.Proposal{group, toGroup, isIn("nativeGroupMembership", "nativeGroups", quoted(staff))}, catalogtest.Proposal(staff, "status", `{"removed":true}`)},
		"the group with the role is soft-deleted":        {[]catalog.Proposal{group, role, toRole, holds(staff, quoted(admins)), isIn("groupMembership", "groups", quoted(staff))}, catalogtest.Proposal(staff, "status", `{"removed":true}`)},
		"the role is deleted":                            {[]catalog.Proposal{role, toRole, holds(jo, quoted(admins))}, remove(admins, "")},
		"the role of the group is deleted":               {[]catalog.Proposal{group, role, toRole, holds(staff, quoted(admins)), isIn("groupMembership", "groups", quoted(staff))}, remove(admins, "")},
		"the policy over all users is deleted":           {[]catalog.Proposal{policyOf(`,"allUsers":true`)}, remove(mine, "")},
	}
	for name, s := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := catalogtest.New(t, catalogtest.InMemory())
			f.MustAs(model.SystemActor, userOf(jo))
			f.MustAs(model.SystemActor, userOf(mia))
			f.MustAs(model.SystemActor, userOf(root))
			for _, p := range s.before {
				f.MustAs(model.SystemActor, p)
			}
			f.Refuse(fault.Invalid, lockedOut, s.write)
			// With another user who has the right, the change is permitted.
			f.MustAs(model.SystemActor, catalogtest.Proposal("urn:li:dataHubPolicy:other", "dataHubPolicyInfo", managing("ACTIVE", `,"users":["`+string(mia)+`"]`, "")))
			f.Must(s.write)
		})
	}
}

func TestWithTheDefaultsTheRootUserIsAnAdministrator(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		if err := f.Boot.DefaultData(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.MustAs(model.SystemActor, userOf(jo))
		f.Refuse(fault.Invalid, lockedOut, suspended(root))
		f.Must(catalogtest.Proposal(jo, "roleMembership", `{"roles":["`+string(admins)+`"]}`))
		f.Refuse(fault.Invalid, "is a system user and cannot be suspended", suspended(root))
		f.MustAs(model.SystemActor, suspended(root))
		// Now Jo is the last administrator.
		f.Refuse(fault.Invalid, lockedOut, catalogtest.Proposal(jo, "roleMembership", `{"roles":["urn:li:dataHubRole:Reader"]}`))
		f.Refuse(fault.Invalid, lockedOut, suspended(jo))
		_, err := f.DeleteEntity(f.As(root), "urn:li:dataHubPolicy:admin-platform-policy")
		catalogtest.WantFault(t, err, fault.Invalid, lockedOut)
	})
}

func TestRolesThatDoNotExistAreNotHeld(t *testing.T) {
	membership := func(u urn.URN, roles string) catalog.Proposal {
		return catalogtest.Proposal(u, "roleMembership", `{"roles":[`+roles+`]}`)
	}
	role := catalogtest.Proposal("urn:li:dataHubRole:Auditor", "dataHubRoleInfo", `{"name":"Auditor","description":""}`)
	const unknown, auditor = `"urn:li:dataHubRole:None"`, `"urn:li:dataHubRole:Auditor"`
	runRules(t, []ruleCase{
		{name: "one that exists is", before: []catalog.Proposal{role}, write: membership(jo, auditor)},
		{name: "one that does not is refused", write: membership(jo, unknown), refused: "the role urn:li:dataHubRole:None does not exist"},
		{name: "for groups, too", write: membership(staff, unknown), refused: "does not exist"},
		{name: "and by a patch", write: catalogtest.Proposal(jo, "roleMembership", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/roles","value":["urn:li:dataHubRole:None"]}]}`, model.Patch), refused: "does not exist"},
	})
}

func TestABatchMayBringTheRoleThatItAssigns(t *testing.T) {
	catalogtest.OnDrivers(t, func(_ *testing.T, f *catalogtest.Fixture) {
		f.Must(catalogtest.Proposal(jo, "roleMembership", `{"roles":["urn:li:dataHubRole:Auditor"]}`),
			catalogtest.Proposal("urn:li:dataHubRole:Auditor", "dataHubRoleInfo", `{"name":"Auditor","description":""}`))
	})
}

func TestGroupsAreNotInThemselves(t *testing.T) {
	group := func(name, groups string) catalog.Proposal {
		return catalogtest.Proposal(urn.Make("corpGroup", name), "corpGroupInfo", `{"members":[],"admins":[],"groups":[`+groups+`]}`)
	}
	const a, b, c = `"urn:li:corpGroup:a"`, `"urn:li:corpGroup:b"`, `"urn:li:corpGroup:c"`
	runRules(t, []ruleCase{
		{name: "a group may hold groups", before: []catalog.Proposal{group("c", "")}, write: group("a", b+","+c)},
		{name: "but not itself", write: group("a", a), refused: "would be a member of itself"},
		{name: "nor over others", before: []catalog.Proposal{group("b", c), group("c", a)}, write: group("a", b), refused: "would be a member of itself"},
		{name: "a cycle among others is not its own", before: []catalog.Proposal{group("b", c)}, write: group("a", c+","+b)},
	})
}
