// Package access explains access decisions: the policy that allows an operation or the reasons why
// none does, the sources of the privileges of a user, the effect of a policy before it is saved,
// and the operations that users and programs lost when policies began to decide.
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
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	policyEntity = "dataHubPolicy"
	policyInfo   = "dataHubPolicyInfo"
)

// Tokens lists the records of access tokens. token.Service implements it.
type Tokens interface {
	All(ctx context.Context, q token.Query) ([]token.Info, error)
}

// Service explains access. It is safe for concurrent use.
type Service struct {
	edit   *edit.Editor
	engine *policy.Engine
	tokens Tokens
}

// New returns a Service.
func New(e *edit.Editor, engine *policy.Engine, tokens Tokens) *Service {
	return &Service{e, engine, tokens}
}

// Question is the question whether an actor may do something.
type Question struct {
	// Actor is the actor of the operation; the actor in ctx when empty.
	Actor urn.URN
	// Privileges are alternatives of which one suffices. If empty, they are derived from Operation,
	// Aspect and Resource, or the entities of Type; without an operation they are those of the
	// draft.
	Privileges []auth.Privilege
	Operation  auth.Operation
	Aspect     string
	// Resource is the target entity. Without it, Type stands for all entities of a type. Without
	// both, the question is about the platform.
	Resource urn.URN
	Type     string
	// Draft is an unsaved policy, as a value of dataHubPolicyInfo; nil for none. It counts like a
	// stored policy, and replaces the policy Replaces if that is set.
	Draft    jsontree.Object
	Replaces urn.URN
}

// Answer states whether the actor may do it, and the deciding policies.
type Answer struct {
	Actor         urn.URN
	Groups, Roles []urn.URN // of the actor, including the roles of its groups
	Allowed       bool
	Reason        string // a sentence
	Needed        []auth.Privilege
	// Policies are the policies that name one of the needed privileges, applicable ones first.
	Policies []Verdict
	// Reach describes the users and resources of the draft, nil without a draft. Conditions are the
	// conditions of the draft, met or not.
	Reach      *Reach
	Conditions []policy.Condition
}

// Verdict is the result of one policy.
type Verdict struct {
	URN        urn.URN // empty for a draft that replaces no policy
	Name       string
	Draft      bool
	Applies    bool
	Reason     string // why it does not apply
	Privileges []auth.Privilege
}

// Explain answers a question. Every actor may ask about itself; questions about other actors or
// with a draft require the privilege to manage policies.
func (s *Service) Explain(ctx context.Context, q Question) (Answer, error) {
	actor, err := s.questionActor(ctx, q)
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
		return Answer{Actor: actor.URN, Allowed: true, Reason: reasonAllAllowed}, nil
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

// questionActor returns the actor of a question, after checking that the caller may ask it.
func (s *Service) questionActor(ctx context.Context, q Question) (auth.Actor, error) {
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

// check returns the authorization check for a question.
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

// operations are the operations of the privilege table.
var operations = []auth.Operation{auth.OpCreate, auth.OpRead, auth.OpUpdate, auth.OpDelete, auth.OpExecute, auth.OpExists, auth.OpManage}

// compile returns the draft in evaluable form if it could be saved, and otherwise an error. It
// replaces the draft in the question by its stored form.
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

// verdicts returns the policies of an explanation, applicable ones first.
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

const reasonAllAllowed = "everything is allowed: the actor is the service itself, or policies do not decide"

// reason returns the deciding fact as a sentence.
func reason(x *policy.Explanation, a *Answer) string {
	switch {
	case x.Everything:
		return reasonAllAllowed
	case x.Inactive:
		return "the actor is suspended or soft-deleted, and may do nothing"
	case !a.Allowed:
		return fault.Message(x.Decision.Err())
	case len(a.Policies) > 0 && a.Policies[0].Applies:
		return fmt.Sprintf("the policy %q grants %s", a.Policies[0].Name, x.Decision.Privilege())
	case x.Oneself:
		return fmt.Sprintf("everybody has %s over the own account", x.Decision.Privilege())
	}
	return "every user may do this with its own entities"
}

// memberships returns the groups of an actor, and its roles including those of the groups.
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

// GrantedQuery requests the privileges of an actor on the entity Resource of a type, on all
// entities of the type if Resource is empty, and on the platform if both are empty.
type GrantedQuery struct {
	Actor    urn.URN
	Type     string
	Resource urn.URN
	// Details requests the reasons why other policies grant nothing. Only actors that may manage
	// policies receive them.
	Details bool
}

// Granted returns the privileges that policies grant an actor, ordered by name. Questions about
// other actors require the privilege to manage policies.
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

// joinNames returns a list of names for a sentence.
func joinNames[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
