// Package privilege holds the tables of the privileges that operations need and reach.
//
// The table in table.go maps operations, entity types and aspects to privileges, for interfaces
// that read and write any aspect. The table in reach.go maps privileges to aspects, for operations
// that list the privileges they need. The package decides nothing: package policy compares the
// privileges with those that policies grant.
package privilege

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Needed returns the privileges that allow an operation on an aspect of an entity, or on the
// entity as a whole if the aspect is empty. One of them suffices, and refusals name the first. A
// URN with an empty key means all entities of the type, an empty URN no particular entity. The
// result is never empty, and must not be modified. Managing a type needs one privilege to update
// and one to delete it, of which the result contains the first.
func Needed(op auth.Operation, on urn.URN, aspect string) []auth.Privilege {
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
	if ownerships[entityType].ByTable && IsOwn(on, aspect) || auth.Reports(on, aspect) {
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

// ToRead returns the privileges of which one suffices to read the entities of a type. The result
// must not be modified.
func ToRead(entityType string) []auth.Privilege { return rowOf(entityType).read }

// Managing returns the privilege that manages a type whose entities configure the installation or
// decide about privileges. It is empty for other types.
func Managing(entityType string) auth.Privilege { return rowOf(entityType).manage }

// Hidden reports whether actors without write access cannot read the entities of a type.
func Hidden(entityType string) bool { return rowOf(entityType).isHidden }

// Confidential reports whether only actors with the privilege to write an aspect may read it, while
// others may read the entity.
func Confidential(aspect string) bool { return confidentialAspects[aspect] }

// Measured returns the additional privilege for reading a time-series aspect of an entity type. It
// is empty if none is needed.
func Measured(entityType, aspect string) auth.Privilege { return seriesPrivileges[entityType][aspect] }

// OverNamed returns the privilege that is held over the entities which an aspect names. It is empty
// for other aspects.
func OverNamed(aspect string) auth.Privilege { return overNamed[aspect].Privilege }

// FollowsDataset reports whether a privilege over a column is also held over its dataset.
func FollowsDataset(p auth.Privilege) bool { return slices.Contains(followsDataset, p) }

// Types lists all entity types in the tables, sorted.
func Types() []string {
	return slices.Sorted(maps.Keys(allTypes()))
}

func allTypes() map[string]bool {
	all := maps.Clone(entityRowTypes)
	for name := range rows {
		all[name] = true
	}
	return all
}

// DataTypes returns the set of entity types that describe data and knowledge about data, and that
// no privilege of their own manages.
func DataTypes() map[string]bool { return maps.Clone(entityRowTypes) }
