package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// groupRightsRules prevent actors from using memberships to bypass the privilege over policies:
// adding a user to a group grants it the privileges that policies give the members, by the name of
// the group, by its roles, or because the user is in any group.
func groupRightsRules() []Rule {
	return []Rule{
		{Name: "policies of groups", Aspects: []string{policyInfo}, Terms: granteeTerms},
		{Name: "rights of groups", Aspects: []string{groupMembership}, Demands: demandGroupRights("groups"), DemandedOf: ByRollback},
		{Name: "rights of native groups", Aspects: []string{nativeMembership}, Demands: demandGroupRights("nativeGroups"), DemandedOf: ByRollback},
		{Name: "rights of groups that come back", Types: []string{"corpGroup"}, Demands: demandReturn, DemandedOf: ByRollback},
		{Name: "rights over groups", Aspects: []string{groupMembership}, Demands: demandOverGroups("groups"), DemandedOf: ByRollback},
		{Name: "rights over native groups", Aspects: []string{nativeMembership}, Demands: demandOverGroups("nativeGroups"), DemandedOf: ByRollback},
	}
}

func policyOfGroup(group string) Term { return term("policy of group", group) }
func policyOfRole(role string) Term   { return term("policy of role", role) }
func policyOfAllGroups() Term         { return term("policy of all groups", "") }

// granteeTerms index an active policy by the groups and roles through which a membership can make a
// user one of its actors.
func granteeTerms(_ urn.URN, policy model.Object) []Term {
	if jsontree.Text(policy, "state") != "ACTIVE" {
		return nil
	}
	actors := jsontree.Child(policy, "actors")
	terms := slices.Concat(termsOf(policyOfGroup, jsontree.Texts(actors, "groups")), termsOf(policyOfRole, jsontree.Texts(actors, "roles")))
	if jsontree.Bool(actors, "allGroups") {
		terms = append(terms, policyOfAllGroups())
	}
	return terms
}

// demandGroupRights requires that the actor has the privileges that a user gains by the groups it
// joins. Leaving a group grants nothing, because policies only grant.
func demandGroupRights(member string) func(Tx, *Change) ([]Demand, error) {
	return func(tx Tx, c *Change) ([]Demand, error) {
		joined := missingIn(jsontree.Texts(c.After, member), jsontree.Texts(c.Before, member))
		if len(joined) == 0 {
			return nil, nil
		}
		already, err := groupsOf(tx, c)
		if err != nil {
			return nil, err
		}
		var demands []Demand
		for _, group := range missingIn(joined, already) {
			gained, err := privilegesOfGroup(tx, group, len(already) == 0)
			if err != nil {
				return nil, err
			}
			if len(gained) > 0 {
				demands = append(demands, Demand{
					PassesOn: gained,
					Refusal:  Refusal{"Unauthorized to add ", c.URN, " to ", urn.URN(group), ": its members hold a privilege that you do not, so this needs MANAGE_POLICIES"},
				})
			}
		}
		return demands, nil
	}
}

// demandReturn has the same requirement for an actor that creates or restores a group with members.
// Members can be written before their group, or remain from an earlier version of the service that
// did not remove them with the group. They gain the privileges of the group.
func demandReturn(tx Tx, c *Change) ([]Demand, error) {
	back := c.Aspect.Name == status && jsontree.Bool(c.Before, "removed") && !jsontree.Bool(c.After, "removed")
	if c.After == nil || !back && !tx.Created(c.URN) {
		return nil, nil
	}
	any, err := hasMembers(tx, string(c.URN))
	if err != nil || !any {
		return nil, err
	}
	gained, err := privilegesOfGroup(tx, string(c.URN), true)
	if err != nil || len(gained) == 0 {
		return nil, err
	}
	return []Demand{{
		PassesOn: gained,
		Refusal:  Refusal{"Unauthorized to write ", c.URN, ": it has members, which would hold a privilege that you do not, so this needs MANAGE_POLICIES"},
	}}, nil
}

func hasMembers(tx Tx, group string) (bool, error) {
	for _, m := range memberships {
		found, err := tx.Lookup(m.of(group), "", 1)
		if err != nil || len(found) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// manageMembers is the check of the privilege to write the memberships of all users.
func manageMembers() auth.Check {
	return auth.Check{AnyOf: []auth.Privilege{auth.ManageUsers, auth.UpdateUsersAndGroups}}
}

// demandOverGroups requires the right over each group that a user joins or leaves, or the right to
// manage users: the privilege table permits the write to every actor with the right over some
// group. A write that changes no group requires the right over one of the groups it names. By this
// right an actor can neither add itself to a group nor create a user.
func demandOverGroups(member string) func(Tx, *Change) ([]Demand, error) {
	return func(tx Tx, c *Change) ([]Demand, error) {
		before, after := jsontree.Texts(c.Before, member), jsontree.Texts(c.After, member)
		joined, left := missingIn(after, before), missingIn(before, after)
		var demands []Demand
		over := func(groups []string, one bool, verb string) {
			demands = append(demands, Demand{
				OneOf:    []auth.Check{{AnyOf: []auth.Privilege{auth.EditGroupMembers}, Entities: urnsOf(groups), AnyEntity: one}, manageMembers()},
				WaivedBy: []auth.Privilege{auth.EditGroupMembers, auth.EditEntity}, // the service has checked one of them
				Refusal:  Refusal{"Unauthorized to " + verb + " groups [", urnsOf(groups), "] (requires EDIT_GROUP_MEMBERS on [", urnsOf(groups), "] or MANAGE_USERS_AND_GROUPS)"},
			})
		}
		if len(joined) > 0 {
			over(joined, false, "grant")
		}
		if len(left) > 0 {
			over(left, false, "remove")
		}
		switch {
		case len(joined)+len(left) > 0:
		case len(after) > 0:
			over(after, true, "restate")
		default:
			demands = append(demands, Demand{OneOf: []auth.Check{manageMembers()}, Refusal: Refusal{"Unauthorized to write " + c.Aspect.Name + " of ", c.URN, " without groups (requires MANAGE_USERS_AND_GROUPS)"}})
		}
		if tx.Created(c.URN) {
			demands = append(demands, Demand{
				OneOf:   []auth.Check{{Operation: auth.OpCreate, Entities: []urn.URN{c.URN}}, manageMembers()},
				Refusal: Refusal{"Unauthorized to create ", c.URN, " by its " + c.Aspect.Name + " (requires MANAGE_USERS_AND_GROUPS or CREATE_USERS)"},
			})
		}
		already, err := groupsOf(tx, c)
		if err != nil {
			return nil, err
		}
		if actor, _ := tx.Actor(); c.URN == actor && len(missingIn(joined, already)) > 0 {
			demands = append(demands, Demand{
				OneOf:   []auth.Check{manageMembers()},
				Refusal: Refusal{"Unauthorized to grant groups [", urnsOf(missingIn(joined, already)), "] to self on ", actor, " (self grants require MANAGE_USERS_AND_GROUPS)"},
			})
		}
		return demands, nil
	}
}

func urnsOf(texts []string) []urn.URN {
	urns := make([]urn.URN, len(texts))
	for i, text := range texts {
		urns[i] = urn.URN(text)
	}
	return urns
}

// groupsOf returns the groups of a user before a change, from both membership aspects, so that
// moving a group from one to the other grants nothing.
func groupsOf(tx Tx, c *Change) (groups []string, err error) {
	for _, m := range memberships {
		value := c.Before
		if m.aspect != c.Aspect.Name {
			if value, err = tx.Value(c.URN, m.aspect); err != nil {
				return nil, err
			}
		}
		groups = append(groups, jsontree.Texts(value, m.member)...)
	}
	return groups, nil
}

// privilegesOfGroup returns the privileges that active policies give to the members of a group.
// first means that they were in no group before.
func privilegesOfGroup(tx Tx, group string, first bool) (privileges []auth.Privilege, err error) {
	terms := []Term{policyOfGroup(group)}
	if first {
		terms = append(terms, policyOfAllGroups())
	}
	held, err := tx.Value(urn.URN(group), roleMembership)
	if err != nil {
		return nil, err
	}
	terms = append(terms, termsOf(policyOfRole, jsontree.Texts(held, "roles"))...)
	for _, t := range terms {
		err := eachEntityWithTerm(tx, t, func(policy urn.URN) error {
			value, err := tx.Value(policy, policyInfo)
			for _, name := range append(jsontree.Texts(value, "privileges"), runnersOf(value)...) {
				if p := auth.Privilege(name); !slices.Contains(privileges, p) {
					privileges = append(privileges, p)
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return privileges, nil
}

// runnersOf lists the platform privileges that a policy amounts to because it permits its actors to
// write entities of a type in model.Runners and names that type.
func runnersOf(policy model.Object) (privileges []string) {
	given := jsontree.Texts(policy, "privileges")
	if !slices.Contains(given, string(auth.EditEntity)) && !slices.Contains(given, string(auth.CreateEntity)) {
		return nil
	}
	resources := jsontree.Child(policy, "resources")
	named := append(jsontree.Texts(resources, "resources"), jsontree.Text(resources, "type"))
	for _, c := range jsontree.Children(jsontree.Child(resources, "filter"), "criteria") {
		if jsontree.Text(c, "condition") != "NOT_EQUALS" {
			named = append(named, jsontree.Texts(c, "values")...)
		}
	}
	for entityType, privilege := range model.Runners() {
		of := func(name string) bool {
			return name == entityType || strings.HasPrefix(name, urn.TypePrefix(entityType))
		}
		if slices.ContainsFunc(named, of) {
			privileges = append(privileges, privilege)
		}
	}
	return privileges
}

// eachEntityWithTerm visits the entities with a term, in the order of their URNs.
func eachEntityWithTerm(tx Tx, t Term, visit func(urn.URN) error) error {
	for after := urn.URN(""); ; {
		found, err := tx.Lookup(t, after, 0)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, u := range found {
			if err := visit(u); err != nil {
				return err
			}
		}
		after = found[len(found)-1]
	}
}

// missingIn lists the names that others lacks, without duplicates.
func missingIn(names, others []string) []string {
	var missing set.Set[string]
	has := set.Of(others)
	for _, name := range names {
		if !has.Has(name) {
			missing.Add(name)
		}
	}
	return missing.List()
}
