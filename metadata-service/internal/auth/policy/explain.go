package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Reason is why a policy does not grant what it names, in the words clients know.
type Reason string

// Reasons. The zero Reason stands for a policy that applies.
const (
	Inactive          Reason = "Inactive Policy"
	ActorDiffers      Reason = "Actor did not match"
	ResourceDiffers   Reason = "Resource does not match"
	AttachmentRefused Reason = "SubResource not allowed."
)

// Judged is what became of one policy in a check.
type Judged struct {
	Policy *Policy
	// Privileges are those of the policy that the check asks for.
	Privileges []auth.Privilege
	// On is the resource for which the policy does not apply, or the first of the check.
	On      urn.URN
	Applies bool
	Reason  Reason // empty when the policy applies
	// Draft is set for a policy that is not stored.
	Draft bool
}

// Explanation tells why a check of an actor is allowed or refused.
type Explanation struct {
	// Decision is the answer, with the draft as if it were stored.
	Decision auth.Decision
	// Needed are the privileges of which one suffices, for each resource of the check.
	Needed map[urn.URN][]auth.Privilege
	// Everything is set when no policy is asked: for the service itself, and while policies are
	// switched off.
	Everything bool
	// Oneself is set when the actor has the privilege over the entity of its own account.
	Oneself bool
	// Inactive is set for an actor that is suspended or soft-deleted, and holds nothing.
	Inactive bool
	// Policies are all that name a privilege the check asks for, by URN.
	Policies []Judged
	// Conditions are those of the draft, met or not; nil without a draft.
	Conditions []Condition
}

// Condition is one of those that must all be met for a policy to grant what a check
// asks for.
type Condition struct {
	// On is what it is about: StateCondition, PrivilegeCondition, ActorCondition, or a field of
	// the resource as criteria name it.
	On  string
	Met bool
	// Operator and Values are those of the criterion on a field.
	Operator string
	Values   []string
	// Found are values that the resource has, with what is above them; for actors, those of the
	// policy that the actor is or belongs to. No more than maxFound are told.
	Found []string
}

// What conditions are about beside fields of the resource.
const (
	StateCondition     = "STATE"
	PrivilegeCondition = "PRIVILEGE"
	ActorCondition     = "ACTOR"
)

const maxFound = 20

// Explain tells what decides about a check of an actor, who need not be the one
// in the context. A draft counts as a policy in place of the stored one of its
// URN; nil for none. It asks for no privilege: that is up to the caller.
func (e *Engine) Explain(ctx context.Context, actor auth.Actor, check auth.Check, draft *Policy) (Explanation, error) {
	x := Explanation{Needed: map[urn.URN][]auth.Privilege{}, Everything: e.mayAll(actor)}
	resources := resourcesOf(&check)
	for _, on := range resources {
		x.Needed[on] = neededFor(&check, on)
		if check.Operation == auth.OpManage && len(check.AnyOf) == 0 {
			x.Needed[on] = slices.Concat(x.Needed[on], Privileges(auth.OpDelete, on, ""))
		}
	}
	if x.Everything {
		x.Decision = grantAll(actor, []auth.Check{check})[0]
		return x, nil
	}
	by := e.snapshot.Load()
	if draft != nil {
		by = by.with(map[urn.URN]*Policy{draft.URN: draft})
	}
	s, err := readSubject(ctx, e.cfg.Rows, actor.URN)
	if err != nil {
		return x, err
	}
	q := e.questionOf(ctx, newStanding(s, by))
	q.scope, q.all = actor.Scope, e.holdsAll(actor)
	x.Inactive = s.inactive
	x.Oneself = len(resources) == 1 && resources[0] == actor.URN && slices.ContainsFunc(x.Needed[actor.URN], func(p auth.Privilege) bool { return slices.Contains(overOneself, p) })
	decided, err := q.decide([]auth.Check{check.OfCaller()})
	if err != nil {
		return x, err
	}
	x.Decision = decided[0]
	for _, p := range by.sorted() {
		judged, names, err := q.judge(p, &check, x.Needed)
		if err != nil {
			return x, err
		}
		if names {
			judged.Draft = draft != nil && p == draft
			x.Policies = append(x.Policies, judged)
		}
	}
	if draft != nil {
		x.Conditions, err = q.conditions(draft, &check, x.Needed)
	}
	return x, err
}

// conditions tells of each condition of a policy whether it is met, where a decision
// ends at the first that is not.
func (q *question) conditions(p *Policy, c *auth.Check, needed map[urn.URN][]auth.Privilege) ([]Condition, error) {
	on := resourcesOf(c)[0]
	r := resourceOf(c, on)
	actor, err := q.actorCondition(p, &r)
	if err != nil {
		return nil, err
	}
	names := slices.ContainsFunc(needed[on], func(n auth.Privilege) bool { return slices.Contains(p.Privileges, n) })
	all := []Condition{{On: StateCondition, Met: p.active()}, actor, {On: PrivilegeCondition, Met: names}}
	if p.platform || p.resources == nil {
		return all, nil
	}
	if len(p.resources.criteria) == 0 {
		return append(all, Condition{On: fieldNames[unknownField], Met: !r.absent()}), nil
	}
	for i := range p.resources.criteria {
		criterion := &p.resources.criteria[i]
		condition := Condition{On: fieldNames[criterion.field], Operator: criterion.condition.String(), Values: slices.Sorted(maps.Keys(criterion.values))}
		if !r.absent() {
			found, met, err := q.holds(criterion, &r)
			if err != nil {
				return nil, err
			}
			condition.Met, condition.Found = met, found[:min(len(found), maxFound)]
		}
		all = append(all, condition)
	}
	return all, nil
}

// actorCondition tells by which of its actors a policy is for the one in question.
func (q *question) actorCondition(p *Policy, r *resource) (Condition, error) {
	c := Condition{On: ActorCondition, Met: p.actors.matches(q.subject)}
	if p.actors.users[q.urn] {
		c.Found = append(c.Found, string(q.urn))
	}
	for _, sets := range [][2]map[urn.URN]bool{{p.actors.groups, q.groups}, {p.actors.roles, q.roles}} {
		for _, u := range slices.Sorted(maps.Keys(sets[0])) {
			if sets[1][u] && len(c.Found) < maxFound {
				c.Found = append(c.Found, string(u))
			}
		}
	}
	if c.Met || !p.actors.owners {
		return c, nil
	}
	var err error
	c.Met, err = q.ownedBy(p, r)
	return c, err
}

// questionOf makes a question with facts of its own.
func (e *Engine) questionOf(ctx context.Context, st *standing) *question {
	return &question{ctx: ctx, engine: e, standing: st, facts: &facts{engine: e}}
}

// judge tells whether a policy grants what a check asks for; names is false when
// it names none of the privileges.
func (q *question) judge(p *Policy, c *auth.Check, needed map[urn.URN][]auth.Privilege) (judged Judged, names bool, err error) {
	judged = Judged{Policy: p}
	for _, on := range resourcesOf(c) {
		asked, reaches := false, on == q.urn
		for _, privilege := range needed[on] {
			if !slices.Contains(p.Privileges, privilege) {
				continue
			}
			asked = true
			reaches = reaches || !q.mustName(privilege, c, on.Type(), on) || p.namesResource(on.Type())
			if !slices.Contains(judged.Privileges, privilege) {
				judged.Privileges = append(judged.Privileges, privilege)
			}
		}
		if !asked {
			continue
		}
		why, err := q.reason(p, c, on)
		if err != nil {
			return judged, true, err
		}
		if why == "" && !reaches {
			why = ResourceDiffers
		}
		if !names || judged.Reason == "" {
			judged.On, judged.Reason = on, why
		}
		names = true
	}
	judged.Applies = names && judged.Reason == ""
	return judged, names, nil
}

// reason tells why a policy grants nothing over a resource; empty when it does.
func (q *question) reason(p *Policy, c *auth.Check, on urn.URN) (Reason, error) {
	if !p.active() {
		return Inactive, nil
	}
	r := resourceOf(c, on)
	if !p.actors.matches(q.subject) {
		owned := false
		if p.actors.owners {
			var err error
			if owned, err = q.ownedBy(p, &r); err != nil {
				return "", err
			}
		}
		if !owned {
			return ActorDiffers, nil
		}
	}
	return q.applies(p, c, &r)
}

// Resource is what privileges are asked over: an entity, the entities of a type,
// or the platform when it is zero.
type Resource struct {
	Type string
	URN  urn.URN
}

// Granted are the privileges that policies grant an actor over a resource, each
// once in the order of their names, and the policies that grant none. It asks for
// no privilege, and leaves out what every user has over the own account.
func (e *Engine) Granted(ctx context.Context, actor urn.URN, over Resource) ([]auth.Privilege, []Judged, error) {
	s, err := readSubject(ctx, e.cfg.Rows, actor)
	if err != nil {
		return nil, nil, err
	}
	by := e.snapshot.Load()
	q := e.questionOf(ctx, newStanding(s, by))
	c := auth.Check{Type: over.Type}
	if over.URN != "" {
		c.Entities = []urn.URN{over.URN}
	}
	on := resourcesOf(&c)[0]
	var granted []auth.Privilege
	var others []Judged
	for _, p := range by.sorted() {
		why, err := q.reason(p, &c, on)
		if err != nil {
			return nil, nil, err
		}
		if why != "" {
			others = append(others, Judged{Policy: p, On: on, Reason: why})
			continue
		}
		if !s.inactive {
			granted = append(granted, p.Privileges...)
		}
	}
	slices.Sort(granted)
	return slices.Compact(granted), others, nil
}

// Policy gives a stored policy as it is evaluated; ok is false when there is none.
func (e *Engine) Policy(u urn.URN) (p *Policy, ok bool) {
	p, ok = e.snapshot.Load().all[u]
	return p, ok
}

// NamesUser reports whether a policy, active or not, is for a user by its URN.
func (e *Engine) NamesUser(user urn.URN) bool {
	for _, p := range e.snapshot.Load().all {
		if p.actors.users[user] {
			return true
		}
	}
	return false
}

// Granting is a policy that grants an actor something, or may.
type Granting struct {
	Policy *Policy
	// Owned is set for a policy that is for the actor as an owner alone: it grants something
	// where one of the entities that the filter of the search index holds for is there.
	Owned search.Filter
}

// Of gives the active policies that grant an actor something, in the order of their
// URNs: those for the actor, for a group or role of it, for everybody, and for the
// owners of entities of some types, whatever the actor owns. An actor that is suspended
// or soft-deleted has none.
func (e *Engine) Of(ctx context.Context, actor urn.URN, types []string) ([]Granting, error) {
	s, err := readSubject(ctx, e.cfg.Rows, actor)
	if err != nil || s.inactive {
		return nil, err
	}
	var granting []Granting
	for _, p := range e.snapshot.Load().sorted() {
		if p.State != Active || len(p.Privileges) == 0 {
			continue
		}
		if p.actors.matches(s) {
			granting = append(granting, Granting{Policy: p})
		} else if p.actors.owners && !p.platform {
			if owned := p.alternatives(types, &standing{subject: s}, ignoreNamed); len(owned) > 0 {
				granting = append(granting, Granting{p, owned})
			}
		}
	}
	return granting, nil
}

// MatchingActor gives the places in a list of the policies that are for an actor,
// whatever that owns. It is what tells how many people policies reach.
func (e *Engine) MatchingActor(ctx context.Context, policies []*Policy, actor urn.URN) ([]int, error) {
	s, err := readSubject(ctx, e.cfg.Rows, actor)
	if err != nil || s.inactive {
		return nil, err
	}
	var matching []int
	for i, p := range policies {
		if p.actors.matches(s) {
			matching = append(matching, i)
		}
	}
	return matching, nil
}
