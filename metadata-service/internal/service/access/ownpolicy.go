package access

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of Own: the number of returned policies, and the number of policies for owners for which a
// search determines whether the actor owns a resource of the policy.
const (
	maxOwn   = 200
	maxOwned = 100
)

// OwnPolicy is a policy that grants the actor something.
type OwnPolicy struct {
	URN urn.URN
	// Info is the value of dataHubPolicyInfo. Its users, groups and roles are reduced to the actor
	// and its own groups and roles, and its resources to entities that the actor may read.
	Info jsontree.Object
}

// Own returns the first 200 active policies that grant the actor something, and their total number.
// A policy for owners counts if the actor owns one of its resources. Every actor may call it, since
// the answer discloses neither other users nor hidden entities.
func (s *Service) Own(ctx context.Context) (own []OwnPolicy, total int, err error) {
	who, err := edit.Actor(ctx)
	if err != nil {
		return nil, 0, err
	}
	granting, err := s.engine.Of(ctx, who, s.assetTypes())
	if err != nil {
		return nil, 0, err
	}
	if granting, err = s.filterOwned(ctx, granting); err != nil {
		return nil, 0, err
	}
	groups, roles, err := s.memberships(ctx, who)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range granting[:min(len(granting), maxOwn)] {
		info, err := s.edit.Stored(ctx, p.Policy.URN, policyInfo)
		if err != nil {
			return nil, 0, err
		}
		if info == nil { // deleted meanwhile
			continue
		}
		info = restrictActors(info, who, groups, roles)
		if resources, limited := info["resources"]; limited {
			if info["resources"], err = s.filterReadable(ctx, resources); err != nil {
				return nil, 0, err
			}
		}
		own = append(own, OwnPolicy{p.Policy.URN, info})
	}
	return own, len(granting), nil
}

// filterOwned removes policies for owners whose resources include none of the actor, and those
// beyond maxOwned searches.
func (s *Service) filterOwned(ctx context.Context, all []policy.Granting) (kept []policy.Granting, err error) {
	searches := 0
	for _, p := range all {
		if p.Owned != nil {
			if searches++; searches > maxOwned {
				continue
			}
			found, err := s.edit.Discover.Search(ctx, discover.SearchQuery{
				Types: s.assetTypes(), And: []search.Filter{p.Owned}, Facets: []string{}, Deciding: true,
				IncludeSoftDeleted: true, IncludeOldVersions: true, IncludeHiddenStages: true,
			})
			if err != nil {
				return nil, err
			}
			if found.Total == 0 {
				continue
			}
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// filterReadable returns a part of a policy without URNs that the actor may not read. It also
// removes URN prefixes, since they name no entity.
func (s *Service) filterReadable(ctx context.Context, part any) (any, error) {
	named := map[string]bool{}
	filterTexts(part, func(text string) bool {
		if strings.HasPrefix(text, "urn:") {
			named[text] = false
		}
		return true
	})
	var urns []urn.URN
	for text := range named {
		if u, err := urn.Parse(text); err == nil {
			urns = append(urns, u)
		}
	}
	may, err := s.edit.Catalog.MayReadEach(ctx, urns, "")
	if err != nil {
		return nil, err
	}
	for i, u := range urns {
		named[string(u)] = may[i]
	}
	return filterTexts(part, func(text string) bool {
		may, isURN := named[text]
		return may || !isURN
	}), nil
}

// filterTexts returns a copy of a JSON value whose lists contain only the texts for which keep
// returns true.
func filterTexts(value any, keep func(text string) bool) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(jsontree.Object, len(value))
		for name, member := range value {
			out[name] = filterTexts(member, keep)
		}
		return out
	case []any:
		out := []any{}
		for _, item := range value {
			if text, ok := item.(string); !ok || keep(text) {
				out = append(out, filterTexts(item, keep))
			}
		}
		return out
	}
	return value
}

// restrictActors returns a policy whose actors are reduced to a user, its groups and its roles.
func restrictActors(info jsontree.Object, who urn.URN, groups, roles []urn.URN) jsontree.Object {
	actors := maps.Clone(jsontree.Child(info, "actors"))
	for member, of := range map[string][]urn.URN{"users": {who}, "groups": groups, "roles": roles} {
		kept := []any{}
		for _, text := range jsontree.Texts(actors, member) {
			if slices.Contains(of, urn.URN(text)) {
				kept = append(kept, text)
			}
		}
		if actors != nil {
			actors[member] = kept
		}
	}
	out := maps.Clone(info)
	out["actors"] = actors
	return out
}
