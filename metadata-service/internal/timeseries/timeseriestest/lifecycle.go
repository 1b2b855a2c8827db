package timeseriestest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// calls calls each method of the contract once and returns the errors by name.
func calls(ctx context.Context, s timeseries.Store) map[string]error {
	_, appliedErr := s.Applied(ctx, index)
	_, findErr := s.Find(ctx, index, timeseries.Query{})
	_, countErr := s.Count(ctx, index, timeseries.Query{})
	_, latestErr := s.Latest(ctx, index, []urn.URN{dataset(1)})
	_, sizesErr := s.Sizes(ctx)
	_, compactErr := s.Compact(ctx, index)
	return map[string]error{
		"apply":   s.Apply(ctx, index, timeseries.Batch{Sequence: 2, Ops: upserts(document("b", dataset(1), 2))}),
		"applied": appliedErr, "find": findErr, "count": countErr, "latest": latestErr,
		"sizes": sizesErr, "compact": compactErr,
	}
}

func cancelled(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(document("a", dataset(1), 1))...)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for call, err := range calls(gone, s) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", call, err)
		}
	}
	wantIDs(t, s, timeseries.Query{}, "a")
	wantApplied(t, s, 1)
}

func afterClose(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(document("a", dataset(1), 1))...)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	for call, err := range calls(ctx, s) {
		if !errors.Is(err, fault.Unavailable) {
			t.Errorf("%s: got %v, want unavailable", call, err)
		}
	}
}

// parallel runs writers on two indexes, one of which is truncated and compacted, and readers that
// check that they see whole batches only.
func parallel(t *testing.T, s timeseries.Store) {
	const batches, perBatch = 15, 5
	names := []string{index, "chart_chartusagestatisticsaspect_v1"}
	var writers, readers sync.WaitGroup
	for _, name := range names {
		writers.Go(func() {
			for b := range batches {
				docs := make([]timeseries.Document, perBatch)
				for i := range docs {
					docs[i] = document(fmt.Sprintf("%d-%d", b, i), dataset(i), int64(b))
				}
				batch := timeseries.Batch{Sequence: uint64(b + 1), Ops: upserts(docs...)}
				if err := s.Apply(ctx, name, batch); err != nil {
					t.Errorf("apply: %v", err)
					return
				}
			}
		})
	}
	writers.Go(func() {
		for range batches / 3 {
			if _, err := s.Compact(ctx, index); err != nil {
				t.Errorf("compact: %v", err)
				return
			}
		}
	})
	done := make(chan struct{})
	for _, name := range names {
		readers.Go(func() {
			for {
				readWhole(t, s, name, perBatch)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	for _, name := range names {
		if applied, err := s.Applied(ctx, name); err != nil || applied != batches {
			t.Errorf("applied of %s: got %d, %v, want %d", name, applied, err, batches)
		}
	}
}

func readWhole(t *testing.T, s timeseries.Store, name string, perBatch int) {
	docs, err := s.Find(ctx, name, timeseries.Query{})
	if err != nil || len(docs)%perBatch != 0 {
		t.Errorf("find in %s: got %d documents, %v, want whole batches of %d", name, len(docs), err, perBatch)
	}
	n, err := s.Count(ctx, name, timeseries.Query{})
	if err != nil || n%int64(perBatch) != 0 {
		t.Errorf("count of %s: got %d, %v, want whole batches of %d", name, n, err, perBatch)
	}
	latest, err := s.Latest(ctx, name, []urn.URN{dataset(0), dataset(1)})
	if err != nil || latest[dataset(0)].Time != latest[dataset(1)].Time {
		t.Errorf("latest in %s: got %v, %v, want two of one batch", name, latest, err)
	}
	if _, err := s.Sizes(ctx); err != nil {
		t.Errorf("sizes: %v", err)
	}
}
