package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/pkg/urn"
)

// generalPrivileges are the privileges that a single policy without resources can grant over
// entities of all types.
var generalPrivileges = []auth.Privilege{auth.EditEntity, auth.CreateEntity, auth.DeleteEntity}

// mustName reports whether a privilege counts only through policies that name the entity or its
// type.
//
// This applies to general privileges and to the privilege over owners, for three groups of types.
// Users and groups decide about privileges, and the table permits no general privilege to write
// them; operations that need one, such as addGroupMembers with EDIT_ENTITY over the group, need it
// from a policy about users or groups. Entities that configure the installation decide about
// privileges, too: a recipe runs with all secrets, and a form lets the users that it names write
// properties of assets. Making an actor the owner of either gives it the privileges that policies
// grant to owners. A policy over everything, or for owners, therefore counts only for actors that
// also hold the privilege that manages the type. For reads this rule applies only to types that an
// actor without write access cannot read.
func (q *question) mustName(p auth.Privilege, c *auth.Check, entityType string, on urn.URN) bool {
	if !slices.Contains(generalPrivileges, p) && p != auth.EditOwners || asksToRead(c) && !privilege.Hidden(entityType) {
		return false
	}
	manage := privilege.Managing(entityType)
	if entityType == account.EntityType || entityType == account.GroupType {
		manage = auth.ManageUsers
	}
	return manage != "" && on != q.urn && !q.holdsOverAll(manage, c)
}

// mustNameToRead is mustName for reading the entities of a type.
func (s *standing) mustNameToRead(p auth.Privilege, entityType string) bool {
	manage := privilege.Managing(entityType)
	return privilege.Hidden(entityType) && manage != "" && slices.Contains(generalPrivileges, p) && !(s.of(manage).always && s.permitsPlatform(manage))
}

// holdsOverAll reports whether the actor holds a privilege over the platform or over all resources.
func (q *question) holdsOverAll(p auth.Privilege, c *auth.Check) bool {
	return q.of(p).always && q.scope.Permits(p, c.Operation, nil)
}

func asksToRead(c *auth.Check) bool {
	return c.Operation == auth.OpRead || c.Operation == auth.OpExists || slices.ContainsFunc(c.AnyOf, auth.Reads)
}

// namesType reports whether a policy names entities of a type: all of them by their type or by the
// beginning of their URNs, or some by their URNs.
func (p *Policy) namesType(entityType string) bool {
	if p.platform || p.resources == nil {
		return false
	}
	ofType := func(u string) bool { return strings.HasPrefix(u, urn.TypePrefix(entityType)) }
	return slices.ContainsFunc(p.resources.criteria, func(c criterion) bool {
		switch {
		case c.condition == notEquals:
			return false
		case c.field == typeOf:
			return c.holds([]string{entityType})
		case c.field == urnOf && c.condition == startsWith:
			return slices.ContainsFunc(c.prefixes, ofType)
		case c.field == urnOf:
			return slices.ContainsFunc(slices.Collect(maps.Keys(c.values)), ofType)
		}
		return false
	})
}

// namesResource reports whether a policy that applies to a resource of a type names it by URN or by
// type.
func (p *Policy) namesResource(entityType string) bool {
	if p.platform || p.resources == nil {
		return false
	}
	return slices.ContainsFunc(p.resources.criteria, func(c criterion) bool {
		switch {
		case c.field == urnOf && c.condition == startsWith:
			return slices.ContainsFunc(c.prefixes, func(prefix string) bool {
				return strings.HasPrefix(prefix, urn.TypePrefix(entityType))
			})
		case c.field == typeOf, c.field == urnOf:
			return c.condition == equals
		}
		return false
	})
}
