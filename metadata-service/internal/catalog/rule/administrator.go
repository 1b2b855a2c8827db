package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Aspects by which actors obtain privileges.
const (
	roleMembership   = "roleMembership"
	groupMembership  = "groupMembership"
	nativeMembership = "nativeGroupMembership"
	userKey          = "corpUserKey"
	userStatus       = "corpUserStatus"
	groupKey         = "corpGroupKey"
	groupInfo        = "corpGroupInfo"
	roleKey          = "dataHubRoleKey"
	status           = "status"
)

// managePolicies is the privilege that must not be lost: an actor that has it can grant any other
// privilege.
const managePolicies = string(auth.ManagePolicies)

// membershipRules index members by their group and role, permit only existing roles, remove a
// deleted group or role from its members, and refuse a change that takes the right to manage
// policies from the last user with it.
func membershipRules() []Rule {
	return []Rule{
		{
			Name: "holders of roles", Aspects: []string{roleMembership},
			Terms:    func(_ urn.URN, value model.Object) []Term { return termsOf(holderOf, jsontree.Texts(value, "roles")) },
			Validate: allOf(checkRoles, keepAdministrator), AllowRemoval: keepAdministrator,
		},
		{
			Name: "members of groups", Aspects: []string{groupMembership},
			Terms:    func(_ urn.URN, value model.Object) []Term { return termsOf(memberOf, jsontree.Texts(value, "groups")) },
			Validate: keepAdministrator, AllowRemoval: keepAdministrator,
		},
		{
			Name: "members of native groups", Aspects: []string{nativeMembership},
			Terms: func(_ urn.URN, value model.Object) []Term {
				return termsOf(nativeMemberOf, jsontree.Texts(value, "nativeGroups"))
			},
			Validate: keepAdministrator, AllowRemoval: keepAdministrator,
		},
		{Name: "the last administrator", Aspects: []string{userStatus, userKey, groupKey, roleKey}, Validate: keepAdministrator, AllowRemoval: keepAdministrator},
		{Name: "the last administrator stays", Aspects: []string{status}, Types: []string{"corpuser", "corpGroup"}, Validate: keepAdministrator},
		// Without these rules a new group or role with the same name would have the members of the
		// deleted one.
		{Name: "members of groups that are gone", Aspects: []string{groupKey}, Cleanup: removeFromList(groupMembership, "groups"), CleanupTerm: termOfURN(memberOf)},
		{Name: "members of native groups that are gone", Aspects: []string{groupKey}, Cleanup: removeFromList(nativeMembership, "nativeGroups"), CleanupTerm: termOfURN(nativeMemberOf)},
		{Name: "holders of roles that are gone", Aspects: []string{roleKey}, Cleanup: removeFromList(roleMembership, "roles"), CleanupTerm: termOfURN(holderOf)},
		{Name: "groups in groups", Aspects: []string{groupInfo}, Validate: checkGroupCycle},
	}
}

func allOf(rules ...func(Tx, *Change) error) func(Tx, *Change) error {
	return func(tx Tx, c *Change) error {
		for _, validate := range rules {
			if err := validate(tx, c); err != nil {
				return err
			}
		}
		return nil
	}
}

func holderOf(role string) Term        { return term("holder of role", role) }
func memberOf(group string) Term       { return term("member of group", group) }
func nativeMemberOf(group string) Term { return term("member of native group", group) }

func termOfURN(of func(string) Term) func(urn.URN) Term {
	return func(u urn.URN) Term { return of(string(u)) }
}

// removeFromList returns a cleanup that removes a deleted entity from a list of an affected entity.
func removeFromList(aspect, member string) func(tx Effects, removed, affected urn.URN) error {
	return func(tx Effects, removed, affected urn.URN) error {
		value, err := tx.Value(affected, aspect)
		if err != nil || value == nil {
			return err
		}
		kept := []any{}
		for _, name := range jsontree.Texts(value, member) {
			if name != string(removed) {
				kept = append(kept, name)
			}
		}
		return tx.Put(affected, aspect, jsontree.With(value, model.Object{member: kept}))
	}
}

// managingPolicy is the term of all policies that permit managing policies.
func managingPolicy() Term { return term("policy over policies", managePolicies) }

func policyTerms(_ urn.URN, value model.Object) []Term {
	if !permitsManaging(value) {
		return nil
	}
	return []Term{managingPolicy()}
}

func termsOf(of func(string) Term, names []string) []Term {
	var terms set.Set[Term]
	for _, name := range names {
		terms.Add(of(name))
	}
	return terms.List()
}

// checkRoles refuses a role that does not exist. It permits roles that are already stored in the
// aspect, and roles that the batch creates.
func checkRoles(tx Tx, c *Change) error {
	before := set.Of(jsontree.Texts(c.Before, "roles"))
	for _, role := range jsontree.Texts(c.After, "roles") {
		if before.Has(role) || tx.Brings(urn.URN(role), "dataHubRoleInfo") {
			continue
		}
		there, err := tx.Exists(urn.URN(role))
		if err != nil {
			return err
		}
		if !there {
			return violation(roleMembership, "/roles/*", "the role %s does not exist", role)
		}
	}
	return nil
}

// checkGroupCycle refuses a group that would be a member of itself by way of other groups. Policies
// ignore groups in groups; readers that follow the memberships must terminate.
func checkGroupCycle(tx Tx, c *Change) error {
	seen := map[string]bool{}
	next := jsontree.Texts(c.After, "groups")
	for len(next) > 0 {
		group := next[0]
		next = next[1:]
		if group == string(c.URN) {
			return violation(groupInfo, "/groups/*", "%s would be a member of itself", c.URN)
		}
		if seen[group] {
			continue
		}
		if seen[group] = true; len(seen) > maxDepth {
			return violation(groupInfo, "/groups/*", "reaches more than %d groups", maxDepth)
		}
		value, err := tx.Value(urn.URN(group), groupInfo)
		if err != nil {
			return err
		}
		next = append(next, jsontree.Texts(value, "groups")...)
	}
	return nil
}

// keepAdministrator refuses a change after which no user could manage policies, because then nobody
// could restore the lost right. It examines only changes that can take the right away, and permits
// them if no user had it before.
func keepAdministrator(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || !canRemoveAdministrator(c) {
		return nil
	}
	left, err := (administration{tx: tx, change: c}).hasAdministrator()
	if err != nil || left {
		return err
	}
	before, err := (administration{tx: tx}).hasAdministrator()
	if err != nil || !before {
		return err
	}
	return fault.New(fault.Invalid, "no other user can manage policies: first grant the privilege %s to another user, by a policy or the role Admin", managePolicies)
}

// canRemoveAdministrator reports whether a change can take the right to manage policies from an
// actor.
func canRemoveAdministrator(c *Change) bool {
	switch c.Aspect.Name {
	case policyInfo:
		return permitsManaging(c.Before)
	case roleMembership:
		return losesMembership(c, "roles")
	case groupMembership:
		return losesMembership(c, "groups")
	case nativeMembership:
		return losesMembership(c, "nativeGroups")
	case userStatus:
		return isSuspended(c.After)
	case status:
		return jsontree.Bool(c.After, "removed")
	}
	return c.After == nil
}

func losesMembership(c *Change, member string) bool {
	after := set.Of(jsontree.Texts(c.After, member))
	return slices.ContainsFunc(jsontree.Texts(c.Before, member), func(name string) bool { return !after.Has(name) })
}

func isSuspended(value model.Object) bool { return jsontree.Text(value, "status") == "SUSPENDED" }

// permitsManaging reports whether a policy permits managing policies. The privilege is checked
// without a resource, so a metadata policy that is limited to resources does not.
func permitsManaging(policy model.Object) bool {
	return jsontree.Text(policy, "state") == "ACTIVE" && slices.Contains(jsontree.Texts(policy, "privileges"), managePolicies) &&
		(jsontree.Text(policy, "type") == "PLATFORM" || policy["resources"] == nil)
}

// administration determines which users can manage policies, with a change as if it had been made.
type administration struct {
	tx     Tx
	change *Change // nil for the stored state
}

// value returns an aspect as it is after the change.
func (a administration) value(u urn.URN, aspect string) (model.Object, error) {
	if a.change != nil && a.change.URN == u && a.change.Aspect.Name == aspect {
		return a.change.After, nil
	}
	return a.tx.Value(u, aspect)
}

// hasAdministrator reports whether an active user can manage policies.
func (a administration) hasAdministrator() (bool, error) {
	return a.anyWithTerm(managingPolicy(), func(policy urn.URN) (bool, error) {
		value, err := a.value(policy, policyInfo)
		if err != nil || !permitsManaging(value) {
			return false, err
		}
		return a.hasActiveActor(jsontree.Child(value, "actors"))
	})
}

// hasActiveActor reports whether one of the actors of a policy is an active user. For allUsers and
// allGroups it checks only the actor of the change.
func (a administration) hasActiveActor(actors model.Object) (bool, error) {
	actor, _ := a.tx.Actor()
	if jsontree.Bool(actors, "allUsers") {
		return a.isActive(actor)
	}
	for _, user := range jsontree.Texts(actors, "users") {
		if found, err := a.isActive(urn.URN(user)); found || err != nil {
			return found, err
		}
	}
	for _, group := range jsontree.Texts(actors, "groups") {
		if found, err := a.hasActiveMember(group); found || err != nil {
			return found, err
		}
	}
	for _, role := range jsontree.Texts(actors, "roles") {
		if found, err := a.hasActiveHolder(role); found || err != nil {
			return found, err
		}
	}
	if !jsontree.Bool(actors, "allGroups") {
		return false, nil
	}
	return a.isActiveMember(actor)
}

// hasActiveHolder reports whether an active user has a remaining role, directly or by a remaining
// group.
func (a administration) hasActiveHolder(role string) (bool, error) {
	if there, err := a.grantsRights(urn.URN(role)); err != nil || !there {
		return false, err
	}
	return a.anyWithTerm(holderOf(role), func(holder urn.URN) (bool, error) {
		value, err := a.value(holder, roleMembership)
		switch {
		case err != nil || !slices.Contains(jsontree.Texts(value, "roles"), role):
			return false, err
		case holder.Type() == "corpGroup":
			return a.hasActiveMember(string(holder))
		}
		return a.isActive(holder)
	})
}

// hasActiveMember reports whether an active user is in a remaining group.
func (a administration) hasActiveMember(group string) (bool, error) {
	if there, err := a.grantsRights(urn.URN(group)); err != nil || !there {
		return false, err
	}
	for _, m := range memberships {
		found, err := a.anyWithTerm(m.of(group), func(member urn.URN) (bool, error) {
			value, err := a.value(member, m.aspect)
			if err != nil || !slices.Contains(jsontree.Texts(value, m.member), group) {
				return false, err
			}
			return a.isActive(member)
		})
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// memberships are the two aspects that put a user into groups.
var memberships = []struct {
	aspect, member string
	of             func(group string) Term
}{{groupMembership, "groups", memberOf}, {nativeMembership, "nativeGroups", nativeMemberOf}}

// isActiveMember reports whether a user is active and in a remaining group.
func (a administration) isActiveMember(user urn.URN) (bool, error) {
	for _, m := range memberships {
		value, err := a.value(user, m.aspect)
		if err != nil {
			return false, err
		}
		for _, group := range jsontree.Texts(value, m.member) {
			if there, err := a.grantsRights(urn.URN(group)); err != nil {
				return false, err
			} else if there {
				return a.isActive(user)
			}
		}
	}
	return false, nil
}

// grantsRights reports whether a group or role grants rights: it exists, and is not soft-deleted.
func (a administration) grantsRights(u urn.URN) (bool, error) {
	if a.isRemoved(u) {
		return false, nil
	}
	there, err := a.tx.Exists(u)
	if err != nil || !there || u.Type() != "corpGroup" {
		return there, err
	}
	removed, err := a.value(u, status)
	return err == nil && !jsontree.Bool(removed, "removed"), err
}

// isRemoved reports whether the change removes an entity.
func (a administration) isRemoved(u urn.URN) bool {
	return a.change != nil && a.change.URN == u && a.change.After == nil && a.change.Aspect.IsKey
}

// isActive reports whether a user exists and is neither suspended nor soft-deleted.
func (a administration) isActive(user urn.URN) (bool, error) {
	if a.isRemoved(user) {
		return false, nil
	}
	if there, err := a.tx.Exists(user); err != nil || !there {
		return false, err
	}
	state, err := a.value(user, userStatus)
	if err != nil || isSuspended(state) {
		return false, err
	}
	removed, err := a.value(user, status)
	return err == nil && !jsontree.Bool(removed, "removed"), err
}

// anyWithTerm calls is for the entities with a term until it returns true, and at last for the
// changed entity, whose terms are those before the change.
func (a administration) anyWithTerm(t Term, is func(urn.URN) (bool, error)) (bool, error) {
	for after := urn.URN(""); ; {
		found, err := a.tx.Lookup(t, after, 0)
		if err != nil {
			return false, err
		}
		for _, u := range found {
			if yes, err := is(u); yes || err != nil {
				return yes, err
			}
		}
		if len(found) == 0 {
			break
		}
		after = found[len(found)-1]
	}
	if a.change == nil {
		return false, nil
	}
	return is(a.change.URN)
}
