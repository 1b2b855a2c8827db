package access

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Reach tells whom a policy grants something, and over what.
type Reach struct {
	// People are active users who get the privileges whatever they own. Owners is set when owners
	// of the resources get them, too, who are not counted.
	People int
	Owners bool
	// Complete is false when there are more users than were looked at.
	Complete bool
	// Assets are entities over which the privileges are granted, as far as the caller may see
	// them; nil for a policy over the platform, which is about no entities.
	Assets *int
}

// Bounds of counting people: how many users are read at a time, and looked at.
const (
	peoplePage = 1000
	maxPeople  = 100_000
)

func (s *Service) reach(ctx context.Context, p *policy.Policy, draft jsontree.Object) (*Reach, error) {
	r := &Reach{Complete: true, Owners: jsontree.Bool(jsontree.Child(draft, "actors"), "resourceOwners")}
	err := s.eachUser(ctx, func(users []urn.URN) error {
		for _, u := range users {
			reached, err := s.engine.MatchesActor(ctx, p, u)
			if err != nil {
				return err
			}
			if reached {
				r.People++
			}
		}
		return nil
	}, maxPeople, &r.Complete)
	if err != nil || jsontree.Text(draft, "type") == "PLATFORM" {
		return r, err
	}
	n, err := s.assets(ctx, p)
	r.Assets = &n
	return r, err
}

// eachUser visits users that are not soft-deleted, page by page in the order of
// their URNs, about as many as most. complete turns false when there are more.
func (s *Service) eachUser(ctx context.Context, visit func(users []urn.URN) error, most int, complete *bool) error {
	seen := 0
	for after := urn.URN(""); ; {
		page, err := s.edit.Discover.List(ctx, discover.ListQuery{Types: []string{account.EntityType}, After: after, Limit: peoplePage})
		if err != nil || len(page.URNs) == 0 {
			return err
		}
		if err := visit(page.URNs); err != nil || !page.More {
			return err
		}
		if seen += len(page.URNs); seen >= most {
			*complete = false
			return nil
		}
		after = page.URNs[len(page.URNs)-1]
	}
}

// assets counts the entities that a policy is about.
func (s *Service) assets(ctx context.Context, p *policy.Policy) (int, error) {
	var types []string
	for _, entity := range s.edit.Registry.Entities() {
		if !entity.Key.Managed {
			types = append(types, entity.Name)
		}
	}
	filter, any := p.Covers(types)
	if !any {
		return 0, nil
	}
	found, err := s.edit.Discover.Search(ctx, discover.SearchQuery{Types: types, And: []search.Filter{filter}, Facets: []string{}, IncludeOldVersions: true, IncludeHiddenStages: true})
	return found.Total, err
}
