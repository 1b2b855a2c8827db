package store_test

import (
	"context"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Some drivers reach their server over a network: Put must not read again the record that the
// caller has read.
func TestPutReadsNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := 1; n <= 30; n++ {
		old := f.latestOrNil()
		f.update(func(tx store.Tx) error {
			counted := &countingTx{Tx: tx}
			w := write(n)
			w.Retention = store.Retention{MaxVersions: 3, MaxAge: 1000}
			_, err := store.Put(t.Context(), counted, old, w)
			if counted.reads > 0 {
				t.Errorf("version %d: %d reads", n, counted.reads)
			}
			return err
		})
	}
	if rows, err := f.Rows(t.Context(), statusKey); err != nil || len(rows) != 2 {
		t.Errorf("history is %v, %v", rows, err)
	}
}

func (f *fixture) latestOrNil() *model.Record {
	f.Helper()
	rec, err := store.Latest(f.Context(), f.Store, statusKey)
	if err != nil {
		f.Fatal(err)
	}
	return rec
}

// countingTx counts the calls that read.
type countingTx struct {
	store.Tx
	reads int
}

func (c *countingTx) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	c.reads++
	return c.Tx.Get(ctx, keys...)
}

func (c *countingTx) Row(ctx context.Context, key store.Key, row int64) (*model.Record, error) {
	c.reads++
	return c.Tx.Row(ctx, key, row)
}

func (c *countingTx) Rows(ctx context.Context, key store.Key) ([]int64, error) {
	c.reads++
	return c.Tx.Rows(ctx, key)
}

func (c *countingTx) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	c.reads++
	return c.Tx.Aspects(ctx, urns, names...)
}
