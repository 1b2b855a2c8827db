package catalog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxDerived is the maximum length of a chain of derived changes. The rules of the model need
// three; the limit stops a defective rule from deriving without end.
const maxDerived = 8

// ruleTx is the view of a transaction that rules get.
type ruleTx struct{ t *txn }

var _ rule.Tx = ruleTx{}

func (r ruleTx) Context() context.Context { return r.t.ctx }

func (r ruleTx) Now() int64 { return r.t.now }

func (r ruleTx) Actor() (urn.URN, bool) { return r.t.actor.URN, r.t.actor.System }

func (r ruleTx) Hides(u urn.URN) (bool, error) {
	if r.t.actor.System {
		return false, nil
	}
	hidden, err := r.t.Hidden(auth.WithDecisionCache(r.t.ctx), []urn.URN{u})
	if err != nil {
		return false, err
	}
	return hidden[0], nil
}

func (r ruleTx) MayWrite(u urn.URN, aspect string) (bool, error) {
	if r.t.actor.System {
		return true, nil
	}
	decisions, err := r.t.Authorizer.Decide(auth.WithDecisionCache(r.t.ctx), []auth.Check{auth.On(auth.OpUpdate, u, aspect)})
	if err != nil {
		return false, err
	}
	return decisions[0].Allowed(), nil
}

func (r ruleTx) Registry() *model.Registry { return r.t.Service.Registry }

func (r ruleTx) Value(u urn.URN, aspect string) (model.Object, error) { return r.t.read(u, aspect) }

func (r ruleTx) Texts(u urn.URN, aspect, list, member string) (map[string]bool, error) {
	return r.t.textsOf(textsKey{store.Key{URN: u, Aspect: aspect}, list, member})
}

func (r ruleTx) Exists(u urn.URN) (bool, error) { return r.t.exists(u) }

func (r ruleTx) Removed(u urn.URN) (bool, error) { return r.t.removed(u) }

func (r ruleTx) Brings(u urn.URN, aspect string) bool {
	return r.t.batchKeys[store.Key{URN: u, Aspect: aspect}]
}

func (r ruleTx) Created(u urn.URN) bool { return r.t.created[u] }

func (r ruleTx) Creator(u urn.URN) (urn.URN, error) {
	key, err := r.t.keyOf(u)
	if err != nil || key == nil {
		return "", err
	}
	return key.CreatedBy, nil
}

func (r ruleTx) Lookup(t rule.Term, after urn.URN, limit int) ([]urn.URN, error) {
	return r.t.tx.Lookup(r.t.ctx, t, after, limit)
}

// placements are the relationships that put an entity into another one or make it a member.
// Policies over that other entity apply to it.
var placements = []string{"AssociatedWith", "IsPartOf", "TermedWith"}

func (r ruleTx) Below(u urn.URN, limit int) (below []urn.URN, all bool, err error) {
	seen := map[urn.URN]bool{u: true}
	for level := []urn.URN{u}; len(level) > 0; {
		// An edge may lead to an entity that was already found by another path, so a level may have
		// more edges than entities.
		edges, err := r.t.Graph.Edges(r.t.ctx, graph.Query{Nodes: level, Direction: graph.Incoming, Types: placements, Limit: 2*limit + 1})
		if err != nil {
			return nil, false, err
		}
		level = nil
		for i := range edges {
			source := edges[i].Source
			if seen[source] {
				continue
			}
			if seen[source] = true; len(below) == limit {
				return below, false, nil
			}
			below = append(below, source)
			if _, has := model.ParentOf(source.Type()); has {
				level = append(level, source)
			}
		}
		if len(edges) > 2*limit {
			return below, false, nil
		}
	}
	return below, true, nil
}

func (r ruleTx) ExcludesBy(u urn.URN) (bool, error) { return r.t.Authorizer.ExcludesBy(r.t.ctx, u) }

func (r ruleTx) Count(t rule.Term, limit int) (int, error) { return r.t.count(t, limit) }

func (r ruleTx) Ages(urns []urn.URN) ([]int64, error) {
	var keys []store.Key
	for _, u := range urns {
		if entity, ok := r.t.Service.Registry.Entity(u.Type()); ok {
			keys = append(keys, store.Key{URN: u, Aspect: entity.Key.Name})
		}
	}
	if err := r.t.rows.load(r.t.ctx, keys); err != nil {
		return nil, err
	}
	ages := make([]int64, len(urns))
	for i, u := range urns {
		key, err := r.t.keyOf(u)
		if err != nil {
			return nil, err
		}
		if key != nil {
			ages[i] = r.t.now - key.CreatedOn
		}
	}
	return ages, nil
}

// effects is a transaction in which rules derive changes from the change cause.
type effects struct {
	ruleTx
	cause *change
}

var _ rule.Effects = effects{}

func (e effects) Put(u urn.URN, aspect string, value model.Object) error {
	return e.put(u, aspect, value, false)
}

func (e effects) Make(u urn.URN, aspect string, value model.Object) error {
	return e.put(u, aspect, value, true)
}

func (e effects) put(u urn.URN, aspect string, value model.Object, create bool) error {
	u, entity, spec, ok := e.resolve(u, aspect)
	if !ok {
		return nil
	}
	if e.cause.depth >= maxDerived {
		return fault.New(fault.Internal, "the changes derived from %s exceed the maximum depth", aspect)
	}
	if !create {
		there, err := e.t.exists(u)
		if err != nil {
			return err
		}
		if !there {
			return e.t.await(u, e.cause.URN)
		}
	}
	conformed, references, err := e.t.Service.Registry.Conform(spec, value)
	if err != nil {
		return err
	}
	system, err := e.system(store.Key{URN: u, Aspect: spec.Name})
	if err != nil {
		return err
	}
	return e.t.applyItem(&item{depth: e.cause.depth + 1, Item: proposal.Item{
		Index: -1, URN: u, Entity: entity, Spec: spec, Rules: e.t.Rules.For(entity, spec), Change: model.Upsert, Value: conformed,
		Text: jsontree.Encode(conformed), References: references, System: system,
	}})
}

// system returns the system metadata of a derived change.
func (e effects) system(key store.Key) (model.SystemMetadata, error) {
	system := inheritedMetadata(e.cause.system)
	if !e.cause.keepsRun {
		return system, nil
	}
	rec, err := e.t.rows.get(e.t.ctx, key)
	if err == nil && rec != nil {
		system.RunID = rec.System.RunID
	}
	return system, err
}

// resolve returns the entity that a value names. ok is false if the value names no valid URN, or an
// entity that cannot have the aspect.
func (e effects) resolve(u urn.URN, aspect string) (urn.URN, *model.EntitySpec, *model.AspectSpec, bool) {
	u, entity, err := e.t.Service.Registry.Resolve(string(u))
	if err != nil || model.CheckWritable(u, entity) != nil {
		return "", nil, nil, false
	}
	spec, ok := entity.Aspect(aspect)
	return u, entity, spec, ok
}

func (e effects) Remove(u urn.URN, aspect string) error {
	u, entity, spec, ok := e.resolve(u, aspect)
	if !ok {
		return nil
	}
	c, err := e.t.newChange(entity, store.Key{URN: u, Aspect: spec.Name}, nil)
	if err != nil || c.old == nil {
		return err
	}
	c.Derived, c.depth = true, e.cause.depth+1
	_, err = e.t.carry(c)
	return err
}

func (e effects) RemoveEntity(u urn.URN) error {
	u, entity, err := e.t.Service.Registry.Resolve(string(u))
	if err != nil {
		return nil
	}
	_, err = e.t.removeEntity(u, entity, removalOptions{depth: e.cause.depth + 1})
	return err
}

func (e effects) Revoke(u urn.URN) error {
	u, entity, err := e.t.Service.Registry.Resolve(string(u))
	if err != nil {
		return nil
	}
	_, err = e.t.revoke(u, entity, e.cause.depth+1)
	return err
}

// inheritedMetadata returns the system metadata that derived changes copy from their cause.
func inheritedMetadata(m model.SystemMetadata) model.SystemMetadata {
	return model.SystemMetadata{
		LastObserved: m.LastObserved, RunID: m.RunID, PipelineName: m.PipelineName,
		RegistryName: m.RegistryName, RegistryVersion: m.RegistryVersion, Properties: m.Properties,
	}
}

// These terms mark derived changes that wait for an entity to be created: awaitedTerm lists the
// awaited entities, waitingTerm the entities whose changes wait for one of them.
var awaitedTerm = store.Term{Index: "$awaited", Value: "*"}

func waitingTerm(u urn.URN) store.Term { return store.Term{Index: "$awaits", Value: string(u)} }

// maxAwaited is the number of awaited entities up to which a transaction loads the complete set.
const maxAwaited = 1000

// await marks that changes are to be derived from cause again when an entity is created.
func (t *txn) await(u, cause urn.URN) error {
	if t.awaited != nil {
		t.awaited[u] = true // reading the set again would cost a batch one look-up per item
	}
	if err := t.tx.AddTerm(t.ctx, awaitedTerm, u); err != nil {
		return err
	}
	return t.tx.AddTerm(t.ctx, waitingTerm(u), cause)
}

// awaitAgain marks, for a removed entity, the entities from which the value of one of its aspects
// was derived. Their statements apply again to a later entity with the same URN.
func (t *txn) awaitAgain(c *change) error {
	if c.Before == nil {
		return nil
	}
	for _, r := range c.rules {
		if r.Causes == nil {
			continue
		}
		for _, text := range r.Causes(c.Before) {
			// Values may have been written by hand and name no valid entity.
			cause, entity, err := t.Service.Registry.Resolve(string(text))
			if err != nil || model.CheckWritable(cause, entity) != nil || cause == c.URN {
				continue
			}
			if err := t.await(c.URN, cause); err != nil {
				return err
			}
		}
	}
	return nil
}

// isAwaited reports whether derived changes wait for an entity. There are usually few awaited
// entities, so one look-up serves a whole batch. It may return true without a need when there are
// maxAwaited or more.
func (t *txn) isAwaited(u urn.URN) (bool, error) {
	if t.awaited == nil {
		found, err := t.tx.Lookup(t.ctx, awaitedTerm, "", maxAwaited)
		if err != nil {
			return false, err
		}
		t.awaited = make(map[urn.URN]bool, len(found))
		for _, a := range found {
			t.awaited[a] = true
		}
	}
	return t.awaited[u] || len(t.awaited) >= maxAwaited, nil
}

// resume derives the changes that were waiting for a newly created entity.
func (t *txn) resume(u urn.URN) error {
	awaited, err := t.isAwaited(u)
	if err != nil || !awaited {
		return err
	}
	for after := urn.URN(""); ; {
		waiting, err := t.tx.Lookup(t.ctx, waitingTerm(u), after, 0)
		if err != nil {
			return err
		}
		if len(waiting) == 0 {
			return t.tx.RemoveTerm(t.ctx, awaitedTerm, u)
		}
		for _, cause := range waiting {
			if err := t.tx.RemoveTerm(t.ctx, waitingTerm(u), cause); err != nil {
				return err
			}
			if err := t.deriveAgain(cause, u); err != nil {
				return err
			}
		}
		after = waiting[len(waiting)-1]
	}
}

// deriveAgain derives from the aspects of an entity the changes that concern a newly created one.
func (t *txn) deriveAgain(u, awaited urn.URN) error {
	entity, ok := t.Service.Registry.Entity(u.Type())
	if !ok {
		return nil
	}
	derivedFrom := slices.DeleteFunc(slices.Clone(entity.Aspects), func(spec *model.AspectSpec) bool {
		return !slices.ContainsFunc(t.Rules.For(entity, spec), func(r *rule.Rule) bool { return r.Derive != nil })
	})
	keys := make([]store.Key, len(derivedFrom))
	for i, spec := range derivedFrom {
		keys[i] = store.Key{URN: u, Aspect: spec.Name}
	}
	if err := t.rows.load(t.ctx, keys); err != nil {
		return err
	}
	for i, spec := range derivedFrom {
		rec, err := t.rows.get(t.ctx, keys[i])
		if err != nil {
			return err
		}
		if rec == nil {
			continue
		}
		value, err := t.causeOf(rec)
		if err != nil {
			return err
		}
		c := &change{
			Change: rule.Change{URN: u, Entity: entity, Aspect: spec, After: value, Awaited: awaited},
			rules:  t.Rules.For(entity, spec), old: rec, system: rec.System,
		}
		if err := t.derive(c); err != nil {
			return err
		}
	}
	return nil
}

// causeOf decodes a row once, although many awaited entities may be named in it. Rules do not
// change values in place.
func (t *txn) causeOf(rec *model.Record) (model.Object, error) {
	if value, known := t.causes[rec]; known {
		return value, nil
	}
	value, err := jsontree.DecodeObject(rec.Value)
	if err == nil {
		t.causes[rec] = value
	}
	return value, err
}
