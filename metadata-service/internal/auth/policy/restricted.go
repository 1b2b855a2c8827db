package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// entityTypes are all types that the tables name.
var entityTypes = slices.Sorted(maps.Keys(allTypes()))

func allTypes() map[string]bool {
	all := maps.Clone(described)
	for name := range rows {
		all[name] = true
	}
	return all
}

// Restricted lists the entity types of which view authorization may hide entities from
// the actor in ctx: those that a policy over single entities decides about, and for a
// token with a scope all of them; views, of which personal ones are hidden, among them. It is
// nil where nothing is hidden.
func (e *Engine) Restricted(ctx context.Context) ([]string, error) {
	actor, err := known(ctx)
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

// seesWhole reports whether the actor holds a privilege to read over everything.
func (s *standing) seesWhole(name string) bool {
	return slices.ContainsFunc(rowOf(name).read, func(p auth.Privilege) bool { return s.of(p).always })
}

// Measures reports whether reading an aspect of an entity type takes a privilege over the
// single entity besides the right to read it.
func (e *Engine) Measures(entityType, aspect string) bool {
	return !e.cfg.Off && Measured(entityType, aspect) != ""
}
