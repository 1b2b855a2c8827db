// Package edit changes single aspects of entities as services need it: read,
// decide, write, without losing what somebody else writes meanwhile.
//
// A change is a function from the aspect as it stands to the aspect as it shall
// be. It runs again when the aspect changed between reading and writing, so it
// must not do anything else. Several changes are written together or not at
// all. Who may change what is the caller's question; the catalog asks once more
// for each aspect.
package edit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
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

// attempts is how often a change is tried while others write the same aspect.
const attempts = 20

// queues is how many queues of changes there are. Entities that share one wait
// for nothing but each other's contested changes.
const queues = 64

// MaxTargets is how many entities one call may change.
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

// Change is what becomes of an aspect.
type Change struct {
	URN    urn.URN
	Aspect string
	// Apply gets the aspect, nil when it is absent, and may change it in place. A nil result
	// leaves things as they are.
	Apply func(value jsontree.Object) (jsontree.Object, error)
	// OfEntity is set where the stamp of the aspect tells when the entity was changed, so that it
	// also follows changes of other aspects.
	OfEntity bool
	// Existing is set where the change is made by itself some time after the entity was read: it is dropped if the entity
	// has gone meanwhile.
	Existing bool
}

// Set is a change to a value regardless of what is there.
func Set(u urn.URN, aspect string, value jsontree.Object) Change {
	return Change{URN: u, Aspect: aspect, Apply: func(jsontree.Object) (jsontree.Object, error) { return value, nil }}
}

// changeStamps are the members in which services note when and by whom an aspect was changed.
var changeStamps = []string{"lastModified", "lastUpdated", "lastUpdatedTimestamp", "auditStamp"}

// Apply carries out changes that rest on decisions; what these do not cover is
// decided by the catalog, aspect by aspect. Two changes of one aspect are applied
// one after the other. Names that must be unique are refused when they are taken. An aspect in which
// nothing but the stamp of the last change would change stays as it is. It tells whether anything was written. What others change
// all the time is fault.Unavailable.
func (e *Editor) Apply(ctx context.Context, decided auth.Decisions, changes ...Change) (bool, error) {
	written, err := e.try(ctx, decided, changes)
	if fault.KindOf(err) != fault.Precondition {
		return written, err
	}
	// Those who came too late queue up, or a crowd would fail one another for ever.
	ctx, leave, err := e.queue(changes[0].URN).Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	for range attempts {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if written, err = e.try(ctx, decided, changes); fault.KindOf(err) != fault.Precondition {
			return written, err
		}
	}
	return false, fault.New(fault.Unavailable, "%s of %s is changed by others all the time; try again", changes[0].Aspect, changes[0].URN)
}

// try reads, decides and writes once.
func (e *Editor) try(ctx context.Context, decided auth.Decisions, changes []Change) (bool, error) {
	proposals, err := e.propose(ctx, changes)
	if err != nil || len(proposals) == 0 {
		return false, err
	}
	_, err = e.Catalog.Write(ctx, proposals, catalog.WriteOptions{Decisions: decided, UniqueNames: true})
	return err == nil, Unwrap(err)
}

// queue is where changes of an entity wait for each other.
func (e *Editor) queue(u urn.URN) *idle.Lock {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(u))
	return &e.queues[hash.Sum32()%queues]
}

// Unwrap takes the error that decides about a batch out of it: people know
// nothing of batches.
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

type state struct {
	value    jsontree.Object
	stored   json.RawMessage // the value before
	version  string          // "-1" when absent
	changed  bool
	ofEntity bool
	existing bool
}

// propose reads what is there and makes the proposals.
func (e *Editor) propose(ctx context.Context, changes []Change) ([]catalog.Proposal, error) {
	current := map[model.Key]*state{}
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
	others := map[urn.URN]bool{} // entities of which an aspect changes whose stamp is its own
	for _, key := range order {
		s := current[key]
		if !s.changed {
			continue
		}
		p := catalog.Proposal{
			URN: string(key.URN), Aspect: key.Aspect, Change: model.Upsert, Value: jsontree.Encode(s.value),
			Headers: map[string]string{"If-Version-Match": s.version}, Stamps: changeStamps, Existing: s.existing,
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

// equalBesideStamps reports whether two texts of an aspect differ in nothing but the stamps of their changes.
func equalBesideStamps(a, b json.RawMessage) bool {
	unstamped := func(text json.RawMessage) []byte {
		value, err := jsontree.DecodeObject(text)
		if err != nil {
			return nil // there is none
		}
		for _, name := range changeStamps {
			delete(value, name)
		}
		return jsontree.Encode(value)
	}
	return bytes.Equal(unstamped(a), unstamped(b))
}

// reader reads the latest version of an aspect.
type reader func(ctx context.Context, u urn.URN, aspect string) (catalog.Aspect, error)

func (e *Editor) read(ctx context.Context, by reader, u urn.URN, aspect string) (*state, error) {
	found, err := by(ctx, u, aspect)
	if errors.Is(err, fault.NotFound) {
		return &state{version: "-1"}, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := jsontree.DecodeObject(found.Value)
	if err != nil {
		return nil, fmt.Errorf("decode %s of %s: %w", aspect, u, err)
	}
	version := found.System.Version
	if version == "" {
		version = strconv.Itoa(1)
	}
	return &state{value: value, stored: found.Value, version: version}, nil
}

// Read gives an aspect that the actor may read, nil when it is absent.
func (e *Editor) Read(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, error) {
	return value(e.read(ctx, e.visible, u, aspect))
}

// Stored gives an aspect whoever the actor is, nil when it is absent. It is for
// what a service decides by, not for what it shows.
func (e *Editor) Stored(ctx context.Context, u urn.URN, aspect string) (jsontree.Object, error) {
	return value(e.read(ctx, e.Catalog.Stored, u, aspect))
}

func (e *Editor) visible(ctx context.Context, u urn.URN, aspect string) (catalog.Aspect, error) {
	return e.Catalog.Aspect(ctx, u, aspect, 0, catalog.Omitted)
}

func value(s *state, err error) (jsontree.Object, error) {
	if err != nil {
		return nil, err
	}
	return s.value, nil
}

// Exists tells whether an entity is there, soft-deleted or not, whoever the actor
// is. It is for what a service decides by, not for what it tells.
func (e *Editor) Exists(ctx context.Context, u urn.URN) (bool, error) {
	found, err := e.Catalog.StoredEntities(ctx, u)
	if err != nil {
		return false, err
	}
	return found[0], nil
}

// MustExist is an error that names those of some entities that are not there,
// soft-deleted or not; what is their name for people. It is for entities over which
// the actor has a right, whoever sees them; see MustBeShown for others.
func (e *Editor) MustExist(ctx context.Context, what string, urns ...urn.URN) error {
	return mustExist(ctx, e.Catalog.StoredEntities, what, urns)
}

// MustBeShown is MustExist for entities that a change names and over which it takes no
// right. What view authorization hides from the actor counts as absent, so the answer
// does not tell that it exists.
func (e *Editor) MustBeShown(ctx context.Context, what string, urns ...urn.URN) error {
	return mustExist(ctx, e.Catalog.ShownEntities, what, urns)
}

func mustExist(ctx context.Context, stored func(context.Context, ...urn.URN) ([]bool, error), what string, urns []urn.URN) error {
	if len(urns) == 0 {
		return nil
	}
	there, err := stored(ctx, urns...)
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
		return fault.New(fault.Malformed, "%s does not exist: %s", what, absent[0])
	}
	return fault.New(fault.Malformed, "%s: %d do not exist: %s", what, len(absent), strings.Join(absent, ", "))
}

// MustBeFree is an error when an entity is there already; what is its name for
// people.
func (e *Editor) MustBeFree(ctx context.Context, what string, u urn.URN) error {
	there, err := e.Exists(ctx, u)
	if err == nil && there {
		err = fault.New(fault.Malformed, "This %s already exists!", what)
	}
	return err
}

// Parse reads a URN given by a caller, which must be of one of the types when
// any are named.
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

// ParseAll reads a list of URNs.
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

// Stamp is an audit stamp of now by the actor.
func (e *Editor) Stamp(ctx context.Context) jsontree.Object {
	who, _ := auth.ActorFrom(ctx)
	return jsontree.Object{"time": e.Now().UnixMilli(), "actor": string(who.URN)}
}

// Delete removes an entity for good together with what names it.
func (e *Editor) Delete(ctx context.Context, decided auth.Decisions, u urn.URN) error {
	if _, err := e.Catalog.DeleteEntity(ctx, u, decided...); err != nil {
		return err
	}
	_, err := e.Catalog.DeleteReferences(ctx, u, false, decided...)
	return err
}
