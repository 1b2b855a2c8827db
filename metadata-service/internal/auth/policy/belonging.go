package policy

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ownerResult is the owner of an entity.
type ownerResult struct {
	// person is empty for an entity without an owner.
	person urn.URN
	// absent is true for an entity that does not exist. It will belong to its creator.
	absent bool
}

const stepEntity = "dataHubStepState"

// owners holds the functions that determine the owner of an entity, by its type: those with a
// privilege.Ownership.
var owners = map[string]func(q *question, on urn.URN) (ownerResult, error){
	account.EntityType:    func(_ *question, on urn.URN) (ownerResult, error) { return ownerResult{person: on}, nil },
	stepEntity:            ownerInID,
	viewEntity:            creatorIn(viewInfo, "type"),
	"dataHubPageTemplate": creatorIn("dataHubPageTemplateProperties", "visibility", "scope"),
	"dataHubPageModule":   creatorIn("dataHubPageModuleProperties", "visibility", "scope"),
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
	rule, ok := privilege.OwnershipOf(on.Type())
	asked := len(c.AnyOf) > 0
	switch {
	case !ok:
		return asked || auth.Reports(on, c.Aspect), nil
	case !asked && !(rule.ByTable && privilege.IsOwn(on, c.Aspect)):
		return false, nil
	}
	owner, err := owners[on.Type()](q, on)
	return err == nil && (owner.person == q.urn || owner.absent), err
}

// isOfAnother reports whether an entity belongs to another user than the actor.
func (q *question) isOfAnother(on urn.URN) (bool, error) {
	ownerOf, ok := owners[on.Type()]
	if !ok || on.Key() == "" {
		return false, nil
	}
	owner, err := ownerOf(q, on)
	return err == nil && owner.person != "" && owner.person != q.urn, err
}

// isNotOwn is the variant of isOfAnother for decisions of services: an entity without an owner, or
// one that does not exist, is not the actor's either. Refusals therefore reveal nothing about a
// hidden entity.
func (q *question) isNotOwn(on urn.URN) (bool, error) {
	ownerOf, ok := owners[on.Type()]
	if !ok || on.Key() == "" {
		return false, nil
	}
	owner, err := ownerOf(q, on)
	return err == nil && owner.person != q.urn, err
}

// needed lists the privileges of which one suffices for a check. Privileges over entities of all
// types do not apply to entities of other users and, in decisions of services, to entities without
// an owner.
func (q *question) needed(c *auth.Check, on urn.URN) ([]auth.Privilege, error) {
	needed := neededFor(c, on)
	rule, _ := privilege.OwnershipOf(on.Type())
	manage := rule.Manage
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
