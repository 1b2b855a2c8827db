package policy_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A policy over everything, such as one for pipelines, does not apply to users and groups through
// the privileges over all entities, in any kind of check.
func TestUsersAndGroupsAreReachedByPoliciesThatNameThem(t *testing.T) {
	t.Parallel()
	own := metadata(nil, auth.EditEntity, auth.DeleteEntity)
	own.Actors = actors{Owners: true}
	in := criterion{"DOMAIN", []string{"urn:li:domain:d"}, "EQUALS"}
	for name, tc := range map[string]struct {
		policy info
		want   map[urn.URN]bool
	}{
		"without resources":           {metadata(nil, auth.EditEntity, auth.DeleteEntity), nil},
		"of the platform":             {platform(auth.EditEntity, auth.DeleteEntity), nil},
		"over all resources":          {metadata(&resources{All: true}, auth.EditEntity, auth.DeleteEntity), nil},
		"for owners":                  {own, nil},
		"over other types":            {metadata(where(criterion{"TYPE", []string{"dataset"}, "NOT_EQUALS"}), auth.EditEntity, auth.DeleteEntity), nil},
		"over a beginning of all":     {metadata(where(criterion{"URN", []string{"urn:li:"}, "STARTS_WITH"}), auth.EditEntity, auth.DeleteEntity), nil},
		"over a domain":               {metadata(where(in), auth.EditEntity, auth.DeleteEntity), nil},
		"over groups":                 {metadata(where(criterion{"TYPE", []string{"corpGroup"}, "EQUALS"}), auth.EditEntity, auth.DeleteEntity), map[urn.URN]bool{team: true}},
		"over a group":                {metadata(where(criterion{"URN", []string{string(team)}, "EQUALS"}), auth.EditEntity, auth.DeleteEntity), map[urn.URN]bool{team: true}},
		"over users by a beginning":   {metadata(where(criterion{"URN", []string{"urn:li:corpuser:m"}, "STARTS_WITH"}), auth.EditEntity, auth.DeleteEntity), map[urn.URN]bool{authtest.Mia: true}},
		"over groups in another form": {metadata(&resources{Type: "corpGroup", All: true}, auth.EditEntity, auth.DeleteEntity), map[urn.URN]bool{team: true}},
		"of who manages users":        {metadata(nil, auth.EditEntity, auth.DeleteEntity, auth.ManageUsers), map[urn.URN]bool{team: true, authtest.Mia: true}},
		"of who manages some users":   {metadata(where(criterion{"TYPE", []string{"dataset"}, "NOT_EQUALS"}), auth.EditEntity, auth.DeleteEntity, auth.ManageUsers), nil},
		"over users in a domain":      {metadata(where(criterion{"TYPE", []string{"corpuser"}, "EQUALS"}, in), auth.EditEntity, auth.DeleteEntity), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, policy.Config{})
			f.put(t, "p", tc.policy)
			f.Set(t, team, "ownership", ownership(authtest.Jo, ""))
			for _, u := range []urn.URN{team, authtest.Mia} {
				for _, p := range []auth.Privilege{auth.EditEntity, auth.DeleteEntity} {
					c := auth.Over(u, auth.EditGroupMembers, p)
					if got := f.allows(t, authtest.Jo, c); got != tc.want[u] {
						t.Errorf("%s over %s: %v", p, u, got)
					}
					together := f.decide(t, authtest.Jo, c, c, auth.Over(dataset, p))
					if together[0].Allowed() != tc.want[u] || together[1].Allowed() != tc.want[u] {
						t.Errorf("%s over %s, among others: %v", p, u, together[0].Allowed())
					}
					x, err := f.Explain(t.Context(), auth.Actor{URN: authtest.Jo}, c, nil)
					if err != nil || x.Decision.Allowed() != tc.want[u] || len(x.Policies) != 1 || x.Policies[0].Applies != tc.want[u] {
						t.Errorf("%s over %s is explained as %+v (%v)", p, u, x.Policies, err)
					}
				}
			}
			if !f.allows(t, authtest.Jo, auth.Over(authtest.Jo, auth.EditEntity)) {
				t.Error("the own account is out of reach")
			}
		})
	}
}

// Such a policy applies to reads, and so do privileges for users and groups.
func TestUsersAndGroupsAreReadAndNarrowPrivilegesHoldWithoutNamingThem(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.put(t, "p", metadata(nil, auth.EditEntity, auth.EditGroupMembers))
	for name, c := range map[string]auth.Check{
		"reading":                    auth.On(auth.OpRead, team, ""),
		"a right to read or edit":    auth.Over(authtest.Mia, auth.ViewPage, auth.EditEntity),
		"the privilege over members": auth.Over(team, auth.EditGroupMembers, auth.EditEntity),
		"other entities":             auth.Over(dataset, auth.EditEntity),
	} {
		if !f.allows(t, authtest.Jo, c) {
			t.Errorf("%s is refused", name)
		}
	}
}

// A policy over everything does not permit writing entities that configure an installation, nor
// does ownership: a recipe runs with all secrets, and a form lets the users that it names write
// properties of assets.
func TestWhatConfiguresAnInstallationIsReachedByPoliciesThatNameIt(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	types := policy.ConfiguredTypes()
	if len(types) < 10 {
		t.Fatalf("only %v are configured by a privilege of their own", types)
	}
	owners := metadata(nil, auth.EditEntity, auth.DeleteEntity)
	owners.Actors = actors{Owners: true}
	for _, entityType := range types {
		u := urn.Make(entityType, "x")
		manage := privilege.Needed(auth.OpDelete, u, "")[0]
		for name, tc := range map[string]struct {
			policy info
			want   bool
		}{
			"without resources":   {metadata(nil, auth.EditEntity, auth.DeleteEntity), false},
			"of the platform":     {platform(auth.EditEntity, auth.DeleteEntity), false},
			"for owners":          {owners, false},
			"over all but one":    {metadata(where(criterion{"URN", []string{"urn:li:tag:a"}, "NOT_EQUALS"}), auth.EditEntity, auth.DeleteEntity), false},
			"over the type":       {metadata(where(criterion{"TYPE", []string{entityType}, "EQUALS"}), auth.EditEntity, auth.DeleteEntity), true},
			"over one":            {metadata(where(criterion{"URN", []string{string(u)}, "EQUALS"}), auth.EditEntity, auth.DeleteEntity), true},
			"of who manages them": {platform(auth.EditEntity, auth.DeleteEntity, manage), true},
		} {
			f := newFixture(t, policy.Config{})
			f.put(t, "p", tc.policy)
			if entity, _ := registry.Entity(entityType); entity != nil {
				if _, ok := entity.Aspect("ownership"); ok {
					f.Set(t, u, "ownership", ownership(authtest.Jo, ""))
				}
			}
			for _, c := range []auth.Check{auth.On(auth.OpUpdate, u, ""), auth.On(auth.OpDelete, u, ""), auth.Over(u, auth.EditEntity)} {
				if len(c.AnyOf) > 0 && tc.want {
					continue // operations on entities of users do not need it
				}
				if got := f.allows(t, authtest.Jo, c); got != tc.want {
					t.Errorf("%s, %s: %s %v is allowed: %v", entityType, name, c.Operation, c.AnyOf, got)
				}
			}
		}
	}
}

// The privileges in model.Runners are those of the table.
func TestWhatRunsIsManagedByThePrivilegeOfItsType(t *testing.T) {
	t.Parallel()
	for entityType, manage := range model.Runners() {
		if got := privilege.Needed(auth.OpDelete, urn.Make(entityType, "x"), "")[0]; got != auth.Privilege(manage) {
			t.Errorf("%s is managed by %s, want %s", entityType, got, manage)
		}
	}
}

// An actor that may set the owners of everything may not set those of groups and of entities that
// configure the installation.
func TestOwnersOfGroupsAreMadeByPoliciesThatNameThem(t *testing.T) {
	t.Parallel()
	owners := metadata(nil, auth.EditOwners)
	owners.Actors = actors{Owners: true}
	for _, u := range []urn.URN{team, "urn:li:dataHubIngestionSource:x", "urn:li:form:x", "urn:li:dataHubPolicy:x"} {
		for name, tc := range map[string]struct {
			policy info
			want   bool
		}{
			"over everything":     {metadata(nil, auth.EditOwners), false},
			"over the type":       {metadata(where(criterion{"TYPE", []string{u.Type()}, "EQUALS"}), auth.EditOwners), true},
			"of who owns it":      {owners, u.Type() != "dataHubPolicy"},
			"over other entities": {metadata(where(criterion{"TYPE", []string{"dataset"}, "EQUALS"}), auth.EditOwners), false},
		} {
			f := newFixture(t, policy.Config{})
			f.put(t, "p", tc.policy)
			if u.Type() != "dataHubPolicy" {
				f.Set(t, u, "ownership", ownership(authtest.Jo, ""))
			}
			if got := f.allows(t, authtest.Jo, auth.Over(u, auth.EditOwners)); got != tc.want {
				t.Errorf("%s, %s: %v", u, name, got)
			}
		}
		f := newFixture(t, policy.Config{})
		f.put(t, "p", metadata(nil, auth.EditOwners))
		if !f.allows(t, authtest.Jo, auth.Over(dataset, auth.EditOwners)) {
			t.Error("owners of a dataset are refused")
		}
	}
}

// Package privilege says which types have owners, and this package how to find the owner.
func TestTypesWithOwnersHaveAFunctionForThem(t *testing.T) {
	t.Parallel()
	for _, name := range privilege.Types() {
		if _, ok := privilege.OwnershipOf(name); ok != policy.HasOwner(name) {
			t.Errorf("%s has an owner: %v, and a function for it: %v", name, ok, policy.HasOwner(name))
		}
	}
}
