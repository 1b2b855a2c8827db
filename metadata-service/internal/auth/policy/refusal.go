package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/pkg/urn"
)

// refusedCheck is a refused check, with the first of its resources over which the actor lacks a
// privilege.
type refusedCheck struct {
	check      *auth.Check
	on         urn.URN
	outOfScope auth.Privilege // held by the actor and not permitted by the scope of its token
	decision   *auth.Decision
}

// refuse fills in the decisions of refused checks. No refusal names an entity that view
// authorization hides from the actor, unless the client named it. An absent entity counts as hidden
// from actors that could not view it.
func (q *question) refuse(misses []refusedCheck) error {
	if err := q.prefetch(namingChecks(q, misses)); err != nil {
		return err
	}
	for i := range misses {
		m := &misses[i]
		q.outOfScope = m.outOfScope
		refused, err := q.refusal(m.check, m.on)
		if err != nil {
			return err
		}
		*m.decision = auth.Refuse(q.urn, *m.check, refused)
	}
	return nil
}

// namingChecks lists the checks for reading the entities that refusals may name.
func namingChecks(q *question, misses []refusedCheck) []auth.Check {
	var checks []auth.Check
	for i := range misses {
		if m := &misses[i]; q.mayConceal(m.check, m.on) {
			checks = append(checks, auth.On(auth.OpRead, m.on, ""))
		}
	}
	return checks
}

// mayConceal reports whether a refusal omits the name of a resource that the actor may not view.
func (q *question) mayConceal(c *auth.Check, on urn.URN) bool {
	e := q.engine
	return !c.Named && on.Key() != "" && on != q.urn && (e.restricts(on.Type()) || e.cfg.ViewAuthorization && on.Type() == viewEntity)
}

// nameable returns the resource that a refusal names, or auth.HiddenResource if it must not name
// the resource.
func (q *question) nameable(c *auth.Check, on urn.URN) (urn.URN, error) {
	if !q.mayConceal(c, on) {
		return on, nil
	}
	beyond := q.outOfScope
	defer func() { q.outOfScope = beyond }()
	read := auth.On(auth.OpRead, on, "")
	if _, ok, err := q.reads(&read, on); ok || err != nil {
		return on, err
	}
	return auth.HiddenResource, nil
}

// refusal returns the error for an actor that lacks a privilege over a resource. With view
// authorization it describes a refused creation as an update, since the difference would reveal
// whether the entity exists.
func (q *question) refusal(c *auth.Check, on urn.URN) (refused, err error) {
	if c.Operation == auth.OpCreate && q.engine.cfg.ViewAuthorization {
		update := *c
		update.Operation, c = auth.OpUpdate, &update
	}
	name, err := q.nameable(c, on)
	if err != nil {
		return nil, err
	}
	if q.outOfScope != "" {
		return auth.BeyondScope(auth.Actor{URN: q.urn, Scope: q.scope}, c.Operation, q.outOfScope, name), nil
	}
	needed, err := q.needed(c, on)
	if err != nil {
		return nil, err
	}
	// A refusal must not reveal whether a user's personal view exists. It names only the privilege
	// to write it, even if the view is absent.
	if rule, _ := privilege.OwnershipOf(on.Type()); rule.Manage != "" && len(c.AnyOf) == 0 && writes(c.Operation) {
		needed = slices.DeleteFunc(slices.Clone(needed), func(p auth.Privilege) bool { return p != rule.Manage && p != auth.Own })
	}
	if p := privilege.Measured(on.Type(), c.Aspect); p != "" && c.Operation == auth.OpRead && len(c.AnyOf) == 0 {
		if _, ok, err := q.readsEntity(c, on); ok && err == nil {
			needed = []auth.Privilege{p} // the actor may read the entity, but not this aspect
		}
	}
	if parent := parentOf(on); parent != "" && followsParent(c) {
		if name, err = q.nameable(c, parent); err != nil {
			return nil, err
		}
	}
	return q.lacking(c, needed, name), nil
}

// lacking returns the text and structure of a refusal that names a resource.
func (q *question) lacking(c *auth.Check, needed []auth.Privilege, on urn.URN) error {
	switch {
	case len(c.AnyOf) == 1 && c.AnyOf[0] == auth.Own:
		return auth.Lacking(q.urn, "", needed, on, "%s is unauthorized: %s belongs to somebody else", q.urn, auth.NameOf(on))
	case len(c.AnyOf) == 0:
		what := auth.NameOf(on)
		if on != "" && on.Key() == "" && on != auth.HiddenResource {
			what = "entities of the type " + on.Type()
		}
		if c.Aspect != "" {
			what = c.Aspect + " of " + what
		}
		return auth.Lacking(q.urn, c.Operation, needed, on, "%s is unauthorized to %s %s: needs the privilege %s", q.urn, c.Operation, what, namedPrivilege(needed))
	case on != "":
		return auth.Lacking(q.urn, "", needed, on, "%s is unauthorized: needs one of the privileges %v over %s", q.urn, needed, auth.NameOf(on))
	}
	names := make([]string, len(needed))
	for i, p := range needed {
		names[i] = string(p)
	}
	return auth.Lacking(q.urn, "", needed, "", "%s is unauthorized: needs the privilege %s", q.urn, strings.Join(names, " or "))
}

// namedPrivilege returns the privilege that a refusal names.
func namedPrivilege(needed []auth.Privilege) string {
	for _, p := range needed {
		if p != auth.Own {
			return string(p)
		}
	}
	return fmt.Sprint(needed)
}
