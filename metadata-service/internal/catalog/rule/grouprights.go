package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// groupRightsRules keep memberships from being a way around the privilege over
// policies: whoever puts a user into a group gives it what policies give to the
// members, by the name of the group, by its roles, or because it is in any group.
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

// granteeTerms make an active policy findable by those whom a membership can make
// one of its actors.
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

// demandGroupRights asks that the actor holds the privileges that a user gains by
// the groups it comes into. Leaving a group gives nothing, as policies only grant.
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

// demandReturn asks the same of whoever makes or restores a group of which there are members:
// those who were written before it, or who were left by an earlier version of the service when it
// was deleted. They gain what its members hold.
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

// manageMembers are the privileges by which the memberships of all users are written.
func manageMembers() Right {
	return Right{Privileges: []string{"MANAGE_USERS_AND_GROUPS", "UPDATE_USERS_AND_GROUPS"}}
}

// demandOverGroups asks for the right over each group that a user comes into or leaves,
// where the actor does not manage users: the table permits the write to every actor who has
// the right over some group. A write that changes no group takes the right over one of those
// it names. Nobody comes into a group, and no user comes into being, by that right.
func demandOverGroups(member string) func(Tx, *Change) ([]Demand, error) {
	return func(tx Tx, c *Change) ([]Demand, error) {
		before, after := jsontree.Texts(c.Before, member), jsontree.Texts(c.After, member)
		joined, left := missingIn(after, before), missingIn(before, after)
		var demands []Demand
		over := func(groups []string, one bool, verb string) {
			demands = append(demands, Demand{
				Rights:   []Right{{Privileges: []string{"EDIT_GROUP_MEMBERS"}, On: urnsOf(groups), One: one}, manageMembers()},
				WaivedBy: []string{"EDIT_GROUP_MEMBERS", "EDIT_ENTITY"}, // the service has asked for one of them over the group
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
			demands = append(demands, Demand{Rights: []Right{manageMembers()}, Refusal: Refusal{"Unauthorized to write " + c.Aspect.Name + " of ", c.URN, " without groups (requires MANAGE_USERS_AND_GROUPS)"}})
		}
		if tx.Created(c.URN) {
			demands = append(demands, Demand{
				Rights:  []Right{{Operation: "CREATE", On: []urn.URN{c.URN}}, manageMembers()},
				Refusal: Refusal{"Unauthorized to create ", c.URN, " by its " + c.Aspect.Name + " (requires MANAGE_USERS_AND_GROUPS or CREATE_USERS)"},
			})
		}
		already, err := groupsOf(tx, c)
		if err != nil {
			return nil, err
		}
		if who, _ := tx.Actor(); c.URN == who && len(missingIn(joined, already)) > 0 {
			demands = append(demands, Demand{
				Rights:  []Right{manageMembers()},
				Refusal: Refusal{"Unauthorized to grant groups [", urnsOf(missingIn(joined, already)), "] to self on ", who, " (self grants require MANAGE_USERS_AND_GROUPS)"},
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

// groupsOf are the groups of a user before a change of either of the aspects that
// name them, so that what moves from one to the other gives nothing.
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

// privilegesOfGroup are those that active policies give to the members of a group;
// first tells that they were in no group before.
func privilegesOfGroup(tx Tx, group string, first bool) (privileges []string, err error) {
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
		err := eachWith(tx, t, func(policy urn.URN) error {
			value, err := tx.Value(policy, policyInfo)
			for _, p := range append(jsontree.Texts(value, "privileges"), runnersOf(value)...) {
				if !slices.Contains(privileges, p) {
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

// runnersOf lists the privileges over the platform that a policy amounts to which lets its actors write entities of the
// types of model.Runners and names these.
func runnersOf(policy model.Object) (privileges []string) {
	given := jsontree.Texts(policy, "privileges")
	if !slices.Contains(given, "EDIT_ENTITY") && !slices.Contains(given, "CREATE_ENTITY") {
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

// eachWith visits the entities with a term.
func eachWith(tx Tx, t Term, visit func(urn.URN) error) error {
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

// missingIn lists what others lack of some names, each once.
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
