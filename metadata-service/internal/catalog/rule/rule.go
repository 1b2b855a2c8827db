// Package rule is the rule book of the catalog: the constraints of aspects beyond the schema of
// their records, and the consequences of their changes. Each family of aspects has a file with its
// rules, and All lists them.
//
// The kernel applies rules to every change, whichever API it comes through: writes, patches,
// deletions of aspects and entities, rollbacks and derived changes. The kernel itself refers to no
// aspect by name. A rule takes part in the steps that it has functions for:
//
//	before the transaction    CheckSent, Check, Normalize: after the actor is authorized
//	inside the transaction    Adjust, Validate or AllowRemoval, [stored], Terms, Derive
//	after the transaction     Cleanup
//
// Functions inside the transaction may run more than once for one change, so they must keep no
// state and have no effects except through the Tx. They see the writes of earlier changes of the
// batch.
//
// Names are unique where people choose them. GraphQL mutations and MCP tools refuse the name of a
// domain, glossary term or business attribute that another entity has at the same place
// (Change.UniqueName). The comparison is part of the transaction, so one of several concurrent
// writers gets a name. Ingestion, REST, OpenAPI and patches store the names they receive: source
// systems have two entities of one name, and a batch must not fail for it. An entity with a shared
// name keeps it when a mutation changes other members.
//
// A reference does not create its target. An incident may name an absent dataset, and a derived
// summary would create the dataset permanently and without a decision. Effects.Put therefore does
// nothing for an absent entity; the store marks the change, and the kernel derives it again when
// the entity is created. Effects.Make creates entities that exist only because of others, such as a
// version set with its first version.
package rule

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/patch"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rule holds the constraints and consequences of some aspects. All functions are optional.
type Rule struct {
	// Name identifies the rule in messages about defects and in stored marks; it must never change.
	Name string
	// Aspects are the aspects concerned; none means all aspects of the Types.
	Aspects []string
	// Types are the entity types concerned; none means all that have the Aspects.
	Types []string

	// CheckSent refuses a proposal by its content as sent, before it is normalized. It is the only
	// check that sees a patch as such.
	CheckSent func(p Sent) error
	// Normalize converts a conformed value to its canonical form. It may change the value in place.
	// Values with the same canonical form are equal.
	Normalize func(value model.Object) model.Object
	// Check refuses a proposed value that is wrong regardless of stored data. It also runs for
	// patched values, inside the transaction. A check whose cost grows with the value must have a
	// limit of its own, and end with ctx.
	Check func(ctx context.Context, p Proposed) error

	// Adjust completes or corrects the value to be stored, c.After, by stored data. It replaces
	// c.After and never changes it in place. ErrUnchanged ends the write as one that changed
	// nothing.
	Adjust func(tx Tx, c *Change) error
	// Validate refuses a write by stored data. It does not run for derived changes. ErrUnchanged
	// ends the write as in Adjust.
	Validate func(tx Tx, c *Change) error
	// ValidateRestored makes Validate also apply to an older value that a rollback restores.
	ValidateRestored bool
	// AllowRemoval refuses the removal of an aspect, alone or with its entity.
	AllowRemoval func(tx Tx, c *Change) error
	// Terms returns the entries of the secondary index for a value of an aspect. They are stored
	// and removed with the value, and found by Tx.Lookup.
	Terms func(u urn.URN, value model.Object) []Term
	// CreatorTerms are Terms that depend on the actor that wrote the value.
	CreatorTerms func(value model.Object, creator urn.URN) []Term
	// Versions bounds the number of versions of the aspect that are kept when a change is written,
	// the latest included, in addition to retention; 0 means no bound.
	Versions func(c *Change) int
	// Derive writes the consequences of a stored change: a write, the removal of an aspect (c.After
	// is nil), or a restored version. It must terminate, because derived changes are derived from
	// in turn. It may run again for an unchanged value.
	Derive func(tx Effects, c *Change) error
	// Causes returns the entities, as far as the value names them, from which rules derived it.
	// When the entity of the value is removed and created again, the rules derive from these
	// entities again, see Change.Awaited.
	Causes func(value model.Object) []urn.URN
	// Reads lists keys that the functions above will read for a change, so that the kernel can load
	// those of a whole batch at once. Other keys are read one by one.
	Reads func(u urn.URN, value model.Object) []model.Key

	// Default returns the value of the aspect for an entity that is created without it, nil for
	// none. The registry lists under serverDefaults which entity types have defaults.
	Default func(tx Tx, u urn.URN, entity *model.EntitySpec) (model.Object, error)
	// DefaultReads is Reads for Default.
	DefaultReads func(u urn.URN, entity *model.EntitySpec) []model.Key

	// Cleanup carries out effects that are too large for one transaction. Once the removal of an
	// aspect is durable, the kernel calls Cleanup for each entity with the term CleanupTerm, in
	// transactions of some hundred entities each, before it answers the removal. If the process
	// ends in between, the cleanup continues at the next start. removed is the entity whose aspect
	// was removed.
	Cleanup     func(tx Effects, removed, affected urn.URN) error
	CleanupTerm func(removed urn.URN) Term

	// Demands returns the rights that a change requires in addition to those over its entity: for
	// example, moving an asset into a domain also concerns that domain. DemandedOf determines the
	// writes that they apply to; the system actor is exempt.
	Demands    func(tx Tx, c *Change) ([]Demand, error)
	DemandedOf Writing
	// DemandsOfRollbacks makes Demands also apply to rollbacks if DemandedOf excludes them.
	DemandsOfRollbacks bool
	// DemandsWithEntity makes Demands also apply to the removal of the whole entity.
	DemandsWithEntity bool

	// Domains returns the domains that a value puts its entity into. Decisions about a batch count
	// them for the entities that the batch creates.
	Domains func(value model.Object) []urn.URN

	// Hide removes from values the parts that readers must not see. removed reports which entities
	// are soft-deleted. Hide replaces elements of values and never changes one in place.
	Hide func(values []model.Object, removed func([]urn.URN) ([]bool, error)) error
}

// Writing is the kind of write that a change comes from. The order matters: DemandedOf applies to
// all kinds up to its value.
type Writing int

// Kinds of writes.
const (
	// ByTable are writes that the privilege table authorizes, such as those of REST and of every
	// operation that accepts any aspect.
	ByTable Writing = iota
	// ByService also includes writes that rest on the decision of a service, which has rules of its
	// own.
	ByService
	// ByRollback also includes changes by which a rollback restores an older value, or removes the
	// only one.
	ByRollback
)

// Demand is met if the actor passes one of the checks of OneOf, or meets the alternative in place of
// them. The kernel adds to a check about the changed entity what the batch does to it.
type Demand struct {
	OneOf []auth.Check
	// WaivedBy lists privileges that permit the change as a whole: a write that rests on the
	// decision of a service by one of them need not meet the demand.
	WaivedBy []auth.Privilege
	// PassesOn, in place of OneOf, lists privileges that the change gives to a user. The demand is
	// met if the actor may grant any privilege, or has the listed platform privileges itself.
	PassesOn []auth.Privilege
	// Shown, in place of OneOf, lists entities that view authorization must not hide from the
	// actor.
	Shown []urn.URN
	// Refusal is the error text for an unmet demand.
	Refusal Refusal
}

// Refusal is the text of a refusal in parts: strings, URNs and lists of URNs. URNs are separate
// parts because an actor must not see those of entities that it may not view.
type Refusal []any

// maxRefused bounds the URNs of a list that a refusal names.
const maxRefused = 20

// URNs returns the URNs that the text names.
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

// Text returns the text with each URN replaced by the result of name.
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

// ErrUnchanged is the result of Adjust and Validate for a change that leaves nothing to write.
var ErrUnchanged = errors.New("nothing is left to write")

// Sent is a proposal as the writer sent it: a conformed value, or a patch.
type Sent struct {
	Aspect string
	Value  model.Object    // nil for a patch
	Patch  *patch.Document // nil for a value
}

// Proposed is a value proposed for an aspect. Rules must not change it.
type Proposed struct {
	Registry *model.Registry
	URN      urn.URN
	Entity   *model.EntitySpec
	Aspect   *model.AspectSpec
	Value    model.Object
}

// Change is the change of one aspect of an entity. Rules must not change its values in place.
type Change struct {
	URN    urn.URN
	Entity *model.EntitySpec
	Aspect *model.AspectSpec
	// Before is the stored value, nil if there is none. After is the value to be stored; nil means
	// removal.
	Before, After model.Object
	// Patch is the patch that turned Before into After, nil if the value was sent as a whole.
	Patch *patch.Document
	// Derived is set for changes that another rule derived.
	Derived bool
	// WithEntity is set for a removal that is part of the removal of the whole entity.
	WithEntity bool
	// Reverted is set for a removal made by a rollback, and for the check before it. An older value
	// may take the place of the removed one.
	Reverted bool
	// Restored is set in the check before a rollback if a version of another writer remains.
	Restored bool
	// AsReport is set if the actor may write this only as a report about its own pipeline.
	AsReport bool
	// AsOwn is set if the actor may write this only because it owns it, see auth.Decision.AsOwn,
	// and for the key and the defaults of an entity that such a write creates.
	AsOwn bool
	// By is the privilege by which the privilege table permits the change, empty for changes that
	// it does not decide about.
	By auth.Privilege
	// UniqueName is set if a person chose the name in After, which must then be unique at its
	// place.
	UniqueName bool
	// Awaited is set if the kernel derives again from an unchanged value because an entity has been
	// created that Effects.Put found absent. Changes of other entities need not be derived then.
	Awaited urn.URN
}

// Tx is the view of the transaction that rules get. Rules must not change its values unless stated
// otherwise.
type Tx interface {
	Context() context.Context
	// Now is the time of the change, in epoch milliseconds.
	Now() int64
	// Actor returns the actor of the change. system is true for the service itself.
	Actor() (actor urn.URN, system bool)
	// Registry returns the model.
	Registry() *model.Registry
	// Value returns the stored value of an aspect, nil if there is none. The caller owns it.
	Value(u urn.URN, aspect string) (model.Object, error)
	// Texts returns the texts of a member of the objects in a list of a stored aspect, such as the
	// paths of the fields of a schema. It computes them once per stored value in a transaction, so
	// repeated calls are cheap. Callers must not change the map.
	Texts(u urn.URN, aspect, list, member string) (map[string]bool, error)
	// Exists reports whether an entity exists, soft-deleted or not.
	Exists(u urn.URN) (bool, error)
	// Removed reports whether an entity is soft-deleted.
	Removed(u urn.URN) (bool, error)
	// Created reports whether the batch creates an entity: it was absent before the batch and
	// exists now.
	Created(u urn.URN) bool
	// Creator returns the actor that first wrote an entity, empty if the entity is absent.
	Creator(u urn.URN) (urn.URN, error)
	// Lookup returns the entities with a term, in the order of their URNs, after a given one; limit
	// 0 or less means 1000.
	Lookup(t Term, after urn.URN, limit int) ([]urn.URN, error)
	// Count returns the number of entities with a term, at most limit. It reads them once per
	// transaction, so repeated calls are cheap.
	Count(t Term, limit int) (int, error)
	// Ages returns the time since each entity was created, in milliseconds, 0 for an absent one.
	Ages(urns []urn.URN) ([]int64, error)
	// Brings reports whether the batch itself writes an aspect, before or after this change.
	Brings(u urn.URN, aspect string) bool
	// Below lists the entities below one by committed places and memberships: the contents of a
	// container, the assets and subdomains of a domain, the terms of a node and the assets with a
	// term. It includes soft-deleted ones, lists each once, and the nearest first. The entity
	// itself may be absent. all is false if there are more than limit.
	Below(u urn.URN, limit int) (below []urn.URN, all bool, err error)
	// ExcludesBy reports whether a policy excludes resources that name an entity, or the access
	// token reaches only some resources.
	ExcludesBy(u urn.URN) (bool, error)
	// Hides reports whether view authorization hides an entity from the actor. An absent entity
	// counts as hidden if the actor may view only some entities.
	Hides(u urn.URN) (bool, error)
	// MayWrite reports whether the privilege table permits the actor to write an aspect of a stored
	// entity. Rules call it before they derive a change of an entity that the actor did not name.
	MayWrite(u urn.URN, aspect string) (bool, error)
}

// Effects is a Tx in which rules derive changes. These have the run, the actor and the time of
// their cause.
type Effects interface {
	Tx
	// Put writes an aspect of an existing entity. For an absent entity it does nothing, because
	// references to an entity do not create it; the kernel derives from the cause again when the
	// entity is created. It also does nothing for URNs that are not valid.
	Put(u urn.URN, aspect string, value model.Object) error
	// Make is Put, but also creates the entity. It is for entities that exist because of others:
	// the first version creates its version set.
	Make(u urn.URN, aspect string, value model.Object) error
	// Remove removes an aspect. RemoveEntity removes an entity. Both do nothing for URNs that are
	// not valid.
	Remove(u urn.URN, aspect string) error
	RemoveEntity(u urn.URN) error
	// Revoke removes an entity and leaves a tombstone, so that it cannot be created again.
	Revoke(u urn.URN) error
}

// All returns the rules of the book, in their order.
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

// violation returns the error of a broken rule, with path and reason as for values that do not
// conform.
func violation(aspect, path, format string, args ...any) error {
	return fault.New(fault.Invalid, aspect+": "+path+" :: "+format, args...)
}
