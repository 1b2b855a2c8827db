package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxEffects is how many side effects may follow from one another. The rules
// of the model need two; the limit keeps a defect from running for ever.
const maxEffects = 8

// txn is one run of a batch inside a transaction of the store. The store may
// run it again, so it holds all that the run finds out.
type txn struct {
	*Service
	ctx     context.Context // of this one run: the functions of the store take none
	tx      store.Tx
	actor   urn.URN
	system  bool
	options WriteOptions
	now     int64
	// carried holds the aspects the batch brings, so that none of them is added by default.
	carried map[store.Key]bool
	// fresh holds the URNs the batch has touched; true for entities that were absent before it.
	fresh map[urn.URN]bool
	done  []Written
	added []Written
}

func carriedBy(items []*item) map[store.Key]bool {
	carried := make(map[store.Key]bool, len(items))
	for _, it := range items {
		carried[it.key()] = true
	}
	return carried
}

func (t *txn) run(items []*item) error {
	for _, it := range items {
		if it.twin != nil {
			t.repeat(it)
			continue
		}
		if err := t.one(it); err != nil {
			if !concerns(err) {
				return err
			}
			refused := ItemError{Index: it.index, URN: string(it.urn), Aspect: it.spec.Name, Err: err}
			return &WriteError{Items: []ItemError{refused}, Async: t.options.Async}
		}
	}
	return nil
}

// results lists what became of the proposals, then what was added.
func (t *txn) results() []Written { return append(t.done, t.added...) }

// repeat answers for an item that asks for what its twin has done.
func (t *txn) repeat(it *item) {
	i := slices.IndexFunc(t.done, func(w Written) bool { return w.Proposal == it.twin.index })
	w := t.done[i]
	w.Proposal = it.index
	if w.Outcome == Inserted || w.Outcome == Updated {
		w.Outcome = NoOp
	}
	t.done = append(t.done, w)
}

func (t *txn) report(it *item, outcome Outcome, rec *model.Record) {
	w := Written{Proposal: it.index, URN: it.urn, Spec: it.spec, Outcome: outcome, Record: rec}
	if it.index < 0 {
		t.added = append(t.added, w)
		return
	}
	t.done = append(t.done, w)
}

// one carries out one item with what follows from it.
func (t *txn) one(it *item) error {
	if it.change == model.Delete {
		return t.deleteItem(it)
	}
	if err := t.checkNotBuried(it.urn, it.entity); err != nil {
		return err
	}
	if err := t.ensure(it); err != nil {
		return err
	}
	if it.spec.IsKey || it.change == model.CreateEntity && !t.fresh[it.urn] {
		return t.keyItem(it)
	}
	old, err := store.Latest(t.ctx, t.tx, it.key())
	if err != nil {
		return err
	}
	if it.change == model.Create && old != nil {
		return t.conflict(it, "Cannot perform CREATE since the aspect exists already")
	}
	if err := it.conditions.check(old); err != nil {
		return err
	}
	if it.spec.Timeseries {
		return t.document(it)
	}
	return t.aspect(it, old)
}

// keyItem answers for items about the existence of the entity. The key itself
// was written when the entity was first touched.
func (t *txn) keyItem(it *item) error {
	rec, err := store.Latest(t.ctx, t.tx, store.Key{URN: it.urn, Aspect: it.entity.Key.Name})
	if err != nil {
		return err
	}
	outcome, before := NoOp, rec
	if t.fresh[it.urn] {
		outcome, before = Inserted, nil
	}
	if before != nil && (it.change == model.Create || it.change == model.CreateEntity) {
		return t.conflict(it, fmt.Sprintf("Cannot perform %s since the entity exists already", it.change))
	}
	if err := it.conditions.check(before); err != nil {
		return err
	}
	t.report(it, outcome, rec)
	return nil
}

func (t *txn) conflict(it *item, reason string) error {
	if it.conditions.noneMatch {
		t.report(it, Dropped, nil)
		return nil
	}
	return fault.New(fault.Invalid, "%s", reason)
}

// aspect writes a versioned aspect: patch, mutators, rules, store, effects.
func (t *txn) aspect(it *item, old *model.Record) error {
	n := &change{item: it, old: old, value: it.value, text: it.text, references: it.references}
	if it.patch != nil {
		if err := t.applyPatch(n); err != nil {
			return err
		}
	}
	if err := t.checkReferences(n); err != nil {
		return err
	}
	skip, err := t.mutate(n)
	if err != nil {
		return err
	}
	if skip {
		t.report(it, NoOp, old)
		return nil
	}
	if err := t.check(n); err != nil {
		return err
	}
	if err := t.seal(n); err != nil {
		return err
	}
	if err := checkSize(it.spec.Name, n.text); err != nil {
		return err
	}
	stored, err := store.Put(t.ctx, t.tx, old, withEdges(store.Write{
		Key: it.key(), Value: n.text, SchemaVersion: it.spec.SchemaVersion, System: it.system, Actor: t.actor, Now: t.now,
		Retention: t.retention.of(it.entity.Name, it.spec.Name), TraceID: t.options.TraceID,
	}, it.spec, n.value))
	if err != nil {
		return err
	}
	t.report(it, outcomeOf(stored), stored.New)
	if !stored.Changed {
		return nil
	}
	return t.effects(n)
}

func outcomeOf(s store.Stored) Outcome {
	switch {
	case !s.Changed:
		return NoOp
	case s.Old == nil:
		return Inserted
	}
	return Updated
}

// checkReferences refuses URNs of entities that must be present and are not.
// Earlier items of the batch count.
func (t *txn) checkReferences(n *change) error {
	for _, ref := range n.references {
		there, err := t.exists(ref.URN)
		if err != nil {
			return err
		}
		if !there {
			return fault.New(fault.Invalid, "%s: %s :: must be the URN of an entity that exists, found %q", n.spec.Name, ref.Path, ref.URN)
		}
	}
	return nil
}

// exists reports whether the key aspect is stored; soft-deleted counts.
func (t *txn) exists(u urn.URN) (bool, error) {
	entity, ok := t.Registry.Entity(u.Type())
	if !ok {
		return false, nil
	}
	rec, err := store.Latest(t.ctx, t.tx, store.Key{URN: u, Aspect: entity.Key.Name})
	return rec != nil, err
}

// read gives the stored value of an aspect, nil when there is none. The caller owns it.
func (t *txn) read(u urn.URN, aspect string) (model.Object, error) {
	rec, err := store.Latest(t.ctx, t.tx, store.Key{URN: u, Aspect: aspect})
	if err != nil || rec == nil {
		return nil, err
	}
	return jsontree.DecodeObject(rec.Value)
}

// follow carries out a write that the service makes because of another one.
// Nothing is written for a URN that does not resolve.
func (t *txn) follow(cause *item, u urn.URN, aspect string, value model.Object) error {
	if cause.effect >= maxEffects {
		return fault.New(fault.Internal, "side effects of %s do not end", aspect)
	}
	// Values may name what is no URN of an entity, or one that cannot carry the aspect.
	u, entity, err := t.Registry.Resolve(string(u))
	if err != nil || model.CheckWritable(u, entity) != nil {
		return nil
	}
	spec, ok := entity.Aspect(aspect)
	if !ok {
		return nil
	}
	conformed, references, err := t.Registry.Conform(spec, value)
	if err != nil {
		return err
	}
	return t.one(&item{
		index: -1, urn: u, entity: entity, spec: spec, change: model.Upsert, value: conformed, text: jsontree.Encode(conformed),
		references: references, system: inherited(cause.system), effect: cause.effect + 1,
	})
}

// inherited is what the service's own writes copy from the write they follow.
func inherited(m model.SystemMetadata) model.SystemMetadata {
	return model.SystemMetadata{
		LastObserved: m.LastObserved, RunID: m.RunID, PipelineName: m.PipelineName,
		RegistryName: m.RegistryName, RegistryVersion: m.RegistryVersion, Properties: m.Properties,
	}
}
