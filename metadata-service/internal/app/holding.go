package app

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ownedBy is the relationship of an entity to its owner.
const ownedBy = "OwnedBy"

// holds reports whether something that is stored gives rights to a user by its name, or
// belongs to it, whether the user exists or not: a policy names it, active or not, an entity has it as owner, or it has
// what rule.Belonging lists or a step state. What merely mentions a user, such as the members of a
// group that a directory lists or the assignees of an incident, gives nothing and does not count.
func (a *App) holds(ctx context.Context, user urn.URN) (bool, error) {
	if a.rights.NamesUser(user) {
		return true, nil
	}
	owned, err := a.drivers.graph.Edges(ctx, graph.Query{Nodes: []urn.URN{user}, Direction: graph.Incoming, Types: []string{ownedBy}, Limit: 1})
	if err != nil || len(owned) > 0 {
		return err == nil, err
	}
	for _, term := range rule.Belonging(user) {
		found, err := a.drivers.store.Lookup(ctx, term, "", 1)
		if err != nil || len(found) > 0 {
			return err == nil, err
		}
	}
	return a.rights.HasSteps(ctx, user)
}
