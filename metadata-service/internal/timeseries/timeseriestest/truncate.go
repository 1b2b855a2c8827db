package timeseriestest

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

func wantTruncated(t testing.TB, s timeseries.Store, end, want int64) {
	t.Helper()
	got, err := s.Truncate(ctx, index, end)
	if err != nil {
		t.Fatalf("truncate to %d: %v", end, err)
	}
	if got != want {
		t.Errorf("truncate to %d: got %d documents gone, want %d", end, got, want)
	}
}

func truncating(t *testing.T, s timeseries.Store) {
	apply(t, s, 8, upserts(
		document("n", dataset(1), -5), document("a", dataset(1), 10), element("a1", "a", dataset(1), 10),
		document("b", dataset(1), 20), document("c", dataset(2), 21), element("c1", "c", dataset(2), 21))...)
	wantTruncated(t, s, -6, 0)
	wantTruncated(t, s, 20, 4)
	wantTruncated(t, s, 20, 0)
	wantIDs(t, s, timeseries.Query{}, "c")
	wantIDs(t, s, timeseries.Query{Exploded: true}, "c1")
	wantIDs(t, s, timeseries.Query{IDs: []string{"a", "b", "c"}}, "c")
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(1)}})
	if n := count(t, s, timeseries.Query{}); n != 1 {
		t.Errorf("count: got %d, want 1", n)
	}
	wantApplied(t, s, 8)
	apply(t, s, 8, upserts(document("a", dataset(1), 10))...)
	wantIDs(t, s, timeseries.Query{}, "c")

	apply(t, s, 9, upserts(document("d", dataset(1), 30), document("e", dataset(1), math.MaxInt64))...)
	wantIDs(t, s, timeseries.Query{}, "e", "d", "c")
	wantTruncated(t, s, math.MaxInt64, 4)
	wantIDs(t, s, timeseries.Query{})
	wantApplied(t, s, 9)
	apply(t, s, 10, upserts(document("f", dataset(1), 1))...)
	wantIDs(t, s, timeseries.Query{}, "f")
}

func sizes(t *testing.T, s timeseries.Store) {
	for _, name := range []string{"b_index", "a_index", "c_index"} {
		batch := timeseries.Batch{Sequence: 1, Ops: upserts(document("a", dataset(1), 1), element("a1", "a", dataset(1), 1))}
		if err := s.Apply(ctx, name, batch); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Sizes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].Index != "a_index" || got[1].Index != "b_index" || got[2].Index != "c_index" {
		t.Fatalf("got %+v, want a_index, b_index, c_index", got)
	}
	for _, size := range got {
		const small = 256 << 10
		if size.Documents != 2 || size.Bytes <= 0 || size.Bytes > small {
			t.Errorf("got %+v, want 2 documents and at most %d bytes", size, small)
		}
	}
}

func sizeOf(t testing.TB, s timeseries.Store) timeseries.Size {
	t.Helper()
	all, err := s.Sizes(ctx)
	if err != nil || len(all) != 1 {
		t.Fatalf("sizes: got %v, %v, want one", all, err)
	}
	return all[0]
}

// fill writes n documents of about 2 KB at the times 0 to n-1.
func fill(t testing.TB, s timeseries.Store, n int) {
	t.Helper()
	docs := make([]timeseries.Document, n)
	for i := range docs {
		docs[i] = document(fmt.Sprintf("id%06d", i), dataset(i%10), int64(i))
		docs[i].Event = []byte(fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("v", 2000)))
	}
	apply(t, s, 1, upserts(docs...)...)
}

func shrinking(t *testing.T, s timeseries.Store) {
	const n = 1000
	fill(t, s, n)
	before := sizeOf(t, s)
	if before.Bytes < n*2000 || before.Bytes > n*6000 {
		t.Errorf("%d documents of 2 KB take %d bytes", n, before.Bytes)
	}
	wantTruncated(t, s, n-101, n-100)
	after := sizeOf(t, s)
	if after.Documents != 100 || after.Bytes > before.Bytes/4 {
		t.Errorf("after nine tenths have gone: got %+v, before %+v", after, before)
	}
	wantTruncated(t, s, n, 100)
	const small = 256 << 10
	if empty := sizeOf(t, s); empty.Documents != 0 || empty.Bytes > small {
		t.Errorf("after all has gone: got %+v, want at most %d bytes", empty, small)
	}
}

// readDuringTruncate lets readers run through several truncations: each sees
// the state before or after one of them, never something between.
func readDuringTruncate(t *testing.T, s timeseries.Store) {
	const n = 200
	fill(t, s, n)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				docs, err := s.Find(ctx, index, timeseries.Query{Ascending: true})
				if err != nil {
					t.Errorf("find: %v", err)
					return
				}
				if len(docs) == 0 || docs[0].Time%20 != 0 || len(docs) != n-int(docs[0].Time) {
					t.Errorf("a reader saw %d documents, want a whole state", len(docs))
					return
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for end := int64(19); end < n-1; end += 20 {
		wantTruncated(t, s, end, 20)
	}
	close(stop)
	readers.Wait()
}
