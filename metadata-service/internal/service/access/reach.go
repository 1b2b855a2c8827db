package access

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Reach describes the users that get privileges by a policy, and the resources.
type Reach struct {
	// People is the number of active users with the privileges, apart from ownership. Owners is set
	// when owners of the resources also have them; they are not counted.
	People int
	Owners bool
	// Complete is false when there are more users than were examined.
	Complete bool
	// Assets is the number of resources of the policy that the caller may see; nil for a platform
	// policy, which has no resources.
	Assets *int
}

// Limits of counting users: per page, and in all.
const (
	peoplePage = 1000
	maxPeople  = 100_000
)

// MaxReaches is the maximum number of policies in one call of Reaches.
const MaxReaches = 50

// Reaches returns the reach of stored policies by URN, without policies that do not exist. It
// requires the privilege to manage policies. More than MaxReaches policies are fault.Malformed. It
// reads all users up to maxPeople.
func (s *Service) Reaches(ctx context.Context, policies []urn.URN) (map[urn.URN]*Reach, error) {
	if len(policies) > MaxReaches {
		return nil, fault.New(fault.Malformed, "policies: %d are asked for, at most %d are accepted", len(policies), MaxReaches)
	}
	if _, err := s.edit.Decide(ctx, auth.ManageType(policyEntity)); err != nil {
		return nil, err
	}
	var asked []*policyReach
	out := map[urn.URN]*Reach{}
	for _, text := range policies {
		u, err := s.edit.Parse("policies", string(text), policyEntity)
		if err != nil {
			return nil, err
		}
		info, err := s.edit.Stored(ctx, u, policyInfo)
		if err != nil {
			return nil, err
		}
		if info != nil && out[u] == nil {
			r := newPolicyReach(policy.Compile(u, info), info)
			asked, out[u] = append(asked, r), r.Reach
		}
	}
	return out, s.fillReaches(ctx, asked)
}

// policyReach is a policy with its reach.
type policyReach struct {
	*Reach
	policy   *policy.Policy
	platform bool
}

func newPolicyReach(p *policy.Policy, info jsontree.Object) *policyReach {
	return &policyReach{
		Reach:  &Reach{Complete: true, Owners: jsontree.Bool(jsontree.Child(info, "actors"), "resourceOwners")},
		policy: p, platform: jsontree.Text(info, "type") == "PLATFORM",
	}
}

func (s *Service) reach(ctx context.Context, p *policy.Policy, draft jsontree.Object) (*Reach, error) {
	r := newPolicyReach(p, draft)
	return r.Reach, s.fillReaches(ctx, []*policyReach{r})
}

// fillReaches counts the users of all policies in one pass over the users, and the assets of each
// policy.
func (s *Service) fillReaches(ctx context.Context, all []*policyReach) error {
	if len(all) == 0 {
		return nil
	}
	compiled := make([]*policy.Policy, len(all))
	for i, r := range all {
		compiled[i] = r.policy
	}
	complete := true
	err := s.eachUser(ctx, func(users []urn.URN) error {
		for _, u := range users {
			matching, err := s.engine.MatchingActor(ctx, compiled, u)
			if err != nil {
				return err
			}
			for _, i := range matching {
				all[i].People++
			}
		}
		return nil
	}, maxPeople, &complete)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Complete = complete; r.platform {
			continue
		}
		n, err := s.assets(ctx, r.policy)
		if err != nil {
			return err
		}
		r.Assets = &n
	}
	return nil
}

// eachUser visits users that are not soft-deleted, page by page in URN order, until at least most
// were visited. It sets complete to false when there are more.
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

// assetTypes returns the entity types that policies may cover.
func (s *Service) assetTypes() (types []string) {
	for _, entity := range s.edit.Registry.Entities() {
		if !entity.Key.Managed {
			types = append(types, entity.Name)
		}
	}
	return types
}

// assets counts the entities that a policy covers.
func (s *Service) assets(ctx context.Context, p *policy.Policy) (int, error) {
	types := s.assetTypes()
	filter, any := p.Covers(types)
	if !any {
		return 0, nil
	}
	found, err := s.edit.Discover.Search(ctx, discover.SearchQuery{Types: types, And: []search.Filter{filter}, Facets: []string{}, IncludeOldVersions: true, IncludeHiddenStages: true})
	return found.Total, err
}
