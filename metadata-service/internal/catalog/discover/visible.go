package discover

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// visibilityTest reports for each entity whether the actor may see it. A nil test passes every
// entity.
type visibilityTest func(urns []urn.URN) ([]bool, error)

// visibilityTest returns the visibility test of the actor for a kind of reading.
func (s *Service) visibilityTest(ctx context.Context, kind auth.ReadingKind) (visibilityTest, error) {
	v, err := s.Catalog.Visible(ctx, auth.Reading{Kind: kind})
	if err != nil {
		return nil, err
	}
	return s.newVisibilityTest(ctx, v), nil
}

// newVisibilityTest returns the test of a visibility. If the authorizer has only a filter, the test
// asks the index, and entities without a search document fail.
func (s *Service) newVisibilityTest(ctx context.Context, v auth.Visibility) visibilityTest {
	switch {
	case v.Each != nil:
		return func(urns []urn.URN) ([]bool, error) { return v.Each(ctx, urns) }
	case v.Filter == nil:
		return nil
	}
	return func(urns []urn.URN) ([]bool, error) {
		return s.matching(ctx, urns, search.Query{Visible: v.Filter, VisibleKey: v.Key})
	}
}

// keep returns the entities that pass the test. It changes the list in place.
func (sees visibilityTest) keep(urns []urn.URN) ([]urn.URN, error) {
	if sees == nil || len(urns) == 0 {
		return urns, nil
	}
	visible, err := sees(urns)
	if err != nil {
		return nil, err
	}
	kept := urns[:0]
	for i, u := range urns {
		if visible[i] {
			kept = append(kept, u)
		}
	}
	return kept, nil
}

// hideVia clears Via, such as a query, of edges where the actor may not see it. It changes the
// edges in place.
func (sees visibilityTest) hideVia(edges []model.Edge) error {
	return sees.hide(edges, func(e *model.Edge) *urn.URN { return &e.Via })
}

// hiddenOwners returns the owners of edges between other entities that the actor may not see. Such an
// edge is a statement of its owner, so it is as hidden as the owner.
func (sees visibilityTest) hiddenOwners(edges []model.Edge) (map[urn.URN]bool, error) {
	if sees == nil {
		return nil, nil
	}
	var owners []urn.URN
	for i := range edges {
		if u := graph.DerivedBy(&edges[i]); u != "" {
			owners = append(owners, u)
		}
	}
	if len(owners) == 0 {
		return nil, nil
	}
	slices.Sort(owners)
	owners = slices.Compact(owners)
	visible, err := sees(owners)
	if err != nil {
		return nil, err
	}
	hidden := map[urn.URN]bool{}
	for i, u := range owners {
		hidden[u] = !visible[i]
	}
	return hidden, nil
}

func (sees visibilityTest) hide(edges []model.Edge, member func(*model.Edge) *urn.URN) error {
	if sees == nil {
		return nil
	}
	var named []urn.URN
	place := map[urn.URN]int{}
	for i := range edges {
		u := *member(&edges[i])
		if _, known := place[u]; u != "" && !known {
			place[u] = len(named)
			named = append(named, u)
		}
	}
	if len(named) == 0 {
		return nil
	}
	visible, err := sees(named)
	if err != nil {
		return err
	}
	for i := range edges {
		if u := member(&edges[i]); *u != "" && !visible[place[*u]] {
			*u = ""
		}
	}
	return nil
}
