package policy

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ownershipRule is the ownership rule of an entity type whose entities can belong to single users.
type ownershipRule struct {
	// aspects are the aspects that the owner writes with the privilege auth.Own. everyAspect
	// includes the entity as a whole.
	aspects []string
	// byTable permits the owner to write these aspects through interfaces that write any aspect.
	// This requires that no written value can change the owner.
	byTable bool
	// manage is the privilege needed for a write to an entity of another user, in place of the
	// privileges over entities of all types. If it is empty, the table decides by the type alone.
	manage auth.Privilege
	// owner determines the owner of an entity.
	owner func(q *question, on urn.URN) (ownerResult, error)
}

// ownerResult is the owner of an entity.
type ownerResult struct {
	// person is empty for an entity without an owner.
	person urn.URN
	// absent is true for an entity that does not exist. It will belong to its creator.
	absent bool
}

const stepEntity = "dataHubStepState"

// ownershipRules holds the rules by entity type. Entities of other types have no owner.
var ownershipRules = map[string]ownershipRule{
	account.EntityType: {
		aspects: []string{"corpUserEditableInfo", "corpUserSettings"}, byTable: true,
		owner: func(_ *question, on urn.URN) (ownerResult, error) { return ownerResult{person: on}, nil },
	},
	stepEntity:            {aspects: []string{everyAspect}, byTable: true, manage: auth.ManageSettings, owner: ownerInID},
	viewEntity:            {aspects: []string{everyAspect}, manage: auth.ManageGlobalViews, owner: creatorIn(viewInfo, "type")},
	"dataHubPageTemplate": {aspects: []string{everyAspect}, manage: auth.ManageHomePage, owner: creatorIn("dataHubPageTemplateProperties", "visibility", "scope")},
	"dataHubPageModule":   {aspects: []string{everyAspect}, manage: auth.ManageHomePage, owner: creatorIn("dataHubPageModuleProperties", "visibility", "scope")},
}

// formAspects are the aspects that an actor writes to entities without an owner because a form
// assigns them to the actor. The service that checks auth.Own has read the form.
var formAspects = []string{"forms", "structuredProperties"}

// isOwnAspect reports whether the privilege auth.Own permits writing an aspect.
func isOwnAspect(on urn.URN, aspect string) bool {
	b, ok := ownershipRules[on.Type()]
	if !ok {
		return slices.Contains(formAspects, aspect)
	}
	return slices.Contains(b.aspects, aspect) || slices.Contains(b.aspects, everyAspect)
}

// creatorIn returns the owner function for entities that belong to their creator, unless a member
// of the aspect marks them as global.
func creatorIn(aspect string, scope ...string) func(*question, urn.URN) (ownerResult, error) {
	return func(q *question, on urn.URN) (ownerResult, error) {
		value, err := q.object(on, aspect)
		if err != nil || value == nil {
			return ownerResult{absent: true}, err
		}
		within := value
		for _, name := range scope[:len(scope)-1] {
			within = jsontree.Child(within, name)
		}
		creator := urn.URN(jsontree.Text(jsontree.Child(value, "created"), "actor"))
		switch {
		case jsontree.Text(within, scope[len(scope)-1]) == globalView:
			return ownerResult{}, nil
		case creator == "":
			creator = model.UnknownActor
		}
		return ownerResult{person: creator}, nil
	}
}

// ownerInID determines the owner of a step state from its id, which is the URN of a user, a hyphen
// and the name of the step. User names contain hyphens as well, so the existing user with the
// longest name is the owner.
func ownerInID(q *question, on urn.URN) (ownerResult, error) {
	id := on.Key()
	if !strings.HasPrefix(id, urn.TypePrefix(account.EntityType)) {
		return ownerResult{}, nil
	}
	var users []urn.URN
	for i := len(id) - 1; i > len(urn.TypePrefix(account.EntityType)); i-- {
		if id[i] == '-' {
			users = append(users, urn.URN(id[:i]))
		}
	}
	keys := make([]model.Key, len(users))
	for i, u := range users {
		keys[i] = model.Key{URN: u, Aspect: account.KeyAspect}
	}
	there, err := objects(q.ctx, q.engine.cfg.Rows, keys...)
	if err != nil {
		return ownerResult{}, err
	}
	for i, u := range users {
		if there[i] != nil || u == q.urn {
			return ownerResult{person: u}, nil
		}
	}
	return ownerResult{}, nil
}

// HasSteps reports whether any stored step state belongs to a user.
func (e *Engine) HasSteps(ctx context.Context, user urn.URN) (bool, error) {
	q := &question{ctx: ctx, engine: e, standing: &standing{subject: &subject{urn: user}}}
	prefix := urn.TypePrefix(stepEntity) + string(user) + "-"
	for after := urn.URN(""); ; {
		steps, err := e.cfg.Rows.Scan(ctx, store.Scan{Type: stepEntity, Prefix: prefix, After: after})
		if err != nil || len(steps) == 0 {
			return false, err
		}
		for _, step := range steps {
			owner, err := ownerInID(q, step)
			if err != nil || owner.person == user {
				return err == nil, err
			}
		}
		after = steps[len(steps)-1]
	}
}

// owns reports whether an entity, or an aspect of it, belongs to the actor. For entities without an
// owner, a check that lists privileges holds, since the service that sends it has verified the
// case. A check by the table holds for aspects of types with byTable, and for reports of pipelines,
// whose content the catalog restricts.
func (q *question) owns(c *auth.Check, on urn.URN) (bool, error) {
	b, ok := ownershipRules[on.Type()]
	asked := len(c.AnyOf) > 0
	switch {
	case !ok:
		return asked || auth.Reports(on, c.Aspect), nil
	case !asked && !(b.byTable && isOwnAspect(on, c.Aspect)):
		return false, nil
	}
	owner, err := b.owner(q, on)
	return err == nil && (owner.person == q.urn || owner.absent), err
}

// isOfAnother reports whether an entity belongs to another user than the actor.
func (q *question) isOfAnother(on urn.URN) (bool, error) {
	b, ok := ownershipRules[on.Type()]
	if !ok || on.Key() == "" {
		return false, nil
	}
	owner, err := b.owner(q, on)
	return err == nil && owner.person != "" && owner.person != q.urn, err
}

// isNotOwn is the variant of isOfAnother for decisions of services: an entity without an owner, or
// one that does not exist, is not the actor's either. Refusals therefore reveal nothing about a
// hidden entity.
func (q *question) isNotOwn(on urn.URN) (bool, error) {
	b, ok := ownershipRules[on.Type()]
	if !ok || on.Key() == "" {
		return false, nil
	}
	owner, err := b.owner(q, on)
	return err == nil && owner.person != q.urn, err
}

// needed lists the privileges of which one suffices for a check. Privileges over entities of all
// types do not apply to entities of other users and, in decisions of services, to entities without
// an owner.
func (q *question) needed(c *auth.Check, on urn.URN) ([]auth.Privilege, error) {
	needed := neededFor(c, on)
	manage := ownershipRules[on.Type()].manage
	if manage == "" || c.Operation == auth.OpRead || c.Operation == auth.OpExists {
		return needed, nil
	}
	isReach := func(p auth.Privilege) bool { return p != manage && p != auth.Own && !auth.Reads(p) }
	if !slices.ContainsFunc(needed, isReach) {
		return needed, nil
	}
	ask := q.isOfAnother
	if len(c.AnyOf) > 0 {
		ask = q.isNotOwn
	}
	other, err := ask(on)
	if !other || err != nil {
		return needed, err
	}
	needed = slices.DeleteFunc(slices.Clone(needed), func(p auth.Privilege) bool { return isReach(p) || p == manage })
	return append([]auth.Privilege{manage}, needed...), nil
}
