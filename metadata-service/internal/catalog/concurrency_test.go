package catalog_test

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestManyWritersOnTheSameEntities(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const writers, rounds, tags = 16, 12, 4
		ctx := f.As(root)
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for i := range rounds {
					u := urn.URN(fmt.Sprintf("urn:li:tag:%d", (w+i)%tags))
					_, err := f.Write(ctx, []catalog.Proposal{
						catalogtest.Proposal(u, "tagProperties", properties(fmt.Sprintf("%d-%d", w, i))), catalogtest.Proposal(dataset, "datasetProfile", profile(w*rounds+i, i)),
					}, catalog.WriteOptions{})
					if err != nil {
						t.Error(err)
					}
					if _, err := f.Scan(ctx, store.Scan{Type: "tag", Limit: 2}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		for i := range tags {
			u := urn.URN(fmt.Sprintf("urn:li:tag:%d", i))
			const changes = writers * rounds / tags
			if got := f.Record(u, "tagProperties").System.Version; got != strconv.Itoa(changes) {
				t.Errorf("%s has version %s, want %d", u, got, changes)
			}
			history := history(f, u, "tagProperties")
			if len(history) != 19 || history[0] != changes-19 || !slices.IsSorted(history) {
				t.Errorf("%s has the history %v", u, history)
			}
		}
		docs, err := f.Timeseries(ctx, catalog.TimeseriesQuery{URN: dataset, EntityType: "dataset", Aspect: "datasetProfile", Limit: 1000})
		if err != nil || len(docs) != writers*rounds {
			t.Errorf("%d documents (%v), want %d", len(docs), err, writers*rounds)
		}
	})
}
