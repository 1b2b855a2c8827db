package policy

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
)

// entityTypes are all types in the tables.
var entityTypes = privilege.Types()

// Restricted lists the entity types of which view authorization may hide entities from the actor in
// ctx: those for which a policy on single entities decides, and all of them for a scoped token. It
// includes views, since personal views are hidden. It returns nil if nothing is hidden.
func (e *Engine) Restricted(ctx context.Context) ([]string, error) {
	actor, err := knownActor(ctx)
	if err != nil || !e.cfg.ViewAuthorization || e.mayAll(actor) {
		return nil, err
	}
	st, err := e.standing(ctx, actor.URN)
	if err != nil {
		return nil, err
	}
	if actor.Scope == nil && st.of(auth.ViewPage).always {
		return nil, nil
	}
	var restricted []string
	for _, name := range entityTypes {
		if (e.restricts(name) || name == viewEntity) && (actor.Scope != nil || !e.unrestricted[name] && !st.seesWhole(name)) {
			restricted = append(restricted, name)
		}
	}
	return restricted, nil
}

// seesWhole reports whether the actor holds a privilege for reading over all resources.
func (s *standing) seesWhole(name string) bool {
	return slices.ContainsFunc(privilege.ToRead(name), func(p auth.Privilege) bool { return s.of(p).always })
}

// Measures reports whether reading an aspect of an entity type needs an additional privilege over
// the single entity.
func (e *Engine) Measures(entityType, aspect string) bool {
	return !e.cfg.Off && privilege.Measured(entityType, aspect) != ""
}
