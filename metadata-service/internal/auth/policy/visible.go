package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const typeField = "_entityType" // field of the search index

// DefaultUnrestricted lists entity types that every actor may view, in addition to those that the
// model marks: entities behind the pages that are not about an asset. Assets, such as applications
// and services, are not included, nor are entities about assets that they name, see
// document.SubjectsAspect.
func DefaultUnrestricted() []string {
	return []string{
		"dataHubPolicy", "dataHubIngestionSource", "dataHubSecret", "dataHubExecutionRequest", "dataHubAccessToken", "test", "inviteToken", "versionSet",
		"businessAttribute", "dataHubAction", "dataHubConnection", "platformResource",
	}
}

// Visible returns the part of a reading that the actor may see. Without view authorization this is
// the entity types that it may read as a whole; with it, the entities of each type that it may
// view. In both cases it includes only global views and the actor's own. If the actor may read none
// of the types, the error is the refusal of the first.
func (e *Engine) Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error) {
	actor, err := knownActor(ctx)
	if err != nil || e.mayAll(actor) {
		return auth.Visibility{Types: reading.Types}, err
	}
	st, err := e.standing(ctx, actor.URN)
	if err != nil {
		return auth.Visibility{}, err
	}
	visible := auth.Visibility{
		Types: make([]string, 0, len(reading.Types)),
	}
	if e.holdsAll(actor) {
		st = unrestrictedStanding
	}
	if actor.Scope != nil {
		st = st.within(actor.Scope)
	}
	if actor.Scope != nil || !st.readsAll() {
		visible.Each = func(ctx context.Context, urns []urn.URN) ([]bool, error) { return e.sees(ctx, st, urns) }
	}
	var refused error
	var part []string
	byType := actor
	if actor.Scope != nil {
		byType.Scope = splitScope(actor.Scope).types
	}
	ofType := auth.WithActor(ctx, byType)
	beyond, bounded := beyondTypes(actor.Scope)
	if !bounded {
		byType.Scope, ofType = actor.Scope, ctx // the check refuses, since the filter would be too long
	}
	for _, name := range reading.Types {
		how, err := e.viewOf(ofType, byType, st, name)
		if err == nil && outsideIndex(name, beyond) {
			how, err = e.viewOf(ctx, actor, st, name)
		}
		switch {
		case err != nil && fault.KindOf(err) != fault.Forbidden:
			return auth.Visibility{}, err
		case err != nil && refused == nil:
			refused = err
		case err != nil:
		case how == extentPart:
			part = append(part, name)
			if e.restricts(name) && (actor.Scope == nil || reading.Kind == auth.ReadAssociations) {
				visible.Restricted = append(visible.Restricted, name)
			}
			fallthrough
		default:
			visible.Types = append(visible.Types, name)
		}
	}
	if len(visible.Types) == 0 && refused != nil {
		return auth.Visibility{}, refused
	}
	v := st.view(e, visible.Types, part).narrowed(beyond, visible.Types)
	visible.Filter, visible.Key = v.filter, v.key
	return visible, nil
}

// extent states how much of an entity type an actor sees.
type extent int

const (
	extentWhole extent = iota
	extentPart
)

// unrestrictedStanding is the standing of an actor with every privilege.
var unrestrictedStanding = allGranted()

func allGranted() *standing {
	st := &standing{subject: &subject{}, grants: map[auth.Privilege]*grants{}}
	for _, r := range auth.Rights() {
		st.grants[r.Privilege] = &grants{always: true}
	}
	return st
}

// within returns the standing under a scoped token. It lacks the privilege over personal views if
// the scope does not permit it. A privilege for reading that the scope names counts as those of the
// actor for reading the same, see holdsOne.
func (s *standing) within(scope *auth.Scope) *standing {
	if len(scope.Privileges)+len(scope.Resources) == 0 {
		return s
	}
	narrow := &standing{subject: s.subject, by: s.by, grants: s.grants, scope: splitScope(scope).types, isBounded: len(scope.Resources) > 0}
	if !scope.Permits(auth.ManageGlobalViews, auth.OpRead, nil) {
		narrow.grants = maps.Clone(s.grants)
		delete(narrow.grants, auth.ManageGlobalViews)
	}
	return narrow
}

// permitsType reports whether a scope permits reading entities of a type.
func permitsType(scope *auth.Scope, name string) bool {
	of := func(field auth.ResourceField) ([]string, bool) { return []string{name}, field == auth.FieldType }
	return slices.ContainsFunc(privilege.ToRead(name), func(p auth.Privilege) bool { return scope.Permits(p, auth.OpRead, of) })
}

// permitsPage reports whether a scope permits viewing entities of an unrestricted type.
func permitsPage(scope *auth.Scope, name string) bool {
	return scope.Permits(auth.ViewPage, auth.OpRead, func(field auth.ResourceField) ([]string, bool) { return []string{name}, field == auth.FieldType })
}

// permitsToRead reports whether the scope of the token permits reading entities of a type by a
// privilege that the actor holds, see scopeMayName.
func (s *standing) permitsToRead(held auth.Privilege, name string) bool {
	if s.scope == nil {
		return true
	}
	of := func(field auth.ResourceField) ([]string, bool) { return []string{name}, field == auth.FieldType }
	return slices.ContainsFunc(append(slices.Clip(privilege.ToRead(name)), held), func(p auth.Privilege) bool {
		return (p == held || scopeMayName(p, held)) && s.scope.Permits(p, auth.OpRead, of) && !(s.isBounded && auth.OfPlatform(p))
	})
}

// permitsPlatform reports whether the scope of the token permits a platform privilege.
func (s *standing) permitsPlatform(p auth.Privilege) bool {
	return s.scope == nil || !s.isBounded && s.scope.Permits(p, auth.OpRead, nil)
}

// readsAll reports whether the actor may read entities of every type without restriction.
func (s *standing) readsAll() bool {
	for _, p := range []auth.Privilege{auth.ViewPage, auth.ManageGlobalViews, auth.ManageIngestion, auth.ManageSecrets, auth.ManageTokens, auth.ManageSettings, auth.ManageSystem} {
		if !s.of(p).always {
			return false
		}
	}
	return true
}

// viewOf returns how much of a type the actor sees. If it sees nothing because of the type, the
// error is the refusal.
func (e *Engine) viewOf(ctx context.Context, actor auth.Actor, st *standing, name string) (extent, error) {
	needed := privilege.ToRead(name)
	if actor.Scope != nil && !permitsType(actor.Scope, name) {
		decisions, err := e.Decide(ctx, []auth.Check{auth.OfType(auth.OpRead, name)})
		if err != nil {
			return extentWhole, err
		}
		return extentWhole, decisions[0].Err()
	}
	for _, p := range needed {
		if st.of(p).always && !st.mustNameToRead(p, name) && st.permitsToRead(p, name) {
			return extentWhole, nil
		}
	}
	restricted := e.cfg.ViewAuthorization && slices.Contains(needed, auth.ViewPage)
	switch {
	case restricted && e.unrestricted[name] && (actor.Scope == nil || permitsPage(actor.Scope, name)):
		return extentWhole, nil
	case restricted && !st.inactive:
		return extentPart, nil
	}
	decisions, err := e.Decide(ctx, []auth.Check{auth.OfType(auth.OpRead, name)})
	if err == nil {
		err = decisions[0].Err()
	}
	if err == nil && !st.readsType(name) {
		return extentPart, nil
	}
	return extentWhole, err
}

// restricts reports whether view authorization hides entities of a type. It is false for views, and
// for types without VIEW_ENTITY_PAGE such as secrets, since no answer may reveal that a personal
// view or a secret exists. For scoped tokens the callers must not reveal entities beyond the scope
// either.
func (e *Engine) restricts(name string) bool {
	return e.cfg.ViewAuthorization && name != viewEntity && slices.Contains(privilege.ToRead(name), auth.ViewPage)
}

// readsType reports whether a policy lets the actor read all entities of a type. A check of a type
// allows more: a policy on all but some entities applies to the type, which has no URN.
func (s *standing) readsType(name string) bool {
	return slices.ContainsFunc(privilege.ToRead(name), func(p auth.Privilege) bool {
		if !s.permitsToRead(p, name) {
			return false
		}
		g, named := s.of(p), s.mustNameToRead(p, name)
		return g.always && !named || slices.ContainsFunc(g.scoped, func(p *Policy) bool { return p.coversType(name) && (!named || p.namesResource(name)) })
	})
}

// coversType reports whether a policy applies to every entity of a type.
func (p *Policy) coversType(name string) bool {
	if p.resources == nil {
		return true
	}
	for i := range p.resources.criteria {
		c := &p.resources.criteria[i]
		always := c.field != unknownField && c.condition == notEquals && len(c.values) == 0
		if !always && (c.field != typeOf || !c.holds([]string{name})) {
			return false
		}
	}
	return true
}

// sees reports for each entity whether the actor may see it.
func (e *Engine) sees(ctx context.Context, st *standing, urns []urn.URN) ([]bool, error) {
	actor, _ := auth.ActorFrom(ctx)
	inPart := map[string]bool{}
	if actor.Scope == nil && !e.cfg.ViewAuthorization {
		var err error
		if inPart, err = e.readInPart(ctx, st, urns); err != nil {
			return nil, err
		}
	}
	checks := make([]auth.Check, len(urns))
	for i, u := range urns {
		switch {
		case actor.Scope != nil, u.Type() == viewEntity, e.cfg.ViewAuthorization && !e.isUnrestricted(u.Type()), inPart[u.Type()]:
			checks[i] = auth.On(auth.OpRead, u, "")
		case e.cfg.ViewAuthorization:
			checks[i] = auth.Check{}
		default:
			checks[i] = auth.OfType(auth.OpRead, u.Type())
		}
	}
	return e.answer(ctx, checks)
}

// readInPart lists the types of the entities of which the actor reads a part.
func (e *Engine) readInPart(ctx context.Context, st *standing, urns []urn.URN) (map[string]bool, error) {
	inPart := map[string]bool{}
	var open []auth.Check
	for _, u := range urns {
		if _, known := inPart[u.Type()]; known {
			continue
		}
		inPart[u.Type()] = false
		if !st.readsType(u.Type()) {
			open = append(open, auth.OfType(auth.OpRead, u.Type()))
		}
	}
	allowed, err := e.answer(ctx, open)
	for i := range allowed {
		inPart[open[i].Type] = allowed[i]
	}
	return inPart, err
}

// isUnrestricted reports whether every actor may view the entities of a type.
func (e *Engine) isUnrestricted(entityType string) bool {
	return e.unrestricted[entityType] && slices.Contains(privilege.ToRead(entityType), auth.ViewPage)
}

// answer reports for each check whether it is allowed. The zero check is allowed.
func (e *Engine) answer(ctx context.Context, checks []auth.Check) ([]bool, error) {
	out := make([]bool, len(checks))
	asked := make([]auth.Check, 0, len(checks))
	places := make([]int, 0, len(checks))
	// Checks of the same type are decided once.
	same := map[string]int{}
	for i := range checks {
		switch c := &checks[i]; {
		case c.Operation == "":
			out[i] = true
			continue
		case len(c.Entities) > 0:
		default:
			if at, ok := same[c.Type]; ok {
				places = append(places, at)
				continue
			}
			same[c.Type] = len(asked)
		}
		places = append(places, len(asked))
		asked = append(asked, checks[i])
	}
	decisions, err := e.Decide(ctx, asked)
	if err != nil {
		return nil, err
	}
	next := 0
	for i := range checks {
		if checks[i].Operation == "" {
			continue
		}
		out[i] = decisions[places[next]].Allowed()
		next++
	}
	return out, nil
}

func ofTypes(types []string) search.Criterion {
	return search.Criterion{Field: typeField, Values: types}
}

// ownViews restricts criteria on views to global views and those of the actor.
func (s *standing) ownViews(criteria []search.Criterion) search.Filter {
	return search.Filter{
		append(slices.Clone(criteria), search.Criterion{Field: "type", Values: []string{globalView}}),
		append(slices.Clone(criteria), search.Criterion{Field: "createdBy", Values: []string{string(s.urn)}}),
	}
}

// splitViews takes views out of an alternative for several types and restricts them. The first
// criterion of the alternative names the types.
func (s *standing) splitViews(alternative []search.Criterion) search.Filter {
	views := slices.Clone(alternative)
	views[0] = ofTypes([]string{viewEntity})
	f := s.ownViews(views)
	rest := slices.DeleteFunc(slices.Clone(alternative[0].Values), func(t string) bool { return t == viewEntity })
	if len(rest) == 0 {
		return f
	}
	others := slices.Clone(alternative)
	others[0] = ofTypes(rest)
	return append(f, others)
}
