package catalog

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// prefetch reads what a batch will look at: one call for the rows of all items
// and what their rules read, one for the defaults of entities that are absent.
// What is not foreseen is read when it is needed.
func (t *txn) prefetch(items []*item) error {
	if len(items) < 2 {
		return nil // a single write reads three rows, and may not need them all
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
		if asked[it.urn] {
			continue
		}
		if rec, known := t.rows.rows[store.Key{URN: it.urn, Aspect: it.entity.Key.Name}]; known && rec == nil && it.change != model.Delete {
			asked[it.urn] = true
			keys = t.appendDefaultReads(keys, it)
		}
	}
	return t.rows.load(t.ctx, keys)
}

func (t *txn) appendReads(keys []store.Key, it *item) []store.Key {
	keys = append(keys, store.Key{URN: it.urn, Aspect: it.entity.Key.Name})
	if it.entity.Key.Managed {
		keys = append(keys, store.Key{URN: it.urn, Aspect: tombstone})
	}
	if !it.spec.IsKey && !it.spec.Timeseries {
		keys = append(keys, it.key())
	}
	for _, ref := range it.references {
		if entity, ok := t.Service.Registry.Entity(ref.URN.Type()); ok {
			keys = append(keys, store.Key{URN: ref.URN, Aspect: entity.Key.Name})
		}
	}
	if it.value == nil {
		return keys
	}
	for _, r := range it.rules {
		if r.Reads == nil {
			continue
		}
		for _, key := range r.Reads(it.urn, it.value) {
			// What a rule reads of an entity, it writes only if the entity is there.
			if entity, ok := t.Service.Registry.Entity(key.URN.Type()); ok {
				keys = append(keys, key, store.Key{URN: key.URN, Aspect: entity.Key.Name})
			}
		}
	}
	return keys
}

func (t *txn) appendDefaultReads(keys []store.Key, it *item) []store.Key {
	for _, name := range it.entity.ServerDefaults {
		keys = append(keys, store.Key{URN: it.urn, Aspect: name})
		spec, _ := it.entity.Aspect(name)
		for _, r := range t.Rules.For(it.entity, spec) {
			if r.DefaultReads != nil {
				keys = append(keys, r.DefaultReads(it.urn, it.entity)...)
			}
		}
	}
	return keys
}
