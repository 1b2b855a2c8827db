package edit

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxDepth is the maximum depth of a hierarchy that rules examine.
const MaxDepth = 1000

// Rules hold in a hierarchy regardless of its visibility to the actor, so none of these functions
// checks privileges.

// Above returns the ancestors of an entity in its hierarchy, nearest first. A cycle ends the list.
// More than MaxDepth ancestors are fault.Malformed.
func (e *Editor) Above(ctx context.Context, u urn.URN) ([]urn.URN, error) {
	seen := map[urn.URN]bool{u: true}
	var above []urn.URN
	for at := u; len(above) < MaxDepth; {
		parent, err := e.ParentOf(ctx, at)
		if err != nil || parent == "" || seen[parent] {
			return above, err
		}
		seen[parent] = true
		above = append(above, parent)
		at = parent
	}
	return nil, fault.New(fault.Malformed, "%s lies deeper than %d levels", u, MaxDepth)
}

// ParentOf returns the direct parent of an entity in its hierarchy, or an empty URN. It returns an
// empty URN for a stored parent that is not a valid URN.
func (e *Editor) ParentOf(ctx context.Context, u urn.URN) (urn.URN, error) {
	place, ok := model.ParentOf(u.Type())
	if !ok {
		return "", nil
	}
	value, err := e.Stored(ctx, u, place.Aspect)
	if err != nil || value == nil {
		return "", err
	}
	parent, _, err := e.Registry.Resolve(string(place.In(value)))
	if err != nil {
		// Ingested values are not necessarily valid URNs.
		return "", nil
	}
	return parent, nil
}

// Level is one level of a hierarchy: the entities of some types directly below a parent, or those
// without a parent if Parent is empty.
type Level struct {
	Types  []string
	Field  string // search field that holds the parent
	Parent urn.URN
}

// Filter returns the search condition for entities of the level.
func (l Level) Filter() search.Criterion {
	if l.Parent == "" {
		return search.Criterion{Field: l.Field, Condition: search.Exists, Negated: true}
	}
	return search.Criterion{Field: l.Field, Condition: search.Equal, Values: []string{string(l.Parent)}}
}

// maxCounted bounds the entities of a level that Count examines.
const maxCounted = 1000

// Count returns how many entities of a level the actor may view, without soft-deleted ones; of more
// than 1,000 it examines the first. Hidden ones do not count: a refusal that depended on them would
// disclose them. It requires no privilege to search, since a decision depends on the result.
func (e *Editor) Count(ctx context.Context, l Level) (int, error) {
	found, err := e.Discover.Search(ctx, discover.SearchQuery{
		Deciding: true, Types: l.Types, Filter: search.Filter{{l.Filter()}}, Size: maxCounted, Facets: []string{}, IncludeHiddenStages: true,
	})
	if err != nil || len(found.Hits) == 0 {
		return 0, err
	}
	urns := make([]urn.URN, len(found.Hits))
	for i, h := range found.Hits {
		urns[i] = h.URN
	}
	hidden, err := e.Catalog.Hidden(ctx, urns)
	if err != nil {
		return 0, err
	}
	visible := 0
	for _, isHidden := range hidden {
		if !isHidden {
			visible++
		}
	}
	return visible, nil
}
