package catalog

import (
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// ensure makes the entity exist: when the batch touches a URN for the first
// time and its key is not stored, the key and the aspects that come with it are
// written first. They carry the run information of the item. What was waiting
// for the entity is derived then.
func (t *txn) ensure(it *item) error {
	if _, seen := t.fresh[it.URN]; seen {
		return nil
	}
	there, err := t.exists(it.URN)
	if err != nil {
		return err
	}
	t.fresh[it.URN] = !there
	if there {
		return nil
	}
	if err := t.addDefault(it, it.Entity.Key, it.Entity.KeyValue(it.URN)); err != nil {
		return err
	}
	if err := t.complete(it); err != nil {
		return err
	}
	return t.resume(it.URN)
}

// complete writes what comes with an entity besides its key, as far as it lacks it.
func (t *txn) complete(it *item) error {
	for _, name := range it.Entity.ServerDefaults {
		spec, _ := it.Entity.Aspect(name)
		if err := t.addAbsent(it, spec); err != nil {
			return err
		}
	}
	return nil
}

// addAbsent adds a default aspect unless the batch brings it or it is stored.
func (t *txn) addAbsent(it *item, spec *model.AspectSpec) error {
	key := store.Key{URN: it.URN, Aspect: spec.Name}
	if t.carried[key] {
		return nil
	}
	if rec, err := t.rows.get(t.ctx, key); err != nil || rec != nil {
		return err
	}
	value, err := t.defaultOf(it, spec)
	if err != nil || value == nil {
		return err
	}
	return t.addDefault(it, spec, value)
}

// defaultOf asks the rules for the default value of an aspect, nil for none.
func (t *txn) defaultOf(it *item, spec *model.AspectSpec) (model.Object, error) {
	for _, r := range t.Rules.For(it.Entity, spec) {
		if r.Default != nil {
			return r.Default(ruleTx{t}, it.URN, it.Entity)
		}
	}
	return nil, fault.New(fault.Internal, "registry: %s asks for the default aspect %s, which has no rule", it.Entity.Name, spec.Name)
}

func (t *txn) addDefault(it *item, spec *model.AspectSpec, value model.Object) error {
	c := &change{
		Change: rule.Change{URN: it.URN, Entity: it.Entity, Aspect: spec, After: value, Derived: true, AsOwn: it.own},
		rules:  t.Rules.For(it.Entity, spec), system: inherited(it.System), depth: it.depth,
	}
	stored, err := t.carry(c)
	if err != nil {
		return err
	}
	t.report(&item{Item: proposal.Item{Index: -1, URN: it.URN, Spec: spec}}, Inserted, stored.New)
	return nil
}
