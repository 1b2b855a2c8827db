package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Reason is the reason why a policy does not grant its privileges, in the spelling of the API.
type Reason string

// Reasons. The zero Reason belongs to a policy that applies.
const (
	Inactive          Reason = "Inactive Policy"
	ActorDiffers      Reason = "Actor did not match"
	ResourceDiffers   Reason = "Resource does not match"
	AttachmentRefused Reason = "SubResource not allowed."
)

// Judged is the result of one policy in a check.
type Judged struct {
	Policy *Policy
	// Privileges are the privileges of the policy that the check needs.
	Privileges []auth.Privilege
	// On is the resource to which the policy does not apply, or the first resource of the check.
	On      urn.URN
	Applies bool
	Reason  Reason // empty if the policy applies
	// Draft is true for a policy that is not stored.
	Draft bool
}

// Explanation states why a check of an actor is allowed or refused.
type Explanation struct {
	// Decision is the decision, with the draft treated as stored.
	Decision auth.Decision
	// Needed are the privileges of which one suffices, by resource of the check.
	Needed map[urn.URN][]auth.Privilege
	// Everything is true if no policy decides: for the service itself, and while policies are
	// switched off.
	Everything bool
	// Oneself is true if the actor has the privilege because the entity is its own account.
	Oneself bool
	// Inactive is true for a suspended or soft-deleted actor, which holds no privilege.
	Inactive bool
	// Policies are all policies with a privilege that the check needs, by URN.
	Policies []Judged
	// Conditions are the conditions of the draft, met or not. It is nil without a draft.
	Conditions []Condition
}

// Condition is one of the conditions that must all be met for a policy to grant the privileges of a
// check.
type Condition struct {
	// On is the subject of the condition: StateCondition, PrivilegeCondition, ActorCondition, or a
	// field of the resource in the spelling of criteria.
	On  string
	Met bool
	// Operator and Values are those of the criterion on a field.
	Operator string
	Values   []string
	// Found are values of the resource in the field, with their ancestors. For actors they are the
	// actors of the policy that include the actor. There are at most maxFound.
	Found []string
}

// Subjects of conditions other than fields of the resource.
const (
	StateCondition     = "STATE"
	PrivilegeCondition = "PRIVILEGE"
	ActorCondition     = "ACTOR"
)

const maxFound = 20

// Explain returns the facts that decide a check of an actor, which need not be the actor in the
// context. A draft replaces the stored policy with its URN; nil means no draft. Explain checks no
// privilege: the caller must do so.
func (e *Engine) Explain(ctx context.Context, actor auth.Actor, check auth.Check, draft *Policy) (Explanation, error) {
	x := Explanation{Needed: map[urn.URN][]auth.Privilege{}, Everything: e.mayAll(actor)}
	resources := resourcesOf(&check)
	for _, on := range resources {
		x.Needed[on] = neededFor(&check, on)
		if check.Operation == auth.OpManage && len(check.AnyOf) == 0 {
			x.Needed[on] = slices.Concat(x.Needed[on], privilege.Needed(auth.OpDelete, on, ""))
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
	x.Oneself = len(resources) == 1 && resources[0] == actor.URN && slices.ContainsFunc(x.Needed[actor.URN], func(p auth.Privilege) bool { return isSelfPrivilege(p, x.Needed[actor.URN]) })
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

// conditions evaluates every condition of a policy, whereas a decision ends at the first unmet one.
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

// actorCondition returns the condition on actors, with the actors of the policy that include the
// actor of the question.
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

// questionOf returns a question with facts of its own.
func (e *Engine) questionOf(ctx context.Context, st *standing) *question {
	return &question{ctx: ctx, engine: e, standing: st, facts: &facts{engine: e}}
}

// judge returns the result of a policy in a check. names is false if the policy has none of the
// privileges.
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

// reason returns the reason why a policy grants nothing over a resource. It is empty if the policy
// grants its privileges.
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

// Resource is the resource of privileges: an entity, the entities of a type, or the platform for
// the zero value.
type Resource struct {
	Type string
	URN  urn.URN
}

// Granted returns the privileges that policies grant an actor over a resource, without duplicates
// and ordered by name, and the policies that grant none. It checks no privilege of the caller, and
// omits the privileges of every user over its own account.
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

// Policy returns a stored policy in compiled form. ok is false if there is none.
func (e *Engine) Policy(u urn.URN) (p *Policy, ok bool) {
	p, ok = e.snapshot.Load().all[u]
	return p, ok
}

// NamesUser reports whether a policy, active or not, names a user by its URN.
func (e *Engine) NamesUser(user urn.URN) bool {
	for _, p := range e.snapshot.Load().all {
		if p.actors.users[user] {
			return true
		}
	}
	return false
}

// Granting is a policy that grants privileges to an actor, or may grant them.
type Granting struct {
	Policy *Policy
	// Owned is set for a policy that applies to the actor only as an owner. The policy grants
	// privileges if an entity exists that matches this filter of the search index.
	Owned search.Filter
}

// Of returns the active policies that grant privileges to an actor, ordered by URN: those for the
// actor, for one of its groups or roles, for all users, and for the owners of entities of the given
// types, whether the actor owns any or not. It returns none for a suspended or soft-deleted actor.
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

// MatchingActor returns the indexes of the policies in a list that apply to an actor regardless of
// ownership. Reports use it to count the users of policies.
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
