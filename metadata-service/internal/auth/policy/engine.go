// Package policy decides what actors may do, and what they may see.
//
// Policies are entities that grant privileges to actors, over resources or over the
// platform. They only grant: there is no denial and no order. Two tables say which
// privileges an operation takes: table.go from operations, entity types and
// aspects to privileges, for interfaces that read and write anything; reach.go from
// privileges to what is written by operations that ask for them by name.
//
// The Engine keeps the policies compiled, and for each actor those that concern
// it, by privilege. It follows the change log, so that a changed policy,
// membership or role holds from the next request on. Facts about resources, such
// as their owners, are read when a policy asks for them, once for a request.
package policy

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/cache"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rows reads the latest rows of a store, and lists entities; what is absent is nil.
type Rows interface {
	Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error)
	Scan(ctx context.Context, q store.Scan) ([]urn.URN, error)
}

// Config is what an Engine works with.
type Config struct {
	// Rows is the store with policies, memberships and what policies look at. It is required.
	Rows Rows
	// Off grants every check to everybody who is signed in.
	Off bool
	// ViewAuthorization makes searches, graph walks and reads show only what the actor may view.
	// Otherwise whole entity types are read or not.
	ViewAuthorization bool
	// Unrestricted lists entity types whose entities everybody views, if reading them needs no
	// privilege of their own.
	Unrestricted []string
}

// Engine decides by the policies that are stored. Load it, and have it follow the
// change log as an awaited projection. It is safe for concurrent use.
type Engine struct {
	cfg      Config
	snapshot atomic.Pointer[snapshot]
	// standings holds what actors hold, parents what is right above domains, containers,
	// glossary terms and nodes.
	standings *cache.Cache[urn.URN, *standing]
	parents   *cache.Cache[urn.URN, urn.URN]
	// unrestricted are the entity types that everybody views.
	unrestricted map[string]bool
}

// Bounds of what is remembered.
const (
	maxStandings = 10_000
	maxParents   = 50_000
)

// New makes an Engine that knows no policies until it is loaded.
func New(cfg Config) *Engine {
	e := &Engine{cfg: cfg, standings: cache.New[urn.URN, *standing](maxStandings), parents: cache.New[urn.URN, urn.URN](maxParents)}
	e.unrestricted = map[string]bool{}
	for _, name := range cfg.Unrestricted {
		e.unrestricted[name] = true
	}
	e.snapshot.Store(newSnapshot(map[urn.URN]*Policy{}))
	return e
}

// Enabled tells whether policies decide. Otherwise every check is granted.
func (e *Engine) Enabled() bool { return !e.cfg.Off }

// Deciding lists the aspects of an entity that decisions about writing it depend
// on: those that some active policy looks at.
func (e *Engine) Deciding() []string {
	if e.cfg.Off {
		return nil
	}
	return e.snapshot.Load().deciding
}

// Decide answers checks, one decision for each in the order asked. Refusals are
// fault.Forbidden and name the missing privilege; a context without an actor is
// fault.Unauthenticated. The same check is computed once for a request that has a
// cache of decisions, see auth.WithDecisionCache.
func (e *Engine) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, err := known(ctx)
	if err != nil {
		return nil, err
	}
	if e.mayAll(actor) {
		return grantAll(actor, checks), nil
	}
	return auth.DecideCached(ctx, checks, func(open []auth.Check) ([]auth.Decision, error) {
		st, err := e.standing(ctx, actor.URN)
		if err != nil {
			return nil, err
		}
		return e.decide(ctx, actor, st, open)
	})
}

func known(ctx context.Context) (auth.Actor, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return auth.Actor{}, fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	return actor, nil
}

// mayAll tells whether an actor passes every check. The scope of a token narrows
// what anybody may do.
func (e *Engine) mayAll(a auth.Actor) bool { return a.Scope == nil && e.holdsAll(a) }

// holdsAll tells whether an actor holds every privilege.
func (e *Engine) holdsAll(a auth.Actor) bool { return a.System || e.cfg.Off }

func grantAll(actor auth.Actor, checks []auth.Check) []auth.Decision {
	out := make([]auth.Decision, len(checks))
	for i, c := range checks {
		var by auth.Privilege
		if needed := neededFor(&c, resourcesOf(&c)[0]); len(needed) > 0 {
			by = needed[0]
		}
		out[i] = auth.Allow(actor.URN, c, by, Reaches)
	}
	return out
}

// resourcesOf gives what a check is about: its entities, or what stands for the
// entities of its type, or an empty URN for no resource.
func resourcesOf(c *auth.Check) []urn.URN {
	switch {
	case len(c.Entities) > 0:
		return c.Entities
	case c.Type != "":
		return []urn.URN{urn.URN(urn.TypePrefix(c.Type))}
	}
	return nowhere
}

var nowhere = []urn.URN{""}

// neededFor lists the privileges of which one suffices.
func neededFor(c *auth.Check, on urn.URN) []auth.Privilege {
	if len(c.AnyOf) > 0 {
		return c.AnyOf
	}
	return Privileges(c.Operation, on, c.Aspect)
}

// decide answers the checks of an actor.
func (e *Engine) decide(ctx context.Context, actor auth.Actor, st *standing, checks []auth.Check) ([]auth.Decision, error) {
	var f *facts
	if slices.ContainsFunc(checks, looksAtResources) {
		f = auth.RequestFacts(ctx, func() *facts { return &facts{engine: e} })
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	q := &question{ctx: ctx, engine: e, standing: st, facts: f, scope: actor.Scope, all: e.holdsAll(actor), once: len(checks) == 1 && len(resourcesOf(&checks[0])) == 1}
	if err := q.prefetch(checks); err != nil {
		return nil, err
	}
	return q.decide(checks)
}

// decide answers checks whose facts have been read.
func (q *question) decide(checks []auth.Check) ([]auth.Decision, error) {
	out := make([]auth.Decision, len(checks))
	var misses []miss
	for i := range checks {
		var err error
		var missed miss
		if out[i], missed, err = q.answer(&checks[i]); err != nil {
			return nil, err
		}
		if missed.check != nil {
			missed.decision = &out[i]
			misses = append(misses, missed)
		}
	}
	return out, q.refuse(misses)
}

// looksAtResources tells whether what is stored may decide a check: it is not one about
// the platform as such.
func looksAtResources(c auth.Check) bool { return len(c.Entities)+len(c.Tags) > 0 || c.Type != "" }

// question is one call of an authorizer, in which facts are read together.
type question struct {
	ctx    context.Context
	engine *Engine
	*standing
	facts   *facts      // nil when no check is about a resource
	scope   *auth.Scope // of the token; nil narrows nothing
	parts   *scopeParts // of scope, nil until the first read
	all     bool        // the actor holds every privilege
	answers map[asked]bool
	// subjects are the assets that entities are about, of those that were read.
	subjects map[urn.URN][]urn.URN
	// once is set when nothing is asked twice: one check about one resource.
	once bool
	// asSubject is set while an entity is read because another one is about it: no policy that excludes
	// grants it then if it names further ones, see holdsForNamed.
	asSubject bool
	// beyond is the first privilege that the actor holds and the scope does not permit.
	beyond auth.Privilege
}

// prefetch reads the facts that policies may ask for, in one call for all checks.
func (q *question) prefetch(checks []auth.Check) error {
	var missing reading
	if err := q.prefetchSubjects(checks, &missing); err != nil {
		return err
	}
	for i := range checks {
		c := &checks[i]
		for _, on := range resourcesOf(c) {
			for _, u := range [...]urn.URN{on, concerned(on)} {
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

// prefetchSubjects reads the assets that entities are about, and adds the fields of these, where
// view authorization decides about reading them or a policy excludes some.
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

// isBounded reports whether the scope of the token decides by what is stored.
func (q *question) isBounded() bool { return q.scope != nil && len(q.scope.Resources) > 0 }

// needs are the fields of a resource that it may take to answer a check.
func (q *question) needs(c *auth.Check, on urn.URN) need {
	if on.Key() == "" {
		return 0
	}
	return q.needsBy(neededFor(c, on), on)
}

// needsBy are the fields of a resource that it may take to tell whether the actor holds one of
// some privileges over it.
func (q *question) needsBy(needed []auth.Privilege, on urn.URN) need {
	return q.needsOf(needed, on, func(policy *Policy) need { return policy.needsOn(on) })
}

// needsOf joins the fields of the policies by which the actor may hold one of some privileges over a resource, none
// where it holds one over all resources.
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

// concerned is the entity whose facts decide about another one: the dataset of a column.
func concerned(on urn.URN) urn.URN {
	if on.Type() == columnEntity {
		return parentOf(on)
	}
	return ""
}

// parentOf is the asset that a column is read with, and by which the privileges of
// followsDataset are held over it; empty for other entities.
func parentOf(column urn.URN) urn.URN {
	if parent := model.ParentOfColumn(column); followed[parent.Type()] {
		return parent
	}
	return ""
}

// followsParent reports whether a check of a column is one of its dataset.
func followsParent(c *auth.Check) bool {
	return slices.ContainsFunc(c.AnyOf, func(p auth.Privilege) bool { return slices.Contains(followsDataset, p) })
}

// needsOn are the fields that a policy looks at, none where it is about other
// entities by type or URN.
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

// answer decides one check. Of a check that is refused for lack of a privilege it returns what is
// missing, and no decision.
func (q *question) answer(c *auth.Check) (auth.Decision, miss, error) {
	if q.inactive && !q.all {
		return auth.Refuse(q.urn, *c, fault.New(fault.Forbidden, "Actor is not active")), miss{}, nil
	}
	if c.Anywhere {
		if p, ok := q.anywhere(c); ok {
			return auth.Allow(q.urn, *c, p, q.reach()), miss{}, nil
		}
		return auth.Decision{}, miss{check: c}, nil
	}
	resources := resourcesOf(c)
	var by auth.Privilege
	var first miss
	met := 0
	for _, on := range resources {
		q.beyond = ""
		p, ok, err := q.allows(c, on)
		switch {
		case err != nil:
			return auth.Decision{}, miss{}, err
		case ok:
			by = p
			met++
		case first.check == nil:
			first = miss{check: c, on: on, beyond: q.beyond}
		}
	}
	if met == len(resources) || c.AnyEntity && met > 0 {
		return auth.Allow(q.urn, *c, by, q.reach()), miss{}, nil
	}
	return auth.Decision{}, first, nil
}

// reach is Reaches within the scope of the token: an entity that the scope excludes is not written by the right
// over another one that it is about.
func (q *question) reach() auth.Reach {
	if !q.scope.Excluding() {
		return Reaches
	}
	return func(c *auth.Check, op auth.Operation, entity urn.URN, aspect string) bool {
		return !q.scope.Excludes(entity) && Reaches(c, op, entity, aspect)
	}
}

// anywhere finds a privilege that the actor has over the platform, or by a policy over any
// entities. A scope counts as far as it names privileges.
func (q *question) anywhere(c *auth.Check) (auth.Privilege, bool) {
	i := slices.IndexFunc(c.AnyOf, func(p auth.Privilege) bool {
		return (q.all || q.of(p) != noGrants) && q.scope.Permits(p, c.Operation, nil)
	})
	if i < 0 {
		return "", false
	}
	return c.AnyOf[i], true
}

// allows finds the privilege that allows a check for one resource. What a scope excludes is excluded
// with all that is about it. Reading by the table is decided so by reads.
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
		// What the batch says of the entity itself is not said of what it is about, but of the dataset of a column.
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

// allowsAlone is allows without what the entity is about.
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

// knowsOf tells whether an actor may be told that an entity exists where single entities are hidden: whoever
// reads it, and whoever holds the privilege over it that is about nothing else.
func (q *question) knowsOf(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	read := *c
	read.Operation = auth.OpRead
	if p, ok, err := q.reads(&read, on); ok || err != nil {
		return p, ok, err
	}
	if !slices.Contains(Privileges(auth.OpExists, on, ""), auth.ExistsEntity) {
		return "", false, nil
	}
	return q.holdsOne(c, on, []auth.Privilege{auth.ExistsEntity})
}

// manages tells whether an actor may both update and delete the entities of a type.
func (q *question) manages(c *auth.Check, on urn.URN) (auth.Privilege, bool, error) {
	if _, ok, err := q.holdsOne(c, on, Privileges(auth.OpDelete, on, "")); !ok || err != nil {
		return "", false, err
	}
	return q.holdsOne(c, on, Privileges(auth.OpUpdate, on, ""))
}

// holdsOne finds one of some privileges that the actor holds over a resource and
// that the scope of its token permits. What takes no reading comes first.
//
// A scope may name another one of them than the actor holds, see standsFor: EDIT_ENTITY_TAGS of
// a user who holds EDIT_ENTITY. What is asked is then within the rights of the user
// and within those of somebody who holds what the scope names and nothing else.
func (q *question) holdsOne(c *auth.Check, on urn.URN, needed []auth.Privilege) (auth.Privilege, bool, error) {
	r := resourceOf(c, on)
	var held []auth.Privilege
	for _, p := range needed {
		if q.holdsAnyway(p, c, on) {
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
		if i := slices.IndexFunc(needed, func(p auth.Privilege) bool { return standsFor(p, has) && q.permits(p, c, &r) }); i >= 0 {
			return needed[i], true, nil
		}
	}
	// What is one's own comes last, since it reaches less than a privilege.
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

// standsFor reports whether the scope of a token may name a privilege in place of one that the actor holds, where
// either suffices. None stands for a privilege over the platform but to read: whoever issues a token holds the
// privileges of the platform that its scope names, see token.Service, and the token would have others.
func standsFor(named, held auth.Privilege) bool {
	return named != auth.Own && named != auth.AcceptRole && (!auth.OfPlatform(held) || auth.Reads(named))
}

// holdsOverNamed reports whether a privilege is one over the entities that the aspect which a
// check would write names, and the actor holds it over some entity. For reads it counts over the
// entity itself alone.
func (q *question) holdsOverNamed(p auth.Privilege, c *auth.Check) bool {
	return writes(c.Operation) && len(c.AnyOf) == 0 && c.Aspect != "" && overNamed[c.Aspect].Privilege == p && (q.all || q.of(p) != noGrants)
}

func writes(op auth.Operation) bool {
	return op == auth.OpCreate || op == auth.OpUpdate || op == auth.OpDelete
}

// isOwn tells whether a right is one that everybody has over what is one's own.
func (q *question) isOwn(p auth.Privilege, c *auth.Check, on urn.URN) (bool, error) {
	if p == auth.Own {
		return q.owns(c, on)
	}
	return p == auth.AcceptRole && on == q.urn, nil
}

// holdsAnyway tells whether the actor holds a privilege whatever is stored about
// the resource.
func (q *question) holdsAnyway(p auth.Privilege, c *auth.Check, on urn.URN) bool {
	return q.all || q.of(p).always && !q.mustName(p, c, on.Type(), on) || on == q.urn && slices.Contains(overOneself, p)
}

// permits tells whether the scope of the token permits a privilege that the actor
// holds.
func (q *question) permits(p auth.Privilege, c *auth.Check, r *resource) bool {
	if q.scope == nil || q.scope.Permits(p, c.Operation, q.factsOf(r)) {
		return true
	}
	if q.beyond == "" {
		q.beyond = p
	}
	return false
}

// factsOf are the facts of a resource as scopes ask for them. What cannot be read
// is not known.
func (q *question) factsOf(r *resource) auth.ResourceFacts {
	if r.absent() {
		return nil
	}
	return func(name auth.ResourceField) ([]string, bool) {
		on := fields[string(name)]
		if !r.tells(on) {
			return nil, false
		}
		values, err := q.facts.get(q.ctx, r, on)
		if err != nil || !r.storedOnly || r.urn == "" || on < domainOf && !(on == urnOf && mayNameStored(r.urn) && q.scope.ExcludesURNs()) {
			return values, err == nil
		}
		there, err := q.stored(r)
		return values, there && err == nil
	}
}

// overOneself are the privileges that every user has over the entity of the own
// account.
var overOneself = []auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity}

// grantedOnce is granted, remembered for the call: pages ask for many privileges
// over an entity, and EDIT_ENTITY beside each of them.
func (q *question) grantedOnce(p auth.Privilege, c *auth.Check, r *resource) (bool, error) {
	if q.of(p) == noGrants {
		return false, nil
	}
	named := q.mustName(p, c, r.entityType, r.urn)
	if q.once || len(c.Tags)+len(r.domains)+len(r.names) > 0 || r.after || r.anew || r.wholeAnew || r.within != "" {
		return q.granted(p, c, r, named)
	}
	key := asked{p, r.entityType, r.urn, r.isPart, r.storedOnly, r.isRead, named, q.asSubject}
	if ok, known := q.answers[key]; known {
		return ok, nil
	}
	ok, err := q.granted(p, c, r, named)
	if err != nil {
		return false, err
	}
	if q.answers == nil {
		q.answers = map[asked]bool{}
	}
	q.answers[key] = ok
	return ok, nil
}

// asked is a privilege over an entity, over a type, or over nothing.
type asked struct {
	privilege  auth.Privilege
	entityType string
	urn        urn.URN
	isPart     bool
	storedOnly bool
	isRead     bool
	named      bool
	asSubject  bool
}

// granted tells whether one of the policies that name a privilege grants it; with named, one of
// those that name the resource, or its type.
func (q *question) granted(privilege auth.Privilege, c *auth.Check, r *resource, named bool) (bool, error) {
	g := q.of(privilege)
	for _, part := range g.scopedBy.over(r.urn) {
		for _, p := range part {
			if named && !p.namesResource(r.entityType) {
				continue
			}
			if why, err := q.applies(p, c, r); why == "" || err != nil {
				return err == nil, err
			}
		}
	}
	for _, part := range g.ownedBy.over(r.urn) {
		for _, p := range part {
			// Owners choose further owners of what is theirs.
			if named && privilege != auth.EditOwners && !p.namesResource(r.entityType) {
				continue
			}
			owned, err := q.ownedBy(p, r)
			if err != nil {
				return false, err
			}
			if !owned {
				continue
			}
			if why, err := q.applies(p, c, r); why == "" || err != nil {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// ownedBy tells whether the actor owns a resource in a way that a policy asks for.
func (q *question) ownedBy(p *Policy, r *resource) (bool, error) {
	if r.urn == "" || r.anew {
		return false, nil
	}
	if _, err := q.facts.get(q.ctx, r, ownerOf); err != nil {
		return false, err
	}
	return p.actors.owns(q.subject, q.facts.of(r.urn).owners), nil
}

// applies tells why a policy that is for the actor does not grant its privileges
// in a check; empty when it does.
func (q *question) applies(p *Policy, c *auth.Check, r *resource) (Reason, error) {
	if !p.platform && p.resources != nil {
		if r.absent() {
			return ResourceDiffers, nil
		}
		ok, err := q.meets(p.resources, r)
		if !ok || err != nil {
			return ResourceDiffers, err
		}
	}
	if p.constraints == nil {
		return "", nil
	}
	for _, tag := range c.Tags {
		ok, err := q.meets(p.constraints, &resource{urn: tag, entityType: tag.Type()})
		if !ok || err != nil {
			return AttachmentRefused, err
		}
	}
	return "", nil
}

// meets tells whether a resource meets all criteria of a filter.
func (q *question) meets(f *filter, r *resource) (bool, error) {
	for i := range f.criteria {
		c := &f.criteria[i]
		if r.within != "" && !r.tells(c.field) {
			return false, nil
		}
		if _, ok, err := q.holds(c, r); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// holds tells whether a resource meets a criterion, and which values it has in the field.
func (q *question) holds(c *criterion, r *resource) (found []string, met bool, err error) {
	if found, err = q.facts.get(q.ctx, r, c.field); err != nil || !c.holds(found) {
		return found, false, err
	}
	if c.condition != notEquals || r.urn == "" {
		return found, true, nil
	}
	if c.excludes() {
		if r.isRead && r.entityType == columnEntity {
			return found, false, nil
		}
		if met, err = q.holdsForNamed(c, r); !met || err != nil {
			return found, false, err
		}
	}
	if !r.storedOnly || c.field < domainOf && !(c.excludes() && mayNameStored(r.urn)) {
		return found, true, nil
	}
	met, err = q.stored(r)
	return found, met, err
}
