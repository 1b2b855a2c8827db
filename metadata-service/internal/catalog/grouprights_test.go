package catalog_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	mia    urn.URN = "urn:li:corpuser:mia"
	bosses urn.URN = "urn:li:corpGroup:bosses"
	team   urn.URN = "urn:li:corpGroup:team"
	chief  urn.URN = "urn:li:dataHubRole:Chief"
)

// policyFor stores an active policy over the platform or over all assets.
func policyFor(f *catalogtest.Fixture, id, kind, privileges, actors string) {
	f.Put(urn.Make("dataHubPolicy", id), "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"`+kind+`","state":"ACTIVE","privileges":[`+privileges+`],`+
		`"actors":{"resourceOwners":false,`+actors+`}}`)
}

const (
	nobody    = `"allUsers":false,"allGroups":false`
	ofBosses  = nobody + `,"groups":["` + string(bosses) + `"]`
	ofChief   = nobody + `,"roles":["` + string(chief) + `"]`
	ofTeam    = nobody + `,"groups":["` + string(team) + `"]`
	allGroups = `"allUsers":false,"allGroups":true`
)

func memberOf(u, group urn.URN, aspect string) catalog.Proposal {
	member := map[string]string{"groupMembership": "groups", "nativeGroupMembership": "nativeGroups"}[aspect]
	return catalogtest.Proposal(u, aspect, `{"`+member+`":["`+string(group)+`"]}`)
}

// The right to manage users gives an actor no further right, neither for itself nor for others.
func TestNobodyComesToRightsByTheGroupsOneManages(t *testing.T) {
	const lacks = "its members hold a privilege that you do not, so this needs MANAGE_POLICIES"
	for name, c := range map[string]struct {
		given   func(f *catalogtest.Fixture)
		group   urn.URN
		allowed bool
	}{
		"a group that no policy names": {func(*catalogtest.Fixture) {}, team, true},
		"a group that a policy of the platform names": {func(f *catalogtest.Fixture) {
			policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, ofBosses)
		}, bosses, false},
		"a group that need not exist yet": {func(f *catalogtest.Fixture) {
			policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, nobody+`,"groups":["urn:li:corpGroup:later"]`)
		}, "urn:li:corpGroup:later", false},
		"a group with a role": {func(f *catalogtest.Fixture) {
			f.Put(chief, "dataHubRoleInfo", `{"name":"Chief","description":""}`)
			f.Put(bosses, "roleMembership", `{"roles":["`+string(chief)+`"]}`)
			policyFor(f, "b", "PLATFORM", `"MANAGE_POLICIES"`, ofChief)
		}, bosses, false},
		"a group with a role that nothing is given to": {func(f *catalogtest.Fixture) {
			f.Put(chief, "dataHubRoleInfo", `{"name":"Chief","description":""}`)
			f.Put(bosses, "roleMembership", `{"roles":["`+string(chief)+`"]}`)
		}, bosses, true},
		"a first group, where all groups hold something": {func(f *catalogtest.Fixture) {
			policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, allGroups)
		}, team, false},
		"another group, where all groups hold something": {func(f *catalogtest.Fixture) {
			f.Put(mia, "groupMembership", `{"groups":["urn:li:corpGroup:other"]}`)
			f.Put(mia, "nativeGroupMembership", `{"nativeGroups":["urn:li:corpGroup:native"]}`)
			policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, allGroups)
		}, team, true},
		"a privilege of the platform in a policy over assets": {func(f *catalogtest.Fixture) {
			policyFor(f, "b", "METADATA", `"EDIT_ENTITY","MANAGE_POLICIES"`, ofBosses)
		}, bosses, false},
		"a team that works on assets": {func(f *catalogtest.Fixture) {
			policyFor(f, "b", "METADATA", `"EDIT_ENTITY","VIEW_ENTITY_PAGE","EDIT_ENTITY_TAGS"`, ofTeam)
		}, team, true},
		"a team whose privileges the manager holds": {func(f *catalogtest.Fixture) {
			policyFor(f, "b", "PLATFORM", `"MANAGE_USERS_AND_GROUPS"`, ofTeam)
		}, team, true},
		"a policy that is switched off": {func(f *catalogtest.Fixture) {
			f.Put("urn:li:dataHubPolicy:b", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"PLATFORM","state":"INACTIVE","privileges":["MANAGE_SECRETS"],"actors":{"resourceOwners":false,`+ofBosses+`}}`)
		}, bosses, true},
	} {
		t.Run(name, func(t *testing.T) {
			onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Put(jo, "corpUserInfo", `{"active":true}`)
				f.Put(mia, "corpUserInfo", `{"active":true}`)
				grant(f, "users", `"MANAGE_USERS_AND_GROUPS"`, "", "")
				c.given(f)
				for _, aspect := range []string{"groupMembership", "nativeGroupMembership"} {
					for _, member := range []urn.URN{jo, mia} {
						if member == jo && name == "another group, where all groups hold something" {
							continue
						}
						if before := f.Value(member, aspect); c.allowed {
							f.MustAs(jo, memberOf(member, c.group, aspect))
							f.Put(member, aspect, orEmpty(before, aspect))
						} else {
							f.RefuseAs(f.As(jo), fault.Forbidden, lacks, memberOf(member, c.group, aspect))
							f.WantValue(member, aspect, before)
						}
					}
				}
				// An actor that may grant any right may grant this one, too.
				policyFor(f, "policies", "PLATFORM", `"MANAGE_POLICIES"`, nobody+`,"users":["`+string(jo)+`"]`)
				f.MustAs(jo, memberOf(mia, c.group, "groupMembership"))
			})
		})
	}
}

func orEmpty(value, aspect string) string {
	switch {
	case value != "":
		return value
	case aspect == "groupMembership":
		return `{"groups":[]}`
	}
	return `{"nativeGroups":[]}`
}

func TestMembershipsThatStayOrGoOrMoveGiveNothing(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(mia, "corpUserInfo", `{"active":true}`)
		f.Put(mia, "groupMembership", `{"groups":["`+string(bosses)+`"]}`)
		grant(f, "users", `"MANAGE_USERS_AND_GROUPS"`, "", "")
		policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, ofBosses)
		f.MustAs(jo, catalogtest.Proposal(mia, "groupMembership", `{"groups":["`+string(bosses)+`","`+string(team)+`"]}`))
		f.MustAs(jo, memberOf(mia, bosses, "nativeGroupMembership"))
		f.MustAs(jo, catalogtest.Proposal(mia, "groupMembership", `{"groups":[]}`))
		f.MustAs(jo, catalogtest.Proposal(mia, "nativeGroupMembership", `{"nativeGroups":[]}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "needs MANAGE_POLICIES", memberOf(mia, bosses, "nativeGroupMembership"))
		patch := catalogtest.Proposal(mia, "groupMembership", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/groups","value":["`+string(bosses)+`"]}]}`, model.Patch)
		f.RefuseAs(f.As(jo), fault.Forbidden, "needs MANAGE_POLICIES", patch)
		restated := memberOf(mia, bosses, "groupMembership")
		restated.Change = model.Restate
		f.RefuseAs(f.As(jo), fault.Forbidden, "needs MANAGE_POLICIES", restated)
	})
}

// A decision by a privilege over the group does not permit a service to add members either.
func TestARightOverAGroupDoesNotGiveWhatItsMembersHold(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Put(bosses, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
		grant(f, "members", `"EDIT_GROUP_MEMBERS"`, is("URN", bosses), "")
		policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, ofBosses)
		decided, err := f.Authorizer.Decide(f.As(jo), []auth.Check{auth.Over(bosses, auth.EditGroupMembers)})
		if err != nil || auth.Decisions(decided).Err() != nil {
			t.Fatal(decided, err)
		}
		_, err = f.Write(f.As(jo), []catalog.Proposal{memberOf(jo, bosses, "nativeGroupMembership")}, catalog.WriteOptions{Decisions: decided})
		catalogtest.WantFault(t, err, fault.Forbidden, "needs MANAGE_POLICIES")
		f.WantValue(jo, "nativeGroupMembership", "")
	})
}

// A group or role that is created under the name of a deleted one has no members.
func TestADeletedGroupOrRoleIsTakenFromThoseWhoHadIt(t *testing.T) {
	const members = 450 // more than one transaction handles
	onPolicies(t, func(_ *testing.T, f *catalogtest.Fixture) {
		f.Put(bosses, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
		f.Put(chief, "dataHubRoleInfo", `{"name":"Chief","description":""}`)
		f.Put(team, "roleMembership", `{"roles":["`+string(chief)+`"]}`)
		batch := make([]catalog.Proposal, 0, 3*members)
		user := func(i int) urn.URN { return urn.Make("corpuser", fmt.Sprintf("u%d", i)) }
		for i := range members {
			batch = append(batch,
				catalogtest.Proposal(user(i), "groupMembership", `{"groups":["`+string(bosses)+`","`+string(team)+`"]}`),
				catalogtest.Proposal(user(i), "nativeGroupMembership", `{"nativeGroups":["`+string(bosses)+`"]}`),
				catalogtest.Proposal(user(i), "roleMembership", `{"roles":["`+string(chief)+`"]}`))
		}
		f.Must(batch...)
		for _, u := range []urn.URN{bosses, chief} {
			if _, err := f.DeleteEntity(f.As(model.SystemActor), u); err != nil {
				f.T.Fatal(err)
			}
		}
		f.WantValue(team, "roleMembership", `{"roles":[]}`)
		for _, i := range []int{0, members - 1} {
			f.WantValue(user(i), "groupMembership", `{"groups":["`+string(team)+`"]}`)
			f.WantValue(user(i), "nativeGroupMembership", `{"nativeGroups":[]}`)
			f.WantValue(user(i), "roleMembership", `{"roles":[]}`)
		}
	})
}

// Memberships may be written before their group. An actor that creates or restores the group
// thereby grants its members the rights that policies give the group, as if it had added the
// members.
func TestAGroupThatHasMembersIsMadeByWhoMayGiveItsRights(t *testing.T) {
	const lacks = "it has members, which would hold a privilege that you do not, so this needs MANAGE_POLICIES"
	info := func(group urn.URN) catalog.Proposal {
		return catalogtest.Proposal(group, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
	}
	status := func(removed string) catalog.Proposal {
		return catalogtest.Proposal(bosses, "status", `{"removed":`+removed+`}`)
	}
	for _, aspect := range []string{"groupMembership", "nativeGroupMembership"} {
		t.Run(aspect, func(t *testing.T) {
			onPolicies(t, func(_ *testing.T, f *catalogtest.Fixture) {
				f.Put(jo, "corpUserInfo", `{"active":true}`)
				f.Put(mia, "corpUserInfo", `{"active":true}`)
				grant(f, "groups", `"CREATE_GROUPS","UPDATE_GROUPS"`, "", "")
				policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, ofBosses)
				policyFor(f, "t", "METADATA", `"EDIT_ENTITY"`, ofTeam)
				f.MustAs(jo, info(bosses)) // a group without members
				f.MustAs(jo, status("true"))
				f.MustAs(jo, status("false"))
				if _, err := f.DeleteEntity(f.As(jo), bosses); err != nil {
					f.T.Fatal(err)
				}
				f.MustAs(model.SystemActor, memberOf(mia, bosses, aspect))
				f.RefuseAs(f.As(jo), fault.Forbidden, lacks, info(bosses))
				f.MustAs(model.SystemActor, info(bosses))
				f.MustAs(jo, status("true"))
				f.RefuseAs(f.As(jo), fault.Forbidden, lacks, status("false"))
				f.MustAs(model.SystemActor, memberOf(mia, team, aspect))
				f.MustAs(jo, info(team)) // the team has privileges over assets only
				policyFor(f, "policies", "PLATFORM", `"MANAGE_POLICIES"`, nobody+`,"users":["`+string(jo)+`"]`)
				f.MustAs(jo, status("false"))
			})
		})
	}
}

func TestARollbackBringsNoRightsBackThatOneMayNotGive(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.Put(jo, "groupMembership", `{"groups":["`+string(bosses)+`"]}`)
		f.Must(catalogtest.InRun("thrown-out", catalogtest.Proposal(jo, "groupMembership", `{"groups":[]}`)))
		grant(f, "users", `"MANAGE_USERS_AND_GROUPS","MANAGE_INGESTION"`, "", "")
		policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, ofBosses)
		_, err := f.Runs.Rollback(f.As(jo), "thrown-out", run.Options{})
		catalogtest.WantFault(t, err, fault.Forbidden, "needs MANAGE_POLICIES")
		f.WantValue(jo, "groupMembership", `{"groups":[]}`)
		if _, err := f.Runs.Rollback(f.As(model.RootUser), "thrown-out", run.Options{}); err != nil {
			t.Fatal(err)
		}
		f.WantValue(jo, "groupMembership", `{"groups":["`+string(bosses)+`"]}`)
	})
}

// Programs that fill groups have the right over these groups and none over users.
func TestMembershipsAreWrittenByTheRightOverTheirGroups(t *testing.T) {
	const crew, other urn.URN = "urn:li:corpGroup:crew", "urn:li:corpGroup:other"
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		for _, u := range []urn.URN{jo, mia} {
			f.Put(u, "corpUserInfo", `{"active":true}`)
		}
		for _, g := range []urn.URN{crew, team, other, bosses} {
			f.Put(g, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
		}
		policyFor(f, "b", "PLATFORM", `"MANAGE_SECRETS"`, ofBosses)
		grant(f, "crew", `"EDIT_GROUP_MEMBERS"`, is("URN", crew), "")
		grant(f, "team", `"EDIT_GROUP_MEMBERS"`, is("URN", team), "")
		grant(f, "bosses", `"EDIT_GROUP_MEMBERS"`, is("URN", bosses), "")
		for aspect, member := range map[string]string{"groupMembership": "groups", "nativeGroupMembership": "nativeGroups"} {
			of := func(groups ...urn.URN) string {
				text := `{"` + member + `":[`
				for i, g := range groups {
					text += map[bool]string{true: `,`}[i > 0] + `"` + string(g) + `"`
				}
				return text + `]}`
			}
			set := func(u urn.URN, change model.ChangeType, groups ...urn.URN) catalog.Proposal {
				return catalogtest.Proposal(u, aspect, of(groups...), change)
			}
			patch := func(u, group urn.URN) catalog.Proposal {
				return catalogtest.Proposal(u, aspect, `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/`+member+`/-","value":"`+string(group)+`"}]}`, model.Patch)
			}
			patchAll := func(u, group urn.URN) catalog.Proposal {
				return catalogtest.Proposal(u, aspect, `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/`+member+`","value":["`+string(group)+`"]}]}`, model.Patch)
			}
			remove := catalogtest.Proposal(mia, aspect, "", model.Delete)
			refuse := func(text string, p catalog.Proposal) {
				t.Helper()
				before := f.Value(urn.URN(p.URN), aspect)
				f.RefuseAs(f.As(jo), fault.Forbidden, text, p)
				f.WantValue(urn.URN(p.URN), aspect, before)
			}

			f.MustAs(jo, set(mia, model.Upsert, crew))
			f.MustAs(jo, set(mia, model.Upsert, crew)) // repeated, as a sync does
			f.MustAs(jo, set(mia, model.Upsert, crew, team))
			f.MustAs(jo, set(mia, model.Restate, crew))
			f.MustAs(jo, patch(mia, team))
			f.WantValue(mia, aspect, of(crew, team))
			refuse("requires EDIT_GROUP_MEMBERS on [urn:li:corpGroup:other] or MANAGE_USERS_AND_GROUPS", set(mia, model.Upsert, crew, team, other))
			refuse("requires EDIT_GROUP_MEMBERS on", patch(mia, other))
			refuse("needs MANAGE_POLICIES", set(mia, model.Upsert, crew, team, bosses))
			f.MustAs(jo, remove)

			// For a user in a group of others only the change counts.
			f.Put(mia, aspect, of(other))
			f.MustAs(jo, set(mia, model.Upsert, other, crew))
			f.MustAs(jo, set(mia, model.Upsert, other, crew))
			f.MustAs(jo, set(mia, model.Upsert, other))
			refuse("to remove groups [urn:li:corpGroup:other]", set(mia, model.Upsert, crew))
			refuse("to remove groups [urn:li:corpGroup:other]", set(mia, model.Upsert))
			refuse("to remove groups [urn:li:corpGroup:other]", remove)
			if _, err := f.DeleteAspects(f.As(jo), mia, aspect); err == nil {
				t.Errorf("%s with a group of others is deleted", aspect)
			}
			refuse("requires EDIT_GROUP_MEMBERS on", set(mia, model.Upsert, other)) // the value records its last observer

			// The right does not permit rolling back a run that put others into a group either.
			f.Must(catalogtest.InRun("others-"+aspect, set(mia, model.Upsert, other, team)))
			f.Must(catalogtest.InRun("first-"+aspect, set("urn:li:corpuser:new", model.Upsert, other)))
			grant(f, "ingestion", `"MANAGE_INGESTION"`, "", "")
			if _, err := f.Runs.Rollback(f.As(jo), "first-"+aspect, run.Options{}); fault.KindOf(err) != fault.Forbidden {
				t.Errorf("a first membership is rolled back: %v", err)
			}

			// No actor adds itself, and no user is created.
			refuse("to self on urn:li:corpuser:jo (self grants require MANAGE_USERS_AND_GROUPS)", set(jo, model.Upsert, crew))
			refuse("self grants require", patchAll(jo, crew))
			refuse("", set("urn:li:corpuser:nobody", model.Upsert, crew))
			refuse("", patchAll("urn:li:corpuser:nobody", crew))
			refuse("", set("urn:li:corpuser:nobody", model.Upsert))
			f.Put(jo, aspect, of(crew))
			f.MustAs(jo, set(jo, model.Upsert))
			f.Put(mia, aspect, of())
		}
		grant(f, "create", `"CREATE_USERS"`, "", "")
		batch := []catalog.Proposal{catalogtest.Proposal("urn:li:corpuser:fresh", "corpUserInfo", `{"active":true}`), memberOf("urn:li:corpuser:fresh", crew, "nativeGroupMembership")}
		if _, err := f.Write(f.As(jo), batch, catalog.WriteOptions{}); err != nil {
			t.Errorf("a user is not created in a group: %v", err)
		}
		grant(f, "users", `"MANAGE_USERS_AND_GROUPS"`, "", "")
		f.MustAs(jo, memberOf(jo, crew, "nativeGroupMembership"))
	})
}

// A service that acts by the right over the group does not add the requesting actor to it.
func TestTheRightOverAGroupAddsNobodyToItWhoAsks(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		for _, u := range []urn.URN{jo, mia} {
			f.Put(u, "corpUserInfo", `{"active":true}`)
		}
		f.Put(team, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
		grant(f, "members", `"EDIT_GROUP_MEMBERS"`, is("URN", team), "")
		decided, err := f.Authorizer.Decide(f.As(jo), []auth.Check{auth.Over(team, auth.EditGroupMembers, auth.EditEntity)})
		if err != nil || auth.Decisions(decided).Err() != nil {
			t.Fatal(decided, err)
		}
		_, err = f.Write(f.As(jo), []catalog.Proposal{memberOf(jo, team, "nativeGroupMembership")}, catalog.WriteOptions{Decisions: decided})
		catalogtest.WantFault(t, err, fault.Forbidden, "self grants require MANAGE_USERS_AND_GROUPS")
		if _, err := f.Write(f.As(jo), []catalog.Proposal{memberOf(mia, team, "nativeGroupMembership")}, catalog.WriteOptions{Decisions: decided}); err != nil {
			t.Error(err)
		}
	})
}

// A policy that lets its actors write ingestion recipes gives more than rights over assets, so the
// right to fill groups does not pass it on.
func TestNobodyComesToRunRecipesByTheGroupsOneManages(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "users", `"MANAGE_USERS_AND_GROUPS"`, "", "")
		f.Put("urn:li:corpGroup:loaders", "corpGroupInfo", `{"displayName":"l","admins":[],"members":[],"groups":[]}`)
		for _, filter := range []string{
			`{"field":"TYPE","values":["dataset","dataHubIngestionSource"],"condition":"EQUALS"}`, `{"field":"URN","values":["urn:li:dataHubIngestionSource:s"],"condition":"EQUALS"}`,
		} {
			f.Put("urn:li:dataHubPolicy:loaders", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["EDIT_ENTITY"],"actors":{"groups":["urn:li:corpGroup:loaders"]},"resources":{"filter":{"criteria":[`+filter+`]}}}`)
			f.RefuseAs(f.As(jo), fault.Forbidden, "needs MANAGE_POLICIES", memberOf("urn:li:corpuser:pal", "urn:li:corpGroup:loaders", "nativeGroupMembership"))
		}
		f.Put("urn:li:dataHubPolicy:loaders", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["EDIT_ENTITY"],"actors":{"groups":["urn:li:corpGroup:loaders"]},"resources":{"filter":{"criteria":[{"field":"TYPE","values":["dataset"],"condition":"EQUALS"}]}}}`)
		f.MustAs(jo, memberOf("urn:li:corpuser:pal", "urn:li:corpGroup:loaders", "nativeGroupMembership"))
	})
}
