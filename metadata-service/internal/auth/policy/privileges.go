package policy

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Privileges returns the privileges that allow an operation on an aspect of an entity, or on the
// entity as a whole if the aspect is empty. One of them suffices, and refusals name the first. A
// URN with an empty key means all entities of the type, an empty URN no particular entity. The
// result is never empty, and must not be modified. Managing a type needs one privilege to update
// and one to delete it, of which the result contains the first.
func Privileges(op auth.Operation, on urn.URN, aspect string) []auth.Privilege {
	entityType := on.Type()
	r := rowOf(entityType)
	switch op {
	case auth.OpRead:
		// A check without a particular entity is about all readable entities.
		if on == "" {
			return entityRow.read
		}
		if confidentialAspects[aspect] {
			return toWrite(entityType, aspect, r.update)
		}
		return r.read
	case auth.OpExists:
		if on == "" {
			return entityRow.exists
		}
		return r.exists
	case auth.OpExecute:
		return r.execute
	case auth.OpDelete:
		return withNamed(toWrite(entityType, aspect, r.delete), aspect, true)
	}
	otherwise := r.update
	if op == auth.OpCreate {
		otherwise = r.create
	}
	needed := withNamed(toWrite(entityType, aspect, otherwise), aspect, false)
	if ownershipRules[entityType].byTable && isOwnAspect(on, aspect) || auth.Reports(on, aspect) {
		return append(slices.Clip(needed), auth.Own)
	}
	return needed
}

// withNamed adds the privilege over the entities that an aspect names.
func withNamed(needed []auth.Privilege, aspect string, removes bool) []auth.Privilege {
	if named, ok := overNamed[aspect]; ok && (named.removes || !removes) {
		return append(slices.Clip(needed), named.Privilege)
	}
	return needed
}
