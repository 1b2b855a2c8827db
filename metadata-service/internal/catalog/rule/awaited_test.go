package rule_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// reads is a store that counts the rows which transactions read.
type reads struct {
	store.Store
	rows *atomic.Int64
}

func (s reads) Unwrap() store.Store { return s.Store }

func (s reads) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return s.Store.Update(ctx, func(tx store.Tx) error { return fn(readsTx{tx, s.rows}) })
}

type readsTx struct {
	store.Tx
	rows *atomic.Int64
}

func (tx readsTx) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	tx.rows.Add(int64(len(keys)))
	return tx.Tx.Get(ctx, keys...)
}

// A data product or an incident may name thousands of assets before any of them is ingested: the
// cost of a new asset depends only on the data about this asset.
func TestAnAwaitedAssetCostsNoMoreForOthersThatAreAwaited(t *testing.T) {
	t.Parallel()
	const awaited = 300
	table := func(i int) string { return fmt.Sprintf("%q", catalogtest.Table(fmt.Sprintf("t%03d", i))) }
	var links, names []string
	for i := range awaited {
		links, names = append(links, `{"destinationUrn":`+table(i)+`}`), append(names, table(i))
	}
	for name, cause := range map[string]catalog.Proposal{
		"a data product": catalogtest.Proposal("urn:li:dataProduct:p", "dataProductProperties", `{"assets":[`+strings.Join(links, ",")+`]}`),
		"an incident": catalogtest.Proposal("urn:li:incident:i", "incidentInfo",
			`{"type":"FRESHNESS","entities":[`+strings.Join(names, ",")+`],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:jo"}},"created":{"time":1,"actor":"urn:li:corpuser:jo"}}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := catalogtest.OnDisk(t)
			rows := &atomic.Int64{}
			on.Store = reads{on.Store, rows}
			f := catalogtest.New(t, on)
			f.Must(cause)
			rows.Store(0)
			f.Put(catalogtest.Table("t007"), "status", `{}`)
			if n := rows.Load(); n > 50 {
				t.Errorf("an asset that comes reads %d rows", n)
			}
			says := f.Value(catalogtest.Table("t007"), "dataProducts") + f.Value(catalogtest.Table("t007"), "incidentsSummary")
			if !strings.Contains(says, cause.URN) {
				t.Errorf("the asset says %q", says)
			}
			f.WantValue(catalogtest.Table("t008"), "datasetKey", "")
		})
	}
}
