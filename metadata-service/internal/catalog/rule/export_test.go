package rule

import (
	"slices"

	"github.com/cartulary/cartulary/pkg/urn"
)

// LimitsOwn reports whether entities of a type that an actor writes as its own are limited.
func LimitsOwn(entityType string) bool {
	return slices.ContainsFunc(ownLimits, func(l ownLimit) bool { return l.entityType == entityType })
}

// CreatedBy is the term by which the entities of a type are counted.
func CreatedBy(entityType string, creator urn.URN) Term {
	l := ownLimit{entityType: entityType}
	return l.createdBy(creator)
}
