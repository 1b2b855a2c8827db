package auth

import (
	"slices"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Own is the privilege over entities that belong to the actor: its profile and settings, its
// personal views and pages, and the reports of its pipelines. Every signed-in actor holds it, and
// no policy grants it. Authorizers decide to which actor an entity belongs. For entities that
// belong to no actor, such as an asset with a form that the actor is to fill in, the caller ensures
// that the actor may write them.
const Own Privilege = "OWN"

// AcceptRole is the privilege to take on the role of an invitation. Every signed-in actor holds it
// over itself, and no policy grants it. Code that checks it has verified the invitation.
const AcceptRole Privilege = "ACCEPT_ROLE"

// Check is one question to an authorizer: may the actor in the context do this? A check either
// lists privileges, or leaves their choice to the table of operations, entity types and aspects.
// Operations for people list them; interfaces that read and write any aspect use the table.
type Check struct {
	// AnyOf lists privileges of which one suffices. If it is empty, the table provides them for
	// Operation, the aspect, and the entities or the type.
	AnyOf []Privilege
	// Operation is the kind of access. It is required if AnyOf is empty. Next to AnyOf, OpRead
	// states that a privilege which usually permits changes is needed for reading here.
	Operation Operation
	// Entities are the resources of the check. The check is allowed if it is allowed for each of
	// them or, with AnyEntity, for one of them. A check without entities and without a type has no
	// resource: it is about the platform.
	Entities []urn.URN
	// AnyEntity states that one of Entities suffices: an actor with the privilege over one domain
	// of a data product may change the data product.
	AnyEntity bool
	// Named states that the client named Entities in its request. A refusal may then name them even
	// if view authorization hides them from the actor. Named is false for entities read from the
	// store, such as the assets of an incident.
	Named bool
	// Type is the entity type of the check if there are no Entities. Policies on single entities do
	// not match such a check.
	Type string
	// Within restricts a check of a Type to the entities in a container, and covers every such
	// entity. Only criteria on types and on containers decide; a policy with any other criterion
	// does not match.
	Within urn.URN
	// Aspect is the aspect that is read or written. Empty means the entity as a whole.
	Aspect string
	// Tags are tags that the operation adds to the entities or removes from them. They are
	// sub-resources: a policy may restrict the tags that it permits to attach.
	Tags []urn.URN
	// Domains are the domains that a batch proposes for entities that it creates. They count as the
	// domains of the entities as long as none are stored. For a column they are the domains of its
	// dataset, and count as long as none are stored for the dataset.
	Domains []urn.URN
	// Anew states that the batch deletes the entities first: stored facts about them do not count,
	// and Domains are those that the batch proposes after the deletion. WholeAnew states the same
	// of the dataset of a column.
	Anew, WholeAnew bool
	// Names are the entities that the entities of the check will refer to as their subject. A
	// policy that excludes one of them excludes the entities of the check.
	Names []urn.URN
	// DomainsAfter states that Domains are the future domains of the entities, regardless of their
	// present ones: an actor that moves an entity needs the privilege over it in its new domain,
	// too. Empty Domains then mean no domain.
	DomainsAfter bool
	// Concerns are the entities that a service writes under a platform privilege, which is checked
	// without a resource. Privileges that permit writes to the entities of the check alone permit
	// writes to these.
	Concerns []urn.URN
	// Anywhere asks whether the actor holds one of AnyOf over the platform or over any resource at
	// all, or with Type by a policy that names entities of the type. The decision states the privileges of the actor and permits no write.
	Anywhere bool
	// Writes names aspects of the entities, and of their columns, that a service writes under the
	// decision although no privilege of AnyOf permits it. The table decides all other writes of the
	// service.
	Writes []string
}

// On returns a check of an operation on an aspect of an entity, with the privileges of the table.
// An empty aspect means the entity as a whole.
func On(op Operation, on urn.URN, aspect string) Check {
	return Check{Operation: op, Entities: []urn.URN{on}, Aspect: aspect}
}

// OfType returns a check of an operation on entities of a type, with the privileges of the table.
func OfType(op Operation, entityType string) Check { return Check{Operation: op, Type: entityType} }

// ManageType returns a check of the privileges to update and to delete all entities of a type.
func ManageType(entityType string) Check { return Check{Operation: OpManage, Type: entityType} }

// ForPlatform returns a check of platform privileges, without a resource.
func ForPlatform(oneOf ...Privilege) Check { return Check{AnyOf: oneOf} }

// ToRead returns the check for reading, such as reading a list that only actors with the privilege
// to manage its entries see. The decision permits no write.
func (c Check) ToRead() Check {
	c.Operation = OpRead
	return c
}

// ToWrite returns the check with the aspects that the caller writes under the decision. Privileges
// that permit no aspect by themselves, such as EditEntity, need it.
func (c Check) ToWrite(aspects ...string) Check {
	c.Writes = aspects
	return c
}

// OfCaller returns the check with Named set: the client named the entities.
func (c Check) OfCaller() Check {
	c.Named = true
	return c
}

// About returns a platform check whose decision permits writes to the given entities only.
func (c Check) About(urns ...urn.URN) Check {
	c.Concerns = urns
	return c
}

// Over returns a check of privileges over an entity.
func Over(on urn.URN, oneOf ...Privilege) Check {
	return Check{AnyOf: oneOf, Entities: []urn.URN{on}}
}

// OverEach returns a check of privileges over each of the entities.
func OverEach(on []urn.URN, oneOf ...Privilege) Check {
	return Check{AnyOf: oneOf, Entities: slices.Clone(on)}
}

// OverOne returns a check of privileges over one of the entities.
func OverOne(on []urn.URN, oneOf ...Privilege) Check {
	return Check{AnyOf: oneOf, Entities: slices.Clone(on), AnyEntity: true}
}

// Reach reports whether an allowed check permits a write.
type Reach func(c *Check, op Operation, entity urn.URN, aspect string) bool

// Decision is the answer of an authorizer to a check. The zero value allows nothing.
type Decision struct {
	check     Check
	actor     urn.URN
	privilege Privilege
	reach     Reach
	allowed   bool
	refusal   error
}

// Allow returns a decision that allows a check by a privilege and permits the writes within reach.
// Only authorizers call it.
func Allow(actor urn.URN, check Check, by Privilege, reach Reach) Decision {
	return Decision{check: check, actor: actor, privilege: by, reach: reach, allowed: true}
}

// Refuse returns a decision that refuses a check. The refusal is of kind fault.Forbidden and states
// the missing privilege.
func Refuse(actor urn.URN, check Check, refusal error) Decision {
	return Decision{check: check, actor: actor, refusal: refusal}
}

// Allowed reports whether the check is allowed.
func (d Decision) Allowed() bool { return d.allowed }

// Err returns nil if the check is allowed, and the refusal otherwise.
func (d Decision) Err() error {
	if !d.allowed && d.refusal == nil {
		return errUndecided
	}
	return d.refusal
}

// Check returns the check that the decision answers.
func (d Decision) Check() Check { return d.check }

// Privilege returns the privilege that allowed the check. It is empty if the check was refused.
func (d Decision) Privilege() Privilege { return d.privilege }

// AsOwn reports whether the decision lets an actor without any role write an entity because it is
// the actor's own: by the privilege Own, or by EditEntity over its own account, which every user
// holds.
func (d *Decision) AsOwn(entity urn.URN) bool {
	return d.allowed && (d.privilege == Own || d.privilege == EditEntity && d.actor == entity)
}

// Covers reports whether the decision permits a write of the actor, so that the write needs no
// further decision. An empty aspect means the entity as a whole.
func (d *Decision) Covers(actor urn.URN, op Operation, entity urn.URN, aspect string) bool {
	return d.allowed && d.actor == actor && d.reach != nil && d.reach(&d.check, op, entity, aspect)
}

// Decisions are the decisions that an operation depends on.
type Decisions []Decision

// Cover reports whether one of the decisions permits a write, see Decision.Covers.
func (ds Decisions) Cover(actor urn.URN, op Operation, entity urn.URN, aspect string) bool {
	for i := range ds { // by index: decisions are large, and a batch has one for each item
		if ds[i].Covers(actor, op, entity, aspect) {
			return true
		}
	}
	return false
}

// CoverAsOwn reports whether all decisions that permit a write permit it because the entity is the
// actor's own, see Decision.AsOwn. It is false if no decision permits the write.
func (ds Decisions) CoverAsOwn(actor urn.URN, op Operation, entity urn.URN, aspect string) bool {
	covering := false
	for i := range ds {
		// AsOwn is checked first, since Covers takes longer.
		if own := ds[i].AsOwn(entity); own && covering || !ds[i].Covers(actor, op, entity, aspect) {
			continue
		} else if covering = true; !own {
			return false
		}
	}
	return covering
}

// Err returns the first refusal, or nil if all checks are allowed.
func (ds Decisions) Err() error {
	for _, d := range ds {
		if err := d.Err(); err != nil {
			return err
		}
	}
	return nil
}

// First returns the first decision that allows its check, or the first of all if none does. Of
// alternatives one suffices, and the refusal names the usual one. Without decisions it returns the
// zero Decision.
func (ds Decisions) First() Decision {
	if i := slices.IndexFunc(ds, Decision.Allowed); i >= 0 {
		return ds[i]
	}
	if len(ds) == 0 {
		return Decision{}
	}
	return ds[0]
}
