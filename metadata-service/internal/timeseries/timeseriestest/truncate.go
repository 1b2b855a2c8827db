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

// truncate erases the documents with times up to end by an entry of the log, frees their space, and
// returns their number.
func truncate(t testing.TB, s timeseries.Store, end int64) int64 {
	t.Helper()
	before := total(t, s)
	applied, err := s.Applied(ctx, index)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, applied+1, erase(timeseries.Query{To: &end})...)
	if _, err := s.Compact(ctx, index); err != nil {
		t.Fatalf("compact: %v", err)
	}
	return before - total(t, s)
}

func total(t testing.TB, s timeseries.Store) int64 {
	t.Helper()
	return count(t, s, timeseries.Query{}) + count(t, s, timeseries.Query{Exploded: true})
}

func wantTruncated(t testing.TB, s timeseries.Store, end, want int64) {
	t.Helper()
	if got := truncate(t, s, end); got != want {
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
	wantApplied(t, s, 11)
	apply(t, s, 11, upserts(document("a", dataset(1), 10))...)
	wantIDs(t, s, timeseries.Query{}, "c")

	apply(t, s, 12, upserts(document("d", dataset(1), 30), document("e", dataset(1), math.MaxInt64))...)
	wantIDs(t, s, timeseries.Query{}, "e", "d", "c")
	wantTruncated(t, s, math.MaxInt64, 4)
	wantIDs(t, s, timeseries.Query{})
	wantApplied(t, s, 13)
	apply(t, s, 14, upserts(document("f", dataset(1), 1))...)
	wantIDs(t, s, timeseries.Query{}, "f")
}

// erasingBatches erases the oldest documents in limited batches: documents of equal times are
// ordered by id, and elements are erased with their plain document.
func erasingBatches(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(
		document("a", dataset(1), 10), element("a1", "a", dataset(1), 10), element("z-of-a", "a", dataset(1), 10),
		document("b", dataset(1), 10), element("b1", "b", dataset(1), 10),
		document("c", dataset(2), 10), element("a-of-c", "c", dataset(2), 10),
		document("d", dataset(2), 20), element("d1", "d", dataset(2), 20), element("orphan", "gone", dataset(2), 5),
		document("e", dataset(2), 30), element("e1", "e", dataset(2), 30))...)
	batch := func(sequence uint64, limit int) {
		end := int64(20)
		apply(t, s, sequence, erase(timeseries.Query{To: &end, Limit: limit})...)
	}
	left := func(plain, exploded []string) {
		t.Helper()
		wantIDs(t, s, timeseries.Query{Ascending: true}, plain...)
		wantIDs(t, s, timeseries.Query{Ascending: true, Exploded: true}, exploded...)
	}
	batch(2, 1)
	left([]string{"b", "c", "d", "e"}, []string{"a-of-c", "b1", "d1", "e1"})
	batch(2, 1) // again
	left([]string{"b", "c", "d", "e"}, []string{"a-of-c", "b1", "d1", "e1"})
	batch(3, 2)
	left([]string{"d", "e"}, []string{"d1", "e1"})
	batch(4, 10)
	left([]string{"e"}, []string{"e1"})
	batch(5, 10)
	left([]string{"e"}, []string{"e1"})
}

// writeDuringCompact runs writers during compactions. Afterwards the index must hold the same
// documents as a naive list.
func writeDuringCompact(t *testing.T, s timeseries.Store) {
	const n, rounds = 600, 60
	fill(t, s, n)
	want := map[string]int64{}
	for i := range n {
		want[fmt.Sprintf("id%06d", i)] = int64(i)
	}
	done := make(chan struct{})
	var compactor sync.WaitGroup
	compactor.Go(func() {
		for {
			if _, err := s.Compact(ctx, index); err != nil {
				t.Errorf("compact: %v", err)
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for round := range rounds {
		moved, fresh, gone := fmt.Sprintf("id%06d", round*7), fmt.Sprintf("new%d", round), fmt.Sprintf("id%06d", n-1-round)
		want[moved], want[fresh] = int64(n+round), int64(-round)
		delete(want, gone)
		ops := upserts(document(moved, dataset(round%5), want[moved]), document(fresh, dataset(3), want[fresh]))
		apply(t, s, uint64(round+2), append(ops, erase(timeseries.Query{IDs: []string{gone}})...)...)
	}
	close(done)
	compactor.Wait()
	wantApplied(t, s, rounds+1)
	for _, q := range []timeseries.Query{{}, {URNs: []urn.URN{dataset(0), dataset(1), dataset(2), dataset(3), dataset(4), dataset(5), dataset(6), dataset(7), dataset(8), dataset(9)}}} {
		got := find(t, s, q)
		if len(got) != len(want) {
			t.Errorf("%d documents, want %d", len(got), len(want))
		}
		for _, d := range got {
			if time, ok := want[d.ID]; !ok || time != d.Time {
				t.Errorf("%s is at %d, want %d (%v)", d.ID, d.Time, time, ok)
			}
		}
	}
	if got := count(t, s, timeseries.Query{}); got != int64(len(want)) {
		t.Errorf("count: %d, want %d", got, len(want))
	}
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

// fill writes n documents of about 2 KB with the times 0 to n-1.
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

// readDuringTruncate runs readers during several truncations. Each must see the state before or
// after one of them, and never a partial one.
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
