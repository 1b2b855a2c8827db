package policy

import (
	"maps"
	"slices"
)

// Decided tells whether the tables hold a decision for an aspect of an entity
// type, or for the type when the aspect is empty.
func Decided(entityType, aspect string) bool {
	if _, ok := ruleOf(entityType); !ok || aspect == "" {
		return ok
	}
	_, own := guarded[entityType].aspects[aspect]
	return own || follows(entityType, aspect) || decisive[aspect] != ""
}

// Named lists the entity types and aspects that the tables name.
func Named() (types, aspects []string) {
	types = slices.Concat(slices.Collect(maps.Keys(described)), slices.Collect(maps.Keys(guarded)))
	aspects = slices.Concat(slices.Collect(maps.Keys(inherited)), slices.Collect(maps.Keys(decisive)))
	for _, r := range guarded {
		aspects = slices.Concat(aspects, slices.Collect(maps.Keys(r.aspects)), r.own)
	}
	return types, aspects
}
