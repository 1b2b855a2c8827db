package policy

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Privileges is the table of what allows an operation on an aspect of an entity,
// on the entity as a whole when the aspect is empty: one of them suffices, and
// the first is the one that refusals name. An entity with an empty key stands for
// its type, an empty URN for no entity in particular. It is never empty, and must
// not be changed. Managing a type takes one privilege to update and one to delete
// it, of which this gives the first.
func Privileges(op auth.Operation, on urn.URN, aspect string) []auth.Privilege {
	entityType := on.Type()
	r := rowOf(entityType)
	switch op {
	case auth.OpRead:
		// A question about no entity in particular is one about all that may be read.
		if on == "" {
			return entityRow.read
		}
		if confidential[aspect] {
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
	if belongings[entityType].byTable && isOwnAspect(on, aspect) || auth.Reports(on, aspect) {
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
