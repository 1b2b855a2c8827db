package series_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

// scaleRows is the variable with the number of rows of TestTruncatingHalfWhileOthersWrite.
const scaleRows = "CARTULARY_TIMESERIES_ROWS"

// TestTruncatingHalfWhileOthersWrite erases half of an index in batches and compacts it, while a
// writer continues. It is small unless CARTULARY_TIMESERIES_ROWS sets the number of rows, such as
// 5000000; then it prints the durations of these steps and of the writes.
func TestTruncatingHalfWhileOthersWrite(t *testing.T) {
	t.Parallel()
	rows := trials.Count(20_000)
	if text := os.Getenv(scaleRows); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", scaleRows, err)
		}
		rows = n
	}
	s := open(t, t.TempDir())
	x := &scale{t: t, s: s}
	x.fill(rows)
	before := x.size()
	sample := x.read(rows/2, rows)
	undisturbed := x.measure(func() { x.write(100) })

	began := time.Now()
	stop, written := x.keepWriting()
	end := int64(rows/2 - 1)
	for x.count(end) > 0 {
		x.apply(timeseries.Op{Erase: &timeseries.Query{To: &end, Limit: 500}})
	}
	close(stop)
	erased, duringErase := time.Since(began), <-written

	began = time.Now()
	stop, written = x.keepWriting()
	freed, err := s.Compact(t.Context(), indexName)
	close(stop)
	compacted, duringCompact := time.Since(began), <-written
	if err != nil {
		t.Fatal(err)
	}

	after := x.size()
	if got := x.read(rows/2, rows); got != sample {
		t.Error("what stays reads otherwise than before")
	}
	if want := int64(rows-rows/2) + x.added; after.Documents != want {
		t.Errorf("%d documents are left, want %d", after.Documents, want)
	}
	if after.Bytes > before.Bytes*7/10 || freed == 0 {
		t.Errorf("%d bytes became %d, %d freed", before.Bytes, after.Bytes, freed)
	}
	t.Logf("%d rows, %d MB; half erased in %s, compacted in %s to %d MB, with %d and %d rows written meanwhile", rows, before.Bytes/1e6,
		erased.Round(time.Millisecond), compacted.Round(time.Millisecond), after.Bytes/1e6, len(duringErase), len(duringCompact))
	t.Logf("a write took, at the median, p99 and most: %s alone, %s while others are erased, %s during the compaction",
		percentiles(undisturbed), percentiles(duringErase), percentiles(duringCompact))
}

// scale is an index that assigns the sequences of its batches.
type scale struct {
	t         *testing.T
	s         *series.Store
	mu        sync.Mutex
	last      uint64
	added     int64
	latencies []time.Duration // of the writes in measure
}

func (x *scale) apply(ops ...timeseries.Op) {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.last++
	if err := x.s.Apply(context.Background(), indexName, timeseries.Batch{Sequence: x.last, Ops: ops}); err != nil {
		x.t.Error(err)
	}
}

func row(n int) *timeseries.Document {
	id := sha256.Sum256([]byte(strconv.Itoa(n)))
	return &timeseries.Document{
		ID: hex.EncodeToString(id[:16]), URN: urn.Make("dataset", fmt.Sprintf("d%d", n%5000)), Time: int64(n),
		Event: fmt.Appendf(nil, `{"columnCount":12,"rowCount":%d,"timestampMillis":%d}`, n*7, n), Columns: map[string]any{"rowCount": int64(n * 7)},
	}
}

func (x *scale) fill(rows int) {
	const batch = 20_000
	for from := 0; from < rows; from += batch {
		var ops []timeseries.Op
		for n := from; n < min(from+batch, rows); n++ {
			ops = append(ops, timeseries.Op{Upsert: row(n)})
		}
		x.apply(ops...)
	}
}

// write writes rows one by one, after all existing ones.
func (x *scale) write(rows int) {
	for range rows {
		began := time.Now()
		x.added++
		x.apply(timeseries.Op{Upsert: row(1_000_000_000 + int(x.added))})
		x.latencies = append(x.latencies, time.Since(began))
	}
}

func (x *scale) measure(fn func()) []time.Duration {
	x.latencies = nil
	fn()
	return x.latencies
}

// keepWriting writes until stop is closed, and then sends the durations of the writes.
func (x *scale) keepWriting() (stop chan struct{}, written chan []time.Duration) {
	stop, written = make(chan struct{}), make(chan []time.Duration, 1)
	go func() {
		written <- x.measure(func() {
			for {
				select {
				case <-stop:
					return
				default:
					x.write(1)
				}
			}
		})
	}()
	return stop, written
}

func (x *scale) count(end int64) int {
	found, err := x.s.Find(context.Background(), indexName, timeseries.Query{To: &end, Ascending: true, Limit: 1})
	if err != nil {
		x.t.Fatal(err)
	}
	return len(found)
}

func (x *scale) size() timeseries.Size {
	sizes, err := x.s.Sizes(context.Background())
	if err != nil || len(sizes) != 1 {
		x.t.Fatalf("%v, %v", sizes, err)
	}
	return sizes[0]
}

// read returns a hash of some ranges of the rows, and of all rows of one dataset.
func (x *scale) read(from, to int) string {
	h := sha256.New()
	first, last := int64(from), int64(to-1)
	for _, q := range []timeseries.Query{
		{From: &first, To: &last, Limit: 2000, Ascending: true}, {From: &first, To: &last, Limit: 2000}, {From: &first, To: &last, URNs: []urn.URN{row(7).URN}},
	} {
		docs, err := x.s.Find(context.Background(), indexName, q)
		if err != nil {
			x.t.Fatal(err)
		}
		for i := range docs {
			fmt.Fprintln(h, docs[i].ID, docs[i].Time, string(docs[i].Event))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func percentiles(list []time.Duration) string {
	if len(list) == 0 {
		return "nothing"
	}
	slices.Sort(list)
	at := func(share float64) time.Duration {
		return list[int(share*float64(len(list)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprint(at(0.5), ", ", at(0.99), ", ", at(1))
}

// TestTheSizeOfAnIndexIsThatOfItsFile compares the size with that of the file system.
func TestTheSizeOfAnIndexIsThatOfItsFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := &scale{t: t, s: open(t, dir)}
	x.fill(5000)
	info, err := os.Stat(filepath.Join(dir, indexName+".db"))
	if err != nil || x.size().Bytes != info.Size() {
		t.Errorf("%d bytes, on the disk %d, %v", x.size().Bytes, info.Size(), err)
	}
}
