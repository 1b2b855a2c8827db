package catalog

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// rowCache holds the latest rows that a transaction has read or written, so that a batch reads each
// row once and loads many rows in one call.
type rowCache struct {
	tx   store.Tx
	rows map[store.Key]*model.Record // nil for an absent row
}

func newRowCache(tx store.Tx) *rowCache {
	return &rowCache{tx: tx, rows: map[store.Key]*model.Record{}}
}

// get returns a latest row, nil if it is absent. Callers must not change it.
func (c *rowCache) get(ctx context.Context, key store.Key) (*model.Record, error) {
	if rec, known := c.rows[key]; known {
		return rec, nil
	}
	records, err := c.tx.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	c.rows[key] = records[0]
	return records[0], nil
}

// load reads the rows that are not cached yet, in one call.
func (c *rowCache) load(ctx context.Context, keys []store.Key) error {
	missing := make([]store.Key, 0, len(keys))
	for _, key := range keys {
		if _, known := c.rows[key]; !known && key.URN != "" && key.Aspect != "" {
			c.rows[key] = nil // so that repeated keys are read once
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	records, err := c.tx.Get(ctx, missing...)
	if err != nil {
		return err
	}
	for i, rec := range records {
		c.rows[missing[i]] = rec
	}
	return nil
}

// put caches a new latest row.
func (c *rowCache) put(key store.Key, rec *model.Record) { c.rows[key] = rec }

// forget drops all rows of an entity that is removed. Its cost depends on the number of aspects of
// the type, not on the size of the cache.
func (c *rowCache) forget(u urn.URN, entity *model.EntitySpec) {
	for _, aspect := range entity.All() {
		delete(c.rows, store.Key{URN: u, Aspect: aspect.Name})
	}
}
