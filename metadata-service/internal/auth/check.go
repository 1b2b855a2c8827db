package auth

import (
	"slices"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Own is the right over what belongs to the actor: the own profile and
// settings, personal views and pages, reports of the own pipelines. Everybody
// who is signed in holds it, and no policy grants it. Authorizers decide to whom an
// entity belongs. Of entities that belong to nobody, such as an asset with a form that the actor is to
// fill in, the caller makes sure that the actor may write them.
const Own Privilege = "OWN"

// AcceptRole is the right to take on the role of an invitation. Everybody who is
// signed in holds it over themselves, and no policy grants it. Who asks for it has
// been shown the invitation.
const AcceptRole Privilege = "ACCEPT_ROLE"

// Check is one question to an authorizer: may the actor in the context do this.
// A check either lists privileges, as operations that people use do, or leaves
// them to the table of operations, entity types and aspects, as interfaces do
// that read and write any aspect.
type Check struct {
	// AnyOf are privileges of which one suffices. Empty means those that the table
	// gives for Operation on the entities, or the type, and the aspect.
	AnyOf []Privilege
	// Operation is what is done. It is required where AnyOf is empty. Beside AnyOf it tells
	// that a privilege which is usually one to change things is asked for in order to read.
	Operation Operation
	// Entities are the resources of the check. It holds when it holds for each of
	// them, or for one of them with AnyEntity. Without entities and without a type the
	// check has no resource: it is about the platform.
	Entities []urn.URN
	// AnyEntity tells that one of Entities suffices: a data product is changed with a
	// right over one of its domains.
	AnyEntity bool
	// Named tells that the caller named Entities, so that a refusal may name them even where
	// view authorization hides them from the actor. It is false for entities that were read out of
	// what is stored, such as the assets of an incident.
	Named bool
	// Type makes the check one about entities of a type when there are no Entities:
	// what policies say of single entities does not match then.
	Type string
	// Within makes a check of a Type one about every entity of the type that lies in a container,
	// whichever they are: criteria of types and of containers decide, and what asks for anything else
	// does not hold.
	Within urn.URN
	// Aspect is what of the entity is read or written; empty means the entity as a whole.
	Aspect string
	// Tags are added to the entities or removed from them. They are sub-resources: a policy may
	// name the tags that may be attached.
	Tags []urn.URN
	// Domains are proposed for the entities in the batch that creates them. They count as the
	// domains of the entities while none are stored. For a column they are those of its dataset,
	// which counts while none are stored for the dataset.
	Domains []urn.URN
	// Anew tells that the batch deletes the entities before: nothing counts that is stored of them, and Domains are
	// those that the batch proposes after the deletion. WholeAnew tells so of the dataset of a column.
	Anew, WholeAnew bool
	// Names are entities that the entities of the check will name as what they are about. What excludes one of
	// them excludes the entities.
	Names []urn.URN
	// DomainsAfter makes Domains those that the entities will be in, whatever they are in now:
	// who moves an entity needs the right over it as it will be, too. No Domains are none then.
	DomainsAfter bool
	// Concerns are the entities that a service writes by a privilege of the platform, which is
	// held without a resource. Privileges whose reach is limited to the entities asked about
	// reach these.
	Concerns []urn.URN
	// Anywhere asks whether the actor holds one of AnyOf over the platform or over anything at
	// all. The decision tells what the actor has and permits no write.
	Anywhere bool
	// Writes names the aspects of the entities, and of their columns, that a service writes by
	// the decision although no privilege of AnyOf reaches them. Everything else that the service
	// writes is decided by the table.
	Writes []string
}

// On is a check of an operation on an aspect of an entity by the table; an empty
// aspect means the entity as a whole.
func On(op Operation, on urn.URN, aspect string) Check {
	return Check{Operation: op, Entities: []urn.URN{on}, Aspect: aspect}
}

// OfType is a check of an operation on entities of a type by the table.
func OfType(op Operation, entityType string) Check { return Check{Operation: op, Type: entityType} }

// ManageType is a check of the right to manage all entities of a type: to update
// and to delete them.
func ManageType(entityType string) Check { return Check{Operation: OpManage, Type: entityType} }

// ForPlatform is a check of privileges without a resource.
func ForPlatform(oneOf ...Privilege) Check { return Check{AnyOf: oneOf} }

// ToRead tells that what the check asks for is needed in order to read, as a list
// that only those see who manage its entries. Nothing that is written rests on it.
func (c Check) ToRead() Check {
	c.Operation = OpRead
	return c
}

// ToWrite names the aspects of the entities that the caller writes by the decision, for
// privileges that reach no aspect by themselves, such as EditEntity.
func (c Check) ToWrite(aspects ...string) Check {
	c.Writes = aspects
	return c
}

// OfCaller tells that the caller named the entities of the check.
func (c Check) OfCaller() Check {
	c.Named = true
	return c
}

// About limits what is written by a check of the platform to some entities.
func (c Check) About(urns ...urn.URN) Check {
	c.Concerns = urns
	return c
}

// Over is a check of privileges over an entity.
func Over(on urn.URN, oneOf ...Privilege) Check {
	return Check{AnyOf: oneOf, Entities: []urn.URN{on}}
}

// OverEach is a check of privileges over each of some entities.
func OverEach(on []urn.URN, oneOf ...Privilege) Check {
	return Check{AnyOf: oneOf, Entities: slices.Clone(on)}
}

// OverOne is a check of privileges over one of some entities.
func OverOne(on []urn.URN, oneOf ...Privilege) Check {
	return Check{AnyOf: oneOf, Entities: slices.Clone(on), AnyEntity: true}
}

// Reach tells which writes rest on a check that is allowed.
type Reach func(c *Check, op Operation, entity urn.URN, aspect string) bool

// Decision is an authorizer's answer to a check. The zero value allows nothing.
type Decision struct {
	check     Check
	actor     urn.URN
	privilege Privilege
	reach     Reach
	allowed   bool
	refusal   error
}

// Allow is a decision that the actor may do what a check asks, by a privilege,
// and that the writes within reach rest on it. Only authorizers make one.
func Allow(actor urn.URN, check Check, by Privilege, reach Reach) Decision {
	return Decision{check: check, actor: actor, privilege: by, reach: reach, allowed: true}
}

// Refuse is a decision that the actor may not do what a check asks. The refusal
// is of kind fault.Forbidden and says what is missing.
func Refuse(actor urn.URN, check Check, refusal error) Decision {
	return Decision{check: check, actor: actor, refusal: refusal}
}

// Allowed tells whether the actor may do what the check asks.
func (d Decision) Allowed() bool { return d.allowed }

// Err is nil when the check is allowed, and the refusal otherwise.
func (d Decision) Err() error {
	if !d.allowed && d.refusal == nil {
		return undecided
	}
	return d.refusal
}

// Check is the question that the decision answers.
func (d Decision) Check() Check { return d.check }

// Privilege is the one that allowed the check, empty when it was refused.
func (d Decision) Privilege() Privilege { return d.privilege }

// AsOwn reports whether an actor without any role may write an entity by the decision, since it is
// the actor's own: by the right Own, or by EditEntity over its own account, which every user holds.
func (d *Decision) AsOwn(entity urn.URN) bool {
	return d.allowed && (d.privilege == Own || d.privilege == EditEntity && d.actor == entity)
}

// Covers tells whether a write of the actor rests on the decision, so that it is
// not to be decided again. An empty aspect is the entity as a whole.
func (d *Decision) Covers(actor urn.URN, op Operation, entity urn.URN, aspect string) bool {
	return d.allowed && d.actor == actor && d.reach != nil && d.reach(&d.check, op, entity, aspect)
}

// Decisions are those that an operation rests on.
type Decisions []Decision

// Cover tells whether one of the decisions covers a write.
func (ds Decisions) Cover(actor urn.URN, op Operation, entity urn.URN, aspect string) bool {
	for i := range ds { // they are large, and a batch asks as many as it has items
		if ds[i].Covers(actor, op, entity, aspect) {
			return true
		}
	}
	return false
}

// CoverAsOwn reports whether the decisions that cover a write are all about what is the actor's
// own, see Decision.AsOwn.
func (ds Decisions) CoverAsOwn(actor urn.URN, op Operation, entity urn.URN, aspect string) bool {
	covering := false
	for i := range ds {
		// Whether it covers takes longer to tell.
		if own := ds[i].AsOwn(entity); own && covering || !ds[i].Covers(actor, op, entity, aspect) {
			continue
		} else if covering = true; !own {
			return false
		}
	}
	return covering
}

// Err is the first refusal, nil when all are allowed.
func (ds Decisions) Err() error {
	for _, d := range ds {
		if err := d.Err(); err != nil {
			return err
		}
	}
	return nil
}

// First is the first decision that allows, and otherwise the first of all: of
// alternatives one suffices, and the refusal names the usual one.
func (ds Decisions) First() Decision {
	if i := slices.IndexFunc(ds, Decision.Allowed); i >= 0 {
		return ds[i]
	}
	if len(ds) == 0 {
		return Decision{}
	}
	return ds[0]
}
