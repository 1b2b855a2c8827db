package run_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// walks counts the reads of history inside transactions, which all other writers wait for.
type walks struct {
	store.Store
	rows *int
}

type walkedTx struct {
	store.Tx
	rows *int
}

func (s walks) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return s.Store.Update(ctx, func(tx store.Tx) error { return fn(walkedTx{tx, s.rows}) })
}

func (s walks) Unwrap() store.Store { return s.Store }

func (tx walkedTx) Row(ctx context.Context, key store.Key, row int64) (*model.Record, error) {
	*tx.rows++
	return tx.Tx.Row(ctx, key, row)
}

func (tx walkedTx) Rows(ctx context.Context, key store.Key) ([]int64, error) {
	*tx.rows++
	return tx.Tx.Rows(ctx, key)
}

func TestARollbackWalksHistoriesBeforeItsTransaction(t *testing.T) {
	t.Parallel()
	on, rows := catalogtest.OnDisk(t), 0
	on.Store = walks{on.Store, &rows}
	f := catalogtest.New(t, on)
	const tables, versions = 30, 15
	for n := range tables {
		u := urn.URN(fmt.Sprintf("urn:li:tag:t%d", n))
		for v := range versions {
			id := "other"
			if v%2 == 0 {
				id = "r"
			}
			f.Must(catalogtest.InRun(id, catalogtest.Proposal(u, "tagProperties", properties(fmt.Sprint(v)))))
		}
	}
	rows = 0
	out := f.Rollback("r", run.Options{})
	if out.AspectsReverted != tables { // the key that came with the aspect remains
		t.Errorf("%+v", out)
	}
	// One read for each aspect whose latest version is removed: that of the remaining version.
	if rows > tables {
		t.Errorf("the history was read %d times inside transactions, for %d aspects", rows, tables)
	}
	for n := range tables {
		f.WantValue(urn.URN(fmt.Sprintf("urn:li:tag:t%d", n)), "tagProperties", properties(fmt.Sprint(versions-2)))
	}
}
