package access

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	activeState = "ACTIVE"
	policyPage  = 1000
)

// Sources lists the sources of the privileges of a user, except ownership. Groups and roles that do
// not exist have no effect and are omitted.
type Sources struct {
	Roles           []urn.URN // of the user itself
	Groups          []urn.URN
	GroupsWithRoles []urn.URN // the elements of Groups that have a role
	RolesViaGroups  []urn.URN
	AllRoles        []urn.URN
	Policies        []urn.URN // policies that name the user, its groups, its roles or all users, active or not
	Privileges      []string  // of the active ones among Policies
}

// Sources returns the sources of the privileges of a user: memberships, roles and policies. It
// requires auth.ManageUsers. Lists are sorted. A user that does not exist gets the policies for all
// users.
func (s *Service) Sources(ctx context.Context, u urn.URN) (Sources, error) {
	if _, err := s.edit.RequireIdentities(ctx); err != nil {
		return Sources{}, err
	}
	m, err := account.ReadMembership(ctx, s.edit.Catalog.Store, u)
	if err != nil {
		return Sources{}, err
	}
	a := Sources{Groups: sortUnique(m.Groups), Roles: sortUnique(m.Roles)}
	for _, group := range a.Groups {
		if roles := m.GroupRoles[group]; len(roles) > 0 {
			a.GroupsWithRoles = append(a.GroupsWithRoles, group)
			a.RolesViaGroups = append(a.RolesViaGroups, roles...)
		}
	}
	a.RolesViaGroups = sortUnique(a.RolesViaGroups)
	a.AllRoles = sortUnique(slices.Concat(a.Roles, a.RolesViaGroups))
	return a, s.addPolicies(ctx, u, &a)
}

func sortUnique(list []urn.URN) []urn.URN {
	slices.Sort(list)
	return slices.Compact(list)
}

// addPolicies reads all policies, since the result includes inactive ones.
func (s *Service) addPolicies(ctx context.Context, u urn.URN, a *Sources) error {
	privileges := map[string]bool{}
	for after := urn.URN(""); ; {
		page, err := s.edit.Discover.List(ctx, discover.ListQuery{Types: []string{policyEntity}, After: after, Limit: policyPage})
		if err != nil {
			return err
		}
		for _, policy := range page.URNs {
			info, err := s.edit.Stored(ctx, policy, policyInfo)
			if err != nil {
				return err
			}
			if !namesUser(jsontree.Child(info, "actors"), u, a) {
				continue
			}
			a.Policies = append(a.Policies, policy)
			if jsontree.Text(info, "state") == activeState {
				for _, p := range jsontree.Texts(info, "privileges") {
					privileges[p] = true
				}
			}
		}
		if !page.More || len(page.URNs) == 0 {
			a.Privileges = slices.Sorted(maps.Keys(privileges))
			return nil
		}
		after = page.URNs[len(page.URNs)-1]
	}
}

// namesUser reports whether a policy names a user among its actors, apart from ownership.
func namesUser(actors jsontree.Object, u urn.URN, a *Sources) bool {
	names := func(member string, oneOf []urn.URN) bool {
		return slices.ContainsFunc(jsontree.Texts(actors, member), func(named string) bool { return slices.Contains(oneOf, urn.URN(named)) })
	}
	return jsontree.Bool(actors, "allUsers") || jsontree.Bool(actors, "allGroups") && len(a.Groups) > 0 ||
		names("users", []urn.URN{u}) || names("groups", a.Groups) || names("roles", a.AllRoles)
}
