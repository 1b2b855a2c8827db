package discover

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// sees gives the test of what the actor may see, nil when that is everything.
// Where the authorizer has a filter alone, the index is asked, and what has no
// document is not seen.
func (s *Service) sees(ctx context.Context, kind auth.ReadingKind) (func([]urn.URN) ([]bool, error), error) {
	v, err := s.Catalog.Visible(ctx, auth.Reading{Kind: kind})
	switch {
	case err != nil:
		return nil, err
	case v.Each != nil:
		return func(urns []urn.URN) ([]bool, error) { return v.Each(ctx, urns) }, nil
	case v.Filter == nil:
		return nil, nil
	}
	return func(urns []urn.URN) ([]bool, error) {
		return s.matching(ctx, urns, search.Query{Visible: v.Filter})
	}, nil
}

// visibleOf drops entities that the actor may not see in a listing.
func (s *Service) visibleOf(ctx context.Context, urns []urn.URN) ([]urn.URN, error) {
	sees, err := s.sees(ctx, auth.ReadList)
	if err != nil {
		return nil, err
	}
	return seen(urns, sees)
}

// seen keeps the entities that pass a test, all when it is nil.
func seen(urns []urn.URN, sees func([]urn.URN) ([]bool, error)) ([]urn.URN, error) {
	if sees == nil {
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
