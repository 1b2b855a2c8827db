package app

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ownedBy is the relationship of an entity to its owner.
const ownedBy = "OwnedBy"

// hasGrantsOrBelongings reports whether stored metadata grants something to a user by its name, or
// belongs to it, even if the user does not exist: an active or inactive policy names it, it owns an
// entity, or it has an item of rule.Belonging or a step state. Metadata that only mentions a user,
// such as the members of a group from a directory or the assignees of an incident, grants nothing
// and does not count.
func (a *App) hasGrantsOrBelongings(ctx context.Context, user urn.URN) (bool, error) {
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
