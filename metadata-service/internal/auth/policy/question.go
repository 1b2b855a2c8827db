package policy

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// looksAtResources reports whether stored facts can influence a check, that is whether the check
// has a resource.
func looksAtResources(c auth.Check) bool { return len(c.Entities)+len(c.Tags) > 0 || c.Type != "" }

// question is the state of one call of an authorizer. Its facts are read together.
type question struct {
	ctx    context.Context
	engine *Engine
	*standing
	facts *facts      // nil if no check has a resource
	scope *auth.Scope // of the token; nil does not restrict
	parts *scopeParts // of scope, nil until the first read
	// withoutPlatform is set while a read with the privileges of a scope is decided, and the scope has
	// criteria on resources: platform privileges then do not count.
	withoutPlatform bool
	all             bool // the actor holds every privilege
	answers         map[grantKey]bool
	// subjects are the assets that entities are about, by entity, for the entities already read.
	subjects map[urn.URN][]urn.URN
	// once is true if nothing can be evaluated twice: there is one check with one resource.
	once bool
	// asSubject is true while the question reads an entity because another one is about it. A
	// policy that excludes entities then does not grant access to an entity that names further
	// ones, see holdsForNamed.
	asSubject bool
	// outOfScope is the first privilege that the actor holds and the scope does not permit.
	outOfScope auth.Privilege
}

// prefetch reads the facts that policies may need, in one call for all checks.
func (q *question) prefetch(checks []auth.Check) error {
	var missing reading
	if err := q.prefetchSubjects(checks, &missing); err != nil {
		return err
	}
	for i := range checks {
		c := &checks[i]
		for _, on := range resourcesOf(c) {
			for _, u := range [...]urn.URN{on, decidingEntity(on)} {
				if n := q.needs(c, u); n != 0 {
					missing.want(q.facts, u, n)
				}
			}
		}
	}
	if len(missing.keys) == 0 {
		return nil
	}
	return q.facts.load(q.ctx, &missing)
}

// prefetchSubjects reads the assets that entities are about, and adds their fields to missing. It
// does so where view authorization decides by these assets, or a policy excludes some of them.
func (q *question) prefetchSubjects(checks []auth.Check, missing *reading) error {
	if q.once {
		return nil
	}
	var entities []urn.URN
	var excluded []need
	for i := range checks {
		c := &checks[i]
		follows := q.engine.cfg.ViewAuthorization && c.Operation == auth.OpRead && len(c.AnyOf) == 0
		for _, on := range c.Entities {
			if document.SubjectsAspect(on.Type()) == "" || on.Key() == "" {
				continue
			}
			n := q.excludedBy(neededFor(c, on), on)
			if n != 0 || follows && !q.engine.isUnrestricted(on.Type()) && (q.isBounded() || !q.seesWhole(on.Type())) {
				entities, excluded = append(entities, on), append(excluded, n)
			}
		}
	}
	if err := q.readSubjects(entities); err != nil {
		return err
	}
	for i, u := range entities {
		for _, subject := range q.subjects[u] {
			if n := excluded[i] | q.needsBy(toReadSubject(u.Type(), subject.Type()), subject); n != 0 {
				missing.want(q.facts, subject, n)
			}
		}
	}
	return nil
}

// isBounded reports whether the scope of the token depends on stored facts.
func (q *question) isBounded() bool { return q.scope != nil && len(q.scope.Resources) > 0 }

// needs returns the fields of a resource that the decision of a check may need.
func (q *question) needs(c *auth.Check, on urn.URN) need {
	if on.Key() == "" {
		return 0
	}
	return q.needsBy(neededFor(c, on), on)
}

// needsBy returns the fields of a resource that may decide whether the actor holds one of the
// privileges over it.
func (q *question) needsBy(needed []auth.Privilege, on urn.URN) need {
	return q.needsOf(needed, on, func(policy *Policy) need { return policy.needsOn(on) })
}

// needsOf joins the fields of the policies that may give the actor one of the privileges over a
// resource. It returns none if the actor holds one of them over all resources.
func (q *question) needsOf(needed []auth.Privilege, on urn.URN, of func(*Policy) need) need {
	var n need
	for _, p := range needed {
		g := q.of(p)
		if g.always {
			return 0
		}
		for _, by := range [...]*byEntity{&g.scopedBy, &g.ownedBy} {
			for _, part := range by.over(on) {
				for _, policy := range part {
					n |= of(policy)
				}
			}
		}
	}
	return n
}

// decidingEntity returns the entity whose facts decide about another one: the dataset of a column.
// It is empty for other entities.
func decidingEntity(on urn.URN) urn.URN {
	if on.Type() == columnEntity {
		return parentOf(on)
	}
	return ""
}

// parentOf returns the asset of a column, which decides about reading the column and about the
// privileges of privilege.FollowsDataset. It is empty for other entities.
func parentOf(column urn.URN) urn.URN {
	if parent := model.ParentOfColumn(column); followableTypes[parent.Type()] {
		return parent
	}
	return ""
}

// followsParent reports whether a check of a column is decided by its dataset.
func followsParent(c *auth.Check) bool {
	return slices.ContainsFunc(c.AnyOf, func(p auth.Privilege) bool { return privilege.FollowsDataset(p) })
}

// needsOn returns the fields that a policy refers to. It returns none if the type or URN already
// shows that the policy does not apply to the entity.
func (p *Policy) needsOn(on urn.URN) need {
	if p.resources != nil {
		for i := range p.resources.criteria {
			c := &p.resources.criteria[i]
			if c.field == typeOf && !c.holds([]string{on.Type()}) || c.field == urnOf && !c.holds([]string{string(on)}) {
				return 0
			}
		}
	}
	return p.needs()
}

// answer decides one check. For a check that is refused for lack of a privilege it returns a
// refusedCheck and no decision.
func (q *question) answer(c *auth.Check) (auth.Decision, refusedCheck, error) {
	if q.inactive && !q.all {
		return auth.Refuse(q.urn, *c, fault.New(fault.Forbidden, "Actor is not active")), refusedCheck{}, nil
	}
	if c.Anywhere {
		if p, ok := q.anywhere(c); ok {
			return auth.Allow(q.urn, *c, p, q.reach()), refusedCheck{}, nil
		}
		return auth.Decision{}, refusedCheck{check: c}, nil
	}
	resources := resourcesOf(c)
	var by auth.Privilege
	var first refusedCheck
	met := 0
	for _, on := range resources {
		q.outOfScope = ""
		p, ok, err := q.allows(c, on)
		switch {
		case err != nil:
			return auth.Decision{}, refusedCheck{}, err
		case ok:
			by = p
			met++
		case first.check == nil:
			first = refusedCheck{check: c, on: on, outOfScope: q.outOfScope}
		}
	}
	if met == len(resources) || c.AnyEntity && met > 0 {
		return auth.Allow(q.urn, *c, by, q.reach()), refusedCheck{}, nil
	}
	return auth.Decision{}, first, nil
}

// reach is Reaches within the scope of the token. If the scope excludes an entity, a privilege over
// another entity that it is about does not permit writing it.
func (q *question) reach() auth.Reach {
	if !q.scope.Excluding() {
		return privilege.Reaches
	}
	return func(c *auth.Check, op auth.Operation, entity urn.URN, aspect string) bool {
		return !q.scope.Excludes(entity) && privilege.Reaches(c, op, entity, aspect)
	}
}

// anywhere finds a privilege that the actor has over the platform, or by a policy over any
// entities. With a type only policies that name entities of the type count. Of a scope only its list
// of privileges counts.
func (q *question) anywhere(c *auth.Check) (auth.Privilege, bool) {
	given := func(p auth.Privilege) bool {
		g := q.of(p)
		if q.all || c.Type == "" {
			return q.all || g != noGrants
		}
		names := func(p *Policy) bool { return p.namesType(c.Type) }
		return slices.ContainsFunc(g.scoped, names) || slices.ContainsFunc(g.owned, names)
	}
	i := slices.IndexFunc(c.AnyOf, func(p auth.Privilege) bool {
		return given(p) && q.scope.Permits(p, c.Operation, nil)
	})
	if i < 0 {
		return "", false
	}
	return c.AnyOf[i], true
}

// allows finds the privilege that allows a check for one resource. If a scope excludes an entity,
// it also excludes all entities that are about it. For reads by the table, reads makes this check.
func (q *question) allows(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	by, ok, err := q.allowsAlone(c, on)
	if !ok || err != nil || q.scope == nil || on.Key() == "" || c.Operation == auth.OpRead && len(c.AnyOf) == 0 {
		return by, ok, err
	}
	if q.parts == nil {
		q.parts = splitScope(q.scope)
	}
	if len(q.parts.excluding.Resources) == 0 {
		return by, true, nil
	}
	with, bounded, err := q.followsAll(on, c.Names...)
	if !bounded || err != nil {
		return "", false, err
	}
	whole := q.scope
	defer func() { q.scope = whole }()
	q.scope = q.parts.excluding
	for _, u := range with {
		// The facts that the batch proposes for the entity itself do not apply to its subjects, but
		// they do apply to the dataset of a column.
		of := auth.Check{Operation: c.Operation, AnyOf: c.AnyOf, Aspect: c.Aspect}
		if u == model.ParentOfColumn(on) {
			of.Domains, of.Anew = c.Domains, c.WholeAnew
		}
		if r := resourceOf(&of, u); !q.permits(by, c, &r) {
			return "", false, nil
		}
	}
	return by, true, nil
}

// allowsAlone is allows without the entities that the resource is about.
func (q *question) allowsAlone(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	if len(c.AnyOf) == 0 {
		switch c.Operation {
		case auth.OpRead:
			return q.reads(c, on)
		case auth.OpManage:
			return q.manages(c, on)
		case auth.OpExists:
			if on.Key() != "" && (q.engine.cfg.ViewAuthorization || on.Type() == viewEntity) {
				return q.knowsOf(c, on)
			}
		}
	}
	needed, err := q.needed(c, on)
	if err != nil {
		return "", false, err
	}
	if parent := parentOf(on); parent != "" && followsParent(c) {
		if p, ok, err := q.holdsOne(c, parent, needed); ok || err != nil {
			return p, ok, err
		}
	}
	return q.holdsOne(c, on, needed)
}

// knowsOf decides whether an actor may learn that an entity exists, for types with hidden entities.
// It may if it may read the entity, or if it holds the privilege auth.ExistsEntity over it.
func (q *question) knowsOf(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	read := *c
	read.Operation = auth.OpRead
	if p, ok, err := q.reads(&read, on); ok || err != nil {
		return p, ok, err
	}
	if !slices.Contains(privilege.Needed(auth.OpExists, on, ""), auth.ExistsEntity) {
		return "", false, nil
	}
	return q.holdsOne(c, on, []auth.Privilege{auth.ExistsEntity})
}

// manages decides whether an actor may both update and delete the entities of a type.
func (q *question) manages(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	if _, ok, err := q.holdsOne(c, on, privilege.Needed(auth.OpDelete, on, "")); !ok || err != nil {
		return "", false, err
	}
	return q.holdsOne(c, on, privilege.Needed(auth.OpUpdate, on, ""))
}

// holdsOne finds one of the privileges that the actor holds over a resource and that the scope of
// its token permits. Privileges that need no stored facts come first.
//
// A scope may name another one of the privileges than the actor holds, see scopeMayName, for
// example EDIT_ENTITY_TAGS for a user that holds EDIT_ENTITY. The check is then within the
// privileges of the user, and also within those of an actor that holds nothing but the privileges
// of the scope.
func (q *question) holdsOne(c *auth.Check, on urn.URN, needed []auth.Privilege) (auth.Privilege, bool, error) {
	r := resourceOf(c, on)
	var held []auth.Privilege
	for _, p := range needed {
		if q.holdsAnyway(p, c, on) || on == q.urn && isSelfPrivilege(p, needed) {
			if q.permits(p, c, &r) {
				return p, true, nil
			}
			held = append(held, p)
		}
	}
	for _, p := range needed {
		ok, err := q.grantedOnce(p, c, &r)
		if err != nil {
			return "", false, err
		}
		if ok {
			if q.permits(p, c, &r) {
				return p, true, nil
			}
			held = append(held, p)
		}
	}
	for _, p := range needed {
		if q.holdsOverNamed(p, c) && q.permits(p, c, &r) {
			return p, true, nil
		}
	}
	for _, has := range held {
		if i := slices.IndexFunc(needed, func(p auth.Privilege) bool { return scopeMayName(p, has) && q.permits(p, c, &r) }); i >= 0 {
			return needed[i], true, nil
		}
	}
	// Ownership comes last, since it permits less than a privilege.
	for _, p := range needed {
		own, err := q.isOwn(p, c, on)
		if err != nil {
			return "", false, err
		}
		if own && q.permits(p, c, &r) {
			return p, true, nil
		}
	}
	return "", false, nil
}

// scopeMayName reports whether the scope of a token may name a privilege in place of one that the
// actor holds, if either suffices. No privilege replaces a platform privilege, except one for
// reading: the creator of a token holds the platform privileges that its scope names, see
// token.Service, and the token would then have others.
func scopeMayName(named, held auth.Privilege) bool {
	return named != auth.Own && named != auth.AcceptRole && (!auth.OfPlatform(held) || auth.Reads(named))
}

// holdsOverNamed reports whether a privilege applies to the entities that the written aspect names,
// and the actor holds it over any entity. For reads such a privilege counts over the entity itself
// only.
func (q *question) holdsOverNamed(p auth.Privilege, c *auth.Check) bool {
	return writes(c.Operation) && len(c.AnyOf) == 0 && c.Aspect != "" && privilege.OverNamed(c.Aspect) == p && (q.all || q.of(p) != noGrants)
}

func writes(op auth.Operation) bool {
	return op == auth.OpCreate || op == auth.OpUpdate || op == auth.OpDelete
}

// isOwn reports whether p is a privilege that every actor has over its own entities, and the
// resource is one of them.
func (q *question) isOwn(p auth.Privilege, c *auth.Check, on urn.URN) (bool, error) {
	if p == auth.Own {
		return q.owns(c, on)
	}
	return p == auth.AcceptRole && on == q.urn, nil
}

// holdsAnyway reports whether the actor holds a privilege regardless of the stored facts about the
// resource.
func (q *question) holdsAnyway(p auth.Privilege, c *auth.Check, on urn.URN) bool {
	return q.all || q.of(p).always && !q.mustName(p, c, on.Type(), on)
}
