package catalog

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// prefetch loads the rows that a batch will need: one call for the rows of all items and those that
// their rules read, and one for the defaults of absent entities. Rows that are not foreseen are
// read when needed.
func (t *txn) prefetch(items []*item) error {
	if len(items) < 2 {
		return nil // a single write reads three rows and may not need all of them
	}
	keys := make([]store.Key, 0, 4*len(items))
	for _, it := range items {
		keys = t.appendReads(keys, it)
	}
	if err := t.rows.load(t.ctx, keys); err != nil {
		return err
	}
	keys = keys[:0]
	asked := make(map[urn.URN]bool, len(items))
	for _, it := range items {
		if asked[it.URN] {
			continue
		}
		if rec, known := t.rows.rows[store.Key{URN: it.URN, Aspect: it.Entity.Key.Name}]; known && rec == nil && it.Change != model.Delete {
			asked[it.URN] = true
			keys = t.appendDefaultReads(keys, it)
		}
	}
	return t.rows.load(t.ctx, keys)
}

func (t *txn) appendReads(keys []store.Key, it *item) []store.Key {
	keys = append(keys, store.Key{URN: it.URN, Aspect: it.Entity.Key.Name})
	if it.Entity.Key.Managed {
		keys = append(keys, store.Key{URN: it.URN, Aspect: tombstone})
	}
	if !it.Spec.IsKey && !it.Spec.Timeseries {
		keys = append(keys, it.Key())
	}
	for _, ref := range it.References {
		if entity, ok := t.Service.Registry.Entity(ref.URN.Type()); ok {
			keys = append(keys, store.Key{URN: ref.URN, Aspect: entity.Key.Name})
		}
	}
	if it.Value == nil {
		return keys
	}
	for _, r := range it.Rules {
		if r.Reads == nil {
			continue
		}
		for _, key := range r.Reads(it.URN, it.Value) {
			// A rule that reads an aspect of an entity writes it only if the entity exists.
			if entity, ok := t.Service.Registry.Entity(key.URN.Type()); ok {
				keys = append(keys, key, store.Key{URN: key.URN, Aspect: entity.Key.Name})
			}
		}
	}
	return keys
}

func (t *txn) appendDefaultReads(keys []store.Key, it *item) []store.Key {
	for _, name := range it.Entity.ServerDefaults {
		keys = append(keys, store.Key{URN: it.URN, Aspect: name})
		spec, _ := it.Entity.Aspect(name)
		for _, r := range t.Rules.For(it.Entity, spec) {
			if r.DefaultReads != nil {
				keys = append(keys, r.DefaultReads(it.URN, it.Entity)...)
			}
		}
	}
	return keys
}
