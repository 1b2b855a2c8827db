package auth

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var undecided = fault.New(fault.Forbidden, "nobody decided whether this is allowed")

// ReadingKind is a way of reading many entities. Policies may ask for other
// privileges from one kind to another.
type ReadingKind string

const (
	ReadSearch        ReadingKind = "search" // pages, totals, facets and browsing
	ReadAutocomplete  ReadingKind = "autocomplete"
	ReadList          ReadingKind = "list"
	ReadCounts        ReadingKind = "counts"
	ReadRelationships ReadingKind = "relationships"
	ReadLineage       ReadingKind = "lineage"
	ReadAssociations  ReadingKind = "associations" // tags, terms, domains and the like of what is read
	ReadRuns          ReadingKind = "runs"         // what ingestion runs wrote
)

// Reading is a question about many entities at once.
type Reading struct {
	Kind ReadingKind
	// Types are the entity types that are read, in the spelling of the registry. Empty means
	// whatever is met on the way, which Visibility.Sees tells apart.
	Types []string
}

// Visibility is what an actor may see of a reading. The zero value is everything.
type Visibility struct {
	// Types are those of the reading of which the actor may see anything, in the order asked.
	Types []string
	// Filter holds for the entities of Types that the actor may see; nil means all of them. With
	// a Key, as search.Query takes one, it may be of any size.
	Filter search.Filter
	Key    string
	// Restricted lists those of Types of which the actor may be told that there is something it
	// does not see.
	Restricted []string
	// Each decides about many entities that no index was asked for, such as those met on a walk
	// through the graph. Nil means that all are seen.
	Each func(ctx context.Context, urns []urn.URN) ([]bool, error)
}

// Sees tells of each entity whether the actor may see it.
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
