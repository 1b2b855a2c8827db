// Package access tells who may do what, and why: which policy allows something or
// why none does, what a policy would change before it is saved, and what people and
// programs can no longer do since policies decide.
package access

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	policyEntity = "dataHubPolicy"
	policyInfo   = "dataHubPolicyInfo"
)

// Tokens lists the records of access tokens; token.Service does.
type Tokens interface {
	All(ctx context.Context, q token.Query) ([]token.Info, error)
}

// Service explains access. It is safe for concurrent use.
type Service struct {
	edit   *edit.Editor
	engine *policy.Engine
	tokens Tokens
}

// New makes a Service.
func New(e *edit.Editor, engine *policy.Engine, tokens Tokens) *Service {
	return &Service{e, engine, tokens}
}

// Question asks whether an actor may do something.
type Question struct {
	// Actor is who would do it, the caller when empty.
	Actor urn.URN
	// Privileges are those of which one suffices. Without any, they are those that Operation on
	// Resource, or on the entities of Type, and Aspect takes; and without an operation those of
	// the draft.
	Privileges []auth.Privilege
	Operation  auth.Operation
	Aspect     string
	// Resource is the entity that it is about, Type stands for the entities of a type when there
	// is no Resource. Without both it is about the platform.
	Resource urn.URN
	Type     string
	// Draft is a policy that is not saved, as a value of dataHubPolicyInfo; nil is none. It counts
	// as if it were stored, in place of Replaces when that is given.
	Draft    jsontree.Object
	Replaces urn.URN
}

// Answer tells whether the actor may, and what decides about it.
type Answer struct {
	Actor         urn.URN
	Groups, Roles []urn.URN // of the actor, with the roles of its groups
	Allowed       bool
	Reason        string // in a sentence
	Needed        []auth.Privilege
	// Policies are those that name one of the needed privileges, the ones that apply first.
	Policies []Verdict
	// Reach tells whom and what the draft is about, nil without a draft. Conditions are those
	// that the draft has, met or not.
	Reach      *Reach
	Conditions []policy.Condition
}

// Verdict is what became of one policy.
type Verdict struct {
	URN        urn.URN // empty for a draft that replaces none
	Name       string
	Draft      bool
	Applies    bool
	Reason     string // why it does not apply
	Privileges []auth.Privilege
}

// Explain tells whether an actor may do something. Everybody may ask about
// themselves; about others, and about a draft, needs the right to manage policies.
func (s *Service) Explain(ctx context.Context, q Question) (Answer, error) {
	actor, err := s.asked(ctx, q)
	if err != nil {
		return Answer{}, err
	}
	check, err := s.check(&q)
	if err != nil {
		return Answer{}, err
	}
	draft, err := s.compile(&q)
	if err != nil {
		return Answer{}, err
	}
	if len(check.AnyOf) == 0 && check.Operation == "" {
		if draft == nil || len(draft.Privileges) == 0 {
			return Answer{}, fault.New(fault.Malformed, "privilege: name one or more, or an operation")
		}
		check.AnyOf = draft.Privileges
	}
	if actor.URN == model.SystemActor {
		return Answer{Actor: actor.URN, Allowed: true, Reason: mayAll}, nil
	}
	explained, err := s.engine.Explain(ctx, actor, check, draft)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{
		Actor: actor.URN, Allowed: explained.Decision.Allowed(), Needed: needed(&explained), Policies: verdicts(&explained), Conditions: explained.Conditions,
	}
	answer.Reason = reason(&explained, &answer)
	if answer.Groups, answer.Roles, err = s.memberships(ctx, actor.URN); err != nil {
		return Answer{}, err
	}
	if draft != nil {
		answer.Reach, err = s.reach(ctx, draft, q.Draft)
	}
	return answer, err
}

// asked is the actor that a question is about, once the caller may ask it.
func (s *Service) asked(ctx context.Context, q Question) (auth.Actor, error) {
	who, ok := auth.ActorFrom(ctx)
	if !ok {
		return auth.Actor{}, fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	about := q.Actor == "" || q.Actor == who.URN
	if !about || q.Draft != nil {
		if _, err := s.edit.Decide(ctx, auth.ManageType(policyEntity)); err != nil {
			return auth.Actor{}, err
		}
	}
	if about {
		return who, nil // with the scope of its token
	}
	u, err := s.edit.Parse("actor", string(q.Actor), account.EntityType)
	if err != nil {
		return auth.Actor{}, err
	}
	if u == model.SystemActor {
		return auth.Actor{URN: u}, nil
	}
	return auth.Actor{URN: u}, s.edit.MustExist(ctx, "actor", u)
}

// check is the check that a question is about.
func (s *Service) check(q *Question) (auth.Check, error) {
	c := auth.Check{AnyOf: q.Privileges, Operation: q.Operation, Aspect: q.Aspect}
	for _, p := range q.Privileges {
		if !slices.ContainsFunc(auth.Rights(), func(r auth.Right) bool { return r.Privilege == p }) {
			return c, fault.New(fault.Malformed, "privilege: %.100q is none that a policy can grant", p)
		}
	}
	if q.Operation != "" && !slices.Contains(operations, q.Operation) {
		return c, fault.New(fault.Malformed, "operation: must be one of %v, is %.100q", operations, q.Operation)
	}
	if q.Resource != "" {
		u, err := s.edit.Parse("resource", string(q.Resource))
		if err != nil {
			return c, err
		}
		c.Entities = []urn.URN{u}
	} else if q.Type != "" {
		entity, ok := s.edit.Registry.Entity(q.Type)
		if !ok {
			return c, fault.New(fault.Malformed, "type: there is no entity type %.100q", q.Type)
		}
		c.Type = entity.Name
	}
	if len(q.Privileges) == 0 && q.Operation != "" && q.Resource == "" && q.Type == "" {
		return c, fault.New(fault.Malformed, "operation: say on which resource or type, or name a privilege")
	}
	return c, nil
}

// operations are those of the table.
var operations = []auth.Operation{auth.OpCreate, auth.OpRead, auth.OpUpdate, auth.OpDelete, auth.OpExecute, auth.OpExists, auth.OpManage}

// compile is the draft as it would be evaluated, once it is one that could be
// saved. It is put into the question as it would be stored.
func (s *Service) compile(q *Question) (*policy.Policy, error) {
	if q.Draft == nil {
		return nil, nil
	}
	entity, _ := s.edit.Registry.Entity(policyEntity)
	spec, _ := entity.Aspect(policyInfo)
	value, _, err := s.edit.Registry.Conform(spec, q.Draft)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "policy: %s", fault.Message(err))
	}
	for _, r := range s.edit.Catalog.Rules.For(entity, spec) {
		if r.CheckSent != nil {
			if err := r.CheckSent(rule.Sent{Aspect: spec.Name, Value: value}); err != nil {
				return nil, err
			}
		}
		if r.Normalize != nil {
			value = r.Normalize(value)
		}
	}
	if q.Replaces != "" {
		if q.Replaces, err = s.edit.Parse("policy.urn", string(q.Replaces), policyEntity); err != nil {
			return nil, err
		}
	}
	q.Draft = value
	return policy.Compile(q.Replaces, value), nil
}

func needed(x *policy.Explanation) []auth.Privilege {
	var all []auth.Privilege
	for _, on := range slices.Sorted(maps.Keys(x.Needed)) {
		for _, p := range x.Needed[on] {
			if p != auth.Own && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// verdicts are the policies of an explanation, those that apply first.
func verdicts(x *policy.Explanation) []Verdict {
	out := make([]Verdict, len(x.Policies))
	for i, judged := range x.Policies {
		out[i] = Verdict{
			URN: judged.Policy.URN, Name: judged.Policy.Name, Draft: judged.Draft, Applies: judged.Applies,
			Reason: string(judged.Reason), Privileges: judged.Privileges,
		}
	}
	slices.SortStableFunc(out, func(a, b Verdict) int {
		switch {
		case a.Applies == b.Applies:
			return 0
		case a.Applies:
			return -1
		}
		return 1
	})
	return out
}

const mayAll = "everything is allowed: the actor is the service itself, or policies do not decide"

// reason says in a sentence what decides.
func reason(x *policy.Explanation, a *Answer) string {
	switch {
	case x.Everything:
		return mayAll
	case x.Inactive:
		return "the actor is suspended or soft-deleted, and may do nothing"
	case !a.Allowed:
		return fault.Message(x.Decision.Err())
	case len(a.Policies) > 0 && a.Policies[0].Applies:
		return fmt.Sprintf("the policy %q grants %s", a.Policies[0].Name, x.Decision.Privilege())
	case x.Oneself:
		return fmt.Sprintf("everybody has %s over the own account", x.Decision.Privilege())
	}
	return "everybody may do this with what is their own"
}

// memberships are the groups of an actor, and its roles with those of the groups.
func (s *Service) memberships(ctx context.Context, actor urn.URN) (groups, roles []urn.URN, err error) {
	m, err := account.ReadMembership(ctx, s.edit.Catalog.Store, actor)
	if err != nil {
		return nil, nil, err
	}
	roles = m.Roles
	for _, group := range m.Groups {
		for _, role := range m.GroupRoles[group] {
			if !slices.Contains(roles, role) {
				roles = append(roles, role)
			}
		}
	}
	return m.Groups, roles, nil
}

// GrantedQuery asks for the privileges of an actor over an entity of a type, over
// the entities of the type without Resource, and over the platform without both.
type GrantedQuery struct {
	Actor    urn.URN
	Type     string
	Resource urn.URN
	// Details asks why other policies grant nothing, which only those hear who manage policies.
	Details bool
}

// Granted gives the privileges that policies grant an actor, in the order of their
// names. Others than oneself are asked about by those who manage policies.
func (s *Service) Granted(ctx context.Context, q GrantedQuery) (granted []auth.Privilege, others []Verdict, err error) {
	who, err := edit.Actor(ctx)
	if err != nil {
		return nil, nil, err
	}
	_, refused := s.edit.Decide(ctx, auth.ManageType(policyEntity))
	if refused != nil && (fault.KindOf(refused) != fault.Forbidden || q.Actor != who) {
		return nil, nil, refused
	}
	granted, judged, err := s.engine.Granted(ctx, q.Actor, policy.Resource{Type: q.Type, URN: q.Resource})
	if err != nil || !q.Details || refused != nil {
		return granted, nil, err
	}
	others = make([]Verdict, len(judged))
	for i, j := range judged {
		others[i] = Verdict{URN: j.Policy.URN, Name: j.Policy.Name, Reason: string(j.Reason)}
	}
	return granted, others, nil
}

// join is a list of names for a sentence.
func join[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
