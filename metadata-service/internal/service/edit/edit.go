// Package edit changes single aspects of entities for services, with optimistic locking: it reads
// the aspects, computes the new values, and writes them on condition that the versions are
// unchanged.
//
// A change is a function from the current value of an aspect to its new value. It runs again if the
// aspect changed between read and write, so it must have no side effects. Several changes are
// written in one transaction, all or none. Callers decide the privileges of the operation; the
// catalog additionally decides about each aspect that these decisions do not cover.
package edit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// attempts is the number of queued attempts of a change that conflicts with concurrent writes.
const attempts = 20

// queues is the number of queues for conflicting changes. Entities that share a queue delay only
// each other's conflicting changes.
const queues = 64

// MaxTargets is the maximum number of entities that one call changes.
const MaxTargets = 1000

// Editor reads and changes aspects. It is safe for concurrent use.
type Editor struct {
	Catalog    *catalog.Service
	Discover   *discover.Service
	Registry   *model.Registry
	Authorizer auth.Decider
	Now        func() time.Time

	queues [queues]idle.Lock
}

// Change describes a change of an aspect.
type Change struct {
	URN    urn.URN
	Aspect string
	// Apply receives the aspect, or nil if it is absent, and may change it in place. A nil result
	// leaves the aspect unchanged.
	Apply func(value jsontree.Object) (jsontree.Object, error)
	// OfEntity is set if the stamp of the aspect records changes of the entity, so that it is also
	// updated with changes of other aspects.
	OfEntity bool
	// Existing is set for changes that run some time after the entity was read. The change is
	// dropped if the entity was deleted meanwhile.
	Existing bool
}

// Set returns a change to a value, regardless of the current one.
func Set(u urn.URN, aspect string, value jsontree.Object) Change {
	return Change{URN: u, Aspect: aspect, Apply: func(jsontree.Object) (jsontree.Object, error) { return value, nil }}
}

// changeStamps are the members in which services record the time and the actor of a change of an
// aspect.
var changeStamps = []string{"lastModified", "lastUpdated", "lastUpdatedTimestamp", "auditStamp"}

// Apply executes changes in one transaction, with optimistic locking. decided holds the decisions
// of the caller; the catalog decides about aspects that these do not cover. Several changes of one
// aspect are applied in order. Unique names that are in use are refused. An aspect is not written
// if only the stamp of its last change would differ. Apply reports whether anything was written.
// After repeated conflicts with other writers the error is fault.Unavailable.
func (e *Editor) Apply(ctx context.Context, decided auth.Decisions, changes ...Change) (bool, error) {
	written, err := e.tryOnce(ctx, decided, changes)
	if fault.KindOf(err) != fault.Precondition {
		return written, err
	}
	// Conflicting changes of an entity wait for each other, so that many concurrent writers do not
	// fail repeatedly.
	ctx, leave, err := e.queue(changes[0].URN).Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	for range attempts {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if written, err = e.tryOnce(ctx, decided, changes); fault.KindOf(err) != fault.Precondition {
			return written, err
		}
	}
	return false, fault.New(fault.Unavailable, "%s of %s is changed by others all the time; try again", changes[0].Aspect, changes[0].URN)
}

// tryOnce reads, applies and writes once.
func (e *Editor) tryOnce(ctx context.Context, decided auth.Decisions, changes []Change) (bool, error) {
	proposals, err := e.propose(ctx, changes)
	if err != nil || len(proposals) == 0 {
		return false, err
	}
	_, err = e.Catalog.Write(ctx, proposals, catalog.WriteOptions{Decisions: decided, UniqueNames: true})
	return err == nil, Unwrap(err)
}

// queue returns the queue of conflicting changes of an entity.
func (e *Editor) queue(u urn.URN) *idle.Lock {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(u))
	return &e.queues[hash.Sum32()%queues]
}

// Unwrap returns the decisive item error of a batch error, since users do not know batches. Other
// errors are returned unchanged.
func Unwrap(err error) error {
	var batch *catalog.WriteError
	if !errors.As(err, &batch) {
		return err
	}
	for _, item := range batch.Items {
		if fault.KindOf(item.Err) == batch.FaultKind() {
			return fmt.Errorf("%s of %s: %w", item.Aspect, item.URN, item.Err)
		}
	}
	return err
}

type aspectState struct {
	value    jsontree.Object
	stored   json.RawMessage // the value before the changes
	version  int64           // catalog.Absent if there is none
	changed  bool
	ofEntity bool
	existing bool
}

// propose reads the current aspects, applies the changes and returns the proposals.
func (e *Editor) propose(ctx context.Context, changes []Change) ([]catalog.Proposal, error) {
	current := map[model.Key]*aspectState{}
	var order []model.Key
	for _, c := range changes {
		key := model.Key{URN: c.URN, Aspect: c.Aspect}
		s := current[key]
		if s == nil {
			var err error
			if s, err = e.read(ctx, e.Catalog.Stored, c.URN, c.Aspect); err != nil {
				return nil, err
			}
			current[key] = s
			order = append(order, key)
		}
		next, err := c.Apply(s.value)
		if err != nil {
			return nil, err
		}
		if next != nil {
			s.value, s.changed = next, true
		}
		s.ofEntity, s.existing = s.ofEntity || c.OfEntity, s.existing || c.Existing
	}
	var out []catalog.Proposal
	others := map[urn.URN]bool{} // entities with a changed aspect whose stamp covers only that aspect
	for _, key := range order {
		s := current[key]
		if !s.changed {
			continue
		}
		p := catalog.Proposal{
			URN: string(key.URN), Aspect: key.Aspect, Change: model.Upsert, Value: jsontree.Encode(s.value),
			Conditions: catalog.AtVersion(s.version), Stamps: changeStamps, Existing: s.existing,
		}
		if !s.ofEntity && !equalBesideStamps(p.Value, s.stored) {
			others[key.URN] = true
		}
		out = append(out, p)
	}
	for i := range out {
		u := urn.URN(out[i].URN)
		if current[model.Key{URN: u, Aspect: out[i].Aspect}].ofEntity && others[u] {
			out[i].Stamps = nil
		}
	}
	return out, nil
}

// equalBesideStamps reports whether two values of an aspect are equal apart from their change
// stamps.
func equalBesideStamps(a, b json.RawMessage) bool {
	unstamped := func(text json.RawMessage) []byte {
		value, err := jsontree.DecodeObject(text)
		if err != nil {
			return nil // absent
		}
		for _, name := range changeStamps {
			delete(value, name)
		}
		return jsontree.Encode(value)
	}
	return bytes.Equal(unstamped(a), unstamped(b))
}

// reader reads the current version of an aspect.
type reader func(ctx context.Context, u urn.URN, aspect string) (catalog.Aspect, error)

func (e *Editor) read(ctx context.Context, by reader, u urn.URN, aspect string) (*aspectState, error) {
	found, err := by(ctx, u, aspect)
	if errors.Is(err, fault.NotFound) {
		return &aspectState{version: catalog.Absent}, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(found.Value)
	if err != nil {
		return nil, fmt.Errorf("decode %s of %s: %w", aspect, u, err)
	}
	return &aspectState{value: value, stored: found.Value, version: catalog.VersionOf(&found.Record)}, nil
}

// Read returns an aspect that the actor may read, or nil if it is absent.
func (e *Editor) Read(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, error) {
	return value(e.read(ctx, e.readVisible, u, aspect))
}

// Stored returns an aspect without checking privileges, or nil if it is absent. It is for decisions
// of a service, not for its answers.
func (e *Editor) Stored(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, error) {
	return value(e.read(ctx, e.Catalog.Stored, u, aspect))
}

func (e *Editor) readVisible(ctx context.Context, u urn.URN, aspect string) (catalog.Aspect, error) {
	return e.Catalog.Aspect(ctx, u, aspect, 0, catalog.Omitted)
}

func value(s *aspectState, err error) (jsontree.Object, error) {
	if err != nil {
		return nil, err
	}
	return s.value, nil
}

// Exists reports whether an entity exists, including soft-deleted ones, without checking
// privileges. It is for decisions of a service, not for its answers.
func (e *Editor) Exists(ctx context.Context, u urn.URN) (bool, error) {
	found, err := e.Catalog.StoredEntities(ctx, u)
	if err != nil {
		return false, err
	}
	return found[0], nil
}

// MustExist returns fault.Malformed with the URNs of the entities that do not exist; soft-deleted
// ones exist. noun names their type in the message. It is for entities on which the actor has a
// privilege, and ignores view authorization; see MustBeShown for others.
func (e *Editor) MustExist(ctx context.Context, noun string, urns ...urn.URN) error {
	return mustExist(ctx, e.Catalog.StoredEntities, noun, urns)
}

// MustBeShown is like MustExist, for entities that a change refers to without needing a privilege
// on them. Entities that view authorization hides from the actor count as absent, so the answer
// does not disclose them.
func (e *Editor) MustBeShown(ctx context.Context, noun string, urns ...urn.URN) error {
	return mustExist(ctx, e.Catalog.ShownEntities, noun, urns)
}

func mustExist(ctx context.Context, exists func(context.Context, ...urn.URN) ([]bool, error), noun string, urns []urn.URN) error {
	if len(urns) == 0 {
		return nil
	}
	there, err := exists(ctx, urns...)
	if err != nil {
		return err
	}
	var absent []string
	for i, u := range urns {
		if !there[i] && !slices.Contains(absent, string(u)) {
			absent = append(absent, string(u))
		}
	}
	switch len(absent) {
	case 0:
		return nil
	case 1:
		return fault.New(fault.Malformed, "%s does not exist: %s", noun, absent[0])
	}
	return fault.New(fault.Malformed, "%s: %d do not exist: %s", noun, len(absent), strings.Join(absent, ", "))
}

// MustBeFree returns fault.Malformed if an entity exists. noun names its type in the message.
func (e *Editor) MustBeFree(ctx context.Context, noun string, u urn.URN) error {
	there, err := e.Exists(ctx, u)
	if err == nil && there {
		err = fault.New(fault.Malformed, "This %s already exists!", noun)
	}
	return err
}

// Parse parses a URN from a caller, named name in errors. If types are given, the URN must have one
// of them. Errors are fault.Malformed.
func (e *Editor) Parse(name, text string, types ...string) (urn.URN, error) {
	u, spec, err := e.Registry.Resolve(text)
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "%s: %s", name, fault.Message(err))
	}
	for _, t := range types {
		if spec.Name == t {
			return u, nil
		}
	}
	if len(types) > 0 {
		return "", fault.New(fault.Malformed, "%s: %s is not the URN of a %s", name, u, types[0])
	}
	return u, nil
}

// ParseAll parses a list of URNs like Parse. More than MaxTargets are fault.TooLarge.
func (e *Editor) ParseAll(name string, list []string, types ...string) ([]urn.URN, error) {
	if len(list) > MaxTargets {
		return nil, fault.New(fault.TooLarge, "%s: %d entries, at most %d are allowed", name, len(list), MaxTargets)
	}
	out := make([]urn.URN, 0, len(list))
	for _, text := range list {
		u, err := e.Parse(name, text, types...)
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// Stamp returns an audit stamp of the current time and the actor.
func (e *Editor) Stamp(ctx context.Context) jsontree.Object {
	actor, _ := auth.ActorFrom(ctx)
	return jsontree.Object{"time": e.Now().UnixMilli(), "actor": string(actor.URN)}
}

// Delete deletes an entity permanently, and then the references of other entities to it.
func (e *Editor) Delete(ctx context.Context, decided auth.Decisions, u urn.URN) error {
	if _, err := e.Catalog.DeleteEntity(ctx, u, decided...); err != nil {
		return err
	}
	_, err := e.Catalog.DeleteReferences(ctx, u, false, decided...)
	return err
}
