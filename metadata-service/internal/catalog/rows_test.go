package catalog_test

import (
	"context"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// keyReads counts the reads of each latest row in the last transaction.
type keyReads struct {
	store.Store
	reads map[store.Key]int
}

func (s *keyReads) Unwrap() store.Store { return s.Store }

func (s *keyReads) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		s.reads = map[store.Key]int{}
		return fn(keyReadTx{tx, s.reads})
	})
}

type keyReadTx struct {
	store.Tx
	reads map[store.Key]int
}

func (t keyReadTx) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	for _, key := range keys {
		t.reads[key]++
	}
	return t.Tx.Get(ctx, keys...)
}

// Rules, defaults and proposals need the same rows again and again. The store is read once for
// each, absent rows included.
func TestATransactionReadsARowOnce(t *testing.T) {
	t.Parallel()
	drivers := catalogtest.OnDisk(t)
	counter := &keyReads{Store: drivers.Store}
	drivers.Store = counter
	f := catalogtest.New(t, drivers)
	f.Put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	patch := func(tag string) catalog.Proposal {
		return catalogtest.Proposal(dataset, "globalTags", `[{"op":"add","path":"/tags/urn:li:tag:`+tag+`","value":{"tag":"urn:li:tag:`+tag+`"}}]`, model.Patch)
	}
	for _, turn := range []string{"a new entity", "one that is there"} {
		f.Must(
			patch("a"), patch("b"), catalogtest.Proposal(dataset, "domains", `{"domains":["urn:li:domain:d"]}`),
			catalogtest.Proposal(dataset, "status", `{"removed":true}`), catalogtest.Proposal(dataset, "status", `{}`), patch("c"),
			catalogtest.Proposal(chart, "domains", `{"domains":["urn:li:domain:d"]}`),
		)
		if len(counter.reads) == 0 {
			t.Errorf("%s: nothing was read", turn)
		}
		for key, n := range counter.reads {
			if n > 1 {
				t.Errorf("%s: %s of %s is read %d times", turn, key.Aspect, key.URN, n)
			}
		}
	}
	f.WantValue(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:c"}]}`)
	f.WantValue(dataset, "status", `{}`)
}

// After a removal in a batch, rows read before it are not found any more.
func TestRowsOfARemovedEntityAreForgotten(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(catalogtest.Proposal(dataset, "status", `{"removed":true}`), catalogtest.Proposal(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:old"}]}`))
		add := catalogtest.Proposal(dataset, "globalTags", `[{"op":"add","path":"/tags/urn:li:tag:new","value":{"tag":"urn:li:tag:new"}}]`, model.Patch)
		f.Must(add, catalogtest.Proposal(dataset, "", "", model.Delete), add)
		f.WantValue(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:new"}]}`)
		f.WantValue(dataset, "status", "")
		if version := f.Record(dataset, "globalTags").System.Version; version != "1" {
			t.Errorf("the aspect of the entity that came back has version %s", version)
		}
	})
}
