package indexing_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/logging"
)

const benchEntities = 50_000

// newBench stores datasets with realistic content, without indexing them.
func newBench(b *testing.B) (*bolt.Store, *indexing.Indexer) {
	b.Helper()
	reg, err := registry()
	if err != nil {
		b.Fatal(err)
	}
	s, err := bolt.Open(b.Context(), filepath.Join(b.TempDir(), "catalog.db"), bolt.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(reg)})
	if err != nil {
		b.Fatal(err)
	}
	indexer, err := indexing.New(b.Context(), indexing.Config{
		Registry: reg, Store: s, Graph: s, Index: index, Now: time.Now, Log: logging.Discard(),
	})
	if err != nil {
		b.Fatal(err)
	}
	c := catalog.New(catalog.Config{
		Registry: reg, Store: s, Documents: memory.NewTimeseries(), Authorizer: authtest.Plain{}, Follower: idle{}, Now: time.Now, Log: logging.Discard(),
	})
	ctx := auth.WithActor(b.Context(), auth.Actor{URN: model.SystemActor, System: true})
	const each = 500
	for first := 0; first < benchEntities; first += each {
		var batch []catalog.Proposal
		for n := first; n < first+each; n++ {
			batch = append(batch, benchDataset(n)...)
		}
		if _, err := c.Write(ctx, batch, catalog.WriteOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	return s, indexer
}

func benchDataset(n int) []catalog.Proposal {
	u := string(dataset(fmt.Sprintf("shop%d.sales_%d.orders_daily_%d", n%10, n%100, n)))
	put := func(aspect, value string) catalog.Proposal {
		return catalog.Proposal{URN: u, Aspect: aspect, Value: json.RawMessage(value)}
	}
	return []catalog.Proposal{
		put("datasetProperties", fmt.Sprintf(`{"name":"orders_daily_%d","description":"All orders of day %d with their customers and what they paid","customProperties":{"team":"t%d"}}`, n, n, n%30)),
		put("ownership", fmt.Sprintf(`{"owners":[{"owner":"urn:li:corpuser:u%d","type":"DATAOWNER"}]}`, n%200)),
		put("globalTags", fmt.Sprintf(`{"tags":[{"tag":"urn:li:tag:t%d"}]}`, n%50)),
		put("domains", fmt.Sprintf(`{"domains":["urn:li:domain:d%d"]}`, n%20)),
	}
}

// BenchmarkRebuild builds an index of many datasets in bolt.
func BenchmarkRebuild(b *testing.B) {
	_, indexer := newBench(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := indexer.Rebuild(b.Context(), "a benchmark"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(benchEntities*b.N)/b.Elapsed().Seconds(), "entities/s")
}

// BenchmarkApply applies one change to an index with many search documents.
func BenchmarkApply(b *testing.B) {
	s, indexer := newBench(b)
	if err := indexer.Rebuild(b.Context(), "a benchmark"); err != nil {
		b.Fatal(err)
	}
	last, _ := s.Last()
	b.ReportAllocs()
	n := uint64(0)
	for b.Loop() {
		n++
		u := dataset(fmt.Sprintf("shop%d.sales_%d.orders_daily_%d", n%10, n%100, n%benchEntities))
		entry := store.Entry{Sequence: last + n, Kind: store.Written, URN: u, Aspect: "globalTags"}
		if err := indexer.Apply(b.Context(), []store.Entry{entry}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerify compares an index of many datasets with bolt.
func BenchmarkVerify(b *testing.B) {
	_, indexer := newBench(b)
	if err := indexer.Rebuild(b.Context(), "a benchmark"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if r, err := indexer.Verify(b.Context()); err != nil || !r.Equal() {
			b.Fatalf("%+v, %v", r, err)
		}
	}
	b.ReportMetric(float64(benchEntities*b.N)/b.Elapsed().Seconds(), "entities/s")
}
