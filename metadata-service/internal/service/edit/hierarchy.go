package edit

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxDepth is how deep a hierarchy may be for rules to look through it.
const MaxDepth = 1000

// Rules hold in a hierarchy whether or not the actor sees all of it, so none of
// these asks for privileges.

// Above lists what lies above an entity in its hierarchy, nearest first. A
// cycle ends it.
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

// ParentOf is what an entity lies right below in its hierarchy, empty for none.
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
		// What ingestion wrote need not be the URN of anything.
		return "", nil
	}
	return parent, nil
}

// Level is one level of a hierarchy: the entities of some types right below a
// parent, those without a parent when it is empty.
type Level struct {
	Types  []string
	Field  string // of the search index that holds the parent
	Parent urn.URN
}

// Filter is the condition of lying on the level.
func (l Level) Filter() search.Criterion {
	if l.Parent == "" {
		return search.Criterion{Field: l.Field, Condition: search.Exists, Negated: true}
	}
	return search.Criterion{Field: l.Field, Condition: search.Equal, Values: []string{string(l.Parent)}}
}

// Count is how many entities lie on a level, soft-deleted ones not counted.
func (e *Editor) Count(ctx context.Context, l Level) (int, error) {
	found, err := e.find(ctx, l.Types, []search.Criterion{l.Filter()}, 0)
	return found.Total, err
}

func (e *Editor) find(ctx context.Context, types []string, all []search.Criterion, size int) (discover.SearchPage, error) {
	return e.Discover.Search(ctx, discover.SearchQuery{Deciding: true, Types: types, Filter: search.Filter{all}, Size: size, Facets: []string{}, IncludeHiddenStages: true})
}
