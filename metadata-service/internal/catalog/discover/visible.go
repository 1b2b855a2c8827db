package discover

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// visibilityTest tells of each entity whether the actor may see it. Nil stands
// for a test that all pass.
type visibilityTest func(urns []urn.URN) ([]bool, error)

// sees gives the test of what the actor may see of a kind of reading.
func (s *Service) sees(ctx context.Context, kind auth.ReadingKind) (visibilityTest, error) {
	v, err := s.Catalog.Visible(ctx, auth.Reading{Kind: kind})
	if err != nil {
		return nil, err
	}
	return s.testOf(ctx, v), nil
}

// testOf is the test by a visibility. Where the authorizer has a filter alone, the
// index is asked, and what has no document is not seen.
func (s *Service) testOf(ctx context.Context, v auth.Visibility) visibilityTest {
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

// keep gives the entities that pass the test. It changes the list in place.
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

// hideVia takes what edges pass through, such as a query, out of those edges
// where the actor may not see it. It changes the edges in place.
func (sees visibilityTest) hideVia(edges []model.Edge) error {
	return sees.hide(edges, func(e *model.Edge) *urn.URN { return &e.Via })
}

// hideOwners takes the entities whose aspects made edges out of those where the actor may not
// see them, as hideVia does.
func (sees visibilityTest) hideOwners(edges []model.Edge) error {
	return sees.hide(edges, func(e *model.Edge) *urn.URN { return &e.Owner })
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
