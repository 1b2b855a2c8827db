package catalog

import (
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// ensure creates the entity if its key is not stored when the batch touches the URN for the first
// time: it writes the key and the default aspects first. They carry the run information of the
// item. It then derives the changes that were waiting for the entity.
func (t *txn) ensure(it *item) error {
	if _, seen := t.created[it.URN]; seen {
		return nil
	}
	there, err := t.exists(it.URN)
	if err != nil {
		return err
	}
	t.created[it.URN] = !there
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

// complete writes the default aspects, other than the key, that an entity lacks.
func (t *txn) complete(it *item) error {
	for _, name := range it.Entity.ServerDefaults {
		spec, _ := it.Entity.Aspect(name)
		if err := t.addAbsent(it, spec); err != nil {
			return err
		}
	}
	return nil
}

// addAbsent adds a default aspect unless the batch contains it or it is stored.
func (t *txn) addAbsent(it *item, spec *model.AspectSpec) error {
	key := store.Key{URN: it.URN, Aspect: spec.Name}
	if t.batchKeys[key] {
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

// defaultOf returns the default value that the rules give an aspect, nil for none.
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
		Change: rule.Change{URN: it.URN, Entity: it.Entity, Aspect: spec, After: value, Derived: true, AsOwn: it.asOwn},
		rules:  t.Rules.For(it.Entity, spec), system: inheritedMetadata(it.System), depth: it.depth,
	}
	stored, err := t.carry(c)
	if err != nil {
		return err
	}
	t.report(&item{Item: proposal.Item{Index: -1, URN: it.URN, Spec: spec}}, Inserted, stored.New)
	return nil
}
