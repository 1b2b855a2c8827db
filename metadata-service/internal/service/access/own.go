package access

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxOwn bounds how many policies Own reads.
const maxOwn = 200

// OwnPolicy is a policy that grants the caller something.
type OwnPolicy struct {
	URN urn.URN
	// Info is the value of dataHubPolicyInfo. Of its users, groups and roles there are those alone
	// that the caller is or belongs to.
	Info jsontree.Object
}

// Own gives the first active policies that grant the caller something, and how many
// there are. Everybody may ask: they tell of no other person.
func (s *Service) Own(ctx context.Context) (own []OwnPolicy, total int, err error) {
	who, err := edit.Actor(ctx)
	if err != nil {
		return nil, 0, err
	}
	granting, err := s.engine.Of(ctx, who)
	if err != nil {
		return nil, 0, err
	}
	groups, roles, err := s.memberships(ctx, who)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range granting[:min(len(granting), maxOwn)] {
		info, err := s.edit.Stored(ctx, p.URN, policyInfo)
		if err != nil {
			return nil, 0, err
		}
		if info != nil { // deleted since
			own = append(own, OwnPolicy{p.URN, narrowed(info, who, groups, roles)})
		}
	}
	return own, len(granting), nil
}

// narrowed is a policy whose actors are the user, and the groups and roles of it.
func narrowed(info jsontree.Object, who urn.URN, groups, roles []urn.URN) jsontree.Object {
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
