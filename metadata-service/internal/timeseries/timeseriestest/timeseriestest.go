// Package timeseriestest is the conformance suite of the timeseries port. A driver passes if it
// satisfies the whole contract:
//
//	timeseriestest.Run(t, func(t *testing.T) timeseries.Store { return memory.NewTimeseries() })
//
// Each defect found in one driver becomes a case here, for all drivers. Benchmark measures frequent
// operations of a driver.
package timeseriestest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Open returns an empty store. The suite closes it.
type Open func(t *testing.T) timeseries.Store

// Run runs all cases on a driver.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s timeseries.Store)
	}{
		{"an absent index is empty", absentIndex},
		{"a document comes back as it was written", roundTrip},
		{"the store keeps nothing of the caller's memory", independence},
		{"an upsert with the same id replaces", replacing},
		{"a batch is skipped unless its sequence is new", replay},
		{"steps are applied in order", stepOrder},
		{"a bad batch leaves nothing behind", badBatch},
		{"a batch without documents makes no index", emptyBatch},
		{"indices do not see each other", separateIndices},
		{"bad index names are refused", badNames},
		{"newest first, ties by id", order},
		{"paging in both directions sees each document once", paging},
		{"time bounds are inclusive", bounds},
		{"times at the edges of the range keep their order", extremeTimes},
		{"queries by urn, id and run", selections},
		{"exploded documents are listed apart", exploded},
		{"count ignores order, position and limit", counting},
		{"latest gives the newest plain document of each urn", latest},
		{"filters select", filters},
		{"a bad filter is refused", badFilter},
		{"erase by query takes exploded documents too", erasing},
		{"replacing an exploded aspect leaves no stale element", staleElements},
		{"sizes are listed by name", sizes},
		{"large values survive", largeValues},
		{"truncate takes what is at or before the end", truncating},
		{"truncate gives space back", shrinking},
		{"reads go on during truncate", readDuringTruncate},
		{"erasing in batches takes the oldest with their elements", erasingBatches},
		{"writes go on during a compaction", writeDuringCompact},
		{"a cancelled context gives its own error", cancelled},
		{"use after close is unavailable", afterClose},
		{"parallel readers and writers", parallel},
		{"random steps agree with a naive list", simulation},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			c.test(t, s)
		})
	}
}

const index = "dataset_datasetprofileaspect_v1"

var ctx = context.Background()

func dataset(n int) urn.URN { return urn.Make("dataset", fmt.Sprintf("d%d", n)) }

// document returns a plain document with all fields set.
func document(id string, u urn.URN, time int64) timeseries.Document {
	return timeseries.Document{
		ID: id, URN: u, Time: time, RunID: "run-1", MessageID: "m-" + id,
		Granularity: `{"multiple":1,"unit":"DAY"}`, Partition: "p", TimePartition: `{"startTimeMillis":1}`,
		Event:   json.RawMessage(fmt.Sprintf(`{"rowCount":%d,"timestampMillis":%d}`, len(id), time)),
		System:  model.SystemMetadata{LastObserved: time, RunID: "run-1", Properties: map[string]string{"a": "b"}},
		Columns: map[string]any{"rowCount": int64(len(id)), "ratio": 0.5, "partition": "p"},
	}
}

// element returns an exploded document.
func element(id, parent string, u urn.URN, time int64) timeseries.Document {
	d := document(id, u, time)
	d.Exploded, d.Parent, d.Event = true, parent, nil
	return d
}

func upserts(docs ...timeseries.Document) []timeseries.Op {
	ops := make([]timeseries.Op, len(docs))
	for i := range docs {
		ops[i].Upsert = &docs[i]
	}
	return ops
}

func erase(q timeseries.Query) []timeseries.Op { return []timeseries.Op{{Erase: &q}} }

func apply(t testing.TB, s timeseries.Store, sequence uint64, ops ...timeseries.Op) {
	t.Helper()
	if err := s.Apply(ctx, index, timeseries.Batch{Sequence: sequence, Ops: ops}); err != nil {
		t.Fatalf("apply %d: %v", sequence, err)
	}
}

func find(t testing.TB, s timeseries.Store, q timeseries.Query) []timeseries.Document {
	t.Helper()
	docs, err := s.Find(ctx, index, q)
	if err != nil {
		t.Fatalf("find %+v: %v", q, err)
	}
	return docs
}

func count(t testing.TB, s timeseries.Store, q timeseries.Query) int64 {
	t.Helper()
	n, err := s.Count(ctx, index, q)
	if err != nil {
		t.Fatalf("count %+v: %v", q, err)
	}
	return n
}

func ids(docs []timeseries.Document) []string {
	list := make([]string, len(docs))
	for i, d := range docs {
		list[i] = d.ID
	}
	return list
}

func wantIDs(t testing.TB, s timeseries.Store, q timeseries.Query, want ...string) {
	t.Helper()
	got := ids(find(t, s, q))
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("find %+v: got %v, want %v", q, got, want)
	}
}

func wantApplied(t testing.TB, s timeseries.Store, want uint64) {
	t.Helper()
	got, err := s.Applied(ctx, index)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("applied: got %d, want %d", got, want)
	}
}

func wantDocument(t testing.TB, got, want timeseries.Document) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("document:\n got %+v\nwant %+v", got, want)
	}
}

func at(time int64) *int64 { return &time }
