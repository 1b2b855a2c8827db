package policy_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Each step changes one fact that a decision depends on. The next request is decided with the new
// fact.
func TestAChangeHoldsForTheNextRequest(t *testing.T) {
	t.Parallel()
	const group = team
	tags, plain := auth.Over(dataset, auth.EditTags), metadata(nil, auth.EditTags)
	none := plain
	none.Actors = actors{Users: []urn.URN{authtest.Mia}}
	byGroup, byRole, byOwner, byDomain := plain, plain, plain, metadata(where(criterion{"DOMAIN", []string{"urn:li:domain:company"}, "EQUALS"}), auth.EditTags)
	byGroup.Actors, byRole.Actors, byOwner.Actors = actors{Groups: []urn.URN{group}}, actors{Roles: []urn.URN{editor}}, actors{Owners: true}
	inactive := plain
	inactive.State = "INACTIVE"
	f := newFixture(t, policy.Config{})
	set := func(u urn.URN, aspect, value string) func() { return func() { f.Set(t, u, aspect, value) } }
	put := func(p info) func() { return func() { f.put(t, "p", p) } }
	for _, step := range []struct {
		name string
		do   func()
		want bool
	}{
		{"a policy is made", put(plain), true},
		{"it is deactivated", put(inactive), false},
		{"it is activated", put(plain), true},
		{"it is for somebody else", put(none), false},
		{"it is for a group", put(byGroup), false},
		{"the actor joins the group, which does not exist yet", set(authtest.Jo, "groupMembership", `{"groups":["`+string(group)+`"]}`), false},
		{"the group is made", set(group, "corpGroupInfo", `{"displayName":"team","admins":[],"members":[],"groups":[]}`), true},
		{"the group is soft-deleted", set(group, "status", `{"removed":true}`), false},
		{"the group is restored", set(group, "status", `{"removed":false}`), true},
		{"and leaves it", set(authtest.Jo, "groupMembership", `{"groups":[]}`), false},
		{"and joins it as a group of its own", set(authtest.Jo, "nativeGroupMembership", `{"nativeGroups":["`+string(group)+`"]}`), true},
		{"the policy is for a role", put(byRole), false},
		{"the group gets the role", set(group, "roleMembership", `{"roles":["`+string(editor)+`"]}`), true},
		{"the group gets another role", set(group, "roleMembership", `{"roles":["`+string(reader)+`"]}`), false},
		{"the group gets it back", set(group, "roleMembership", `{"roles":["`+string(editor)+`"]}`), true},
		{"the role is deleted", func() { f.Remove(t, editor) }, false},
		{"the role is made anew, which does not bring its holders back", set(editor, "dataHubRoleInfo", `{"name":"Editor","description":""}`), false},
		{"the group gets the new role", set(group, "roleMembership", `{"roles":["`+string(editor)+`"]}`), true},
		{"the group is soft-deleted, with its role", set(group, "status", `{"removed":true}`), false},
		{"the group is restored, with its role", set(group, "status", `{"removed":false}`), true},
		{"the group is deleted", func() { f.Remove(t, group) }, false},
		{"the group is made anew, which does not bring its members back", set(group, "roleMembership", `{"roles":["`+string(editor)+`"]}`), false},
		{"the actor gets the role", set(authtest.Jo, "roleMembership", `{"roles":["`+string(editor)+`"]}`), true},
		{"the actor is suspended", set(authtest.Jo, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`), false},
		{"the actor is active again", set(authtest.Jo, "corpUserStatus", `{"status":"ACTIVE","lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`), true},
		{"the actor is soft-deleted", set(authtest.Jo, "status", `{"removed":true}`), false},
		{"the actor is restored", set(authtest.Jo, "status", `{"removed":false}`), true},
		{"the actor loses the role", set(authtest.Jo, "roleMembership", `{"roles":[]}`), false},
		{"the policy is for owners", put(byOwner), false},
		{"the actor becomes an owner", set(dataset, "ownership", ownership(authtest.Jo, "")), true},
		{"somebody else does", set(dataset, "ownership", ownership(authtest.Mia, "")), false},
		{"the policy is over a domain", put(byDomain), false},
		{"the asset comes below it", func() {
			f.Set(t, "urn:li:domain:company", "domainProperties", `{"name":"company"}`)
			f.Set(t, "urn:li:domain:shop", "domainProperties", `{"name":"shop","parentDomain":"urn:li:domain:company"}`)
			f.Set(t, dataset, "domains", `{"domains":["urn:li:domain:shop"]}`)
		}, true},
		{"the domain is moved", set("urn:li:domain:shop", "domainProperties", `{"name":"shop"}`), false},
		{"and moved back", set("urn:li:domain:shop", "domainProperties", `{"name":"shop","parentDomain":"urn:li:domain:company"}`), true},
		{"the policy is deleted", func() { f.Remove(t, "urn:li:dataHubPolicy:p") }, false},
	} {
		step.do()
		if got := f.allows(t, authtest.Jo, tags); got != step.want {
			t.Fatalf("%s: allowed %v", step.name, got)
		}
	}
}

func TestAnEngineThatIsLoadedKnowsWhatWasStoredBefore(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.put(t, "p", platform(auth.ManageTags))
	again := policy.New(policy.Config{Rows: f.Store()})
	if err := again.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := again.Refusal(request(t, authtest.Jo), auth.ForPlatform(auth.ManageTags)); err != nil {
		t.Error(err)
	}
	if _, known := again.Policy("urn:li:dataHubPolicy:p"); !known {
		t.Error("the policy is not known")
	}
}

func TestDecisionsAboutWritesDependOnWhatActivePoliciesLookAt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	if got := f.Deciding(); len(got) != 0 {
		t.Errorf("without policies on %v", got)
	}
	p := metadata(where(criterion{"DOMAIN", []string{"urn:li:domain:x"}, "EQUALS"}, criterion{"TAG", []string{"urn:li:tag:x"}, "EQUALS"}), auth.EditEntity)
	p.Actors.Owners = true
	f.put(t, "p", p)
	if got := f.Deciding(); len(got) != 3 || got[0] != "domains" || got[1] != "ownership" || got[2] != "globalTags" {
		t.Errorf("decisions depend on %v", got)
	}
}

// All decisions of a request use one state of the policies until the request writes.
func TestARequestAsksOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.put(t, "p", metadata(nil, auth.EditTags))
	ctx, check := request(t, authtest.Jo), auth.Over(dataset, auth.EditTags)
	if err := f.Refusal(ctx, check); err != nil {
		t.Fatal(err)
	}
	f.put(t, "p", metadata(nil, auth.EditOwners))
	if err := f.Refusal(ctx, check); err != nil {
		t.Errorf("a request that goes on: %v", err)
	}
	auth.ForgetDecisions(ctx)
	if err := f.Refusal(ctx, check); err == nil {
		t.Error("after a write of its own it is decided as before")
	}
}

// Policies and memberships change during concurrent decisions. Decisions after a change of a
// membership has returned must use it, even if a standing with the previous one was being computed.
func TestMembershipsThatAreTakenAwayDoNotComeBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	p := metadata(nil, auth.EditTags)
	p.Actors = actors{Groups: []urn.URN{team}}
	f.put(t, "p", p)
	f.Set(t, team, "corpGroupInfo", `{"displayName":"team","admins":[],"members":[],"groups":[]}`)
	stop, ended := make(chan struct{}), make(chan struct{})
	ctx := authtest.As(t, authtest.Jo)
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = f.Decide(ctx, []auth.Check{auth.Over(dataset, auth.EditTags)})
			}
		}
	}()
	for i := range 200 {
		in := i%2 == 0
		f.put(t, "other", metadata(nil, auth.EditOwners, auth.Privilege("P"+string(rune(65+i%26)))))
		groups := ""
		if in {
			groups = `"` + string(team) + `"`
		}
		f.Set(t, authtest.Jo, "groupMembership", `{"groups":[`+groups+`]}`)
		if got := f.allows(t, authtest.Jo, auth.Over(dataset, auth.EditTags)); got != in {
			t.Fatalf("change %d: in the group %v, allowed %v", i, in, got)
		}
	}
	close(stop)
	<-ended
}
