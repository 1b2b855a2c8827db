// Package rule is the rule book of the catalog: what must hold for aspects
// beyond the schema of their records, and what follows when they change. Each
// family of aspects has a file with its rules, and All lists them.
//
// The kernel carries rules out for every change, whichever API it comes
// through: writes, patches, deletions of aspects and entities, rollbacks and
// what other rules derive. It knows no aspect by name. A rule takes part in the
// steps it has functions for:
//
//	before the transaction    CheckSent, Check, Normalize: once the actor may write
//	inside the transaction    Adjust, Validate or AllowRemoval, [stored], Terms, Derive
//	after the transaction     Cleanup
//
// Functions inside the transaction may run more than once for one change, so
// they keep nothing and do nothing but what the Tx offers. They see what earlier
// changes of the batch wrote.
package rule

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rule says what holds for some aspects. All functions are optional.
type Rule struct {
	// Name is the rule's in messages about defects and in stored marks; it never changes.
	Name string
	// Aspects are the aspects concerned; none means all of the Types.
	Aspects []string
	// Types are the entity types concerned; none means all that carry the Aspects.
	Types []string

	// CheckSent refuses a proposal by what was sent, before it is normalized. It is the only
	// check that sees a patch as such.
	CheckSent func(p Sent) error
	// Normalize brings a conformed value into its canonical form. It may change it in place.
	// Values that differ only by what Normalize takes away are equal.
	Normalize func(value model.Object) model.Object
	// Check refuses a proposed value that is wrong whatever is stored. Patched values pass it,
	// too, inside the transaction. A check whose cost grows with the value has a limit of its own,
	// and ends with ctx.
	Check func(ctx context.Context, p Proposed) error

	// Adjust completes or corrects the value that is to be stored, c.After, by what is stored.
	// It replaces c.After, never changes it in place. ErrUnchanged ends the write as one that
	// changed nothing.
	Adjust func(tx Tx, c *Change) error
	// Validate refuses a write by what is stored. What other rules derive is not asked about.
	// ErrUnchanged ends the write as Adjust does.
	Validate func(tx Tx, c *Change) error
	// ValidateRestored makes Validate also apply to an older value that a rollback restores.
	ValidateRestored bool
	// AllowRemoval refuses the removal of an aspect, alone or with its entity.
	AllowRemoval func(tx Tx, c *Change) error
	// Terms are the entries of the secondary index that an aspect makes. They are stored and
	// removed with it, and found by Tx.Lookup.
	Terms func(u urn.URN, value model.Object) []Term
	// CreatorTerms are Terms that depend on the actor who wrote the value.
	CreatorTerms func(value model.Object, creator urn.URN) []Term
	// Versions limits how many versions of the aspect stay when a change is written, the latest
	// included, beside the rules of retention; 0 is no limit.
	Versions func(c *Change) int
	// Derive writes what follows from a change that was stored: a write, the removal of an
	// aspect (c.After is nil), a restored version. It must end: what it derives is derived from in
	// turn. It may run again for a value that has not changed.
	Derive func(tx Effects, c *Change) error
	// Causes are the entities from which rules derived a value, as far as it names them. When
	// its entity is removed and comes back, what they say of it is derived again, see
	// Change.Awaited.
	Causes func(value model.Object) []urn.URN
	// Reads lists keys that the functions above will read for a change, so that the kernel can
	// fetch those of a whole batch at once. What is not listed is read one by one.
	Reads func(u urn.URN, value model.Object) []model.Key

	// Default gives the value of the aspect for an entity that comes into being without it, nil
	// for none. The registry lists under serverDefaults which entity types have defaults.
	Default func(tx Tx, u urn.URN, entity *model.EntitySpec) (model.Object, error)
	// DefaultReads is what Reads is, for Default.
	DefaultReads func(u urn.URN, entity *model.EntitySpec) []model.Key

	// Cleanup is for effects too large for one transaction: once the removal of an aspect is
	// durable, Cleanup is called for each entity found under CleanupTerm, in transactions of some
	// hundred each, before the removal is answered. A process that ends in between goes on at
	// its next start. removed is the entity whose aspect went.
	Cleanup     func(tx Effects, removed, affected urn.URN) error
	CleanupTerm func(removed urn.URN) Term

	// Demands are rights that a change takes beyond those over its entity: moving an asset into a
	// domain concerns that domain, too. DemandedOf says of which writes they are asked; the system
	// actor is exempt.
	Demands    func(tx Tx, c *Change) ([]Demand, error)
	DemandedOf Writing
	// DemandsOfRollbacks makes Demands also apply to rollbacks, where DemandedOf leaves these out.
	DemandsOfRollbacks bool
	// DemandsWithEntity makes Demands also apply to the removal of the whole entity.
	DemandsWithEntity bool

	// Domains are those that a value puts its entity into. Decisions about a batch count them
	// for the entities that the batch creates.
	Domains func(value model.Object) []urn.URN

	// Hide takes out of values that are about to be shown what must not be seen. removed tells
	// which entities are soft-deleted. It replaces elements of values, never changes one in place.
	Hide func(values []model.Object, removed func([]urn.URN) ([]bool, error)) error
}

// Writing is the way in which a change came about, in the order from the one whose demands
// are always asked to the one of which the fewest are asked.
type Writing int

// The ways of writing.
const (
	// ByTable are writes that the table of privileges decides, such as those of REST and of every
	// operation that takes any aspect.
	ByTable Writing = iota
	// ByService are also writes that rest on the decision of a service, which has rules of its own.
	ByService
	// ByRollback are also changes by which a rollback restores an older value, or removes the only one.
	ByRollback
)

// Demand is met when the actor has one of some rights, or what stands in their place.
type Demand struct {
	Rights []Right
	// WaivedBy lists privileges that permit the change as a whole: a write that rests on the
	// decision of a service by one of them does not have to meet the demand.
	WaivedBy []string
	// PassesOn lists privileges that somebody gains by the change, in place of Rights. The demand
	// is met when the actor may give any privilege, or holds itself those of them that are about
	// the catalog as a whole.
	PassesOn []string
	// Shown lists entities that view authorization must not hide from the actor, in place of Rights.
	Shown []urn.URN
	// Refusal is what is told otherwise.
	Refusal Refusal
}

// Refusal is the text of a refusal in parts: texts, and URNs, or lists of them, which are told apart
// since an actor must not be told those of entities that it may not view.
type Refusal []any

// maxRefused is how many URNs of a list a refusal names.
const maxRefused = 20

// URNs are those that the text names.
func (r Refusal) URNs() []urn.URN {
	var named []urn.URN
	for _, part := range r {
		switch part := part.(type) {
		case urn.URN:
			named = append(named, part)
		case []urn.URN:
			named = append(named, part[:min(len(part), maxRefused)]...)
		}
	}
	return named
}

// Text is the text with what name gives in the place of each URN.
func (r Refusal) Text(name func(urn.URN) string) string {
	var b strings.Builder
	for _, part := range r {
		switch part := part.(type) {
		case string:
			b.WriteString(part)
		case urn.URN:
			b.WriteString(name(part))
		case []urn.URN:
			var names set.Set[string]
			for _, u := range part[:min(len(part), maxRefused)] {
				names.Add(name(u))
			}
			b.WriteString(strings.Join(names.List(), ", "))
			if more := len(part) - maxRefused; more > 0 {
				fmt.Fprintf(&b, ", and %d more", more)
			}
		}
	}
	return b.String()
}

// Right is an operation, or one of some privileges, over each of some entities, or
// over one of them with One.
type Right struct {
	Operation  string
	Privileges []string
	On         []urn.URN
	One        bool
	// Type makes the right one over all entities of a type that lie in the container Within, in
	// place of On.
	Type   string
	Within urn.URN
	// Tags are added or removed. Domains are those that the entities will be in.
	Tags, Domains []urn.URN
	DomainsAfter  bool
	// Names are entities that the entities will name as what they are about.
	Names []urn.URN
}

// ErrUnchanged is what Adjust returns when nothing is left to write.
var ErrUnchanged = errors.New("nothing is left to write")

// Sent is a proposal as the writer sent it: a conformed value, or a patch.
type Sent struct {
	Aspect string
	Value  model.Object    // nil for a patch
	Patch  *patch.Document // nil for a value
}

// Proposed is a value that is proposed for an aspect. It must not be changed.
type Proposed struct {
	Registry *model.Registry
	URN      urn.URN
	Entity   *model.EntitySpec
	Aspect   *model.AspectSpec
	Value    model.Object
}

// Change is what becomes of one aspect of an entity. Values must not be changed
// in place.
type Change struct {
	URN    urn.URN
	Entity *model.EntitySpec
	Aspect *model.AspectSpec
	// Before is the value that is stored, nil when there is none. After is the value to be
	// stored; nil is removal.
	Before, After model.Object
	// Patch is what made After of Before, nil when the value was sent as a whole.
	Patch *patch.Document
	// Derived is set for what another rule wrote.
	Derived bool
	// WithEntity is set for a removal that is part of the removal of the whole entity.
	WithEntity bool
	// Reverted is set for a removal that a rollback makes, or asks about before: an older value may
	// take the place of the one that goes.
	Reverted bool
	// Restored is set for a removal that a rollback asks about before, when a version of another
	// writer stays.
	Restored bool
	// AsReport is set when the actor may write this only as a report about its own pipeline.
	AsReport bool
	// AsOwn is set when the actor may write this only since it is its own, see auth.Decision.AsOwn,
	// and for the key and the defaults of an entity that such a write creates.
	AsOwn bool
	// By is the privilege by which the table permits the change, empty for changes that it does
	// not decide about.
	By string
	// UniqueName is set when the name in After must not be that of another entity at the same place:
	// people chose it.
	UniqueName bool
	// Awaited is set when a value that stands is derived from again, since an entity has come
	// into being that Effects.Put found absent: what concerns other entities need not be derived.
	Awaited urn.URN
}

// Tx is the transaction as rules see it. Values it gives must not be changed.
type Tx interface {
	Context() context.Context
	// Now is the time of the change, in epoch milliseconds.
	Now() int64
	// Actor is who makes the change. System is true for the service itself.
	Actor() (actor urn.URN, system bool)
	// Registry is the model.
	Registry() *model.Registry
	// Value is the stored value of an aspect, nil when there is none. The caller owns it.
	Value(u urn.URN, aspect string) (model.Object, error)
	// Texts are those of a member of the objects in a list of a stored aspect, such as the paths
	// of the fields of a schema. They are found once for each value that is stored in the
	// transaction, however often they are asked for, and must not be changed.
	Texts(u urn.URN, aspect, list, member string) (map[string]bool, error)
	// Exists tells whether an entity is there, soft-deleted or not.
	Exists(u urn.URN) (bool, error)
	// Removed tells whether an entity is soft-deleted.
	Removed(u urn.URN) (bool, error)
	// Created reports whether the batch creates an entity: it was absent before the batch and is
	// there now.
	Created(u urn.URN) bool
	// Creator is who wrote an entity first, empty when it is absent.
	Creator(u urn.URN) (urn.URN, error)
	// Lookup gives the entities of which an aspect makes a term, in the order of their URNs,
	// after one of them; limit 0 or less means 1000.
	Lookup(t Term, after urn.URN, limit int) ([]urn.URN, error)
	// Count counts the entities of which an aspect makes a term, up to a limit. It reads them once
	// in a transaction, however often it is asked.
	Count(t Term, limit int) (int, error)
	// Ages are how long ago entities were created, in milliseconds, 0 for one that is absent.
	Ages(urns []urn.URN) ([]int64, error)
	// Brings tells whether the batch itself writes an aspect, earlier or later.
	Brings(u urn.URN, aspect string) bool
	// Below lists what lies below an entity by the places and memberships that are committed: what is
	// in a container, the assets and the domains of a domain, the terms of a node and the assets that
	// have a term, soft-deleted ones included, each once, the nearest first. The entity itself may be
	// absent. all is false when there is more than limit.
	Below(u urn.URN, limit int) (below []urn.URN, all bool, err error)
	// ExcludesBy reports whether a policy excludes resources that name an entity, or the access token
	// reaches only some resources.
	ExcludesBy(u urn.URN) (bool, error)
	// Hides reports whether view authorization hides an entity from the actor, as it does with one that is absent
	// where the actor views only some.
	Hides(u urn.URN) (bool, error)
	// MayWrite reports whether the table of privileges lets the actor write an aspect of a stored entity. Rules ask it
	// before they derive a change of an entity that the actor did not name.
	MayWrite(u urn.URN, aspect string) (bool, error)
}

// Effects is a Tx in which rules derive changes. They are made with the run, the
// actor and the time of their cause.
type Effects interface {
	Tx
	// Put writes an aspect of an entity that is there. An entity that is absent is not made by
	// what others say of it: Put does nothing then, and what is derived from the cause is
	// derived again when the entity comes into being. So it is for URNs that address nothing.
	Put(u urn.URN, aspect string, value model.Object) error
	// Make is Put for an entity that exists because of others: a version set comes into being
	// with its first version.
	Make(u urn.URN, aspect string, value model.Object) error
	// Remove removes an aspect. RemoveEntity removes an entity.
	Remove(u urn.URN, aspect string) error
	RemoveEntity(u urn.URN) error
	// Revoke removes an entity and leaves a tombstone, so that it never comes back.
	Revoke(u urn.URN) error
}

// All is the rule book.
func All() []Rule {
	var all []Rule
	for _, family := range [][]Rule{
		schemaRules(), columnRules(), ownershipRules(), tagRules(), domainRules(), glossaryRules(), businessAttributeRules(), propertyRules(), formRules(),
		versionRules(), siblingRules(), incidentRules(), namingRules(), assertionRules(), dataProductRules(), applicationRules(), embedRules(), lifecycleRules(), logicalRules(), documentRules(),
		policyRules(), membershipRules(), groupRightsRules(), userRules(), serviceAccountRules(), tokenRules(), pipelineRules(), ownRules(), belongingRules(), metatestRules(), serviceRules(), browseRules(), aliasRules(), secretRules(),
	} {
		all = append(all, family...)
	}
	return all
}

// broken is a broken rule: path and reason, as for values that do not conform.
func broken(aspect, path, format string, args ...any) error {
	return fault.New(fault.Invalid, aspect+": "+path+" :: "+format, args...)
}
