package auth

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var errUndecided = fault.New(fault.Forbidden, "nobody decided whether this is allowed")

// ReadingKind is a way of reading many entities. Policies may require different privileges for
// different kinds.
type ReadingKind string

const (
	ReadSearch        ReadingKind = "search" // pages, totals, facets and browsing
	ReadAutocomplete  ReadingKind = "autocomplete"
	ReadList          ReadingKind = "list"
	ReadCounts        ReadingKind = "counts"
	ReadRelationships ReadingKind = "relationships"
	ReadLineage       ReadingKind = "lineage"
	ReadAssociations  ReadingKind = "associations" // tags, terms, domains and other entities that an entity refers to
	ReadRuns          ReadingKind = "runs"         // the writes of ingestion runs
)

// Reading is a question about the visibility of many entities at once.
type Reading struct {
	Kind ReadingKind
	// Types are the entity types to read, in the spelling of the registry. Empty means entities of
	// any type, which Visibility.Sees judges one by one.
	Types []string
}

// Visibility describes the part of a reading that an actor may see. The zero value means
// everything.
type Visibility struct {
	// Types are the types of the reading in which the actor may see any entity, in the order of the
	// reading.
	Types []string
	// Filter matches the entities of Types that the actor may see. Nil means all of them. With a
	// Key, as in search.Query, the filter may be of any size.
	Filter search.Filter
	Key    string
	// Restricted lists those of Types for which an answer may state that it leaves out entities
	// hidden from the actor.
	Restricted []string
	// Each decides about entities that do not come from a search index, such as those found on a
	// walk through the graph, one answer for each URN. Nil means that the actor sees all of them.
	Each func(ctx context.Context, urns []urn.URN) ([]bool, error)
}

// Sees reports for each entity, in order, whether the actor may see it.
func (v Visibility) Sees(ctx context.Context, urns []urn.URN) ([]bool, error) {
	if v.Each != nil {
		return v.Each(ctx, urns)
	}
	all := make([]bool, len(urns))
	for i := range all {
		all[i] = true
	}
	return all, nil
}
