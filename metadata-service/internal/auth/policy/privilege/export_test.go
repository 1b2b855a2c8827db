package privilege

import (
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Covered reports whether the tables contain an aspect of an entity type, or the type if the aspect
// is empty.
func Covered(entityType, aspect string) bool {
	r := rowOf(entityType)
	if r == &closedRow || aspect == "" {
		return r != &closedRow
	}
	_, own := r.aspects[aspect]
	return own || follows(entityType, aspect) || aspectPrivileges[aspect] != nil
}

// Named returns the entity types and aspects in the tables.
func Named() (types, aspects []string) {
	types = slices.Concat(slices.Collect(maps.Keys(entityRowTypes)), slices.Collect(maps.Keys(rows)))
	aspects = slices.Concat(slices.Collect(maps.Keys(inheritedAspects)), slices.Collect(maps.Keys(aspectPrivileges)))
	for _, r := range rows {
		aspects = slices.Concat(aspects, slices.Collect(maps.Keys(r.aspects)))
	}
	return types, aspects
}

// Reached returns the entity types and aspects that privileges permit to write.
func Reached() (types, aspects []string) {
	add := func(entityType string, of []string) {
		if entityType != everyType {
			types = append(types, entityType)
		}
		aspects = append(aspects, slices.DeleteFunc(slices.Clone(of), func(a string) bool { return a == everyAspect })...)
	}
	for _, r := range reaches {
		types, aspects = append(types, r.types...), append(aspects, slices.DeleteFunc(slices.Clone(r.aspects), func(a string) bool { return a == everyAspect })...)
		for entityType, of := range r.members {
			add(entityType, of)
		}
	}
	for entityType, b := range ownerships {
		add(entityType, b.aspects)
	}
	add(everyType, formAspects)
	return types, aspects
}

// AllOverNamed returns the privileges over entities that aspects name.
func AllOverNamed() (list []auth.Privilege) {
	for _, named := range overNamed {
		list = append(list, named.Privilege)
	}
	return list
}
