package series_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries/timeseriestest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const indexName = "dataset_operationaspect_v1"

// open opens a folder whose files are checked after the test.
func open(t testing.TB, dir string) *series.Store {
	t.Helper()
	s, err := series.Open(dir, series.Config{LockTimeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		checkFiles(t, dir)
	})
	return s
}

// checkFiles checks that the pages of each file are sound and its buckets are consistent.
func checkFiles(t testing.TB, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		db, err := bbolt.Open(file, 0o600, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
		if err != nil {
			t.Fatalf("check %s: %v", filepath.Base(file), err)
		}
		err = db.View(func(tx *bbolt.Tx) error {
			for err := range tx.Check() {
				t.Errorf("check %s: %v", filepath.Base(file), err)
			}
			docs := tx.Bucket([]byte("docs")).Stats().KeyN
			for _, name := range []string{"ids", "urns", "times"} {
				if n := tx.Bucket([]byte(name)).Stats().KeyN; n != docs {
					t.Errorf("check %s: %d keys in %s for %d documents", filepath.Base(file), n, name, docs)
				}
			}
			return nil
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Errorf("check %s: %v", filepath.Base(file), err)
		}
	}
}

func upserts(sequence uint64, docs ...timeseries.Document) timeseries.Batch {
	batch := timeseries.Batch{Sequence: sequence}
	for i := range docs {
		batch.Ops = append(batch.Ops, timeseries.Op{Upsert: &docs[i]})
	}
	return batch
}

func document(id string, at int64) timeseries.Document {
	return timeseries.Document{ID: id, URN: "urn:li:dataset:d", Time: at, Event: []byte(`{}`)}
}

func apply(t *testing.T, s *series.Store, batch timeseries.Batch) {
	t.Helper()
	if err := s.Apply(context.Background(), indexName, batch); err != nil {
		t.Fatal(err)
	}
}

func foundIDs(t *testing.T, s *series.Store) string {
	t.Helper()
	docs, err := s.Find(context.Background(), indexName, timeseries.Query{Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return strings.Join(ids, " ")
}

func TestStore(t *testing.T) {
	timeseriestest.Run(t, func(t *testing.T) timeseries.Store { return open(t, t.TempDir()) })
}

func BenchmarkStore(b *testing.B) {
	timeseriestest.Benchmark(b, func(b *testing.B) timeseries.Store { return open(b, b.TempDir()) })
}

func TestReopeningKeepsEverything(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "a", "b")
	s := open(t, dir)
	apply(t, s, upserts(3, document("a", 1), document("b", 2), document("c", 3)))
	apply(t, s, timeseries.Batch{Sequence: 4, Ops: []timeseries.Op{{Erase: &timeseries.Query{IDs: []string{"a"}}}}})
	if _, err := s.Compact(ctx, indexName); err != nil {
		t.Fatal(err)
	}
	apply(t, s, upserts(5, document("d", 4)))
	before, err := s.Sizes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, dir)
	after, err := s.Sizes(ctx)
	if err != nil || len(after) != 1 || after[0] != before[0] {
		t.Errorf("sizes: got %v, %v, want %v", after, err, before)
	}
	if applied, err := s.Applied(ctx, indexName); err != nil || applied != 5 {
		t.Errorf("applied: got %d, %v, want 5", applied, err)
	}
	apply(t, s, upserts(5, document("again", 9)))
	apply(t, s, upserts(6, document("e", 5)))
	if got := foundIDs(t, s); got != "b c d e" {
		t.Errorf("got %s, want b c d e", got)
	}
}

func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "series")
	s := open(t, dir)
	apply(t, s, upserts(1, document("a", 1), document("b", 2)))
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, indexName+".db"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: got mode %o, want %o", filepath.Base(path), got, want)
		}
	}
	if _, err := s.Compact(context.Background(), indexName); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, indexName+".db")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("after a compaction: got %v, %v, want mode 600", info.Mode(), err)
	}
}

func TestTheSizeIsThatOfTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	for n := range 40 {
		d := document(fmt.Sprint(n), int64(n))
		d.Event = []byte(`"` + strings.Repeat("x", 30_000) + `"`)
		apply(t, s, upserts(uint64(n+1), d))
	}
	sizes, err := s.Sizes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, indexName+".db"))
	if err != nil {
		t.Fatal(err)
	}
	if sizes[0].Bytes != info.Size() || info.Size() > 40*30_000*3/2 {
		t.Errorf("got %d bytes, the file has %d for %d of documents", sizes[0].Bytes, info.Size(), 40*30_000)
	}
}

func TestOpeningRemovesHalfWrittenFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{indexName + ".tmp", "notes.txt", "Other.db", "Other.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if sizes, err := s.Sizes(context.Background()); err != nil || len(sizes) != 0 {
		t.Errorf("sizes: got %v, %v, want nothing", sizes, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 || left[0].Name() != "Other.db" || left[1].Name() != "Other.tmp" || left[2].Name() != "notes.txt" {
		t.Errorf("got %v, %v, want only the half-written index gone", left, err)
	}
}

func TestAnIndexInUseElsewhereIsUnavailable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	apply(t, open(t, dir), upserts(1, document("a", 1)))
	other, err := series.Open(dir, series.Config{LockTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, err = other.Find(context.Background(), indexName, timeseries.Query{})
	if !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), indexName) {
		t.Errorf("got %v, want unavailable with the name of the index", err)
	}
}

func TestADamagedFileIsAnErrorOfItsIndexAlone(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chart_broken.db"), []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	apply(t, s, upserts(1, document("a", 1)))
	if got := foundIDs(t, s); got != "a" {
		t.Errorf("got %s, want a", got)
	}
	_, findErr := s.Find(ctx, "chart_broken", timeseries.Query{})
	applyErr := s.Apply(ctx, "chart_broken", upserts(1, document("a", 1)))
	_, latestErr := s.Latest(ctx, "chart_broken", []urn.URN{"urn:li:chart:c"})
	for call, err := range map[string]error{"find": findErr, "apply": applyErr, "latest": latestErr} {
		if fault.KindOf(err) != fault.Internal || err == nil || !strings.Contains(err.Error(), "chart_broken") {
			t.Errorf("%s: got %v, want an internal error that names the index", call, err)
		}
	}
}

func TestOpeningAFolderThatIsAFileFails(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := series.Open(file, series.Config{}); err == nil {
		t.Error("got no error for a folder that is a file")
	}
}
