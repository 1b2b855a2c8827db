package bolt_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/sys/unix"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// benchValue has the average size of an aspect value.
var benchValue = `{"text":"` + strings.Repeat("0123456789 ", 53) + `"}`

// benchURN numbers tables in the order in which a source lists them.
func benchURN(n int64) urn.URN {
	return urn.Make("dataset", "urn:li:dataPlatform:snowflake", fmt.Sprintf("warehouse.schema%05d.table_%08d", n/500, n), "PROD")
}

// scatteredURN numbers tables so that consecutive ones have distant keys.
func scatteredURN(n int64) urn.URN {
	return urn.Make("dataset", "urn:li:dataPlatform:snowflake", fmt.Sprintf("warehouse.schema%05d.table_%08d", n*7919%1000, n), "PROD")
}

// BenchmarkWrite compares group commit with alternatives on the same disk. Compare only results
// with the same number of writers: only their ratios are meaningful. of-raw is the share of the
// disk's raw rate, at which the same number of bytes is written in one piece and synced, and a meta
// page is written and synced, for each commit.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 8, 32, 64} {
		b.Run(fmt.Sprintf("writers=%d/group", writers), func(b *testing.B) { benchGroup(b, writers, benchURN) })
		b.Run(fmt.Sprintf("writers=%d/groupScattered", writers), func(b *testing.B) { benchGroup(b, writers, scatteredURN) })
		b.Run(fmt.Sprintf("writers=%d/dbUpdate", writers), func(b *testing.B) { benchUpdate(b, writers) })
		b.Run(fmt.Sprintf("writers=%d/rawValues", writers), func(b *testing.B) {
			b.ReportAllocs()
			perSecond := rawCommits(b, writers*len(benchValue), b.N)
			b.ReportMetric(perSecond*float64(writers), "writes/s")
		})
	}
}

// shared runs op b.N times, distributed over a number of goroutines.
func shared(b *testing.B, writers int, op func(n int64) error) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	var next atomic.Int64
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := op(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}

func benchGroup(b *testing.B, writers int, name func(int64) urn.URN) {
	s := openStore(b, filepath.Join(b.TempDir(), "store.db"))
	loadStore(b, s, 20000) // an empty tree would give too good results
	commitsBefore, bytesBefore := commitsOf(b, s), writtenBytes(b)
	shared(b, writers, func(n int64) error {
		_, err := s.Update(context.Background(), func(tx store.Tx) error {
			return write(b.Context(), tx, name(n+10000), "datasetProperties", benchValue)
		})
		return err
	})
	commits, bytes := commitsOf(b, s)-commitsBefore, writtenBytes(b)-bytesBefore
	perCommit := float64(b.N) / float64(commits)
	b.ReportMetric(perCommit, "writes/commit")
	b.ReportMetric(float64(bytes)/float64(commits)/1024, "KiB/commit")
	raw := rawCommits(b, bytes/commits, min(commits, 500))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/perCommit/raw, "of-raw")
}

func commitsOf(b *testing.B, s *bolt.Store) int {
	b.Helper()
	n, err := s.Commits()
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// writtenBytes returns the number of bytes that this process has written to files so far.
func writtenBytes(b *testing.B) (n int) {
	b.Helper()
	stats, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Skipf("needs the counters of Linux: %v", err)
	}
	_, text, _ := strings.Cut(string(stats), "wchar: ")
	if _, err := fmt.Sscan(text, &n); err != nil {
		b.Fatal(err)
	}
	return n
}

// benchUpdate performs the minimal equivalent work in plain bbolt: one row and one log entry.
func benchUpdate(b *testing.B, writers int) {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "plain.db"), 0o600, &bbolt.Options{
		PageSize: bolt.PageBytes, FreelistType: bbolt.FreelistMapType, InitialMmapSize: 1 << 30,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	shared(b, writers, func(n int64) error {
		return db.Update(func(tx *bbolt.Tx) error {
			rows, err := tx.CreateBucketIfNotExists([]byte("rows"))
			if err != nil {
				return err
			}
			log, err := tx.CreateBucketIfNotExists([]byte("log"))
			if err != nil {
				return err
			}
			key := binary.BigEndian.AppendUint64(nil, uint64(n))
			if err := rows.Put([]byte(benchURN(n)), []byte(benchValue)); err != nil {
				return err
			}
			return log.Put(key, []byte(benchURN(n)))
		})
	})
}

// rawCommits returns the number of raw commits per second: a commit writes a number of bytes in
// whole pages with a sync, and a meta page with a sync.
func rawCommits(b *testing.B, size, times int) (perSecond float64) {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	const region = 64 << 20 // preallocated, like the store's file
	if err := file.Truncate(region); err != nil {
		b.Fatal(err)
	}
	pages := (size + bolt.PageBytes - 1) / bolt.PageBytes
	data, meta := make([]byte, pages*bolt.PageBytes), make([]byte, bolt.PageBytes)
	begun := time.Now()
	for n := range times {
		at := int64(bolt.PageBytes + n*len(data)%(region/2))
		for _, step := range []struct {
			data []byte
			at   int64
		}{{data, at}, {meta, 0}} {
			if _, err := file.WriteAt(step.data, step.at); err != nil {
				b.Fatal(err)
			}
			if err := unix.Fdatasync(int(file.Fd())); err != nil {
				b.Fatal(err)
			}
		}
	}
	return float64(times) / time.Since(begun).Seconds()
}

// loadStore writes a number of aspects, five per entity, in updates of 100.
func loadStore(tb testing.TB, s *bolt.Store, aspects int) (valueBytes int64) {
	tb.Helper()
	for from := 0; from < aspects; from += 100 {
		_, err := s.Update(context.Background(), func(tx store.Tx) error {
			for n := from; n < from+100; n++ {
				if err := write(tb.Context(), tx, benchURN(int64(n/5)), benchAspects[n%5], benchValue); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		valueBytes += int64(100 * len(benchValue))
	}
	return valueBytes
}

var benchAspects = []string{"datasetKey", "datasetProperties", "ownership", "schemaMetadata", "status"}

func BenchmarkRead(b *testing.B) {
	s := openStore(b, filepath.Join(b.TempDir(), "store.db"))
	const aspects = 50000
	loadStore(b, s, aspects)
	ctx := context.Background()
	urns := make([]urn.URN, aspects/5)
	for n := range urns {
		urns[n] = benchURN(int64(n))
	}
	pick := func(n int) urn.URN { return urns[n*7919%len(urns)] }
	b.Run("get", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			key := store.Key{URN: pick(n), Aspect: "ownership"}
			if records, err := s.Get(ctx, key); err != nil || records[0] == nil {
				b.Fatal(records, err)
			}
		}
	})
	b.Run("aspects", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			list, err := s.Aspects(ctx, []urn.URN{pick(n)})
			if err != nil || len(list[0]) != len(benchAspects) {
				b.Fatal(list, err)
			}
		}
	})
	b.Run("scan1000", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			q := store.Scan{Type: "dataset", After: pick(n), Limit: 1000}
			if _, err := s.Scan(ctx, q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("entries1000", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			if _, err := s.Entries(ctx, uint64(n*7919%40000), 1000); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLoad loads 100,000 aspects in batches and reports their cost.
func BenchmarkLoad(b *testing.B) {
	const aspects = 100000
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "store.db")
		s := openStore(b, path)
		begun := time.Now()
		values := loadStore(b, s, aspects)
		b.ReportMetric(aspects/time.Since(begun).Seconds(), "aspects/s")
		b.ReportMetric(float64(fileSize(b, path))/float64(values), "file/values")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		begun = time.Now()
		openStore(b, path)
		b.ReportMetric(float64(time.Since(begun).Microseconds())/1000, "open-ms")
	}
}

func fileSize(tb testing.TB, path string) int64 {
	tb.Helper()
	info, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	return info.Size()
}

func TestABulkLoadStaysSmall(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	values := loadStore(t, s, 10000)
	// The file grows in steps; the last step may be nearly unused.
	if ratio := float64(fileSize(t, path)-bolt.AllocStep) / float64(values); ratio > 1.5 {
		t.Errorf("the file has %.2f times the bytes of its values", ratio)
	}
	count, err := s.Count(t.Context(), "dataset")
	if err != nil || count != 2000 {
		t.Errorf("got %d entities, %v", count, err)
	}
}

func BenchmarkDecodeRow(b *testing.B) {
	rec := sampleRecord()
	rec.Value = []byte(benchValue)
	var words bolt.Words
	raw, err := words.EncodeRow(&rec)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var got model.Record
		if got, err = words.DecodeRow(raw); err != nil || len(got.Value) != len(rec.Value) {
			b.Fatal(err)
		}
	}
}
