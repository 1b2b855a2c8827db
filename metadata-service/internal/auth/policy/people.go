package policy

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/pkg/urn"
)

// general are the privileges that one policy without resources gives over entities of all types.
var general = []auth.Privilege{auth.EditEntity, auth.CreateEntity, auth.DeleteEntity}

// mustName reports whether a privilege counts by policies alone that name the entity or its type. Users and groups
// decide about rights, and the table has no general privilege write them. Operations that ask for one, such as
// addGroupMembers for EDIT_ENTITY over the group, get it from a policy about users or groups. What an installation is
// configured by decides about rights, too: a recipe is run with all secrets, and a form lets those whom it names
// write properties of assets. To make somebody the owner of either gives what policies grant to owners. A policy over everything, or for owners, counts for those alone who hold the privilege
// that manages the type besides. Reading takes such a policy where who may not write does not read.
func (q *question) mustName(p auth.Privilege, c *auth.Check, entityType string, on urn.URN) bool {
	if !slices.Contains(general, p) && p != auth.EditOwners || asksToRead(c) && !rowOf(entityType).isHidden {
		return false
	}
	manage := rowOf(entityType).manage
	if entityType == account.EntityType || entityType == groupEntity {
		manage = auth.ManageUsers
	}
	return manage != "" && on != q.urn && !q.holdsOverAll(manage, c)
}

// mustNameToRead is mustName for reading what there is of a type.
func (s *standing) mustNameToRead(p auth.Privilege, entityType string) bool {
	r := rowOf(entityType)
	return r.isHidden && r.manage != "" && slices.Contains(general, p) && !(s.of(r.manage).always && s.permitsPlatform(r.manage))
}

// holdsOverAll reports whether the actor holds a privilege over the platform, or over everything.
func (q *question) holdsOverAll(p auth.Privilege, c *auth.Check) bool {
	return q.of(p).always && q.scope.Permits(p, c.Operation, nil)
}

func asksToRead(c *auth.Check) bool {
	return c.Operation == auth.OpRead || c.Operation == auth.OpExists || slices.ContainsFunc(c.AnyOf, auth.Reads)
}

// namesResource reports whether a policy that holds for a resource of a type says so by its URN or type.
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
